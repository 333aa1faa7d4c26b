"""Transports: who gets in and out, what passengers may do, what becomes of them when their vehicle is destroyed."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.state import Deed

__all__ = [
    "HATCH",
    "Boarding",
    "capacity_of",
    "deeds_of_disembarking",
    "is_passenger_wounded",
    "may_shoot_from_aboard",
    "moves_after_disembarking",
    "why_no_boarding",
    "why_no_disembarking",
]

HATCH = 2.0
"""Inches from a hatch within which models get in and are placed when they get out."""
UNLOADING = 12.0
"""Inches up to which a vehicle may move and still let its passengers out."""
_CAPACITY = re.compile(r"TRANSPORT CAPACITY (?P<models>\d+)")


def capacity_of(abilities: Collection[str]) -> int:
    """How many models a vehicle carries, by its ability ``TRANSPORT CAPACITY 10``; 0 for one that carries nobody."""
    found = (_CAPACITY.fullmatch(ability) for ability in sorted(abilities))
    return max((int(each["models"]) for each in found if each), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Boarding:
    """A unit that would get into a vehicle.

    Attributes:
        gaps: inches from each of its models to the nearest hatch when it has moved.
        capacity: models that the vehicle carries; ``aboard`` models that are in it already.
        unit_aboard: whether a unit other than independent characters is in it already.
        character: whether the one who gets in is an independent character on his own.
        locked: whether the unit is in close combat; ``falling_back`` whether it falls back.
        got_out: whether it got out of a vehicle this turn.
    """

    gaps: Sequence[float]
    capacity: int
    aboard: int = 0
    unit_aboard: bool = False
    character: bool = False
    locked: bool = False
    falling_back: bool = False
    got_out: bool = False


@rule("3e.core.vehicles.embarking", "3e.core.vehicles.capacity")
def why_no_boarding(boarding: Boarding) -> list[tuple[str, str]]:
    """Why a unit may not get into a vehicle at the end of its move: rule and clause for each reason; none when it may.

    RULING: 3e.core.vehicles.embarking who has got out this turn does not get in again, and no unit gets in that is in
    close combat or falls back.
    """
    found = []
    far = [gap for gap in boarding.gaps if not within(gap, HATCH)]
    if far:
        found.append(("3e.core.vehicles.embarking", f'has {len(far)} models further than {HATCH:g}" from a hatch'))
    count = boarding.aboard + len(boarding.gaps)
    if count > boarding.capacity:
        found.append(("3e.core.vehicles.capacity", f"makes {count} aboard; {boarding.capacity} is the capacity"))
    if boarding.unit_aboard and not boarding.character:
        found.append(("3e.core.vehicles.capacity", "would be the second unit aboard"))
    if boarding.locked or boarding.falling_back:
        found.append(("3e.core.vehicles.embarking", "is in close combat or falling back"))
    if boarding.got_out:
        found.append(("3e.core.vehicles.embarking", "got out of a vehicle this turn"))
    return found


@rule("3e.core.vehicles.disembarking")
def why_no_disembarking(moved: float, gaps: Sequence[float], *, got_in: bool = False) -> list[tuple[str, str]]:
    """Why a unit may not get out so: rule and clause for each reason; none when it may.

    Args:
        moved: inches that the vehicle has moved this turn.
        gaps: inches from each model's place to the nearest hatch.
        got_in: whether it got in this turn.
    """
    found = []
    if not within(moved, UNLOADING):
        why = f'is in a vehicle that moved {moved:.1f}"; {UNLOADING:g}" at most'
        found.append(("3e.core.vehicles.disembarking", why))
    far = [gap for gap in gaps if not within(gap, HATCH)]
    if far:
        found.append(("3e.core.vehicles.disembarking", f'has {len(far)} models further than {HATCH:g}" from a hatch'))
    if got_in:
        found.append(("3e.core.vehicles.disembarking", "got in this turn"))
    return found


@rule("3e.core.vehicles.disembarking")
def moves_after_disembarking(moved: float) -> tuple[bool, bool]:
    """Who still moves once a unit has got out: the unit, the vehicle.

    Args:
        moved: inches that the vehicle had moved before; if it stood still both move normally, else neither does.
    """
    return moved <= 0, moved <= 0


@rule("3e.core.vehicles.disembarking", "3e.core.assault.from-a-transport")
def deeds_of_disembarking() -> frozenset[Deed]:
    """What getting out is noted as: nothing of it bars an assault, and the unit counts as having moved."""
    return frozenset({Deed.DISEMBARKED})


@rule("3e.core.vehicles.open-topped-fire")
def may_shoot_from_aboard(keywords: Collection[str], models: int, fire_points: int = 0) -> int:
    """How many of the models aboard may shoot: all of an open-topped vehicle, else as many as it has fire points."""
    return models if "OPEN-TOPPED" in keywords else min(models, fire_points)


@rule("3e.core.vehicles.destroyed-transport")
def is_passenger_wounded(face: int) -> bool:
    """Whether a passenger is wounded when the vehicle is destroyed: on 4 and more, with normal saves afterwards."""
    return face >= 4
