# Every target sets up .venv by itself; Python 3.11+ and make are all that is needed.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: venv run test check screens bench size soak emulate clean

venv: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Tableside needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,emulator]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --target .venv/typings 'micropython-rp2-rpi_pico-stubs>=1.24'
	touch $@

# make run VM=rp2040 UF2=RPI_PICO.uf2 runs it on an emulated Pico.
run: venv
	$(if $(UF2),TABLESIDE_UF2=$(UF2)) $(BIN)/tableside sim nemesis/erosion-of-power $(if $(VM),--vm $(VM))

# On all processors; one that has nothing left to do takes tests from another.
test: venv
	$(BIN)/python -m pytest -n auto --dist worksteal

check: venv
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file firmware/mypy.ini firmware/tableside firmware/main.py
	$(BIN)/python -m pytest -n auto --dist worksteal

# The pictures of the documentation; the tests compare every one of them.
screens: venv
	for demo in erosion-of-power decaying-generatorium; do \
		$(BIN)/tableside sim nemesis/$$demo --shots docs/screens/nemesis-$$demo || exit 1; \
	done
	PYTHONPATH=tests $(BIN)/python -m screens.sheets
	PYTHONPATH=tests $(BIN)/python -m game_scripts

# Measured figures; neither fails for being slow or large. The 32-bit ones need node and npm, and say so if they lack them.
bench: venv
	PYTHONPATH=tests $(BIN)/python -m bench

size: venv
	PYTHONPATH=tests $(BIN)/python -m bench modules packs games use

# The long forms of tests that are short in `make test`.
soak: venv
	TABLESIDE_CUT_EVERY=1 TABLESIDE_KILLS=200 TABLESIDE_MUTATIONS=20000 TABLESIDE_PRESSES=100000 TABLESIDE_BRUTE_FORCE=1 \
		TABLESIDE_ATTACKS=200 TABLESIDE_CABLE_CUTS=150 TABLESIDE_GAMES=200 TABLESIDE_SOURCES=2000 TABLESIDE_SHEETS=1 \
		$(BIN)/python -m pytest -s tests/test_power_cut.py tests/test_update.py tests/test_kill.py tests/test_full_disk.py \
		tests/test_mutations.py tests/test_random_presses.py tests/test_random_games.py tests/test_game_sources.py \
		tests/test_brute_force.py tests/test_brute_force_40k.py tests/test_odds.py tests/test_screens.py
	TABLESIDE_GAMES=1000 $(BIN)/python -m pytest -s tests/portable/test_game_death_angel.py

# The tests and the measured budgets on an emulated Pico, with an image of MicroPython: make emulate UF2=RPI_PICO.uf2
emulate: venv
	$(if $(UF2),TABLESIDE_UF2=$(abspath $(UF2))) $(BIN)/python -m pytest -s tests/emulator
	$(if $(UF2),TABLESIDE_UF2=$(abspath $(UF2))) PYTHONPATH=tests $(BIN)/python -m bench emulator

clean:
	rm -rf .venv build
