"""What the device runs at boot."""

from tableside.hw.update import finish

finish()  # before anything else of the app is imported

from tableside.device import run  # noqa: E402

run()
