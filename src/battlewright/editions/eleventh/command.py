"""The Command phase (08) and what it asks of units: leadership and battle-shock (01.06-01.07)."""

from __future__ import annotations

from battlewright.core.battle import Procedure, resumable
from battlewright.core.decisions import Side
from battlewright.core.dice import Reroll
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh import acting, missions, objectives
from battlewright.editions.eleventh.abilities.in_force import characteristic_in_force, re_roll_by_ability
from battlewright.editions.eleventh.abilities.language import Roll
from battlewright.editions.eleventh.command_points import gain_command_points
from battlewright.editions.eleventh.events import BattleShockTested, CommandPointsGained
from battlewright.editions.eleventh.modifiers import Characteristic
from battlewright.editions.eleventh.scene import Battle11, Scene, living
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.triggers import Occasion
from battlewright.editions.eleventh.windows import window

__all__ = [
    "battle_shock_roll",
    "battle_shock_step",
    "best_leadership",
    "command_phase",
    "gain_command_points",
    "is_at_or_below_half_strength",
    "is_below_half_strength",
    "is_below_starting_strength",
    "must_test",
]

_BEGIN, _GAIN, _TEST, _ABILITIES, _OVER = 1, 2, 3, 4, 5


@resumable
@rule("11e.core.08-steps")
def command_phase(battle: Battle11) -> Procedure[None]:
    """Both players gain a command point, the turn player tests for battle-shock, other abilities work, then the
    mission scores (08).

    At the end of the phase who controls each objective is determined before the mission scores (07).
    """
    state = battle.state
    if state.begin(_BEGIN):
        yield from missions.start_of_command_phase(battle)
        yield from window(battle, Occasion.COMMAND_BEGINS)
    if state.begin(_GAIN):
        core_command_points(battle)
    if state.begin(_TEST):
        yield from battle_shock_step(battle)
    if state.begin(_ABILITIES):
        yield from window(battle, Occasion.COMMAND_ABILITIES)
    if state.begin(_OVER):
        objectives.determine_control(battle)
        yield from missions.end_of_command_phase(battle)


@rule("11e.core.08.02-core-command-points", "11e.core.08-starting-command-points")
def core_command_points(battle: Battle11) -> None:
    """Each player gains 1CP in every Command phase (08.02); both start the battle with none."""
    state = battle.state
    state.cp = (state.cp[0] + 1, state.cp[1] + 1)
    battle.happened(CommandPointsGained(cp=state.cp, rules=("11e.core.08.02-core-command-points",)))


# -- strength of a unit (01.06) ---------------------------------------------------------------------------------


def _share(scene: Scene, state: EleventhState, unit: int) -> tuple[int, int]:
    """What is left and what there was: wounds for a unit that began with one model, models for others."""
    begun = state.units[unit].starting_strength
    alive = living(state, unit)
    if begun == 1:
        whole = max(scene.models[row].profile.wounds for row in state.units[unit].models)
        return sum(int(state.wounds[row]) for row in alive), whole
    return len(alive), begun


@rule("11e.core.01.06-below-starting-strength")
def is_below_starting_strength(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether fewer models (a single model: fewer wounds) are left than the battle began with (01.06)."""
    left, whole = _share(scene, state, unit)
    return left < whole


@rule("11e.core.01.06-half-strength", "11e.core.01.06-half-strength-example")
def is_at_or_below_half_strength(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether no more than half of it is left (01.06); "at" half is impossible for odd numbers."""
    left, whole = _share(scene, state, unit)
    return 2 * left <= whole


@rule("11e.core.01.06-half-strength", "11e.core.01.06-half-strength-example")
def is_below_half_strength(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether less than half of it is left (01.06)."""
    left, whole = _share(scene, state, unit)
    return 2 * left < whole


# -- battle-shock (01.07, 08.03) --------------------------------------------------------------------------------


@rule("11e.core.01.07-leadership-roll")
def best_leadership(scene: Scene, state: EleventhState, unit: int) -> int:
    """The lowest Leadership number among its living models, which is the one to reach (01.07).

    RULING: 11e.core.01.07-leadership-roll models without Leadership do not count; a unit of such models needs the
    worst value that a Leadership can have, 8+.
    """
    printed = [
        characteristic_in_force(scene, state, row, Characteristic.LD, scene.models[row].profile.leadership)
        for row in living(state, unit)
    ]
    return min((each for each in printed if each is not None), default=8)


@rule("11e.core.01.07-battle-shock-roll", "11e.core.01.07-recovery", "11e.core.08.03-result")
def battle_shock_roll(battle: Battle11, unit: int) -> bool:
    """2D6 against the best Leadership: success clears battle-shock, failure inflicts or keeps it (01.07).

    A failed roll is made again where an ability allows it: nobody keeps one. Returns whether the unit is battle-shocked
    now.
    """
    state, info = battle.state, battle.scene.units[unit]
    leadership = best_leadership(battle.scene, state, unit)
    roll = battle.roll(2, 6, "battle-shock")
    ability = re_roll_by_ability(battle.scene, state, unit, Roll.BATTLE_SHOCK)
    if ability is not None and roll.total < leadership:
        thrown = battle.roll(2, 6, "battle-shock-reroll").faces
        roll = roll.with_rerolls([Reroll(place, roll.faces[place], now, ability) for place, now in enumerate(thrown)])
    state.units[unit].battle_shocked = roll.total < leadership
    if state.units[unit].battle_shocked:
        acting.fail(battle, unit, "battle-shocked")
    battle.happened(
        BattleShockTested(
            unit=info.id,
            faces=roll.unmodified,
            leadership=leadership,
            battle_shocked=state.units[unit].battle_shocked,
            rules=("11e.core.01.07-battle-shock-roll",),
        )
    )
    return state.units[unit].battle_shocked


@rule("11e.core.08.03-who-rolls", "11e.core.01.10-off-battlefield-shock")
def must_test(battle: Battle11, side: Side) -> list[int]:
    """Units of the side that roll in its Battle-shock step: shocked now, or at or below half-strength (08.03).

    Units off the battlefield are included.
    """
    scene, state = battle.scene, battle.state
    return [
        unit.index
        for unit in scene.units_of(side)
        if living(state, unit.index)
        and (state.units[unit.index].battle_shocked or is_at_or_below_half_strength(scene, state, unit.index))
    ]


@rule("11e.core.08.03-one-roll", "11e.core.15.04-insane-bravery")
def battle_shock_step(battle: Battle11) -> Procedure[None]:
    """Each unit that has to roll does so once; before a roll rules may make it succeed (08.03, 15.04)."""
    for unit in must_test(battle, battle.state.turn):
        yield from window(battle, Occasion.BATTLE_SHOCK_ROLL, unit)
        if battle.state.units[unit].stands_firm:
            _succeed(battle, unit)
        else:
            battle_shock_roll(battle, unit)


@rule("11e.core.01.05-automatic-success", "11e.core.15.04-insane-bravery")
def _succeed(battle: Battle11, unit: int) -> None:
    """The roll succeeds without being made (01.05)."""
    scene, state = battle.scene, battle.state
    state.units[unit].stands_firm = state.units[unit].battle_shocked = False
    battle.happened(
        BattleShockTested(
            unit=scene.units[unit].id,
            faces=(),
            leadership=best_leadership(scene, state, unit),
            battle_shocked=False,
            rules=("11e.core.15.04-insane-bravery",),
        )
    )
