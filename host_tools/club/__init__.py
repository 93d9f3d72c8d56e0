"""The club book: the results of many devices and evenings in one SQLite file."""
