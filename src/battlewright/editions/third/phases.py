"""The phases of a player turn of the 3rd edition, in order."""

from __future__ import annotations

from battlewright.core.battle import Procedure, resumable
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.sequence import PhaseRule
from battlewright.editions.classic.state import Phase

__all__ = ["PHASES"]


@resumable
def _nothing_yet(battle: ClassicBattle) -> Procedure[None]:
    """Not filled in yet: nobody does anything."""
    battle.state.begin()
    yield from ()


PHASES: tuple[PhaseRule, ...] = (
    PhaseRule(Phase.START_OF_TURN, _nothing_yet, "3e.core.turn.start"),
    PhaseRule(Phase.MOVEMENT, _nothing_yet, "3e.terms.phases"),
    PhaseRule(Phase.SHOOTING, _nothing_yet, "3e.terms.phases"),
    PhaseRule(Phase.ASSAULT, _nothing_yet, "3e.terms.phases"),
)
