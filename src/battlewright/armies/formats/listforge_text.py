"""ListForge's text: "name - faction - detachment (points)", sections ending with a colon, entries with "pts"."""

from __future__ import annotations

import re

from battlewright.armies.formats.adapter import Adapter, check_edition, over_data_set
from battlewright.armies.formats.body import BodyReader, number
from battlewright.armies.names import tidy
from battlewright.armies.parsed import ParsedList
from battlewright.armies.reading import Source

__all__ = ["LISTFORGE_TEXT"]

_TITLE = re.compile(r"^(?P<names>.+ - .+?)\s*\(\s*(?P<points>\d[\d,. ]*)\s*points?\s*\)$", re.IGNORECASE)
_SECTION = re.compile(r"^[A-Z][A-Za-z /&'-]{2,40}:$", re.MULTILINE)


def _title(source: Source) -> tuple[re.Match[str], int] | None:
    for line, raw in enumerate(source.lines[:20], 1):
        if raw.strip():
            found = _TITLE.match(tidy(raw))
            return (found, line) if found else None
    return None


def _detects(source: Source) -> bool:
    return not source.looks_like_json and bool(_SECTION.search(source.head)) and _title(source) is not None


def _parse(source: Source) -> ParsedList:
    found = _title(source)
    assert found is not None
    title, line = found
    check_edition(title["names"], line, source)
    parsed = ParsedList(points=number(title["points"]), points_line=line, faction_line=line)
    parts = title["names"].split(" - ")
    parsed.name, parsed.faction = parts[0], parts[1]
    if len(parts) > 2:
        parsed.detachments = [(parts[-1], line)]
    if len(parts) > 3:
        parsed.dispositions = [(part, line) for part in parts[2:-1]]
    BodyReader(source, parsed, attached_sections=True).read(line + 1)
    return parsed


LISTFORGE_TEXT = Adapter("ListForge's text", _detects, over_data_set(_parse))
