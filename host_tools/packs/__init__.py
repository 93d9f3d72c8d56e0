"""Packs on the host: checking game.toml, compiling it, showing what a compiled pack holds."""
