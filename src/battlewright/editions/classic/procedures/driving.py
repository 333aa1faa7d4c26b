"""Straight drives of tanks into whatever stands in their way: how they are declared, and what they meet where."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from battlewright.core.bases import Polygon, Pose, to_inches
from battlewright.core.decisions import Answer, ModelMove, Option, Place, RandomSource, Violation
from battlewright.core.footprints import Polygons
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, inside_rectangle, polygon_relations, separation_matrix, within
from battlewright.editions.classic.procedures.board import in_combat, pose_of, unit_in
from battlewright.editions.classic.procedures.ground import PLACING, is_squadron_vehicle
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.tank_shock import is_in_the_path

__all__ = ["DriveSpace", "Meeting", "Way", "along", "in_the_way", "may_turn", "meetings", "stops_by_ground", "way_of"]

_STEP = 0.05
"""Inches between the places of a drive that are looked at before the moment of contact is halved out."""
_HALVINGS = 12
_STRAIGHT = 0.2
"""Degrees by which a hull may be out of the line that it drives along."""


class Way(StrEnum):
    """What is in the way of a drive."""

    FRIEND = "friend"
    VEHICLE = "enemy vehicle"
    TROOPS = "enemy troops"


@dataclass(frozen=True, slots=True)
class Meeting:
    """A model that a drive touches: how many inches of it are driven by then, its row, its unit, and what it is."""

    inches: float
    row: int
    unit: int
    what: Way


def along(start: Pose, inches: float) -> Pose:
    """The pose after so many inches straight ahead."""
    angle = math.radians(start.facing)
    return Pose(start.x + inches * math.cos(angle), start.y + inches * math.sin(angle), start.z, start.facing)


def way_of(pose: Pose, end: Sequence[int]) -> tuple[Pose, float]:
    """The pose from which a vehicle drives once it has turned towards a waypoint, and the inches of the drive."""
    dx, dy = end[0] / 1000 - pose.x, end[1] / 1000 - pose.y
    return Pose(pose.x, pose.y, pose.z, math.degrees(math.atan2(dy, dx)) % 360.0), math.hypot(dx, dy)


def in_the_way(scene: Scene, state: ClassicState, row: int, start: Pose, inches: float) -> list[int]:
    """The rows of the standing models that a drive touches, in order of their rows; told by the circles about them."""
    base = scene.models[row].base
    front = along(start, base.length / 2)
    return [
        int(other)
        for other in np.flatnonzero(state.on_table & (state.wounds > 0))
        if other != row
        and _on_ground(scene, state, int(other))
        and is_in_the_path(
            (front.x, front.y),
            start.facing,
            inches,
            base.width / 2,
            (state.position[other, 0] / 1000, state.position[other, 1] / 1000),
            float(scene.reach[other]),
        )
    ]


@rule("6e.skimmer-measuring.charged-or-rammed")
def meetings(
    scene: Scene, state: ClassicState, row: int, start: Pose, inches: float, but_for: Collection[int] = ()
) -> list[Meeting]:
    """Everybody whom a drive touches, in the order in which it comes to them.

    Args:
        start: where the hull stands when it has turned; ``inches`` how far it would drive.
        but_for: units that are left out.
    """
    others = [
        other
        for other in np.flatnonzero(state.on_table & (state.wounds > 0)).tolist()
        if other != row and unit_in(state, other) not in but_for and _on_ground(scene, state, other)
    ]
    reach = float(scene.reach[row])
    middle = along(start, inches / 2)
    near = [
        other
        for other in others
        if math.hypot(state.position[other, 0] / 1000 - middle.x, state.position[other, 1] / 1000 - middle.y)
        <= inches / 2 + reach + float(scene.reach[other]) + 2 * TOLERANCE
    ]
    if not near:
        return []
    placed = scene.bases.some_at(near, to_inches(state.position[near]))
    steps = np.linspace(0.0, inches, max(2, math.ceil(inches / _STEP) + 1))
    gaps = separation_matrix(_hulls(scene, row, start, steps), placed)
    found = []
    for index, other in enumerate(near):
        touched = np.flatnonzero(gaps[:, index] <= TOLERANCE)
        if len(touched):
            at = _first_touch(scene, state, row, start, steps, int(touched[0]), other)
            found.append(Meeting(at, other, unit_in(state, other), _what(scene, row, other)))
    return sorted(found, key=lambda meeting: (meeting.inches, meeting.row))


def _on_ground(scene: Scene, state: ClassicState, row: int) -> bool:
    """Whether a drive can meet a model at all: not one that is aloft."""
    return scene.rules.flight.meets_drives(state.units[unit_in(state, row)].aloft)


def _hulls(scene: Scene, row: int, start: Pose, steps: Any) -> Any:
    poses = np.array([along(start, float(step)) for step in steps], np.float64)
    return scene.bases.some_at(np.full(len(poses), row, np.intp), poses)


def _first_touch(scene: Scene, state: ClassicState, row: int, start: Pose, steps: Any, place: int, other: int) -> float:
    if place == 0:
        return 0.0
    low, high = float(steps[place - 1]), float(steps[place])
    target = scene.bases.some_at([other], to_inches(state.position[[other]]))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        gap = float(separation_matrix(_hulls(scene, row, start, [middle]), target)[0, 0])
        low, high = (low, middle) if gap <= TOLERANCE else (middle, high)
    return round(low, 3)


def _what(scene: Scene, row: int, other: int) -> Way:
    if scene.models[other].side == scene.models[row].side:
        return Way.FRIEND
    return Way.VEHICLE if is_squadron_vehicle(scene, other) else Way.TROOPS


def stops_by_ground(scene: Scene, row: int, start: Pose, inches: float, walls: Sequence[Polygon] = ()) -> float:
    """How far a drive leads before the edge of the table or impassable terrain, in inches; ``inches`` if neither.

    Args:
        walls: outlines of what else stops it.
    """
    steps = np.linspace(0.0, inches, max(2, math.ceil(inches / _STEP) + 1))
    hulls = _hulls(scene, row, start, steps)
    table = scene.battlefield
    free = np.asarray(inside_rectangle(hulls, table.width, table.height))
    for outlines in (PLACING.terrain(scene).walls, Polygons.of(tuple(walls))):
        if not len(outlines):
            continue
        least, inside = polygon_relations(hulls, outlines)
        free &= ((least > TOLERANCE) & ~inside).all(axis=1)
    blocked = np.flatnonzero(~free)
    return inches if not len(blocked) else float(steps[max(0, int(blocked[0]) - 1)])


def may_turn(scene: Scene, state: ClassicState, row: int, start: Pose) -> bool:
    """Whether a hull that has turned so is on the table, and on no friend and no vehicle."""
    hull = _hulls(scene, row, start, [0.0])
    table = scene.battlefield
    if not bool(np.asarray(inside_rectangle(hull, table.width, table.height)).all()):
        return False
    others = [
        other
        for other in np.flatnonzero(state.on_table & (state.wounds > 0)).tolist()
        if other != row and _what(scene, row, other) is not Way.TROOPS and _on_ground(scene, state, other)
    ]
    if not others:
        return True
    gaps = separation_matrix(hull, scene.bases.some_at(others, to_inches(state.position[others])))
    return bool(gaps.min() >= -TOLERANCE)


class DriveSpace:
    """The declaration of a drive: the tank turns, then goes straight ahead; answered by the place where it would end.

    The empty placement calls it off, and the tank stays.

    Args:
        row: the tank; ``most`` inches that it may drive; ``more_than`` inches that it has to.
        rules: ids: of the drive, of its being straight, and of its not going into combats.
    """

    def __init__(
        self,
        scene: Scene,
        state: ClassicState,
        row: int,
        most: float,
        rules: tuple[str, str, str],
        more_than: float = 0.0,
    ) -> None:
        self.scene, self.state, self.row, self.most = scene, state, row, most
        self.rules, self.more_than = rules, more_than

    def options(self) -> tuple[Option, ...]:
        """See :class:`~battlewright.core.decisions.Choices`: a space lists none."""
        return ()

    @rule("3e.core.vehicles.tank-shock", "4e.tank-shock.straight-line")
    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the drive would break; whether it reaches anybody is not told before it is declared."""
        shock, straight, combat = self.rules
        if not isinstance(answer, Place):
            return [Violation(shock, "A drive is declared by the place where it ends")]
        if not answer.moves:
            return []
        move = answer.moves[0]
        if len(answer.moves) != 1 or move.model != self.row or not move.path:
            return [Violation(shock, f"{self.scene.models[self.row].name} (model {self.row}) alone is driven")]
        if len(move.path) > 1:
            return [Violation(straight, "The tank turns once, before it sets out; then it drives straight ahead")]
        start, inches = way_of(pose_of(self.state, self.row), move.path[0])
        found = []
        turned = abs((move.path[0][3] / 1000 - start.facing + 180.0) % 360.0 - 180.0)
        if turned > _STRAIGHT or move.path[0][2]:
            found.append(Violation(straight, f"The tank would face {turned:.1f} degrees off the line of its drive"))
        if not within(inches, self.most):
            found.append(Violation(shock, f'The drive is {inches:.2f}" long; the most is {self.most:g}"'))
        if inches <= self.more_than + TOLERANCE:
            found.append(
                Violation(shock, f'The drive is {inches:.2f}" long; it has to be more than {self.more_than:g}"')
            )
        if not found and not may_turn(self.scene, self.state, self.row, start):
            found.append(
                Violation(straight, "The tank cannot turn there for the table's edge, or for who is beside it")
            )
        if not found and self._into_a_combat(start, inches):
            found.append(Violation(combat, "The drive leads into a close combat"))
        return found

    def _into_a_combat(self, start: Pose, inches: float) -> bool:
        rows = in_the_way(self.scene, self.state, self.row, start, inches)
        units = {unit_in(self.state, row) for row in rows if self.scene.models[row].side != self._side}
        return any(in_combat(self.scene, self.state, unit) for unit in units)

    @property
    def _side(self) -> int:
        return self.scene.models[self.row].side

    def _at(self, other: int, inches: float) -> Place:
        """A drive straight at a model."""
        pose, there = pose_of(self.state, self.row), pose_of(self.state, other)
        facing = round(math.degrees(math.atan2(there.y - pose.y, there.x - pose.x)) * 1000) % 360_000
        end = along(Pose(pose.x, pose.y, pose.z, facing / 1000), inches - 2 * TOLERANCE)
        x, y, _, _ = end.to_row()
        return Place((ModelMove(self.row, ((x, y, 0, facing),)),))

    def _aims(self) -> list[int]:
        """A model of each enemy unit, the nearest units first."""
        here = pose_of(self.state, self.row)
        found = []
        for info in self.scene.units:
            if info.side == self._side:
                continue
            rows = standing(self.state, info.index)
            away = [math.hypot(*(self.state.position[row, :2] / 1000 - (here.x, here.y))) for row in rows]
            if rows:
                found.append((min(away), rows[int(np.argmin(away))]))
        return [row for _, row in sorted(found)]

    def default(self) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`: straight at the nearest enemy whom it may drive at."""
        return next((place for row in self._aims() if not self.check(place := self._at(row, self.most))), Place(()))

    def sample(self, rng: RandomSource) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`: at some enemy, by some way."""
        aims = self._aims()
        if not aims:
            return Place(())
        inches = self.more_than + (self.most - self.more_than) * (0.2 + 0.8 * rng.random())
        place = self._at(aims[rng.randrange(len(aims))], inches)
        return place if not self.check(place) else self.default()

    def describe(self) -> dict[str, Any]:
        """The tank, where it stands, and how far it may drive, in thousandths of an inch."""
        return {
            "place": "tank-shock",
            "unit": self.scene.units[unit_in(self.state, self.row)].id,
            "models": [
                {
                    "model": self.row,
                    "from": self.state.position[self.row].tolist(),
                    "most": round(1000 * self.most),
                    "more_than": round(1000 * self.more_than),
                }
            ],
        }
