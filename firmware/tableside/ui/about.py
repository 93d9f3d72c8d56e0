"""What this device is and what is on it: versions and free memory."""

import sys

from tableside import VERSION
from tableside.ui import texts
from tableside.ui.failures import words
from tableside.ui.manners import volts
from tableside.ui.reading import Pager


def _amount(size):
    return "%d KB" % (size >> 10) if size < 10 << 20 else "%d MB" % (size >> 20)


class About(Pager):
    """A page for the device, then the packs."""

    def __init__(self, app):
        ram, flash = app.device.memory()
        python = ".".join(str(part) for part in sys.implementation.version[:3])
        lines = [
            texts.APP + " " + VERSION,
            app.device.name,
            texts.PYTHON_NAMES.get(sys.implementation.name, sys.implementation.name) + " " + python,
            texts.FREE_RAM + " " + _amount(ram),
            texts.FREE_FLASH + " " + _amount(flash),
        ]
        if app.device.battery_low_mv:
            lines.append(texts.SUPPLY + " " + volts(app.device.battery_mv()))
        super().__init__(app, texts.ABOUT, ["\n".join(lines), "\n".join(self._packs(app))], "")

    def _packs(self, app):
        lines = []
        for pack_id in app.games.pack_ids():
            try:
                pack = app.games.open_pack(pack_id)
                lines.append(pack.title() + " " + pack.version())
                pack.close()
            except (OSError, ValueError) as error:
                lines.append("%s ! %s" % (pack_id, words(error)))
        return lines or [texts.NO_PACKS]
