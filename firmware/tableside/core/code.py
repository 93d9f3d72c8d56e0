"""A pack's own code, where data cannot say a game: what it may do, and how it asks the players.

The code is modules of `games/SYSTEM`; `rules` is the one that the engine calls:

    CALLS                    names of its entries, for effects `call NAME [VALUE]`
    KEPT                     names of the modules that stay; others are dropped when a key has not needed them
    call(g, entry, value)    such an effect
    run(g, step, value)      a frame that `g.push` has put on the agenda
    question(g, kind, value) the Question of a frame that `g.ask` has put there: it waits for the players
    answer(g, kind, value, option)   their answer; the frame is gone
    fixes(g)                 names of corrections by hand, for any moment
    fix(g, number)           makes one, or asks what it needs
    sound(g)                 whether the bytes of its state can be. A log may say anything
    summary(g)               a line that is shown beside questions, or nothing
    pages(g)                 titles of its pages
    page(g, number)          a Page. It changes nothing

`g` is a Code. A game has no other memory than `g.data`, the bytes that a scenario gives to its code, and what else the
state holds: so undo, replay and digests work as for everything. `value` has 16 bits with a sign.
"""

from tableside.core import engine, load
from tableside.core.errors import RuleError
from tableside.core.pack import FIGURE, FIGURES, NOBODY, WORD
from tableside.core.state import O_OVER, O_ROUND

BY_HAND = 100  # the first answer that is none, but a correction: the tracker never blocks the table


class Question:
    """What is asked.

    Attributes: title: where we are; text: what is asked; options: the answers in words, the likeliest first; side: who
        answers, or NOBODY for all; secret: whether only that side may see it; die: whether the options are the faces
        of a die in order, from 0, and their words what each face does; rows: for each option the row of the first page
        that it is about, or NOBODY; empty if they are about none; details: for each option more words, or empty.
    """

    def __init__(self, title, text, options, side=NOBODY):
        self.title = title
        self.text = text
        self.options = options
        self.side = side
        self.secret = self.die = False
        self.rows = self.details = ()


class Page:
    """A page of rows with three cells.

    Attributes: title; rows: a list of (left, middle, right, mark, detail); mark: -1 if the middle points to the left, 1
        to the right, 0 to none of them; detail: what is said while the cursor is there.
    """

    def __init__(self, title, rows):
        self.title = title
        self.rows = rows


class Code:
    """The pack's code in one state. Args: at: where its bytes begin."""

    def __init__(self, state, at):
        self.state = state
        self._pack = state.scenario.pack
        self._used = []  # modules, since they were tidied last
        self.data = memoryview(state.data)[at : at + state.scenario.code_bytes]

    def part(self, name):
        """A module of the code."""
        if name not in self._used:
            self._used.append(name)
        return load.load(self._pack, name)

    def tidy(self):
        """Drop the modules that were not used since this was called last, but those of KEPT."""
        kept = self.part(load.MAIN).KEPT
        used = self._used
        load.forget(lambda path: path.count(".") < 2 or path.split(".")[2] in kept or path.split(".")[2] in used)
        self._used = []

    def drop(self):
        """Drop all modules: the game is left."""
        load.forget()

    # What the engine calls.

    def call(self, entry, value):
        """An effect line."""
        self.part(load.MAIN).call(self, entry, value)

    def run(self, step, value):
        """A frame of the code."""
        self.part(load.MAIN).run(self, step, value)

    def question(self):
        """The Question of the frame that waits."""
        _, kind, value = self.state.top()
        question = self.part(load.MAIN).question(self, kind, value)
        if not question.options:
            raise RuleError("a question without an answer", kind)
        return question

    def answer(self, option):
        """Take the players' answer to it."""
        if option >= BY_HAND:
            self.part(load.MAIN).fix(self, option - BY_HAND)
            return
        _, kind, value = self.state.top()
        self.state.pop()
        self.part(load.MAIN).answer(self, kind, value, option)

    def fixes(self):
        """The names of the corrections by hand."""
        return self.part(load.MAIN).fixes(self)

    def sound(self):
        """Whether its bytes can be."""
        return self.part(load.MAIN).sound(self)

    def summary(self):
        """A line for the players."""
        return self.part(load.MAIN).summary(self)

    def pages(self):
        """The titles of its pages."""
        return self.part(load.MAIN).pages(self)

    def page(self, number):
        """A Page."""
        return self.part(load.MAIN).page(self, number)

    # What the code may use, besides `state` itself.

    def push(self, step, value=0):
        """Put a step on the agenda: what was put there later comes first."""
        self.state.push(engine.CODE_FRAME, step, value)

    def ask(self, kind, value=0):
        """Put a question on the agenda."""
        self.state.push(engine.ASK_FRAME, kind, value)

    def text(self, number):
        """A text of the code, by its number."""
        return self._pack.text(self._pack.record(WORD, number)[0])

    def row(self, table, row):
        """A row of a table of the code, as bytes."""
        first, count, columns = self._pack.record(FIGURES, table)
        if not 0 <= row < count // columns:
            raise RuleError("no such row", row)
        return self._pack.raw(FIGURE, first + row * columns, columns)

    def below(self, count):
        """A random number 0 .. count - 1: it comes to light."""
        self.state.revealed = True
        return self.state.rng.below(count)

    def round(self):
        """The number of the round."""
        return self.state.data[O_ROUND]

    def actor(self, side):
        """Set whose turn it is."""
        engine.set_actor(self.state, side)

    def over(self):
        """Whether the game has ended."""
        return bool(self.state.data[O_OVER])

    def finish(self, result):
        """End the game with a result of the pack; the agenda is empty then."""
        engine.finish(self.state, result)
