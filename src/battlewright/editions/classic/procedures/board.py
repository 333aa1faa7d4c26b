"""The table as the rules ask of it: where models stand, how far apart they are, whom they touch.

Everything here reads the state and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battlewright.core.bases import Point, Pose, to_inches
from battlewright.core.decisions import Side, opponent
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, furthest_edge, separation_matrix
from battlewright.core.table import Edge
from battlewright.editions.classic.procedures.ground import footing_of
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.pursuit import may_move_in_combat
from battlewright.editions.classic.scene import ModelInfo, Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.vehicles import facing_of

__all__ = [
    "box_of",
    "combat_of",
    "contact_gaps",
    "enemies_on_table",
    "facing_towards",
    "free_in_combat",
    "furthest_part",
    "gaps",
    "in_combat",
    "nearest_enemy",
    "own_edge",
    "pose_of",
    "remembered",
    "swept_into",
    "touched_units",
    "unit_gap",
    "unit_in",
]

Floats = NDArray[np.float64]


# -- where models stand -----------------------------------------------------------------------------------------


def pose_of(state: ClassicState, row: int) -> Pose:
    """Where a model stands."""
    return Pose.from_row(state.position[row])


def unit_in(state: ClassicState, row: int) -> int:
    """The unit among whose models a model stands: for a joined character the one that it has joined."""
    return next(number for number, unit in enumerate(state.units) if row in unit.models)


@rule("6e.skimmer-measuring.hull", "6e.walker-measuring.base-or-hull")
def gaps(scene: Scene, state: ClassicState, rows: Sequence[int], others: Sequence[int]) -> Floats:
    """(n, m): inches from base edge to base edge, 0 in contact."""
    mine, theirs = to_inches(state.position[list(rows)]), to_inches(state.position[list(others)])
    found = separation_matrix(scene.bases.some_at(rows, mine), scene.bases.some_at(others, theirs))
    return np.asarray(np.where(found <= TOLERANCE, 0.0, found), dtype=np.float64)


def unit_gap(scene: Scene, state: ClassicState, unit: int, other: int) -> float:
    """Inches between the nearest standing models of two units that both have some."""
    return float(gaps(scene, state, standing(state, unit), standing(state, other)).min())


def furthest_part(scene: Scene, state: ClassicState, row: int, other: int) -> float:
    """Inches from the base of ``other`` to the furthest part of a model's base."""
    models = scene.models
    return furthest_edge(models[row].base, pose_of(state, row), models[other].base, pose_of(state, other))


def enemies_on_table(scene: Scene, state: ClassicState, side: Side) -> list[int]:
    """The units of the other side that have models on the table."""
    return [int(unit.index) for unit in scene.units_of(opponent(side)) if standing(state, unit.index)]


def nearest_enemy(scene: Scene, state: ClassicState, unit: int) -> float | None:
    """Inches to the nearest enemy unit, None where there is none."""
    enemies = enemies_on_table(scene, state, scene.units[unit].side)
    return min((unit_gap(scene, state, unit, enemy) for enemy in enemies), default=None)


def box_of(scene: Scene, state: ClassicState, row: int) -> tuple[float, float, float, float]:
    """The least rectangle around a round base; for others the one around the circle about it."""
    pose, reach = pose_of(state, row), float(scene.reach[row])
    return pose.x - reach, pose.y - reach, pose.x + reach, pose.y + reach


def own_edge(scene: Scene, state: ClassicState, side: Side) -> Edge:
    """The table edge of a player: the one of his zone; the south for side a and the north for b where it has none."""
    named = state.zones[side]
    edge = scene.battlefield.zone(named).edge if named else None
    return edge or (Edge.SOUTH, Edge.NORTH)[side]


@rule("6e.walker-movement.facing")
@rule("6e.walker-shot-at.facing")
def facing_towards(scene: Scene, state: ClassicState, row: int, point: Point) -> Facing:
    """The side of a vehicle that a point lies on; see :func:`~battlewright.editions.classic.vehicles.facing_of`."""
    return facing_of(scene.models[row].base, pose_of(state, row), point)


def _stamp(scene: Scene, state: ClassicState) -> bytes:
    apart = bytes(bool(state.units[unit].models) for unit in scene.parts)
    return state.position.tobytes() + state.on_table.tobytes() + (state.wounds > 0).tobytes() + apart


def remembered(scene: Scene, state: ClassicState) -> dict[Any, Any]:
    """Results that hold as long as nobody moves, falls or is left behind."""
    stamp = _stamp(scene, state)
    kept = scene.cache.get("board")
    if kept is None or kept[0] != stamp:
        kept = (stamp, {})
        scene.cache["board"] = kept
    found: dict[Any, Any] = kept[1]
    return found


# -- contact ----------------------------------------------------------------------------------------------------


def _locks(model: ModelInfo) -> bool:
    """Whether a model can be locked in close combat: anything but a vehicle without Weapon Skill."""
    return not model.profile.is_vehicle or model.profile.weapon_skill > 0


@rule("3e.core.vehicles.not-locked")
def touched_units(scene: Scene, state: ClassicState, unit: int, *, locked: bool = True) -> list[int]:
    """The enemy units that a unit touches.

    Args:
        locked: only those that it is locked with; a vehicle without Weapon Skill locks nobody.
    """
    known = remembered(scene, state)
    key = ("touched", unit, locked)
    if key not in known:
        known[key] = _touched(scene, state, unit, locked=locked)
    found: list[int] = known[key]
    return found


def _touched(scene: Scene, state: ClassicState, unit: int, *, locked: bool) -> list[int]:
    """The enemy units that stand so near that no circle about a base tells them apart, measured properly."""
    if state.units[unit].aloft:
        return []
    rows = [row for row in standing(state, unit) if not locked or _locks(scene.models[row])]
    side = scene.units[unit].side
    there = np.flatnonzero(state.on_table & (state.wounds > 0))
    if not rows or not len(there):
        return []
    at = state.position[:, :2] / 1000.0
    away = np.hypot(*(at[there][None] - at[rows][:, None]).transpose(2, 0, 1))
    near = (away <= scene.reach[there][None] + scene.reach[rows][:, None] + 2 * TOLERANCE).any(axis=0)
    others = [
        int(row) for row in there[near] if scene.models[row].side != side and (not locked or _locks(scene.models[row]))
    ]
    others = [row for row in others if not state.units[unit_in(state, row)].aloft]
    if not others:
        return []
    apart = contact_gaps(scene, state, rows, others).min(axis=0)
    return sorted({unit_in(state, row) for row, gap in zip(others, apart, strict=True) if gap <= TOLERANCE})


@rule("6e.flyer-measuring.charge-contact")
def contact_gaps(scene: Scene, state: ClassicState, rows: Sequence[int], others: Sequence[int]) -> Floats:
    """(n, m): inches that keep models from contact, 0 in contact: with a hull above the table by its edge or its stand.

    RULING: 6e.flyer-measuring.charge-contact a model that stands beneath a hull is no nearer to contact for that.
    """
    flight = scene.rules.flight
    raised = [
        np.array([flight.lift(scene.models[row].profile.keywords) > 0.0 for row in each]) for each in (rows, others)
    ]
    found = gaps(scene, state, rows, others)
    if not (raised[0].any() or raised[1].any()):
        return found
    mine, theirs = to_inches(state.position[list(rows)]), to_inches(state.position[list(others)])
    hulls = separation_matrix(scene.bases.some_at(rows, mine), scene.bases.some_at(others, theirs))
    footing = footing_of(scene)
    stands = separation_matrix(footing.some_at(rows, mine), footing.some_at(others, theirs))
    apart = np.minimum(np.abs(hulls), np.maximum(stands, 0.0))
    apart = np.where(apart <= TOLERANCE, 0.0, apart)
    return np.asarray(np.where(raised[0][:, None] | raised[1][None, :], apart, found), dtype=np.float64)


def swept_into(scene: Scene, state: ClassicState, unit: int) -> list[int]:
    """The enemy units that have swept into a unit and have not fought it yet."""
    mine = state.units
    return [each for each in touched_units(scene, state, unit) if mine[each].charged and not mine[unit].charged]


@rule("3e.partial-contact.contact-stay", "3e.drawn.contact-stay")
def free_in_combat(scene: Scene, state: ClassicState, unit: int) -> list[int]:
    """The standing models of a unit that touch no enemy."""
    rows = standing(state, unit)
    foes = [row for enemy in touched_units(scene, state, unit) for row in standing(state, enemy)]
    if not foes:
        return rows
    touching = [row for row, gap in zip(rows, gaps(scene, state, rows, foes).min(axis=1), strict=True) if gap == 0.0]
    return may_move_in_combat(touching, rows)


@rule("6e.walker-assault.not-shot-while-locked", "3e.core.vehicles.not-locked")
def in_combat(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit is locked in close combat."""
    return bool(touched_units(scene, state, unit))


@rule("3e.core.assault.several-targets")
def combat_of(scene: Scene, state: ClassicState, unit: int, *, locked: bool = True) -> list[int]:
    """Every unit of the combat that a unit is in, itself among them: whoever is linked to it by contact."""
    found, waiting = {unit}, [unit]
    while waiting:
        for other in touched_units(scene, state, waiting.pop(), locked=locked):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return sorted(found)
