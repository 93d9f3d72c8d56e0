"""What the device runs at boot."""

import sys

from tableside.hw import update

update.finish()  # before anything else of the app is imported
del update, sys.modules["tableside.hw.update"], sys.modules["tableside.hw"].update  # it is not needed any more

from tableside.device import run  # noqa: E402

run()
