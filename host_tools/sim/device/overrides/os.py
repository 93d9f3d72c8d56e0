"""MicroPython's `os`, with random bytes that repeat if there is a seed."""

# mypy: ignore-errors
import sys

_path = sys.path
sys.path = ()  # now the built-in module is found instead of this one
try:
    from os import *  # noqa: F403
finally:
    sys.path = _path

if getenv("TABLESIDE_SEED"):  # noqa: F405

    def urandom(size):
        import host  # here, because it imports this module

        return host.urandom(size)
