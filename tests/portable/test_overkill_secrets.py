"""While the device is not with the cult, no screen of an Overkill game shows the title of a card that lies hidden."""

from support import Lcg
from test_long_texts import Reader

from tableside.core import commands, engine, picks
from tableside.core.conditions import ALL_SLOTS, ZONE_COUNT, operand
from tableside.core.deck import may_look
from tableside.core.fields import card_title
from tableside.core.pack import NOBODY
from tableside.ui.input import BIT_BACK, BIT_DOWN, BIT_OK, BIT_UP

VOX_NOCTIS = 1
PRESSES = 220


def start(mission):
    """A device in the first Broodmind phase of a mission; the setting-up was done by commands."""
    device = Reader(("overkill",))
    device.begin(0, mission)
    session = device.app.session
    state = session.state
    while not state.data[4]:
        for action in engine.allowed(state):
            kind = state.scenario.pack.record(8, action)[6]
            if kind == engine.PICKS_UNIT:
                unit = picks.units(state, picks.effect(state, action))[0]
                session.do(commands.ASSIGN, (action, unit))
                break
            if engine.is_choice(state, action):
                session.do(commands.CHOOSE, (action,))
                break
        else:
            session.do(commands.ADVANCE)
    device.app.show_session()
    device.app._dirty = True
    device.step()
    return device


def hidden(state):
    """The titles of the cards that only the cult may see, or nobody."""
    titles = set()
    for zone in range(state.zones(0)):
        if not may_look(state, 0, zone, NOBODY):
            titles |= {card_title(state, 0, state.card(0, zone, at)) for at in range(state.zone_count(0, zone))}
    return titles


def titles_on(device):
    """Every title of a card on the display."""
    words = " ".join(s for _, _, s in device.drawn).replace(",", " ").replace(":", " ").replace("\n", " ").split()
    return {"Card " + words[i + 1] for i in range(len(words) - 1) if words[i] == "Card"}


def check(device, came_to_light):
    """Nothing hidden is to be seen, but behind the pass, or if it has come to light before. Returns: what was seen."""
    app = device.app
    if app.session is None:
        return set()
    top = app._stack[len(app._stack) - 1]
    shown = titles_on(device)
    if top.secret:
        return shown
    secrets = hidden(app.session.state)
    came_to_light |= {"Card %d" % n for n in range(1, 31)} - secrets
    if type(top).__name__ != "FindCard":  # it lists what the whole deck has, wherever that lies
        assert not shown & secrets - came_to_light, (type(top).__name__, shown, device.drawn)
    return set()


def test_random_presses_never_show_a_hidden_card_to_the_marines():
    seen = set()
    laid = 0
    for seed in (1, 2, 3):
        device = start(VOX_NOCTIS)
        came_to_light = set()
        pick = Lcg(seed)
        for _ in range(PRESSES):
            n = pick(100)
            if n < 3:
                device.hold(BIT_OK)
            elif n < 6:
                device.hold(BIT_BACK)
            else:
                device.press(BIT_OK if n < 55 else BIT_DOWN if n < 85 else BIT_BACK if n < 93 else BIT_UP)
            if device.app.session is None or device.app.session.over():
                break
            seen |= check(device, came_to_light)
            laid = max(laid, operand(device.app.session.state, ZONE_COUNT, ALL_SLOTS))
    assert seen and laid  # the hand was looked at, and cards were laid


def test_the_hand_is_shown_behind_the_pass_only():
    device = start(VOX_NOCTIS)
    secrets = hidden(device.app.session.state)
    for screen in ("PassDevice", "PickCard", "PickPlace", "PickCard"):
        assert not titles_on(device) & secrets or device.screen() in ("PickCard", "PickPlace")
        device.ok()
        assert device.screen() == screen
    assert titles_on(device)
    for leave in (BIT_BACK, None, BIT_OK):  # a key, a long press, and what follows from the panel's sleep
        if leave is None:
            device.hold(BIT_BACK)
        elif leave == BIT_OK:
            device.app._cover()
            device.step(count=4)
        else:
            device.press(leave)
        assert device.screen() == "Play" and not titles_on(device), leave
        device.ok(2)
        assert device.screen() == "PickCard" and titles_on(device)
