"""The app: one step function that turns button levels into commands and pictures. Nothing in it blocks or sleeps."""

import gc

from tableside import rules
from tableside.core import commands, engine
from tableside.core.record import REVEALED
from tableside.core.state import O_ACTOR, O_STEP
from tableside.core.ticks import ticks_diff
from tableside.ui import font_small, language, panel, texts
from tableside.ui import input as keys
from tableside.ui.canvas import Canvas
from tableside.ui.failures import words
from tableside.ui.manners import Manners
from tableside.ui.modules import PACKAGE
from tableside.ui.settings import Settings
from tableside.ui.widgets import COLUMNS, clip, fits

_AT_HOME, _AT_PLAY, _AT_DICE, _THREE_KEYS = range(4)  # hints for the first use; the settings keep a bit of each
_KEPT = PACKAGE + ".play"  # of a game, for the screen of most commands
_TOAST_ROWS = 2
_MOVES = (keys.UP, keys.DOWN)


class App:
    """Screens, the session and what they need.

    Args: device: the hardware, as attributes:
        display: has `show(buffer)`, which sends what changed and everything after it raised OSError, `contrast(value)`,
            `power(on)` and `rotate(upside_down)`;
        modules: what was imported for a time, see `ui.modules.Modules`;
        store, packs, settings: see `hw.store.Store`, `hw.installed.Packs` and `hw.files.SmallFile`;
        languages: of the interface, see `hw.installed.Languages`;
        campaigns: a Store whose heads are the books of campaigns, see `core.book`;
        roster: a SmallFile, the club's names, see `ui.players`;
        keys: how many buttons there are, 4 or 3; name: of the board;
        entropy(): gives a fresh seed; memory(): free bytes of RAM and of the file system;
        buzzer(on), or None; battery_low_mv: when its supply is low, 0 if it cannot sense `battery_mv()`;
        lamp(on): the LED; report(error): called with every exception that the error boundary catches.
    now_ms: the time.
    """

    def __init__(self, device, now_ms):
        self.device = device
        self.settings = Settings(device.settings)
        self._speak()
        self.session = None
        self.clock = None  # of the session, if the settings want one
        self.toast = ""
        self.remembered = {}  # what the dice tools keep while the device is on
        self._canvas = Canvas()
        self._input = keys.Input(device.keys)
        self._panel = panel.Panel(device, self.settings, now_ms)
        self._manners = Manners(device, self.settings, now_ms)
        self._stack = []
        self._modules = device.modules
        self._resolver = ""  # the module that was asked for last, since the last key
        self._dirty = True  # the screen is to be drawn
        self._drawn = None  # the screen as the canvas has it, with nothing over it
        self._later = None  # what takes long, to be done when the screen has said so
        self._save_failed_ms = -1
        self._litter = False  # a key has left garbage
        self._leave_attack = False  # it has failed: the table is shown, from where it may be given up
        self.now_ms = now_ms
        self.restart()
        if self.settings.fault:
            self.tell(texts.SETTINGS, self.settings.fault)
        else:
            self.hint(_AT_HOME if device.keys > 3 else _THREE_KEYS)
        self.orient()

    # --- one step ----------------------------------------------------------------------------------------------

    def step(self, now_ms, down, pressed):
        """One turn of the main loop: at most one key event, then the pixels, then the flash.

        Args: now_ms: wraps at 2**30; down, pressed: masks of the buttons held and of the edges since the last step.
        """
        self.now_ms = now_ms
        event = keys.NOTHING
        try:
            told = self._panel.step(now_ms, down | pressed)
            if told == panel.WOKE:
                self._input.swallow(now_ms)
            elif told == panel.SLEEPS:
                self._cover()
            event = self._input.update(now_ms, down, pressed)
            screen = self._stack[len(self._stack) - 1]
            if self._later is not None:
                later = self._later
                self._later = None
                self.toast = ""
                later()
                self._dirty = True
            elif event:
                self._event(screen, event)
                self._dirty = True
            elif not self._panel.asleep() and screen.tick(now_ms):
                self._dirty = True
            elif self._litter and not down:
                screen.prepare()
            if self.clock is not None:
                self._follow_time(now_ms)
            if self._dirty:
                self._draw(event)
                self._dirty = False
        except Exception as error:  # noqa: BLE001 - the error boundary: the game goes on
            self._stack = []  # whatever was shown may not fit the game any more
            self._modules.forget(self._needed)  # and memory may be what failed
            self._leave_attack = True
            self._failed(error, texts.ERROR_KEPT if self.session is not None else "")
        self._panel.show(now_ms, self._canvas.buf)
        self._save(now_ms, event)
        if self.clock is not None and not event and self.clock.due(down):
            self._save_clock()
        told = self._manners.step(now_ms, event)
        if told:
            self.say(told)
            self._dirty = True
        if event:
            self._modules.forget(self._needed, self._spares())
            self._resolver = ""
            if self.session is not None and self.session.state.code is not None:
                self.session.state.code.tidy()
            self._litter = True
        elif not down:
            self._tidy()

    def _follow_time(self, now_ms):
        told = self.clock.step(now_ms)
        if told:
            self._dirty = True
            if told > 1:  # the round takes longer than it should
                self._manners.warn(now_ms)

    def _save_clock(self):
        """Keep its times; what fails is tried again as late as if it had not."""
        try:
            self.clock.save()
        except OSError as error:
            self.device.report(error)
        gc.collect()

    def _set_clock(self):
        """Begin or end the clock, as the settings want it."""
        if self.session is None or not self.settings.get("clock"):
            if self.clock is not None:
                self._save_clock()
            self.clock = None
        elif self.clock is None:
            from tableside.ui.turn_clock import TurnClock  # most games are played without

            try:
                self.clock = TurnClock(self.session, self.settings.get("round_min"), self.now_ms)
            except OSError as error:  # the game goes on without
                self.device.report(error)
        else:
            self.clock.target_min = self.settings.get("round_min")

    def _tidy(self):
        """What takes a moment and is to be out of the way before the next key."""
        if self._litter:
            if self._spares():
                self._modules.forget(self._needed)  # titles of an attack that is over
            gc.collect()
            self._litter = False
        elif self._modules.cold:
            self._modules.warm_up()

    def _cover(self):
        """The panel sleeps, and whoever wakes it may be somebody else: a secret is put away."""
        if self._stack[len(self._stack) - 1].secret:
            self.back()
            self._dirty = True

    def _event(self, screen, event):
        self.toast = ""
        if screen.every_key or screen.secret:
            screen.event(event)
        elif event == keys.BACK_LONG and self.session is not None:
            if screen.cancel():
                self.toast = texts.DROPPED
            else:
                self.undo()
        elif event == keys.OK_LONG and self.session is not None:
            if screen.has_menu:
                self.go("menu.Menu")
        else:
            screen.event(event)

    def _draw(self, event=keys.NOTHING):
        self._panel.drawn()
        screen = self._stack[len(self._stack) - 1]
        if event in _MOVES and screen is self._drawn and not self.toast and screen.draw_move(self._canvas):
            return
        self._drawn = None if self.toast else screen
        self._canvas.clear()
        screen.draw(self._canvas)
        if self.toast:
            lines = clip(self.toast, COLUMNS, _TOAST_ROWS)
            page = 7 - len(lines)
            self._canvas.fill(0, page, self._canvas.width, len(lines), 0)
            for line in lines:
                self._canvas.text(line, 0, page, font_small)
                page += 1

    def _save(self, now_ms, event):
        """Save; what has failed is tried again at the next key or after a while, not in every step."""
        before = self._save_failed_ms
        if before >= 0 and not event and ticks_diff(now_ms, before) < panel.RETRY_MS:
            return
        self._save_failed_ms = -1
        if self.session is not None:
            self._try_to_save(self.session, now_ms, before)
        if self.settings.changed:
            self._try_to_save(self.settings, now_ms, before)

    def _try_to_save(self, what, now_ms, before):
        try:
            what.save()
        except OSError as error:
            self._save_failed_ms = now_ms
            if before < 0:
                self._failed(error, texts.NOT_SAVED)

    def _failed(self, error, what):
        self.device.report(error)
        name = "" if isinstance(error, OSError) else type(error).__name__ + ": "
        self.tell(texts.ERROR, what + name + words(error))
        self._draw()

    # --- going from screen to screen ---------------------------------------------------------------------------

    def go(self, name, *args):
        """Put a screen on top: "module.Class" in this package, imported now if it was not before."""
        module, cls = name.split(".")
        path = PACKAGE + "." + module
        screen = getattr(self._modules.get(path), cls)(self, *args)
        screen.path = path
        self._push(screen)

    def pick(self, action):
        """Let something be picked for an action of the step."""
        self._modules.get(PACKAGE + ".picks").begin(self, action)

    def resolver(self, number):
        """The resolver module of a number; it stays while an attack is in hand, and until the next key."""
        self._resolver = rules.path(number)
        return self._modules.get(self._resolver)

    def attack_flow(self):
        """The module that knows which screen an attack in hand needs."""
        return self._modules.get(PACKAGE + ".attack_flow")

    def _needed(self, path):
        if path.startswith(rules.__name__):
            return self.session is not None and (path == self._resolver or self.session.state.in_attack())
        return path == _KEPT and self.session is not None or any(screen.path == path for screen in self._stack)

    def _spares(self):
        """Whether what a title, a menu or an attack needs may go."""
        return len(self._stack) == 1 and not (self.session is not None and self.session.state.in_attack())

    def _push(self, screen):
        """A secret never stays below another screen, which would bring it back."""
        if self._stack and self._stack[len(self._stack) - 1].secret:
            self._stack.pop()
        self._stack.append(screen)

    def ask(self, title, text, answer):
        """Put a yes/no question on top."""
        self.go("reading.Question", title, text, answer)

    def pages(self, title, pages, empty):
        """Put some texts on top, to be read one by one."""
        self.go("reading.Pager", title, pages, empty)

    def tell(self, title, text):
        """Put a message on top."""
        self.go("reading.Message", title, text)

    def say(self, text):
        """A few words on this screen until the next key; as a message if they are too many."""
        if fits(text, _TOAST_ROWS):
            self.toast = text
        else:
            self.tell("", text)

    def hint(self, number):
        """Say something that helps at first use, once for the life of the device."""
        seen = self.settings.get("hints")
        if not seen & 1 << number and not self.toast:
            self.toast = (texts.HINT_HOME, texts.HINT_PLAY, texts.HINT_DICE, texts.HINT_THREE_KEYS)[number]
            self.settings.set("hints", seen | 1 << number)
            self.settings.save_later()

    def orient(self):
        """Turn picture and keys to whoever holds the device now."""
        turned = bool(self.settings.get("left_handed"))
        if self.session is not None and self.settings.get("turn") and self._sits_opposite():
            turned = not turned
        if self._panel.turn(turned):
            self._input.turned = turned
            self._input.swallow(self.now_ms)

    def _sits_opposite(self):
        """Whether it is the turn of a player other than the first one."""
        scenario = self.session.scenario
        actor = self.session.state.data[O_ACTOR]
        return actor in scenario.players()[1:]

    def settings_changed(self):
        """Follow the settings as they are now."""
        self._panel.reload(self.now_ms)
        self.orient()
        self._set_clock()

    def _speak(self):
        """Take the texts in the language of the settings; English if it cannot be read."""
        code = self.settings.language()
        try:
            language.use(self.device.languages.open(code) if code in self.device.languages.codes() else None)
        except (OSError, ValueError) as error:
            self.device.report(error)
            language.use(None)

    def language_changed(self):
        """Begin anew in the language of the settings: modules hold words, so they are dropped."""
        self._stack = []
        self._drawn = None
        self._modules.forget(lambda path: False)
        self._speak()
        self.only("options.Options")

    def back(self):
        """Leave the top screen; the lowest one stays."""
        if len(self._stack) > 1:
            self._stack.pop()
            self._stack[len(self._stack) - 1].returned()
        elif self.session is not None:
            self.show_session()
        else:
            self.restart()

    def home(self):
        """Back to the home screen. A session stays in its log; one that cannot be written is left after a question."""
        lasting = self.session is None or self.session.lasting()
        if lasting:
            try:
                self.close()
            except OSError as error:
                self.device.report(error)
                lasting = False
        if lasting:
            self._home()
        else:
            self.go("sure.Sure", texts.HOME, texts.LEAVE_UNSAVED, texts.LEAVE, self._home)

    def _home(self):
        self.session = self.clock = None
        self.restart()
        self.orient()

    def restart(self):
        """Nothing but a fresh home screen."""
        self.only("home.Home")

    def only(self, name, *args):
        """One screen in the place of all others, which stay if it cannot be made."""
        self.go(name, *args)
        self._stack = self._stack[len(self._stack) - 1 :]

    def close(self):
        """Save the session and let go of it. Raises OSError, and keeps it, if it cannot be written."""
        if self.session is not None:
            if self.clock is not None:
                self._save_clock()
            self.session.close()
            self.session = self.clock = None

    def show_session(self):
        """Show the screen that the session's state calls for, and no other."""
        state = self.session.state
        illegible = state.in_attack() and not self.session.over() and not state.attack.legible()
        if illegible:
            self.session.do(commands.DROP)
        frame = state.top()
        if self.session.over():
            self.only("result.Result")
        elif state.in_attack() and not self._leave_attack:
            self.only(self.attack_flow().screen(state))
        elif frame is None and self.session.scenario.step(state.data[O_STEP])[10]:
            self.only("checklist.Checklist")
        elif frame is not None and frame[0] == engine.ASK_FRAME:
            self.only("ask.Ask")
            self.hint(_AT_PLAY)
        elif frame is not None and frame[0] == engine.CHECK_FRAME:
            self.only("dice.Dice")
            self.hint(_AT_DICE)
        elif frame is not None and frame[0] == engine.GUIDE_FRAME:
            self.only("guide.Guide")
        else:
            self.only("play.Play")
            self.hint(_AT_PLAY)
        self._leave_attack = False
        if self.clock is not None:
            self.clock.turn(self.now_ms)
        self.orient()
        if illegible:
            self.tell(texts.ERROR, texts.ATTACK_LOST)

    def soon(self, later):
        """Do what takes a moment when the screen has said so."""
        self.toast = texts.WAIT
        self._later = later

    # --- the session -------------------------------------------------------------------------------------------

    @property
    def games(self):
        """The games of the device, see `ui.games.Games`."""
        return self._modules.get(PACKAGE + ".games").Games(self.device, self.settings, self.resolver)

    def begin(self, pack_id, scenario, carried=None, told=""):
        """Start a new session of a pack's scenario, or say why not. It may take a moment: the screen says so first.

        Args: carried: see `core.campaign.Carried`; told: what that is, for the players.
        """
        self.soon(lambda: self._begin(pack_id, scenario, carried, told))

    def _begin(self, pack_id, scenario, carried, told):
        try:
            session, failure = self.games.begin(pack_id, scenario, self.device.entropy(), carried)
        except (OSError, ValueError) as error:
            self.tell(texts.GAMES, words(error))
            return
        self._open(session)
        if told:
            self.tell(texts.CARRIED, told)
        if session.lasting() and session.scenario.players() and self._has_roster():
            self.go("players.Players")
        if failure is not None:
            self.device.report(failure)
            what = texts.PACK_NOT_KEPT if self.session.lasting() else texts.IN_RAM_ONLY
            self.toast = ""
            self.tell(texts.NOT_SAVED_TITLE, "%s: %s" % (words(failure), what))

    def _has_roster(self):
        try:
            return bool(self.device.roster.read(1))
        except OSError:
            return False

    def resume(self, number):
        """Take up a saved session, or say why not."""
        try:
            session = self.games.load(number)
        except (OSError, ValueError) as error:
            self.tell(texts.GAMES, words(error))
            return
        self._open(session)

    def _open(self, session):
        self.session = session
        self.clock = None
        self._set_clock()
        self.show_session()

    def do(self, kind, args=()):
        """Give a command: a refusal is told, a question asked first."""
        verdict, text = self.session.check(kind, args)
        if verdict == commands.NO:
            self.say(text)
        elif verdict == commands.ASK:
            self.ask(self.title(kind, args), text, lambda: self.push(kind, args))
        else:
            self.push(kind, args)

    def push(self, kind, args):
        """Give a command that is allowed, and whose question the players have answered."""
        self.session.do(kind, args)
        self.show_session()

    def title(self, kind, args):
        """The title of a command."""
        from tableside.core.titles import command_title

        return command_title(self.session.state, kind, args)

    def undo(self, count=1):
        """Take back the last `count` commands and say what that was."""
        if not self.session.can_undo():
            self.toast = texts.NOTHING_TO_UNDO
            return
        record = self.session.undo(count)
        self.show_session()
        seen = next(self.session.history()).kind & REVEALED
        what = self._record_title(record) if count == 1 else texts.COMMANDS % count
        self.say((texts.UNDONE_SEEN if seen else texts.UNDONE) + what)

    def redo(self):
        """Do again what was undone and say what."""
        record = self.session.redo_record()
        if record is None:
            self.toast = texts.NOTHING_TO_REDO
            return
        title = self._record_title(record)
        self.session.redo()
        self.show_session()
        self.say(texts.REDONE + title)

    def _record_title(self, record):
        from tableside.core.titles import record_title

        return record_title(self.session.state, record)
