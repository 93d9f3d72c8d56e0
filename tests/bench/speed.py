"""Time per command, frame and piece of drawing on every VM."""

import tempfile
from pathlib import Path

from bench.vms import Vm, cpython, lay_out, micropythons

COUNT = 500


def measure(vm: Vm, count: int) -> dict[str, tuple[float, float, int]]:
    """Median, 95th percentile and number of each thing's times, in microseconds."""
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        lay_out(Path(folder), vm.layout, "speed")
        lines = vm.run(Path(folder), "speed", count)
    return {line[1].replace("_", " "): (float(line[2]), float(line[3]), int(line[4])) for line in lines}


def time() -> None:
    """Print the times."""
    print("Microseconds on this computer: median and 95th percentile. A Pico is slower; what counts is the proportion.")
    vms = [vm for vm in [cpython(), *micropythons()] if vm.layout != "rom"]
    found = {vm.name: measure(vm, COUNT) for vm in vms}
    print(f"{'':34}" + "".join(f"{vm:>20}" for vm in found) + f"{'N':>7}")
    names = sorted({name for times in found.values() for name in times})
    for name in names:
        row = [times.get(name, (0, 0, 0)) for times in found.values()]
        print(f"{name:34}" + "".join(f"{middle:12.1f}{late:8.0f}" for middle, late, _ in row) + f"{row[0][2]:7}")
