"""What the models of the display chips share: taking bytes from a bus, and the picture that the eye sees."""

from pathlib import Path

from PIL import Image

WIDTH = 128
HEIGHT = 64
PAGES = HEIGHT // 8
_NOP = 0xE3
_TURNED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class OledModel:
    """A panel of 128x64 pixels, as it is after power-up, and its chip.

    Args: address: on I2C; over: it is mounted upside down.
    Attributes:
        ram: the memory of the chip.
        registers: the last arguments of each setting, by command (pairs such as A0/A1 under the even one).
        bytes_received: all bytes after the address byte, control bytes included.
    """

    # Commands that only set a register, and how many argument bytes they take; then those with a meaning of their own.
    SETTINGS: dict[int, int]
    OTHERS: dict[int, int] = {}
    AT_START: dict[int, int]
    MEMORY: int

    def __init__(self, address: int = 0x3C, over: bool = False) -> None:
        self.address = address
        self.over = over
        self.ram = bytearray(self.MEMORY)
        self.bytes_received = 0
        self.registers = dict(self.AT_START)
        self._column = 0
        self._page = 0
        self._pending = b""  # a command that still lacks arguments; they may come in the next transaction

    @property
    def on(self) -> bool:
        """Whether the panel is lit."""
        return bool(self.registers[0xAE])

    @property
    def contrast(self) -> int:
        """The brightness, 0..255."""
        return self.registers[0x81]

    def write(self, data: bytes) -> None:
        """Take one I2C transaction, without its address byte; an empty one is a probe for the address.

        Raises:
            ValueError: it is not what the chip understands; the message holds the bytes.
        """
        data = bytes(data)
        self.bytes_received += len(data)
        at = 0
        while at < len(data):
            control = data[at]
            # With the high bit set, one byte follows and then another control byte; else all the rest is one kind.
            payload = data[at + 1 : at + 2] if control & 0x80 else data[at + 1 :]
            if control & 0x3F or not payload:
                raise ValueError(f"control byte {control:#04x} at {at} of the transaction {data.hex(' ')}")
            at += 1 + len(payload)
            self._take_all(bool(control & 0x40), payload, data)

    def write_spi(self, data_line: int, data: bytes) -> None:
        """Take bytes from SPI while the chip is selected. Args: data_line: the level of D/C. Raises: as `write`."""
        self.bytes_received += len(data)
        self._take_all(bool(data_line), data, data)

    def _take_all(self, to_memory: bool, payload: bytes, data: bytes) -> None:
        try:
            for byte in payload:
                if not to_memory:
                    self._take(byte)
                elif self._pending:
                    raise ValueError(f"data inside the command {self._pending.hex(' ')}")
                else:
                    self._store(byte)
        except ValueError as error:
            self._pending = b""
            raise ValueError(f"{error} in the transaction {data.hex(' ')}") from None

    def _take(self, byte: int) -> None:
        """One command byte or argument."""
        self._pending += bytes([byte])
        command, arguments = self._pending[0], self._pending[1:]
        needed = self.SETTINGS.get(command, self.OTHERS.get(command, 0))
        if len(arguments) < needed:
            return
        if command == _NOP:
            pass
        elif command not in self.SETTINGS:
            if not self._do(command, arguments):
                raise ValueError(f"unknown command {command:#04x}")
        elif needed:
            self.registers[command] = arguments[0]
        elif command & 0xF0 == 0xC0:
            self.registers[0xC0] = command >> 3 & 1
        else:
            self.registers[command & 0xFE] = command & 1
        self._pending = b""

    def _do(self, command: int, arguments: bytes) -> bool:
        """A command that is no mere setting. Returns: whether there is such a one."""
        raise NotImplementedError

    def _store(self, byte: int) -> None:
        """One byte for the memory, and the address moves on."""
        raise NotImplementedError

    def _lit(self) -> bytes:
        """The pixels of a panel that is on, as `frame` gives them, for one that is mounted the usual way."""
        raise NotImplementedError

    def frame(self) -> bytes:
        """What the eye sees: 1024 bytes, page by page, bit 0 on top, lit pixels are 1."""
        if not self.on:
            return bytes(WIDTH * PAGES)
        if self.registers[0xA4]:
            return b"\xff" * (WIDTH * PAGES)
        seen = self._lit()
        if self.registers[0xA6]:
            seen = bytes(byte ^ 0xFF for byte in seen)
        return bytes(_TURNED[byte] for byte in reversed(seen)) if self.over else seen

    def image(self, scale: int = 1) -> Image.Image:
        """The picture the eye sees."""
        return to_image(self.frame(), scale)

    def png(self, path: str | Path, scale: int = 4) -> None:
        """Save the picture the eye sees."""
        self.image(scale).save(path)


def rows_of(ram: bytearray, columns: int, first: int, reverse: bool) -> bytes:
    """Move the rows of a memory of pages so that row `first` is on top, then turn them over if `reverse`."""
    seen = bytearray(len(ram))
    for x in range(columns):
        # A column as one number, the row in bit 0 on top.
        column = int.from_bytes(ram[x::columns], "little")
        column = (column >> first | column << (HEIGHT - first)) & ((1 << HEIGHT) - 1)
        if reverse:
            column = int(f"{column:0{HEIGHT}b}"[::-1], 2)
        seen[x::columns] = column.to_bytes(PAGES, "little")
    return bytes(seen)


def to_image(frame: bytes, scale: int = 1) -> Image.Image:
    """A frame as a picture."""
    image = Image.new("1", (WIDTH, HEIGHT))
    image.putdata([frame[(y >> 3) * WIDTH + x] >> (y & 7) & 1 for y in range(HEIGHT) for x in range(WIDTH)])
    return image.resize((WIDTH * scale, HEIGHT * scale), Image.Resampling.NEAREST)
