# make demo: set up and show.  make test: set up and prove.  make soak: the long runs.  Nothing else is needed.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := demo

# The first Python from 3.11 to 3.14 that can make a virtual environment.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null \
	&& echo $$python && break; done)
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet

.PHONY: demo test soak javascript clean

demo: .venv/installed
	@$(BIN)/harena demo

test: .venv/installed-for-tests
	@scripts/system-packages gcc=gcc bwrap=bubblewrap chromium=chromium
	$(BIN)/ruff check
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy
	@$(MAKE) --no-print-directory javascript
	@# Real processes and clocks on a busy machine: what failed is run once more, one at a time, and has to pass then.
	$(BIN)/pytest -n 2 --dist worksteal --quiet || { [ $$? = 1 ] && echo "once more, what failed:" && \
		$(BIN)/pytest --last-failed --last-failed-no-failures none --quiet -rp; }

soak: .venv/installed-for-tests
	@scripts/system-packages gcc=gcc bwrap=bubblewrap chromium=chromium
	$(BIN)/pytest -n 2 -m soak --quiet

# The page's scripts, checked by TypeScript's compiler. Without npm this fails: the check is never left out.
javascript: node_modules/installed
	node_modules/.bin/tsc --project tsconfig.json

node_modules/installed: package.json package-lock.json .npmrc
	@scripts/system-packages npm=npm
	@echo "installing what checks JavaScript"
	@npm ci --loglevel=error
	@touch $@

.venv/bin/python:
	@python="$(PYTHON)"; \
	if [ -z "$$python" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq python3 python3-venv >/dev/null && python=python3; \
	fi; \
	if [ -z "$$python" ]; then \
		echo "Python 3.11 to 3.14 with venv is needed; please run:  sudo apt-get install python3 python3-venv" >&2; exit 1; \
	fi; \
	echo "setting up .venv with $$($$python --version)"; \
	$$python -m venv .venv

.venv/installed: pyproject.toml | .venv/bin/python
	@echo "installing harena and what it needs"
	@$(PIP) install --editable '.[web,plot]'
	@touch $@

.venv/installed-for-tests: pyproject.toml | .venv/bin/python
	@echo "installing harena and what its tests need"
	@$(PIP) install --editable '.[test]'
	@touch $@ .venv/installed

clean:
	rm -rf .venv node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
