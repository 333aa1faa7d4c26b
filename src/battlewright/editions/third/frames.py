"""The order of things in the 3rd edition: how a turn starts, how an assault phase runs, how a battle is set up."""

from __future__ import annotations

from enum import StrEnum

from battlewright.core.rulebook import rule

__all__ = [
    "AssaultStep",
    "FlightAnswer",
    "SetUpStep",
    "StartStep",
    "answer_to_flight",
    "assault_steps",
    "set_up_steps",
    "start_of_turn_steps",
]


class StartStep(StrEnum):
    """What happens at the start of a turn."""

    RESERVES = "roll for reserves"
    LONE_SURVIVORS = "test lone survivors"
    REGROUP = "regroup"
    FALL_BACK = "fall back"


@rule("3e.core.turn.start")
def start_of_turn_steps(*, reserves: bool = True) -> tuple[StartStep, ...]:
    """What the start of a turn brings, in order.

    Args:
        reserves: whether the mission uses them.
    """
    steps = (StartStep.LONE_SURVIVORS, StartStep.REGROUP, StartStep.FALL_BACK)
    return (StartStep.RESERVES, *steps) if reserves else steps


class AssaultStep(StrEnum):
    """What happens in an assault phase."""

    MOVE_IN = "move in"
    NAME_TARGETS = "name targets"
    FIGHT = "fight"
    RESULT = "determine the result"
    MORALE = "the loser tests morale"
    REACT = "sweep or consolidate"


@rule("3e.assault.simple-case")
def assault_steps(*, several_units: bool = False, characters: bool = False) -> tuple[AssaultStep, ...]:
    """The steps of an assault, for one unit on each side without characters.

    With several units or with characters the steps are the same, but attacks have to be divided before they are rolled.
    """
    divide = (AssaultStep.NAME_TARGETS,) if several_units or characters else ()
    after = (AssaultStep.FIGHT, AssaultStep.RESULT, AssaultStep.MORALE, AssaultStep.REACT)
    return (AssaultStep.MOVE_IN, *divide, *after)


class FlightAnswer(StrEnum):
    """What is rolled when enemies come upon a unit that falls back."""

    PURSUIT = "compare the dice of both moves"
    RALLY = "the unit tests to rally"


@rule("3e.fall-back.not-a-sweep")
def answer_to_flight(*, just_beaten: bool) -> FlightAnswer:
    """What is rolled: pursuers of a unit just beaten compare dice with it; one that is assaulted later tests to rally.

    Args:
        just_beaten: whether the unit breaks from this very combat.
    """
    return FlightAnswer.PURSUIT if just_beaten else FlightAnswer.RALLY


class SetUpStep(StrEnum):
    """How a battle is set up."""

    MISSION = "roll for the mission"
    ZONES = "roll off for the choice of zone"
    UNITS = "deploy in turns"
    INFILTRATORS = "set up infiltrators"
    SCOUTS = "move scouts"
    FIRST_TURN = "roll off for the first turn"


@rule("3e.core.missions.set-up")
def set_up_steps(*, infiltrators: bool = True, scouts: bool = True) -> tuple[SetUpStep, ...]:
    """How a battle is set up, in order.

    Args:
        infiltrators, scouts: whether there are any, and the mission allows them.
    """
    left_out = {SetUpStep.INFILTRATORS: infiltrators, SetUpStep.SCOUTS: scouts}
    return tuple(step for step in SetUpStep if left_out.get(step, True))
