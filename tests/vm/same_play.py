"""Random play from fixed numbers, every digest printed: the output must be the same on every VM.

Usage: PYTHON same_play.py COMMANDS, with TABLESIDE_PACKS set, and firmware and tests/portable on the path.
"""

import sys

from support import SCENARIOS, Game, Lcg, play

from tableside.core.fields import expand
from tableside.core.history import History
from tableside.core.state import O_STEP


def main():
    """Play every scenario again and again, each time with another seed."""
    count = int(sys.argv[1])
    pick = Lcg(20)
    for game_number in range(count // 100):
        target = SCENARIOS[game_number % len(SCENARIOS)]
        game = Game(target, bytes(pick(256) for _ in range(16)))
        print(target, game.bytes.hex(), game.session.digest.hex())
        for session in play(game.session, pick, 100):
            entry = History(session).entry(0)
            title = entry.title if entry else "undone"
            prompt = expand(session.state, session.pack.text(session.scenario.step(session.state.data[O_STEP])[2]))
            print(session.digest.hex(), session.records, game.log.end, title, "|", prompt)
        print(game.bytes.hex())


main()
