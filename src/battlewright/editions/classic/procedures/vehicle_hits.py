"""Hits on vehicles to the last consequence: damage, wrecks, explosions."""

from __future__ import annotations

from battlewright.attacks.resolve import resolve
from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.procedures.bailing_out import get_out_at_once, leave_the_wreck
from battlewright.editions.classic.procedures.board import gaps, unit_in
from battlewright.editions.classic.procedures.damaging import damage_vehicle
from battlewright.editions.classic.procedures.fire_points import counts_as
from battlewright.editions.classic.procedures.harm import bury
from battlewright.editions.classic.procedures.troop_hits import hits_on_troops, wound_each
from battlewright.editions.classic.procedures.volleys import Batch, Host
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Wreck
from battlewright.editions.classic.wrecks import Explosion, Leaves, hit_by_explosion

__all__ = ["attack_vehicle", "destroy_vehicle", "glance", "harm_vehicle", "put_out_if_pierced"]

_TABLE = "3e.core.vehicles.penetrating-table"


@rule("3e.core.vehicles.penetration", "3e.outside.vehicle-penetration", "3e.outside.vehicle-target")
def attack_vehicle(battle: ClassicBattle, attacker: int, target: int, row: int, batch: Batch) -> Procedure[int]:
    """Attacks on one vehicle, to the last result of a damage table; returns how many of them hit their own bearers."""
    host = Host(battle, attacker, target, batch, row)
    yield from resolve(batch.volley, host)
    if host.destroyed is not None:
        yield from destroy_vehicle(battle, row, host.destroyed, by=battle.scene.units[attacker].id)
    else:
        yield from put_out_if_pierced(battle, row, host)
    return host.overheated


@rule("4e.passenger-casualties.must-get-out")
def put_out_if_pierced(battle: ClassicBattle, row: int, host: Host) -> Procedure[None]:
    """Passengers get out of a vehicle that lives: after a penetrating hit, where that is the rule."""
    attack = battle.scene.rules.attack
    pierced = not host.stages.isdisjoint({attack.penetrating.name, attack.ordnance.name})
    if pierced and battle.scene.rules.vehicles.damage.puts_out:
        yield from get_out_at_once(battle, row)


def harm_vehicle(battle: ClassicBattle, row: int, result: DamageResult, by: str = "") -> Procedure[None]:
    """A result of a damage table that something other than an attack does to a vehicle."""
    destroyed = yield from damage_vehicle(battle, row, result)
    if destroyed is not None:
        yield from destroy_vehicle(battle, row, destroyed, by=by)


@rule("4e.walker-assault.no-retreat", "4e.damage-rolls.glancing-table")
def glance(battle: ClassicBattle, row: int, rule_id: str) -> Procedure[None]:
    """A glancing hit on a vehicle that no weapon deals: a roll on the table of such hits, and what it comes to."""
    scene, table = battle.scene, battle.scene.rules.attack.glancing
    model, unit = scene.models[row], scene.units[unit_in(battle.state, row)]
    face = battle.rolled(battle.roll(1, 6, table.name), model.side, rule_id, unit=unit.id).total
    exposed = "OPEN-TOPPED" in model.profile.keywords | counts_as(battle.state, row)
    yield from harm_vehicle(battle, row, table.result(face + exposed))


@rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table", "3e.core.vehicles.glancing-table")
@rule("4e.vehicle-destroyed.crew-dead", "4e.vehicle-destroyed.wreck")
@rule("6e.passenger-damage.wrecked-order")
def destroy_vehicle(battle: ClassicBattle, row: int, result: DamageResult, by: str = "") -> Procedure[None]:
    """The end of a vehicle: it is removed, harms who is near and who is in it, and leaves what it leaves.

    Args:
        by: the id of the unit that has done it, "" for nobody.
    """
    scene, state = battle.scene, battle.state
    rules = scene.rules.vehicles.damage
    if state.units[unit_in(state, row)].aloft:
        yield from scene.rules.flight.falls(battle, row, by)
        return
    bury(battle, [row], "destroyed", _TABLE, by=by)
    left = rules.leaves(result)
    explosion = rules.explosion(result)
    if explosion is not None:
        yield from _explode(battle, row, explosion)
    yield from leave_the_wreck(battle, row, rules.passengers(result))
    if left is not None and left is not Leaves.NOTHING:
        state.wrecks = (*state.wrecks, Wreck(row, str(left)))


@rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table")
@rule("4e.vehicle-explodes.vehicles-immune", "4e.vehicle-annihilated.wounds")
def _explode(battle: ClassicBattle, row: int, explosion: Explosion) -> Procedure[None]:
    """Everybody near a vehicle that explodes is hit, of either side; vehicles are not harmed.

    RULING: 3e.core.vehicles.penetrating-table the Strength of an explosion harms no armour there is.
    """
    scene, state = battle.scene, battle.state
    inches, cites = explosion.radius.bonus, explosion.rule or _TABLE
    if explosion.radius.is_random:
        roll = battle.roll(explosion.radius.count, explosion.radius.sides, "explosion")
        inches = battle.rolled(roll, scene.models[row].side, cites).total
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
            wound_each(battle, unit, near, explosion.wounded_on, "explosion", cites)
