"""A second module of the same code."""


def line(number):
    """A few words."""
    return "takes %d" % number
