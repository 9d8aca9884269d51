"""The SAT solvers: PicoSAT through pycosat, those of python-sat, and what their searches share."""
