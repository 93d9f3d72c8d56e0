"""Draw on the canvas and print every transaction of the driver; CPython and MicroPython must print the same."""

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython

    def heap_lock():
        pass

    heap_unlock = heap_lock

from tableside.hw.i2c_bus import I2CBus
from tableside.hw.ssd1306 import SSD1306
from tableside.ui import font_large, font_normal, font_small
from tableside.ui.canvas import Canvas, wrap


class Bus:
    """An I2C bus that prints what it is given."""

    def writeto(self, address, data):
        print(address, "".join(f"{byte:02x}" for byte in data))


canvas = Canvas()
display = SSD1306(I2CBus(Bus()))
display.show(canvas.buf)

canvas.fill(0, 0, 128, 1)
canvas.text("R2 Größe ☃", 0, 0, font_small, True)
for line, words in enumerate(wrap("Draw an activation card\n×2 → ✓", 16)):
    canvas.text(words, 0, 1 + 2 * line, font_normal)
display.show(canvas.buf)

canvas.clear()
canvas.right("+7", canvas.width, 3, font_large)
canvas.text("over the right edge", 60, 7, font_normal)
canvas.fill(0, 7, 200, 1, 0x80)
canvas.invert(3, 2, 11, 9)
display.show(canvas.buf)
heap_lock()  # an allocation is an error now
display.show(canvas.buf)
heap_unlock()

canvas.text("+8", 96, 3, font_large)
display.rotate(True)
display.contrast(3)
display.show(canvas.buf)
display.power(False)
display.power(True)
