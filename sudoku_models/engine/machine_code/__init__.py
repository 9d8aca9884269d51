"""Functions in a small part of Python, as machine code: compiled once for this processor, kept on disk, loaded, called.

``language`` says what the functions may have in them, ``compiler`` makes a module of LLVM of them, ``library``
compiles, keeps and loads it (llvmlite, extra ``fast``). The functions run as plain Python as well.
"""
