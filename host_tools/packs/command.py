"""`tableside pack`: checking, building and showing packs."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from host_tools.packs.build import build_into, find_games
from host_tools.packs.compiler import compile_file
from host_tools.packs.overlay import load
from host_tools.packs.show import NUMBERS, describe
from host_tools.packs.source import PackSourceError, read
from tableside.core.errors import PackError

_MANUAL = """\
check FILE...       check game.toml files: every fault with its place
build [SYSTEM...]   compile systems (all by default) to DIR/SYSTEM.tspk; a broken source leaves the old file alone
show FILE           what a compiled pack holds

An overlay is what the owner of a game adds to its pack. Those in overlays/SYSTEM/*.toml, or in the folder that
$TABLESIDE_OVERLAYS names, are taken by every command that compiles SYSTEM; --overlay takes others after them. check
takes only those of --overlay. 'show' has them in the version and the notes.

With --json, one object a line for each file: file, ok, errors [{file, where, message}], bytes; show adds id, title,
version, hash, languages, notes, sections and scenarios. The exit code is 1 if anything was wrong.

docs/packs.md explains how a pack is written.
"""
_EXAMPLE = """\
example:
  tableside pack check firmware/games/nemesis/game.toml
  tableside pack build nemesis -o build/packs
  tableside pack build overkill --overlay my-cards.toml
  tableside pack show build/packs/nemesis.tspk
"""


def add_parser(subparsers: Any) -> None:
    """Add `pack` and its three actions."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = subparsers.add_parser("pack", help="check, build and show packs", description=_MANUAL, epilog=_EXAMPLE,
                                   formatter_class=raw)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--json", action="store_true", help="print JSON, one object a line")
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, text: str) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = actions.add_parser(
            name, help=text, description=text + ".", epilog=_EXAMPLE, parents=[common], formatter_class=raw)
        return added

    check = action("check", "check sources")
    check.add_argument("files", nargs="+", type=Path, metavar="FILE")
    build = action("build", "compile systems")
    for parser in (check, build):
        parser.add_argument("--overlay", type=Path, action="append", default=[], metavar="FILE", dest="overlays",
                            help="merge this overlay into its pack; repeatable")
    build.add_argument("systems", nargs="*", metavar="SYSTEM")
    build.add_argument("-o", "--output", type=Path, default=Path("build/packs"), metavar="DIR",
                       help="where the packs go (default: build/packs)")
    action("show", "show a compiled pack").add_argument("file", type=Path, metavar="FILE")


def run(args: argparse.Namespace) -> int:
    """Run one action. Returns: 0 if all went well, else 1."""
    if args.action == "show":
        return _show(args.file, args.json)
    ids = [_id(file) for file in args.files] if args.action == "check" else args.systems or list(find_games())
    overlays, reports = _by_pack(args.overlays, ids)
    if args.action == "check":
        reports += [_report(file, lambda file=file, name=name: len(compile_file(file, overlays.get(name, [])).data))
                    for file, name in zip(args.files, ids, strict=True)]
    else:
        reports += [_build(args.output, system, overlays) for system in ids]
    for report in reports:
        if args.json:
            print(json.dumps(report, ensure_ascii=False))
        elif report["ok"]:
            print(f"{report['file']}: ok, {report['bytes']} bytes")
        _print_errors(report)
    return 0 if all(report["ok"] for report in reports) else 1


def _report(file: Path, work: Any) -> dict[str, Any]:
    """Do the work that returns a size, and say how it went."""
    faults: list[tuple[Path, str, str]] = []
    size = 0
    try:
        size = work()
    except PackSourceError as error:
        faults = [(error.file, where, message) for where, message in error.faults]
    except PackError as error:
        faults = [(file, "", str(error))]
    except OSError as error:
        faults = [(file, "", f"cannot be used: {error.strerror}")]
    errors = [{"file": str(path), "where": where, "message": message} for path, where, message in faults]
    return {"file": str(file), "ok": not errors, "errors": errors, "bytes": size}


def _id(file: Path) -> str:
    """The id of a source, nothing if it cannot be read: its own report says why."""
    try:
        return str(read(file)["pack"]["id"])
    except (PackSourceError, OSError, LookupError, TypeError):
        return ""


def _by_pack(files: list[Path], ids: list[str]) -> tuple[dict[str, list[Path]], list[dict[str, Any]]]:
    """The overlays of each pack, and reports of those that belong to none or cannot be read."""
    overlays: dict[str, list[Path]] = {}
    reports = []
    for file in files:
        def look(file: Path = file) -> int:
            pack = load(file).overlay.pack
            if pack not in ids:
                raise PackSourceError(file, [("overlay.pack", f"no pack {pack!r} here: there are {', '.join(ids)}")])
            overlays.setdefault(pack, []).append(file)
            return 0

        report = _report(file, look)
        if not report["ok"]:
            reports.append(report)
    return overlays, reports


def _build(folder: Path, system: str, overlays: dict[str, list[Path]]) -> dict[str, Any]:
    return _report(folder / f"{system}.tspk", lambda: build_into(folder, [system], overlays)[0].stat().st_size)


def _print_errors(report: dict[str, Any]) -> None:
    for error in report["errors"]:
        print(": ".join(part for part in error.values() if part), file=sys.stderr)


def _show(file: Path, as_json: bool) -> int:
    found: dict[str, Any] = {}

    def look() -> int:
        data = file.read_bytes()
        found.update(describe(data))
        return len(data)

    report = {**_report(file, look), **found}
    if as_json:
        print(json.dumps(report, ensure_ascii=False))
    elif report["ok"]:
        _print_pack(report)
    _print_errors(report)
    return 0 if report["ok"] else 1


def _print_pack(pack: dict[str, Any]) -> None:
    print(f"{pack['title']} ({pack['id']} {pack['version']}), {pack['bytes']} bytes, languages "
          f"{' '.join(pack['languages'])}, hash {pack['hash']}")
    print("sections: " + ", ".join(f"{name} {size}" for name, size in pack["sections"].items() if size))
    for note in pack["notes"]:
        print(f"note: {note}")
    for campaign in pack["campaigns"]:
        print(f"campaign {campaign['id']}: {campaign['title']}: {', '.join(campaign['missions'])}; "
              f"carries {', '.join(campaign['carried']) or 'nothing'}")
    for scenario in pack["scenarios"]:
        _print_scenario(scenario)


def _print_scenario(scenario: dict[str, Any]) -> None:
    print(f"\n{scenario['id']}: {scenario['title']}")
    print(f"  sides: {', '.join(scenario['sides']) or 'none'}")
    print("  counters:")
    for c in scenario["counters"]:
        owner = f", of {c['owner']}" if c["owner"] else ""
        print(f"    {c['name']}: {c['low']}..{c['high']}, starts at {c['start']}, {c['scope']}{owner}")
    print("  decks:")
    for d in scenario["decks"]:
        print(f"    {d['name']}: {d['cards']} cards; zones {', '.join(z['name'] for z in d['zones'])}")
    print("  steps:")
    for s in scenario["steps"]:
        low, high = s["first_round"], s["last_round"]
        rounds = f"round {low}" if low == high else f"rounds {low}-{'' if high == 255 else high}"
        actions = f": {' | '.join(s['actions'])}" if s["actions"] else ""
        print(f"    {s['phase']} / {s['title']} ({rounds}){actions}")
    print("  results:")
    for r in scenario["results"]:
        print(f"    {r['title']} ({r['kind']})")
    print(f"  reminders: {scenario['reminders']}")
    if scenario["roster"]:
        print(f"  roster: {scenario['roster']} slots, flags {', '.join(scenario['flags']) or 'none'}")
        for u in scenario["units"]:
            numbers = ", ".join(f"{key} {u[key]}" for key in NUMBERS if u[key])
            start = f", {u['start']} at the start" if u["start"] else ""
            also = "".join(f"; {key} {', '.join(u[key])}" for key in ("keywords", "weapons") if u[key])
            print(f"    {u['name']} ({u['side'] or 'any side'}): {numbers}{start}{also}")
    if scenario["abilities"]:
        print("  abilities:")
        for a in scenario["abilities"]:
            cost = f", {a['cost']} {a['counter']}" if a["cost"] else ""
            print(f"    {a['name']} ({a['side'] or 'any side'}){cost}")
    if scenario["weapons"]:
        print("  weapons:")
        for w in scenario["weapons"]:
            numbers = ", ".join(f"{key} {value}" for key, value in w["profile"].items() if value)
            print(f"    {w['name']} ({w['rules']}): {numbers}")
