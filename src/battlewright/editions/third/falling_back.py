"""Falling back in the 3rd edition: which way, how far, through whom; what it allows and what ends it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.core.table import Edge
from battlewright.editions.classic.charts import passes_leadership_test
from battlewright.editions.classic.state import ClassicUnit, Deed

__all__ = [
    "Box",
    "Corridor",
    "Outcome",
    "corridor_of",
    "crossed",
    "fall_back_distance",
    "meets_on_the_way",
    "must_fall_back",
    "rally_when_assaulted",
    "retreat_edge",
    "sets_crossfire",
    "unit_vector",
    "why_no_assault",
]

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in inches: the least rectangle around a base."""


class Outcome(StrEnum):
    """What becomes of a unit that falls back."""

    RALLIED = "rallied"
    FALLS_BACK = "falls back"
    DESTROYED = "destroyed"


# -- which way and how far --------------------------------------------------------------------------------------


@rule("3e.fall-back.direction", "3e.fall-back.entry-edge", "3e.fall-back.no-entry-edge")
def retreat_edge(own: Edge, entry: str) -> Edge:
    """The table edge that a unit falls back to: the one it came into play from, else its owner's.

    Args:
        own: the owner's edge.
        entry: the name of another edge that it came in from; "" where it came from none (infiltrators, ambushers).
    """
    return Edge(entry) if entry else own


_VECTORS = {Edge.NORTH: (0.0, 1.0), Edge.SOUTH: (0.0, -1.0), Edge.EAST: (1.0, 0.0), Edge.WEST: (-1.0, 0.0)}


@rule("3e.fall-back.direction")
def unit_vector(edge: Edge) -> tuple[float, float]:
    """The straight way to a table edge."""
    return _VECTORS[edge]


@rule("3e.fall-back.halved", "3e.fall-back.distance", "3e.core.morale.fall-back-terrain")
def fall_back_distance(total: int, *, difficult: bool) -> float:
    """How far a unit falls back, in inches: what was rolled, half of it into, out of or through difficult terrain.

    RULING: 3e.fall-back.halved rounding is not mentioned, so halves are not rounded.
    """
    return total / 2 if difficult else float(total)


@rule("3e.fall-back.each-turn", "3e.outside.rally-time")
def must_fall_back(unit: ClassicUnit) -> bool:
    """Whether a unit makes a fall-back move in its movement phase: it falls back and has not rallied this turn."""
    return unit.falling_back and not unit.has(Deed.RALLIED)


# -- what it allows ---------------------------------------------------------------------------------------------


@rule("3e.fall-back.no-assault", "3e.core.morale.no-charge")
def why_no_assault(unit: ClassicUnit) -> list[tuple[str, str]]:
    """Why a unit may not assault: rule and clause; none when it does not fall back."""
    return [("3e.fall-back.no-assault", "is falling back")] if unit.falling_back else []


@rule("3e.fall-back.may-shoot")
def counts_as_moved(unit: ClassicUnit) -> bool:
    """Whether a unit fires as having moved: one that falls back does, and it may shoot."""
    return unit.moved or unit.falling_back


# -- assaulted on the way ---------------------------------------------------------------------------------------


@rule(
    "3e.fall-back.charged-test",
    "3e.fall-back.charged-no-modifiers",
    "3e.fall-back.charged-anyone",
    "3e.fall-back.charged-pass",
    "3e.fall-back.charged-fail",
)
def rally_when_assaulted(faces: Sequence[int], leadership: int) -> Outcome:
    """What becomes of a unit that is assaulted while it falls back: it tests at once, whatever would keep it from it.

    No modifiers apply. Passing, it has rallied and fights; failing, it is destroyed.
    """
    return Outcome.RALLIED if passes_leadership_test(sum(faces), leadership) else Outcome.DESTROYED


# -- crossfire --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Corridor:
    """The strip that a unit falls back in.

    Attributes:
        edge: that it leads to.
        low, high: its sides, in inches along the edge.
        front: where the unit's foremost bases end, in inches along the way; towards the edge it grows.
    """

    edge: Edge
    low: float
    high: float
    front: float


def _spans(edge: Edge, box: Box) -> tuple[tuple[float, float], tuple[float, float]]:
    """A box along the edge, and along the way to it."""
    x0, y0, x1, y1 = box
    dx, dy = _VECTORS[edge]
    if dx:
        return (y0, y1), ((x0, x1) if dx > 0 else (-x1, -x0))
    return (x0, x1), ((y0, y1) if dy > 0 else (-y1, -y0))


@rule("3e.outside.corridor", "3e.crossfire.corridor")
def corridor_of(edge: Edge, boxes: Iterable[Box]) -> Corridor:
    """The fall-back corridor of a unit: as wide as its outermost models, straight to the edge.

    Args:
        boxes: around the bases of its models; at least one.
    """
    spans = [_spans(edge, box) for box in boxes]
    return Corridor(
        edge,
        min(across[0] for across, _ in spans),
        max(across[1] for across, _ in spans),
        max(along[1] for _, along in spans),
    )


def meets_on_the_way(corridor: Corridor, distance: float, box: Box) -> bool:
    """Whether a base that stands in the corridor is reached, or left behind, by a move of this distance in inches."""
    across, along = _spans(corridor.edge, box)
    inside = across[0] < corridor.high - TOLERANCE and across[1] > corridor.low + TOLERANCE
    ahead = along[1] > corridor.front + TOLERANCE
    return inside and ahead and along[0] - corridor.front <= distance + TOLERANCE


@rule("3e.crossfire.fought-this-turn", "3e.crossfire.busy-units", "3e.outside.crossfire-official")
def sets_crossfire(unit: ClassicUnit, *, in_combat: bool) -> bool:
    """Whether the models of an enemy unit can set a crossfire.

    Not if it took part in close combat this turn, swept or consolidated, is in combat, pinned or falling back.
    """
    fought = unit.has(Deed.FOUGHT) or unit.has(Deed.SWEPT) or unit.has(Deed.CONSOLIDATED)
    return not (fought or in_combat or unit.pinned or unit.falling_back)


@rule("3e.crossfire.destroyed", "3e.core.morale.crossfire", "3e.core.morale.crossfire-exceptions")
def crossed(corridor: Corridor, distance: float, enemies: Iterable[Box]) -> bool:
    """Whether a unit is destroyed on its way: its move brings it to an enemy model in its corridor, or beyond.

    Args:
        distance: of the fall-back move, in inches.
        enemies: boxes around the bases of enemy models that can set a crossfire (:func:`sets_crossfire`).
    """
    return any(meets_on_the_way(corridor, distance, box) for box in enemies)
