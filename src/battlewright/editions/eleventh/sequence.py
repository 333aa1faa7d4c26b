"""The battle round, the turn and its phases (07): the order in which everything happens.

Every loop here can be entered afresh from the state: the round, the turn, the phase and the step within it are all
that it needs to know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from battlewright.core.battle import Procedure, resumable
from battlewright.core.decisions import UnitId, opponent
from battlewright.core.events import PhaseBegan
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh import (
    bookkeeping,
    charge,
    command,
    fight,
    movement,
    objectives,
    reserves,
    setup,
    shooting,
)
from battlewright.editions.eleventh.abilities.language import Until
from battlewright.editions.eleventh.coming_back import return_the_destroyed
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import NOBODY, Phase, new_phase, new_turn

__all__ = ["ROUNDS", "whole_battle"]

ROUNDS = 5
"""Battle rounds in a battle (07)."""

_PHASES: tuple[Phase, ...] = (
    Phase.COMMAND,
    Phase.MOVEMENT,
    Phase.SHOOTING,
    Phase.CHARGE,
    Phase.FIGHT,
    Phase.END_OF_TURN,
)

_SETTLED = frozenset({Phase.COMMAND, Phase.MOVEMENT, Phase.CHARGE, Phase.END_OF_TURN})
"""Phases that determine control of objectives themselves, before the rules that are triggered at their end."""

_PROCEDURES: Mapping[str, Callable[[Battle11], Procedure[None]]] = {
    Phase.COMMAND: command.command_phase,
    Phase.MOVEMENT: movement.movement_phase,
    Phase.SHOOTING: shooting.shooting_phase,
    Phase.CHARGE: charge.charge_phase,
    Phase.FIGHT: fight.fight_phase,
    Phase.END_OF_TURN: objectives.end_of_turn,
}


@resumable
@rule("11e.core.07-five-rounds", "11e.core.mission.end-of-battle")
def whole_battle(battle: Battle11) -> Procedure[None]:
    """The battle from setting up to the end of round five; a player without models goes on playing."""
    state = battle.state
    if state.phase == Phase.SETUP:
        yield from setup.before_the_battle(battle)
        _begin_turn(battle)
    while state.round <= ROUNDS:
        yield from player_turn(battle)
        _next_turn(battle)
    objectives.end_of_battle(battle)


@resumable
@rule("11e.core.07-turn", "11e.core.07-objectives-first")
def player_turn(battle: Battle11) -> Procedure[None]:
    """The phases of one player's turn, from the present one on; at the end of each, objectives come first (07)."""
    state = battle.state
    while True:
        phase = Phase(state.phase)
        yield from _PROCEDURES[phase](battle)
        if phase not in _SETTLED:
            objectives.determine_control(battle)
        if state.returning:
            yield from return_the_destroyed(battle)
        _end_phase(battle)
        if phase is _PHASES[-1]:
            return
        _enter_phase(battle, _PHASES[_PHASES.index(phase) + 1])


@rule("11e.core.07-round")
def _next_turn(battle: Battle11) -> None:
    """Go on to the other player's turn, or to the next battle round; the same player goes first in each."""
    state = battle.state
    if state.turn == state.first:
        state.turn = opponent(state.first)
    else:
        _end_of_round(battle)
        state.turn = state.first
        state.round += 1
        state.bonus_cp = state.primary_this_round = (0, 0)
        state.book = replace(state.book, secondary_this_round=(0, 0))
    _begin_turn(battle)


@rule("11e.core.20.05-end-of-round-three")
def _end_of_round(battle: Battle11) -> None:
    """At the end of the third round what never arrived from reserves is lost (20.05)."""
    if reserves.is_last_round_to_arrive(battle.state):
        first = battle.state.first
        reserves.destroy_reserves(battle, (first, opponent(first)), all_of_them=False)


def _begin_turn(battle: Battle11) -> None:
    state = battle.state
    if state.round > ROUNDS:
        return
    state.turns += 1
    state.timed = tuple(each for each in state.timed if _lasts_through_turn(battle, each))
    state.used_abilities = tuple(each for each in state.used_abilities if each[2] != Until.TURN)
    state.actions_started = state.actions_completed = ()
    for unit in state.units:
        new_turn(unit)
    bookkeeping.begin_turn(battle.scene, state)
    _enter_phase(battle, Phase.COMMAND)


def _lasts_through_turn(battle: Battle11, used: tuple[int, int, str]) -> bool:
    """Whether an ability in force lasts beyond the turn: until the next Command phase of its player, which begins the
    turn."""
    source = battle.scene.sources.timed[used[1]]
    return used[2] == Until.NEXT_COMMAND and battle.scene.units[UnitId(source.unit)].side != battle.state.turn


def _enter_phase(battle: Battle11, phase: Phase) -> None:
    state = battle.state
    state.phase, state.step = phase, 0
    battle.happened(PhaseBegan(name=phase.value, round=state.round, turn=state.turn, rules=("11e.core.07-turn",)))


def _end_phase(battle: Battle11) -> None:
    """What belongs to the phase is forgotten (07)."""
    battle.state.stratagems_used = ()
    battle.state.psychic_used = ()
    battle.state.struck = ()
    battle.state.hit = ()
    battle.state.timed = tuple(each for each in battle.state.timed if each[2] in (Until.TURN, Until.NEXT_COMMAND))
    battle.state.used_abilities = tuple(each for each in battle.state.used_abilities if each[2] != Until.PHASE)
    battle.state.next_to_fight = (NOBODY, NOBODY)
    for unit in battle.state.units:
        new_phase(unit)
