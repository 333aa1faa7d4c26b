"""What an action is (16): its five parts, as data and small functions. Missions write theirs with it.

An action is a value; what units do with it is in :mod:`~battlewright.editions.eleventh.acting`. A mission lists all
actions of its cards in ``Mission.actions``; ``is_offered`` says whether a side has the card at the moment.

This module imports no other of the edition, so that missions can define actions before scenes are made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule

if TYPE_CHECKING:
    from battlewright.core.decisions import Side
    from battlewright.editions.eleventh.scene import Battle11, Scene
    from battlewright.editions.eleventh.state import EleventhState

__all__ = [
    "NO_TARGET",
    "Action",
    "Completes",
    "Effect",
    "Targets",
    "UseLimit",
    "always",
    "at_nothing",
    "is_within_limit",
]

NO_TARGET = ""
"""The target of an action that is done to nothing in particular."""

Targets: TypeAlias = "Callable[[Scene, EleventhState, int], tuple[str, ...]]"
"""What a unit could do the action to now, by name (an objective, an area, a unit); empty: it cannot do it."""
Holds: TypeAlias = "Callable[[Scene, EleventhState, int, str], bool]"
"""Of the acting unit and the target: whether something holds."""
Effect: TypeAlias = "Callable[[Battle11, int, str], Procedure[None]]"
"""What happens when the unit has done the action to the target; it may ask, but holds no checkpoint."""


class Completes(StrEnum):
    """When an action completes."""

    AT_ONCE = "at-once"
    END_OF_TURN = "end-of-turn"


class UseLimit(StrEnum):
    """How often a side may start an action."""

    UNLIMITED = "unlimited"
    ONCE_A_TURN = "once-a-turn"
    ONCE_A_TURN_EACH_TARGET = "once-a-turn-each-target"
    """Any number of units, each with another target."""


def always(scene: Scene, state: EleventhState, unit: int, target: str) -> bool:
    """Nothing more is asked for the action to complete."""
    return True


def at_nothing(scene: Scene, state: EleventhState, unit: int) -> tuple[str, ...]:
    """The targets of an action that any unit may do, wherever it is."""
    return (NO_TARGET,)


@dataclass(frozen=True, slots=True)
class Action:
    """An action: STARTS, UNITS, USE LIMIT, COMPLETES, EFFECT (16). It starts in the own Shooting phase.

    Attributes:
        id: unique among the actions of a mission, in small letters: ``"cleanse"``.
        rule: id of the rulebook's entry.
        is_offered: whether the side may start it at all now (STARTS): it has the card, the round is right.
        targets: UNITS and what they do it to, besides what chapter 16 asks of every unit.
        limit: USE LIMIT.
        completes: COMPLETES, if then ``condition`` holds; otherwise the action fails.
        effect: EFFECT.
    """

    id: str
    name: str
    rule: str
    is_offered: Callable[[Scene, EleventhState, Side], bool]
    effect: Effect
    targets: Targets = at_nothing
    limit: UseLimit = UseLimit.ONCE_A_TURN
    completes: Completes = Completes.END_OF_TURN
    condition: Holds = always


@rule("11e.core.16-parts")
def is_within_limit(action: Action, started: tuple[tuple[str, str], ...], target: str) -> bool:
    """Whether one more use, on the target, is within the limit, given (action id, target) of each use this turn."""
    match action.limit:
        case UseLimit.UNLIMITED:
            return True
        case UseLimit.ONCE_A_TURN:
            return all(each != action.id for each, _ in started)
        case UseLimit.ONCE_A_TURN_EACH_TARGET:
            return (action.id, target) not in started
