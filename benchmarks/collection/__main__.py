"""``python -m benchmarks.collection``, run in the folder of the project."""

import sys

from .making import main

if __name__ == "__main__":  # its processes import this file too
    sys.exit(main())
