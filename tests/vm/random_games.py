"""Random legal play of every scenario of a pack, through the core: what players may do, and no overrides.

Usage: PYTHON random_games.py FOLDER SYSTEM SEED GAMES COMMANDS, with TABLESIDE_PACKS set, firmware and tests/portable
on the path. GAMES: how many of each scenario, more if they are short; COMMANDS: the most of one game: none can hang.

No command may fail, and there is always one. After each the state is sound: no card is lost, counters and roster keep
to their bounds. At up to 20 points of a game all is undone, which gives the first state, and done again. The logs go to
FOLDER for a replay. Prints `game SCENARIO END ROUNDS COMMANDS`, `command NAME COUNT`, `reached KIND COUNT OF`, and for
what no game came to `never KIND NAME`.
"""

import sys

import support
from support import Game, Lcg, some_command

from tableside.core import commands, engine, roster
from tableside.core.errors import RuleError
from tableside.core.pack import ACTION, EFFECT, NONE, ROW, TABLE
from tableside.core.state import CONCEDED, O_OVER, O_ROUND

ROUNDS = 60
UNDOS = 20  # in a game
FIRST_LENGTH = 120  # commands that a game is thought to have before one was played
SHORT_GAMES = 4  # if they are short
TRIES = 300  # for a command that is no override
BY_HAND = (commands.ADJUST, commands.JUMP, commands.MOVE, commands.DRAW, commands.SHUFFLE, commands.END,
           commands.UNIT, commands.REMOVE, commands.CONCEDE, commands.DROP)
KINDS = ("action", "window", "check", "row", "result")


class Reached:
    """What the games of a pack came to, and what there is, by kind and name."""

    def __init__(self, system):
        pack = self._pack = support.open_pack(system)
        self.scenarios = support.all_names(system)
        self._rows = {}  # by table and first card
        for table in range(pack.count(TABLE)):
            title, _, first, count = pack.record(TABLE, table)
            for i in range(first, first + count):
                record = pack.record(ROW, i)
                if title != NONE:  # else it lists the cards with a mark
                    self._rows[table, record[0]] = "%s: %s" % (pack.text(title), pack.text(record[2]))
        self.known = {kind: set() for kind in KINDS}
        self.seen = {kind: set() for kind in KINDS}
        self.known["row"] |= set(self._rows.values())
        for names in self.scenarios:
            self.known["result"] |= set(names["results"])
            self.known["window"] |= set(names["windows"].values())
            self.known["check"] |= set(names["checks"].values())
            self.known["action"] |= {self._action(names, int(number)) for number in names["actions"]}

    def _action(self, names, number):
        label = self._pack.text(self._pack.record(ACTION, number)[0])
        return "%s (%s)" % (names["actions"][str(number)], label)

    def action(self, names, number):
        """Note an action."""
        self.seen["action"].add(self._action(names, number))

    def look(self, game):
        """Note what waits now, or how it ended."""
        if game.session.over():
            self.seen["result"].add(game.result())
        elif game.window() is not None:
            self.seen["window"].add(game.window())
        elif game.check() is not None:
            self.seen["check"].add(game.check())

    def row(self, state, table):
        """In place of `engine.row_in_focus`: note the row."""
        found = _row_in_focus(state, table)
        if found is not None:
            self.seen["row"].add(self._rows[table, found[0]])
        return found


_row_in_focus = engine.row_in_focus


class Random:
    """One game, played at random.

    Args: pick: Lcg; length: how many commands it will probably have; reached: notes what comes.
    """

    def __init__(self, game, pick, length, reached):
        self._game = game
        self.session = game.session
        self.state = game.session.state
        self._pick = pick
        self._reached = reached
        self._first = game.bytes
        self._points = {pick(length) for _ in range(UNDOS)}
        self._bounds = [self.state.scenario.counter(i)[2:4] for i in range(self.state.scenario.counters)]
        self._cards = self._count_cards()
        self.kinds = {}

    def play(self, most):
        """Play to an end. Returns: how it ended, and after how many commands. Raises whatever goes wrong."""
        engine.row_in_focus = self._reached.row
        count = 0
        try:
            while count < most:
                self._reached.look(self._game)
                if self.session.over():
                    return self._ending(), count
                if self.state.data[O_ROUND] >= ROUNDS:
                    return "round-%d" % ROUNDS, count
                self._give(self._command())
                count += 1
                self._look()
                if count in self._points:
                    self._undo_all()
            return "stopped", count
        finally:
            engine.row_in_focus = _row_in_focus

    def _ending(self):
        how = self.state.data[O_OVER]
        if how >= CONCEDED:
            raise AssertionError("conceded without a command")
        return self._game.result() or "no-result"

    def _command(self):
        """A command that a player may give now without an override."""
        state, pick = self.state, self._pick
        if pick(12) == 0:
            edit = self._edit()
            if edit is not None:
                return edit
        if state.scenario.abilities and pick(5) == 0:
            use = self._use()
            if use is not None:
                return use
        for _ in range(TRIES):
            kind, args = some_command(state, pick)
            if self._wanted(kind, args) and commands.check(state, kind, args)[0] != commands.NO:
                return kind, args
        found = self._edit() or self._bury()
        if found is None:
            raise AssertionError("nothing is legal but overrides")
        return found

    def _use(self):
        """An ability that is legal now, on one of the units that it may be used on, or None."""
        for _ in range(TRIES):
            number = self._pick(self.state.scenario.abilities)
            try:
                slots = self.state.abilities.targets(self.state, number)
            except RuleError:
                continue
            return commands.USE, (number, slots[self._pick(len(slots))], 0)
        return None

    def _wanted(self, kind, args):
        """Whether a command is no override; units join at the beginning, and a choice that ends the game is rare."""
        pick = self._pick
        if kind == commands.FIELD:
            return pick(2 if self.state.data[O_ROUND] < 2 else 12) == 0
        if kind == commands.CHOOSE and self._ends(args[0]):
            return pick(8) == 0
        return kind not in BY_HAND and (kind != commands.SALT or pick(2))

    def _ends(self, action):
        """Whether an action ends the game of its own."""
        pack = self.state.scenario.pack
        first, count = pack.record(ACTION, action)[4:6]
        return any(pack.record(EFFECT, i)[0] == engine.END for i in range(first, first + count))

    def _bury(self):
        """A unit leaves a roster that is full, or out of action; None if there is none."""
        units = self.state.roster
        used = [slot for slot in range(units.slots) if units.used(slot)]
        for slot in used:
            if not units.get(slot, roster.MODELS_LEFT):
                return commands.REMOVE, (slot,)
        return (commands.REMOVE, (used[0],)) if used and len(used) == units.slots else None

    def _edit(self):
        """A small change of a counter that an action offers to change, or None."""
        state = self.state
        counters = [engine.edited_counter(state, action) for action in engine.allowed(state)]
        counters = [counter for counter in counters if counter is not None]
        if not counters:
            return None
        counter = counters[self._pick(len(counters))]
        low, high = self._bounds[counter]
        value = state.counter(counter) + self._pick(5) - 2
        return commands.ADJUST, (counter, max(low, min(high, value)))

    def _give(self, command):
        kind, args = command
        name = commands.NAMES[kind]
        self.kinds[name] = self.kinds.get(name, 0) + 1
        if kind in (commands.CHOOSE, commands.ADJUST, commands.ATTACK, commands.PICK, commands.ASSIGN, commands.USE):
            for action in engine.allowed(self.state):
                if self._is_this(action, kind, args):
                    self._reached.action(self._game.names, action)
        try:
            self.session.do(kind, args)
        except Exception:
            print("at", name, args, "step", self._game.step(), "round", self.state.data[O_ROUND])
            raise
        self.session.save()

    def _is_this(self, action, kind, args):
        """Whether a command is what an action is there for."""
        if kind in (commands.CHOOSE, commands.PICK, commands.ASSIGN):
            return action == args[0]
        if kind == commands.USE:
            return engine.used_ability(self.state, action) == args[0]
        counter = engine.edited_counter(self.state, action)
        if kind == commands.ADJUST:
            return counter == args[0]
        return self.state.scenario.pack.record(ACTION, action)[6] == engine.ATTACKS

    def _count_cards(self):
        """For each deck, all of its cards in order of their numbers."""
        state = self.state
        return [sorted([state.card(deck, zone, at) for zone in range(state.zones(deck))
                        for at in range(state.zone_count(deck, zone))]) for deck in range(state.scenario.decks)]

    def _look(self):
        """Raises AssertionError for a state that cannot be."""
        state = self.state
        if not state.sound():
            raise AssertionError("a state that cannot be")
        if self._count_cards() != self._cards:
            raise AssertionError("cards lost or won")
        for counter, (low, high) in enumerate(self._bounds):
            if not low <= state.counter(counter) <= high:
                raise AssertionError("counter %d is %d" % (counter, state.counter(counter)))
        units = state.roster
        for slot in range(units.slots):
            if units.used(slot) and not 0 <= units.lost(slot) <= units.get(slot, roster.MODELS) * units.get(
                    slot, roster.WOUNDS):
                raise AssertionError("unit %d has lost %d wounds" % (slot, units.lost(slot)))

    def _undo_all(self):
        """All is undone, and done again."""
        session = self.session
        before = self._game.bytes
        count = 0
        position = session.last()
        while position >= 0:
            position = session.record(position)[1]
            count += 1
        if count:
            session.undo(count)
            if self._game.bytes != self._first:
                raise AssertionError("undo of all %d commands does not give the first state" % count)
            session.redo()
            if self._game.bytes != before:
                raise AssertionError("redo of %d commands does not give the state before" % count)
            session.save()


def write(path, log):
    """A log as `tableside replay` reads it."""
    with open(path, "wb") as file:
        file.write(b"TSLG" + len(log.head).to_bytes(4, "little") + log.head)
        file.write(log.data)


def main(folder, system, seed, games, most):
    """Play all scenarios; the exit code tells."""
    reached = Reached(system)
    kinds = {}
    for index, names in enumerate(reached.scenarios):
        pick = Lcg(1 + (seed * 7919 + index * 104729) % 0x7FFFFFFE)
        length = FIRST_LENGTH
        number = 0
        commands_left = most
        while number < games or number < SHORT_GAMES and commands_left > 0:
            game = Game("%s/%s" % (system, names["id"]), bytes(pick(256) for _ in range(16)))
            played = Random(game, pick, length, reached)
            try:
                ending, count = played.play(most)
            finally:
                write("%s/%s-%d.log" % (folder, names["id"], number), game.log)
            length = max(2, count)
            number += 1
            commands_left -= count
            print("game", names["id"], ending, game.round(), count)
            for kind, times in played.kinds.items():
                kinds[kind] = kinds.get(kind, 0) + times
    for name in sorted(kinds):
        print("command", name, kinds[name])
    for kind in KINDS:
        missing = reached.known[kind] - reached.seen[kind]
        print("reached", kind, len(reached.known[kind]) - len(missing), len(reached.known[kind]))
        for name in sorted(missing):
            print("never", kind, name.replace("\n", " "))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])))
