"""Beginning an attack: the last ones again, or who, with what, at whom."""

from tableside.core import commands, engine, roster
from tableside.core.attack import ATTACKER, COMMAND_REROLL
from tableside.core.fields import unit_name
from tableside.core.names import attack_title, weapon_name
from tableside.core.pack import ACTION, NOBODY
from tableside.core.record import ARGS_MOST, KIND
from tableside.core.stage_words import word
from tableside.core.state import O_ACTOR
from tableside.rules import RESOLVERS
from tableside.ui import attack_flow, texts
from tableside.ui.roster import unit_state
from tableside.ui.screen import ListScreen

_RECENT = 3
_LOOK_BACK = 80  # records


def attacks(session):
    """The last attacks, newest first: (arguments of ATTACK with all that was amended, whether dice were entered)."""
    amended = []
    rolled = False
    position = session.last()
    for _ in range(_LOOK_BACK):
        if position < 0:
            return
        record, position = session.record(position)
        kind = record.kind & KIND
        if kind in (commands.STAGE, commands.THROW, commands.DECIDE):
            rolled = True
            amended = []  # for those dice only
        elif kind == commands.AMEND:
            amended = list(record.args) + amended
        elif kind == commands.ATTACK:
            first = 3 + record.args[2]
            yield record.args[:first] + _pairs(session.scenario, record.args, amended), rolled
            amended = []
            rolled = False


def _pairs(scenario, args, amended):
    """What an attack was amended by, as arguments of another one; a command re-roll is not had again."""
    module = scenario.resolver(-args[0] if args[0] < 0 else scenario.weapon(args[0])[1])
    names = [field[0] for field in module.PROFILE + module.MODIFIERS]
    numbers = list(args[3 + args[2] :]) + amended
    last = {}
    for i in range(0, len(numbers), 2):
        last[numbers[i]] = numbers[i + 1]
    pairs = []
    for index in sorted(last):
        if index >= len(names) or names[index] not in (COMMAND_REROLL,) + getattr(module, "NOT_AGAIN", ()):
            pairs += [index, last[index]]
    return tuple(pairs[: (ARGS_MOST - 3 - args[2]) // 2 * 2])


def recent(session):
    """The arguments of the last attacks that came to their dice, newest first; each once."""
    found = []
    for args, rolled in attacks(session):
        if rolled and args not in found:
            found.append(args)
            if len(found) == _RECENT:
                break
    return found


def begin(app, args, to_dice=False):
    """Begin an attack and show its numbers, or its dice at once; a refusal is told."""
    records = app.session.records
    app.do(commands.ATTACK, _preset(app.session, tuple(args)))
    if to_dice and app.session.records != records:
        app.go(attack_flow.stage_screen(app.session.state))


def _preset(session, args):
    """The arguments with what the step's action says every attack begins with, where that can be."""
    state = session.state
    for action in engine.allowed(state):
        kind, number = state.scenario.pack.record(ACTION, action)[6:]
        if kind == engine.ATTACKS and number:
            module = state.scenario.resolver(-args[0] if args[0] < 0 else state.scenario.weapon(args[0])[1])
            more = args + (len(module.PROFILE) + number - 1, 1)
            if number <= len(module.MODIFIERS) and session.check(commands.ATTACK, more)[0] == commands.YES:
                return more
    return args


class Attacks(ListScreen):
    """The last attacks, each with one press, then who attacks anew; where there are no units, with what."""

    title = texts.ATTACK

    def rows(self):
        """Weapon > target; then units, or weapons."""
        state = self.app.session.state
        self._recent = [args for args in recent(self.app.session) if _own(state, args[1])
                        and self.app.session.check(commands.ATTACK, args)[0] == commands.YES]
        rows = [(texts.AGAIN + attack_title(state, args[0], args[3 : 3 + args[2]]), "") for args in self._recent]
        self._slots = units(state, True)
        rows += [(unit_name(state, slot), unit_state(state, slot)) for slot in self._slots]
        if self._slots:
            return rows + [(texts.NO_UNIT, ">")]
        self._weapons, more = weapon_rows(state, NOBODY)
        return rows + more

    def chosen(self, index):
        """Again, or anew."""
        at = index - len(self._recent)
        if at < 0:
            begin(self.app, self._recent[index], True)
        elif at < len(self._slots):
            self.app.go("attacks.Weapons", self._slots[at], None)
        elif self._slots:
            self.app.go("attacks.Weapons", NOBODY, None)
        else:
            aim(self.app, self._weapons[at], NOBODY)


def _own(state, attacker):
    """Whether an attacker is of the side that acts; nobody is of none, and may be of any."""
    actor = state.data[O_ACTOR]
    return NOBODY in (attacker, actor) or state.roster.used(attacker) and (
        state.roster.get(attacker, roster.SIDE) == actor)


def units(state, own):
    """The slots of units in action: those of the actor's side first, or last."""
    slots = []
    later = []
    for slot in range(state.roster.slots):
        if state.roster.used(slot) and state.roster.get(slot, roster.MODELS_LEFT):
            mine = state.roster.get(slot, roster.SIDE) == state.data[O_ACTOR]
            (slots if mine == own else later).append(slot)
    return slots + later


class _Units(ListScreen):
    """Units with what is left of them. A subclass gives `slots()` and `picked(slot)`."""

    def rows(self):
        """One row a unit."""
        state = self.app.session.state
        self._slots = self.slots()
        return [(unit_name(state, slot), unit_state(state, slot)) for slot in self._slots] + self.others()

    def slots(self):
        """The slots of the units."""
        return []

    def others(self):
        """Rows after the units."""
        return []

    def chosen(self, index):
        """Take it."""
        self.picked(self._slots[index] if index < len(self._slots) else NOBODY)

    def picked(self, slot):
        """What follows. Args: slot: NOBODY for a row after the units."""


def weapon_rows(state, attacker):
    """The weapons of a unit or of the game as in the arguments of ATTACK, then by numbers; and a row for each."""
    scenario = state.scenario
    weapons = weapons_of(state, attacker)
    rows = [(weapon_name(state, weapon), "") for weapon in weapons]
    for number in sorted({scenario.weapon(i)[1] for i in range(scenario.weapons)}):
        if not 0 < number < len(RESOLVERS):
            continue  # of a pack newer than this firmware: its weapons are refused
        weapons.append(-number)
        rows.append((texts.BY_NUMBERS, word(RESOLVERS[number])))
    return weapons, rows


class Weapons(ListScreen):
    """The weapons of a unit, or all of the game where none are known; then by numbers.

    Args: attacker: its slot, or NOBODY; targets: the slots of the target if that is known already; last: the weapon
        used before, the cursor is on the one after it.
    """

    def __init__(self, app, attacker, targets, last=NOBODY):
        self._attacker = attacker
        self._targets = targets
        self.title = texts.WITH_WHAT if targets is None else texts.NEXT_WEAPON
        super().__init__(app)
        if last in self._weapons and last >= 0:
            named = sum(1 for weapon in self._weapons if weapon >= 0)
            self.list.move_to((self._weapons.index(last) + 1) % named)

    def rows(self):
        """Names; a row for each kind of dice rules of this game."""
        self._weapons, rows = weapon_rows(self.app.session.state, self._attacker)
        return rows

    def chosen(self, index):
        """Then the target."""
        weapon = self._weapons[index]
        if self._targets is None:
            aim(self.app, weapon, self._attacker)
        else:
            begin(self.app, [weapon, self._attacker, len(self._targets)] + self._targets)


def weapons_of(state, slot):
    """The weapons of a unit; all of the scenario where the unit is not of the pack, or has none."""
    scenario = state.scenario
    if slot != NOBODY:
        found = state.roster.weapons(slot)
        if found:
            return found
    return list(range(scenario.weapons))


def aim(app, weapon, attacker):
    """Ask for the target, if the dice rules of a weapon have one."""
    state = app.session.state
    number = -weapon if weapon < 0 else state.scenario.weapon(weapon)[1]
    if state.scenario.resolver(number).GROUP:
        app.go("attacks.Targets", weapon, attacker)
    else:
        begin(app, (weapon, attacker, 0))


class Targets(_Units):
    """At whom: the units of the other sides come first; the cursor is on the last target.

    Args: weapon, attacker: as in the arguments of ATTACK.
    """

    title = texts.AT_WHOM

    def __init__(self, app, weapon, attacker):
        self._weapon = weapon
        self._attacker = attacker
        super().__init__(app)
        last = [args for args in recent(app.session) if _own(app.session.state, args[1])]
        if last and last[0][2] and last[0][3] in self._slots:
            self.list.move_to(self._slots.index(last[0][3]))

    def slots(self):
        """All in action but the attacker."""
        state = self.app.session.state
        side = NOBODY if self._attacker == NOBODY else state.roster.get(self._attacker, roster.SIDE)
        found = [slot for slot in units(state, False) if slot != self._attacker]
        others = [slot for slot in found if state.roster.get(slot, roster.SIDE) != side]
        return others + [slot for slot in found if slot not in others]

    def others(self):
        """A unit that is not on the roster yet."""
        return [(texts.ADD_UNIT, ">")]

    def picked(self, slot):
        """Begin."""
        if slot == NOBODY:
            self.app.go("roster.Roster")
        else:
            begin(self.app, (self._weapon, self._attacker, 1, slot))


class Also(_Units):
    """One more unit as part of the target of the attack in hand: a leader, or models of another kind."""

    title = texts.ALSO_AT

    def slots(self):
        """Those that are not part of it."""
        state = self.app.session.state
        taken = attack_flow.targets(state) + [state.attack.get(ATTACKER)]
        return [slot for slot in units(state, False) if slot not in taken]

    def picked(self, slot):
        """Begin anew with it, amended as before."""
        state = self.app.session.state
        slots = attack_flow.targets(state) + [slot]
        first, _ = next(attacks(self.app.session))
        begin(self.app, [first[0], first[1], len(slots)] + slots + list(first[3 + first[2] :]))
