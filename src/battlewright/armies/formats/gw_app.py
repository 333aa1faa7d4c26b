"""The official app's export: a title with the points, a few lines of heading, then sections of entries."""

from __future__ import annotations

import re

from battlewright.armies.formats.adapter import Adapter, check_edition, over_data_set
from battlewright.armies.formats.body import BodyReader, number
from battlewright.armies.names import name_key, tidy
from battlewright.armies.parsed import ParsedList
from battlewright.armies.reading import Source
from battlewright.core.errors import ArmyError

__all__ = ["GW_APP"]

_TITLE = re.compile(r"^(?P<name>.+?)\s*\(\s*(?P<points>\d[\d.,'’ ]*)\s*points?\s*\)$", re.IGNORECASE)
_DETACHMENTS = re.compile(r"^(?P<names>.+?)\s*\(\s*\d+\s+detachment points?\s*\)$", re.IGNORECASE)
_DISPOSITIONS = re.compile(r"^force dispositions?\s*:\s*(?P<names>.+)$", re.IGNORECASE)
_SIZES = frozenset({"incursion", "strike force", "onslaught", "combat patrol"})
_SECTION = re.compile(r"^[A-Z][A-Z &/-]{3,}$")


def _detects(source: Source) -> bool:
    title = next((line for line in source.head.splitlines() if line.strip()), "")
    return bool(_TITLE.match(tidy(title))) and not source.looks_like_json


def _parse(source: Source) -> ParsedList:
    parsed = ParsedList()
    first = _heading(source, parsed)
    reader = BodyReader(source, parsed)
    reader.read(first)
    if not reader.ended:
        parsed.note(None, "the list ends without the app's closing line; its end may be missing")
    return parsed


def _heading(source: Source, parsed: ParsedList) -> int:
    """Read the lines before the first section; returns the first line of the body, counted from 1."""
    plain: list[tuple[str, int]] = []
    for line, raw in enumerate(source.lines, 1):
        text = tidy(raw)
        if not text:
            continue
        check_edition(text, line, source)
        title = _TITLE.match(text)
        if not parsed.name and title:
            parsed.name, parsed.points, parsed.points_line = title["name"], number(title["points"]), line
        elif _SECTION.match(text):
            _plain(plain, parsed)
            return line
        elif title and name_key(title["name"]) in _SIZES:
            pass
        elif found := _DETACHMENTS.match(text):
            parsed.detachments = [(found["names"], line)]
        elif found := _DISPOSITIONS.match(text):
            parsed.dispositions = [(each.strip(), line) for each in found["names"].split(",") if each.strip()]
        elif title:
            _plain(plain, parsed)
            return line
        else:
            plain.append((text, line))
    raise ArmyError("the list names no units", where=source.where)


def _plain(lines: list[tuple[str, int]], parsed: ParsedList) -> None:
    """Lines of the heading without a label: the faction, a chapter after it, and in older exports the detachment."""
    if lines:
        parsed.faction, parsed.faction_line = lines[0]
    rest = [line for line in lines[1:] if name_key(line[0]) not in _SIZES]
    if not parsed.detachments and rest:
        parsed.detachments = [rest.pop()]
    if rest:
        parsed.faction, parsed.faction_line = f"{parsed.faction} - {rest[0][0]}", rest[0][1]


GW_APP = Adapter("the official app's export", _detects, over_data_set(_parse))
