"""The order of things in the 3rd edition: how an assault phase runs."""

from __future__ import annotations

from enum import StrEnum

from battlewright.core.rulebook import rule

__all__ = ["AssaultStep", "FlightAnswer", "answer_to_flight", "assault_steps"]


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
