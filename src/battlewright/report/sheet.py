"""The agreement sheet of an edition as a page to tick and print, which needs no network."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

__all__ = ["sheet_page"]


def sheet_page(edition: str, title: str, rows: Sequence[Mapping[str, Any]], ticked: Mapping[str, str]) -> str:
    """The page of an edition's switches.

    Args:
        edition: its id. ``title``: what it is called.
        rows: of each switch ``id`` (of its rule), ``name`` (None for an option that no switch stands for), ``text``,
            ``values``, ``default`` and ``note``.
        ticked: values that stand otherwise than the defaults, by name.
    """
    template = resources.files("battlewright.report").joinpath("sheet.html").read_text(encoding="utf-8")
    body = "\n".join(_row(number, row, ticked) for number, row in enumerate(rows)) or "<p>This edition has none.</p>"
    filled = {"TITLE": escape(f"{title}: options and house rules"), "ROWS": body, "EDITION": json.dumps(edition)}
    for name, text in filled.items():
        template = template.replace(f"@@{name}@@", text)
    return template


def _row(number: int, row: Mapping[str, Any], ticked: Mapping[str, str]) -> str:
    name = row["name"]
    chosen = ticked.get(name, row["default"]) if name else row["default"]
    group = escape(str(name or f"row-{number}"), quote=True)
    named = ' data-switch="yes"' if name else ""
    boxes = "".join(
        f'<label><input type="radio" name="{group}" value="{escape(_word(value), quote=True)}"'
        f"{' checked' if value == chosen else ''}{' data-default' if value == row['default'] else ''}>"
        f"{escape(_word(value))}</label>"
        for value in (row["values"] if chosen in row["values"] else [*row["values"], chosen])
    )
    boxes = boxes or f'<label><input type="checkbox" name="{group}">agreed</label>'
    note = f'<p class="note">{escape(row["note"])}</p>' if row["note"] else ""
    return (
        f"<fieldset{named}><legend>{escape(row['text'])}</legend>{note}<div>{boxes}</div>"
        f"<code>{escape(row['id'])}</code></fieldset>"
    )


def _word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
