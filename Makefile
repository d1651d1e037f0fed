# Two commands do everything, set-up included: make certify, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
READY := $(VENV)/.ready
OUT := out

# Without its bytecode kept, every start of Selo would compile it anew: a third of the time of a run.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: bundle engine engine-document certify compiled test test-full fuzz bench tools lint lint-style lint-types lint-law format schemas law-comments importance kills provisions freeze clean

# bubblewrap keeps vendors from network and files. Selo works without it, and says so loudly.
BWRAP := command -v bwrap > /dev/null
# Pango and HarfBuzz lay out the letters of the document. Without them there is no PDF.
PANGO := $(PYTHON) -c 'import ctypes; [ctypes.CDLL(f"lib{n}.so.0") for n in ("pango-1.0", "pangoft2-1.0", "harfbuzz", "harfbuzz-subset")]' 2> /dev/null
PANGO_PACKAGES := libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz0b libharfbuzz-subset0
APT := DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet -o DPkg::Lock::Timeout=300

# What Selo itself needs; `make certify` needs nothing else.
$(INSTALLED): pyproject.toml
	@{ $(BWRAP) && $(PANGO); } || if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	  wanted="bubblewrap $(PANGO_PACKAGES)"; $(APT) $$wanted > /dev/null || \
	  { apt-get update --quiet > /dev/null && $(APT) $$wanted > /dev/null; } || true; fi
	@$(BWRAP) || echo "For the isolation of vendors: apt-get install bubblewrap"
	@$(PANGO) || echo "For PDF documents: apt-get install $(PANGO_PACKAGES)"
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Selo needs Python 3.11 or later: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

# What those need who change it. Older pips know no groups.
$(READY): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[registry]' --group dev
	touch $@

certify: $(INSTALLED)
	$(BIN)/python -m selo.cli.demonstration $(OUT) $(BUDGET)

# Programs of others by which tests judge: Chromium, poppler, qpdf, SoftHSM2, compilers, shells.
# `make certify` needs none of them.
tools:
	@$(PYTHON) tests/debian.py

# Side by side on the cores there are; what one says is printed in one piece.
BESIDE := $(MAKE) --no-print-directory --jobs=2 --output-sync=target

lint: $(READY)
	@$(BESIDE) lint-types lint-style lint-law

lint-types: $(READY)
	$(BIN)/mypy

lint-style: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PYTHONPATH=harness $(BIN)/lint-imports --no-cache

lint-law: $(READY)
	$(BIN)/yamllint --strict specs bilingual
	$(BIN)/selo law check

# Vendors in a sandbox cannot keep their bytecode: without this each start would compile them anew.
compiled: $(READY)
	@$(BIN)/python -m compileall -q harness fixtures

test: compiled
	@$(BESIDE) tools lint-types lint-style lint-law
	# Three workers for two cores: many tests wait for a vendor that misbehaves.
	# Neighbours share their set-up, so each worker takes a stretch of tests and then helps the others.
	$(BIN)/pytest -n 3 --dist worksteal -m "not full and not bench"

test-full: compiled
	@$(BESIDE) tools lint-types lint-style lint-law
	$(BIN)/pytest -n 2 --dist worksteal -m "not bench"

# Spoiled inputs: so many for each reader in process, and through the program.
FUZZ ?= 10000
FUZZ_PROGRAMS ?= 200
fuzz: $(READY)
	SELO_FUZZ=$(FUZZ) SELO_FUZZ_PROGRAMS=$(FUZZ_PROGRAMS) $(BIN)/pytest -q -n 2 tests/fuzz

bench: $(READY)
	$(BIN)/pytest -m bench -s -q

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# How much depends on each open point, and the order of the register that follows from it.
importance: $(READY)
	$(BIN)/python -m selo.rounds.analysis.point_importance fixtures/adapters/python/reference.py:vendor

# Both score the games of which the file has no score of this edition, and write each as soon as it
# is done; FRESH=1 scores all games anew.
MISSING := $(if $(FRESH),,--missing)

kills: $(READY)
	$(BIN)/selo selftest --generated $(MISSING) --out fixtures/planted/score.json

# Pairs, triples and combinations of readings are so many in each of six games.
provisions: $(READY)
	$(BIN)/selo selftest --pairs 167 --triples 34 --readings 84 --processes 2 $(MISSING) --out fixtures/planted/score.json

# Whoever changes what judging depends on says here that the number of the engine still holds.
engine: $(READY)
	$(BIN)/python -m tests.engine.judging_digest

# The document of this engine that every later build verifies; an existing one is never replaced.
engine-document: $(READY)
	$(BIN)/python -m tests.engine.keep_document fixtures/documents/engine-$$($(BIN)/python -c 'from selo.engine import ENGINE; print(ENGINE)')

# Everything to install, verify and examine without a network, as one archive; tried in an empty root.
bundle: $(INSTALLED)
	$(BIN)/python fixtures/bundle/make_bundle.py $(OUT)

# Whether everything that Selo prints and writes is as it was at an older commit.
BASE ?= HEAD
freeze: $(READY)
	$(BIN)/python tests/freeze/freeze.py --base $(BASE) $(FREEZE)

schemas: $(READY)
	for name in $$($(BIN)/python -c 'from selo.law.file_schemas import SCHEMA_MODELS; print(*SCHEMA_MODELS)'); do \
	  $(BIN)/selo law schema $$name > specs/schema/$$name.schema.json; done
	for name in $$($(BIN)/python -c 'from selo.report.formats.report_json import MODELS; print(*MODELS)'); do \
	  $(BIN)/python -m selo.report.formats.report_json $$name > specs/schema/$$name.schema.json; done
	$(BIN)/python -m selo.cli.schemas.schema_writer specs/schema
	$(BIN)/selo protocol > specs/schema/protocol.openrpc.json
	$(BIN)/selo protocol --markdown > docs/protocol.md
	$(BIN)/python -m selo.gazette.glossary_page > docs/glossary.md
	$(BIN)/python -m selo.cli.schemas.format_reference specs/schema > docs/formats.md

# Beside each step of an article, what it requires, in Portuguese and Chinese.
law-comments: $(READY)
	$(BIN)/python -m selo.rules.procedure.step_comments specs

clean:
	rm -rf $(OUT) $(VENV) dist
