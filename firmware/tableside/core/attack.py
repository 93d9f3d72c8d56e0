"""The attack (or roll) in hand: the numbers of its chain of stages, in bytes at the end of a state.

It is begun from a weapon of the pack, or one by numbers, and from units of the roster; then its numbers may be amended,
its dice entered and its decisions taken; at last its losses are written to the roster. See `core.stages`.
"""

from tableside.core import roster, stages
from tableside.core.errors import RuleError
from tableside.core.pack import NOBODY

# Bytes; SLOTS begins the roster slots of the groups, _NUMBERS the numbers, two bytes each.
RESOLVER = 0  # 0: no attack in hand
WEAPON = 1
ATTACKER = 2  # roster slot, or NOBODY
ENTRIES = 3  # how many stages are done
SIZE = 4  # how many numbers there are
_SLOTS = 5
_GROUPS_MOST = 8
_DICE_MOST = 3000  # of a stage that is in its right mind
_NUMBERS = _SLOTS + _GROUPS_MOST
ATTACK_BYTES = _NUMBERS + 2 * stages.MOST
# At the end, where no such resolver has numbers: how many models of each group's unit are not part of the target.
_ELSEWHERE = ATTACK_BYTES - _GROUPS_MOST

COMMAND_REROLL = "command_reroll"  # the one number that may be amended when dice have been entered
_LIVE = {
    "models": roster.MODELS_LEFT,
    "wounds": roster.WOUNDS,
    "toughness": roster.TOUGHNESS,
    "save": roster.SAVE,
    "invulnerable": roster.INVULNERABLE,
    "feel_no_pain": roster.FEEL_NO_PAIN,
    "lost": roster.WOUNDS_LOST,
}


class Attack:
    """A view on the bytes of a state from `at` on."""

    def __init__(self, state, at):
        self._data = state.data
        self._at = at
        self._scenario = state.scenario
        self._units = state.roster
        self._state = state

    def get(self, what):
        """One of the bytes RESOLVER, WEAPON, ATTACKER, ENTRIES."""
        return self._data[self._at + what]

    def resolver(self):
        """The resolver module of the attack in hand. Raises RuleError if there is none."""
        if not self.get(RESOLVER):
            raise RuleError("no attack in hand")
        return self._scenario.resolver(self.get(RESOLVER))

    def numbers(self):
        """The numbers v, a new list."""
        numbers = []
        at = self._at + _NUMBERS
        for i in range(at, at + 2 * self.get(SIZE), 2):
            value = self._data[i] | self._data[i + 1] << 8
            numbers.append(value - 65536 if value > 32767 else value)
        return numbers

    def stage(self):
        """The stage that waits, or None at the end. Raises RuleError for numbers that no chain has."""
        stage = _sound(self.resolver().stage, self.numbers())
        waits = stage is None or stage.options or stage.limits and stage.default
        if not waits and not 0 < stage.dice < _DICE_MOST:
            raise RuleError("an attack that cannot be", stage.id)
        return stage

    def slot(self, group):
        """The roster slot of a group of the target, or NOBODY."""
        return self._data[self._at + _SLOTS + group] if group < _GROUPS_MOST else NOBODY

    def _put(self, v):
        at = self._at + _NUMBERS
        for value in v:
            self._data[at] = value & 255
            self._data[at + 1] = value >> 8 & 255
            at += 2
        end = ATTACK_BYTES if 2 * len(v) > _ELSEWHERE - _NUMBERS else _ELSEWHERE
        for i in range(at, self._at + end):
            self._data[i] = 0
        self._data[self._at + SIZE] = len(v)

    def _note_elsewhere(self):
        """Of rules where a group is not the whole unit, note how many of its models are not part of it."""
        module = self.resolver()
        if not getattr(module, "PARTS", False):
            return
        v = self.numbers()
        at = stages.groups_at(module)
        for group in range(v[at]):
            slot = self.slot(group)
            here = v[at + 1 + group * len(module.GROUP)]  # models come first
            self._data[self._at + _ELSEWHERE + group] = max(0, self._units.get(slot, roster.MODELS_LEFT) - here)

    def _step(self, v):
        self._put(v)
        self._data[self._at + ENTRIES] = min(255, self.get(ENTRIES) + 1)

    # Beginning.

    def request(self, args):
        """What an attack begins with: (resolver module, its numbers, the slots of its groups).

        Args: args: weapon (its number, or minus that of a resolver for one by numbers), slot of the attacker or
            NOBODY, how many units are the target, their slots, then pairs of (index, number) to amend.
        Raises: RuleError for what is not there, StageError for numbers that cannot be.
        """
        weapon, attacker, count = args[:3]
        slots = list(args[3 : 3 + count])
        pairs = args[3 + count :]
        if not 0 <= count <= _GROUPS_MOST or len(slots) != count or len(pairs) % 2:
            raise RuleError("wrong number of arguments", len(args))
        for slot in slots + ([] if attacker == NOBODY else [attacker]):
            if not self._units.used(slot):
                raise RuleError("no unit there", slot)
        if weapon < 0:
            module = self._scenario.resolver(-weapon)
            profile = list(getattr(module, "BY_NUMBERS", ())) or [field[3] for field in module.PROFILE]
        elif weapon < self._scenario.weapons:
            record = self._scenario.weapon(weapon)
            module = self._scenario.resolver(record[1])
            profile = list(record[2 : 2 + len(module.PROFILE)])
            if attacker != NOBODY:
                self._units.alter(attacker, weapon, module, profile)
        else:
            raise RuleError("no such weapon", weapon)
        if getattr(module, "BOTH", False):
            if not slots:
                raise RuleError("no target")
            slots.append(attacker)
        for i, slot in enumerate(slots):
            if slot in slots[:i]:
                raise RuleError("more than once", slot)
        v = profile + [self._modifier(module, field, slots[:count], attacker, weapon) for field in module.MODIFIERS]
        v += self._live(module, module.TARGET, slots[:1], attacker)
        v.append(len(slots) if module.GROUP else 0)
        for slot in slots if module.GROUP else ():
            v += self._live(module, module.GROUP, (slot,), attacker)
        if self._scenario.bonuses:
            from tableside.core.bonus import give

            give(self._state, module, v, attacker, slots[:count])
        return module, self.begun(module, v, pairs), slots

    def _modifier(self, module, field, target, attacker, weapon):
        """What a modifier begins with: so many weapons as there are models; a keyword of the attacker, or after "foe_"
        of the target; else its default."""
        name, _, high, default = field
        if name == "weapons" and attacker != NOBODY:
            return max(1, min(high, self._units.bearers(attacker, weapon)))
        foe = name[:4] == "foe_"
        keyword = (name[4:] if foe else name).upper()
        if keyword in module.KEYWORDS:
            for slot in target[:1] if foe else () if attacker == NOBODY else (attacker,):
                default = self._units.keywords(slot) >> module.KEYWORDS.index(keyword) & 1
        return default

    def _live(self, module, fields, slots, attacker):
        """The numbers of a table of fields as the roster has them, or else their defaults."""
        values = []
        for name, _, _, default in fields:
            for slot in slots:
                if slot == NOBODY:
                    continue
                if name == "models" and getattr(module, "PARTS", False):
                    default = min(1, self._units.get(slot, roster.MODELS_LEFT))
                elif name in _LIVE:
                    default = self._units.get(slot, _LIVE[name])
                elif name[:4] == "foe_":
                    default = self._foe(module, slot, name[4:], default)
                elif name == "keywords":
                    default = self._units.keywords(slot)
                elif name == "own":
                    default = int(attacker != NOBODY and self._side(slot) == self._side(attacker))
                elif name.upper() in module.KEYWORDS:
                    default = self._units.keywords(slot) >> module.KEYWORDS.index(name.upper()) & 1
            values.append(default)
        return values

    def _foe(self, module, slot, name, default):
        """A number of the weapon that a unit answers with: its first one of the same dice rules."""
        for weapon in self._units.weapons(slot):
            record = self._scenario.weapon(weapon)
            if record[1] == module.ID:
                profile = list(record[2 : 2 + len(module.PROFILE)])
                self._units.alter(slot, weapon, module, profile)
                return profile[[field[0] for field in module.PROFILE].index(name)]
        return default

    def _side(self, slot):
        return self._units.get(slot, roster.SIDE)

    def begun(self, module, v, pairs):
        """The numbers of an attack without its progress, amended, with its progress at the start."""
        for i in range(0, len(pairs), 2):
            if not 0 <= pairs[i] < len(v):
                raise RuleError("no such number", pairs[i])
            v[pairs[i]] = pairs[i + 1]
        stages.begin(module, v)
        return v

    def begin(self, args):
        """Begin an attack, see `request`. One that was in hand is forgotten."""
        module, v, slots = self.request(args)
        self.drop()
        at = self._at
        self._data[at + RESOLVER] = module.ID
        self._data[at + WEAPON] = args[0] & 255
        self._data[at + ATTACKER] = args[1]
        for i in range(_GROUPS_MOST):
            self._data[at + _SLOTS + i] = slots[i] if i < len(slots) else NOBODY
        self._put(v)
        self._note_elsewhere()

    def weapon(self):
        """The weapon as in the arguments of `begin`."""
        number = self.get(WEAPON)
        return number - 256 if self.get(RESOLVER) == 256 - number else number

    # Going on.

    def amended(self, args):
        """The numbers with some of them amended: pairs of (index, number). Raises RuleError if that cannot be."""
        module = self.resolver()
        v = self.numbers()
        head = stages.head(module, v)
        if not self.get(ENTRIES):
            return self.begun(module, v[:head], args)
        fields = module.PROFILE + module.MODIFIERS
        if len(args) != 2 or not 0 <= args[0] < len(fields) or fields[args[0]][0] != COMMAND_REROLL:
            raise RuleError("dice have been entered", args[0])
        v[args[0]] = args[1]
        stages.check_fields(v[args[0] :], fields[args[0] : args[0] + 1])
        return v

    def amend(self, args):
        """Amend numbers, see `amended`."""
        self._put(self.amended(args))
        if not self.get(ENTRIES):
            self._note_elsewhere()

    def waiting(self):
        """The stage that waits. Raises RuleError if there is no attack, or it has come to its end."""
        stage = self.stage()
        if stage is None:
            raise RuleError("all dice have been entered")
        return stage

    def thrown(self):
        """The device rolls for the stage that waits. Returns: its counts, as `enter` takes them."""
        stage = self.waiting()
        faces = [stages.face_of(stage, self._state.rng.below(stage.sides)) for _ in range(stage.dice)]
        return stages.counts_of(stage, faces)

    def enter(self, counts):
        """Go on with counts that `stages.check_counts` allowed."""
        module = self.resolver()
        v = self.numbers()
        _sound(module.enter, v, module.stage(v), counts)
        self._step(v)

    def choose(self, option):
        """Go on with an option that `stages.check_option` allowed."""
        module = self.resolver()
        v = self.numbers()
        _sound(module.choose, v, module.stage(v), option)
        self._step(v)

    # The end.

    def losses(self):
        """What is left of the target: (group, roster slot, models left, wounds lost by the one that is hurt)."""
        module = self.resolver()
        v = self.numbers()
        names = [field[0] for field in module.GROUP]
        left = []
        if "models" in names:
            at = stages.groups_at(module) + 1
            for group in range(v[at - 1]):
                slot = self.slot(group)
                if slot != NOBODY and self._units.used(slot):
                    lost = v[at + names.index("lost")] if "lost" in names else 0
                    models = v[at + names.index("models")]
                    if getattr(module, "PARTS", False):
                        models += self._data[self._at + _ELSEWHERE + group]
                    left.append((group, slot, models, lost))
                at += len(names)
        return left

    def got(self, i):
        """Number `i` of the outcome of the attack that was applied last, if it was kept; else 0."""
        if self.get(RESOLVER):
            return 0
        at = self._at + _NUMBERS + 2 * i
        value = self._data[at] | self._data[at + 1] << 8
        return value - 65536 if value > 32767 else value

    def apply(self, keep=False):
        """Write the losses to the roster, and let go of the attack. Args: keep: its outcome, for `got`."""
        outcome = self.resolver().outcome(self.numbers()) if keep else ()
        units = self._units
        for _, slot, models, lost in self.losses():
            wounds = units.get(slot, roster.WOUNDS)
            models = min(models, units.get(slot, roster.MODELS))  # the unit may have been changed since
            gone = units.get(slot, roster.MODELS) - models
            units.set(slot, roster.WOUNDS_LOST, gone * wounds + (min(lost, wounds - 1) if models else 0))
        self.drop()
        at = self._at + _NUMBERS
        for value in outcome:
            self._data[at] = value & 255
            self._data[at + 1] = value >> 8 & 255
            at += 2

    def drop(self):
        """Forget the attack."""
        for i in range(self._at, self._at + ATTACK_BYTES):
            self._data[i] = 0

    def left(self, slot):
        """A unit leaves the roster: its place may be another's soon, so an attack that has to do with it is dropped."""
        if self.get(RESOLVER) and (slot == self.get(ATTACKER) or slot in [self.slot(i) for i in range(_GROUPS_MOST)]):
            self.drop()

    def legible(self):
        """Whether the resolver can go on with the numbers. Those of a log, or of a version before, may be anything."""
        try:
            module = self.resolver()
            v = self.numbers()
            at = stages.groups_at(module)
            if stages.head(module, v) > len(v):
                return False
            fresh = v[: at + 1] + [field[3] for field in module.GROUP] * v[at]  # its progress is as long
            if len(self.begun(module, fresh, ())) != len(v):
                return False
            return module.stage(v) is not None or len(module.outcome(v)) == len(module.OUTCOMES)
        except (RuleError, LookupError, ArithmeticError, TypeError):
            return False

    def sound(self):
        """Whether the bytes of an attack in hand can be one. A log may say anything."""
        return 0 < self.get(SIZE) <= stages.MOST


def _sound(call, *args):
    """Call a resolver with numbers that may come from a log, which may say anything."""
    try:
        return call(*args)
    except (LookupError, ArithmeticError, TypeError):
        raise RuleError("an attack that cannot be") from None
