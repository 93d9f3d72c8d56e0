"""The littlefs of a device, as MicroPython's `VfsLfs2` has it, in the memory of the host."""

from typing import Any

from littlefs import LittleFS, LittleFSError, UserContext

from host_tools.errors import CommandError

BLOCK = 4096
_PROGRAMMED = 256  # bytes at once
_FOLDER = 2048  # bytes of a block that a folder fills: whoever looks for a file there reads all of it to check its sum
_FORMAT = 0x00020000  # 2.0: every MicroPython that there is can mount it


def make_disk(files: dict[str, bytes], size: int) -> bytes:
    """A disk with these files, always the same bytes for the same files. Raises: CommandError if it is too small."""
    context = UserContext(size)
    disk = _littlefs(context, read_size=_PROGRAMMED, metadata_max=_FOLDER)
    disk.format()
    disk.mount()
    try:
        for path in sorted(files):
            if "/" in path:
                disk.makedirs(path.rpartition("/")[0], exist_ok=True)
            with disk.open(path, "wb") as file:
                file.write(files[path])
    except LittleFSError as error:
        raise CommandError(f"{len(files)} files of {sum(map(len, files.values()))} bytes do not fit into the "
                           f"{size} bytes of the file system ({error}): name only the systems you need") from error
    disk.unmount()
    return bytes(context.buffer)


def mount(context: UserContext) -> LittleFS:
    """The disk in the buffer of a context. Raises: LittleFSError if it holds none."""
    disk = _littlefs(context)
    disk.mount()
    return disk


def contents(disk: LittleFS) -> dict[str, bytes]:
    """All files of a mounted disk by path."""
    found = {}
    for folder, _, names in disk.walk("/"):
        for name in names:
            path = f"{folder.rstrip('/')}/{name}"
            with disk.open(path, "rb") as file:
                found[path[1:]] = file.read()
    return found


def blocks_in_use(content: bytes) -> set[int]:
    """All blocks that littlefs looks at when it mounts, counts and reads everything: the others may hold anything.

    Of the two blocks of a folder it takes the newer one. One that was never written yet is among these too, and must
    become an erased one on the device: what an older disk left there could look newer than the folder of this one.
    """
    context = _Watched(buffer=bytearray(content))
    disk = mount(context)
    used = disk.used_block_count  # follows every pair and every file
    contents(disk)
    if len(context.seen) != used:
        raise CommandError(f"littlefs-python read {len(context.seen)} blocks and says that {used} are in use: "
                           "install the version that pyproject.toml names")
    return context.seen


class _Watched(UserContext):
    """Notes the blocks that are read."""

    def __init__(self, buffer: bytearray):
        super().__init__(buffer=buffer)
        self.seen: set[int] = set()

    def read(self, cfg: Any, block: int, off: int, size: int) -> bytearray:
        self.seen.add(block)
        return super().read(cfg, block, off, size)


def _littlefs(context: UserContext, **more: Any) -> LittleFS:
    return LittleFS(context, mount=False, block_size=BLOCK, block_count=len(context.buffer) // BLOCK,
                    prog_size=_PROGRAMMED, disk_version=_FORMAT, **more)
