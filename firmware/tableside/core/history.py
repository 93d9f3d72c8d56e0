"""Walking through the commands that have led to the present state, without touching it."""

from tableside.core import commands
from tableside.core.deck import draw_zone, may_look
from tableside.core.errors import CoreError
from tableside.core.fields import card_title, counter_text, place
from tableside.core.pack import NOBODY
from tableside.core.record import KIND, REDONE, REVEALED
from tableside.core.roster import FLAG, TRACK
from tableside.core.state import O_CARD, O_DECK, O_ROUND, O_STEP, State
from tableside.core.titles import record_title

_BLOCK = 32  # the positions of so many entries are in RAM, and of one entry in so many; no group reaches beyond them


class Entry:
    """One command, or several alike, as the players read it.

    Attributes: newest, oldest: the numbers of its commands, 0 for the last one given; title; changes: of counters, in
        words; round, phase, side: where the game was, the side is whose turn it was; revealed: whether something
        hidden came to light.
    """

    def __init__(self, index, title, changes, where, revealed):
        self.newest = self.oldest = index
        self.title = title
        self.changes = changes
        self.round, self.phase, self.side = where
        self.revealed = revealed
        self.like = None  # equal for presses that are shown as one
        self.change = None  # of these: name, counter or NOBODY, old value, new value

    def text(self):
        """Title and changes."""
        return "%s: %s" % (self.title, self.changes) if self.changes else self.title


class History:
    """The commands of a session that undo could take back, newest first, as they were when this was made.

    Args: session: a Session; it must not go on while this is in use.
    Attributes: revealed: the number of the newest entry, of those walked through, that revealed something; or None.
    """

    def __init__(self, session):
        self._session = session
        self._before = State(session.scenario)  # the state before the entry at the cursor
        self._after = State(session.scenario)
        self._before.data[:] = session.state.data
        self._record = None  # at the cursor
        self._at = -1  # the entry at the cursor
        self._anchors = [session.last()]  # positions of entries 0, _BLOCK, 2 * _BLOCK ...
        self._block = []  # positions from the last anchor at or before the cursor
        self._block_at = 0
        self.revealed = None

    def entry(self, index):
        """Entry `index`, 0 for the newest, or None if there are not so many. Raises LogError if the log is damaged."""
        while self._at > index:
            self._newer()
        while self._at < index:
            if not self._older():
                return None
        self._after.data[:] = self._before.data
        self._record.apply(self._after.data)
        return self._describe(self._record)

    def group(self, index):
        """The Entry that shows command `index`, with those beside it that are alike; or None."""
        entry = self.entry(index)
        if entry is None or entry.like is None:
            return entry
        newer, older = entry, entry
        for i in range(index - 1, index - index % _BLOCK - 1, -1):
            other = self.entry(i)
            if other.like != entry.like:
                break
            newer = other
        for i in range(index + 1, index - index % _BLOCK + _BLOCK):
            other = self.entry(i)
            if other is None or other.like != entry.like:
                break
            older = other
        if newer is not older:
            newer.oldest = older.oldest
            newer.title = self._changed(newer.change[0], newer.change[1], older.change[2], newer.change[3])
        return newer

    def _position(self, index):
        """Where the record of an entry is, -1 behind the oldest. Only the block around the cursor is kept."""
        block = index // _BLOCK
        if block != self._block_at or not self._block:
            self._block_at = block
            self._block = [self._anchors[block]]
        while len(self._block) <= index % _BLOCK:
            last = self._block[len(self._block) - 1]
            if last < 0:
                return -1
            self._block.append(self._session.record(last)[1])
        return self._block[index % _BLOCK]

    def _older(self):
        index = self._at + 1
        position = self._position(index)
        if position < 0:
            return False
        self._record, following = self._session.record(position)
        if (index + 1) % _BLOCK:
            if len(self._block) == index % _BLOCK + 1:
                self._block.append(following)
        elif (index + 1) // _BLOCK == len(self._anchors):
            self._anchors.append(following)
        self._record.apply(self._before.data)
        self._at = index
        if self._record.kind & REVEALED and (self.revealed is None or index < self.revealed):
            self.revealed = index
        return True

    def _newer(self):
        self._record.apply(self._before.data)
        self._at -= 1
        if self._at >= 0:
            self._record = self._session.record(self._position(self._at))[0]

    def _describe(self, record):
        state = self._before
        revealed = bool(record.kind & REVEALED)
        title = changes = ""
        where = state.data[O_ROUND], "", ""
        change = None
        try:
            where = place(state)
            if record.owner == NOBODY:
                changes, change = self._changes(record)
            title = self._changed(*change) if change else record_title(state, record)
            if record.kind & REDONE:  # all that one undo had taken back, of which this was the first
                title = "%s: %s" % (commands.AGAIN, title)
        except CoreError as error:
            title = title or "? " + error.words()
        entry = Entry(self._at, title, changes, where, revealed)
        if change and not changes and not revealed and not record.kind & REDONE:
            entry.change = change
            up = change[3] > change[2]
            entry.like = record.kind, record.args[: len(record.args) - 1], up, state.data[O_ROUND], state.data[O_STEP]
        return entry

    def _changes(self, record):
        """A card drawn and all counters that changed, in words; of a number set by hand its change, apart from them."""
        state, after, kind = self._before, self._after, record.kind & KIND
        change = None
        found = self._drawn()
        for i in range(state.scenario.counters):
            old, new = state.counter(i), after.counter(i)
            if old == new:
                continue
            name, short = state.scenario.counter(i)[:2]
            if kind == commands.ADJUST and record.args[0] == i:
                change = state.scenario.pack.text(name), i, old, new
            else:
                found.append(self._changed(state.scenario.pack.text(short), i, old, new))
        if kind == commands.UNIT and self._counted(*record.args[:2]):
            slot, what = record.args[:2]
            old, new = state.roster.value(slot, what), after.roster.value(slot, what)
            if old != new:
                title = record_title(state, record)
                change = title[: title.rfind(" ")], NOBODY, old, new
        return ", ".join(found), change

    def _counted(self, slot, what):
        """Whether something of a unit is a number, and not a flag or a name."""
        state = self._before
        if what >= TRACK:
            return what - TRACK < state.scenario.tracks and not state.scenario.track(what - TRACK)[6]
        return what < FLAG and state.roster.used(slot)

    def _changed(self, name, counter, old, new):
        """For example "VP +2 (5)" or "Size none>Large". Args: counter: NOBODY for a number that has no names."""
        state = self._before
        if counter != NOBODY and state.scenario.counter(counter)[9]:
            return "%s %s>%s" % (name, counter_text(state, counter, old), counter_text(state, counter, new))
        return "%s %+d (%d)" % (name.strip(), new - old, new)

    def _drawn(self):
        """The card that was drawn to where all may see it, in a list."""
        deck, card = self._after.data[O_DECK], self._after.data[O_CARD]
        if NOBODY in (deck, card):
            return []
        state, after = self._before, self._after
        pile = draw_zone(state, deck)
        if after.zone_count(deck, pile) < state.zone_count(deck, pile):
            for zone in range(pile):
                count = after.zone_count(deck, zone)
                more = count > state.zone_count(deck, zone) and may_look(after, deck, zone, NOBODY)
                if more and after.card(deck, zone, count - 1) == card:
                    return ["%s %s" % (commands.DREW, card_title(after, deck, card))]
        return []
