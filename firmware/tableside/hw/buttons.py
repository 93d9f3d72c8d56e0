"""Buttons to ground: the level of each pin, and its edges latched by interrupts."""


class _Key:
    """One button. Its interrupt handler only sets a flag that exists already, so it is safe in a hard interrupt."""

    def __init__(self, pin):
        self.pin = pin
        self.edge = False
        pin.irq(self._fell, pin.IRQ_FALLING, hard=True)

    def _fell(self, pin):
        self.edge = True


class Buttons:
    """The buttons of a board; they are not debounced here.

    Args: pins: `machine.Pin` inputs with pull-ups, in the order of the bits.
    Attributes: down: mask of the buttons held; pressed: mask of the edges between the last two calls of `read`.
    """

    def __init__(self, pins):
        self._keys = [_Key(pin) for pin in pins]
        self.down = 0
        self.pressed = 0

    def read(self):
        """Update `down` and `pressed`; nothing is allocated."""
        down = pressed = 0
        bit = 1
        for key in self._keys:
            if key.edge:
                # An edge between these two lines is part of this press; any later one waits for the next call.
                key.edge = False
                pressed |= bit
            if not key.pin.value():
                down |= bit
            bit <<= 1
        self.down = down
        self.pressed = pressed
