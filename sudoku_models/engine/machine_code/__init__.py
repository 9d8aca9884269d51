"""Compile functions in a small subset of Python to machine code: once for this processor, kept on disk and loaded.

``language`` defines what the functions may contain, ``compiler`` turns them into an LLVM module, and ``library``
compiles, keeps and loads it (llvmlite, extra ``fast``). The functions also run as plain Python.
"""
