"""Blows at vehicles in close combat: what they need, where they land, grenades in place of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from battlewright.attacks.description import amount
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.events import VehicleDamaged
from battlewright.editions.classic.procedures.blades import grenades_of
from battlewright.editions.classic.procedures.board import facing_towards, pose_of, unit_in
from battlewright.editions.classic.procedures.fire_points import counts_as
from battlewright.editions.classic.procedures.fray import Round, still_alive
from battlewright.editions.classic.procedures.vehicle_hits import attack_vehicle, harm_vehicle
from battlewright.editions.classic.procedures.volleys import Batch
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import ClassicBattle, Scene
from battlewright.editions.classic.splitting import (
    Aim,
)
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.striking import (
    Reach,
)
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.vehicles import AUTOMATIC, stood_still
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile

__all__ = ["against", "facing_struck", "hit_vehicle", "pick_grenade"]


@rule("3e.core.vehicles.grenades", "4e.grenades.kinds", "4e.grenades.one-attack", "4e.walker-grenades.allowed")
@rule("4e.walker-grenades.one-attack", "6e.core.weapons.grenades-in-combat")
def against(
    scene: Scene, state: ClassicState, fought: Round, row: int, aim: Aim
) -> tuple[WeaponProfile, int, int | None]:
    """What a model strikes with, how often, and what it needs whatever the skills say: against a vehicle a grenade in
    place of all its attacks, if it has one that may be used; against a walker the one that its owner has picked.
    """
    alive, arm = still_alive(state, fought, aim.target), fought.arms[row]
    grenades = grenades_of(scene, row)
    near = fought.fighters[row].reach in (Reach.CONTACT, Reach.ENGAGED)
    vehicle = scene.models[alive[0]].profile if alive else None
    if vehicle is None or vehicle.armour is None or not grenades or not near:
        return arm, aim.attacks, None
    if not vehicle.weapon_skill:
        return (arm, aim.attacks, None) if _outdoes(fought, row, arm, grenades[0]) else (grenades[0], 1, None)
    needed, picked = _needed_on_walker(scene, state, fought, alive[0]), fought.grenades.get((row, aim.target))
    if needed is None or picked is None:
        return arm, aim.attacks, None
    return picked, 1, needed or None


def _needed_on_walker(scene: Scene, state: ClassicState, fought: Round, walker: int) -> int | None:
    mine = state.units[fought.owner[walker]]
    helpless = walker in mine.immobilised or walker in mine.stunned
    return scene.rules.assault.vehicles.grenade_on_walker(helpless)


@rule("4e.walker-grenades.allowed", "6e.core.weapons.grenades-in-combat")
def pick_grenade(battle: ClassicBattle, fought: Round, row: int, aim: Aim) -> Procedure[None]:
    """The owner says with which grenade, if any, a model strikes a walker; models of a unit armed alike do the same.

    The default is a grenade where the model's own weapon cannot harm the walker.
    """
    scene, state = battle.scene, battle.state
    alive, arm, grenades = still_alive(state, fought, aim.target), fought.arms[row], tuple(grenades_of(scene, row))
    vehicle = scene.models[alive[0]].profile if alive else None
    near = fought.fighters[row].reach in (Reach.CONTACT, Reach.ENGAGED)
    if vehicle is None or vehicle.armour is None or not vehicle.weapon_skill or not grenades or not near:
        return
    if _needed_on_walker(scene, state, fought, alive[0]) is None:
        return
    unit = fought.owner[row]
    alike = (unit, arm, grenades, fought.fighters[row].attacks)
    if (alike, aim.target) not in fought.agreed:
        info, rule_id = scene.units[unit], "4e.walker-grenades.allowed"
        harmless = arm.strength.of(fought.bouts[row].strength) + 6 < vehicle.armour.front
        options: list[Option] = [Option("own", f"with its {arm.name}", None)]
        options += [Option(f"grenade:{n}", f"with a {each.name}, once", each) for n, each in enumerate(grenades)]
        fought.agreed[alike, aim.target] = yield from choose(
            Decision(
                info.side,
                "select-grenade",
                f"{info.name}: with what does {scene.models[row].name} strike {scene.models[alive[0]].name}?",
                rule_id,
                Options(options, rule=rule_id, default=options[int(harmless)].key),
                subject=info.index,
                target=scene.units[unit_in(state, alive[0])].index,
            )
        )
    fought.grenades[row, aim.target] = fought.agreed[alike, aim.target]


def _outdoes(fought: Round, row: int, arm: WeaponProfile, grenade: WeaponProfile) -> bool:
    """Whether a model's own weapon is the better one against armour: a chainfist, or a stronger one."""
    stronger = arm.strength.of(fought.bouts[row].strength) >= grenade.strength.of(0)
    return arm.has(AbilityName.CHAINFIST) or (stronger and not grenade.abilities)


@rule("3e.core.vehicles.hitting-in-assault", "4e.assault-launch.facing", "4e.walker-assault.front-armour")
def facing_struck(scene: Scene, state: ClassicState, row: int, vehicle: int) -> Facing:
    """The side of a vehicle that a model's blows land on; of anything else the front."""
    profile = scene.models[vehicle].profile
    if not profile.is_vehicle:
        return Facing.FRONT
    mine = state.units[unit_in(state, row)]
    begun = {striker: (x / 1000.0, y / 1000.0) for striker, x, y in mine.charged_from}
    here = pose_of(state, row)[:2]
    touched = facing_towards(scene, state, vehicle, here)
    faced = facing_towards(scene, state, vehicle, begun.get(row, here))
    immobilised = vehicle in state.units[unit_in(state, vehicle)].immobilised
    return scene.rules.assault.vehicles.facing(profile, touched, faced, immobilised)


@rule("3e.core.vehicles.hitting-in-assault", "3e.core.vehicles.walkers-in-assault", "3e.core.vehicles.grenades")
@rule("4e.walker-assault.hits-penetrate", "4e.walker-assault.damage-counts-wound", "4e.assault-penetration.roll")
@rule("4e.smoke.shooting-only")
def hit_vehicle(
    battle: ClassicBattle,
    unit: int,
    row: int,
    weapon: WeaponProfile,
    context: AttackContext,
    facing: Facing,
    made: Sequence[tuple[int, int]],
) -> Procedure[int]:
    """Blows at a vehicle; returns how many wounds they count as for the result of the combat."""
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.assault.vehicles
    profile, target = scene.models[row].profile, unit_in(state, row)
    mine = state.units[target]
    context = replace(context, attacks=amount(sum(count for _, count in made)), half_range=True)
    own = mine.side == state.turn
    moved = (mine.displaced if own else mine.displaced_before) / 1000.0
    if stood_still(row) in (mine.deeds if own else mine.deeds_before):
        moved = 0.0
    needed = rules.needed(profile, row in mine.immobilised, moved, context.skill)
    if needed == AUTOMATIC:
        context = replace(context, automatic=True, needed=None)
    elif needed is not None:
        context = replace(context, needed=needed)
    view = TargetView(
        (TargetModel(profile, int(state.wounds[row]), None, row),), facing=facing, besides=counts_as(state, row)
    )
    volley = compile_volley(scene.rules.attack, weapon, 1, context, view)
    before, points = len(battle.events), int(state.wounds[row])
    yield from attack_vehicle(battle, unit, target, row, Batch(volley, tuple(r for r, _ in made)))
    damaged = sum(isinstance(event, VehicleDamaged) and event.model == row for event in list(battle.events)[before:])
    if damaged and state.wounds[row] and rules.shakes(weapon):
        yield from harm_vehicle(battle, row, DamageResult.SHAKEN, scene.units[unit].id)
    return rules.counted(profile, damaged, points - int(state.wounds[row]))
