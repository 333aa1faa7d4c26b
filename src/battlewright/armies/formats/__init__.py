"""The list formats: one module each, which recognises its format and reads it.

A format of its own only needs a module with an :class:`Adapter` and a line in :data:`ADAPTERS`; the first that
recognises a text reads it, so the narrower ones stand first.
"""

from __future__ import annotations

from battlewright.armies.formats.adapter import Adapter
from battlewright.armies.formats.battlescribe import BATTLESCRIBE, CLASSIC_JSON
from battlewright.armies.formats.gw_app import GW_APP
from battlewright.armies.formats.listforge_text import LISTFORGE_TEXT
from battlewright.armies.formats.newrecruit_json import NEWRECRUIT_JSON
from battlewright.armies.formats.newrecruit_simple import NEWRECRUIT_SIMPLE
from battlewright.armies.formats.newrecruit_wtc import NEWRECRUIT_WTC
from battlewright.armies.formats.rosterizer import ROSTERIZER
from battlewright.armies.formats.yaml_army import YAML_ARMY

__all__ = ["ADAPTERS", "Adapter"]

ADAPTERS: tuple[Adapter, ...] = (
    ROSTERIZER,
    BATTLESCRIBE,
    CLASSIC_JSON,
    NEWRECRUIT_JSON,
    NEWRECRUIT_WTC,
    NEWRECRUIT_SIMPLE,
    LISTFORGE_TEXT,
    GW_APP,
    YAML_ARMY,
)
