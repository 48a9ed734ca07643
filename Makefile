# Every target does its own set-up; only Python 3.11+, make and the package registries are assumed.
PYTHON ?= python3
PORT ?= 8731
VENV := .venv
LIGHT := .venv-light
WHEEL := .venv-wheel
APP := out/app
BIN := $(VENV)/bin
# Chromium is Debian's; the browser tests skip with a reason where there is none.
PIP := -m pip --disable-pip-version-check install -q -c constraints.txt

NPM_CI := npm ci --ignore-scripts --no-audit --no-fund

# `$(call stale,VENV)` is not empty if that environment is of another Python than $(PYTHON), or of one that is gone.
version = $(shell $(1) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
stale = $(if $(wildcard $(1)),$(if $(filter $(call version,$(PYTHON)),$(call version,$(1)/bin/python)),,stale))
define environment
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "inkscan needs Python 3.11 or newer; name one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	$(if $(call stale,$(1)),rm -rf $(1))
	test -x $(1)/bin/python || $(PYTHON) -m venv $(1)
endef

.DEFAULT_GOAL := help
.PHONY: help demo serve app test test-fast lint js format hooks train-demo docs wheel lock audit clean FORCE

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(LIGHT)/.installed  ## recognise the bundled examples with the light install (no torch)
	$(LIGHT)/bin/inkscan recognize --confidence --truth examples/labels.tsv examples/ink/*.inkml
	$(LIGHT)/bin/inkscan explain examples/ink/quadratic.inkml -o out/quadratic.html

# Ctrl-C is the way to stop it, so its code 130 is no error; the trap keeps the shell until that code is there.
# With `make app` before it, the page goes on reading by itself while the server is away.
serve: $(LIGHT)/.installed-web  ## the page to write on, at http://127.0.0.1:8731; PORT=N for another port
	@trap : INT; $(LIGHT)/bin/inkscan serve --port $(PORT) $(if $(wildcard $(APP)/static/app.json),--app $(APP)) || test $$? -eq 130

test: $(VENV)/.installed lint  ## lint, types and all tests
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 -rs

test-fast: $(VENV)/.installed  ## the tests that need neither a browser nor many seconds
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 -m 'not slow and not browser'

lint: $(VENV)/.installed  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

js: tests/javascript/node_modules  ## types and style of the JavaScript (needs node)
	$</.bin/tsc -p tests/javascript
	$</.bin/eslint -c tests/javascript/eslint.config.mjs $(wildcard src js)

tests/javascript/node_modules: tests/javascript/package-lock.json
	cd tests/javascript && $(NPM_CI)
	touch $@

format: $(VENV)/.installed  ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

hooks: $(VENV)/.installed  ## check style at every commit, types at every push
	$(BIN)/pre-commit install --hook-type pre-commit --hook-type pre-push

app: js/node_modules/.package-lock.json  ## the page that needs no server, in out/app for any static host
	node js/build.mjs $(APP)

js/node_modules/.package-lock.json: js/package-lock.json
	cd js && $(NPM_CI)

train-demo: $(VENV)/.installed  ## from nothing to a model that reads generated expressions
	rm -rf out/train-demo
	$(BIN)/python examples/train_demo.py out/train-demo

docs: $(VENV)/.installed  ## the documentation as a site in site/, broken links are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build -d site

# The wheel is built from the sdist, so that the sdist is seen to suffice; what it brings along is listed beside it.
wheel: $(VENV)/.installed  ## build sdist and wheel into dist/, install the wheel in a clean environment and try it
	rm -rf dist $(WHEEL)
	$(BIN)/python -m build --no-isolation
	$(PYTHON) -m venv --without-pip $(WHEEL)
	$(BIN)/python -m pip --disable-pip-version-check --python $(WHEEL)/bin/python install -q -c constraints.txt dist/*.whl
	$(WHEEL)/bin/python tests/release/try_wheel.py
	$(BIN)/mypy --strict --config-file= --python-executable $(WHEEL)/bin/python tests/release/user_script.py
	$(BIN)/python $(PIP) cyclonedx-bom
	$(BIN)/cyclonedx-py environment -o dist/inkscan.cdx.json $(WHEEL)/bin/python

lock: $(VENV)/.installed  ## write constraints.txt anew: the newest version of everything that development needs
	$(BIN)/python -m pip --disable-pip-version-check install -q uv
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --upgrade \
	  --custom-compile-command 'make lock' -q -o constraints.txt

audit: $(VENV)/.installed  ## known vulnerabilities among what is installed
	$(BIN)/python $(PIP) pip-audit
	$(BIN)/pip-audit --local --skip-editable --progress-spinner off

clean:  ## remove all that these targets make
	rm -rf $(VENV) $(LIGHT) $(WHEEL) out build dist site js/node_modules js/types tests/javascript/node_modules
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.installed: pyproject.toml constraints.txt $(if $(call stale,$(VENV)),FORCE)
	$(call environment,$(VENV))
	$(BIN)/python $(PIP) -e '.[dev]'
	touch $@

$(LIGHT)/.installed: pyproject.toml constraints.txt $(if $(call stale,$(LIGHT)),FORCE)
	$(call environment,$(LIGHT))
	$(LIGHT)/bin/python $(PIP) -e .
	touch $@

$(LIGHT)/.installed-web: $(LIGHT)/.installed
	$(LIGHT)/bin/python $(PIP) -e '.[web]'
	touch $@
