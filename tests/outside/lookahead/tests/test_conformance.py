from sudoku_models.testing import BackendConformance


class TestLookahead(BackendConformance):
    specs = ("lookahead",)
    share = 0.2
