"""The SAT solvers: PicoSAT by pycosat, those of python-sat, and what their searches share."""
