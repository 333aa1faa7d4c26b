"""Recognising Battlewright's own army files; what reads them is only imported when there is one."""

from __future__ import annotations

import re

from battlewright.armies.formats.adapter import Adapter
from battlewright.armies.reading import Source
from battlewright.core.roster import Army

__all__ = ["YAML_ARMY"]

_BEGINNING = re.compile(r"^(?:edition|name|faction|units)\s*:", re.MULTILINE)


def _detects(source: Source) -> bool:
    return len({found.group() for found in _BEGINNING.finditer(source.text)}) >= 2 and not source.looks_like_json


def _load(source: Source, edition: str | None) -> Army:
    from battlewright.armies.formats.yaml_form import load_yaml_army

    return load_yaml_army(source, edition)


YAML_ARMY = Adapter("Battlewright's own YAML", _detects, _load)
