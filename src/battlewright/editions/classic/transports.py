"""Transports: who gets in and out, what passengers may do, what becomes of them when their vehicle is destroyed."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.state import Deed
from battlewright.editions.classic.vehicles import Condition

__all__ = [
    "HATCH",
    "Boarding",
    "Leaving",
    "Riding",
    "access_sides",
    "barred_models",
    "capacity_of",
    "deeds_of_disembarking",
    "fire_points_of",
    "is_passenger_wounded",
    "may_shoot_from_aboard",
    "moves_after_disembarking",
    "shot_out_of",
    "why_no_boarding",
    "why_no_disembarking",
]

HATCH = 2.0
"""Inches from a hatch within which models get in and are placed when they get out."""
UNLOADING = 12.0
"""Inches up to which a vehicle may move and still let its passengers out."""
_SIDES = ("front", "rear", "left", "right")
_USUAL_SIDES = ("rear", "left", "right")
_FIRE_POINTS = re.compile(r"FIRE POINTS:? (?P<models>\d+)")
_CAPACITY = re.compile(r"TRANSPORT CAPACITY (?P<models>\d+)")


@rule("4e.vehicle-profile.transport-capacity")
def capacity_of(abilities: Collection[str]) -> int:
    """How many models a vehicle carries, by its ability ``TRANSPORT CAPACITY 10``; 0 for one that carries nobody."""
    found = (_CAPACITY.fullmatch(ability) for ability in sorted(abilities))
    return max((int(each["models"]) for each in found if each), default=0)


@rule("3e.core.vehicles.embarking")
@rule("4e.vehicle-profile.access-points", "4e.access-points.every-transport", "4e.access-points.open-topped-none")
@rule("6e.open-topped.access-anywhere")
@rule("4e.vehicle-types.open-topped")
def access_sides(keywords: Collection[str], abilities: Collection[str]) -> tuple[str, ...] | None:
    """The sides of a vehicle in whose middle its hatches are: by its ability ``ACCESS POINTS: REAR AND SIDES``.

    RULING: 3e.core.vehicles.embarking an entry that does not say so has a hatch at the rear and one on either side.

    Returns:
        Some of front, rear, left and right; None for an open-topped vehicle, whose every part serves.
    """
    if "OPEN-TOPPED" in keywords:
        return None
    for ability in sorted(abilities):
        if ability.startswith("ACCESS POINTS"):
            named = (
                re.sub(r"[^a-z]", " ", ability.removeprefix("ACCESS POINTS").lower())
                .replace("sides", "left right")
                .split()
            )
            found = tuple(side for side in _SIDES if side in named)
            return found or _USUAL_SIDES
    return _USUAL_SIDES


def barred_models(abilities: Collection[str]) -> frozenset[str]:
    """What a vehicle's entry keeps out, by its abilities ``NOT FOR TERMINATOR ARMOUR``: names in capitals."""
    return frozenset(each.removeprefix("NOT FOR ") for each in abilities if each.startswith("NOT FOR "))


_ROOM = {"BULKY": 2, "VERY BULKY": 3, "EXTREMELY BULKY": 5}


@rule("6e.core.units.bulky")
def room_of(traits: Collection[str]) -> int:
    """The places that a model takes in a vehicle: one, bulky ones two, three or five."""
    return max((room for name, room in _ROOM.items() if name in traits), default=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Boarding:
    """A unit that would get into a vehicle.

    Attributes:
        gaps: inches from each of its models to the nearest hatch when it has moved.
        capacity: models that the vehicle carries; ``aboard`` models that are in it already.
        bulk: places that bulky models of both take besides one each.
        unit_aboard: whether a unit other than independent characters is in it already.
        character: whether the one who gets in is an independent character on his own.
        locked: whether the unit is in close combat; ``falling_back`` whether it falls back.
        got_out: whether it got out of a vehicle this turn.
        infantry: whether all its models are infantry.
        barred: what the vehicle's entry keeps out and the unit has, "" for nothing.
        reserved: whether the vehicle was bought for another unit.
        shocked: whether the vehicle has made a tank shock this turn.
        on_road: whether it has kept to a road for a longer move.
        chariot: whether it is a chariot; ``one_character`` whether the unit is a single character of either kind.
        aloft: whether it zooms above the table.
    """

    gaps: Sequence[float]
    capacity: int
    aboard: int = 0
    bulk: int = 0
    unit_aboard: bool = False
    character: bool = False
    locked: bool = False
    falling_back: bool = False
    got_out: bool = False
    infantry: bool = True
    barred: str = ""
    reserved: bool = False
    shocked: bool = False
    on_road: bool = False
    chariot: bool = False
    one_character: bool = False
    aloft: bool = False


@rule("3e.core.vehicles.embarking", "3e.core.vehicles.capacity")
def why_no_boarding(boarding: Boarding) -> list[tuple[str, str]]:
    """Why a unit may not get into a vehicle at the end of its move: rule and clause for each reason; none when it may.

    RULING: 3e.core.vehicles.embarking who has got out this turn does not get in again, and no unit gets in that is in
    close combat or falls back.
    RULING: 3e.core.vehicles.capacity infantry alone gets in, and a vehicle's entry may keep out some of it.
    """
    found = []
    far = [gap for gap in boarding.gaps if not within(gap, HATCH)]
    if far:
        found.append(("3e.core.vehicles.embarking", f'has {len(far)} models further than {HATCH:g}" from a hatch'))
    count = boarding.aboard + len(boarding.gaps) + boarding.bulk
    if count > boarding.capacity:
        found.append(("3e.core.vehicles.capacity", f"makes {count} aboard; {boarding.capacity} is the capacity"))
    if boarding.unit_aboard and not boarding.character:
        found.append(("3e.core.vehicles.capacity", "would be the second unit aboard"))
    if not boarding.infantry:
        found.append(("3e.core.vehicles.capacity", "is not infantry alone"))
    if boarding.barred:
        found.append(("3e.core.vehicles.capacity", f"has {boarding.barred.lower()}, which the vehicle does not take"))
    if boarding.locked or boarding.falling_back:
        found.append(("3e.core.vehicles.embarking", "is in close combat or falling back"))
    if boarding.on_road:
        found.append(("4e.roads.excluded-actions", "would get into a vehicle that has kept to a road"))
    if boarding.got_out:
        found.append(("3e.core.vehicles.embarking", "got out of a vehicle this turn"))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """A unit that would get out of a vehicle.

    Attributes:
        moved: inches that the vehicle has moved this turn.
        vehicle: keywords and abilities of the vehicle.
        got_in: whether the unit got in this turn.
        shocked: whether the vehicle has made a tank shock this turn.
        on_road: whether it has kept to a road for a longer move.
        aloft: whether it zooms above the table.
    """

    moved: float = 0.0
    vehicle: frozenset[str] = frozenset()
    got_in: bool = False
    shocked: bool = False
    on_road: bool = False
    aloft: bool = False


@rule("3e.core.vehicles.disembarking")
@rule("4e.disembarking.over-12", "4e.embark-disembark.not-both", "4e.disembarking.before-or-after")
def why_no_disembarking(leaving: Leaving) -> list[tuple[str, str]]:
    """Why a unit may not get out of a vehicle: rule and clause for each reason; none when it may."""
    found = []
    if not within(leaving.moved, UNLOADING):
        why = f'is in a vehicle that moved {leaving.moved:.1f}"; {UNLOADING:g}" at most'
        found.append(("3e.core.vehicles.disembarking", why))
    if leaving.on_road:
        found.append(("4e.roads.excluded-actions", "is in a vehicle that has kept to a road"))
    if leaving.got_in:
        found.append(("3e.core.vehicles.disembarking", "got in this turn"))
    return found


@rule("3e.core.vehicles.disembarking")
@rule("4e.disembarking.after-move-no-move", "4e.disembarking.vehicle-stops-after", "4e.disembarking.before-move-free")
def moves_after_disembarking(moved: float) -> tuple[bool, bool]:
    """Who still moves once a unit has got out: the unit, the vehicle.

    Args:
        moved: inches that the vehicle had moved before; if it stood still both move normally, else neither does.
    """
    return moved <= 0, moved <= 0


@rule("3e.core.vehicles.disembarking", "3e.core.assault.from-a-transport")
def deeds_of_disembarking(leaving: Leaving) -> frozenset[Deed]:
    """What getting out is noted as: nothing of it bars an assault, and the unit counts as having moved."""
    return frozenset({Deed.DISEMBARKED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Riding:
    """What the vehicle of passengers has done and suffered.

    Attributes:
        moved: inches that it has moved this turn; ``flat_out`` whether it went flat out, ``rammed`` whether it rammed.
        smoked: whether it has used its smoke launchers this turn.
    """

    condition: Condition = field(default_factory=Condition)
    moved: float = 0.0
    flat_out: bool = False
    rammed: bool = False
    smoked: bool = False


@rule("4e.vehicle-profile.fire-points", "4e.fire-points.closed-only")
def fire_points_of(abilities: Collection[str]) -> int:
    """How many passengers fire out of a closed vehicle, by its ability ``FIRE POINTS 2``; 0 where it names none."""
    found = (_FIRE_POINTS.fullmatch(ability) for ability in sorted(abilities))
    return max((int(each["models"]) for each in found if each), default=0)


@rule("3e.core.vehicles.open-topped-fire", "6e.outside.fire-points")
@rule("4e.vehicle-profile.fire-points", "6e.open-topped.fire-anywhere")
@rule("4e.passenger-fire.closed-number", "4e.passenger-fire.open-all", "4e.fire-points.closed-only")
def may_shoot_from_aboard(keywords: Collection[str], models: int, fire_points: int = 0) -> int:
    """How many of the models aboard may shoot: all of an open-topped vehicle, else as many as it has fire points."""
    return models if "OPEN-TOPPED" in keywords else min(models, fire_points)


def shot_out_of(transport: int) -> str:
    """The deed of a unit whose transport, by its index, has been destroyed by fire this turn."""
    return f"shot out of unit {transport}"


@rule("3e.core.vehicles.destroyed-transport")
def is_passenger_wounded(face: int) -> bool:
    """Whether a passenger is wounded when the vehicle is destroyed: on 4 and more, with normal saves afterwards."""
    return face >= 4
