"""Death or glory: one model stands in a tank's way and strikes at it."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.attacks.description import amount
from battlewright.attacks.resolve import resolve
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.procedures.arming import is_barrage
from battlewright.editions.classic.procedures.batteries import guns_and_crew
from battlewright.editions.classic.procedures.blades import BARE, grenades_of
from battlewright.editions.classic.procedures.board import unit_in
from battlewright.editions.classic.procedures.harm import bury
from battlewright.editions.classic.procedures.prowess import context_against
from battlewright.editions.classic.procedures.vehicle_hits import destroy_vehicle, put_out_if_pierced
from battlewright.editions.classic.procedures.volleys import Batch, Host
from battlewright.editions.classic.profiles import Facing, Kind
from battlewright.editions.classic.scene import ClassicBattle, Scene
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import WeaponProfile

__all__ = ["glory_attacks", "offer_glory", "stands_and_strikes"]

_RULE = "3e.core.vehicles.death-or-glory"


@rule("3e.core.vehicles.death-or-glory")
@rule("4e.death-or-glory.any-weapon", "4e.grenades.death-or-glory")
@rule("6e.death-or-glory.any-weapon")
def glory_attacks(scene: Scene, state: ClassicState, row: int) -> list[WeaponProfile]:
    """What a model may strike with when it stands its ground: one shot or one blow with anything it carries."""
    lost = state.units[unit_in(state, row)].weapons_lost
    carried = [
        profile
        for place, weapon in enumerate(scene.models[row].weapons)
        if (row, place) not in lost
        for profile in weapon.profiles
        if not is_barrage(profile)
    ]
    blows = carried if any(profile.melee for profile in carried) else [*carried, BARE]
    return list({profile.name: profile for profile in [*blows, *grenades_of(scene, row)]}.values())


@rule("3e.core.vehicles.death-or-glory")
def offer_glory(
    battle: ClassicBattle, tank: int, unit: int, rows: Sequence[int]
) -> Procedure[tuple[int, WeaponProfile] | None]:
    """The owner of a unit that holds its ground may let one of its models in the path stand; None: all step aside."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    options = [
        Option(
            f"model:{row}:{number}", f"{scene.models[row].name} (model {row}) stands, {profile.name}", (row, profile)
        )
        for row in rows
        for number, profile in enumerate(glory_attacks(scene, state, row))
    ]
    options.append(Option("aside", "step aside", None))
    picked: tuple[int, WeaponProfile] | None = yield from choose(
        Decision(
            info.side,
            "death-or-glory",
            f"{info.name}: does anybody stand against {scene.models[tank].name}?",
            _RULE,
            Options(options, rule=_RULE, default="aside"),
            subject=info.index,
        )
    )
    return picked


@rule("3e.core.vehicles.death-or-glory")
@rule("4e.death-or-glory.single-attack", "4e.death-or-glory.auto-hit-front", "4e.death-or-glory.success")
@rule("4e.death-or-glory.failure", "4e.death-or-glory.walker-removed")
@rule("6e.death-or-glory.one-attack", "6e.death-or-glory.auto-hit-front")
@rule("6e.death-or-glory.no-cover", "6e.death-or-glory.stopped")
@rule("6e.death-or-glory.crushed")
def stands_and_strikes(battle: ClassicBattle, tank: int, row: int, weapon: WeaponProfile) -> Procedure[bool]:
    """One attack that hits the front armour by itself; whether it stops the tank. If not, who made it is crushed."""
    scene, state = battle.scene, battle.state
    attacker, target = unit_in(state, row), unit_in(state, tank)
    profile = scene.models[row].profile
    skill = profile.weapon_skill if weapon.melee else profile.ballistic_skill
    if profile.kind is Kind.MONSTROUS and weapon.melee:
        weapon = scene.rules.assault.monstrous(weapon)
    plain = AttackContext(skill=skill, strength=profile.strength, hits=amount(1), half_range=True)
    context = context_against(scene, state, row, tank, weapon, plain)
    view = TargetView(
        (TargetModel(scene.models[tank].profile, int(state.wounds[tank]), None, tank),), facing=Facing.FRONT
    )
    was_mobile = tank not in state.units[target].immobilised
    volley = compile_volley(scene.rules.attack, weapon, 1, context, view)
    host = Host(battle, attacker, target, Batch(volley, (row,)), tank)
    yield from resolve(volley, host)
    results = list(host.results)
    if host.destroyed is not None:
        results.append(host.destroyed)
        yield from destroy_vehicle(battle, tank, host.destroyed, by=scene.units[attacker].id)
    else:
        if was_mobile and tank in state.units[target].immobilised:
            results.append(DamageResult.IMMOBILISED)
        yield from put_out_if_pierced(battle, tank, host)
    if not scene.rules.vehicles.tank_shock.is_crushed(results):
        return True
    if state.wounds[row] > 0:
        bury(battle, _crushed(scene, state, row), "crushed", _RULE, by=scene.units[target].id)
    return False


@rule("6e.death-or-glory.artillery", "6e.death-or-glory.crushed")
def _crushed(scene: Scene, state: ClassicState, row: int) -> list[int]:
    """Who is removed with a model that has failed: of a gun one of its crew, too."""
    guns, crew = guns_and_crew(scene, state, unit_in(state, row))
    return [row, *crew[-1:]] if row in guns and crew else [row]
