# make demo: set up and show.  make check: the inner loop, a minute.  make test: set up and prove, minutes.
# make soak: the long runs.  make coverage: which lines the tests reach.  Nothing else is needed.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := demo

# The first Python from 3.11 to 3.13 that can make a virtual environment.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null \
	&& echo $$python && break; done)
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
# Three processes on two cores: many tests wait for a process, a page or a clock.
WORKERS ?= 3
PARALLEL := $(BIN)/pytest -n $(WORKERS) --dist worksteal --quiet
# The tests start Python a thousand times: it must not compile the package every time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo check test gates soak coverage clean

demo: .venv/installed
	@$(BIN)/harena demo

# What needs no process, no browser and no seconds; the quickest gates first.
check: .venv/installed-for-tests gates
	$(BIN)/pytest -n 2 --dist worksteal --quiet --ignore tests/browser --ignore tests/systems \
		-m "not process and not slow and not quiet"

# Everything that protects users. Tests of clocks need a machine that does nothing else: they come last, one at a time,
# and only they are tried a second time. How many there are and how many needed it is printed.
test: .venv/installed-for-tests gates
	@scripts/system-packages gcc=gcc bwrap=bubblewrap chromium=chromium
	$(PARALLEL) -m "not quiet"
	$(BIN)/pytest -m quiet --quiet || { [ $$? = 1 ] && $(BIN)/pytest -m quiet --last-failed --quiet -rp; }

gates: .venv/installed-for-tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy

soak: .venv/installed-for-tests
	@scripts/system-packages gcc=gcc bwrap=bubblewrap chromium=chromium
	$(PARALLEL) -m soak

# Lines and branches that `make test` reaches, processes that it starts included; docs/testing.md says what is not seen.
coverage: .venv/installed-for-tests
	@scripts/system-packages gcc=gcc bwrap=bubblewrap chromium=chromium
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n $(WORKERS) --dist worksteal --quiet
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

.venv/bin/python:
	@python="$(PYTHON)"; \
	if [ -z "$$python" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq python3 python3-venv >/dev/null && python=python3; \
	fi; \
	if [ -z "$$python" ]; then \
		echo "Python 3.11 to 3.13 with venv is needed; please run:  sudo apt-get install python3 python3-venv" >&2; exit 1; \
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
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage*
