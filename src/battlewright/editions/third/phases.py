"""The phases of a player turn of the 3rd edition, in order."""

from __future__ import annotations

from battlewright.core.battle import Procedure, resumable
from battlewright.core.rulebook import rule
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.sequence import PhaseRule
from battlewright.editions.classic.state import Phase
from battlewright.editions.third.charging import assault_phase
from battlewright.editions.third.retreat import start_of_turn_tests
from battlewright.editions.third.shooting_phase import shooting_phase

__all__ = ["PHASES"]


@resumable
@rule("3e.core.turn.start")
def start_of_turn(battle: ClassicBattle) -> Procedure[None]:
    """What comes before the first move: the last survivors test, units that fall back rally or go on."""
    if battle.state.begin():
        start_of_turn_tests(battle)
    yield from ()


@resumable
def _nothing_yet(battle: ClassicBattle) -> Procedure[None]:
    """Not filled in yet: nobody does anything."""
    battle.state.begin()
    yield from ()


PHASES: tuple[PhaseRule, ...] = (
    PhaseRule(Phase.START_OF_TURN, start_of_turn, "3e.core.turn.start"),
    PhaseRule(Phase.MOVEMENT, _nothing_yet, "3e.terms.phases"),
    PhaseRule(Phase.SHOOTING, shooting_phase, "3e.terms.phases"),
    PhaseRule(Phase.ASSAULT, assault_phase, "3e.terms.phases"),
)
