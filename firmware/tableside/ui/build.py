"""Building a unit from options: an example, or group after group, then what comes of it."""

from tableside.core import commands
from tableside.core.builder import MOST, OF, Builder
from tableside.core.errors import RuleError
from tableside.core.pack import NOBODY
from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.roster import give
from tableside.ui.screen import ListScreen
from tableside.ui.widgets import COLUMNS, List, status


class Start(ListScreen):
    """The examples of a builder, then a unit of one's own.

    Args: side: whose unit it is; number: of the builder.
    """

    def __init__(self, app, side, number):
        self._side = side
        self._number = number
        self._builder = Builder(app.session.scenario, number)
        self.title = self._builder.title()
        super().__init__(app)

    def rows(self):
        """One's own first."""
        return [(texts.BUILD_ANEW, ">")] + [(self._builder.example(i)[0], ">") for i in range(self._builder.examples)]

    def chosen(self, index):
        """On to the first group, or to what the example comes to."""
        picks = self._builder.example(index - 1)[1] if index else []
        self.app.go("build.Build", self._side, self._number, picks)


class Build(ListScreen):
    """One group of options after the other, then the whole. OK picks; what may be several is ticked, then "Go on".

    Args: side, number: as of Start; picks: to begin with; those of an example show the whole at once.
    """

    leave = "↑↓ BACK"

    def __init__(self, app, side, number, picks):
        self._side = side
        self._number = number
        self._builder = Builder(app.session.scenario, number)
        self._picks = picks
        self._group = self._builder.groups if picks else 0
        super().__init__(app)

    def rows(self):
        """The options of the group, or all that is picked, under the verdict."""
        builder = self._builder
        if self._group == builder.groups:
            self._verdict = self._refusal()
            rows = [(self._verdict or texts.PUT_ON_ROSTER, "")]
            return rows + [(builder.label(pick), "") for pick in self._picks] + self._sums()
        _, fewest, most, self._first, count = builder.group(self._group)
        self._go_on = 1 if most > 1 or not fewest else 0  # rows before the options
        rows = [(texts.GO_ON, "")][: self._go_on]
        for i in range(self._first, self._first + count):
            got = self._picks.count(i)
            rows.append((builder.label(i), "\u00d7%d" % got if got > 1 else "\u2713" if got else ""))
        return rows

    def _refusal(self):
        args = (self._side, self._number) + tuple(self._picks)
        verdict, text = self.app.session.check(commands.BUILD, args)
        return "" if verdict == commands.YES else text

    def _sums(self):
        found = [self._builder.sum(i, self._picks) for i in range(self._builder.sums)]
        return [(each[0], str(each[1])) for each in found]

    def head(self, canvas):
        """The group's title and the sums, without their names where there is no room."""
        builder = self._builder
        if self._group == builder.groups:
            status(canvas, builder.title())
            return
        title = self.app.session.pack.text(builder.group(self._group)[0])
        sums = self._sums()
        told = " ".join(["%s %s" % each for each in sums])
        if len(title) + 1 + len(told) > COLUMNS:
            told = " ".join([number for _, number in sums])
        status(canvas, title, told)

    def ok_hint(self):
        """To add the unit, to go on, or to pick."""
        cursor = self.list.cursor
        if self._group == self._builder.groups:
            return "" if cursor or self._verdict else "OK " + texts.ADD
        if cursor < self._go_on:
            return "OK " + texts.NEXT
        return "OK " + (texts.UNTICK if self._full(self._first + cursor - self._go_on) else texts.CHOOSE)

    def _most(self):
        return self._builder.group(self._group)[2]

    def _full(self, option):
        """Whether OK takes an option off again."""
        return self._most() > 1 and self._picks.count(option) >= self._builder.option(option)[MOST]

    def chosen(self, index):
        """Add the unit, go on, or pick."""
        if self._group == self._builder.groups:
            if not index and not self._verdict:
                give(self.app, commands.BUILD, (self._side, self._number) + tuple(self._picks), (self._side, -1))
        elif index < self._go_on:
            self._turn(1)
        else:
            self._pick(self._first + index - self._go_on)

    def _pick(self, option):
        one = self._most() == 1
        before = self._picks
        if one:
            _, _, _, first, count = self._builder.group(self._group)
            for other in range(first, first + count):
                self._take_off(other)
        elif self._full(option):
            self._take_off(option)
            self._refresh()
            return
        at = self._end()
        try:
            self._builder.check_add(self._picks[:at], option)
        except RuleError as error:
            self._picks = before
            self.app.say(error.words())
            return
        self._picks = self._picks[:at] + [option] + self._picks[at:]
        if one:
            self._turn(1)
        else:
            self._refresh()
            if self._full(option):
                self.list.move_to(0)  # "Go on": to pick another, UP leads to the last row

    def _end(self):
        """Where the picks of this group end."""
        at = 0
        while at < len(self._picks) and self._builder.group_of(self._picks[at]) <= self._group:
            at += 1
        return at

    def _take_off(self, option):
        """Take an option off, with what altered it."""
        kept = []
        gone = False
        for pick in self._picks:
            gone = pick == option or gone and self._builder.option(pick)[OF] != NOBODY
            if not gone:
                kept.append(pick)
        self._picks = kept

    def _refresh(self):
        self.list = List(self.rows(), self.list.cursor)

    def _turn(self, step):
        self._group += step
        self.list = List(self.rows())
        if self._group < self._builder.groups:
            self.list.move_to(self._go_on if self._most() > 1 else 0)

    def event(self, key):
        """BACK goes to the group before; from the first it leaves. UP from the first row leads to the last."""
        if key == keys.BACK and self._group:
            self._turn(-1)
        elif key == keys.UP and not self.list.cursor:
            self.list.move_to(len(self.list.rows) - 1)
        else:
            super().event(key)

