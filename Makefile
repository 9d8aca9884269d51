# Everything happens in .venv, made from scratch where it is missing.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo docs pictures collection test truth lint format install clean

demo: install
	$(BIN)/python -m sudoku_models.collection.demo

# The pages, into site/; a broken link is an error.
docs: install
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

# RUN=folder takes the pictures of a comparison that was run before.
pictures: install
	$(BIN)/python docs/pictures.py $(RUN)

# The two files of puzzles that the package holds, made anew from their seed, into OUT; JOBS=2 for two processes.
collection: install
	$(BIN)/python -m benchmarks.collection --out $(OUT) --jobs $(or $(JOBS),1)

# One worker more than there are cores; the tests of a file stay together, and those of an engine in the conformance
# suite. Plain pytest runs them in one process.
test: install
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

# A long search for disagreements of engines, brute force and proofs; TRUTH='--minutes 5' for a short one.
truth: install
	$(BIN)/python -m tests.testing.long_search $(TRUTH)

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: install
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

install: .venv/installed

.venv/installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[all,dev]'
	touch $@

clean:
	rm -rf .venv dist build site .pytest_cache .mypy_cache .ruff_cache
