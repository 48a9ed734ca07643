# Every target does its own set-up; only Python 3.11+, make and the package registries are assumed.
PYTHON ?= python3
VENV := .venv
LIGHT := .venv-light
BIN := $(VENV)/bin
# Chromium is Debian's; the browser tests skip with a reason where there is none.
PIP := -m pip --disable-pip-version-check install -q -c constraints.txt

NPM_CI := npm ci --ignore-scripts --no-audit --no-fund

.PHONY: demo test serve app lint format train-demo audit docs clean

demo: $(LIGHT)/.installed  ## recognise the bundled example with the light install (no torch)
	$(LIGHT)/bin/inkscan recognize --confidence examples/ink/*.inkml
	$(LIGHT)/bin/inkscan explain examples/ink/quadratic.inkml -o out/quadratic.html

test: $(VENV)/.installed lint  ## lint, types and all tests
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 -rs

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Ctrl-C is the way to stop it, so its code 130 is no error; the trap keeps the shell until that code is there.
serve: $(LIGHT)/.installed-web  ## the page to write on, at http://127.0.0.1:8731
	@trap : INT; $(LIGHT)/bin/inkscan serve || test $$? -eq 130

app: js/node_modules/.package-lock.json  ## the page that needs no server, in out/app for any static host
	node js/build.mjs out/app

js/node_modules/.package-lock.json: js/package-lock.json
	cd js && $(NPM_CI)

train-demo: $(VENV)/.installed  ## from nothing to a model that reads generated expressions
	rm -rf out/train-demo
	$(BIN)/python examples/train_demo.py out/train-demo

audit: $(VENV)/.installed  ## known vulnerabilities among what is installed
	$(BIN)/python $(PIP) pip-audit
	$(BIN)/pip-audit --local --skip-editable --progress-spinner off

$(VENV)/.installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) -e '.[dev]'
	touch $@

$(LIGHT)/.installed: pyproject.toml
	test -x $(LIGHT)/bin/python || $(PYTHON) -m venv $(LIGHT)
	$(LIGHT)/bin/python $(PIP) -e .
	touch $@

$(LIGHT)/.installed-web: $(LIGHT)/.installed
	$(LIGHT)/bin/python $(PIP) -e '.[web]'
	touch $@

docs: $(VENV)/.installed  ## the documentation as a site in site/, broken links are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build -d site

clean:
	rm -rf $(VENV) $(LIGHT) js/node_modules js/types out build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
