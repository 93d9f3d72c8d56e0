"""Presses to key in dice: the device's screens, beside die by die and beside a count for each face, same buttons."""

import io
import random
from types import SimpleNamespace
from typing import Any

from host_tools.packs.build import compile_system, find_games
from tableside.core import stages
from tableside.core.errors import RuleError
from tableside.core.pack import Pack, Scenario
from tableside.core.state import State
from tableside.rules import resolver
from tableside.ui import input as keys
from tableside.ui.stage import Bins, Decision, Die, Pick

COUNTS = (1, 3, 5, 10, 20, 40)
ROLLS = 2000
ATTACKS = 1000
STAGES = {
    "hit 3+, criticals": stages.bins_of((1, "miss"), (3, "hit"), (6, "crit")),
    "hit 4+": stages.bins_of((1, "miss"), (4, "hit")),
    "save 3+, ones again": stages.bins_of((1, "ones"), (2, "lost"), (3, "saved")),
}


class Thumb:
    """Somebody who keys in what lies on the table, on the real screen of a stage. Args: stage: what waits."""

    def __init__(self, stage: Any):
        self.entered: tuple[int, ...] | None = None
        self.presses = 0
        attack = SimpleNamespace(stage=lambda: stage)
        session = SimpleNamespace(state=SimpleNamespace(attack=attack))
        settings = SimpleNamespace(get=lambda name: 0)
        self._app: Any = SimpleNamespace(session=session, settings=settings, do=self._do)

    def _do(self, kind: int, args: tuple[int, ...]) -> None:
        self.entered = tuple(args)

    def _press(self, screen: Any, key: int) -> None:
        screen.event(key)
        self.presses += 1

    def counts(self, counts: list[int]) -> int:
        """Key in the counts of the bins. Returns: how many presses it took."""
        screen = Bins(self._app)
        screen._one_by_one = False
        while self.entered is None:
            bin = screen._order[screen._at]
            while screen._counts[bin] != counts[bin]:
                self._press(screen, keys.UP if screen._counts[bin] < counts[bin] else keys.DOWN)
            self._press(screen, keys.OK)
        assert list(self.entered) == list(counts)
        return self.presses

    def face(self, face: int) -> int:
        """Key in a single die. Returns: how many presses it took."""
        screen = Die(self._app)
        up = (face - screen._face) % screen._stage.sides
        down = screen._stage.sides - up
        for _ in range(min(up, down)):
            self._press(screen, keys.UP if up <= down else keys.DOWN)
        self._press(screen, keys.OK)
        return self.presses

    def default(self, picked: bool) -> int:
        """Take what the cursor is on: of a decision, or of dice to pick up. Returns: how many presses it took."""
        screen = (Pick if picked else Decision)(self._app)
        self._press(screen, keys.OK)
        return self.presses


def die_by_die(faces: list[int], sides: int = 6) -> int:
    """Presses with a picker that starts at 4 and wraps, one OK a die."""
    return sum(min((face - 4) % sides, (4 - face) % sides) + 1 for face in faces)


def rolled(stage: Any, faces: list[int]) -> int:
    """Presses to key in faces at a stage."""
    if len(faces) == 1:
        return Thumb(stage).face(faces[0])
    if 2 * len(faces) <= len(stage.bins):
        return die_by_die(faces, stage.sides)
    return Thumb(stage).counts(stages.counts_of(stage, faces))


def dice() -> None:
    """Mean presses of a stage, by its bins and its number of dice."""
    rng = random.Random(1)
    print(f"presses of a stage, mean of {ROLLS} rolls: device, die by die, count of each face; device / die by die")
    for name, bins in STAGES.items():
        for count in COUNTS:
            stage = stages.dice("hit", stages.ATTACKER, count, bins)
            plain = stages.dice("hit", stages.ATTACKER, count, stages.faces_of())
            sums = [0, 0, 0]
            for _ in range(ROLLS):
                faces = [rng.randint(1, 6) for _ in range(count)]
                for i, presses in enumerate((rolled(stage, faces), die_by_die(faces), rolled(plain, faces))):
                    sums[i] += presses
            device, single, histogram = (total / ROLLS for total in sums)
            print(f"  {name:20} {count:2} dice  {device:6.2f} {single:7.2f} {histogram:7.2f}   {device / single:.2f}")
    _attacks(rng)


def _attacks(rng: random.Random) -> None:
    """Presses of random attacks of the packs' weapons at units of their scenarios, decisions as they are proposed."""
    sums = [0, 0, 0]
    stage_count = 0
    begun = 0
    scenarios = [Scenario(Pack(io.BytesIO(compile_system(system).data)), i, resolver)
                 for system in find_games() for i in range(len(compile_system(system).scenarios))]
    scenarios = [scenario for scenario in scenarios if scenario.weapons and scenario.slots]
    while begun < ATTACKS:
        scenario = rng.choice(scenarios)
        state = State(scenario)
        state.reset(bytes(16))
        for _ in range(2):
            state.roster.field(0, rng.randrange(scenario.units))
        try:
            state.attack.begin((rng.randrange(scenario.weapons), 0, 1, 1))
        except RuleError:
            continue  # a roll without a target
        begun += 1
        while (stage := state.attack.stage()) is not None:
            stage_count += 1
            if stage.options or not stage.dice:
                presses = Thumb(stage).default(not stage.options)
                sums = [total + presses for total in sums]
                (state.attack.choose if stage.options else state.attack.enter)(stage.default)
                continue
            faces = [stages.face_of(stage, rng.randrange(stage.sides)) for _ in range(stage.dice)]
            plain = stages.dice("", 0, stage.dice, tuple((face, face, "") for face in _all_faces(stage)), stage.sides)
            for i, presses in enumerate((rolled(stage, faces), die_by_die(faces), rolled(plain, faces))):
                sums[i] += presses
            state.attack.enter(stages.counts_of(stage, faces))
    device, single, histogram = (total / ATTACKS for total in sums)
    stage_mean = stage_count / ATTACKS
    print(f"presses of an attack, {ATTACKS} random ones of the packs' weapons, {stage_mean:.1f} stages each:")
    print(f"  {device:.1f} device, {single:.1f} die by die, {histogram:.1f} count of each face   {device / single:.2f}")


def _all_faces(stage: Any) -> range:
    return range(stage.bins[0][0], stage.bins[0][0] + stage.sides)
