"""The state of a session: one bytearray with named offsets. Nothing else about a game in play exists anywhere."""

from tableside.core.attack import ATTACK_BYTES, RESOLVER, SIZE
from tableside.core.errors import PackError, RuleError
from tableside.core.pack import CARD, NOBODY
from tableside.core.rng import SEED_BYTES, Rng
from tableside.core.roster import BUILT_BYTES, CAMPAIGN_SCOPE, SLOT_BYTES, Roster

LAYOUT = 2  # raised whenever an offset changes; a session keeps the layout it began with

# Offsets of single bytes.
O_LAYOUT = 0
O_SCENARIO = 1
O_OVER = 2
O_RESULT = 3  # NOBODY: none of the pack's results
O_ROUND = 4
O_STEP = 5
O_ACTOR = 6
O_DEPTH = 7  # frames on the agenda
O_DECK = 8  # the deck and the card in focus: the last one drawn
O_CARD = 9
_O_VALUE = 10  # signed 16 bits: the last check or random number
O_TICKS = 12  # 32 checklist ticks of the step, a bit each
O_RNG = 16  # to 39
_O_CONFIRMED = 40  # 16 bits: the sides that have confirmed the result
_O_AGENDA = 42
FRAME_BYTES = 4
AGENDA_FRAMES = 14
_O_COUNTERS = _O_AGENDA + FRAME_BYTES * AGENDA_FRAMES

# Values of O_OVER; a side that concedes is added to CONCEDED.
ENDED = 1
ABANDONED = 2
CONCEDED = 16

# Kinds of zones, in the order in which they lie in the state: a draw to the hand, or of the last deck to the discard,
# moves a boundary and no card.
REMOVED = 0
DISCARD = 1
SLOT = 2
HAND = 3
DRAW = 4


class State:
    """The bytes of one session and the way to read and write them.

    Args: scenario: the Scenario that gives the layout. Raises: PackError for a deck that cannot be.
    """

    def __init__(self, scenario):
        self.scenario = scenario
        self._decks = []  # for each deck: offset of its zone sizes, zones, cards, kinds of cards
        offset = _O_COUNTERS + 2 * scenario.counters
        for i in range(scenario.decks):
            _, first, zones, _, kinds, cards, _ = scenario.deck(i)
            if not 2 <= zones <= 16 or first + zones > scenario.zones or cards > 255 or kinds > 254:
                raise PackError("no such deck", i)
            self._decks.append((offset, zones, cards, kinds))
            offset += zones + cards
        self._attack_at = offset + (SLOT_BYTES + (BUILT_BYTES if scenario.builders else 0)) * scenario.slots
        begins = self._attack_at + (ATTACK_BYTES if scenario.weapons else 0)
        carries = any(scenario.flag(i)[2] == CAMPAIGN_SCOPE for i in range(scenario.flags))
        abilities = begins + (scenario.units if carries else 0)
        self.data = bytearray(abilities)
        self.abilities = None  # where there are none
        if scenario.abilities or scenario.bonuses:
            from tableside.core.abilities import Abilities, size

            self.data.extend(bytes(size(scenario)))
        tracks = len(self.data) if scenario.tracks else 0
        if tracks:
            self.data.extend(bytes(1 + scenario.tracks * scenario.slots))
        self.revealed = False  # the command now running has brought something hidden to light
        self.rng = Rng(self.data, O_RNG)
        self.roster = Roster(self.data, offset, scenario, begins if carries else None, tracks)
        if scenario.abilities or scenario.bonuses:
            self.abilities = Abilities(self.data, abilities, scenario, self.roster)
        self.code = None  # None where the pack has none for this scenario
        if scenario.code_bytes:
            from tableside.core.code import Code

            self.data.extend(bytes(scenario.code_bytes))
            self.code = Code(self, len(self.data) - scenario.code_bytes)

    @property
    def attack(self):
        """A view on the attack in hand, see `core.attack`; None where no weapon is known. The module is loaded now."""
        if not self.scenario.weapons:
            return None
        from tableside.core.attack import Attack

        return Attack(self, self._attack_at)

    def in_attack(self):
        """Whether an attack has been begun and neither applied nor dropped."""
        return bool(self.scenario.weapons and self.data[self._attack_at + RESOLVER])

    def reset(self, seed):
        """The state before the first step: counters and roster at their start, every card in its draw zone."""
        data = self.data
        for i in range(len(data)):
            data[i] = 0
        data[O_LAYOUT] = LAYOUT
        data[O_SCENARIO] = self.scenario.index
        data[O_RESULT] = data[O_STEP] = data[O_ACTOR] = data[O_DECK] = data[O_CARD] = NOBODY
        data[O_RNG : O_RNG + SEED_BYTES] = seed
        for i in range(self.scenario.counters):
            self.set_counter(i, self.scenario.counter(i)[4])
        for i in range(self.scenario.decks):
            self._fill(i)
        self.roster.reset()
        if self.abilities is not None:
            self.abilities.reset()

    def unit(self):
        """The roster slot of the unit that is meant, or NOBODY."""
        slot = NOBODY if self.abilities is None else self.abilities.unit()
        return self.roster.meant() if slot == NOBODY else slot

    def _fill(self, deck):
        offset, zones, cards, kinds = self._decks[deck]
        self.data[offset + zones - 1] = cards  # the draw zone is the last
        at = offset + zones
        first = self.scenario.deck(deck)[3]
        for card in range(kinds):
            copies = self.scenario.pack.record(CARD, first + card)[2]
            cards -= copies
            if cards < 0:
                break
            for _ in range(copies):
                self.data[at] = card
                at += 1
        if cards:
            raise PackError("deck with a wrong number of cards", deck)

    def seed(self):
        """The session's seed (SEED_BYTES bytes)."""
        return bytes(self.data[O_RNG : O_RNG + SEED_BYTES])

    def set_salt(self, low, high):
        """The players' salt, two numbers of 16 bits."""
        self._set16(O_RNG + SEED_BYTES, low)
        self._set16(O_RNG + SEED_BYTES + 2, high)

    def confirmed(self, side):
        """Whether a side has confirmed the result."""
        return bool(self._get16(_O_CONFIRMED) >> side & 1)

    def confirm(self, side):
        """Note that a side confirms the result."""
        self._set16(_O_CONFIRMED, self._get16(_O_CONFIRMED) | 1 << side)

    def _get16(self, at):
        value = self.data[at] | self.data[at + 1] << 8
        return value - 65536 if value > 32767 else value

    def _set16(self, at, value):
        self.data[at] = value & 255
        self.data[at + 1] = value >> 8 & 255

    def value(self):
        """The result of the last check or random number."""
        return self._get16(_O_VALUE)

    def set_value(self, value):
        """Keep the result of a check or random number."""
        self._set16(_O_VALUE, value)

    def counter(self, i):
        """The value of counter `i`."""
        return self._get16(self._counter_at(i))

    def set_counter(self, i, value):
        """Set counter `i`; the caller keeps to its bounds."""
        self._set16(self._counter_at(i), value)

    def _counter_at(self, i):
        if not 0 <= i < self.scenario.counters:
            raise RuleError("no such counter", i)
        return _O_COUNTERS + 2 * i

    def sound(self):
        """Whether these bytes can be a state of the scenario. A log or a pack may say anything."""
        data = self.data
        scenario = self.scenario
        deck = data[O_DECK]
        for at, limit in (
            (O_RESULT, scenario.results),
            (O_ACTOR, scenario.sides),
            (O_DECK, scenario.decks),
            (O_CARD, self._decks[deck][3] if deck < scenario.decks else 0),
        ):
            if data[at] >= limit and data[at] != NOBODY:
                return False
        for offset, zones, cards, kinds in self._decks:
            at = offset + zones
            if sum(data[offset:at]) != cards or cards and max(data[at : at + cards]) >= kinds:
                return False
        return (
            data[O_LAYOUT] == LAYOUT
            and data[O_SCENARIO] == scenario.index
            and data[O_STEP] < scenario.steps
            and data[O_DEPTH] <= AGENDA_FRAMES
            and self.roster.sound()
            and (not scenario.weapons or self._attack_is_sound())
            and (self.abilities is None or self.abilities.sound())
            and (self.code is None or self.code.sound())
        )

    def _attack_is_sound(self):
        return self.attack.sound() if self.in_attack() else not self.data[self._attack_at + SIZE]

    # The agenda: a bounded stack of frames (kind, small argument, 16-bit argument).

    def push(self, kind, small, wide):
        """Put a frame on the agenda. Raises RuleError if it is full."""
        data = self.data
        depth = data[O_DEPTH]
        if depth >= AGENDA_FRAMES:
            raise RuleError("agenda full", depth)
        at = _O_AGENDA + FRAME_BYTES * depth
        data[at] = kind
        data[at + 1] = small
        self._set16(at + 2, wide)
        data[O_DEPTH] = depth + 1

    def pop(self):
        """Drop the top frame and zero its bytes."""
        data = self.data
        data[O_DEPTH] -= 1
        at = _O_AGENDA + FRAME_BYTES * data[O_DEPTH]
        for i in range(at, at + FRAME_BYTES):
            data[i] = 0

    def top(self):
        """(kind, small, wide) of the top frame, or None if the agenda is empty."""
        if not self.data[O_DEPTH]:
            return None
        at = _O_AGENDA + FRAME_BYTES * (self.data[O_DEPTH] - 1)
        return self.data[at], self.data[at + 1], self._get16(at + 2)

    def clear_agenda(self):
        """Drop every frame."""
        while self.data[O_DEPTH]:
            self.pop()

    # Decks: sizes of the zones, then all cards, zone after zone. Position 0 of the draw zone is its top; the last
    # position of any other zone is the newest card.

    def _deck(self, deck):
        if not 0 <= deck < len(self._decks):
            raise RuleError("no such deck", deck)
        return self._decks[deck]

    def zones(self, deck):
        """How many zones `deck` has."""
        return self._deck(deck)[1]

    def zone_count(self, deck, zone):
        """How many cards lie in zone `zone` of `deck`. Raises RuleError if there is no such zone."""
        offset, zones, _, _ = self._deck(deck)
        if not 0 <= zone < zones:
            raise RuleError("no such zone", zone)
        return self.data[offset + zone]

    def _zone_at(self, deck, zone):
        offset, zones, _, _ = self._decks[deck]
        at = offset + zones
        for i in range(zone):
            at += self.data[offset + i]
        return at

    def card(self, deck, zone, position):
        """The card at `position` of a zone. Looking changes nothing."""
        if not 0 <= position < self.zone_count(deck, zone):
            raise RuleError("no card there", position)
        return self.data[self._zone_at(deck, zone) + position]

    def move_card(self, deck, source, position, target, place):
        """Move one card to `place` of zone `target`, counted after the card has left its old place."""
        card = self.card(deck, source, position)
        if not 0 <= place <= self.zone_count(deck, target) - (source == target):
            raise RuleError("no place there", place)
        data = self.data
        offset = self._decks[deck][0]
        at = self._zone_at(deck, source) + position
        data[offset + source] -= 1
        to = self._zone_at(deck, target) + place
        # Close the gap and open one at the target: the cards between move by one.
        while at < to:
            data[at] = data[at + 1]
            at += 1
        while at > to:
            data[at] = data[at - 1]
            at -= 1
        data[at] = card
        data[offset + target] += 1

    def shuffle_zone(self, deck, zone):
        """Shuffle the cards of one zone."""
        self.rng.shuffle(self.data, self._zone_at(deck, zone), self.zone_count(deck, zone))
