"""Pure state: packs, decks, counters, steps, the agenda and the session. No I/O, no clock, no floats, no hardware."""
