"""The order of things: how a turn starts, how a battle is set up."""

from __future__ import annotations

from enum import StrEnum

from battlewright.core.rulebook import rule

__all__ = ["SetUpStep", "StartStep", "set_up_steps", "start_of_turn_steps"]


class StartStep(StrEnum):
    """What happens at the start of a turn."""

    RESERVES = "roll for reserves"
    LONE_SURVIVORS = "test lone survivors"
    REGROUP = "regroup"
    FALL_BACK = "fall back"


@rule("3e.core.turn.start", "4e.core.turn.sequence", "6e.core.turn.start")
def start_of_turn_steps(*, reserves: bool = True) -> tuple[StartStep, ...]:
    """What the start of a turn brings, in order.

    Args:
        reserves: whether the mission uses them.
    """
    steps = (StartStep.LONE_SURVIVORS, StartStep.REGROUP, StartStep.FALL_BACK)
    return (StartStep.RESERVES, *steps) if reserves else steps


class SetUpStep(StrEnum):
    """How a battle is set up."""

    MISSION = "roll for the mission"
    ZONES = "roll off for the choice of zone"
    UNITS = "deploy in turns"
    INFILTRATORS = "set up infiltrators"
    SCOUTS = "move scouts"
    FIRST_TURN = "roll off for the first turn"


@rule("3e.core.missions.set-up", "4e.core.missions.deployment", "4e.scouts.before-first-turn-roll")
def set_up_steps(*, infiltrators: bool = True, scouts: bool = True) -> tuple[SetUpStep, ...]:
    """How a battle is set up, in order.

    Args:
        infiltrators, scouts: whether there are any, and the mission allows them.
    """
    left_out = {SetUpStep.INFILTRATORS: infiltrators, SetUpStep.SCOUTS: scouts}
    return tuple(step for step in SetUpStep if left_out.get(step, True))
