"""The attacks of every game by brute force: an oracle that shares nothing with the product.

One module for each rule system, written from the printed rules alone. A module holds *steps*: a step takes a state and
a `Dice` and gives the next state. `walk.py` runs the steps for every face of every die and adds up equal states, or
feeds the faces of a worked example. Nothing here imports `tableside` or `host_tools`; a test sees to it.
"""
