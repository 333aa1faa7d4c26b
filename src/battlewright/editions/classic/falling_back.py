"""Falling back in the classic editions: which way, how far, what it allows and what ends it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from battlewright.core.rulebook import rule
from battlewright.core.table import Edge
from battlewright.editions.classic.charts import passes_leadership_test
from battlewright.editions.classic.state import ClassicUnit, Deed

__all__ = [
    "Box",
    "Outcome",
    "fall_back_distance",
    "must_fall_back",
    "rally_when_assaulted",
    "retreat_edge",
    "unit_vector",
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
@rule("4e.core.morale.fall-back", "6e.core.morale.fall-back")
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


@rule("3e.fall-back.halved", "3e.fall-back.distance", "3e.core.morale.fall-back-terrain", "4e.core.morale.fall-back")
def fall_back_distance(total: int, difficult: bool) -> float:
    """How far a unit falls back, in inches: what was rolled, half of it into, out of or through difficult terrain.

    RULING: 3e.fall-back.halved rounding is not mentioned, so halves are not rounded.
    """
    return total / 2 if difficult else float(total)


@rule("3e.fall-back.each-turn", "3e.outside.rally-time")
def must_fall_back(unit: ClassicUnit) -> bool:
    """Whether a unit makes a fall-back move in its movement phase: it falls back and has not rallied this turn."""
    return unit.falling_back and not unit.has(Deed.RALLIED)


# -- what it allows ---------------------------------------------------------------------------------------------


@rule("3e.fall-back.may-shoot", "4e.core.shooting.who-may-fire", "4e.core.morale.falling-back-acts")
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
    "4e.core.morale.charged-while-falling-back",
    "6e.core.morale.charged-while-falling-back",
)
def rally_when_assaulted(faces: Sequence[int], leadership: int) -> Outcome:
    """What becomes of a unit that is assaulted while it falls back: it tests at once, whatever would keep it from it.

    No modifiers apply. Passing, it has rallied and fights; failing, it is destroyed.
    """
    return Outcome.RALLIED if passes_leadership_test(sum(faces), leadership) else Outcome.DESTROYED
