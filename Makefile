# Every recipe sets up what it needs; nothing but Python 3.11+, git and make is taken for granted.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
STAMP := $(VENV)/.ready

.PHONY: help setup demo test lint bench lock clean

help:
	@echo "make demo   set up, then see a stale memory found and settled on real code"
	@echo "make test   set up, then lint and run every test (a real Neovim among them)"
	@echo "make lint   style, types and import contracts alone"
	@echo "make bench  latency, check and fault figures beside floors and peers"
	@echo "make lock   renew requirements-dev.txt from pyproject.toml"

setup: $(STAMP)

$(STAMP): pyproject.toml requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "StillTrue needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: setup
	$(BIN)/stilltrue demo $(DEMO)

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

test: lint
	$(BIN)/python -m pytest -n 2 --dist loadgroup $(TESTS)

bench: setup
	$(BIN)/python benchmarks/latency/bench.py $(BENCH)
	$(BIN)/python benchmarks/check/bench.py
	$(BIN)/python benchmarks/faults/kill_writers.py

lock: setup
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --group dev --universal --python-version 3.11 \
		--no-header --no-emit-index-url --no-emit-find-links --no-annotate --output-file requirements-dev.txt

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
