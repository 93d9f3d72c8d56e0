"""Writing the guides and the builders of one scenario."""

from collections.abc import Iterable
from typing import Any

from host_tools import requests
from host_tools.errors import CommandError
from host_tools.packs import schema
from host_tools.packs.binder import Binder
from host_tools.packs.language import conditions, effects
from tableside.core import guide, pack, roster

Row = tuple[Any, ...]


def write_guide(b: Binder, g: schema.Guide) -> Row:
    """The GUIDE record of a guide."""
    place = b.place(g)
    ids = [line.id for line in g.line]
    rows = []
    for i, line in enumerate(g.line):
        where = f"{place}.line.{line.id}"
        if line.id in ids[:i]:
            b.fault(where, "defined twice")
        bars = sum(1 << _index(b, ids, "line", name, f"{where}.unless") for name in set(line.unless))
        rows.append((b.text(line.ask, f"{where}.ask"), b.text(line.then, f"{where}.then"),
                     guide.ATTACKS if line.attack else 0, bars, *conditions(b, line.when, f"{where}.when"),
                     *effects(b, line.effects, where)))
    return (b.text(g.title, f"{place}.title"), b.text(g.end, f"{place}.end"), guide.REPEATS if g.repeat else 0,
            *b.writer.run(pack.GUIDE_LINE, rows))


def _index(b: Binder, ids: list[str], what: str, name: str, where: str) -> int:
    if name in ids:
        return ids.index(name)
    b.fault(where, f"no {what} {name!r}")
    return 0


def write_builder(b: Binder, builder: schema.Builder) -> Row:
    """The BUILDER record of a builder."""
    return _Writer(b, builder).row()


class _Writer:
    """One builder. Options are numbered over all its groups."""

    def __init__(self, b: Binder, builder: schema.Builder):
        self._b = b
        self._builder = builder
        self._place = b.place(builder)
        self._groups = [group.id for group in builder.group]
        self._sums = [each.id for each in builder.sum]
        self._options = [option.id for group in builder.group for option in group.option]
        for names, what in ((self._groups, "group"), (self._sums, "sum"), (self._options, "option")):
            for i, name in enumerate(names):
                if name in names[:i]:
                    b.fault(f"{self._place}.{what}.{name}", "defined twice")
        if len(self._options) > schema.MAX_OPTIONS:
            b.fault(self._place, f"must have at most {schema.MAX_OPTIONS} options, got {len(self._options)}")

    def row(self) -> Row:
        b, builder, place = self._b, self._builder, self._place
        unit = b.find("unit", builder.unit, f"{place}.unit")
        sums = b.writer.run(pack.SUM, [
            (b.name(s.name, f"{place}.sum.{s.id}.name"), s.start, s.low, s.high) for s in builder.sum])
        groups: list[Row] = []
        options: list[Row] = []
        for group in builder.group:
            where = f"{place}.group.{group.id}"
            groups.append((b.name(group.title, f"{where}.title"), group.least, group.most, len(options),
                           len(group.option)))
            options += [self._option(option, f"{where}.option.{option.id}") for option in group.option]
        group_run = b.writer.run(pack.GROUP, groups)
        option_run = b.writer.run(pack.OPTION, options)
        examples = b.writer.run(pack.EXAMPLE, [
            (b.name(e.name, f"{place}.example[{i}].name"), *self._picks(e.picks, f"{place}.example[{i}].picks"))
            for i, e in enumerate(builder.example)])
        return (b.name(builder.title, f"{place}.title"), unit, b.side(builder.side, f"{place}.side"), *sums,
                *group_run, *option_run, *examples)

    def _option(self, o: schema.Option, where: str) -> Row:
        b = self._b
        costs = b.writer.run(pack.COST, [
            (_index(b, self._sums, "sum", name, f"{where}.sum"), value) for name, value in o.sum.items()])
        settings = b.writer.run(pack.SETTING, [
            (roster.WORDS.index(name.replace("_", " ")), added, value)
            for added, values in ((0, o.set), (1, o.plus)) for name, value in values.items()])
        changes = b.writer.run(pack.CHANGE, [self._change(c, f"{where}.change[{i}]") for i, c in enumerate(o.change)])
        arms = b.arms(o.weapons, 1, 99, f"{where}.weapons")
        alters = _index(b, self._groups, "group", o.of, f"{where}.of") if o.of else pack.NOBODY
        return (b.name(o.label, f"{where}.label"), b.name(o.name, f"{where}.name") if o.name else pack.NONE, o.most,
                alters, b.keywords(o.keywords), *costs, *settings, *changes, *arms,
                *self._picks(o.needs, f"{where}.needs"), *self._picks(o.excludes, f"{where}.excludes"))

    def _change(self, c: schema.Change, where: str) -> Row:
        try:
            rules = requests.resolver(c.rules)
        except CommandError as error:
            self._b.fault(f"{where}.rules", str(error))
            return (0,) * 5
        fields = [field[0] for field in rules.PROFILE]
        having = _index(self._b, fields, "number", c.having, f"{where}.having") if c.having else pack.NOBODY
        return (rules.ID, _index(self._b, fields, "number", c.field, f"{where}.field"), c.add is not None,
                c.set if c.add is None else c.add, having)

    def _picks(self, names: Iterable[str], where: str) -> tuple[int, int]:
        return self._b.writer.run(pack.PICK, [(_index(self._b, self._options, "option", n, where),) for n in names])
