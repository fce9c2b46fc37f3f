# `make` lists the targets. Each builds .venv on first use from .constraints.txt, and again from nothing
# where a build was interrupted: the stamp is written last, so a half-built .venv never has one.

VENV := .venv
STAMP := $(VENV)/.installed
RUN := $(VENV)/bin/python
PIP_INSTALL = -m pip install --quiet --quiet --no-input --disable-pip-version-check
CONFIG ?= configs/quick.toml
# The first Python >= 3.11 that can make a virtual environment; `make PYTHON=...` chooses another.
PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13 python3.14 python; do \
	$$p -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

.PHONY: help train test check bench evaluate levels venv pins clean
.DELETE_ON_ERROR:

help: ## List the targets.
	@sed -n 's/^\([a-z]*\):.*## /  make \1 \t/p' Makefile | expand -t 18

train: $(STAMP) ## Train by self-play, then measure (CONFIG=file.toml, ARGS="--key value").
	@$(RUN) train.py --config $(CONFIG) $(ARGS)

test: $(STAMP) ## Run the tests; the small ones also with the kernels as plain Python.
	@echo "Small tests, kernels as plain Python:"
	@NUMBA_DISABLE_JIT=1 $(RUN) -m pytest -q -m small $(ARGS)
	@echo "All tests:"
	@$(RUN) -m pytest -q $(ARGS)

check: $(STAMP) ## Format, lint, types, import layers, metadata.
	@$(RUN) -m ruff format --check --quiet .
	@$(RUN) -m ruff check --quiet .
	@$(RUN) -m mypy
	@$(VENV)/bin/lint-imports --no-logo --no-cache
	@$(RUN) -m check_jsonschema --quiet --builtin-schema vendor.citation-file-format CITATION.cff
	@$(RUN) -m pre_commit validate-config .pre-commit-config.yaml

bench: $(STAMP) ## Run the benchmarks, each of which first checks a known answer.
	@$(RUN) -m tests.benchmarks $(ARGS)

evaluate: ARGS ?= --agent pip-count --opponent random --games 2000 --seed 1
evaluate: $(STAMP) ## Play a paired match (ARGS="--agent A --opponent B --games N --seed S").
	@$(RUN) -m agents.evaluate $(ARGS)

VARIANT ?= backgammon
SIZES ?= tiny small
MARGIN ?= 0.33
levels: $(STAMP) ## Train the small networks of the levels anew, refit all levels, measure them (VARIANT, SIZES, MARGIN=points).
	@set -e; for size in $(SIZES); do \
		run=runs/$(VARIANT)_$$size; rm -rf $$run; \
		$(RUN) train.py --config configs/level_$$size.toml --variant $(VARIANT) --run_dir $$run; \
		$(RUN) -m agents.weights add $$run $(VARIANT)-$$size --replace; done
	@$(RUN) -m agents.fit_levels --variant $(VARIANT) --margin $(MARGIN) --replace
	@$(RUN) -m agents.evaluate --calibrate-levels --variant $(VARIANT) --games 200 --seed 1 $(ARGS)

venv: $(STAMP) ## Only build .venv.
	@:

# torch comes first and by its pin: a bare torch, wanted by a package that is installed before it, may be a newer
# release of several gigabytes. setuptools and hatchling are there before --no-build-isolation needs them.
$(STAMP): pyproject.toml .constraints.txt
	@set -e; \
	if [ -f $@ ]; then \
		echo "Updating $(VENV): pyproject.toml or .constraints.txt is newer (well under a minute)."; rm -f $@; \
	else \
		if [ -z "$(PYTHON)" ]; then \
			echo "gammon-env needs Python 3.11 or newer with venv; name one: make PYTHON=/path/to/python" >&2; exit 1; fi; \
		echo "Building $(VENV) with the pinned packages (first use only, one to three minutes)."; \
		"$(PYTHON)" -m venv --clear $(VENV); fi; \
	$(RUN) $(PIP_INSTALL) --constraint .constraints.txt hatchling setuptools "$$(grep '^torch==' .constraints.txt)"; \
	$(RUN) $(PIP_INSTALL) --constraint .constraints.txt --no-build-isolation --editable '.[dev]'; \
	touch $@

# A local label such as +cpu is this machine's choice of build, not part of the pin.
TORCH ?= $(shell sed -n 's/^torch==//p' .constraints.txt)
pins: ## Write .constraints.txt anew with today's versions (TORCH=version).
	@set -e; scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; \
	"$(PYTHON)" -m venv "$$scratch"; \
	"$$scratch/bin/python" $(PIP_INSTALL) hatchling 'torch==$(TORCH)'; \
	"$$scratch/bin/python" $(PIP_INSTALL) --no-build-isolation --editable '.[dev]'; \
	{ echo "# Every package that make installs, at the version it was tested with. Written by \`make pins\`."; \
	"$$scratch/bin/python" -m pip freeze --all --exclude-editable | sed -e '/^pip==/d' -e 's/+[a-z0-9.]*$$//'; \
	} > "$$scratch/pins"; mv "$$scratch/pins" .constraints.txt

clean: ## Remove .venv and every cache; runs/ stays.
	@rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find gammon_env agents tests -name __pycache__ -type d -prune -exec rm -rf {} +
