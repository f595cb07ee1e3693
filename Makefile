# Every recipe sets up what it needs; nothing but Python 3.11+, git and make is taken for granted.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
STAMP := $(VENV)/.ready
VSCODE_STAMP := $(VENV)/.ready-vscode

.PHONY: help setup demo test lint bench truth recall-evaluation lock clean vsix test-vscode

help:
	@echo "make demo   set up, then see a stale memory found and settled on real code"
	@echo "make test   set up, then lint and run every test (a real Neovim among them)"
	@echo "make vsix   build the VS Code extension for this platform (needs npm)"
	@echo "make test-vscode  build it, then drive a real VS Code (needs npm, g++ and Chromium, too)"
	@echo "make lint   style, types and import contracts alone"
	@echo "make bench  latency, check, git and fault figures beside floors and peers"
	@echo "make truth  verdicts on real releases beside an independent oracle (needs npm)"
	@echo "make recall-evaluation  how well recall answers about a real project, beside the committed table"
	@echo "make lock   renew the requirements files from pyproject.toml"

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

$(VSCODE_STAMP): $(STAMP) requirements-vscode.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-vscode.txt
	@touch $@

vsix: $(VSCODE_STAMP)
	$(BIN)/python vscode-client/package.py $(PLATFORM)

test-vscode: vsix
	$(BIN)/mypy e2e vscode-client
	$(BIN)/python e2e/vscode/install.py
	$(BIN)/python -m pytest e2e/vscode $(TESTS)

bench: setup
	$(BIN)/python benchmarks/latency/bench.py $(BENCH)
	$(BIN)/python benchmarks/check/bench.py
	$(BIN)/python benchmarks/pins/bench.py
	$(BIN)/python benchmarks/recall/speed.py
	$(BIN)/python benchmarks/faults/kill_writers.py

truth: setup
	$(BIN)/python benchmarks/truth/measure.py $(TRUTH)

recall-evaluation: setup
	PYTHONPATH=benchmarks/truth $(BIN)/python benchmarks/recall/evaluate.py $(or $(RECALL),--check)

lock: setup
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra languages --group dev --universal --python-version 3.11 \
		--no-header --no-emit-index-url --no-emit-find-links --no-annotate --output-file requirements-dev.txt
	$(BIN)/uv pip compile --group pyproject.toml:vscode --universal --python-version 3.11 \
		--no-header --no-emit-index-url --no-emit-find-links --no-annotate --output-file requirements-vscode.txt

clean:
	rm -rf $(VENV) build dist vscode-client/node_modules vscode-client/dist vscode-client/bundled .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
