"""Passengers whose vehicle has just been destroyed: who is hurt, and where the others come to stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battlewright.core.battle import Procedure
from battlewright.core.decisions import Decision, Place
from battlewright.core.rulebook import rule
from battlewright.editions.classic.procedures.board import unit_in
from battlewright.editions.classic.procedures.exits import ExitSpace, NearHatch, OffHull, crater_space
from battlewright.editions.classic.procedures.harm import bury, lose_wounds, pick_model
from battlewright.editions.classic.procedures.nerve import go_down, pinning_test
from battlewright.editions.classic.procedures.passengers import aboard, hatches_of
from battlewright.editions.classic.procedures.troop_hits import hits_on_troops, wound_each
from battlewright.editions.classic.procedures.unloading import get_out
from battlewright.editions.classic.scene import ClassicBattle, Scene, living
from battlewright.editions.classic.state import NOWHERE, ClassicState, Phase
from battlewright.editions.classic.transports import shot_out_of
from battlewright.editions.classic.wrecks import PassengersFate
from battlewright.editions.placing.setting_up import SetUpSpace

__all__ = ["get_out_at_once", "leave_the_wreck"]

_WRECK = "3e.core.vehicles.destroyed-transport"
_WHY = "passengers"


@rule("3e.core.vehicles.destroyed-transport", "3e.core.vehicles.ordnance-table")
@rule("4e.entangled.even-immune", "4e.entangled.pinned")
def leave_the_wreck(battle: ClassicBattle, hull: int, fate: PassengersFate) -> Procedure[None]:
    """What becomes of everybody aboard of a vehicle that is destroyed.

    Those who have to leave it are hurt as the edition says, then the survivors are placed.

    Args:
        hull: the row of the vehicle, which stands no longer.
    """
    state = battle.state
    transport = unit_in(state, hull)
    if living(state, transport):
        return
    for unit in aboard(state, transport):
        before = living(state, unit)
        cites = fate.rule or _WRECK
        if fate.killed:
            for row in before:
                lose_wounds(battle, row, int(state.wounds[row]), "lost with its vehicle", cites)
        elif fate.wounded_on is not None:
            wound_each(battle, unit, before, fate.wounded_on, _WHY, cites)
        elif fate.strength is not None:
            yield from hits_on_troops(battle, transport, unit, before, len(before), fate.strength, _WHY)
        yield from _get_clear(battle, unit, hull, fate)
        mine, left = state.units[unit], living(state, unit)
        mine.spared += len(before) - len(left)
        _report(battle, [row for row in before if row not in left])
        if left and fate.entangled:
            go_down(battle.scene, state, unit, entangled=True)
        elif left and fate.tests_pinning:
            pinning_test(battle, unit, 1, pins=True)


@rule("4e.passenger-casualties.must-get-out", "4e.passenger-casualties.table")
def get_out_at_once(battle: ClassicBattle, hull: int) -> Procedure[None]:
    """Everybody aboard of a vehicle that lives gets out of its hatches, unhurt and free to act in the next own turn.

    RULING: 4e.passenger-casualties.must-get-out a unit that finds no room at the hatches is trapped and stays inside.
    """
    scene, state = battle.scene, battle.state
    rules, rule_id = scene.rules.vehicles.transports, _WRECK
    for unit in aboard(state, unit_in(state, hull)):
        info, rows = scene.units[unit], living(state, unit)
        near = NearHatch(
            tuple(hatches_of(scene, state, hull) or ()), hull, rules.exit_reach, rules.exit_wholly, rule_id
        )
        space = ExitSpace(scene, state, unit, rows, hull, near, rule_id)
        if not space.found.moves:
            continue
        prompt = f"{info.name} makes for the exits"
        placement = yield Decision(info.side, "bail-out", prompt, rule_id, space, subject=info.index)
        assert isinstance(placement, Place)
        _set_down(battle, unit, placement, "hit")


def _set_down(battle: ClassicBattle, unit: int, placement: Place, how: str, rule_id: str = _WRECK) -> None:
    """Put passengers down beside their vehicle; in their owner's own turn they do nothing more."""
    get_out(battle, unit, placement, how, rule_id)
    mine = battle.state.units[unit]
    own = mine.side == battle.state.turn
    mine.acted, mine.moved = mine.acted or own, mine.moved or own


@rule("3e.core.vehicles.destroyed-transport")
@rule("4e.disembarking.all-exits-blocked", "4e.embark-disembark.forced-exception")
@rule("6e.transport-charged.passengers-not-locked", "6e.passenger-damage.wrecked-cannot-exit")
def _get_clear(battle: ClassicBattle, unit: int, hull: int, fate: PassengersFate) -> Procedure[None]:
    """The survivors are placed where the vehicle was or near it; those for whom there is no room are lost, and this
    does not hold back the others; their owner says who.

    RULING: 3e.core.vehicles.destroyed-transport survivors of their owner's own turn do nothing more in it.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    mine, rows, rule_id = state.units[unit], living(state, unit), fate.rule or _WRECK
    while rows:
        ways = _ways_out(scene, state, unit, rows, hull, fate)
        space = next((way for way in ways if way.found.moves), None)
        if space is not None:
            break
        if not any(way.found.moves for each in rows for way in _ways_out(scene, state, unit, [each], hull, fate)):
            for each in rows:
                lose_wounds(battle, each, int(state.wounds[each]), "trapped in the wreck", rule_id)
            mine.embarked = NOWHERE
            return
        row = yield from pick_model(battle, rows, "who is trapped in the wreck?", rule_id)
        lose_wounds(battle, row, int(state.wounds[row]), "trapped in the wreck", rule_id)
        rows = [each for each in rows if each != row]
    else:
        mine.embarked = NOWHERE
        return
    placement = yield Decision(
        info.side, "bail-out", f"{info.name} gets clear of the wreck", space.rule, space, subject=info.index
    )
    assert isinstance(placement, Place)
    transport = mine.embarked
    _set_down(battle, unit, placement, "wreck", rule_id)
    if state.phase == Phase.SHOOTING:
        mine.did(shot_out_of(transport))


@rule("6e.passenger-damage.wrecked-exit", "6e.passenger-damage.wrecked-cannot-exit")
@rule("6e.passenger-damage.explodes-placement")
def _ways_out(
    scene: Scene, state: ClassicState, unit: int, rows: Sequence[int], hull: int, fate: PassengersFate
) -> Iterator[SetUpSpace]:
    """The places for these models of a unit, in the order in which they are tried: where the vehicle was, at its
    hatches, over any part of its hull."""
    rules, rule_id = scene.rules.vehicles.transports, fate.rule or _WRECK
    if fate.inside:
        yield crater_space(scene, state, unit, rows, hull, "6e.passenger-damage.explodes-placement")
        return
    besides = (OffHull(hull, rule_id),) if rules.emergency else ()
    points = tuple(hatches_of(scene, state, hull) or ()) if rules.wreck_has_hatches else ()
    for hatches in (points, ()) if points and rules.emergency else (points,):
        near = NearHatch(hatches, hull, fate.clear, rules.exit_wholly, rule_id)
        yield ExitSpace(scene, state, unit, rows, hull, near, rule_id, besides)


def _report(battle: ClassicBattle, lost: list[int]) -> None:
    if lost:
        bury(battle, lost, "lost with its vehicle", _WRECK, aboard=True)
