"""What a mission remembers of the battle: how the turn began, who was destroyed, markers, cards and points.

The book is an immutable value in the state; whatever happens puts a changed one in its place. Places are named as
``"area:07+10"`` (a terrain area) and ``"objective:central"``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from battlewright.core.decisions import Side
from battlewright.core.rulebook import rule

if TYPE_CHECKING:
    from battlewright.editions.eleventh.scene import Scene

__all__ = [
    "Kill",
    "Mark",
    "MissionBook",
    "add_to",
    "area_place",
    "marks_of",
    "objective_place",
]


@dataclass(frozen=True, slots=True)
class Kill:
    """A unit that was destroyed.

    Attributes:
        unit: the unit.
        by: the unit that destroyed it, or -1. RULING: 11e.core.primary.consecrate a unit destroys others by its
            attacks, and by the mortal wounds of a stratagem that it is the target of; whoever perishes by the Deadly
            Demise of another, or by its own doing, is destroyed by nobody.
        on_objective: whether that unit was in range of an objective then.
    """

    unit: int
    by: int = -1
    on_objective: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A marker, or what a rule of a mission has made of a place: whose it is, which, and where."""

    side: int
    kind: str
    place: str


@dataclass(frozen=True, slots=True)
class MissionBook:
    """The book.

    Attributes:
        alive: units that had living models when the turn began.
        standing: units that were on the battlefield then.
        control: who controlled each objective then.
        on_objective: (unit, objective) pairs: who was in range of what then.
        in_area: (unit, area) pairs: who was within which terrain area then.
        kills: units destroyed in this turn.
        kills_before: those destroyed in the turn before.
        slain: rows of models destroyed in this turn.
        left: units that left the battlefield in this turn.
        marks: markers and the like, in the order in which they came; a place may have several.
        condemned: units that are condemned (Punishment).
        consecrators: units that may consecrate an objective (Consecrate).
        secondary: secondary victory points of each side.
        secondary_this_round: those of them scored in this battle round.
        modes: how each side plays its secondary missions: ``"fixed"``, ``"tactical"``, ``""`` without or not chosen.
        revealed: whether the choice of both is known to both.
        active: the active cards of each side.
        decks: the cards that each side has still to draw from. Which of them comes next is decided when it is drawn.
        replaced: whether each side has replaced a card.
        fixed_points: points that each side's fixed cards have given, as (side, card, points).
        chosen: what was picked for a card: (side, card, number of the unit or objective).
        guards: (side, objective, unit) of Burden of Trust.
    """

    alive: frozenset[int] = frozenset()
    standing: frozenset[int] = frozenset()
    control: tuple[int, ...] = ()
    on_objective: frozenset[tuple[int, int]] = frozenset()
    in_area: frozenset[tuple[int, int]] = frozenset()
    kills: tuple[Kill, ...] = ()
    kills_before: tuple[Kill, ...] = ()
    slain: tuple[int, ...] = ()
    left: frozenset[int] = frozenset()
    marks: tuple[Mark, ...] = ()
    condemned: frozenset[int] = frozenset()
    consecrators: frozenset[int] = frozenset()
    secondary: tuple[int, int] = (0, 0)
    secondary_this_round: tuple[int, int] = (0, 0)
    modes: tuple[str, str] = ("", "")
    revealed: bool = False
    active: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    decks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    replaced: tuple[bool, bool] = (False, False)
    fixed_points: tuple[tuple[int, str, int], ...] = ()
    chosen: tuple[tuple[int, str, int], ...] = ()
    guards: frozenset[tuple[int, int, int]] = frozenset()


def area_place(scene: Scene, area: int) -> str:
    """How a terrain area is named in the book."""
    return f"area:{scene.battlefield.areas[area].id}"


def objective_place(scene: Scene, objective: int) -> str:
    """How an objective is named in the book."""
    return f"objective:{scene.battlefield.objectives[objective].id}"


@rule("11e.core.01-markers-are-not-models")
def marks_of(book: MissionBook, side: int, *kinds: str) -> list[Mark]:
    """A side's marks of these kinds, in the order in which they came."""
    return [mark for mark in book.marks if mark.side == side and mark.kind in kinds]


def add_to(pair: tuple[int, int], side: Side, points: int) -> tuple[int, int]:
    """A pair with points added for one side."""
    return (pair[0] + points, pair[1]) if side == 0 else (pair[0], pair[1] + points)
