"""Runs the device with an app that fails in its third step: as CRASH says, the same way, another each time, or out."""

import os

from tableside import device

PADDING = "x" * 300


class App:
    """Fails."""

    made = 0

    def __init__(self, *parts):
        App.made += 1
        self.steps = 0
        print("app", App.made)

    def step(self, now_ms, down, pressed):
        self.steps += 1
        if self.steps == 3:
            how = os.getenv("CRASH")
            if how == "interrupt":
                raise KeyboardInterrupt
            raise ValueError("no luck" if how == "same" else "no luck " + str(App.made) + " " + PADDING)

    def close(self):
        print("closed", App.made)
        if os.getenv("CRASH") == "twice":
            raise OSError(28)


if __name__ == "__main__":
    device.App = App  # type: ignore[misc, assignment]
    device.run()
