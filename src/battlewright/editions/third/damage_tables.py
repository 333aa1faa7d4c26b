"""The damage tables of the 3rd edition, from their data file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from battlewright.core.rulebook import rule
from battlewright.editions.classic.armour import DamageTable
from battlewright.editions.classic.damage_tables import read_damage_tables

__all__ = ["GLANCING", "ORDNANCE", "PENETRATING", "TABLES", "damage_tables"]


@rule("3e.core.vehicles.glancing-table", "3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table")
def damage_tables() -> Mapping[str, DamageTable]:
    """The tables of the edition: of glancing hits, of penetrating ones, and of those by ordnance."""
    return read_damage_tables(Path(__file__).with_suffix(".yaml"))


TABLES = damage_tables()
GLANCING, PENETRATING, ORDNANCE = (TABLES[name] for name in ("glancing", "penetrating", "ordnance"))
