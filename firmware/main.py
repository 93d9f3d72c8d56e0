"""What the device runs at boot."""

from tableside.device import run

run()
