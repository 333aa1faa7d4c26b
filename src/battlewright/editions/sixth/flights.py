"""Flights as spaces that players answer: a turn on the spot, then straight ahead above everybody.

A flight of a model is a path of one waypoint, where it ends and how it then faces; of one that comes onto the table,
two: first the place of the table's edge that it crosses. The empty placement is refused where a search finds one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from battlewright.core.bases import Point, Pose
from battlewright.core.decisions import Answer, ModelMove, Option, Place, RandomSource, Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, inside_rectangle
from battlewright.core.table import Edge
from battlewright.editions.classic.flying import Span
from battlewright.editions.classic.procedures.board import pose_of
from battlewright.editions.classic.procedures.conditions import ALWAYS, OneInch, raised_hulls, widest_gap
from battlewright.editions.classic.procedures.ground import PLACING, footing_of
from battlewright.editions.classic.scene import Scene, living, standing
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.classic.vehicles import SQUADRON_COHERENCY
from battlewright.editions.placing.conditions import Condition, Ending
from battlewright.editions.placing.placed import Booleans, Floats, Placed, Surroundings
from battlewright.editions.sixth.flyers import flight_faults

__all__ = ["FlightSpace", "heading_of", "turn_between"]

_STEP = 3.0
"""Inches between the lengths of flights that are tried; ``_TURN`` degrees between their headings."""
_TURN = 15
_ENTRIES = 9
_TRIES = 12
_CLEAR = ALWAYS[1]


def heading_of(start: Sequence[float], end: Sequence[float]) -> float:
    """Degrees of the way from one point to another, from 0 to 360."""
    return math.degrees(math.atan2(end[1] - start[1], end[0] - start[0])) % 360.0


def turn_between(facing: float, other: float) -> float:
    """Degrees between two facings, from 0 to 180."""
    return abs((other - facing + 180.0) % 360.0 - 180.0)


class FlightSpace:
    """One flight of one unit.

    Args:
        spans: by row, how far each of its models flies; ``turns`` degrees that each may turn beforehand.
        rule: that asks; ``far`` the rule that says how far.
        edge: that from which it comes onto the table; None for a flight above it.
    """

    def __init__(
        self,
        scene: Scene,
        state: ClassicState,
        unit: int,
        kind: MoveKind,
        *,
        spans: Mapping[int, Span],
        turns: Mapping[int, float],
        rule: str,
        far: str,
        edge: Edge | None = None,
    ) -> None:
        self.scene, self.state, self.unit, self.kind = scene, state, unit, kind
        self.spans, self.turns, self.rule, self.far, self.edge = dict(spans), dict(turns), rule, far, edge
        self.rows = standing(state, unit) if edge is None else living(state, unit)

    def options(self) -> tuple[Option, ...]:
        """See :class:`~battlewright.core.decisions.Choices`: a space lists none."""
        return ()

    # -- checking -----------------------------------------------------------------------------------------------

    def check(self, answer: Answer) -> list[Violation]:
        """Every rule that the flight would break."""
        if not isinstance(answer, Place):
            return [Violation(self.rule, "A flight is answered with a placement of models")]
        if not answer.moves:
            if not self.found.moves:
                return []
            x, y = (value / 1000 for value in self.found.moves[0].path[-1][:2])
            return [Violation(self.far, f"It cannot stay where it is; it may fly to {x:.2f}, {y:.2f}")]
        return self.faults(answer)

    @rule("6e.zoom.overflies", "6e.zoom.no-dangerous-tests", "6e.zoom.arrival-direction", "6e.zoom.straight-line")
    @rule("6e.flyer-other-models.one-inch-from-base", "6e.flyer-other-models.end-above", "6e.zoom.minimum")
    def faults(self, answer: Place) -> list[Violation]:
        """What is wrong with a flight: on its way, and where it ends; nothing that it passes over stops it.

        RULING: 6e.leaving-airspace.ongoing-reserves we read a flyer as leaving the table when its stand is not wholly
        on it at the end; flyers of a squadron leave together or not at all.
        """
        if sorted(move.model for move in answer.moves) != sorted(self.rows):
            return [Violation(self.rule, "Every model of the unit flies, each once")]
        found = [fault for move in answer.moves for fault in self._on_the_way(move)]
        if found:
            return found
        poses = self._ends(answer)
        on_table = self._on_table(poses)
        if on_table.all():
            return self._where_it_ends(poses)
        if self.edge is not None:
            return [Violation("6e.zoom.arrival-direction", "The flight would carry it off the table again")]
        if on_table.any():
            return [Violation("6e.leaving-airspace.ongoing-reserves", "A part of the unit would leave the table")]
        return []

    def _on_the_way(self, move: ModelMove) -> list[Violation]:
        name = f"{self.scene.models[move.model].name} (model {move.model})"
        path = [Pose.from_row(point) for point in move.path]
        if not path or any(abs(value) > 10_000_000 for point in move.path for value in point):
            return [Violation(self.rule, f"{name} is given no place")]
        if any(abs(pose.z) > TOLERANCE for pose in path):
            return [Violation(self.rule, f"{name} leaves the height that it flies at")]
        found = []
        if self.edge is None:
            start, legs = pose_of(self.state, move.model), len(path)
        else:
            start, legs = path[0], len(path) - 1
            if legs < 1 or not self._on_edge(start):
                return [Violation(self.rule, f"{name} does not come from the {self.edge} edge")]
        end = path[-1]
        heading = heading_of(start, end)
        turn = turn_between(start.facing, heading) if self.edge is None else 0.0
        found = flight_faults(turn, turn_between(heading, end.facing), legs, most=self.turns[move.model])
        inches, span = math.hypot(end.x - start.x, end.y - start.y), self.spans[move.model]
        if not span.holds(inches):
            found.append((self.far, f'would fly {inches:.2f}"; it flies {span}'))
        return [Violation(rule_id, f"{name} {clause}") for rule_id, clause in found]

    def _on_edge(self, pose: Pose) -> bool:
        table = self.scene.battlefield
        off = {
            Edge.SOUTH: pose.y,
            Edge.NORTH: table.height - pose.y,
            Edge.WEST: pose.x,
            Edge.EAST: table.width - pose.x,
        }
        inside = -TOLERANCE <= pose.x <= table.width + TOLERANCE and -TOLERANCE <= pose.y <= table.height + TOLERANCE
        return self.edge is not None and abs(off[self.edge]) <= TOLERANCE and inside

    def _ends(self, answer: Place) -> Floats:
        ends = {move.model: move.path[-1] for move in answer.moves}
        return np.array([ends[row] for row in self.rows], np.float64) / 1000.0

    def _on_table(self, poses: Floats) -> Booleans:
        table = self.scene.battlefield
        return np.asarray(inside_rectangle(footing_of(self.scene).some_at(self.rows, poses), table.width, table.height))

    def leaves(self, answer: Place) -> bool:
        """Whether a flight leads off the table."""
        return not bool(self._on_table(self._ends(answer)).all())

    def begins(self, answer: Place) -> dict[int, Point]:
        """Where each model begins its flight, in inches, by row; asked before it is made."""
        if self.edge is None:
            return {move.model: pose_of(self.state, move.model)[:2] for move in answer.moves}
        return {move.model: Pose.from_row(move.path[0])[:2] for move in answer.moves}

    @cached_property
    def _around(self) -> Surroundings:
        return Surroundings(self.scene, self.state, self.unit, PLACING)

    @cached_property
    def _conditions(self) -> tuple[Condition, ...]:
        return (_CLEAR, OneInch("6e.flyer-other-models.one-inch-from-base"), *raised_hulls(self.scene))

    def _where_it_ends(self, poses: Floats) -> list[Violation]:
        ending = Ending(Placed(self._around, np.array(self.rows), poses), poses, np.ones(len(self.rows), np.bool_))
        found = [fault for condition in self._conditions for fault in condition.violations(ending)]
        gap = widest_gap(ending.own_gaps) if len(self.rows) > 1 else 0.0
        if gap > SQUADRON_COHERENCY + TOLERANCE:
            found.append(Violation("6e.outside.squadrons", f'A gap of {gap:.2f}" in a squadron; 4" at most'))
        return found

    # -- searching ----------------------------------------------------------------------------------------------

    def _flight(self, turn: float, inches: float) -> Place:
        """The unit turns by so many degrees and flies so far, each model as near to that as it may."""
        moves = []
        for row in self.rows:
            start, span, most = pose_of(self.state, row), self.spans[row], self.turns[row]
            least = span.least + (10 * TOLERANCE if span.above else 0.0)
            heading = (start.facing + min(max(turn, -most), most)) % 360.0
            moves.append(self._move(row, start, heading, min(max(inches, least), span.most)))
        return Place(tuple(moves))

    def _move(self, row: int, start: Pose, heading: float, inches: float) -> ModelMove:
        angle = math.radians(heading)
        end = Pose(start.x + inches * math.cos(angle), start.y + inches * math.sin(angle), 0.0, heading)
        path = [end.to_row()]
        if self.edge is not None:
            path.insert(0, Pose(start.x, start.y, 0.0, heading).to_row())
        return ModelMove(row, tuple(path))

    def _entry(self, share: float, turn: float, inches: float) -> Place:
        """The unit comes on at a share of its edge, at an angle to straight ahead, side by side."""
        table = self.scene.battlefield
        inward = {Edge.SOUTH: 90.0, Edge.NORTH: 270.0, Edge.WEST: 0.0, Edge.EAST: 180.0}[self.edge or Edge.SOUTH]
        across = self.edge in (Edge.SOUTH, Edge.NORTH)
        long = table.width if across else table.height
        beside = max((self.scene.models[row].base.width for row in self.rows), default=1.0) + 0.5
        moves = []
        for place, row in enumerate(self.rows):
            at = share * long + (place - (len(self.rows) - 1) / 2) * beside
            at = min(max(at, 0.0), long)
            far = {Edge.SOUTH: 0.0, Edge.WEST: 0.0, Edge.NORTH: table.height, Edge.EAST: table.width}
            fixed = far[self.edge or Edge.SOUTH]
            start = Pose(*((at, fixed) if across else (fixed, at)))
            span = self.spans[row]
            least = span.least + (10 * TOLERANCE if span.above else 0.0)
            moves.append(self._move(row, start, (inward + turn) % 360.0, min(max(inches, least), span.most)))
        return Place(tuple(moves))

    def ways(self) -> Iterator[Place]:
        """Flights worth a look, legal or not: straight ahead first, the shortest first."""
        least = min(span.least for span in self.spans.values())
        most = max(span.most for span in self.spans.values())
        lengths = [float(each) for each in np.arange(least, most + TOLERANCE, _STEP)]
        if self.edge is None:
            turn = max(self.turns.values())
            for angle in sorted(range(-int(turn), int(turn) + 1, _TURN), key=abs):
                for inches in lengths:
                    yield self._flight(float(angle), inches)
            return
        shares = sorted(((place + 0.5) / _ENTRIES for place in range(_ENTRIES)), key=lambda share: abs(share - 0.5))
        for share in shares:
            for angle in sorted(range(-60, 61, 2 * _TURN), key=abs):
                for inches in lengths[::2]:
                    yield self._entry(share, float(angle), inches)

    @cached_property
    def found(self) -> Place:
        """The first flight of a search that is allowed, one that stays above the table if there is any."""
        off: Place | None = None
        for way in self.ways():
            if not self.faults(way):
                if not self.leaves(way):
                    return way
                off = off or way
        return off or Place(())

    def default(self) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`."""
        return self.found

    def sample(self, rng: RandomSource) -> Place:
        """See :class:`~battlewright.core.decisions.Choices`: some turn and some distance."""
        least = min(span.least for span in self.spans.values())
        most = max(span.most for span in self.spans.values())
        turn = max(self.turns.values())
        for _ in range(_TRIES):
            inches = least + (most - least) * rng.random()
            angle = (2 * rng.random() - 1) * (turn if self.edge is None else 60.0)
            way = self._flight(angle, inches) if self.edge is None else self._entry(rng.random(), angle, inches)
            if not self.faults(way):
                return way
        return self.found

    def describe(self) -> dict[str, Any]:
        """The models that fly, where each is, how it may fly and turn, in thousandths of an inch and of a degree."""
        return {
            "place": self.kind.value,
            "unit": self.scene.units[self.unit].id,
            "edge": str(self.edge) if self.edge is not None else "",
            "models": [
                {
                    "model": row,
                    "from": self.state.position[row].tolist(),
                    "least": round(1000 * self.spans[row].least),
                    "most": round(1000 * self.spans[row].most),
                    "turn": round(1000 * self.turns[row]),
                }
                for row in self.rows
            ],
        }
