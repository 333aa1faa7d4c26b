"""What must hold when a move or a set-up is over: small objects that spaces are composed of.

Most conditions are met or not by each model alone (:meth:`Condition.met`), which lets the search for places try many
poses at once. Others look at the unit as a whole and give their violations themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from battlewright.core.bases import Polygon, to_inches
from battlewright.core.decisions import Violation
from battlewright.core.footprints import Polygons
from battlewright.core.shapes import TOLERANCE, inside_rectangle, polygon_relations, separation_matrix
from battlewright.editions.placing.placed import Booleans, Floats, Indices, Placed, Surroundings
from battlewright.editions.placing.terrain import stands_in_solid

__all__ = [
    "ClearOfModels",
    "Coherent",
    "Condition",
    "Ending",
    "FarFromEnemies",
    "KeepsEngagements",
    "OnTable",
    "StandsOnTerrain",
    "Unengaged",
    "WhollyWithin",
    "gaps_to_rows",
]


class Ending(Placed):
    """A whole unit where it would stand when the move or set-up is over.

    Attributes:
        start: (n, 4) where its models stood, inches and degrees.
        moved: (n,) which of them the answer moves.
    """

    def __init__(self, placed_around: Placed, start: Floats, moved: Booleans) -> None:
        super().__init__(placed_around.around, placed_around.rows, placed_around.poses)
        self.start, self.moved = start, moved

    def name(self, index: int) -> str:
        """What to call a model in a sentence."""
        row = int(self.rows[index])
        return f"{self.around.scene.models[row].name} (model {row})"


class Condition:
    """One thing that must hold at the end.

    Attributes:
        rule_id: the rule named in violations.
        is_compiled: whether the compiled check of a space covers it for models on the ground, given :meth:`keep_off`.
    """

    rule_id: str = ""
    is_compiled: bool = False

    def keep_off(self, around: Surroundings) -> Floats | None:
        """(m,): the distance in inches, itself included, to which a model on the ground may not come near each of the
        models around; None when it does not say so. It may forbid more than the condition, never less."""
        return None

    def met(self, placed: Placed) -> Booleans:
        """(n,): which of the models meet it, each judged alone; all of them where it concerns the unit as a whole."""
        return np.ones(len(placed.rows), np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """Why a model does not meet it, as a clause with numbers."""
        return "may not end there"

    def violations(self, ending: Ending) -> list[Violation]:
        """Every breach of it."""
        met = self.met(ending)
        if met.all():
            return []
        return [
            Violation(self.rule_id, f"{ending.name(int(index))} {self.fault(ending, int(index))}")
            for index in np.flatnonzero(~met)
        ]


# -- conditions that every move and set-up has -------------------------------------------------------------------


@dataclass(frozen=True)
class OnTable(Condition):
    """Every base lies wholly on the battlefield."""

    rule_id: str
    is_compiled = True

    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        table = placed.around.scene.battlefield
        return inside_rectangle(placed.footprints, table.width, table.height)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        x, y = placed.poses[index, :2]
        return f"does not end wholly on the battlefield, at {x:.2f}, {y:.2f}"


@dataclass(frozen=True)
class ClearOfModels(Condition):
    """No model ends on another model, of its own unit or of any other."""

    rule_id: str
    is_compiled = True

    def keep_off(self, around: Surroundings) -> Floats:
        """See :meth:`Condition.keep_off`."""
        return np.full(len(around.rows), -TOLERANCE)

    def met(self, placed: Placed) -> Booleans:
        """Whether each is clear of the models of other units; see :meth:`Condition.met`."""
        return np.asarray(~placed.overlapped.any(axis=1), dtype=np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        other = int(placed.around.rows[int(np.argmax(placed.overlapped[index]))])
        scene = placed.around.scene
        model, unit = scene.models[other].name, scene.unit_of(other).name
        return f"ends on {unit}" if unit == model else f"ends on a {model} of {unit}"

    def violations(self, ending: Ending) -> list[Violation]:
        """Its own unit's models included; see :meth:`Condition.violations`."""
        found = super().violations(ending)
        gaps = ending.own_gaps
        if len(gaps) > 1 and gaps.min() < -TOLERANCE:
            height = ending.around.facts.height[ending.rows]
            z = ending.poses[:, 2]
            level = (z[:, None] < (z + height)[None, :]) & (z[None, :] < (z + height)[:, None])
            for i, j in np.argwhere(np.triu((gaps < -TOLERANCE) & level)):
                found.append(
                    Violation(self.rule_id, f"{ending.name(int(j))} and {ending.name(int(i))} end on each other")
                )
        return found


@dataclass(frozen=True)
class StandsOnTerrain(Condition):
    """No model ends in a solid part of the terrain, and none above the ground."""

    rule_id: str
    is_compiled = True

    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        z = placed.poses[:, 2]
        met = ~stands_in_solid(placed.around.terrain, placed.footprints, z) & (np.abs(z) <= TOLERANCE)
        return np.asarray(met, dtype=np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        return "ends on impassable terrain"


@dataclass(frozen=True)
class Coherent(Condition):
    """The unit's models end near one another, by the edition's closeness."""

    rule_id: str
    is_compiled = True

    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`."""
        found = ending.around.rules.closeness.fault(ending.own_gaps, ending.own_rises)
        return [] if found is None else [Violation(self.rule_id, f"{ending.name(found[0])} {found[1]}")]


# -- conditions of some moves -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unengaged(Condition):
    """No model ends engaged with an enemy, but for the units that are allowed.

    Attributes:
        but_for: indices of enemy units with which it may be engaged.
    """

    rule_id: str
    but_for: frozenset[int] = frozenset()
    is_compiled = True

    def keep_off(self, around: Surroundings) -> Floats:
        """See :meth:`Condition.keep_off`."""
        held = (
            around.foe
            & ~np.isin(around.unit, list(self.but_for))
            & (around.z <= around.rules.contact_height + TOLERANCE)
        )
        return np.where(held, around.rules.contact + TOLERANCE, -np.inf)

    def _engaged(self, placed: Placed) -> Booleans:
        if not self.but_for:
            return placed.engaged
        allowed = np.isin(placed.around.unit, list(self.but_for))
        return np.asarray(placed.engaged & ~allowed[None, :], dtype=np.bool_)

    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        return np.asarray(~self._engaged(placed).any(axis=1), dtype=np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        foe = int(np.argmax(self._engaged(placed)[index]))
        name = placed.around.scene.unit_of(int(placed.around.rows[foe])).name
        return f'ends engaged, {max(0.0, float(placed.gaps[index, foe])):.2f}" from {name}'


@dataclass(frozen=True)
class FarFromEnemies(Condition):
    """Every model ends more than so many inches, horizontally, from every enemy.

    The spaces measure enemies up to 12" beyond the reach of the move; ``distance`` must be less.
    """

    distance: float
    rule_id: str
    is_compiled = True

    def keep_off(self, around: Surroundings) -> Floats:
        """See :meth:`Condition.keep_off`."""
        return np.where(around.foe, self.distance + TOLERANCE, -np.inf)

    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        near = (placed.gaps <= self.distance + TOLERANCE) & placed.around.foe[None, :]
        return np.asarray(~near.any(axis=1), dtype=np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        gap = float(np.where(placed.around.foe, placed.gaps[index], np.inf).min())
        return f'ends {max(gap, 0.0):.2f}" from an enemy; it must be more than {round(self.distance, 2):g}"'


@dataclass(frozen=True)
class WhollyWithin(Condition):
    """Every model ends wholly within one of these polygons."""

    polygons: tuple[Polygon, ...]
    what: str
    rule_id: str

    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        least, inside = polygon_relations(placed.footprints, Polygons.of(self.polygons))
        return np.asarray((inside & (least >= -TOLERANCE)).any(axis=1), dtype=np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        return f"is not wholly within {self.what}"


def gaps_to_rows(placed: Placed, rows: Sequence[int] | Indices) -> Floats:
    """(n, k): signed horizontal distances from the models to some standing models, wherever they are, in inches."""
    state = placed.around.state
    index = np.asarray(rows, dtype=np.intp)
    return separation_matrix(placed.footprints, placed.around.bases.some_at(index, to_inches(state.position[index])))


@dataclass(frozen=True)
class KeepsEngagements(Condition):
    """Every model ends engaged with each enemy unit that it was engaged with."""

    rule_id: str

    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`."""
        before, after = Placed(ending.around, ending.rows, ending.start).engaged, ending.engaged
        found: list[Violation] = []
        units = ending.around.unit
        scene = ending.around.scene
        for foe in sorted({int(unit) for unit in units[before.any(axis=0)]}):
            lost = before[:, units == foe].any(axis=1) & ~after[:, units == foe].any(axis=1)
            found += [
                Violation(self.rule_id, f"{ending.name(int(index))} is no longer engaged with {scene.units[foe].name}")
                for index in np.flatnonzero(lost)
            ]
        return found
