"""Who is aboard of what: capacity, hatches, and what stands in the way of getting in or out.

Everything here reads the state and changes nothing. Who is aboard has living models none of which is on the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from battlewright.core.bases import Point, Pose, to_inches
from battlewright.core.decisions import Side
from battlewright.core.roster import Unit
from battlewright.core.rulebook import rule
from battlewright.core.shapes import distance_edge_to_point, furthest_edge_from_point, separation_matrix
from battlewright.editions.classic.force_chart import slot_of
from battlewright.editions.classic.procedures.board import in_combat, pose_of
from battlewright.editions.classic.procedures.ground import footing_of
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import Scene, living, standing, traits_of_model
from battlewright.editions.classic.state import NOWHERE, ClassicState, Deed
from battlewright.editions.classic.transports import (
    HATCH,
    Boarding,
    Leaving,
    access_sides,
    barred_models,
    capacity_of,
    room_of,
)

__all__ = [
    "aboard",
    "begins_in",
    "boarding_of",
    "bought_for",
    "has_to_wait",
    "hatches_of",
    "is_transport",
    "leaving_of",
    "may_get_out",
    "seats",
    "transports_for",
]


def aboard(state: ClassicState, transport: int) -> list[int]:
    """The units aboard of a transport, in the order of the list."""
    return [unit for unit, each in enumerate(state.units) if each.embarked == transport and living(state, unit)]


def seats(scene: Scene, state: ClassicState, transport: int) -> int:
    """How many models a vehicle carries."""
    return sum(capacity_of(scene.models[row].profile.abilities) for row in living(state, transport))


def is_transport(scene: Scene, unit: int) -> bool:
    """Whether a unit can carry anybody."""
    return any(capacity_of(scene.models[row].profile.abilities) for row in scene.units[unit].rows)


@rule("4e.transport-use.dedicated", "4e.transport-use.pool-transport")
def bought_for(scene: Scene, transport: int) -> int | None:
    """The unit that a transport was bought for, None for one that anybody may use.

    Such a one fills no place of its own on the force chart, and the list says who begins the battle in it.
    """
    known: dict[int, int | None] = scene.cache.setdefault("bought-for", {})
    if transport not in known:
        known[transport] = _owner(scene, transport)
    return known[transport]


def _owner(scene: Scene, transport: int) -> int | None:
    info = scene.units[transport]
    if slot_of([scene.models[row].profile.keywords for row in info.rows]) is not None:
        return None
    likes = [int(each.index) for each in scene.units_of(info.side) if each.roster.name == info.roster.name]
    riders = [int(each.index) for each in scene.units_of(info.side) if begins_in(each.roster) == info.roster.name]
    place = likes.index(transport)
    return riders[place] if place < len(riders) else None


@rule("6e.flyer-reserve.must-start-in-reserve")
def has_to_wait(scene: Scene, unit: int) -> bool:
    """Whether a unit has to begin the battle in reserve by what it is; who is aboard of it waits with it."""
    waits = scene.rules.flight.waits
    return any(waits(scene.models[row].profile.keywords) for row in scene.units[unit].rows)


def begins_in(unit: Unit) -> str | None:
    """The name of the vehicle in which a unit begins by its list, None for none."""
    return next((part.embarked_in for part in unit.components if part.embarked_in), None)


_DOOR = 1.0
"""Inches from the middle of a hatch to either end of its door, where the side is long enough."""


# -- hatches ----------------------------------------------------------------------------------------------------


@rule("3e.core.vehicles.embarking", "6e.flyer-measuring.base-is-access-point")
def hatches_of(scene: Scene, state: ClassicState, row: int) -> list[Point] | None:
    """Where a vehicle's hatches are, in inches: the middle and the ends of a door in the middle of some of its sides;
    None where any part serves, as does that of the stand of a flyer.

    RULING: 4e.vehicle-profile.access-points a door is 2" wide, at most half of its side; at a mere point there is no
    room for all whom a vehicle with a single hatch carries.
    """
    model = scene.models[row]
    if scene.rules.flight.stand(model.profile.keywords) is not None:
        return None
    sides = access_sides(model.profile.keywords, model.profile.abilities)
    if sides is None:
        return None
    pose, along, across = pose_of(state, row), model.base.length / 2, model.base.width / 2
    wide, long = min(_DOOR, across / 2), min(_DOOR, along / 2)
    doors = {
        "front": [(along, at) for at in (0.0, wide, -wide)],
        "rear": [(-along, at) for at in (0.0, wide, -wide)],
        "left": [(at, across) for at in (0.0, long, -long)],
        "right": [(at, -across) for at in (0.0, long, -long)],
    }
    c, s = math.cos(math.radians(pose.facing)), math.sin(math.radians(pose.facing))
    return [(pose.x + x * c - y * s, pose.y + x * s + y * c) for side in sides for x, y in doors[side]]


def _to_a_hatch(scene: Scene, state: ClassicState, rows: Sequence[int], transport: int) -> list[float]:
    """Inches from each of some models to the nearest hatch, as the players measure "within"."""
    found = []
    for row in rows:
        base, pose = scene.models[row].base, pose_of(state, row)
        measured = []
        for hull in standing(state, transport):
            points = hatches_of(scene, state, hull)
            if points is None:
                footing = footing_of(scene)
                mine, theirs = to_inches(state.position[[row]]), to_inches(state.position[[hull]])
                apart = separation_matrix(footing.some_at([row], mine), footing.some_at([hull], theirs))
                near = max(0.0, float(apart[0, 0]))
                measured.append(_as_measured(scene, near, near + 2 * base.reach))
            else:
                measured += [_to_point(scene, row, pose, point) for point in points]
        found.append(min(measured, default=math.inf))
    return found


def _to_point(scene: Scene, row: int, pose: Pose, point: Point) -> float:
    base = scene.models[row].base
    return _as_measured(scene, distance_edge_to_point(base, pose, point), furthest_edge_from_point(base, pose, point))


def _as_measured(scene: Scene, near: float, far: float) -> float:
    return near if scene.rules.assault.is_within(near, far, HATCH) else max(near, far)


# -- getting in -------------------------------------------------------------------------------------------------


def boarding_of(scene: Scene, state: ClassicState, unit: int, transport: int, *, beforehand: bool = False) -> Boarding:
    """What is asked of a unit that would get into a vehicle.

    Args:
        beforehand: whether it is before the battle, when nothing is measured.
    """
    rows, inside = living(state, unit), aboard(state, transport)
    hull = scene.models[scene.units[transport].rows[0]].profile
    barred = [word for word in sorted(barred_models(hull.abilities)) if any(scene.models[r].has(word) for r in rows)]
    owner = bought_for(scene, transport)
    mine = state.units[unit]
    return Boarding(
        gaps=[0.0] * len(rows) if beforehand else _to_a_hatch(scene, state, rows, transport),
        capacity=seats(scene, state, transport),
        aboard=sum(len(living(state, each)) for each in inside),
        bulk=sum(
            room_of(traits_of_model(scene, row)) - 1
            for row in (*rows, *(row for each in inside for row in living(state, each)))
        ),
        unit_aboard=any(not _is_character(scene, state, each) for each in inside),
        character=_is_character(scene, state, unit),
        locked=not beforehand and in_combat(scene, state, unit),
        falling_back=mine.falling_back,
        got_out=mine.has(Deed.DISEMBARKED),
        infantry=all(scene.models[row].profile.kind is Kind.INFANTRY for row in rows),
        barred=barred[0] if barred else "",
        reserved=owner is not None and owner != unit and not (_is_character(scene, state, unit) and owner in inside),
        shocked=state.units[transport].has(Deed.TANK_SHOCKED),
        on_road=state.units[transport].has(Deed.ON_ROAD),
        chariot="CHARIOT" in hull.keywords,
        one_character=len(rows) == 1 and scene.models[rows[0]].profile.is_character,
        aloft=state.units[transport].aloft,
    )


def _is_character(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit is an independent character on his own."""
    rows = living(state, unit)
    return len(rows) == 1 and scene.models[rows[0]].profile.is_independent


def transports_for(scene: Scene, state: ClassicState, unit: int, *, beforehand: bool = False) -> list[int]:
    """The vehicles of its side that a unit may get into as things stand; before the battle those not in reserve."""
    side: Side = scene.units[unit].side
    found = []
    for info in scene.units_of(side):
        other = int(info.index)
        if other == unit or not is_transport(scene, other) or state.units[other].embarked != NOWHERE:
            continue
        waits = state.units[other].in_reserves and not has_to_wait(scene, other)
        there = not waits if beforehand else bool(standing(state, other))
        if there and living(state, other):
            boarding = boarding_of(scene, state, unit, other, beforehand=beforehand)
            if not scene.rules.vehicles.transports.why_no_boarding(boarding):
                found.append(other)
    return found


# -- getting out ------------------------------------------------------------------------------------------------


def leaving_of(scene: Scene, state: ClassicState, unit: int) -> Leaving:
    """What is asked of a unit that would get out of the vehicle that it is in."""
    transport = state.units[unit].embarked
    vehicle, profile = state.units[transport], scene.models[scene.units[transport].rows[0]].profile
    return Leaving(
        moved=vehicle.moved_distance / 1000,
        vehicle=profile.keywords | profile.abilities,
        got_in=state.units[unit].has(Deed.EMBARKED),
        shocked=vehicle.has(Deed.TANK_SHOCKED),
        on_road=vehicle.has(Deed.ON_ROAD),
        aloft=vehicle.aloft,
    )


@rule("3e.core.vehicles.disembarking")
@rule("4e.embark-disembark.voluntary-movement-phase", "4e.disembarking.before-or-after", "4e.disembarking.over-12")
def may_get_out(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit aboard may get out now, in its owner's Movement phase; whether there is room is another matter."""
    mine = state.units[unit]
    if mine.embarked == NOWHERE or mine.acted or mine.side != state.turn or not living(state, unit):
        return False
    if not standing(state, mine.embarked):
        return False
    return not scene.rules.vehicles.transports.why_no_disembarking(leaving_of(scene, state, unit))
