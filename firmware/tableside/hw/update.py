"""The last step of an update: puts the files that `tableside deploy` sent into their places.

The files wait in a folder under numbers. They count once the plan is there, which is written last and comes into its
place by one rename. Every line of it is one step that can be done again: `+ NUMBER PATH` renames a file over its
target, `- PATH` removes a file, `- PATH/` an empty folder. So a cut at any moment leaves the old version, with a folder
without a plan, or a plan that is carried out at the next start. This module imports nothing of the app, which may
be half replaced when it runs.
"""

import os

_FOLDER = "update"
_PLAN = _FOLDER + "/plan"
_THERE = 17  # EEXIST
_NOT_THERE = (2, 20, 44)  # ENOENT and ENOTDIR, and what the WebAssembly VM has for the first


def finish():
    """Carry out the plan of an update, or drop an update that has none. A failure is printed: the device starts."""
    try:
        if _exists(_FOLDER):
            _settle()
            if _exists(_PLAN):
                _carry_out()
                os.remove(_PLAN)
            for name in os.listdir(_FOLDER):
                os.remove(_FOLDER + "/" + name)
            os.rmdir(_FOLDER)
    except (OSError, ValueError) as error:
        print("update not finished, and tried again at the next start:", repr(error))


def _exists(path):
    try:
        os.stat(path)
    except OSError as error:
        if error.args[0] in _NOT_THERE:
            return False
        raise
    return True


def _settle():
    """Have littlefs complete a rename that was cut short.

    Until something is written, it else hides another file of the folder beside the one that was renamed out of it.
    """
    try:
        os.mkdir(_FOLDER)
    except OSError as error:
        if error.args[0] != _THERE:
            raise


def _carry_out():
    with open(_PLAN) as plan:
        for line in plan:
            step, rest = line.rstrip("\n").split(" ", 1)
            if step == "+":
                number, path = rest.split(" ", 1)
                _put(_FOLDER + "/" + number, path)
            elif _exists(rest.rstrip("/")):
                if rest[-1] == "/":
                    os.rmdir(rest[:-1])
                else:
                    os.remove(rest)


def _put(waiting, path):
    """Rename a file over its target, unless that has been done."""
    if not _exists(waiting):
        return
    at = path.find("/")
    while at > 0:
        if not _exists(path[:at]):
            os.mkdir(path[:at])
        at = path.find("/", at + 1)
    os.rename(waiting, path)
