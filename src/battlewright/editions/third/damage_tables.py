"""The damage tables of the 3rd edition."""

from __future__ import annotations

from battlewright.core.rulebook import rule
from battlewright.editions.classic.armour import DamageResult, DamageTable, Results, read_table

__all__ = ["GLANCING", "ORDNANCE", "PENETRATING", "glancing_result", "ordnance_result", "penetrating_result"]

_GLANCING: Results = (
    DamageResult.SHAKEN,
    DamageResult.SHAKEN,
    DamageResult.STUNNED,
    DamageResult.IMMOBILISED,
    DamageResult.ARMAMENT,
    DamageResult.DESTROYED,
)
_PENETRATING: Results = (
    DamageResult.STUNNED,
    DamageResult.ARMAMENT,
    DamageResult.IMMOBILISED,
    DamageResult.DESTROYED,
    DamageResult.THROWN,
    DamageResult.EXPLODES,
)
_ORDNANCE: Results = (
    DamageResult.ARMAMENT,
    DamageResult.IMMOBILISED,
    DamageResult.DESTROYED,
    DamageResult.THROWN,
    DamageResult.EXPLODES,
    DamageResult.ANNIHILATED,
)


@rule("3e.core.vehicles.glancing-table")
def glancing_result(total: int) -> DamageResult:
    """What a glancing hit does."""
    return read_table(_GLANCING, total)


@rule("3e.core.vehicles.penetrating-table")
def penetrating_result(total: int) -> DamageResult:
    """What a penetrating hit does."""
    return read_table(_PENETRATING, total)


@rule("3e.core.vehicles.ordnance-table")
def ordnance_result(total: int) -> DamageResult:
    """What a penetrating hit by ordnance does."""
    return read_table(_ORDNANCE, total)


GLANCING = DamageTable("glancing table", glancing_result, "3e.core.vehicles.glancing-table")
PENETRATING = DamageTable("penetrating table", penetrating_result, "3e.core.vehicles.penetrating-table")
ORDNANCE = DamageTable("ordnance table", ordnance_result, "3e.core.vehicles.ordnance-table")
