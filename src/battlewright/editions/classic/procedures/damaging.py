"""What a result of a damage table does to a vehicle, as it is played."""

from __future__ import annotations

from dataclasses import replace

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, opponent
from battlewright.core.rulebook import rule
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.damage import Chooses, Flight
from battlewright.editions.classic.events import VehicleDamaged
from battlewright.editions.classic.procedures.board import unit_in
from battlewright.editions.classic.procedures.covering import is_over_difficult
from battlewright.editions.classic.procedures.harm import lose_wounds
from battlewright.editions.classic.procedures.nerve import get_up
from battlewright.editions.classic.procedures.passengers import aboard
from battlewright.editions.classic.scene import ClassicBattle, Scene
from battlewright.editions.classic.state import ClassicState, next_own_turn
from battlewright.editions.classic.vehicles import (
    Condition,
    Mount,
    after_damage,
    after_own_turn,
    condition_of,
    keep_condition,
    went_flat_out,
)

__all__ = ["damage_vehicle", "settle_vehicle_turn", "vehicle_condition"]

_CREW, _TABLE = "3e.core.vehicles.shaken-and-stunned", "3e.core.vehicles.penetrating-table"


def vehicle_condition(scene: Scene, state: ClassicState, row: int) -> Condition:
    """What damage has left of a vehicle."""
    can = scene.rules.vehicles.damage.can_be_destroyed
    weapons = [(row, place) for place, each in enumerate(scene.models[row].weapons) if can(each.profiles)]
    return condition_of(state.units[unit_in(state, row)], row, weapons)


@rule("3e.core.vehicles.shaken-and-stunned", "3e.core.vehicles.immobilised-twice", "3e.core.vehicles.glancing-table")
@rule("3e.core.vehicles.immobilised-skimmer")
def damage_vehicle(battle: ClassicBattle, row: int, result: DamageResult) -> Procedure[DamageResult | None]:
    """Put a result of a damage table on a vehicle; the result that destroys it, None while it lives.

    What is left of a destroyed one stays on the table without wounds, for the caller to clear away.
    """
    scene, state = battle.scene, battle.state
    rules, model, unit = scene.rules.vehicles.damage, scene.models[row], state.units[unit_in(state, row)]
    before = vehicle_condition(scene, state, row)
    weapon: Mount | None = None
    comes_to = rules.settled(before, rules.softened(model.profile.abilities, result))
    if comes_to is DamageResult.IMMOBILISED and unit.aloft:
        comes_to = _lock_speed(scene, state, row)
    if comes_to is DamageResult.ARMAMENT:
        weapon = yield from _weapon_to_lose(battle, row, before)
    after = before
    if comes_to is not None:
        falls = comes_to is DamageResult.IMMOBILISED and rules.crashes(
            model.profile.keywords, _flight(scene, state, row)
        )
        own = unit.side == state.turn
        after = after_damage(before, comes_to, weapon, crashes=falls, own_turn=own)
    if comes_to is DamageResult.HULL_POINT:
        lose_wounds(battle, row, 1, "hull point", "6e.outside.hull-points")
        if not state.wounds[row]:
            after = replace(after, destroyed=DamageResult.WRECKED)
    keep_condition(unit, row, after)
    if comes_to is not None and after.destroyed is None:
        _shake_passengers(battle, row, comes_to)
    battle.happened(
        VehicleDamaged(
            unit=scene.units[unit_in(state, row)].id,
            model=row,
            result=str(result),
            weapon=model.weapons[weapon[1]].name if weapon is not None else "",
            comes_to=_instead(result, after.destroyed or comes_to),
            rules=(_CREW if result in (DamageResult.SHAKEN, DamageResult.STUNNED) else _TABLE,),
        )
    )
    if after.destroyed is not None:
        state.wounds[row] = 0
    return after.destroyed


def _instead(result: DamageResult, befalls: DamageResult | None) -> str:
    """What befalls a vehicle, if that is not the result that it suffered."""
    return "" if befalls is result else "no further effect" if befalls is None else str(befalls)


@rule("6e.passenger-damage.shaken", "6e.passenger-damage.stunned")
def _shake_passengers(battle: ClassicBattle, row: int, result: DamageResult) -> None:
    """What a result leaves on the units aboard: it stays with them when they get out."""
    state = battle.state
    name = battle.scene.rules.vehicles.damage.lies_on_passengers(result)
    for unit in aboard(state, unit_in(state, row)) if name else ():
        state.units[unit].powers = state.units[unit].powers | {(name, next_own_turn(state, unit))}


def _lock_speed(scene: Scene, state: ClassicState, row: int) -> DamageResult | None:
    """A flyer that is immobilised aloft flies on at the speed that it has; what more befalls it."""
    mine = state.units[unit_in(state, row)]
    more = scene.rules.flight.immobilised(row in dict(mine.locked))
    if more is None:
        mine.locked = mine.locked | {(row, mine.moved_distance if mine.side == state.turn else mine.moved_before)}
    return more


def _flight(scene: Scene, state: ClassicState, row: int) -> Flight:
    mine = state.units[unit_in(state, row)]
    own = mine.side == state.turn
    moved = mine.moved_distance if own else mine.moved_before
    flat_out = went_flat_out(mine.deeds, row) or went_flat_out(mine.deeds_before, row)
    return Flight(moved / 1000, flat_out, is_over_difficult(scene, state, row))


def _weapon_to_lose(battle: ClassicBattle, row: int, condition: Condition) -> Procedure[Mount]:
    """The weapon that is destroyed: a random one of those left, or the one that the attacker names."""
    left, model = sorted(condition.weapons), battle.scene.models[row]
    if len(left) == 1:
        return left[0]
    rule_id = "3e.core.vehicles.glancing-table"
    if battle.scene.rules.vehicles.damage.chooses is Chooses.DICE:
        roll = battle.roll(1, len(left), "weapon-destroyed")
        return left[battle.rolled(roll, model.side, rule_id).total - 1]
    options = [Option(f"weapon:{mount[1]}", model.weapons[mount[1]].name, mount) for mount in left]
    picked: Mount = yield from choose(
        Decision(
            opponent(model.side),
            "select-weapon-to-destroy",
            f"Which weapon of {model.name} is destroyed?",
            rule_id,
            Options(options, rule=rule_id, default=options[0].key),
            subject=battle.scene.units[unit_in(battle.state, row)].index,
        )
    )
    return picked


@rule("3e.core.vehicles.shaken-and-stunned", "3e.outside.pinned", "3e.core.shooting.pinned")
def settle_vehicle_turn(battle: ClassicBattle) -> None:
    """The end of a player's turn: what kept his crews from acting has lasted its turn, his pinned units may act."""
    state = battle.state
    for index, unit in enumerate(state.units):
        if unit.side == state.turn:
            for row in unit.shaken | unit.stunned:
                keep_condition(unit, row, after_own_turn(condition_of(unit, row, ())))
            get_up(state, index)
