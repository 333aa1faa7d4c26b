"""New Recruit's simple text: "## Section [points]" and "Unit [points]: items"."""

from __future__ import annotations

import re

from battlewright.armies.formats.adapter import Adapter, check_edition, over_data_set
from battlewright.armies.formats.body import BodyReader, number
from battlewright.armies.names import tidy
from battlewright.armies.parsed import ParsedList
from battlewright.armies.reading import Source
from battlewright.core.errors import ArmyError

__all__ = ["NEWRECRUIT_SIMPLE"]

_ROSTER = re.compile(r"^#\s*\+\+.*\+\+(?:\s*\[\s*(?P<points>[\d,. ]+)\s*pts?.*\])?$", re.IGNORECASE)
_TITLE = re.compile(r"^(?P<name>.+?)\s*-\s*\[\s*(?P<points>[\d,. ]+)\s*pts?.*\]$", re.IGNORECASE)
_CONFIGURATION = re.compile(r"^##\s*Configuration", re.IGNORECASE)
_SECTION = re.compile(r"^##\s")
_SETTING = re.compile(r"^(?P<key>[A-Za-z ]{3,40}):\s*(?P<value>\S.*)$")


def _detects(source: Source) -> bool:
    return any(_ROSTER.match(tidy(line)) for line in source.head.splitlines() if line.startswith("#"))


def _parse(source: Source) -> ParsedList:
    parsed = ParsedList()
    first = _heading(source, parsed)
    BodyReader(source, parsed).read(first)
    return parsed


def _heading(source: Source, parsed: ParsedList) -> int:
    configuring = False
    for line, raw in enumerate(source.lines, 1):
        text = tidy(raw)
        check_edition(text, line, source)
        if found := _ROSTER.match(text):
            if found["points"]:
                parsed.points, parsed.points_line = number(found["points"]), line
        elif _CONFIGURATION.match(text):
            configuring = True
        elif _SECTION.match(text):
            return line
        elif configuring and (setting := _SETTING.match(text)):
            _setting(setting["key"].strip().lower(), setting["value"], line, parsed)
        elif not parsed.faction and (title := _TITLE.match(text)):
            parts = title["name"].split(" - ")
            parsed.faction, parsed.faction_line = " - ".join(parts[:-1]) or title["name"], line
            parsed.name = parts[-1]
    raise ArmyError("the list names no units", where=source.where)


def _setting(key: str, value: str, line: int, parsed: ParsedList) -> None:
    if key in ("detachment", "detachments"):
        parsed.detachments.append((value, line))
    elif key.startswith("force disposition"):
        parsed.dispositions.append((value, line))
    elif key != "battle size":
        parsed.note(line, f'the setting "{key}" has no effect')


NEWRECRUIT_SIMPLE = Adapter("New Recruit's simple text", _detects, over_data_set(_parse))
