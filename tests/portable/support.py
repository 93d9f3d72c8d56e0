"""What the tests of both VMs share: packs, sessions played by the ids of a pack's source, and random legal play."""

import json
import os

from tableside.core import commands, engine, guide, picks, roster, stages
from tableside.core.attack import RESOLVER
from tableside.core.fields import card_title
from tableside.core.log import MemoryLog
from tableside.core.pack import ACTION, NOBODY, Pack
from tableside.core.session import Session
from tableside.core.state import O_OVER, O_RESULT, O_ROUND, O_STEP
from tableside.rules import resolver

SEED = bytes(range(16))
SCENARIOS = ("nemesis/erosion-of-power", "nemesis/decaying-generatorium", "ambush/raid", "hands/hall")

_packs = {}
_names = {}


def raises(error, call, *args):
    """Call, and return the error that must come. Any other error goes through."""
    try:
        call(*args)
    except error as raised:
        return raised
    raise AssertionError("no " + error.__name__)


def pack_path(system):
    """Where the compiled pack of a system is."""
    return os.getenv("TABLESIDE_PACKS") + "/" + system + ".tspk"


def language_path(code):
    """Where the compiled language of the interface is."""
    return os.getenv("TABLESIDE_PACKS") + "/languages/" + code + ".tsl"


def open_pack(system):
    """The pack of a system, opened once: packs never change."""
    if system not in _packs:
        _packs[system] = Pack(open(pack_path(system), "rb"))  # noqa: SIM115
    return _packs[system]


def all_names(system):
    """The names of the sources of all scenarios of a system."""
    with open(os.getenv("TABLESIDE_PACKS") + "/" + system + ".json") as file:
        return [json.loads(line) for line in file]


def names_of(target):
    """The number of a scenario and the names of its source, kept until another is read. Args: target: SYSTEM/SCENARIO.

    Those of all scenarios of a large pack would fill the heap of the VM.
    """
    if target not in _names:
        _names.clear()
        system, name = target.split("/")
        with open(os.getenv("TABLESIDE_PACKS") + "/" + system + ".json") as file:
            for index, line in enumerate(file):
                names = json.loads(line)
                if names["id"] == name:
                    _names[target] = index, names
    return _names[target]


class Game:
    """A session that is played by the ids of the pack's source.

    Args: target: SYSTEM/SCENARIO.
    """

    def __init__(self, target, seed=SEED, log=None, carried=None):
        self.pack = open_pack(target.split("/")[0])
        index, self.names = names_of(target)
        self.log = MemoryLog() if log is None else log
        self.session = Session.new(self.pack, index, seed, self.log, resolver, carried)

    @property
    def state(self):
        return self.session.state

    @property
    def bytes(self):
        return bytes(self.session.state.data)

    # What the players see.

    def counter(self, name):
        return self.state.counter(self.names["counters"].index(name))

    def round(self):
        return self.state.data[O_ROUND]

    def step(self):
        return self.names["steps"][self.state.data[O_STEP]]

    def window(self):
        frame = self.state.top()
        if frame is None or frame[0] != engine.WINDOW_FRAME:
            return None
        return self.names["windows"][str(frame[2])]

    def check(self):
        waiting = engine.open_check(self.state)
        return None if waiting is None else self.names["checks"][str(waiting)]

    def offers(self):
        """The ids of the actions that may be chosen now."""
        return [self.names["actions"][str(action)] for action in engine.allowed(self.state)]

    def zone(self, deck_name, zone_name):
        """The titles of a zone's cards, in order."""
        deck, zone = self._zone(deck_name, zone_name)
        count = self.state.zone_count(deck, zone)
        return [card_title(self.state, deck, self.state.card(deck, zone, i)) for i in range(count)]

    def result(self):
        """The id of the result, None without one."""
        number = self.state.data[O_RESULT]
        return None if number == NOBODY else self.names["results"][number]

    def result_text(self):
        return self.pack.text(self.session.scenario.result(self.state.data[O_RESULT])[1])

    # What they do.

    def choose(self, *names):
        """Choose offered actions, one after the other; an action that is not allowed raises RuleError."""
        for name in names:
            first, count = engine.offered(self.state)
            found = [a for a in range(first, first + count) if self.names["actions"][str(a)] == name]
            if not found:
                raise AssertionError("%s: no %s in %s %s" % (self.step(), name, self.window(), self.offers()))
            self.session.do(commands.CHOOSE, (found[0],))

    def enter(self, *faces):
        self.session.do(commands.ENTER, (engine.open_check(self.state),) + faces)

    def advance(self):
        self.session.do(commands.ADVANCE)

    def adjust(self, name, value):
        self.session.do(commands.ADJUST, (self.names["counters"].index(name), value))

    def jump(self, step, number):
        self.session.do(commands.JUMP, (self.names["steps"].index(step), number))

    def _zone(self, deck_name, zone_name):
        deck = self.names["decks"].index(deck_name)
        return deck, self.names["zones"][deck].index(zone_name)

    def move(self, deck_name, source, position, target, place):
        deck, target = self._zone(deck_name, target)
        self.session.do(commands.MOVE, (deck, self._zone(deck_name, source)[1], position, target, place))

    def draw(self, deck_name, zone_name):
        self.session.do(commands.DRAW, self._zone(deck_name, zone_name))

    def shuffle(self, deck_name):
        self.session.do(commands.SHUFFLE, (self.names["decks"].index(deck_name),))

    def field(self, side, unit):
        """Put a unit of the pack on the roster."""
        self.session.do(commands.FIELD, (self.names["sides"].index(side), self.names["units"].index(unit)))

    def unit(self, slot, what, value):
        """Set something of a unit; a name is that of a flag."""
        if isinstance(what, str):
            what = roster.FLAG + self.names["flags"].index(what)
        self.session.do(commands.UNIT, (slot, what, value))

    def build(self, side, builder, *options):
        """Put a unit of a builder on the roster."""
        number = self.names["builders"].index(builder)
        picks = tuple(self.names["options"][number].index(option) for option in options)
        self.session.do(commands.BUILD, (self.names["sides"].index(side), number) + picks)

    def answer(self, *words):
        """Answer a guide: "yes", "no" or "attack", one after the other."""
        for word in words:
            self.session.do(commands.ANSWER, (("no", "yes", "attack").index(word),))

    def stack(self, deck_name, *titles):
        """Put cards on top of the draw pile, by hand, the first of them uppermost."""
        for title in reversed(titles):
            self.move(deck_name, "draw", self.zone(deck_name, "draw").index(title), "draw", 1)


class Lcg:
    """The same numbers on every VM, from nothing but this line of arithmetic. Lcg(n)(k) is a number in 0 .. k - 1."""

    def __init__(self, seed):
        self._x = seed

    def __call__(self, n):
        self._x = (self._x * 16807) % 0x7FFFFFFF
        return (self._x >> 8) % n


def some_command(state, pick):
    """A legal command as (kind, args), chosen by pick(n) -> 0 .. n - 1: one in four is an override. None once over."""
    if state.data[O_OVER]:
        return None
    if state.attack is not None and pick(4):
        return _some_attack(state, pick)
    if pick(4) == 0:
        return _some_override(state, pick)
    question = engine.asked(state)
    if question is not None:
        return (commands.THROW, ()) if question.die and pick(2) else (commands.ANSWER, (pick(len(question.options)),))
    if guide.place(state) is not None:
        return commands.ANSWER, (pick(3 if guide.attacks(state) else 2),)
    waiting = engine.open_check(state)
    if waiting is not None:
        faces = []
        while engine.die(state, waiting, len(faces)) is not None:
            faces.append(1 + pick(engine.die(state, waiting, len(faces))[1]))
        return commands.ENTER, (waiting,) + tuple(faces)
    picked = _some_pick(state, pick)
    if picked is not None and pick(3):
        return picked
    allowed = [a for a in engine.allowed(state) if engine.is_choice(state, a)]
    if allowed:
        return commands.CHOOSE, (allowed[pick(len(allowed))],)
    if commands.check(state, commands.ADVANCE, ())[0] != commands.YES:
        return _some_override(state, pick) if state.attack is None else _some_attack(state, pick)
    return commands.ADVANCE, ()


def _some_pick(state, pick):
    """PICK or ASSIGN for an action that is offered and asks nothing, None if there is none."""
    for action in engine.allowed(state):
        kind = state.scenario.pack.record(ACTION, action)[6]
        if kind not in (engine.PICKS, engine.PICKS_UNIT):
            continue
        record = picks.effect(state, action)
        if kind == engine.PICKS_UNIT:
            units = picks.units(state, record)
            args = (action, units[pick(len(units))])
            kind = commands.ASSIGN
        else:
            cards, places = picks.cards(state, record), picks.targets(state, record)
            if not cards:
                continue
            args = (action,) + cards[pick(len(cards))] + (places[pick(len(places))],)
            kind = commands.PICK
        if commands.check(state, kind, args)[0] != commands.NO:
            return kind, args
    return None


def _some_attack(state, pick):
    """The next command of the attack in hand, or a new attack; an override where that cannot be."""
    attack = state.attack
    if attack.get(RESOLVER):
        stage = attack.stage()
        if pick(12) == 0:
            return commands.DROP, ()
        if stage is None:
            return commands.APPLY, ()
        if stage.options:
            return commands.DECIDE, (pick(len(stage.options)),)
        if not stage.dice:
            return commands.STAGE, tuple(stage.default)
        if pick(3) == 0:
            return commands.THROW, ()
        faces = [stages.face_of(stage, pick(stage.sides)) for _ in range(stage.dice)]
        return commands.STAGE, tuple(stages.counts_of(stage, faces))
    used = [slot for slot in range(state.roster.slots) if state.roster.used(slot)]
    for _ in range(4):
        weapon = pick(state.scenario.weapons)
        module = state.scenario.resolver(state.scenario.weapon(weapon)[1])
        targets = [used[pick(len(used))]] if used and module.GROUP else []
        attacker = used[pick(len(used))] if used else NOBODY
        args = (weapon, attacker, len(targets)) + tuple(targets)
        if commands.check(state, commands.ATTACK, args)[0] == commands.YES:
            return commands.ATTACK, args
    return _some_override(state, pick)


def _some_override(state, pick):
    scenario = state.scenario
    if not scenario.decks or not scenario.counters:  # dice without a game
        return _some_roster(state, pick, commands.FIELD) if scenario.slots else (commands.JUMP, (0, pick(6)))
    deck = pick(scenario.decks)
    zone = pick(state.zones(deck))
    lines = scenario.step(state.data[O_STEP])[10]
    kind = commands.TICK + pick(commands.CONFIRM + 1 - commands.TICK)
    if commands.FIELD <= kind <= commands.REMOVE:
        return _some_roster(state, pick, kind)
    if kind == commands.ROLL and engine.open_check(state) is not None:
        return kind, (engine.open_check(state),)
    if kind == commands.CONCEDE and pick(20) == 0:
        return kind, (pick(scenario.sides),)
    if kind == commands.TICK and lines:
        return kind, (pick(lines), pick(2))
    if kind == commands.SALT and state.rng.unused():
        return kind, (pick(65536), pick(65536))
    if kind == commands.JUMP:
        return kind, (pick(scenario.steps), pick(6))
    if kind == commands.MOVE and state.zone_count(deck, zone):
        return kind, (deck, zone, pick(state.zone_count(deck, zone)), pick(state.zones(deck)), pick(3))
    if kind == commands.DRAW:
        return kind, (deck, pick(state.zones(deck) - 1))
    if kind == commands.SHUFFLE:
        return kind, (deck,)
    if kind == commands.END and pick(20) == 0:
        return kind, (pick(scenario.results),)
    counter = pick(scenario.counters)
    _, _, low, high, _, _, _, _, _, _ = scenario.counter(counter)
    return commands.ADJUST, (counter, low + pick(high - low + 1))


def _some_roster(state, pick, kind):
    """FIELD, UNIT or REMOVE where there is a slot for it, else the nearest that is legal."""
    scenario, units = state.scenario, state.roster
    used = [slot for slot in range(units.slots) if units.used(slot)]
    if not units.slots:
        return commands.SHUFFLE, (0,)
    if not used or kind == commands.FIELD and len(used) < units.slots:
        side = pick(scenario.sides)
        fit = [unit for unit in range(scenario.units) if units.may_field(side, unit)] + [roster.BY_NUMBERS]
        unit = fit[pick(len(fit))]
        numbers = tuple(low + pick(high - low + 1) for low, high in roster.NUMBERS)
        return commands.FIELD, (side, unit) + (numbers if unit == roster.BY_NUMBERS else ())
    slot = used[pick(len(used))]
    if kind == commands.REMOVE and pick(2):
        return kind, (slot,)
    whats = [roster.MODELS_LEFT, roster.WOUNDS_LOST] + list(range(roster.MODELS, roster.SLOT_BYTES))
    whats += [roster.FLAG + flag for flag in range(scenario.flags)] * 3
    what = whats[pick(len(whats))]
    low, high = units.bounds(slot, what)
    return commands.UNIT, (slot, what, low + pick(high - low + 1))


def play(session, pick, count):
    """Give `count` commands, some of them undos and redos; one after each is yielded, whatever it was."""
    for _ in range(count):
        if session.can_undo() and (session.over() or pick(9) == 0):
            session.undo()
        elif session.can_redo() and pick(3) == 0:
            session.redo()
        else:
            session.do(*some_command(session.state, pick))
        yield session
