"""Prints measured figures: `python -m bench [PART...]`, all parts by default. It never fails for being slow."""

import sys

from bench import buttons, chances, deploy, dice, emulator, memory, speed
from host_tools.errors import CommandError

PARTS = {
    "bus": buttons.bus,
    "presses": buttons.presses,
    "dice": dice.dice,
    "time": speed.time,
    "odds": chances.odds,
    "packs": memory.packs,
    "games": memory.games,
    "use": memory.use,
    "modules": memory.modules,
    "deploy": deploy.deploy,
    "emulator": emulator.emulator,
}


def main(names: list[str]) -> int:
    """Print the parts with these names. Returns: the exit code."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"no part {unknown[0]!r}: there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    for name in names or PARTS:
        try:
            PARTS[name]()
        except CommandError as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
        print(flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
