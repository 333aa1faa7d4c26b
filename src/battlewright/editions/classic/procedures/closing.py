"""Ways of single models that leave nobody a choice: straight into contact, straight towards an enemy, out of it.

DEVIATION: 3e.assault-move.nearest-first players say whom their units assault; where the models of a unit come to stand
is settled here, each by the shortest free way, and not by hand.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np

from battlewright.core.bases import Pose
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, inside_rectangle, separation, separation_matrix
from battlewright.editions.classic.procedures.board import gaps, pose_of
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.third.assaulting import Contact, assault_order, enemies_to_contact, short_move

__all__ = ["Way", "approach_spot", "close_in", "contact_spot", "is_free", "put"]

_TURNS = 48
"""Directions about an enemy base in which a place in contact with it is looked for."""
_ROUNDS = 12
_NEAR = 0.0005
_STEPS = 24

Way = tuple[int, tuple[tuple[int, int, int, int], ...]]


def put(state: ClassicState, row: int, pose: Pose) -> Way:
    """Put a model down; its row and its way, the place that it leaves first."""
    x, y, z, facing = (int(value) for value in state.position[row])
    state.position[row] = pose.to_row()
    return row, ((x, y, z, facing), pose.to_row())


def is_free(
    scene: Scene,
    state: ClassicState,
    row: int,
    pose: Pose,
    *,
    keep_off: float = 0.0,
    may_touch: Collection[int] = (),
) -> bool:
    """Whether a model may stand there: on the table, upon nobody, and not too near to enemies.

    Args:
        keep_off: inches to stay away from enemy models; ``may_touch`` are rows of enemies that this is not asked of.
    """
    pose = pose.snapped()
    here = np.array([pose], np.float64)
    placed = scene.bases.some_at([row], here)
    table = scene.battlefield
    if not inside_rectangle(placed, table.width, table.height)[0]:
        return False
    others = [int(other) for other in np.flatnonzero(state.on_table & (state.wounds > 0)) if other != row]
    if not others:
        return True
    around = scene.bases.some_at(others, np.asarray(state.position[others] / 1000.0, np.float64))
    apart = separation_matrix(placed, around)[0]
    side = scene.models[row].side
    least = np.array(
        [keep_off if scene.models[other].side != side and other not in may_touch else -TOLERANCE for other in others]
    )
    return bool((apart >= least - TOLERANCE).all())


def _touching(scene: Scene, row: int, pose: Pose, goal: int, at: Pose, angle: float) -> Pose:
    """The place in this direction from an enemy where a model just touches it."""
    mine, theirs = scene.models[row].base, scene.models[goal].base
    away = scene.models[row].base.reach + theirs.reach + 1.0
    spot = pose
    for _ in range(_ROUNDS):
        spot = Pose(at.x + away * math.cos(angle), at.y + away * math.sin(angle), pose.z, pose.facing)
        gap = separation(mine, spot, theirs, at)
        if abs(gap) <= _NEAR:
            break
        away -= gap
    return spot.snapped()


def _way_is_clear(scene: Scene, state: ClassicState, row: int, spot: Pose, avoid: Sequence[int]) -> bool:
    """Whether a straight way passes through none of these models."""
    if not avoid:
        return True
    start = pose_of(state, row)
    swept = scene.bases.some_at([row], np.array([start], np.float64)).swept(
        np.array([[spot.x - start.x, spot.y - start.y]])
    )
    around = scene.bases.some_at(avoid, np.asarray(state.position[list(avoid)] / 1000.0, np.float64))
    return bool((separation_matrix(swept, around)[0] >= -2 * TOLERANCE).all())


def contact_spot(
    scene: Scene, state: ClassicState, row: int, goal: int, reach: float, may_touch: Collection[int]
) -> Pose | None:
    """The nearest place where a model can come into contact with an enemy, by a straight way; None when there is none.

    Args:
        reach: inches that it may move.
        may_touch: rows of enemies that it may come near to on the way; it keeps 1" from others.
    """
    start, at = pose_of(state, row), pose_of(state, goal)
    straight = math.atan2(start.y - at.y, start.x - at.x)
    turns = sorted(range(-_TURNS // 2, _TURNS // 2), key=abs)
    enemies = [
        int(other)
        for other in np.flatnonzero(state.on_table & (state.wounds > 0))
        if scene.models[other].side != scene.models[row].side
    ]
    for turn in turns:
        spot = _touching(scene, row, start, goal, at, straight + turn * 2 * math.pi / _TURNS)
        if math.hypot(spot.x - start.x, spot.y - start.y) > reach + TOLERANCE:
            continue
        if not is_free(scene, state, row, spot, keep_off=1.0, may_touch=may_touch):
            continue
        if _way_is_clear(scene, state, row, spot, enemies):
            return spot
    return None


def approach_spot(
    scene: Scene,
    state: ClassicState,
    row: int,
    towards: Pose,
    distance: float,
    *,
    keep_off: float = 1.0,
    may_touch: Collection[int] = (),
) -> Pose | None:
    """The furthest free place on the straight way to a point, no further off than a distance; None: it cannot move."""
    start = pose_of(state, row)
    apart = math.hypot(towards.x - start.x, towards.y - start.y)
    if apart <= TOLERANCE or distance <= TOLERANCE:
        return None
    dx, dy = (towards.x - start.x) / apart, (towards.y - start.y) / apart
    for step in range(_STEPS, 0, -1):
        along = min(distance, apart) * step / _STEPS
        spot = Pose(start.x + dx * along, start.y + dy * along, start.z, start.facing).snapped()
        if is_free(scene, state, row, spot, keep_off=keep_off, may_touch=may_touch):
            return spot
    return None


@rule("3e.assault-move.nearest-first", "3e.assault-move.unengaged-first", "3e.assault-move.nearest-to-nearest")
@rule("3e.core.assault.charge-moves", "3e.assault-move.short-move")
def close_in(
    battle: ClassicBattle,
    unit: int,
    targets: Collection[int],
    reach: float,
    kind: MoveKind,
    rule_id: str,
    rows: Sequence[int] | None = None,
) -> None:
    """Models of a unit move towards enemies, the nearest first: to a free enemy if they can, else to one that is
    engaged, else as near as they may."""
    scene, state = battle.scene, battle.state
    mine = list(rows) if rows is not None else standing(state, unit)
    foes = [row for target in targets for row in standing(state, target)]
    order = assault_order([float(gap) for gap in gaps(scene, state, mine, foes).min(axis=1)])
    paths: list[Way] = []
    for place in order:
        row = mine[place]
        way = _close_one(scene, state, row, foes, reach)
        if way is not None:
            paths.append(way)
    if paths:
        battle.happened(ModelsMoved(unit=scene.units[unit].id, how=kind, paths=tuple(paths), rules=(rule_id,)))


def _close_one(scene: Scene, state: ClassicState, row: int, foes: Sequence[int], reach: float) -> Way | None:
    apart = gaps(scene, state, [row], foes)[0]
    if float(apart.min()) == 0.0:
        return None
    side = scene.models[row].side
    friends = [
        int(other) for other in np.flatnonzero(state.on_table & (state.wounds > 0)) if scene.models[other].side == side
    ]
    engaged = (gaps(scene, state, friends, foes) == 0.0).any(axis=0)
    contacts = [Contact(foe, float(gap), bool(busy)) for foe, gap, busy in zip(foes, apart, engaged, strict=True)]
    for wanted in (enemies_to_contact(contacts, reach), enemies_to_contact([c for c in contacts if c.engaged], reach)):
        left = list(wanted)
        while left:
            open_to = scene.rules.assault.free_enemies(left)
            goal = min(open_to, key=lambda contact: contact.gap)
            spot = contact_spot(scene, state, row, goal.row, reach, foes)
            if spot is not None:
                return put(state, row, spot)
            left.remove(goal)
    nearest = int(apart.argmin())
    towards: Pose = pose_of(state, foes[nearest])
    along = short_move(float(apart[nearest]), reach)
    near = approach_spot(scene, state, row, towards, along, keep_off=0.01, may_touch=())
    return put(state, row, near) if near is not None else None
