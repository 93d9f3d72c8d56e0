"""main.py of the simulator with the seed that an emulated Pico drew: the file `seed` has it in hex."""

import tableside.hw.entropy as entropy

with open("seed") as file:
    _seed = bytes.fromhex(file.read())
entropy.hardware_seed = lambda size=16: _seed[:size]

from tableside.device import run  # noqa: E402

run()
