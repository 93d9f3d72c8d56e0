"""Runs test modules without pytest: every function test_*. Usage: micropython run_vm.py MODULE...

Prints a line for each test and the final count; the exit code is 1 if any test failed.
"""

import gc
import sys

if hasattr(gc, "threshold"):
    gc.threshold(16000)  # collected often, a small heap stays in one piece


def run(name):
    """Run the tests of one module. Returns: (how many passed, how many failed)."""
    module = __import__(name)
    passed = failed = 0
    for test in sorted(dir(module)):
        if not test.startswith("test"):
            continue
        try:
            getattr(module, test)()
        except Exception as error:  # noqa: BLE001 - a test may fail in any way
            sys.print_exception(error)
            print("FAIL", name, test)
            failed += 1
        else:
            print("ok", name, test)
            passed += 1
    return passed, failed


def main(names):
    """Run the modules; returns the exit code."""
    passed = failed = 0
    for name in names:
        counts = run(name)
        passed += counts[0]
        failed += counts[1]
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
