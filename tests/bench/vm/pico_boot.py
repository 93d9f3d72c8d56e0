"""main.py of an emulated Pico: the start of the device in its parts.

Prints `part NAME MICROSECONDS`, `idle BYTES` that 100 steps without a key allocate, then `done`.
"""

import time

_last = time.ticks_us()
print("part MicroPython", _last)


def part(name):
    """The time since the last part."""
    global _last
    now = time.ticks_us()
    print("part", name, time.ticks_diff(now, _last))
    _last = time.ticks_us()


import gc  # noqa: E402

from tableside import device  # noqa: E402

part("imports")
gc.threshold(device._GARBAGE_BYTES)
parts, _ = device.parts()
part("hardware")
app = device.App(parts, 0)
part("app")
app.step(0, 0, 0)
part("first_step")
app.step(1, 0, 0)
part("idle_step")
gc.collect()
part("collection")
for now_ms in range(2, 42):  # every screen is imported once
    app.step(now_ms, 0, 0)
gc.collect()
gc.disable()
before = gc.mem_alloc()
for now_ms in range(42, 142):
    app.step(now_ms, 0, 0)
idle = gc.mem_alloc() - before
gc.enable()
print("idle", idle)
print("done")
