"""The phases of a player turn of the 3rd edition, in order."""

from __future__ import annotations

from battlewright.core.battle import Procedure, resumable
from battlewright.core.rulebook import rule
from battlewright.editions.classic.frames import StartStep, start_of_turn_steps
from battlewright.editions.classic.missions import mission_of
from battlewright.editions.classic.procedures.charging import assault_phase
from battlewright.editions.classic.procedures.movement import movement_phase
from battlewright.editions.classic.procedures.reserves import roll_for_reserves
from battlewright.editions.classic.procedures.retreat import start_of_turn_tests
from battlewright.editions.classic.procedures.shooting_phase import shooting_phase
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.sequence import PhaseRule
from battlewright.editions.classic.state import Phase

__all__ = ["PHASES"]


@resumable
@rule("3e.core.turn.start", "4e.core.turn.sequence", "6e.core.turn.start")
def start_of_turn(battle: ClassicBattle) -> Procedure[None]:
    """What comes before the first move: dice for reserves, tests of last survivors, rallying and falling back."""
    if battle.state.begin():
        for step in start_of_turn_steps(reserves=mission_of(battle.scene).reserves):
            if step is StartStep.RESERVES:
                roll_for_reserves(battle)
        if not battle.scene.rules.movement.flight_in_movement:
            yield from start_of_turn_tests(battle)
    yield from ()


PHASES: tuple[PhaseRule, ...] = (
    PhaseRule(Phase.START_OF_TURN, start_of_turn, "3e.core.turn.start"),
    PhaseRule(Phase.MOVEMENT, movement_phase, "3e.terms.phases"),
    PhaseRule(Phase.SHOOTING, shooting_phase, "3e.terms.phases"),
    PhaseRule(Phase.ASSAULT, assault_phase, "3e.terms.phases"),
)
