"""Sessions on the host that are missions of a campaign: what they begin with, and what they leave."""

from typing import Any

from host_tools.errors import CommandError
from tableside.core import campaign
from tableside.core.pack import CAMPAIGN, NOBODY, SCENARIO, Pack, Scenario
from tableside.core.session import Session
from tableside.core.state import O_RESULT

_KINDS = ("draw", "win", "loss")


def carried(pack: Pack, campaign_id: str, values: dict[str, int]) -> campaign.Carried:
    """What a session begins with: the first values of a campaign, and these. Raises CommandError for an unknown one."""
    number = campaign.find(pack, campaign_id)
    if number is None:
        ids = [pack.text(pack.record(CAMPAIGN, i)[0]) for i in range(pack.count(CAMPAIGN))]
        raise CommandError(f"no campaign {campaign_id!r}: there are {', '.join(ids) or 'none'}")
    known = _names(pack)
    for name in values:
        if name not in known:
            raise CommandError(f"nothing named {name!r} is carried: there are {', '.join(sorted(known)) or 'none'}")
    return campaign.carry(0, "play", 0, campaign_id, {**campaign.first_values(pack, number), **values})


def _names(pack: Pack) -> set[str]:
    """All names that a value of the pack may have."""
    names: set[str] = set()
    for i in range(pack.count(SCENARIO)):
        keeps = list(campaign.keeps(Scenario(pack, i)))
        flags = [name for name, kind, _ in keeps if kind == campaign.FLAGS]
        names.update(name for name, kind, _ in keeps if kind == campaign.COUNTER)
        names.update(f"{name}.{flag}" for name, kind, _ in keeps if kind == campaign.UNIT for flag in flags)
    return names


def describe(session: Session) -> dict[str, Any]:
    """campaign: what a session has from its campaign, and what it gives once it is over; nothing without a campaign."""
    data = session.carried()
    if not data:
        return {}
    had = campaign.Carried(data)
    state, pack = session.state, session.pack
    found: dict[str, Any] = {"id": had.campaign, "carried": had.values}
    if state.data[O_RESULT] != NOBODY:
        ending = campaign.ending(state)
        following = campaign.following(state, campaign.find(pack, had.campaign))
        found["leaves"] = campaign.gather(state)
        found["ending"] = None if ending is None else {"title": ending[0], "kind": _KINDS[ending[2]]}
        found["following"] = None if ending or following == NOBODY else Scenario(pack, following).id()
    return {"campaign": found}
