# Every target sets up .venv by itself; Python 3.11+ and make are all that is needed.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: venv run test check clean

venv: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tableside needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,device]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --target .venv/typings 'micropython-rp2-rpi_pico-stubs>=1.24'
	touch $@

run: venv
	$(BIN)/tableside sim nemesis/erosion-of-power

test: venv
	$(BIN)/python -m pytest

check: venv
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file firmware/mypy.ini firmware/tableside firmware/main.py
	$(BIN)/python -m pytest

clean:
	rm -rf .venv build
