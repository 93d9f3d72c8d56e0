"""What every board has in common in a frozen build; packs, sessions and settings stay in the file system.

In MicroPython's folder ports/rp2, with the board that PICO of board.py means (RPI_PICO, RPI_PICO_W, RPI_PICO2 or
RPI_PICO2_W): make BOARD=RPI_PICO FROZEN_MANIFEST=/path/to/boards/pico/manifest.py
"""

include("$(PORT_DIR)/boards/manifest.py")
package("tableside", base_path="../firmware")
module("main.py", base_path="../firmware")
