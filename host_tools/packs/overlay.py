"""Overlays: what the owner of a game adds to a pack, merged into its source before that is checked.

An overlay fills slots that a pack has and adds units and weapons; it removes nothing. `docs/packs.md` is its guide.
"""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from host_tools.packs import schema
from host_tools.packs.scenario import card_range, range_of_cards
from host_tools.packs.source import PackSourceError, faults_of, read
from host_tools.packs.writer import DRAWABLE

_FIXED = {"unit": ("side",), "weapon": ("rules",)}  # of an entry that the pack has
_LISTS = ("keywords", "weapons")  # are added to
_GAME_KEYS = {name for model in vars(schema).values() if isinstance(model, type) and issubclass(model, BaseModel)
              for name in model.model_fields}


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Named(_Model):
    id: schema.Id


class OverlayInfo(_Model):
    """Which pack it is for."""

    pack: str
    version: str | None = None


class OverlayCard(_Model):
    """What a card of the pack is."""

    card: str
    title: schema.Title | None = None
    text: str | None = None
    copies: int | None = None
    marks: list[schema.Id] = []


class OverlayDeck(_Named):
    """Cards of a deck of the pack."""

    cards: Annotated[list[OverlayCard], Field(min_length=1)]


class OverlayRow(_Model):
    """What some cards mean; effects come after those of the pack."""

    cards: str
    title: schema.Title | None = None
    text: str | None = None
    effects: schema.Effects = []


class OverlayTable(_Named):
    """Rows of a table of the pack."""

    row: Annotated[list[OverlayRow], Field(min_length=1)]


class OverlayCounter(_Named):
    """A counter of the pack that starts with another value."""

    start: schema.Number


class Entry(_Named):
    """A unit or weapon: checked when it is merged, for what the pack has need not be repeated."""

    model_config = ConfigDict(extra="allow", strict=True)


class OverlayPart(_Model):
    """What is added to a part."""

    deck: list[OverlayDeck] = []
    table: list[OverlayTable] = []
    counter: list[OverlayCounter] = []
    unit: list[Entry] = []
    weapon: list[Entry] = []


class OverlayScenario(OverlayPart):
    """What is added to a scenario."""

    start: dict[schema.Id, schema.Number] = {}
    roster: int | None = None


class Overlay(_Model):
    """A whole overlay."""

    overlay: OverlayInfo
    part: dict[str, OverlayPart] = {}
    scenario: dict[str, OverlayScenario] = {}


def load(file: Path) -> Overlay:
    """Read an overlay. Raises: PackSourceError naming every fault's place; OSError if it cannot be read."""
    data = read(file)
    try:
        return Overlay.model_validate(data)
    except ValidationError as error:
        raise PackSourceError(file, [(where, _message(where, message))
                                     for where, message in faults_of(error, data)]) from None


def _message(where: str, message: str) -> str:
    key = where.rpartition(".")[2].partition("[")[0]
    return "may not be overlaid" if message == "unknown key" and key in _GAME_KEYS else message


class Merge:
    """A pack's source with overlays. Args: data: the source, which passed the check on its own."""

    def __init__(self, data: dict[str, Any]):
        self.data = copy.deepcopy(data)
        self._version = self.data["pack"]["version"]
        self._faults: list[tuple[str, str]] = []
        self._places: dict[str, str] = {}  # where the last overlay came to lie: where it is in its file
        self._counts: dict[str, int] = {}

    def add(self, file: Path) -> None:
        """Merge an overlay. Raises: PackSourceError, and is of no more use; OSError."""
        overlay = load(file)
        self._faults, self._counts = [], {}
        self._places = {f"scenario[{i}]": f"scenario.{s['id']}" for i, s in enumerate(self.data["scenario"])}
        pack_id = self.data["pack"]["id"]
        if overlay.overlay.pack != pack_id:
            self._fault("overlay.pack", f"is for the pack {overlay.overlay.pack!r}, this is {pack_id!r}")
        elif overlay.overlay.version not in (None, self._version):
            self._fault("overlay.version",
                        f"is for version {overlay.overlay.version!r}, the pack has {self._version!r}")
        else:
            for root, where, target, added in self._targets(overlay):
                self._part(root, where, target, added)
        if self._faults:
            raise PackSourceError(file, self._faults)
        name = "".join(char if char in DRAWABLE else "?" for char in file.stem)
        counts = ", ".join(f"{count} of {what}" for what, count in self._counts.items())
        self.data["pack"].setdefault("notes", []).append(f"Overlay {name}: {counts or 'nothing'}")
        self.data["pack"]["version"] += f" +{name}"

    def own_place(self, where: str) -> str:
        """Where a fault of the merged source is in the overlay that was merged last."""
        found = [place for place in self._places if where == place or where.startswith((f"{place}.", f"{place}["))]
        if not found:
            return where
        place = max(found, key=len)
        return self._places[place] + where[len(place) :]

    def _fault(self, where: str, message: str) -> None:
        self._faults.append((where, message))

    def _targets(self, overlay: Overlay) -> Iterator[tuple[str, str, dict[str, Any], OverlayPart]]:
        """Place in the merged source, place in the overlay, what is there, what is added."""
        parts = self.data.get("part", {})
        for name, part in overlay.part.items():
            if name in parts:
                yield f"part.{name}", f"part.{name}", parts[name], part
            else:
                self._fault(f"part.{name}", f"no part {name!r}: there are {', '.join(parts) or 'none'}")
        ids = [scenario["id"] for scenario in self.data["scenario"]]
        for name, scenario in overlay.scenario.items():
            if name in ids:
                index = ids.index(name)
                yield f"scenario[{index}]", f"scenario.{name}", self.data["scenario"][index], scenario
            else:
                self._fault(f"scenario.{name}", f"no scenario {name!r}: there are {', '.join(ids)}")

    def _part(self, root: str, where: str, target: dict[str, Any], added: OverlayPart) -> None:
        for deck in added.deck:
            self._deck(root, where, target, deck)
        for table in added.table:
            self._table(root, where, target, table)
        for counter in added.counter:
            found = self._find(target, where, "counter", counter.id)
            if found is not None:
                found["start"] = counter.start
                self._note(f"{root}.counter.{counter.id}", f"{where}.counter.{counter.id}", "start values")
        for section in ("unit", "weapon"):
            for entry in getattr(added, section):
                self._entry(root, where, target, section, entry)
        if isinstance(added, OverlayScenario):
            self._scenario(root, where, target, added)

    def _note(self, place: str, own: str, what: str, count: int = 1) -> None:
        self._places[place] = own
        self._counts[what] = self._counts.get(what, 0) + count

    def _end(self, place: str, own: str, size: int, added: int) -> None:
        """The last entries of a list are those of the overlay."""
        for i in range(added):
            self._places[f"{place}[{size - added + i}]"] = f"{own}[{i}]"

    def _find(self, target: dict[str, Any], where: str, section: str, name: str) -> dict[str, Any] | None:
        for item in target.get(section, []):
            if item["id"] == name:
                found: dict[str, Any] = item
                return found
        elsewhere = self._elsewhere(target, section, name)
        self._fault(f"{where}.{section}.{name}", f"no {section} {name!r} here" + (f": it is in {elsewhere}" if elsewhere
                                                                                  else ""))
        return None

    def _elsewhere(self, target: dict[str, Any], section: str, name: str) -> str:
        """The other parts and scenarios that have an entry."""
        roots = [(f"part.{key}", part) for key, part in self.data.get("part", {}).items()]
        roots += [(f"scenario.{scenario['id']}", scenario) for scenario in self.data["scenario"]]
        return ", ".join(key for key, root in roots if root is not target
                         and any(item["id"] == name for item in root.get(section, [])))

    def _deck(self, root: str, where: str, target: dict[str, Any], added: OverlayDeck) -> None:
        deck = self._find(target, where, "deck", added.id)
        if deck is None:
            return
        own = f"{where}.deck.{added.id}.cards"
        if isinstance(deck["cards"], str):
            deck["cards"] = [{"title": card.title} for card in range_of_cards(deck["cards"])]
        before = _size(deck)
        titles = [card["title"] for card in deck["cards"]]
        for i, card in enumerate(added.cards):
            if card.card not in titles:
                self._fault(f"{own}[{i}]", f"no card {card.card!r} in deck {added.id!r}")
                continue
            if card.card in [other.card for other in added.cards[:i]]:
                self._fault(f"{own}[{i}]", f"card {card.card!r} is there twice")
            number = titles.index(card.card)
            for key, value in (("shown", card.title), ("text", card.text), ("copies", card.copies)):
                if value is not None:
                    deck["cards"][number][key] = value
            if card.marks:
                deck["cards"][number]["marks"] = [*deck["cards"][number].get("marks", []), *card.marks]
            self._note(f"{root}.deck.{added.id}.cards[{number}]", f"{own}[{i}]", f"cards in {added.id}")
        if _size(deck) != before:
            self._fault(own, f"counts do not add up: the deck has {before} cards, with these it would have "
                             f"{_size(deck)}")

    def _titles(self, deck_id: str) -> list[str]:
        for root in [*self.data.get("part", {}).values(), *self.data["scenario"]]:
            for deck in root.get("deck", []):
                if deck["id"] == deck_id:
                    cards = deck["cards"]
                    return [c.title for c in range_of_cards(cards)] if isinstance(cards, str) else [
                        c["title"] for c in cards]
        return []

    def _table(self, root: str, where: str, target: dict[str, Any], added: OverlayTable) -> None:
        table = self._find(target, where, "table", added.id)
        if table is None:
            return
        titles = self._titles(table["deck"])
        rows: list[tuple[dict[str, Any], int]] = []  # for each card its row, and which of the overlay's is in it
        for row in table["row"]:
            low, high = card_range(row["cards"], titles)
            rows += [({**row, "cards": title}, -1) for title in titles[low : high + 1]]
        rows.sort(key=lambda row: titles.index(row[0]["cards"]))
        own = f"{where}.table.{added.id}.row"
        for i, row in enumerate(added.row):
            low, high = card_range(row.cards, titles)
            if not 0 <= low <= high:
                self._fault(f"{own}[{i}].cards", f"no card {row.cards!r} in deck {table['deck']!r}")
                continue
            for card in range(low, high + 1):
                if rows[card][1] >= 0:
                    self._fault(f"{own}[{i}].cards", f"{titles[card]!r} has a row already")
                rows[card] = _filled(rows[card][0], row), i
        runs = list(_runs(rows))
        table["row"] = [row for row, _ in runs]
        for n, (row, i) in enumerate(runs):
            if i >= 0:
                place = f"{root}.table.{added.id}.row[{n}]"
                self._note(place, f"{own}[{i}]", f"rows in {added.id}")
                self._end(f"{place}.effects", f"{own}[{i}].effects", len(row["effects"]), len(added.row[i].effects))

    def _entry(self, root: str, where: str, target: dict[str, Any], section: str, entry: Entry) -> None:
        own = f"{where}.{section}.{entry.id}"
        fields = entry.model_extra or {}
        for item in target.setdefault(section, []):
            if item["id"] == entry.id:
                for key in _FIXED[section]:
                    if key in fields and fields[key] != item.get(key):
                        self._fault(f"{own}.{key}", "may not be overlaid")
                lists = {key: [*item.get(key, []), *fields[key]] for key in _LISTS if isinstance(fields.get(key), list)}
                item.update({**fields, **lists})
                for key, whole in lists.items():
                    self._end(f"{root}.{section}.{entry.id}.{key}", f"{own}.{key}", len(whole), len(fields[key]))
                break
        else:
            elsewhere = self._elsewhere(target, section, entry.id)
            if elsewhere:
                self._fault(own, f"the pack has it in {elsewhere}: fill it there")
            target[section].append({"id": entry.id, **fields})
        self._note(f"{root}.{section}.{entry.id}", own, f"{section}s")

    def _scenario(self, root: str, where: str, target: dict[str, Any], added: OverlayScenario) -> None:
        if added.start:
            target["start"] = {**target.get("start", {}), **added.start}
            self._note(f"{root}.start", f"{where}.start", "start values", len(added.start))
        if added.roster is not None:
            slots = target.get("roster", 0)
            if added.roster < slots:
                self._fault(f"{where}.roster", f"must be at least {slots}, as in the pack, got {added.roster}")
            target["roster"] = added.roster
            self._places[f"{root}.roster"] = f"{where}.roster"


def _size(deck: dict[str, Any]) -> int:
    return sum(card.get("copies") or deck.get("copies", 1) for card in deck["cards"])


def _filled(row: dict[str, Any], added: OverlayRow) -> dict[str, Any]:
    new = {key: value for key, value in (("title", added.title), ("text", added.text)) if value is not None}
    return {**row, **new, "effects": [*row.get("effects", []), *added.effects]}


def _runs(rows: list[tuple[dict[str, Any], int]]) -> Iterator[tuple[dict[str, Any], int]]:
    """Equal rows of neighbouring cards as one; a title with a dash cannot stand in a range."""
    last: tuple[dict[str, Any], int] | None = None
    first = ""
    for row, i in rows:
        title = row["cards"]
        bare = {**row, "cards": ""}
        if last is not None and (bare, i) == ({**last[0], "cards": ""}, last[1]) and "-" not in first + title:
            last = {**row, "cards": f"{first}-{title}"}, i
            continue
        if last is not None:
            yield last
        last, first = (row, i), title
    if last is not None:
        yield last
