"""Objectives (14), the end of a turn and of the battle (07, mission sequence)."""

from __future__ import annotations

from battlewright.core.battle import Procedure, resumable
from battlewright.core.decisions import SIDES, Decision, Option, Options, Side, opponent
from battlewright.core.header import Result
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh import acting, coherency, damage, missions, reserves
from battlewright.editions.eleventh.abilities.in_force import at_moment
from battlewright.editions.eleventh.abilities.language import Secure
from battlewright.editions.eleventh.events import ObjectiveControlChanged
from battlewright.editions.eleventh.in_range import (
    is_controlling,
    is_in_range,
    objective_control,
    ranges_of,
)
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import NOBODY, EleventhState
from battlewright.editions.eleventh.triggers import Occasion
from battlewright.editions.eleventh.windows import window

__all__ = [
    "control_levels",
    "determine_control",
    "end_of_battle",
    "end_of_turn",
    "is_controlling",
    "is_in_range",
    "objective_control",
    "ranges_of",
    "result_of",
    "unit_control",
]

_OTHER_RULES, _LEAVING, _SCORING = 1, 2, 3
_LAST_ROUND = 5


# -- control (14) ------------------------------------------------------------------------------------------------


@rule("11e.core.14-level-of-control")
def control_levels(scene: Scene, state: EleventhState, objective: int) -> tuple[int, int]:
    """The sums of OC of each side's models in range of the objective (14)."""
    levels = [0, 0]
    for unit in scene.units:
        levels[unit.side] += unit_control(scene, state, unit.index, objective)
    return levels[0], levels[1]


def unit_control(scene: Scene, state: EleventhState, unit: int, objective: int) -> int:
    """The sum of OC of the unit's standing models in range of the objective."""
    rows = standing(state, unit)
    if not rows or state.units[unit].battle_shocked:
        return 0
    near = ranges_of(scene, state, unit)[:, objective]
    if not near.any():
        return 0
    first = scene.units[unit].rows[0]
    return sum(objective_control(scene, state, row) for row in rows if near[row - first])


@rule("11e.core.14-control", "11e.core.14-secured", "11e.core.07-objectives-first")
def determine_control(battle: Battle11) -> None:
    """Settle who controls each objective: the higher level; equal levels leave it to whoever secured it, else nobody.

    A secured objective is lost once the opponent's level is higher at the end of a phase (14).
    """
    scene, state = battle.scene, battle.state
    control, secured = list(state.control), list(state.secured)
    for number, goal in enumerate(scene.battlefield.objectives):
        levels = control_levels(scene, state, number)
        holder = NOBODY if levels[0] == levels[1] else SIDES[levels[1] > levels[0]]
        if holder != NOBODY and secured[number] == opponent(Side(holder)):
            secured[number] = NOBODY
        if holder == NOBODY:
            holder = secured[number]
        elif secured[number] != holder and _secures(scene, state, Side(holder), number):
            secured[number] = holder
        if holder != control[number]:
            battle.happened(
                ObjectiveControlChanged(
                    objective=goal.id,
                    side=None if holder == NOBODY else Side(holder),
                    levels=levels,
                    rules=("11e.core.14-control",),
                )
            )
        control[number] = holder
    state.control, state.secured = tuple(control), tuple(secured)


@rule("11e.core.14-secured", "11e.core.14-controlling-unit")
def _secures(scene: Scene, state: EleventhState, side: Side, objective: int) -> bool:
    """Whether an ability of a unit that is controlling the objective, which its player holds now, secures it."""
    return any(
        at_moment(scene, state, unit.index, Secure) and unit_control(scene, state, unit.index, objective) >= 1
        for unit in scene.units_of(side)
    )


# -- end of turn (07) -------------------------------------------------------------------------------------------


@resumable
@rule("11e.core.07-coherency-at-end-of-turn", "11e.core.03.03-end-of-turn-removal")
def end_of_turn(battle: Battle11) -> Procedure[None]:
    """Objective control, then the rules of the turn's end, then incoherent units lose models one by one and AIRCRAFT
    leave; at last actions complete and the mission scores (07, 03.03, 16).

    RULING: 11e.core.07-objectives-first we read "the very first thing" as settling control for the scoring of this
    turn, so that models removed for coherency afterwards do not change it.
    """
    state = battle.state
    if state.begin(_OTHER_RULES):
        determine_control(battle)
        yield from window(battle, Occasion.TURN_ENDS)
    while (unit := _next_incoherent(battle)) is not None:
        yield from _remove_one(battle, unit)
    if state.begin(_LEAVING):
        _leave(battle)
    if state.begin(_SCORING):
        yield from acting.complete_actions(battle)
        yield from missions.end_of_turn(battle)


@rule("11e.core.20.05-end-of-battle", "11e.core.23.01-reserves")
def _leave(battle: Battle11) -> None:
    """What happens before the mission scores: AIRCRAFT leave; at the end of the final turn reserves are lost.

    RULING: 11e.core.20.05-end-of-battle AIRCRAFT that would leave at the end of the final turn are not "still" in
    reserves and stay.
    """
    state = battle.state
    if state.round == _LAST_ROUND and state.turn != state.first:
        reserves.destroy_reserves(battle, (state.turn, opponent(state.turn)), all_of_them=True)
    else:
        reserves.aircraft_leave(battle)


def _next_incoherent(battle: Battle11) -> int | None:
    scene, state = battle.scene, battle.state
    for side in (state.turn, opponent(state.turn)):
        for unit in scene.units_of(side):
            if not coherency.is_coherent(scene, state, standing(state, unit.index)):
                return unit.index
    return None


@resumable
@rule("11e.core.03.03-removal-triggers-nothing")
def _remove_one(battle: Battle11, unit: int) -> Procedure[None]:
    """The unit's owner removes one of its models; it counts as destroyed but triggers nothing (03.03).

    By default the last of those that do not belong to the group most worth keeping.
    """
    scene, state = battle.scene, battle.state
    info, rows = scene.units[unit], standing(state, unit)
    kept = coherency.worth_keeping(scene, state, rows)
    choices = Options(
        lambda: [Option(f"model:{row}", scene.models[row].name, row) for row in standing(state, unit)],
        rule="11e.core.03.03-end-of-turn-removal",
        default=f"model:{[row for row in rows if row not in kept][-1]}",
    )
    decision = Decision(
        info.side,
        "remove-incoherent-model",
        f"{info.name} is out of coherency: remove a model",
        "11e.core.03.03-end-of-turn-removal",
        choices,
        is_checkpoint=True,
        subject=info.index,
    )
    answer = yield decision
    row = choices.value_of(answer)
    damage.remove_incoherent(battle, row)


# -- end of the battle ------------------------------------------------------------------------------------------


def end_of_battle(battle: Battle11) -> None:
    """Score what is scored at the end of the battle; the result follows from the state."""
    missions.end_of_battle(battle)


@rule("11e.core.mission.victor")
def result_of(state: EleventhState, rounds: int) -> Result:
    """Most victory points win; equal is a draw."""
    a, b = state.vp
    return Result(None if a == b else SIDES[b > a], (a, b), rounds)
