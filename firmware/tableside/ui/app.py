"""The app: one step function that turns button levels into commands and pictures. Nothing in it blocks or sleeps."""

import sys

from tableside.core import commands, engine
from tableside.core.pack import Pack
from tableside.core.record import KIND
from tableside.core.session import Session, read_head
from tableside.core.state import O_STEP
from tableside.core.ticks import ticks_diff
from tableside.ui import input as keys
from tableside.ui import texts
from tableside.ui.canvas import Canvas, wrap
from tableside.ui.screen import Message, Pager, Question
from tableside.ui.widgets import COLUMNS, fits, paragraph

_TOAST_ROWS = 2
_RETRY_MS = 1000  # of a display or a flash that did not answer


class App:
    """Screens, the session and what they need.

    Args:
        display: has `show(buffer)`, which sends what changed, and everything after it raised OSError.
        store: has `numbers()`, `new()` and `open(number)`, see `hw.store.Store`.
        entropy: a function that gives a fresh seed.
        packs: lists the compiled packs: a function that gives {id: path}.
        report: called with every exception that the error boundary catches.
    """

    def __init__(self, display, store, entropy, packs, report):
        self.store = store
        self.entropy = entropy
        self.packs = packs
        self.session = None
        self.toast = ""
        self._display = display
        self._report = report
        self._canvas = Canvas()
        self._input = keys.Input()
        self._stack = []
        self._dirty = True  # the screen is to be drawn
        self._shown = False  # the canvas has reached the display
        self._save_failed_ms = -1
        self._display_lost_ms = -1
        self.now_ms = 0
        self.go("home.Home")

    # --- one step ----------------------------------------------------------------------------------------------

    def step(self, now_ms, down, pressed):
        """One turn of the main loop: at most one key event, then the pixels, then the flash.

        Args: now_ms: wraps at 2**30; down, pressed: masks of the buttons held and of the edges since the last step.
        """
        self.now_ms = now_ms
        event = self._input.update(now_ms, down, pressed)
        try:
            screen = self._stack[len(self._stack) - 1]
            if event:
                self._event(screen, event)
                self._dirty = True
            elif screen.tick(now_ms):
                self._dirty = True
            if self._dirty:
                self._draw()
                self._dirty = False
        except Exception as error:  # noqa: BLE001 - the error boundary: the game goes on
            self._failed(error, texts.ERROR_KEPT)
        if not self._shown:
            self._show(now_ms)
        self._save(now_ms, event)

    def _event(self, screen, event):
        self.toast = ""
        if screen.secret:
            screen.event(event)
        elif event == keys.BACK_LONG and self.session is not None:
            self.undo()
        elif event == keys.OK_LONG and self.session is not None:
            if screen.has_menu:
                self.go("menu.Menu")
        else:
            screen.event(event)

    def _draw(self):
        self._shown = False
        self._canvas.clear()
        self._stack[len(self._stack) - 1].draw(self._canvas)
        if self.toast:
            rows = min(_TOAST_ROWS, len(wrap(self.toast, COLUMNS)))
            self._canvas.fill(0, 7 - rows, self._canvas.width, rows, 0)
            paragraph(self._canvas, self.toast, 7 - rows, rows, False)

    def _show(self, now_ms):
        if self._display_lost_ms >= 0 and ticks_diff(now_ms, self._display_lost_ms) < _RETRY_MS:
            return
        try:
            self._display.show(self._canvas.buf)
            self._display_lost_ms = -1
            self._shown = True
        except OSError as error:
            if self._display_lost_ms < 0:
                self._report(error)
            self._display_lost_ms = now_ms

    def _save(self, now_ms, event):
        """Save; what has failed is tried again at the next key or after a while, not in every step."""
        if self.session is None:
            return
        failed = self._save_failed_ms >= 0
        if failed and not event and ticks_diff(now_ms, self._save_failed_ms) < _RETRY_MS:
            return
        try:
            self.session.save()
            self._save_failed_ms = -1
        except OSError as error:
            self._save_failed_ms = now_ms
            if not failed:
                self._failed(error, texts.NOT_SAVED)

    def _failed(self, error, what):
        self._report(error)
        self._push(Message(self, texts.ERROR, "%s%s: %s" % (what, type(error).__name__, error)))
        self._draw()

    # --- going from screen to screen ---------------------------------------------------------------------------

    def go(self, name, *args):
        """Put a screen on top: "module.Class" in this package, imported now if it was not before."""
        module, screen = name.split(".")
        path = "tableside.ui." + module
        __import__(path)
        self._push(getattr(sys.modules[path], screen)(self, *args))

    def _push(self, screen):
        """A secret never stays below another screen, which would bring it back."""
        if self._stack and self._stack[len(self._stack) - 1].secret:
            self._stack.pop()
        self._stack.append(screen)

    def ask(self, title, text, answer):
        """Put a yes/no question on top."""
        self._push(Question(self, title, text, answer))

    def pages(self, title, pages, empty):
        """Put some texts on top, to be read one by one."""
        self._push(Pager(self, title, pages, empty))

    def tell(self, title, text):
        """Put a message on top."""
        self._push(Message(self, title, text))

    def say(self, text):
        """A few words on this screen until the next key; as a message if they are too many."""
        if fits(text, _TOAST_ROWS):
            self.toast = text
        else:
            self.tell("", text)

    def back(self):
        """Leave the top screen; the lowest one stays."""
        if len(self._stack) > 1:
            self._stack.pop()

    def home(self):
        """Back to the home screen; the session stays in its log. While that cannot be written, the game stays open."""
        try:
            self.close()
        except OSError as error:
            self._failed(error, texts.NOT_SAVED)
            return
        self._stack = []
        self.go("home.Home")

    def close(self):
        """Save the session and let go of it. Raises OSError, and keeps it, if it cannot be written."""
        if self.session is not None:
            self.session.close()
            self.session = None

    def show_session(self):
        """Put the screen that the session's state calls for above the home screen."""
        self._stack = self._stack[:1]
        state = self.session.state
        frame = state.top()
        if self.session.over():
            self.go("result.Result")
        elif frame is None and self.session.scenario.step(state.data[O_STEP])[10]:
            self.go("checklist.Checklist")
        elif frame is not None and frame[0] == engine.CHECK_FRAME:
            self.go("dice.Dice")
        else:
            self.go("play.Play")

    # --- the session -------------------------------------------------------------------------------------------

    def open_pack(self, pack_id):
        """Open a pack of this device. Raises OSError or PackError."""
        path = self.packs().get(pack_id)
        if path is None:
            raise OSError(2, texts.OTHER_PACK + " " + pack_id)
        return Pack(open(path, "rb"))  # noqa: SIM115 - the pack keeps it

    def begin(self, pack_id, scenario):
        """Start a new session of a pack's scenario."""
        self.session = Session.new(self.open_pack(pack_id), scenario, self.entropy(), self.store.new())
        self.show_session()

    def load(self, number):
        """The session with this number. Raises OSError or ValueError if it cannot be taken up."""
        log = self.store.open(number)
        return Session.resume(self.open_pack(read_head(log.head)[0]), log)

    def resume(self, number):
        """Take up a saved session, or say why not."""
        try:
            self.session = self.load(number)
        except (OSError, ValueError) as error:
            self.tell(texts.GAMES, str(error))
            return
        self.show_session()

    def do(self, kind, args=()):
        """Give a command: a refusal is told, a question asked first."""
        verdict, text = self.session.check(kind, args)
        if verdict == commands.NO:
            self.say(text)
        elif verdict == commands.ASK:
            self.ask(self.title(kind, args), text, lambda: self._do(kind, args))
        else:
            self._do(kind, args)

    def _do(self, kind, args):
        self.session.do(kind, args)
        self.show_session()

    def title(self, kind, args):
        """The title of a command."""
        from tableside.core.titles import command_title

        return command_title(self.session.state, kind, args)

    def undo(self):
        """Take back the last command and say which."""
        if self.session.can_undo():
            self._say(texts.UNDONE, self.session.undo())
        else:
            self.toast = texts.NOTHING_TO_UNDO

    def redo(self):
        """Do again what was undone and say what."""
        if self.session.can_redo():
            self._say(texts.REDONE, self.session.redo())
        else:
            self.toast = texts.NOTHING_TO_REDO

    def _say(self, what, record):
        self.show_session()
        self.say(what + self.title(record.kind & KIND, record.args))
