"""The history of a session: what it tells, what it hides, and that reading it changes nothing."""

import gc
import sys

from support import SCENARIOS, Game, Lcg, play

from tableside.core.history import History
from tableside.core.record import REVEALED, UNDONE

MICROPYTHON = sys.implementation.name == "micropython"


def entries(session):
    history = History(session)
    found = []
    while True:
        entry = history.entry(len(found))
        if entry is None:
            return found
        found.append(entry)


def test_it_tells_commands_as_they_were_and_the_counters_they_changed():
    game = Game("nemesis/erosion-of-power")
    game.choose("large", "done")
    game.adjust("vp", 2)
    told = entries(game.session)
    assert [(entry.title, entry.changes, entry.round) for entry in told] == [
        ("Victory points +2 (2)", "", 0),
        ("Done, keep rest", "", 0),
        ("Large: 5 points", "Pool +5 (5), Size none>Large", 0),
    ]


def test_a_card_that_all_see_is_named_with_its_place():
    game = Game("nemesis/erosion-of-power")
    game.choose("large", "done")
    for _ in range(3):
        game.advance()
    game.choose("done", "draw")
    entry = History(game.session).entry(0)
    card = game.zone("npo", "discard")[0]
    assert ("drew " + card) in entry.changes and card in entry.text()
    assert (entry.round, entry.phase) == (1, "Firefight") and entry.side and entry.revealed


def groups(session):
    history = History(session)
    found = []
    index = 0
    while True:
        entry = history.group(index)
        if entry is None:
            return found
        found.append(entry)
        index = entry.oldest + 1


def test_like_presses_are_one_row_and_the_log_keeps_all():
    game = Game("nemesis/erosion-of-power")
    game.adjust("vp", 9)
    for value in range(8, 1, -1):
        game.adjust("vp", value)
    game.adjust("pool", 3)
    game.adjust("vp", 3)
    game.adjust("vp", 4)
    told = [(entry.text(), entry.newest, entry.oldest) for entry in groups(game.session)]
    assert told == [
        ("Victory points +2 (4)", 0, 1),
        ("NPO points pool +3 (3)", 2, 2),
        ("Victory points -7 (2)", 3, 9),
        ("Victory points +9 (9)", 10, 10),
    ]
    assert len(entries(game.session)) == 11
    history = History(game.session)
    for index in (7, 3, 9, 0, 1, 10, 5):  # the same from wherever it is looked at
        text, newest, oldest = [row for row in told if row[1] <= index <= row[2]][0]
        entry = history.group(index)
        assert (entry.text(), entry.newest, entry.oldest) == (text, newest, oldest)


def test_a_long_row_of_presses_ends_somewhere():
    game = Game("nemesis/erosion-of-power")
    for value in range(1, 51):
        game.adjust("pool", value)
    assert [(entry.newest, entry.oldest) for entry in groups(game.session)] == [(0, 31), (32, 49)]


def test_ten_thousand_entries_are_paged_in_little_ram():
    """Of each block of 32 entries a number is kept, in a list that grows by doubling; on the way back nothing is."""
    game = Game("nemesis/erosion-of-power")
    for value in range(5000):
        game.adjust("vp", 1 + value % 2)
        game.adjust("pool", 1 + value % 2)
    history = History(game.session)
    used = []
    for index in list(range(0, 10000, 4)) + list(range(9996, 0, -4)):
        assert history.group(index).newest == index
        if MICROPYTHON and not index % 1000:
            gc.collect()
            used.append(gc.mem_alloc())
    if used:
        oldest = used[10 - 1]
        assert oldest - used[0] <= 2 * 8 * 10000 // 32, used
        assert max(used[10:]) - oldest <= 512, used


def test_what_came_to_light_is_known_before_going_back():
    game = Game("nemesis/erosion-of-power")
    game.adjust("vp", 1)
    game.draw("npo", "discard")
    game.adjust("vp", 2)
    history = History(game.session)
    assert history.entry(0).title and history.revealed is None
    history.entry(2)
    assert history.revealed == 1
    history.entry(0)
    assert history.revealed == 1


def test_a_redo_leads_to_the_commands_that_it_did_again():
    game = Game("nemesis/erosion-of-power")
    session = game.session
    positions = []
    for value in range(1, 9):
        game.adjust("vp", value)
        positions.append(session.last())
    session.undo(3)
    session.undo()
    session.undo(2)
    session.redo()
    assert session.redone(session.last()) == positions[3]
    session.redo()
    assert session.redone(session.last()) == positions[4]
    session.redo()
    assert session.redone(session.last()) == positions[7]
    again = session.last()
    session.undo()
    session.redo()  # a redo that is done again
    assert session.redone(session.last()) == again and session.redone(again) == positions[7]


def test_walking_to_and_fro_gives_the_same_and_changes_nothing():
    pick = Lcg(9)
    for target in SCENARIOS:
        game = Game(target)
        for _ in play(game.session, pick, 150):
            pass
        before = game.bytes, game.session.records, game.session.digest
        told = [entry.title for entry in entries(game.session)]
        history = History(game.session)
        for _ in range(60):
            index = pick(len(told) + 3)
            entry = history.entry(index)
            assert (None if index >= len(told) else told[index]) == (None if entry is None else entry.title)
        assert (game.bytes, game.session.records, game.session.digest) == before
        count = len(told)
        if count:
            game.session.undo(count)
        assert not game.session.can_undo()


def test_undone_commands_are_not_told_and_done_again_they_are():
    game = Game("nemesis/erosion-of-power")
    game.choose("large", "done")
    told = [entry.title for entry in entries(game.session)]
    game.session.undo()
    assert [entry.title for entry in entries(game.session)] == told[1:]
    game.session.redo()
    assert [entry.title for entry in entries(game.session)] == ["redo: " + told[0], told[1]]
    game.session.undo(2)
    assert entries(game.session) == []


def test_what_one_side_may_know_alone_is_not_told():
    game = Game("ambush/raid")
    game.advance()
    card = game.zone("ambush", "hand")[0]
    game.move("ambush", "hand", 0, "point-1", 0)
    newest = entries(game.session)[0]
    assert newest.title == "Cult: move" and newest.changes == "" and card not in newest.title
    game.draw("ambush", "hand")
    assert entries(game.session)[0].title == "Cult: draw"


def test_a_reveal_is_marked_and_so_is_its_undo():
    game = Game("ambush/raid")
    session = game.session
    marked = []

    def last():
        marked.append(bool(next(session.history()).kind & REVEALED))

    game.advance()  # shuffles and draws to the hand
    last()
    game.adjust("slain", 1)
    last()
    game.shuffle("ambush")  # nobody has seen anything
    last()
    game.draw("ambush", "discard")
    last()
    session.undo()
    assert next(session.history()).kind & UNDONE
    last()
    session.redo()
    last()
    session.undo(3)  # the shuffle and the counter with it
    last()
    game.move("ambush", "hand", 0, "discard", 0)  # from one player's eyes to all
    last()
    game.move("ambush", "discard", 0, "draw", 0)  # away again
    last()
    assert marked == [True, False, False, True, True, True, True, True, False]
