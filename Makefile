# make try    install and extract an example page
# make test   install and run everything that must pass
# make gate   measure against the floors in benchmarks/floors.json (needs ../shared)
# make model  train the default method, the site model and the page types again (needs ../shared)
# make bench  install the peers and re-make the figures of the README (needs ../shared)
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
# Every compiled module has its C types beside it.
COMPILED := $(basename $(shell find src -name "*.pxd"))
BUILD_INPUTS := pyproject.toml setup.py $(shell find src -name "*.h") $(foreach module,$(COMPILED),$(wildcard $(module).p*))

TRAINING_SETS := wcxb-dev news2023 scrapinghub readability trafilatura-eval

.PHONY: try test lint gate model bench clean

try: $(INSTALLED)
	@echo "tamis extract examples/news.html"
	@echo
	@$(BIN)/tamis extract examples/news.html

test: $(INSTALLED)-dev lint
	$(BIN)/pytest

lint: $(INSTALLED)-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

gate: $(INSTALLED)-dev
	$(BIN)/python benchmarks/conformance.py tokenizer --gate
	$(BIN)/python benchmarks/conformance.py pages --gate --worst 5
	$(BIN)/python -m tamis.evaluate.gate --shared ../shared

model: $(INSTALLED)-train
	$(BIN)/tamis train tamis --output src/tamis/model/weights/tamis-1.npz --folds build/folds --work build/training \
	    $(TRAINING_SETS:%=--data ../shared/datasets/%.jsonl.xz)
	$(BIN)/tamis train site --output src/tamis/model/weights/site-1.npz --folds build/folds \
	    $(foreach set,wcxb-dev news2023 scrapinghub readability,--data ../shared/datasets/$(set).jsonl.xz)
	$(BIN)/tamis train page_type --output src/tamis/model/weights/page_type-1.npz \
	    --data ../shared/datasets/wcxb-dev.jsonl.xz

bench: $(INSTALLED)-bench
	$(BIN)/python benchmarks/conformance.py tokenizer
	$(BIN)/python benchmarks/conformance.py pages
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/growth.py

$(INSTALLED): $(BUILD_INPUTS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(INSTALLED)-%: $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[$*]"
	touch $@

clean:
	rm -rf $(VENV) build dist src/*.egg-info
	find src -name '*.so' -delete
