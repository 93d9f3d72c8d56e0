"""Every text of a pack on the screen where the players read it: has it room there, and can all of it be reached?

The real app draws it on a canvas that keeps the words in place of the pixels. Steps, windows and checks are brought
about by writing the state, and every action is taken to be allowed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from test_app import Device

from host_tools.firmware import write_languages
from tableside.core import engine
from tableside.core import pack as records
from tableside.core.deck import draw_zone
from tableside.core.fields import CARD_FIELD, ROW_FIELD, expand
from tableside.core.pack import NOBODY, NONE, Pack
from tableside.core.state import ENDED, O_ACTOR, O_CARD, O_DECK, O_OVER, O_RESULT, O_ROUND, O_STEP
from tableside.ui import input as keys
from tableside.ui.reading import Question
from tableside.ui.screen import Screen

_MOST_FRAMES = 400  # of one walk
_TEXTS = {  # the fields of records that are texts for the players, and what they are
    records.SCENARIO: {1: "scenario"},
    records.COUNTER: {0: "counter"},
    records.DECK: {0: "deck"},
    records.ZONE: {0: "zone"},
    records.CARD: {0: "card", 1: "card text"},
    records.STEP: {1: "step", 2: "prompt"},  # the phase only where the step stops
    records.ACTION: {0: "action", 1: "question"},
    records.WINDOW: {0: "window", 1: "prompt"},
    records.CHECK: {0: "check", 1: "check prompt"},
    records.DIE: {0: "die"},
    records.OUTCOME: {2: "outcome"},
    records.ROW: {2: "row", 3: "row text"},
    records.RESULT: {0: "result", 1: "result text"},
    records.REMINDER: {0: "reminder"},
    records.UNIT: {0: "unit"},
    records.FLAG: {0: "flag"},
    records.WEAPON: {0: "weapon"},
}


@dataclass
class Seen:
    """What became of one text in all its places, with the same words in its fields."""

    kind: str
    text: str
    fits: bool = True  # everywhere: whole on the first page, on one line, or on one page
    found: bool = False  # all of it, somewhere
    places: list[str] = field(default_factory=list)  # where it does not fit


def squeezed(text: str) -> str:
    """A text without its gaps: lines break where they may."""
    return "".join(text.split())


class Frame:
    """The words of one picture."""

    def __init__(self, drawn: list[tuple[int, int, str]]) -> None:
        self.lines = [squeezed(s) for _, _, s in drawn]
        self.all = "".join(self.lines)
        self.body = ""  # without status and hint line, and what stands above the cursor: a long row goes on below
        for page, x, text in drawn:
            if not x and text in (">", "\u2191"):
                self.body = ""
            elif 0 < page < 7 and (x or len(text) > 1):
                self.body += squeezed(text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frame) and self.lines == other.lines


class Reader(Device):
    """A device with one pack whose words are read as they are drawn.

    Args: folder: for its files; language: the number of one of the pack's.
    """

    def __init__(self, folder: Path, system: str, language: int) -> None:
        super().__init__(str(folder), (system,))
        self.system = system
        self.language = language
        self._drawn: list[tuple[int, int, str]] = []
        canvas = self.app._canvas
        canvas.text = self._text
        canvas.clear = self._drawn.clear
        canvas.invert = canvas.fill = lambda *args: None
        pack = self.app.games.open_pack(system)
        self.app.settings.set("language", pack.language(language))
        pack.close()
        write_languages(folder)
        self.app.language_changed()

    def _text(self, s, x, page, face, invert=False):
        self._drawn.append((page, x, s))
        return x + len(s) * face.WIDTH

    def top(self) -> Screen:
        """The screen that is seen."""
        return self.app._stack[-1]

    def frame(self) -> Frame:
        """What it shows."""
        self.app._draw()
        return Frame(self._drawn)

    def walk(self) -> list[Frame]:
        """All that it shows on the way down."""
        frames = [self.frame()]
        while len(frames) < _MOST_FRAMES:
            self.top().event(keys.DOWN)
            frame = self.frame()
            if frame == frames[-1]:
                break
            frames.append(frame)
        return frames


class Texts:
    """The texts of a pack in one language, looked at on the screens of all its scenarios.

    Args: folder: an empty folder; system: the name of a compiled pack in TABLESIDE_PACKS.
    Attributes: seen: what was noted; count: how many texts the pack has; never: those that no screen shows.
    """

    def __init__(self, folder: Path, system: str, language: int = 0) -> None:
        self._device = Reader(folder, system, language)
        self._app = self._device.app
        self.seen: dict[tuple[str, int, str], Seen] = {}
        self._done: set[tuple[object, ...]] = set()
        pack = self._app.games.open_pack(system)
        self.code: str = pack.language(language)
        self._choose(pack)
        for index in range(pack.count(records.SCENARIO)):
            self._app._begin(system, index, None, "")
            self._play(self._app.session.scenario.id())
        texts = self._all(self._pack)
        self.count = len(texts)
        self.never = [(kind, self._pack.text(number)) for kind, number in texts - {key[:2] for key in self.seen}]

    def _all(self, pack: Pack) -> set[tuple[str, int]]:
        """Every text of the pack that some screen ought to show."""
        return {(kind, pack.record(section, i)[at]) for section, fields in _TEXTS.items()
                for i in range(pack.count(section)) for at, kind in fields.items()
                if pack.record(section, i)[at] != NONE}

    def too_long(self) -> list[Seen]:
        """The texts that need more than their place, the longest first."""
        worst: dict[tuple[str, int], Seen] = {}
        for (kind, number, _), seen in self.seen.items():
            if not seen.fits and len(seen.text) > len(worst.get((kind, number), Seen("", "")).text):
                worst[kind, number] = seen
        return sorted(worst.values(), key=lambda seen: (-len(seen.text), seen.kind, seen.text))

    def lost(self) -> list[tuple[str, str]]:
        """(kind, text) of all that no screen shows, or not to its end."""
        return sorted(self.never + [(seen.kind, seen.text) for seen in self.seen.values() if not seen.found])

    # --- noting what was seen ----------------------------------------------------------------------------------

    def _note(self, kind: str, number: int, text: str, place: str, fits: bool, frames: list[Frame]) -> None:
        """Note one text in one place. Args: number: of the text; fits: whether it has room; frames: of the walk."""
        wanted = squeezed(text)
        if not wanted:
            return
        seen = self.seen.setdefault((kind, number, text), Seen(kind, text))
        if not fits:
            seen.fits = False
            seen.places.append(place)
        seen.found |= any(wanted in frame.all for frame in frames) or wanted in "".join(f.body for f in frames)

    def _first(self, kind: str, number: int, place: str, frames: list[Frame], text: str | None = None) -> None:
        """A text that has its place on the first page."""
        text = expand(self._state, self._pack.text(number)) if text is None else text
        self._note(kind, number, text, place, squeezed(text) in frames[0].all, frames)

    def _line(self, kind: str, number: int, place: str, frames: list[Frame], text: str | None = None) -> None:
        """A text that has its place on one line of a list, or of the status or hint line."""
        text = expand(self._state, self._pack.text(number)) if text is None else text
        wanted = squeezed(text)
        self._note(kind, number, text, place, any(wanted in line for frame in frames for line in frame.lines), frames)

    def _page(self, kind: str, number: int, place: str, frames: list[Frame]) -> None:
        """A text that has its place on any one page."""
        text = expand(self._state, self._pack.text(number))
        self._note(kind, number, text, place, any(squeezed(text) in frame.all for frame in frames), frames)

    def _new(self, *what: object) -> bool:
        """Whether this has not been looked at in another scenario."""
        sides_counters_decks = self._pack.record(records.SCENARIO, self._scenario.index)[2:8]
        what = (*what, sides_counters_decks)
        new = what not in self._done
        self._done.add(what)
        return new

    # --- the screens -------------------------------------------------------------------------------------------

    def _choose(self, pack: Pack) -> None:
        pack.use_language(self._device.language)
        self._app.go("home.ChooseScenario", self._device.system)
        frames = self._device.walk()
        for index, title in enumerate(pack.scenario_titles()):
            number = pack.record(records.SCENARIO, index)[1]
            self._line("scenario", number, "choice of the mission", frames, title)

    def _play(self, place: str) -> None:
        """All screens of a scenario."""
        session = self._app.session
        self._state, self._scenario, self._pack = session.state, session.scenario, session.pack
        self._start = bytes(self._state.data)
        self._lists(place)
        for step in range(self._scenario.steps):
            self._step(step, place)
        for result in range(self._scenario.results):
            self._result(result, place)
        for window in range(self._pack.count(records.WINDOW)):
            if window in self._opened(engine.OPEN_WINDOW):
                self._window(window, place)
        for check in range(self._pack.count(records.CHECK)):
            if check in self._opened(engine.CHECK_DICE):
                self._check(check, place)

    def _opened(self, op: int) -> set[int]:
        """The windows or checks that effects of the scenario open, and effects of what these open."""
        scenario, read = self._scenario, self._pack.record
        steps = [scenario.step(i) for i in range(scenario.steps)]
        runs = [step[3:5] for step in steps] + [(scenario.result(i)[6:8]) for i in range(scenario.results)]
        runs += [scenario.ability(i)[19:21] for i in range(scenario.abilities)]
        for first, count in [scenario.guide(i)[-2:] for i in range(scenario.guides)]:
            runs += [read(records.GUIDE_LINE, i)[-2:] for i in range(first, first + count)]
        actions = [step[5:7] for step in steps]
        opened: set[tuple[int, int]] = set()
        while runs or actions:
            if actions:
                first, count = actions.pop()
                runs += [read(records.ACTION, i)[4:6] for i in range(first, first + count)]
                continue
            first, count = runs.pop()
            for effect in [read(records.EFFECT, i) for i in range(first, first + count)]:
                what = effect[0], effect[5]
                if what in opened:
                    continue
                opened.add(what)
                if what[0] == engine.OPEN_WINDOW:
                    actions.append(read(records.WINDOW, what[1])[2:4])
                elif what[0] == engine.CHECK_DICE:
                    first_outcome, outcomes = read(records.CHECK, what[1])[6:8]
                    runs += [read(records.OUTCOME, i)[3:5] for i in range(first_outcome, first_outcome + outcomes)]
                elif what[0] == engine.RESOLVE:
                    first_row, rows = read(records.TABLE, what[1])[2:4]
                    runs += [read(records.ROW, i)[4:6] for i in range(first_row, first_row + rows)]
        return {number for kind, number in opened if kind == op}

    def _reset(self, step: int = NOBODY) -> None:
        """The state at the start; or as if a step had just been entered, with nothing on the agenda."""
        self._state.data[:] = self._start
        if step != NOBODY:
            record = self._scenario.step(step)
            self._state.clear_agenda()
            self._state.data[O_OVER] = 0
            self._state.data[O_STEP] = step
            self._state.data[O_ACTOR] = record[11]
            self._state.data[O_ROUND] = max(1, record[12])

    def _lists(self, place: str) -> None:
        """What stands in lists all the time."""
        scenario = self._scenario
        self._reset()
        for screen, kind, numbers in (
            ("counters.Counters", "counter", [scenario.counter(i)[0] for i in range(scenario.counters)]),
            ("menu.Jump", "step", [scenario.step(i)[1] for i in range(scenario.steps)]),
        ):
            if self._new(screen, *numbers):
                frames = self._show(screen)
                for number in numbers:
                    self._line(kind, number, f"{place}: {screen}", frames)
        for deck in range(scenario.decks):
            self._deck(deck, place)
        if scenario.weapons and self._new("weapons", *[scenario.weapon(i) for i in range(scenario.weapons)]):
            frames = self._show("attacks.Weapons", NOBODY, None)
            for i in range(scenario.weapons):
                self._line("weapon", scenario.weapon(i)[0], f"{place}: choice of the weapon", frames)
        if scenario.slots:
            self._units(place)

    def _show(self, screen: str, *args: object) -> list[Frame]:
        self._app.only(screen, *args)
        return self._device.walk()

    def _deck(self, deck: int, place: str) -> None:
        """The deck's page, and each of its cards."""
        state, record = self._state, self._scenario.deck(deck)
        if not self._new("deck", deck, record):
            return
        frames = self._show("decks.DeckPage", deck)
        self._line("deck", record[0], f"{place}: page of the deck", frames)
        for zone in range(record[2]):
            number = self._scenario.zone(record[1] + zone)[0]
            self._page("zone", number, f"{place}: page of the deck", frames)
        where = {state.card(deck, zone, at): (zone, at)
                 for zone in range(record[2]) for at in range(state.zone_count(deck, zone))}
        for card, at in where.items():
            title, text, _ = self._pack.record(records.CARD, record[3] + card)
            frames = self._show("cards.CardPage", deck, *at, 0)
            self._line("card", title, f"{place}: card", frames)
            if text != NONE:
                self._page("card text", text, f"{place}: card", frames)
        frames = self._show("cards.ZonePage", deck, draw_zone(state, deck))
        for card, (zone, _) in where.items():
            if zone == draw_zone(state, deck):
                self._line("card", self._pack.record(records.CARD, record[3] + card)[0], f"{place}: cards", frames)

    def _units(self, place: str) -> None:
        scenario = self._scenario
        frames = [frame for side in range(scenario.sides) or [NOBODY] for frame in self._show("roster.AddUnit", side)]
        for i in range(scenario.units):
            self._line("unit", scenario.unit(i)[0], f"{place}: choice of the unit", frames)
        if scenario.flags:
            slot = self._some_unit()
            frames = self._show("roster.UnitPage", slot)
            for i in range(scenario.flags):
                self._line("flag", scenario.flag(i)[0], f"{place}: page of a unit", frames)
            self._reset()

    def _some_unit(self) -> int:
        roster = self._state.roster
        used = [slot for slot in range(roster.slots) if roster.used(slot)]
        if not used:
            roster.field(0 if self._scenario.sides else NOBODY, 255, (1, 1, 4, 3, 0, 0))
        return used[0] if used else 0

    def _step(self, step: int, place: str) -> None:
        """The prompt or checklist of a step, its actions, its reminders."""
        record = self._scenario.step(step)
        self._reset(step)
        self._reminders(step, place)
        if not self._new("step", *record):
            return
        place = f"{place}: {self._pack.text(record[1])}"
        if record[10]:
            self._app.show_session()
            frames = self._device.walk()
            for i in range(record[9], record[9] + record[10]):
                self._page("checklist", self._pack.record(records.LINE, i)[0], place, frames)
        elif not record[14] & engine.AUTO:
            self._prompt("phase", record[0], record[1], record[2], place)
            self._offers(record[5], record[6], place)

    def _window(self, window: int, place: str) -> None:
        record = self._pack.record(records.WINDOW, window)
        if not self._new("window", window):
            return
        self._reset(min(i for i in range(self._scenario.steps) if not self._scenario.step(i)[10]))
        self._state.push(engine.WINDOW_FRAME, 0, window)
        place = f"{place}: window {self._pack.text(record[0])}"
        self._prompt("window", record[0], record[0], record[1], place)
        self._offers(record[2], record[3], place)

    def _prompt(self, kind: str, where: int, title: int, prompt: int, place: str) -> None:
        """A prompt under its status line, for every card that it may name.

        Args: kind, where: of what the status line says.
        """
        words = self._pack.text(title) + self._pack.text(prompt)
        for _ in self._focus(words):
            with every_action(self._state):
                self._app.show_session()
                frames = self._device.walk()
            self._line(kind, where, place, frames)
            if prompt != NONE:
                self._first("prompt", prompt, place, frames)
            if CARD_FIELD in words and self._state.data[O_CARD] != NOBODY:
                deck, card = self._state.data[O_DECK], self._state.data[O_CARD]
                text = self._pack.record(records.CARD, self._scenario.deck(deck)[3] + card)[1]
                if text != NONE:
                    self._page("card text", text, place, frames)
            for table in _tables(words):
                self._row(table, place, frames)
            for deck in range(self._scenario.decks):
                self._line("deck", self._scenario.deck(deck)[0], place, frames)

    def _row(self, table: int, place: str, frames: list[Frame]) -> None:
        row = engine.row_in_focus(self._state, table)
        if row is not None:
            self._first("row", row[2], place, frames)
            if row[3] != NONE:
                self._page("row text", row[3], place, frames)

    def _focus(self, words: str) -> Iterator[None]:
        """Put every card in focus that a prompt may name, one after the other."""
        tables = [self._pack.record(records.TABLE, table)[1] for table in _tables(words)]
        decks = tables or (list(range(self._scenario.decks)) if CARD_FIELD in words else [])
        if not decks:
            yield
        for deck in decks:
            for card in range(self._scenario.deck(deck)[4]):
                self._state.data[O_DECK], self._state.data[O_CARD] = deck, card
                yield

    def _offers(self, first: int, count: int, place: str) -> None:
        """The actions: each that may be the first has its place in the hint line, all theirs in the list."""
        for ahead in range(count):
            with every_action(self._state, ahead):
                self._app.show_session()
                ok = self._device.top()._ok
                frames = self._device.walk()
            for i in range(first + ahead, first + count):
                record = self._pack.record(records.ACTION, i)
                label = expand(self._state, self._pack.text(record[0]))
                if ok == f"OK {label}" and squeezed(ok) not in frames[0].all:
                    self._note("action", record[0], label, f"{place}: under OK", False, frames)
                self._line("action", record[0], place, frames)
            if not self._pack.record(records.ACTION, first + ahead)[3]:
                break  # without a condition: it is always there
        for i in range(first, first + count):
            question = self._pack.record(records.ACTION, i)[1]
            if question != NONE:
                text = expand(self._state, self._pack.text(question))
                self._app._push(Question(self._app, "", text, None))
                self._first("question", question, place, self._device.walk())

    def _reminders(self, step: int, place: str) -> None:
        for i in range(self._scenario.reminders):
            text, at, low, _, _, _ = record = self._scenario.reminder(i)
            if at == step and self._new("reminder", *record):
                self._state.data[O_ROUND] = max(1, low)
                words = expand(self._state, self._pack.text(text))
                self._app.pages("Reminders", [words], "")
                self._first("reminder", text, f"{place}: reminder", self._device.walk())
        self._reset(step)

    def _check(self, check: int, place: str) -> None:
        """The dice of a check, with each of its outcomes."""
        record = self._pack.record(records.CHECK, check)
        if not self._new("check", check):
            return
        for _ in self._focus(self._pack.text(record[0]) + self._pack.text(record[1])):
            self._reset_check(check)
            place_of = f"{place}: check {self._pack.text(record[0])}"
            frames = self._device.walk() if self._device.top()._text is not None else []
            reading = len(frames)
            for _ in range(reading and 1):
                self._device.top().event(keys.OK)
            for die in range(record[3]):
                frames.append(self._device.frame())
                number = self._pack.record(records.DIE, record[2] + die)[0]
                if number != NONE:
                    self._note("die", number, self._pack.text(number), place_of,
                               squeezed(self._pack.text(number)) in frames[-1].all, frames)
                if die < record[3] - 1:
                    self._device.top().event(keys.OK)
            for i in range(record[6], record[6] + record[7]):
                self._outcome(self._pack.record(records.OUTCOME, i)[2], place_of, frames)
            self._first("check", record[0], place_of, frames[reading:] + frames)
            if record[1] != NONE:
                self._first("check prompt", record[1], place_of, frames[reading:] + frames)

    def _reset_check(self, check: int) -> None:
        focus = self._state.data[O_DECK], self._state.data[O_CARD]
        self._reset(0)
        self._state.data[O_DECK], self._state.data[O_CARD] = focus
        self._state.push(engine.CHECK_FRAME, 0, check)
        self._app.show_session()

    def _outcome(self, number: int, place: str, before: list[Frame]) -> None:
        text = expand(self._state, self._pack.text(number))
        self._device.top()._outcome = lambda faces: text  # whatever the dice say
        self._first("outcome", number, place, [self._device.frame()])

    def _result(self, result: int, place: str) -> None:
        title, text = self._scenario.result(result)[:2]
        if not self._new("result", result, title, text):
            return
        self._reset()
        self._state.data[O_OVER], self._state.data[O_RESULT] = ENDED, result
        self._state.clear_agenda()
        self._app.show_session()
        frames = self._device.walk()
        self._first("result", title, f"{place}: result", frames)
        if text != NONE:
            self._first("result text", text, f"{place}: result", frames)


def _tables(words: str) -> list[int]:
    """The tables whose rows a text names."""
    return [ord(words[i + 1]) - 48 for i, char in enumerate(words[:-1]) if char == ROW_FIELD]


@contextmanager
def every_action(state, ahead: int = 0) -> Iterator[None]:
    """As if all actions that are offered were allowed, but for the first few."""
    known = engine.allowed

    def all_of_them(state) -> list[int]:
        first, count = engine.offered(state)
        return list(range(first + ahead, first + count))

    engine.allowed = all_of_them
    try:
        yield
    finally:
        engine.allowed = known
