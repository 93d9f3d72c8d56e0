"""Runs a bench script on MicroPython or CPython: `run.py FOLDER SCRIPT ARGUMENT...`; `wasm.mjs` does so in node.

Every `yield` of the script's `main(arguments)` is a collection of garbage.
"""

import gc
import os
import sys

folder, script = sys.argv[1:3]
os.chdir(folder)
sys.path[:0] = [folder, folder + "/lib"]
for _ in __import__(script).main(sys.argv[3:]):
    gc.collect()
