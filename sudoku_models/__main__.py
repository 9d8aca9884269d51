"""``python -m sudoku_models``: the command line, where its program is not on the path."""

from .cli.main import main

if __name__ == "__main__":
    main()
