"""What must hold at the end of moves and set-ups of the 3rd edition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from battlewright.core.bases import to_inches
from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation_matrix
from battlewright.editions.classic.arrivals import infiltrator_faults, infiltrators_too_near
from battlewright.editions.classic.formation import COHERENCY, MARCH_TO, closes_gaps_better
from battlewright.editions.classic.procedures.board import enemies_on_table
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.terrain import may_come_so_near
from battlewright.editions.placing import conditions
from battlewright.editions.placing.conditions import ClearOfModels, Condition, Ending, OnTable, StandsOnTerrain
from battlewright.editions.placing.placed import Booleans, Floats, Placed, Surroundings

__all__ = [
    "ALWAYS",
    "Coherent",
    "FarOnMarch",
    "FitsBeneath",
    "InFormation",
    "Infiltrated",
    "OneInch",
    "WhollyWithin",
    "raised_hulls",
    "widest_gap",
    "widest_gap_of",
]

WhollyWithin = conditions.WhollyWithin

ALWAYS: tuple[Condition, ...] = (
    OnTable("3e.core.movement.terrain-classes"),
    ClearOfModels("3e.core.movement.not-through-friends"),
    StandsOnTerrain("3e.core.movement.terrain-classes"),
)


@dataclass(frozen=True)
class OneInch(Condition):
    """No model that is moved ends nearer than 1" to an enemy."""

    rule_id: str = "3e.movement.one-inch-movement"
    is_compiled = True

    def keep_off(self, around: Surroundings) -> Floats:
        """See :meth:`Condition.keep_off`."""
        return np.where(around.foe, 1.0 - TOLERANCE, -np.inf)

    @rule("3e.movement.one-inch-movement", "3e.movement.one-inch-always", "3e.jump.one-inch", "3e.jetbikes.one-inch")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        gaps = np.where(placed.around.foe[None, :], placed.gaps, np.inf)
        if not gaps.shape[1]:
            return np.ones(len(placed.rows), np.bool_)
        return np.array([may_come_so_near(float(gap), into_combat=False) for gap in gaps.min(axis=1)], np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        gap = float(np.where(placed.around.foe, placed.gaps[index], np.inf).min())
        return f'ends {max(gap, 0.0):.2f}" from an enemy; it must be at least 1"'

    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`; a model that stays is free to."""
        return [
            Violation(self.rule_id, f"{ending.name(int(index))} {self.fault(ending, int(index))}")
            for index in np.flatnonzero(~self.met(ending) & ending.moved)
        ]


@dataclass(frozen=True)
class FitsBeneath(Condition):
    """No model ends beneath a hull above the table that is too tall for that.

    Attributes:
        lifts: by row, inches from the table to each hull that is raised above it.
    """

    lifts: tuple[tuple[int, float], ...] = ()
    rule_id: str = "6e.flyer-other-models.move-beneath"

    @rule("6e.flyer-other-models.move-beneath", "6e.flyer-other-models.end-above")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`.

        DEVIATION: 6e.flyer-other-models.move-beneath a tall model may pass beneath a hull, though it may not end there.
        """
        around, scene = placed.around, placed.around.scene
        raised = dict(self.lifts)
        met = np.ones(len(placed.rows), np.bool_)
        places = [place for place, row in enumerate(around.rows.tolist()) if row in raised]
        tops = placed.poses[:, 2] + around.facts.height[placed.rows]
        if places:
            rows = around.rows[places]
            hulls = scene.bases.some_at(rows, to_inches(around.state.position[rows]))
            above = np.array([raised[row] for row in rows.tolist()])
            met &= ~((separation_matrix(placed.footprints, hulls) < -TOLERANCE) & (tops[:, None] > above)).any(axis=1)
        own = [index for index, row in enumerate(placed.rows.tolist()) if row in raised]
        if own and len(around.rows):
            hulls = scene.bases.some_at(placed.rows[own], placed.poses[own])
            above = np.array([raised[row] for row in placed.rows[own].tolist()])
            met[own] &= ~((separation_matrix(hulls, around.placed) < -TOLERANCE) & (around.top > above[:, None])).any(
                axis=1
            )
        return met

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        return "ends beneath a hull that it is too tall for, or above somebody who is"


def raised_hulls(scene: Scene) -> tuple[Condition, ...]:
    """What holds at the end of moves where hulls hang above the table; nothing in a battle without them."""
    lift = scene.rules.flight.lift
    lifts = tuple((model.row, lift(model.profile.keywords)) for model in scene.models if lift(model.profile.keywords))
    return (FitsBeneath(lifts),) if lifts else ()


@dataclass(frozen=True)
class Infiltrated(conditions.FarFromEnemies):
    """Infiltrators are set up further from every enemy than some distance."""

    distance: float = 12.0
    unseen: float | None = None
    rule_id: str = "3e.core.missions.infiltrators"

    @rule("6e.core.special-rules.infiltrate")
    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`; where it matters who sees them, that is looked into."""
        gaps = np.where(ending.around.foe[None, :], ending.gaps, np.inf).min(axis=1, initial=np.inf)
        if self.unseen is not None:
            near = [index for index, gap in enumerate(gaps) if self.unseen < gap <= self.distance]
            seen = _seen_there(ending) if near else frozenset[int]()
            places = [(int(row) in seen, float(gap)) for row, gap in zip(ending.rows, gaps, strict=True)]
            return infiltrators_too_near(places, self.distance, self.unseen)
        return infiltrator_faults([(False, float(gap)) for gap in gaps], self.distance, all_others_set_up=True)


def _seen_there(ending: Ending) -> frozenset[int]:
    """The rows of a unit's models that some enemy would see where they would stand."""
    scene, before = ending.around.scene, ending.around.state
    assert isinstance(scene, Scene)
    assert isinstance(before, ClassicState)
    state = before.copy()
    state.position[ending.rows] = np.rint(ending.poses * 1000).astype(np.int32)
    state.on_table[ending.rows] = True
    side = scene.models[int(ending.rows[0])].side
    foes = [row for unit in enemies_on_table(scene, state, side) for row in standing(state, unit)]
    return frozenset().union(*(seen_by(scene, state, foe) for foe in foes))


@dataclass(frozen=True)
class FarOnMarch(conditions.FarFromEnemies):
    """A march brings nobody nearer than 24" to an enemy."""

    distance: float = MARCH_TO - 2 * TOLERANCE
    rule_id: str = "3e.march.no-closer-24"
    is_compiled = False

    @rule("3e.march.no-closer-24")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`; enemies beyond what the space measures are further away than this."""
        return super().met(placed)


@dataclass(frozen=True)
class Coherent(conditions.Coherent):
    """A unit is set up in formation."""

    rule_id: str = "3e.formation.two-inch"


@dataclass(frozen=True)
class InFormation(Condition):
    """The unit ends in formation, or as nearly so as its moves allow.

    Attributes:
        best: makes the widest gap, in inches, that the best move found would leave.
        most: inches from model to model.
        disabled: rows of models that may be left behind.
    """

    best: Callable[[], float]
    most: float = COHERENCY
    disabled: frozenset[int] = frozenset()
    rule_id: str = "3e.formation.checked-end-of-movement"
    is_compiled = True

    @rule(
        "3e.formation.two-inch",
        "3e.formation.checked-end-of-movement",
        "3e.formation.only-if-possible",
        "3e.formation.regain",
        "3e.char-units.upgrade-formation",
    )
    def violations(self, ending: Ending) -> list[Violation]:
        """See :meth:`Condition.violations`."""
        able = [row not in self.disabled for row in ending.rows.tolist()]
        gap = widest_gap_of(ending.own_gaps, able)
        if gap <= self.most + TOLERANCE or not closes_gaps_better(gap, self.best()):
            return []
        text = f'The unit would be left with a gap of {gap:.2f}" between its models; formation is {self.most:g}"'
        return [Violation(self.rule_id, text)]


def widest_gap_of(gaps: Floats, able: Sequence[bool]) -> float:
    """The widest step that joins some of the models into one chain, in inches; the others may be links of it.

    Args:
        gaps: (n, n) inches from base edge to base edge; the diagonal does not count.
        able: (n,) which models the chain has to join.
    """
    if all(able):
        return widest_gap(gaps)
    steps = np.asarray(gaps, np.float64).copy()
    for link in range(len(steps)):
        steps = np.minimum(steps, np.maximum(steps[:, [link]], steps[[link], :]))
    places = np.flatnonzero(able)
    return widest_gap(steps[np.ix_(places, places)])


def widest_gap(gaps: Floats) -> float:
    """The widest step that joins models into one chain, in inches; 0 for one model or none.

    Args:
        gaps: (n, n) inches from base edge to base edge; the diagonal does not count.
    """
    if len(gaps) < 2:
        return 0.0
    nearest, left, widest = gaps[0].copy(), np.ones(len(gaps), np.bool_), 0.0
    left[0] = False
    while left.any():
        step = int(np.argmin(np.where(left, nearest, np.inf)))
        widest = max(widest, float(nearest[step]))
        left[step] = False
        nearest = np.minimum(nearest, gaps[step])
    return widest
