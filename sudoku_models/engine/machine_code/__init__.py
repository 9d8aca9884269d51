"""Compile functions in a small subset of Python to machine code: once for this processor, kept on disk and loaded.

``language`` defines what the functions may contain, ``compiler`` turns them into an LLVM module with ``vectors``, and
``library`` compiles, keeps and loads it (extra ``fast``: only compiling needs llvmlite). The functions also run as
plain Python. The page "Kernels" of the documentation says how to write them.
"""
