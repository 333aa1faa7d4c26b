"""What moves have to do with difficult terrain: who starts, ends and passes in which piece, and how far he may go."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from battlewright.core.bases import Point, to_inches
from battlewright.core.decisions import Violation
from battlewright.core.footprints import BaseSet
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.core.sweeps import Sweeps
from battlewright.editions.classic.movement import EnteringByModel
from battlewright.editions.classic.procedures.ground import Difficult, difficult_of, kind_rules
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.classic.terrain import Crossing, is_slowed_by
from battlewright.editions.placing.placed import Booleans, Floats
from battlewright.editions.placing.ways import Legs

__all__ = [
    "STEP",
    "TerrainTest",
    "crosses_obstacle",
    "crossings_of",
    "distance_faults",
    "pieces_in_reach",
    "who_may_enter",
]

STEP = 0.02
"""Inches between the places of a way at which it is asked whether a base has come inside, or got out."""
_DIRECTIONS = np.radians(np.arange(0.0, 360.0, 7.5))


@dataclass(frozen=True, slots=True)
class TerrainTest:
    """A terrain test that a unit has taken.

    Attributes:
        allowed: inches, the higher die.
        entering: rows of the models that were declared to enter before it, where they are named.
    """

    allowed: int
    entering: frozenset[int] = frozenset()


def crossings_of(
    scene: Scene, state: ClassicState, bases: BaseSet, legs: Legs, *, drives: bool = False
) -> dict[int, list[tuple[int, Crossing]]]:
    """For each model that moves, by its index in ``bases``, the pieces that its move has to do with, and what.

    Args:
        drives: whether they are vehicles that are no walkers.
    """
    pieces = difficult_of(scene, state, drives=drives)
    moved = list(dict.fromkeys(int(owner) for owner in legs.owners))
    if not len(pieces):
        return {index: [] for index in moved}
    first = {int(owner): leg for leg, owner in reversed(list(enumerate(legs.owners)))}
    last = {int(owner): leg for leg, owner in enumerate(legs.owners)}
    before = pieces.touched(bases.some_at(moved, legs.starts[[first[index] for index in moved]]))
    after = pieces.touched(bases.some_at(moved, legs.ends[[last[index] for index in moved]]))
    passed = Sweeps.legs(bases, legs.starts, legs.ends, legs.owners).cross(pieces.polygons)
    found: dict[int, list[tuple[int, Crossing]]] = {}
    for place, index in enumerate(moved):
        mine = np.flatnonzero(before[place] | after[place] | passed[index])
        found[index] = [
            (
                int(k),
                Crossing(
                    bool(before[place, k]),
                    bool(after[place, k]),
                    bool(passed[index, k]),
                    bool(pieces.slowing[k]),
                    bool(pieces.dangerous[k]),
                ),
            )
            for k in mine
        ]
    return found


@rule("3e.core.movement.obstacles")
def crosses_obstacle(scene: Scene, state: ClassicState, row: int, end: Point) -> bool:
    """Whether a model would cross an obstacle that counts as difficult terrain on the straight way to a point."""
    pieces = difficult_of(scene, state)
    walls = pieces.linear & pieces.slowing
    if not walls.any():
        return False
    here = to_inches(state.position[[row]])
    way = np.array([end], np.float64) - here[:, :2]
    return bool(pieces.touched(scene.bases.some_at([row], here).swept(way))[0, walls].any())


@rule("3e.terrain.enter-cap", "3e.terrain.leave-cap", "3e.terrain.others-unaffected", "3e.core.movement.obstacles")
def distance_faults(
    scene: Scene,
    state: ClassicState,
    rows: Collection[int],
    bases: BaseSet,
    legs: Legs,
    test: TerrainTest | None,
    way: MoveKind = MoveKind.NORMAL,
) -> list[Violation]:
    """What difficult terrain forbids of a move: models that it slows go no further than the terrain test says.

    Where a test binds the whole unit, its dice are the limit of every model from the start.
    """
    by_model = scene.rules.movement.enters_by_model
    order = list(rows)
    lengths = np.bincount(legs.owners, legs.lengths, len(order))
    found: list[Violation] = []
    for index, met in crossings_of(scene, state, bases, legs).items():
        model = scene.models[order[index]]
        slowed = [(k, crossing) for k, crossing in met if is_slowed_by(kind_rules(scene, model.row, way), crossing)]
        if not slowed or lengths[index] <= TOLERANCE:
            continue
        name = f"{model.name} (model {model.row})"
        if test is None:
            piece = difficult_of(scene, state).ids[slowed[0][0]]
            found.append(Violation("3e.terrain.test", f"{name} moves through {piece} without a terrain test"))
            continue
        if by_model is None:
            continue
        for k, crossing in slowed:
            walk = _Walk(difficult_of(scene, state), k, bases.take([index]), legs, index)
            fault = _fault(by_model, crossing, walk, float(lengths[index]), test, declared=model.row in test.entering)
            if fault is not None:
                found.append(Violation(fault[0], f"{name} {fault[1]}"))
                break
    return found


def _fault(
    rules: EnteringByModel, crossing: Crossing, walk: _Walk, length: float, test: TerrainTest, *, declared: bool
) -> tuple[str, str] | None:
    """What is wrong with one model's way through one piece: rule and clause; None when nothing is."""
    most, rule_id = float(test.allowed), "3e.terrain.test"
    if walk.linear:
        pass
    elif crossing.starts and not crossing.ends:
        out, touching = walk.to_outside(), walk.touches_edge_at_start()
        if not rules.may_leave(out, test.allowed, touches_edge=touching):
            return "3e.terrain.leave-short", f'needs {out:.2f}" to get out; {test.allowed}" are allowed'
        most, rule_id = rules.leaving_allowance(out, test.allowed, touches_edge=touching), "3e.terrain.leave-cap"
    elif crossing.ends and not crossing.starts:
        if not declared:
            return "3e.terrain.test", "was not declared to enter"
        inside = walk.to_inside()
        if math.isinf(inside):
            return "3e.terrain.enter-minimum", "ends partly inside; who enters ends completely inside"
        most, rule_id = rules.entering_allowance(inside, test.allowed), "3e.terrain.enter-cap"
    elif crossing.ends and walk.starts_inside() and math.isinf(walk.to_inside()):
        return "3e.terrain.leave-short", "ends half out; who does not get out stays inside"
    if length > most + TOLERANCE:
        return rule_id, f'moves {length:.2f}" in difficult terrain; the most is {most:.2f}"'
    return None


class _Walk:
    """One model's way, place by place, and how it stands to one piece of terrain."""

    def __init__(self, pieces: Difficult, piece: int, base: BaseSet, legs: Legs, index: int) -> None:
        self._pieces, self._piece, self._base = pieces, piece, base
        mine = legs.owners == index
        self._lengths, self._poses = _places(legs.starts[mine], legs.ends[mine])

    @property
    def linear(self) -> bool:
        """Whether the piece is an obstacle to be crossed."""
        return bool(self._pieces.linear[self._piece])

    def _put(self, poses: Floats) -> tuple[Booleans, Floats, Booleans]:
        placed = self._base.some_at(np.zeros(len(poses), np.intp), poses)
        inside, least = self._pieces.inside(placed)
        touched = self._pieces.touched(placed)
        return inside[:, self._piece], least[:, self._piece], touched[:, self._piece]

    def starts_inside(self) -> bool:
        """Whether it begins completely inside."""
        return bool(self._put(self._poses[:1])[0][0])

    def touches_edge_at_start(self) -> bool:
        """Whether it begins with its base at the edge: in touch with the outline, or across it."""
        inside, least, _ = self._put(self._poses[:1])
        return not inside[0] or bool(least[0] <= 5 * TOLERANCE)

    def to_inside(self) -> float:
        """Inches of the way after which it is completely inside, and stays so; infinite where it does not end so."""
        inside = self._put(self._poses)[0]
        return self._from(inside)

    def to_outside(self) -> float:
        """Inches of the way after which it is completely outside, and stays so; infinite where it does not end so."""
        return self._from(np.asarray(~self._put(self._poses)[2], dtype=np.bool_))

    def _from(self, reached: Booleans) -> float:
        if not reached[-1]:
            return math.inf
        misses = np.flatnonzero(~reached)
        return float(self._lengths[misses[-1] + 1]) if len(misses) else 0.0


def _places(starts: Floats, ends: Floats) -> tuple[Floats, Floats]:
    """Lengths gone and poses along a way, a small step apart, its ends among them."""
    lengths: list[Floats] = [np.zeros(1)]
    poses: list[Floats] = [starts[:1]]
    gone = 0.0
    for start, end in zip(starts, ends, strict=True):
        length = float(np.hypot(*(end[:2] - start[:2])))
        parts = np.linspace(0.0, 1.0, max(2, math.ceil(length / STEP) + 1))[1:]
        lengths.append(gone + length * parts)
        poses.append(start[None, :] + parts[:, None] * (end - start)[None, :])
        poses[-1][:, 3] = end[3]
        gone += length
    return np.concatenate(lengths), np.concatenate(poses)


# -- before a move ----------------------------------------------------------------------------------------------


def pieces_in_reach(scene: Scene, state: ClassicState, unit: int, reach: float) -> list[int]:
    """The difficult pieces that any model of the unit touches or could come to within so many inches."""
    pieces = difficult_of(scene, state)
    rows = standing(state, unit)
    if not len(pieces) or not rows:
        return []
    points = to_inches(state.position[rows])[:, :2]
    margin = reach + float(scene.reach[rows].max())
    (x0, y0), (x1, y1) = points.min(axis=0) - margin, points.max(axis=0) + margin
    boxes = pieces.boxes
    near = (boxes[:, 0] <= x1) & (boxes[:, 2] >= x0) & (boxes[:, 1] <= y1) & (boxes[:, 3] >= y0) & pieces.slowing
    return [int(k) for k in np.flatnonzero(near)]


@rule("3e.terrain.enter-needs-six")
def who_may_enter(
    scene: Scene, state: ClassicState, unit: int, piece: int, move: float, way: MoveKind = MoveKind.NORMAL
) -> list[int]:
    """The rows of the unit's models outside a piece that a straight move of theirs could bring completely inside it.

    Told by steps of an eighth of an inch in 48 directions, whatever may stand in between.
    """
    pieces, by_model = difficult_of(scene, state), scene.rules.movement.enters_by_model
    if pieces.linear[piece] or by_model is None:
        return []
    found = []
    steps = np.arange(0.125, move + 1e-9, 0.125)
    offsets = np.stack([np.outer(steps, np.cos(_DIRECTIONS)), np.outer(steps, np.sin(_DIRECTIONS))], axis=-1)
    for row in standing(state, unit):
        if not kind_rules(scene, row, way).slowed:
            continue
        here = to_inches(state.position[[row]])
        if pieces.touched(scene.bases.some_at([row], here))[0, piece]:
            continue
        poses = np.repeat(here, offsets.shape[0] * offsets.shape[1], axis=0)
        poses[:, :2] += offsets.reshape(-1, 2)
        inside = pieces.inside(scene.bases.some_at(np.full(len(poses), row), poses))[0][:, piece]
        nearest = steps[inside.reshape(len(steps), -1).any(axis=1)]
        if len(nearest) and by_model.may_enter(float(nearest[0])) and within(float(nearest[0]), move):
            found.append(row)
    return found
