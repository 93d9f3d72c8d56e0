"""Keying in the dice of a stage: how many fell into each bin, or face by face; what is picked up again; decisions."""

from tableside.core import commands, stages
from tableside.core.attack import ENTRIES
from tableside.core.fields import unit_name
from tableside.core.pack import NOBODY
from tableside.core.record import KIND
from tableside.core.stage_words import bin_word, title
from tableside.ui import font_large, font_normal, font_small, texts
from tableside.ui import input as keys
from tableside.ui.attack_flow import side_of, stage_screen, throw
from tableside.ui.screen import ListScreen, Screen
from tableside.ui.settings import ENTRY_DEVICE, ENTRY_FACES
from tableside.ui.widgets import fit, hint, status

_GROUP = "group_"  # options that are groups of the target begin so; the first is 1
_TALL_BINS = 3  # so many have room in the normal face
_FIRST_FACE = 4
_GAP = 8
_EXPECTED_X = 104
_LARGE_X = 92


def faces_text(stage, low, high):
    """For example "6", "3+" or "1-2"."""
    if low == high:
        return str(low)
    return "%d+" % low if high == stage.bins[len(stage.bins) - 1][1] else "%d-%d" % (low, high)


def first_face(stage):
    """The face that a die begins with."""
    return min(_FIRST_FACE, stages.face_of(stage, stage.sides - 1))


def turned(stage, face, step):
    """The face after so many steps; after the last comes the first."""
    low = stages.face_of(stage, 0)
    return (face - low + step) % stage.sides + low


def tenths(number, by):
    """number / by with one decimal, rounded."""
    value = (20 * number + by) // (2 * by)
    return "%d.%d" % (value // 10, value % 10)


def back_a_stage(app):
    """Take back the stage before, to correct it; before the first are the numbers of the attack."""
    if not app.session.state.attack.get(ENTRIES):
        app.only("setup.Setup")
    elif app.session.record(app.session.last())[0].kind & KIND in (commands.STAGE, commands.THROW, commands.DECIDE):
        record = app.session.undo()
        app.only(stage_screen(app.session.state), record.args)
    else:
        app.undo()  # something else was done since, such as a change of the roster: say what it was


def status_line(app, canvas, stage, extra=""):
    """Which stage it is, and whose; if the target is several units, which."""
    status(canvas, title(stage.id) + extra, side_of(app.session.state, stage))


class Bins(Screen):
    """The counts of the bins, from the rarest to the commonest; the last fills itself.

    Each begins at its most likely count of what the bins before it leave. OK leaves the bin, the last OK the stage;
    BACK corrects the bin before, then the stage before.

    Args: counts: to begin with; those that are likely if empty.
    """

    def __init__(self, app, counts=()):
        super().__init__(app)
        self._stage = stage = app.session.state.attack.stage()
        bins = stage.bins
        self._order = sorted(range(len(bins)), key=lambda i: (bins[i][1] - bins[i][0]) * 16 - i)
        self._counts = list(counts) if len(counts) == len(bins) else stages.likely(stage)
        self._start = list(self._counts)
        self._at = 0
        self._by_device = not counts and app.settings.get("entry") == ENTRY_DEVICE
        self._faces = []  # of dice keyed in one by one
        self._face = first_face(stage)
        # A few dice over many bins take fewer presses face by face.
        few = 2 * stage.dice <= len(bins)
        self._one_by_one = not counts and (few or app.settings.get("entry") == ENTRY_FACES)

    def cancel(self):
        """Begin again."""
        changed = self._at > 0 or self._counts != self._start or bool(self._faces)
        self._at = 0
        self._counts = list(self._start)
        self._faces = []
        return changed

    def _fixed(self):
        return sum(self._counts[i] for i in self._order[: self._at])

    def _change(self, step):
        """One die more or less in this bin; the bins after it share the rest as is likely."""
        bin = self._order[self._at]
        left = self._stage.dice - self._fixed()
        self._counts[bin] = min(left, max(0, self._counts[bin] + step))
        after = self._order[self._at + 1 :]
        rest = stages.dice("", 0, left - self._counts[bin], [self._stage.bins[i] for i in after], self._stage.sides)
        for i, count in zip(after, stages.likely(rest)):
            self._counts[i] = count

    def draw(self, canvas):
        """The bins with their counts, rolled beside expected."""
        stage = self._stage
        status_line(self.app, canvas, stage, " \u00d7%d" % (stage.dice or sum(self._counts)))
        tall = len(stage.bins) <= _TALL_BINS
        draw = self._draw_tall if tall else self._draw_small
        for i in range(len(stage.bins)):
            draw(canvas, i)
        if self._by_device:
            hint(canvas, "OK " + texts.ROLL, "↑↓ " + texts.BY_HAND)
            return
        if self._one_by_one:
            hint(canvas, "OK %s %d/%d" % (texts.DIE, len(self._faces) + 1, stage.dice), "↑↓")
            canvas.fill(_LARGE_X - 4, 1, canvas.width - _LARGE_X + 4, 4, 0)
            canvas.text(str(self._face), _LARGE_X, 1, font_large)
            return
        hint(canvas, "OK " + (texts.ENTER if self._is_last() else texts.NEXT), "↑↓ BACK")

    def _is_last(self):
        """Whether the bins after this one fill themselves: the last one does, and all when no dice are left."""
        left = self._stage.dice - self._fixed() - self._counts[self._order[self._at]]
        return self._at >= len(self._order) - 2 or not left

    def _shown(self, i):
        if self._by_device:
            return "-"
        if self._one_by_one:
            low, high, _ = self._stage.bins[i]
            return str(sum(1 for face in self._faces if low <= face <= high))
        return str(self._counts[i])

    def _current(self, i):
        return not self._by_device and not self._one_by_one and self._order[self._at] == i

    def _draw_tall(self, canvas, i):
        low, high, name = self._stage.bins[i]
        page = 1 + 2 * i
        faces, expected = faces_text(self._stage, low, high), self._expected(low, high)
        room = _EXPECTED_X - _GAP - font_small.WIDTH * (len(faces) + len(expected))
        x = canvas.text(fit(bin_word(name), room // font_normal.WIDTH), 0, page, font_normal)
        canvas.text(faces, x + 5, page + 1, font_small)
        canvas.right(expected, _EXPECTED_X, page + 1, font_small)
        canvas.right(self._shown(i), canvas.width - 2, page, font_normal)
        if self._current(i):
            canvas.invert(0, page, canvas.width, 2)

    def _draw_small(self, canvas, i):
        low, high, name = self._stage.bins[i]
        row = i
        if len(self._stage.bins) > 6:
            row = i - max(0, min(len(self._stage.bins) - 6, self._order[self._at] - 3))
            if not 0 <= row < 6:
                return
        faces = faces_text(self._stage, low, high)
        text = faces if name == faces else "%s %s" % (bin_word(name), faces)
        canvas.text(fit(text, 9), 2, 1 + row, font_small)
        canvas.right(self._shown(i), _LARGE_X - 18, 1 + row, font_small)
        if self._current(i):
            canvas.invert(0, 1 + row, _LARGE_X - 16, 1)
            canvas.text(self._shown(i), _LARGE_X, 1, font_large)
            canvas.text(texts.EXPECTED, _LARGE_X - 8, 4, font_small)
            canvas.text(self._expected(low, high), _LARGE_X - 8, 5, font_small)

    def _expected(self, low, high):
        return tenths(self._stage.dice * (high - low + 1), self._stage.sides)

    def event(self, key):
        """UP and DOWN change the count, OK goes on, BACK back."""
        if self._by_device and key in (keys.UP, keys.DOWN):
            self._by_device = False
        elif self._by_device and key == keys.OK:
            throw(self.app, self._stage)
        elif self._one_by_one and key != keys.BACK:
            self._key_face(key)
        elif key in (keys.UP, keys.DOWN):
            self._change(1 if key == keys.UP else -1)
        elif key == keys.OK:
            if self._is_last():
                self.app.do(commands.STAGE, tuple(self._counts))
            else:
                self._at += 1
        elif key == keys.BACK:
            if self._faces:
                self._face = self._faces.pop()
            elif self._at:
                self._at -= 1
            else:
                back_a_stage(self.app)

    def _key_face(self, key):
        if key == keys.OK:
            self._faces.append(self._face)
            self._face = first_face(self._stage)
            if len(self._faces) == self._stage.dice:
                faces, self._faces = self._faces, []
                self.app.do(commands.STAGE, tuple(stages.counts_of(self._stage, faces)))
        else:
            self._face = turned(self._stage, self._face, 1 if key == keys.UP else -1)


class Die(Screen):
    """A single die, picked as a face: it starts at 4 and wraps.

    Args: counts: of its bins, to begin with.
    """

    def __init__(self, app, counts=()):
        super().__init__(app)
        self._stage = stage = app.session.state.attack.stage()
        self._face = first_face(stage)
        for i, count in enumerate(counts):
            if count and i < len(stage.bins) and self._bin() != i:
                self._face = stage.bins[i][0]
        self._by_device = not counts and app.settings.get("entry") == ENTRY_DEVICE

    def _bin(self):
        for i, (low, high, _) in enumerate(self._stage.bins):
            if low <= self._face <= high:
                return i
        return 0

    def draw(self, canvas):
        """The face in large digits, and what each bin means."""
        stage = self._stage
        status_line(self.app, canvas, stage)
        canvas.text("-" if self._by_device else str(self._face), 8, 2, font_large)
        first = max(0, min(len(stage.bins) - 6, self._bin() - 3))
        for i, (low, high, name) in enumerate(stage.bins[first : first + 6]):
            faces = faces_text(stage, low, high)
            canvas.text(faces if faces == name else "%s %s" % (faces, bin_word(name)), 50, 1 + i, font_small)
            if first + i == self._bin() and not self._by_device:
                canvas.invert(48, 1 + i, canvas.width - 48, 1)
        if self._by_device:
            hint(canvas, "OK " + texts.ROLL, "↑↓ " + texts.BY_HAND)
        else:
            hint(canvas, "OK " + texts.ENTER, "↑↓ BACK")

    def event(self, key):
        """UP and DOWN turn the die, OK enters it, BACK corrects the stage before."""
        if key in (keys.UP, keys.DOWN):
            if self._by_device:
                self._by_device = False
                return
            self._face = turned(self._stage, self._face, 1 if key == keys.UP else -1)
        elif key == keys.OK and self._by_device:
            throw(self.app, self._stage)
        elif key == keys.OK:
            self.app.do(commands.STAGE, tuple(stages.counts_of(self._stage, (self._face,))))
        elif key == keys.BACK:
            back_a_stage(self.app)


class _Rows(ListScreen):
    """A stage that is answered with a row of a list."""

    def __init__(self, app):
        self._stage = app.session.state.attack.stage()
        super().__init__(app)

    verb = texts.CHOOSE
    leave = "↑↓ BACK"

    def head(self, canvas):
        """The stage."""
        status_line(self.app, canvas, self._stage)

    def event(self, key):
        """BACK corrects the stage before."""
        if key == keys.BACK:
            back_a_stage(self.app)
        else:
            super().event(key)


class Pick(_Rows):
    """Which dice are picked up again: what is sensible first, then all that has a short name, then bin by bin.

    Args: counts: what was picked up before a correction.
    """

    def __init__(self, app, counts=()):
        self._counts = tuple(counts)
        super().__init__(app)

    def rows(self):
        """Each row is a choice of counts."""
        stage = self._stage
        none = (0,) * len(stage.bins)
        picks = [tuple(stage.default)]
        if len(self._counts) == len(none):
            picks.insert(0, self._counts)
        picks.append(none)
        some = list(none)
        for i, limit in enumerate(stage.limits):
            alone = list(none)
            alone[i] = min(limit, stage.most)
            some[i] = limit
            picks.append(tuple(alone))
            picks.append(tuple(some))
        self._picks = []
        for counts in picks:
            mixed = stage.alone and max(counts) != sum(counts)
            if counts not in self._picks and sum(counts) <= stage.most and not mixed:
                self._picks.append(counts)
        return [(self._text(counts), "") for counts in self._picks] + [(texts.OTHER, ">")]

    def _text(self, counts):
        parts = ["%d %s" % (n, bin_word(bin[2])) for n, bin in zip(counts, self._stage.bins) if n]
        return " + ".join(parts) or texts.KEEP_ALL

    def chosen(self, index):
        """Pick these up."""
        if index < len(self._picks):
            self.app.do(commands.STAGE, self._picks[index])
        else:
            self.app.go("stage.PickCounts")


class PickCounts(Bins):
    """Picking up any number of dice of each bin."""

    def __init__(self, app, counts=()):
        super().__init__(app, counts)
        self._counts = list(self._stage.default)
        self._start = list(self._counts)
        self._order = [i for i, limit in enumerate(self._stage.limits) if limit]
        self._by_device = self._one_by_one = False

    def _change(self, step):
        bin = self._order[self._at]
        others = sum(self._counts) - self._counts[bin]
        most = min(self._stage.limits[bin], self._stage.most - others)
        self._counts[bin] = min(most, max(0, self._counts[bin] + step))

    def _expected(self, low, high):
        return ""

    def _is_last(self):
        return self._at == len(self._order) - 1

    def event(self, key):
        """OK on the last bin picks them up, BACK from the first leaves to the list."""
        if key == keys.BACK and not self._at:
            self.app.back()
        else:
            super().event(key)


class Decision(_Rows):
    """One of several; the cursor is on what is sensible.

    Args: counts: the number of the one that was taken before a correction.
    """

    def __init__(self, app, counts=()):
        super().__init__(app)
        at = counts[0] if len(counts) == 1 else self._stage.default
        for _ in range(at):
            self.list.move(1)

    def rows(self):
        """The options."""
        return [(self._title(option), "") for option in self._stage.options]

    def _title(self, option):
        """Its word; of a group the unit."""
        state = self.app.session.state
        if option[: len(_GROUP)] == _GROUP:
            slot = state.attack.slot(int(option[len(_GROUP) :]) - 1)
            if slot != NOBODY and state.roster.used(slot):
                return unit_name(state, slot)
        return title(option)

    def chosen(self, index):
        """Take it."""
        self.app.do(commands.DECIDE, (index,))
