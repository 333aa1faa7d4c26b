"""What must hold when a move or a set-up of the 11th edition is over (03.01, 03.02)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from battlewright.core.bases import Point, Polygon, Pose
from battlewright.core.decisions import Violation
from battlewright.core.footprints import Footprints, Polygons
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, furthest_edge, polygon_relations
from battlewright.editions.eleventh.coherency import coherency_fault
from battlewright.editions.eleventh.placed import Booleans, Floats, Placed
from battlewright.editions.eleventh.terrain import may_end_on, stands_in_solid
from battlewright.editions.placing import conditions
from battlewright.editions.placing.conditions import (
    Condition,
    Ending,
    FarFromEnemies,
    KeepsEngagements,
    gaps_to_rows,
)
from battlewright.editions.placing.placed import Surroundings

__all__ = [
    "ClearOfModels",
    "Coherent",
    "Condition",
    "DeployedOrInfiltrated",
    "Ending",
    "FarFromEnemies",
    "FarFromThese",
    "KeepsEngagements",
    "OnTable",
    "OutsideOf",
    "StandsOnTerrain",
    "TouchesEdge",
    "Unengaged",
    "WhollyWithin",
    "WhollyWithinReach",
    "furthest_gaps",
    "gaps_to_rows",
]


_BESIDE = 1.0
"""Inches from the transport within which a model stands that is too large for the disembark distance (03.02)."""


@dataclass(frozen=True)
class OnTable(conditions.OnTable):
    """Every base lies wholly on the battlefield."""

    rule_id: str = "11e.core.03.01-end-check"

    @rule("11e.core.03.01-end-check")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        return super().met(placed)


@dataclass(frozen=True)
class ClearOfModels(conditions.ClearOfModels):
    """No model ends on another model, of its own unit or of any other."""

    rule_id: str = "11e.core.03.01-end-check"

    @rule("11e.core.03.01-end-check")
    def met(self, placed: Placed) -> Booleans:
        """Whether each is clear of the models of other units; see :meth:`Condition.met`."""
        return super().met(placed)


@dataclass(frozen=True)
class StandsOnTerrain(Condition):
    """Every model ends where terrain lets it stand (13.06).

    Attributes:
        moved: whether they get there by moving rather than by being set up.
        aloft: whether those that FLY have taken to the skies, and come down wherever they may stand (21.03).
    """

    moved: bool = True
    aloft: bool = False
    rule_id: str = "11e.core.13.06-ending-above-ground"
    is_compiled = True

    @rule("11e.core.13.06-ending-above-ground", "11e.core.13.06-solid")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        z = placed.poses[:, 2]
        met = ~stands_in_solid(placed.around.terrain, placed.footprints, z)
        for index in np.flatnonzero(np.abs(z) > TOLERANCE):
            met[index] = met[index] and self._stands(placed, int(index))
        return np.asarray(met, dtype=np.bool_)

    def _stands(self, placed: Placed, index: int, moved: bool | None = None) -> bool:
        model = placed.around.scene.models[int(placed.rows[index])]
        pose = Pose(*(float(value) for value in placed.poses[index]))
        keywords = model.profile.keywords
        moved = (self.moved if moved is None else moved) and not (self.aloft and "FLY" in keywords)
        return may_end_on(placed.around.scene.battlefield, model.base, pose, keywords, moved=moved)

    @rule("11e.core.13.06-ending-above-ground", "11e.core.13.06-solid")
    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`."""
        found = []
        for index in map(int, np.flatnonzero(~self.met(ending))):
            z = float(ending.poses[index, 2])
            if abs(z) <= TOLERANCE or bool(stands_in_solid(ending.around.terrain, *_one(ending, index))[0]):
                text = f"{ending.name(index)} ends through a solid part of a terrain feature"
                found.append(Violation("11e.core.13.06-solid", text))
            elif not self._stands(ending, index, self.moved and bool(ending.moved[index])):
                text = f'{ending.name(index)} cannot stand {z:g}" above the ground there'
                found.append(Violation(self.rule_id, text))
        return found


def _one(placed: Placed, index: int) -> tuple[Footprints, Floats]:
    return placed.footprints.take([index]), placed.poses[index : index + 1, 2]


@dataclass(frozen=True)
class Coherent(conditions.Coherent):
    """The unit ends in coherency (03.03)."""

    rule_id: str = "11e.core.03.03-coherency"

    @rule("11e.core.03.01-end-check", "11e.core.03.03-coherency", "11e.core.03.03-one-group")
    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`."""
        found = coherency_fault(ending.own_gaps, ending.own_rises)
        return [] if found is None else [Violation(self.rule_id, f"{ending.name(found[0])} {found[1]}")]


# -- conditions of some moves -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unengaged(conditions.Unengaged):
    """No model ends engaged with an enemy (03.04), but for the units that are allowed."""

    rule_id: str = "11e.core.03.04-unengaged"

    @rule("11e.core.03.04-engagement-range")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        return super().met(placed)


@dataclass(frozen=True)
class WhollyWithin(conditions.WhollyWithin):
    """Every model ends wholly within one of these polygons (01.04)."""

    @rule("11e.core.01.04-wholly-within")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        return super().met(placed)


@dataclass(frozen=True)
class OutsideOf(Condition):
    """No part of a model ends in a polygon."""

    polygon: Polygon
    what: str
    rule_id: str

    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        least, inside = polygon_relations(placed.footprints, Polygons.of((self.polygon,)))
        return np.asarray((~inside & (least >= -TOLERANCE))[:, 0], dtype=np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        return f"ends in {self.what}"


@dataclass(frozen=True)
class FarFromThese(Condition):
    """Every model ends more than so many inches, horizontally, from these models.

    Attributes:
        rows: the models; ``what`` keeps others away from them.
        distance: inches, at most 12.
    """

    rows: frozenset[int]
    distance: float
    what: str
    rule_id: str
    is_compiled = True

    def _of(self, around: Surroundings) -> Booleans:
        """(m,): which of the models around they are."""
        return np.isin(around.rows, list(self.rows))

    def keep_off(self, around: Surroundings) -> Floats:
        """See :meth:`Condition.keep_off`."""
        return np.where(self._of(around), self.distance + TOLERANCE, -np.inf)

    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        near = (placed.gaps <= self.distance + TOLERANCE) & self._of(placed.around)[None, :]
        return np.asarray(~near.any(axis=1), dtype=np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        gap = max(0.0, float(np.where(self._of(placed.around), placed.gaps[index], np.inf).min()))
        return f'ends {gap:.2f}" from an enemy with {self.what}; it must be more than {round(self.distance, 2):g}"'


@dataclass(frozen=True)
class DeployedOrInfiltrated(Condition):
    """The whole unit is set up wholly within its own zone, or all of it far from the enemy's zone and enemies (24.20).

    Attributes:
        zone: its own deployment zone; ``enemy_zone`` the opponent's.
        distance: inches that must be exceeded, horizontally.
    """

    zone: Polygon
    enemy_zone: Polygon
    distance: float
    rule_id: str = "11e.24.20-infiltrators.placement"

    def _ways(self, placed: Placed) -> tuple[Booleans, Booleans]:
        """(n,) twice: which models are in the zone, which are far from enemies and their zone."""
        deployed = WhollyWithin((self.zone,), "", self.rule_id).met(placed)
        least, inside = polygon_relations(placed.footprints, Polygons.of((self.enemy_zone,)))
        far = (~inside & (least > self.distance + TOLERANCE))[:, 0]
        far &= FarFromEnemies(self.distance, self.rule_id).met(placed)
        return deployed, np.asarray(far, dtype=np.bool_)

    @rule("11e.24.20-infiltrators.placement", "11e.24.20-infiltrators.distance-strict")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        deployed, far = self._ways(placed)
        return np.asarray(deployed | far, dtype=np.bool_)

    @rule("11e.24.20-infiltrators.placement", "11e.24.20-infiltrators.distance-strict")
    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`."""
        deployed, far = self._ways(ending)
        if deployed.all() or far.all():
            return []
        index = int(np.argmin(far))
        text = (
            f'{ending.name(index)} is not more than {self.distance:g}" from the enemy deployment zone and each enemy '
            "unit, nor is the unit wholly within its own zone"
        )
        return [Violation("11e.24.20-infiltrators.distance-strict", text)]


@dataclass(frozen=True)
class TouchesEdge(Condition):
    """Every model touches an edge of the battlefield, since the unit is too large for the rule's own place (03.02).

    Attributes:
        edges: the edges that count, as pairs of points; those of the whole table when empty.
    """

    rule_id: str
    edges: tuple[tuple[Point, Point], ...] = ()

    @rule("11e.core.03.02-oversized-reserves", "11e.core.03.02-oversized-deployment")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        table = placed.around.scene.battlefield
        w, h = table.width, table.height
        corners = ((0.0, 0.0), (w, 0.0), (w, h), (0.0, h))
        edges = self.edges or tuple(zip(corners, (*corners[1:], corners[0]), strict=True))
        least, _ = polygon_relations(placed.footprints, Polygons.of(tuple((a, b, a) for a, b in edges)))
        return np.asarray((least <= 5 * TOLERANCE).any(axis=1), dtype=np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        return "does not touch its edge of the battlefield"


@dataclass(frozen=True)
class WhollyWithinReach(Condition):
    """Every model ends wholly within so many inches of one of these models, and on none of them (18.04, 18.05).

    Attributes:
        rows: the models of a transport, where they stand.
        distance: inches.
    """

    rows: tuple[int, ...]
    distance: float
    rule_id: str

    @rule("11e.core.18.04-disembark", "11e.core.18.05-emergency", "11e.core.01.04-wholly-within")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        gaps = gaps_to_rows(placed, self.rows).min(axis=1)
        near = furthest_gaps(placed, self.rows).min(axis=1) <= self.distance + TOLERANCE
        near |= self._oversized(placed) & (gaps <= _BESIDE + TOLERANCE)
        return np.asarray(near & (gaps >= -TOLERANCE), dtype=np.bool_)

    @rule("11e.core.03.02-oversized-disembark")
    def _oversized(self, placed: Placed) -> Booleans:
        """(n,): which of the models are too large for the distance; their bases stand within 1" of the transport."""
        bases = (placed.around.scene.models[int(row)].base for row in placed.rows)
        return np.array([min(base.length, base.width) > self.distance for base in bases], np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        far = float(furthest_gaps(placed.take([index]), self.rows).min())
        return f'is not wholly within {self.distance:g}" of its transport and beside it: {far:.2f}"'


@rule("11e.core.01.04-wholly-within")
def furthest_gaps(placed: Placed, rows: Sequence[int]) -> Floats:
    """(n, k): how far the furthest part of each model is from some standing models, inches."""
    gaps = gaps_to_rows(placed, rows)
    scene = placed.around.scene
    bases = scene.bases.rows[placed.rows]
    round_ = scene.bases.round[placed.rows]
    found = gaps + 2 * bases[:, -1][:, None]
    for i in np.flatnonzero(~round_):
        base, pose = scene.models[int(placed.rows[i])].base, Pose(*map(float, placed.poses[i]))
        for j, row in enumerate(rows):
            if gaps[i, j] < found[i, j]:
                hub = scene.models[row]
                there = Pose.from_row(placed.around.state.position[row])
                found[i, j] = furthest_edge(base, pose, hub.base, there)
    return np.asarray(found, dtype=np.float64)
