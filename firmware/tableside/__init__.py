"""Tableside: a pocket companion for tabletop games. Importing any module of it does nothing."""

VERSION = "0.1.0"
