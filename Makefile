# Two commands do everything, set-up included: make certify, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
OUT := out

.PHONY: certify test test-full bench lint format schemas clean

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Selo needs Python 3.11 or later: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

certify: $(READY)
	$(BIN)/python -m selo.cli.demonstration $(OUT)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PYTHONPATH=harness $(BIN)/lint-imports --no-cache
	$(BIN)/yamllint --strict specs bilingual
	$(BIN)/selo law check

test: lint
	$(BIN)/pytest -n 2 -m "not full and not bench"

test-full: lint
	$(BIN)/pytest -n 2 -m "not bench"

bench: $(READY)
	$(BIN)/pytest -m bench -s -q

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schemas: $(READY)
	for name in $$($(BIN)/python -c 'from selo.law.schema import MODELS; print(*MODELS)'); do \
	  $(BIN)/selo law schema $$name > specs/schema/$$name.schema.json; done

clean:
	rm -rf $(OUT) $(VENV) dist
