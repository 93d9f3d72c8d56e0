"""The history of a session: what it tells, what it hides, and that reading it changes nothing."""

from support import SCENARIOS, Game, Lcg, play

from tableside.core.history import History
from tableside.core.record import REVEALED, UNDONE


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
        ("Victory points = 2", "VP 0>2", 0),
        ("Done, keep rest", "", 0),
        ("Large: 5 points", "Pool 0>5, Size none>Large", 0),
    ]


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
