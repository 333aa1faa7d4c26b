"""Game turns, player turns and phases: the order in which everything happens.

Which phases a player turn has, and what is done in each, is the edition's table (``ClassicRules.phases``). Every loop
here can be entered afresh from the state: the round, the turn, the phase and the step within it are all that it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from battlewright.core.battle import Procedure, resumable
from battlewright.core.decisions import opponent
from battlewright.core.events import PhaseBegan
from battlewright.core.rulebook import rule
from battlewright.editions.classic.events import NightChanged
from battlewright.editions.classic.missions import mission_of
from battlewright.editions.classic.scene import ClassicBattle, living
from battlewright.editions.classic.state import Phase, new_phase, new_turn

__all__ = ["PhaseRule", "begin_turn", "player_turn", "whole_battle"]


@dataclass(frozen=True, slots=True)
class PhaseRule:
    """A phase of the player turn: its name, what is done in it, and the rule that puts it there."""

    name: Phase
    procedure: Callable[[ClassicBattle], Procedure[None]]
    rule: str


@resumable
def whole_battle(battle: ClassicBattle) -> Procedure[None]:
    """The battle to the end of its last game turn."""
    state = battle.state
    if state.phase == Phase.SETUP:
        yield from battle.scene.rules.set_up(battle)
        state.round = 1
        state.turn = state.first
        begin_turn(battle)
    while not state.over:
        yield from player_turn(battle)
        _next_turn(battle)
    battle.scene.rules.end(battle)


@resumable
@rule("3e.terms.phases", "3e.core.turn.sequence", "4e.core.turn.sequence", "6e.core.turn.sequence")
def player_turn(battle: ClassicBattle) -> Procedure[None]:
    """The phases of one player's turn, from the present one on."""
    state, phases = battle.state, battle.scene.rules.phases
    place = next(number for number, phase in enumerate(phases) if phase.name == state.phase)
    while True:
        yield from phases[place].procedure(battle)
        battle.scene.rules.shooting.phase_ends(battle)
        mission_of(battle.scene).after_phase(battle)
        battle.scene.rules.missions.identify(battle)
        place += 1
        if place == len(phases):
            return
        _enter(battle, place)


@rule("3e.terms.round", "3e.core.turn.sequence", "3e.core.turn.game-length", "4e.core.turn.game-length")
@rule("6e.core.turn.sequence", "6e.core.turn.end")
def _next_turn(battle: ClassicBattle) -> None:
    """Go on to the other player's turn, or to the next game turn; the same player goes first in each.

    Whether another game turn follows, the mission says.
    """
    state = battle.state
    if state.turn == state.first:
        state.turn = opponent(state.first)
    elif mission_of(battle.scene).goes_on(battle):
        state.turn = state.first
        state.round += 1
    else:
        state.over = True
        return
    begin_turn(battle)


def begin_turn(battle: ClassicBattle) -> None:
    """Begin the player turn of ``state.turn`` at its first phase."""
    state = battle.state
    state.turns += 1
    if state.turn == state.first:
        _nightfall(battle)
    for unit in state.units:
        new_turn(unit, own=unit.side == state.turn)
        unit.powers = frozenset(each for each in unit.powers if each[1] >= state.turns)
    _enter(battle, 0)


def _nightfall(battle: ClassicBattle) -> None:
    """Whether the game turn that begins is played at night."""
    state = battle.state
    before, state.dark = state.dark, mission_of(battle.scene).is_dark(battle)
    if state.dark != before:
        battle.happened(NightChanged(dark=state.dark, rules=("3e.core.missions.night-fighting",)))


def _enter(battle: ClassicBattle, place: int) -> None:
    state, phase = battle.state, battle.scene.rules.phases[place]
    state.phase, state.step = phase.name, 0
    state.fought = frozenset()
    for number, unit in enumerate(state.units):
        new_phase(unit, len(living(state, number)))
    battle.happened(PhaseBegan(name=phase.name.value, round=state.round, turn=state.turn, rules=(phase.rule,)))
