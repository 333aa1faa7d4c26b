"""What a destroyed vehicle leaves behind: wreck, crater or nothing, the blast of an explosion, its passengers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.transports import HATCH, is_passenger_wounded

__all__ = [
    "BLAST_STRENGTH",
    "Leaves",
    "PassengersFate",
    "fate_of_passengers",
    "hit_by_explosion",
    "leaves",
    "may_get_clear",
]

BLAST_STRENGTH = 3
"""Strength of the hit that an explosion deals; its AP is "-"."""


class Leaves(StrEnum):
    """What stands where a vehicle was destroyed."""

    WRECK = "wreck"
    """Difficult terrain that gives cover as wrecks do; it blocks sight as the vehicle did."""
    CRATER = "crater"
    NOTHING = "nothing"


@rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table", "3e.core.vehicles.glancing-table")
def leaves(result: DamageResult) -> Leaves | None:
    """What a destroyed vehicle leaves behind; None for a result that does not destroy it.

    RULING: 3e.core.vehicles.penetrating-table a wreck that is thrown comes to lie where the vehicle stood.
    """
    match result:
        case DamageResult.DESTROYED | DamageResult.THROWN:
            return Leaves.WRECK
        case DamageResult.EXPLODES:
            return Leaves.NOTHING
        case DamageResult.ANNIHILATED:
            return Leaves.CRATER
        case _:
            return None


@rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table")
def hit_by_explosion(result: DamageResult, face: int, gaps: Sequence[float]) -> list[int]:
    """The models that an explosion hits with ``BLAST_STRENGTH``: all within D6 inches of the vehicle.

    Args:
        face: the one D6 of the explosion; ``gaps`` inches from the vehicle to each model.

    Returns:
        Indices into ``gaps``; none for results that are no explosion.
    """
    if result not in (DamageResult.EXPLODES, DamageResult.ANNIHILATED):
        return []
    return [index for index, gap in enumerate(gaps) if within(gap, face)]


@dataclass(frozen=True, slots=True)
class PassengersFate:
    """What becomes of the models aboard a destroyed vehicle, as indices into them.

    Attributes:
        killed: removed at once; ``wounded`` suffer a wound that they may save.
    """

    killed: tuple[int, ...] = ()
    wounded: tuple[int, ...] = ()


@rule("3e.core.vehicles.destroyed-transport", "3e.core.vehicles.ordnance-table")
def fate_of_passengers(result: DamageResult, faces: Sequence[int]) -> PassengersFate:
    """What becomes of passengers: each is wounded on 4 and more; in an annihilated vehicle all are killed.

    Args:
        faces: a D6 for each of them.
    """
    aboard = tuple(range(len(faces)))
    if not result.destroys:
        return PassengersFate()
    if result is DamageResult.ANNIHILATED:
        return PassengersFate(killed=aboard)
    return PassengersFate(wounded=tuple(each for each in aboard if is_passenger_wounded(faces[each])))


@rule("3e.core.vehicles.destroyed-transport")
def may_get_clear(gap: float) -> bool:
    """Whether a survivor may be placed there: where the vehicle was, or within 2" of it.

    Args:
        gap: inches to the place where the vehicle stood.
    """
    return within(gap, HATCH)
