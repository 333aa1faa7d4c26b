"""Collisions of vehicles as they are played: both are hit at once, then the rammer stops or drives on."""

from __future__ import annotations

from battlewright.attacks.description import amount
from battlewright.attacks.resolve import resolve
from battlewright.core.battle import Procedure
from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.procedures.board import facing_towards, pose_of, unit_in
from battlewright.editions.classic.procedures.vehicle_hits import destroy_vehicle
from battlewright.editions.classic.procedures.volleys import Batch, Host
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.ramming import RamRules, goes_on
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.vehicles import went_flat_out
from battlewright.editions.classic.weapons import Strength, WeaponProfile, WeaponType

__all__ = ["collide"]

_RULE = "6e.ram.both-hit"


@rule("6e.ram.both-hit", "6e.ram.resolve", "6e.ram.who", "6e.walker-rammed.no-death-or-glory")
def collide(battle: ClassicBattle, tank: int, other: int, inches: float, rules: RamRules) -> Procedure[bool]:
    """A tank has driven into an enemy vehicle; whether it drives on.

    Args:
        tank: its row; ``other`` that of the vehicle.
        inches: that it has driven in this move.
    """
    scene = battle.scene
    facing = facing_towards(scene, battle.state, other, pose_of(battle.state, tank)[:2])
    mine, theirs = scene.models[tank].profile, scene.models[other].profile
    assert mine.armour is not None
    assert theirs.armour is not None
    deals = rules.strength(mine.armour.front, inches, tank="TANK" in mine.keywords)
    takes = rules.strength(theirs.armour.of(facing), inches, tank="TANK" in theirs.keywords)
    there = yield from _hit(battle, tank, other, facing, deals, rules)
    here = yield from _hit(battle, other, tank, Facing.FRONT, takes, rules)
    for row, host in ((other, there), (tank, here)):
        if host.destroyed is not None:
            yield from destroy_vehicle(battle, row, host.destroyed)
    stuck = [DamageResult.IMMOBILISED] if tank in battle.state.units[unit_in(battle.state, tank)].immobilised else []
    return goes_on([*here.results, *stuck], there.destroyed)


@rule("6e.ram.strength", "6e.ram-jink.cover-save")
def _hit(battle: ClassicBattle, by: int, row: int, facing: Facing, strength: int, rules: RamRules) -> Procedure[Host]:
    """One hit of a collision, without AP, up to what it does; what is destroyed is left for the caller."""
    scene, state = battle.scene, battle.state
    attacker, target = unit_in(state, by), unit_in(state, row)
    mine = state.units[target]
    own_turn = mine.side == state.turn
    moved = bool(mine.moved_distance if own_turn else mine.moved_before)
    deeds = mine.deeds if own_turn else mine.deeds_before
    cover = rules.cover(scene.models[row].profile.keywords, moved=moved, flat_out=went_flat_out(deeds, row))
    weapon = WeaponProfile("ram", WeaponType.ASSAULT, 0.0, Strength(strength), None, DiceExpression(0, 0, 1))
    view = TargetView((TargetModel(scene.models[row].profile, int(state.wounds[row]), cover, row),), facing=facing)
    volley = compile_volley(scene.rules.attack, weapon, 1, AttackContext(skill=0, hits=amount(1)), view)
    host = Host(battle, attacker, target, Batch(volley, (by,)), row)
    yield from resolve(volley, host)
    return host
