"""What every primary mission card is made of, and the table of all of them.

A card is a function of what its owner sees and of the time; it returns (line, points) pairs. Lines that exclude each
other are one ``if``; cumulative ones are pairs of their own. What players do for a card (actions, markers, choices)
stands in ``mission_actions`` and ``mission_steps``; here are its points alone. Limits are applied in ``missions``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from battlewright.core.table import ObjectiveRole
from battlewright.editions.eleventh.book import marks_of, objective_place
from battlewright.editions.eleventh.look import Look, Time

__all__ = [
    "MARKER",
    "OPERATION",
    "PRIMARIES",
    "Lines",
    "PrimaryCard",
    "Score",
    "card",
    "counted",
    "each",
    "enemy_destroyed",
    "has_done",
    "if_so",
    "killed_from_objective",
    "marked_objectives",
]

Lines: TypeAlias = list[tuple[str, int]]
Score: TypeAlias = Callable[[Look, Time], Lines]

OPERATION = "operation"
"""The kind of markers that Locate and Deny lays out in terrain areas before the battle."""
MARKER = "marker"
"""The kind of markers that actions lay on objectives."""


@dataclass(frozen=True, slots=True)
class PrimaryCard:
    """A primary mission card: its name, the rule it is, and what it scores at a time."""

    name: str
    rule: str
    score: Score


PRIMARIES: dict[str, PrimaryCard] = {}
"""The cards by the key of their names: ``"battlefield-dominance"``."""


def card(name: str) -> Callable[[Score], Score]:
    """Enter a function that cites its rule into the table as the card of that name."""

    def register(score: Score) -> Score:
        rules: Mapping[str, tuple[str, ...]] = vars(score)
        key = name.lower().replace("'", "").replace(" ", "-")
        PRIMARIES[key] = PrimaryCard(name, rules["__rules__"][0], score)
        return score

    return register


def counted(number: int, one: str) -> str:
    """A number with its noun."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def each(objectives: Iterable[int], points: int, what: str = "non-home objective", where: str = "") -> Lines:
    """Points for each of these objectives."""
    number = len(list(objectives))
    return [(f"{counted(number, what)}{where} controlled", points * number)]


def if_so(condition: object, points: int, line: str) -> Lines:
    """Points if something is so."""
    return [(line, points)] if condition else []


def enemy_destroyed(look: Look, points: int) -> Lines:
    """Points if an enemy unit was destroyed in this turn."""
    return if_so(look.kills, points, "an enemy unit destroyed")


def killed_from_objective(look: Look, points: int, role: ObjectiveRole | None = None) -> Lines:
    """Points if an enemy unit that began the turn in range of an objective, of that role, was destroyed."""
    there = [kill for kill in look.kills if look.began_on(kill.unit, role)]
    which = "an" if role is None else f"a {role.value}"
    return if_so(there, points, f"an enemy unit that began the turn on {which} objective destroyed")


def marked_objectives(look: Look, kind: str) -> list[int]:
    """The objectives that the side has marked so."""
    places = {mark.place for mark in marks_of(look.book, look.side, kind)}
    return [number for number in range(len(look.objectives)) if objective_place(look.scene, number) in places]


def has_done(look: Look, action: str, points: int) -> Lines:
    """Points if the side completed the action in this turn."""
    return if_so(look.done(action), points, "the action completed")
