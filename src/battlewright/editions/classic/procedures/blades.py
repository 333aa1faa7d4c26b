"""What models fight with in close combat: weapons, grenades, and what special rules make of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.firing import ONE
from battlewright.editions.classic.procedures.board import unit_in
from battlewright.editions.classic.procedures.fray import Round
from battlewright.editions.classic.procedures.prowess import bout_in, rampage_of, weapon_in_hand
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle, Scene
from battlewright.editions.classic.special_rules import Bout
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.classic.striking import (
    Fighter,
    extra_attack_of_weapons,
    uses_special_attacks,
)
from battlewright.editions.classic.weapons import AbilityName, Strength, WeaponAbility, WeaponProfile, WeaponType

__all__ = ["BARE", "blades_of", "grenades_of", "pick_weapons"]

BARE = WeaponProfile("close combat attack", WeaponType.MELEE, 0.0, Strength(), None, ONE)
"""An ordinary attack."""


def blades_of(scene: Scene, state: ClassicState, row: int) -> list[WeaponProfile]:
    """The close combat weapons that a model still has."""
    lost = state.units[unit_in(state, row)].weapons_lost
    return [
        profile
        for place, weapon in enumerate(scene.models[row].weapons)
        if (row, place) not in lost
        for profile in weapon.profiles
        if profile.melee
    ]


@rule("4e.grenades.table", "3e.core.vehicles.grenades", "4e.core.weapons.anti-tank-grenades")
def grenades_of(scene: Scene, row: int) -> list[WeaponProfile]:
    """What a model can use against a vehicle in place of all its attacks."""
    profile = scene.models[row].profile
    return [weapon for name, weapon in _GRENADES.items() if profile.has(name)]


def _grenade(name: str, strength: int, *abilities: AbilityName) -> WeaponProfile:
    return WeaponProfile(
        name, WeaponType.MELEE, 0.0, Strength(strength), None, ONE, tuple(WeaponAbility(each) for each in abilities)
    )


_GRENADES: Mapping[str, WeaponProfile] = {
    "MELTA BOMBS": _grenade("Melta bomb", 8, AbilityName.MELTA),
    "HAYWIRE GRENADES": _grenade("Haywire grenade", 0, AbilityName.HAYWIRE),
    "KRAK GRENADES": _grenade("Krak grenade", 6),
    "PLASMA GRENADES": _grenade("Plasma grenade", 5),
    "FRAG GRENADES": _grenade("Frag grenade", 4),
}


@rule("3e.special-attacks.contact-only", "3e.core.assault.two-special-weapons", "3e.outside.two-weapons")
def pick_weapons(battle: ClassicBattle, fought: Round, unit: int) -> Procedure[None]:
    """What models in contact fight with: those armed alike with the same; supporters make ordinary attacks."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    loadouts: dict[tuple[WeaponProfile, ...], list[int]] = {}
    mine = [row for row in fought.fighters if fought.owner[row] == unit]
    for row in mine:
        fought.arms[row] = BARE
        if uses_special_attacks(fought.fighters[row]):
            loadouts.setdefault(tuple(blades_of(scene, state, row)), []).append(row)
    for blades, rows in loadouts.items():
        picked = blades[0] if blades else BARE
        if len(blades) > 1:
            options = [Option(f"weapon:{n}", f"{len(rows)} with {blade.name}", blade) for n, blade in enumerate(blades)]
            rule_id = "3e.core.assault.two-special-weapons"
            picked = yield from choose(
                Decision(
                    info.side,
                    "select-close-combat-weapon",
                    f"{info.name}: what do {len(rows)} models fight with?",
                    rule_id,
                    Options(options, rule=rule_id, default="weapon:0"),
                    subject=info.index,
                )
            )
        for row in rows:
            _arm(scene, state, fought, row, picked, blades)
    for row in mine:
        _train(battle, fought, unit, row)


@rule("4e.core.weapons.thunder-hammer")
def _train(battle: ClassicBattle, fought: Round, unit: int, row: int) -> None:
    """What special rules make of a model's characteristics, and of its weapon, this round."""
    scene, state = battle.scene, battle.state
    fighter, profile = fought.fighters[row], scene.models[row].profile
    if row in fought.arms:
        fought.arms[row] = weapon_in_hand(scene, state, row, fought.arms[row])
    bout = bout_in(
        scene,
        state,
        fought.units,
        unit,
        row,
        Bout(
            strength=profile.strength,
            weapon_skill=1 if state.units[unit].has(Deed.AFRAID) else profile.weapon_skill,
            initiative=fighter.initiative,
            attacks=fighter.attacks + rampage_of(battle, fought.units, unit, row),
            charging=fighter.charging,
            two_weapons=fighter.two_weapons,
        ),
    )
    if row in fought.dazed:
        bout = replace(bout, initiative=1)
    fought.bouts[row] = bout
    fought.fighters[row] = replace(
        fighter,
        initiative=bout.initiative,
        attacks=bout.attacks,
        charging=bout.charging,
        two_weapons=bout.two_weapons,
    )


@rule("4e.core.weapons.thunder-hammer", "4e.core.weapons.chainfist", "4e.core.assault.fists-last")
def _is_fist(blade: WeaponProfile) -> bool:
    """Whether a weapon strikes last as power fists do: thunder hammers and chainfists are such."""
    return any(blade.has(name) for name in (AbilityName.POWER_FIST, AbilityName.THUNDER_HAMMER, AbilityName.CHAINFIST))


@rule("4e.walker-assault.reduced-attacks", "4e.dreadnought-weapons.two-weapons", "4e.dreadnought-weapons.arm-lost")
@rule("4e.dreadnought-weapons.double-strength", "4e.dreadnought-weapons.no-armour-save")
@rule(
    "4e.dreadnought-weapons.weapon-lost",
    "4e.monstrous.no-armour-save",
    "4e.monstrous.special-weapon",
    "4e.monstrous.vehicle-penetration",
)
def _arm(
    scene: Scene,
    state: ClassicState,
    fought: Round,
    row: int,
    picked: WeaponProfile,
    blades: Sequence[WeaponProfile],
) -> None:
    """Put a weapon in a model's hands: how often and when it strikes with it."""
    fighter = fought.fighters[row]
    fists = [blade for blade in blades if _is_fist(blade)]
    handy = sum(blade.has(AbilityName.ONE_HANDED) for blade in blades) + any(
        profile.type is WeaponType.PISTOL for weapon in scene.models[row].weapons for profile in weapon.profiles
    )
    is_fist = _is_fist(picked)
    second = len(fists) > 1 if is_fist else handy > 1
    extra = extra_attack_of_weapons(picked.has(AbilityName.ONE_HANDED) or is_fist, second)
    profile, attacks = scene.models[row].profile, fighter.attacks
    if profile.is_vehicle:
        mine = state.units[fought.owner[row]]
        extra, attacks = 0, attacks + scene.rules.assault.vehicles.spare_weapons(len(blades))
        hurt = row in mine.immobilised, row in mine.stunned, row in mine.shaken
        attacks = scene.rules.assault.vehicles.attacks(attacks, *hurt)
        is_fist = False
    elif profile.kind is Kind.MONSTROUS and not picked.abilities:
        picked = scene.rules.assault.natural_weapon
    fought.arms[row] = picked
    fought.fighters[row] = Fighter(
        row=row,
        initiative=fighter.initiative,
        attacks=attacks,
        reach=fighter.reach,
        charging=fighter.charging,
        two_weapons=bool(extra),
        strikes_last=is_fist,
    )
