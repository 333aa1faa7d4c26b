"""What an edition decides about armies, setting up, reserves and the length of a battle, whatever the mission."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from battlewright.core.battle import Procedure
from battlewright.editions.classic.force_chart import ForceChart
from battlewright.editions.classic.scene import ClassicBattle, Scene
from battlewright.editions.classic.scoring import Remains
from battlewright.editions.classic.state import ClassicState

__all__ = ["MissionRules", "nothing_to_identify"]


def nothing_to_identify(battle: ClassicBattle) -> None:
    """Objectives are what they are."""


def the_missions_own(name: str, points: int) -> str:
    """The chart that an army keeps to: the one that the mission names, whatever its points."""
    return name


@dataclass(frozen=True)
class MissionRules:
    """What is decided about missions.

    Attributes:
        chart_of: the force chart of a name; ``chart_for`` the name of the one that an army keeps to where the mission
            names one: by that and the army's points.
        zones: who chooses his zone, and who sets up first; asks, and notes both in the state.
        deploys_in_turns: whether the players set up a unit each in turn, category by category; otherwise one sets up
            all in any order, then the other.
        first_turn: who has the first turn, once everybody stands; may ask, and notes it in the state.
        most_in_reserve: how many units of a side may be held back, of so many.
        worth_of_losses: the points for what is left of an enemy unit.
        scores: whether a unit holds objectives: scene, state, unit.
        denies: whether an enemy unit keeps others from holding one.
        holding_distance: inches to an objective that is held.
        identify: what objectives settle when a phase is over; asks nothing.
    """

    chart_of: Callable[[str], ForceChart]
    zones: Callable[[ClassicBattle], Procedure[None]]
    deploys_in_turns: bool
    first_turn: Callable[[ClassicBattle], Procedure[None]]
    most_in_reserve: Callable[[int], int]
    worth_of_losses: Callable[[Remains], int]
    scores: Callable[[Scene, ClassicState, int], bool]
    denies: Callable[[Scene, ClassicState, int], bool]
    holding_distance: float
    identify: Callable[[ClassicBattle], None] = nothing_to_identify
    chart_for: Callable[[str, int], str] = the_missions_own
