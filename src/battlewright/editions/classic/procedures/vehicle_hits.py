"""Hits on vehicles to the last consequence: damage, wrecks, explosions."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.attacks.description import amount
from battlewright.attacks.resolve import resolve
from battlewright.core.battle import Procedure
from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.procedures.board import gaps, unit_in
from battlewright.editions.classic.procedures.damaging import damage_vehicle
from battlewright.editions.classic.procedures.harm import bury, pick_model
from battlewright.editions.classic.procedures.volleys import Batch, Host, clear_away, suffer, unsaved_wounds
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Wreck
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import Strength, WeaponProfile, WeaponType
from battlewright.editions.classic.wrecks import Explosion, Leaves, hit_by_explosion

__all__ = ["attack_vehicle", "destroy_vehicle", "harm_vehicle", "hits_on_troops"]

_TABLE = "3e.core.vehicles.penetrating-table"


@rule("3e.core.vehicles.penetration", "3e.outside.vehicle-penetration", "3e.outside.vehicle-target")
def attack_vehicle(battle: ClassicBattle, attacker: int, target: int, row: int, batch: Batch) -> Procedure[int]:
    """Attacks on one vehicle, to the last result of a damage table; returns how many of them hit their own bearers."""
    host = Host(battle, attacker, target, batch, row)
    yield from resolve(batch.volley, host)
    if host.destroyed is not None:
        yield from destroy_vehicle(battle, row, host.destroyed, by=battle.scene.units[attacker].id)
    return host.overheated


def harm_vehicle(battle: ClassicBattle, row: int, result: DamageResult, by: str = "") -> Procedure[None]:
    """A result of a damage table that something other than an attack does to a vehicle."""
    destroyed = yield from damage_vehicle(battle, row, result)
    if destroyed is not None:
        yield from destroy_vehicle(battle, row, destroyed, by=by)


@rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table", "3e.core.vehicles.glancing-table")
def destroy_vehicle(battle: ClassicBattle, row: int, result: DamageResult, by: str = "") -> Procedure[None]:
    """The end of a vehicle: it is removed, leaves what it leaves, and harms who is near.

    Args:
        by: the id of the unit that has done it, "" for nobody.
    """
    scene, state = battle.scene, battle.state
    rules = scene.rules.vehicles.damage
    bury(battle, [row], "destroyed", _TABLE, by=by)
    left = rules.leaves(result)
    if left is not None and left is not Leaves.NOTHING:
        state.wrecks = (*state.wrecks, Wreck(row, str(left)))
    explosion = rules.explosion(result)
    if explosion is not None:
        yield from _explode(battle, row, explosion)


@rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table")
def _explode(battle: ClassicBattle, row: int, explosion: Explosion) -> Procedure[None]:
    """Everybody near a vehicle that explodes is hit, of either side; vehicles are not harmed.

    RULING: 3e.core.vehicles.penetrating-table the Strength of an explosion harms no armour there is.
    """
    scene, state = battle.scene, battle.state
    inches = explosion.radius.bonus
    if explosion.radius.is_random:
        roll = battle.roll(explosion.radius.count, explosion.radius.sides, "explosion")
        inches = battle.rolled(roll, scene.models[row].side, _TABLE).total
    vehicle = unit_in(state, row)
    for unit in range(len(state.units)):
        rows = [each for each in standing(state, unit) if not scene.models[each].profile.is_vehicle]
        if not rows:
            continue
        reached = hit_by_explosion(inches, [float(gap) for gap in gaps(scene, state, [row], rows)[0]])
        near = [rows[index] for index in reached]
        if near and explosion.strength is not None:
            yield from hits_on_troops(battle, vehicle, unit, near, len(near), explosion.strength, "explosion")
        elif near and explosion.wounded_on is not None:
            wound_each(battle, unit, near, explosion.wounded_on, "explosion")


def hits_on_troops(
    battle: ClassicBattle, by: int, unit: int, rows: Sequence[int], hits: int, strength: int, why: str
) -> Procedure[None]:
    """Hits of some Strength and no AP on models of a unit; their owner says who takes the wounds.

    Args:
        by: the unit that they come from.
        rows: the models that may be harmed.
    """
    scene, state = battle.scene, battle.state
    weapon = WeaponProfile(why, WeaponType.ASSAULT, 0.0, Strength(strength), None, DiceExpression(0, 0, 1))
    view = TargetView(
        tuple(TargetModel(scene.models[row].profile, int(state.wounds[row]), None, row) for row in sorted(rows))
    )
    volley = compile_volley(scene.rules.attack, weapon, 1, AttackContext(skill=0, hits=amount(hits)), view)
    unsaved, _ = yield from unsaved_wounds(battle, by, unit, [Batch(volley, ())], view)
    fell: list[int] = []
    for each in unsaved:
        for _ in range(each.count):
            among = [row for row in each.rows if state.wounds[row] > 0]
            if not among:
                break
            row = yield from pick_model(battle, among, f"who falls to the {why}?", "3e.casualties.owner-chooses")
            suffer(battle, row, each.outright, why, _TABLE)
            fell.append(row)
    clear_away(battle, fell, scene.units[by].id)


def wound_each(battle: ClassicBattle, unit: int, rows: Sequence[int], needed: int, why: str, *rules: str) -> None:
    """Each model is wounded on a D6 of so much or more, and may save with its armour.

    Args:
        rules: that say so.
    """
    scene, info = battle.scene, battle.scene.units[unit]
    cites = rules or (_TABLE,)
    faces = battle.rolled(battle.roll(len(rows), 6, why), info.side, cites[0], unit=info.id).faces
    wounded = [row for row, face in zip(rows, faces, strict=True) if face >= needed]
    if not wounded:
        return
    saves = battle.rolled(battle.roll(len(wounded), 6, "save"), info.side, cites[0], unit=info.id).faces
    fell = []
    for row, face in zip(wounded, saves, strict=True):
        profile = scene.models[row].profile
        best = min((save for save in (profile.save, profile.invulnerable) if save is not None), default=7)
        if face < best:
            suffer(battle, row, False, why, *cites)
            fell.append(row)
    clear_away(battle, fell)
