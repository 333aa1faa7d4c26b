"""Lists with a fenced heading of "+ KEY: value" lines: New Recruit's WTC exports, full and compact, and the like."""

from __future__ import annotations

import re

from battlewright.armies.formats.adapter import Adapter, check_edition, over_data_set
from battlewright.armies.formats.body import BodyReader, number
from battlewright.armies.names import name_key, tidy
from battlewright.armies.parsed import ParsedList
from battlewright.armies.reading import Source
from battlewright.core.errors import ArmyError

__all__ = ["NEWRECRUIT_WTC"]

_FENCE = re.compile(r"^\+{3,}$")
_KEY = re.compile(r"^\+\s*(?P<key>[A-Z][A-Z ]{2,40}):\s*(?P<value>.*)$")
_MORE = re.compile(r"^&\s*(?P<value>\S.*)$")
_ON = re.compile(r"^(?P<name>.+?)\s*\(on\s+(?P<unit>.+)\)$", re.IGNORECASE)
_RULE = re.compile(r"\s*\([^()]*\)\s*$")


def _detects(source: Source) -> bool:
    return any(line.startswith("+") and "FACTION KEYWORD:" in line for line in source.head.splitlines())


def _parse(source: Source) -> ParsedList:
    parsed = ParsedList()
    first = _heading(source, parsed)
    BodyReader(source, parsed).read(first)
    return parsed


def _heading(source: Source, parsed: ParsedList) -> int:
    """Read the fenced lines; returns the line after them, counted from 1."""
    fences, key = 0, ""
    for line, raw in enumerate(source.lines, 1):
        text = tidy(raw)
        if _FENCE.match(text):
            fences += 1
            if fences == 2:
                return line + 1
        elif found := _KEY.match(text):
            key = found["key"]
            _value(key, found["value"], line, source, parsed)
        elif found := _MORE.match(text):
            _value(key, found["value"], line, source, parsed)
    raise ArmyError("the list ends within its heading", where=source.where)


def _value(key: str, value: str, line: int, source: Source, parsed: ParsedList) -> None:
    check_edition(f"{key} {value}" if "EDITION" not in key else f"{value} edition", line, source)
    match key:
        case "LIST NAME":
            parsed.name = value
        case "FACTION KEYWORD":
            parsed.faction, parsed.faction_line = value, line
        case "DETACHMENT" | "DETACHMENTS":
            parsed.detachments.append((_RULE.sub("", value), line))
        case "FORCE DISPOSITION" | "FORCE DISPOSITIONS":
            parsed.dispositions += [(each.strip(), line) for each in value.split(",") if each.strip()]
        case "TOTAL ARMY POINTS":
            parsed.points, parsed.points_line = number(value), line
        case "WARLORD":
            parsed.warlord = (value, line)
        case "ENHANCEMENT" | "ENHANCEMENTS":
            if found := _ON.match(value):
                parsed.enhancements.append((found["name"], found["unit"], line))
        case "NUMBER OF UNITS":
            parsed.units_stated, parsed.units_line = number(value), line
        case _:
            if name_key(key) not in ("points limit", "secondary", "edition"):
                parsed.note(line, f'the heading "{key}" is not known')


NEWRECRUIT_WTC = Adapter("a list with a fenced heading (New Recruit WTC)", _detects, over_data_set(_parse))
