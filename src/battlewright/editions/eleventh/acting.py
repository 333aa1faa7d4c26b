"""Doing actions (16): who may start one, starting, failing, completing.

The state of a unit names the action that it has under way and its target. Whatever moves units, takes them off the
battlefield or makes them battle-shocked calls :func:`fail`; the end of the turn calls :func:`complete_actions`.
"""

from __future__ import annotations

from collections.abc import Iterator

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.abilities.in_force import characteristic_in_force
from battlewright.editions.eleventh.actions import NO_TARGET, Action, Completes, is_within_limit
from battlewright.editions.eleventh.engagement import is_engaged
from battlewright.editions.eleventh.events import ActionCompleted, ActionFailed, ActionStarted, BattleShocked
from battlewright.editions.eleventh.keywords import keywords_match
from battlewright.editions.eleventh.modifiers import Characteristic
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.targeting import unit_keywords

__all__ = [
    "action_of",
    "action_targets",
    "complete_actions",
    "fail",
    "forbids_charging",
    "forbids_shooting",
    "may_start_actions",
    "shock",
    "start_action",
    "startable",
]


def action_of(scene: Scene, name: str) -> Action:
    """The mission's action of that id.

    Raises:
        KeyError: when the mission has none.
    """
    for action in scene.mission.actions:
        if action.id == name:
            return action
    raise KeyError(name)


# -- who may (16) -----------------------------------------------------------------------------------------------


@rule("11e.core.01.05-treated-as")
def _controls_something(scene: Scene, state: EleventhState, row: int) -> bool:
    """Whether the model's OC, as it is now, is more than 0; one that a rule has set to 0 is 0 for all that asks it."""
    printed = scene.models[row].profile.objective_control
    return bool(characteristic_in_force(scene, state, row, Characteristic.OC, printed))


@rule(
    "11e.core.16-eligible",
    "11e.core.01.07-shocked-no-actions",
    "11e.core.10-fell-back-or-acting",
    "11e.core.09.06-after-advancing",
    "11e.core.09.07-after-falling-back",
    "11e.core.10-no-action-after",
)
def may_start_actions(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit may start an action at all, whatever the action asks (16).

    RULING: 11e.core.16-eligible we read a unit of OC 0 or "-" as one in which no model on the battlefield has more.
    """
    mine, rows = state.units[unit], standing(state, unit)
    if not rows or mine.battle_shocked or mine.advanced or mine.fell_back or mine.started_action:
        return False
    if mine.selected_to_shoot or mine.snap_shot:
        return False
    if not any(_controls_something(scene, state, row) for row in rows):
        return False
    words = unit_keywords(scene, state, unit)
    if keywords_match("AIRCRAFT/FORTIFICATION", words):
        return False
    return keywords_match("TITANIC", words) or not is_engaged(scene, state, unit)


@rule("11e.core.16-restrictions", "11e.core.10-fell-back-or-acting")
def forbids_shooting(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit has started an action this turn and may therefore not shoot; TITANIC units may (16)."""
    return state.units[unit].started_action and not keywords_match("TITANIC", unit_keywords(scene, state, unit))


@rule("11e.core.16-restrictions")
def forbids_charging(state: EleventhState, unit: int) -> bool:
    """Whether the unit has started an action this turn and may therefore not charge (16)."""
    return state.units[unit].started_action


@rule("11e.core.16-parts")
def action_targets(scene: Scene, state: EleventhState, unit: int, action: Action) -> tuple[str, ...]:
    """What the unit could do the action to, within its limit of use; empty when it cannot start it."""
    started = state.actions_started
    return tuple(target for target in action.targets(scene, state, unit) if is_within_limit(action, started, target))


@rule("11e.core.16-core-actions")
def startable(scene: Scene, state: EleventhState, side: Side) -> Iterator[tuple[int, Action]]:
    """Every unit of the side with every action of the mission that it could start now, in the order of the list."""
    actions = [action for action in scene.mission.actions if action.is_offered(scene, state, side)]
    if not actions:
        return
    for unit in scene.units_of(side):
        if may_start_actions(scene, state, unit.index):
            for action in actions:
                if action_targets(scene, state, unit.index, action):
                    yield int(unit.index), action


# -- doing it ---------------------------------------------------------------------------------------------------


@rule("11e.core.16-parts", "11e.core.16-restrictions")
def start_action(battle: Battle11, unit: int, action: Action) -> Procedure[None]:
    """The unit starts the action: its player picks the target where there are several; it may complete at once."""
    state, info = battle.state, battle.scene.units[unit]
    target = yield from _pick_target(battle, unit, action)
    mine = state.units[unit]
    mine.started_action = True
    mine.action, mine.action_target = action.id, target
    state.actions_started += ((action.id, target),)
    battle.happened(
        ActionStarted(unit=info.id, action=action.name, target=target, rules=("11e.core.16-parts", action.rule))
    )
    if action.completes is Completes.AT_ONCE:
        yield from _complete(battle, unit)


def _pick_target(battle: Battle11, unit: int, action: Action) -> Procedure[str]:
    targets = action_targets(battle.scene, battle.state, unit, action)
    if len(targets) == 1:
        return targets[0]
    info = battle.scene.units[unit]
    choices = Options([Option(target, target, target) for target in targets], rule=action.rule)
    picked: str = yield from choose(
        Decision(
            info.side,
            "select-action-target",
            f"{action.name}: where, or at what?",
            action.rule,
            choices,
            subject=info.index,
        )
    )
    return picked


@rule("11e.core.16-failure", "11e.core.01.07-shocked-no-actions")
def fail(battle: Battle11, unit: int, why: str) -> None:
    """An action that the unit has under way fails, since it moves, leaves the battlefield or becomes battle-shocked.

    A unit that has none under way is left alone. It still counts as having started an action this turn.
    """
    mine, info = battle.state.units[unit], battle.scene.units[unit]
    if not mine.action:
        return
    action = action_of(battle.scene, mine.action)
    event = ActionFailed(
        unit=info.id,
        action=action.name,
        target=mine.action_target,
        why=why,
        rules=("11e.core.16-failure", action.rule),
    )
    mine.action, mine.action_target = "", NO_TARGET
    battle.happened(event)


@rule("11e.core.01.07-shocked-no-actions", "11e.core.16-failure")
def shock(battle: Battle11, unit: int, *rules: str) -> None:
    """The unit becomes battle-shocked without a roll, by these rules; an action under way fails.

    One that is battle-shocked already stays so.
    """
    mine = battle.state.units[unit]
    if mine.battle_shocked:
        return
    mine.battle_shocked = True
    battle.happened(BattleShocked(unit=battle.scene.units[unit].id, rules=rules))
    fail(battle, unit, "battle-shocked")


@rule("11e.core.16-parts")
def complete_actions(battle: Battle11) -> Procedure[None]:
    """The actions of the turn player that complete at the end of the turn, in the order of the list.

    It is called when objective control is settled and incoherent units have lost models, before the mission scores.
    RULING: 11e.core.01.03-players-rules we read actions as rules of the mission, which come after the players' rules.
    """
    for unit in battle.scene.units_of(battle.state.turn):
        if battle.state.units[unit.index].action:
            yield from _complete(battle, unit.index)


def _complete(battle: Battle11, unit: int) -> Procedure[None]:
    """Complete the action that the unit has under way, or let it fail where its condition does not hold."""
    scene, state, mine = battle.scene, battle.state, battle.state.units[unit]
    action, target = action_of(scene, mine.action), mine.action_target
    if not standing(state, unit) or mine.battle_shocked:
        fail(battle, unit, "cannot complete")
        return
    if not action.condition(scene, state, unit, target):
        fail(battle, unit, "condition not met")
        return
    mine.action, mine.action_target = "", NO_TARGET
    state.actions_completed += ((unit, action.id, target),)
    battle.happened(
        ActionCompleted(
            unit=scene.units[unit].id, action=action.name, target=target, rules=("11e.core.16-parts", action.rule)
        )
    )
    yield from action.effect(battle, unit, target)
