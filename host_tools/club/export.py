"""Tables of the book for people and other programs: a terminal, CSV, Markdown, HTML."""

import csv
import html
import io
import json
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from host_tools.club.tables import Rows

FORMATS = ("csv", "markdown", "html")
_FORMULA = "=+-@\t\r"  # a spreadsheet would calculate what begins so

_STYLE = ("body{font-family:sans-serif;margin:2em}table{border-collapse:collapse;margin-bottom:2em}"
          "td,th{border:1px solid #999;padding:.2em .6em;text-align:left}")


def cell(value: Any) -> str:
    """A value in a few words."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        if "side" in value:  # of a result
            points = f" {value['vp']}" if value["vp"] is not None else ""
            outcome = f" ({value['outcome']})" if value["outcome"] else ""
            return f"{value['players'] or value['side']}{points}{outcome}"
        return ", ".join(f"{key} {one}" for key, one in value.items())
    if isinstance(value, list):
        return "; ".join(": ".join(map(str, one)) if isinstance(one, list) else cell(one) for one in value)
    return str(value)


def columns(rows: Rows) -> list[str]:
    """The names of the columns."""
    return list(rows[0]) if rows else []


def as_csv(rows: Rows) -> str:
    """One table, for a spreadsheet; a text that it would take for a formula begins with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns(rows))
    for row in rows:
        cells = [(value, cell(value)) for value in row.values()]
        writer.writerow(["'" + text if text[:1] in _FORMULA and text and not isinstance(value, int) else text
                         for value, text in cells])
    return out.getvalue()


def as_markdown(tables: Mapping[str, Rows]) -> str:
    """All tables, each with a heading."""
    out = []
    for title, rows in tables.items():
        out += [f"## {title}", ""]
        names = columns(rows)
        out += [_row(names), _row(["---"] * len(names))] if rows else ["Nothing yet."]
        out += [_row([_plain(cell(value)) for value in row.values()]) for row in rows]
        out.append("")
    return "\n".join(out)


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _plain(text: str) -> str:
    return "".join("\\" + char if char in "|*_`<[~\\#" else char for char in text.replace("\n", " "))


def as_html(tables: Mapping[str, Rows]) -> str:
    """A whole page with all tables."""
    out = [f"<!doctype html><html lang=en><meta charset=utf-8><title>Club book</title><style>{_STYLE}</style><body>"]
    for title, rows in tables.items():
        out.append(f"<h2>{html.escape(title)}</h2>")
        if not rows:
            out.append("<p>Nothing yet.</p>")
            continue
        out.append("<table><tr>" + "".join(f"<th>{html.escape(name)}</th>" for name in columns(rows)) + "</tr>")
        out += ["<tr>" + "".join(f"<td>{html.escape(cell(value))}</td>" for value in row.values()) + "</tr>"
                for row in rows]
        out.append("</table>")
    return "\n".join([*out, "</body></html>"]) + "\n"


def show(rows: Rows) -> None:
    """Print a table."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in columns(rows):
        table.add_column(name.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(cell(value) for value in row.values()))
    console = Console(markup=False, highlight=False)
    if not console.is_terminal:
        console.width = 200
    console.print(table)


def as_json(rows: Rows) -> str:
    """For other programs."""
    return json.dumps({"rows": rows}, ensure_ascii=False)
