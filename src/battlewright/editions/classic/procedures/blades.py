"""What models fight with in close combat: weapons, grenades, and what special rules make of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.assault import Handling
from battlewright.editions.classic.bearers import smashing
from battlewright.editions.classic.procedures.board import unit_in
from battlewright.editions.classic.procedures.fray import Round
from battlewright.editions.classic.procedures.nerve import names_of
from battlewright.editions.classic.procedures.prowess import bout_in, rampage_of, weapon_in_hand
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle, Scene
from battlewright.editions.classic.special_rules import Bout
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.classic.striking import (
    Fighter,
    uses_special_attacks,
)
from battlewright.editions.classic.weapons import BARE, WeaponProfile

__all__ = ["BARE", "blades_of", "grenades_of", "pick_weapons", "smashes_of", "take_damage_into_account"]


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


@rule("6e.core.special-rules.smash")
def smashes_of(scene: Scene, state: ClassicState, row: int) -> tuple[WeaponProfile, ...]:
    """What each weapon of a model is when it halves its Attacks to strike harder; none where it may not."""
    if scene.models[row].profile.is_vehicle:
        return ()
    registry, names = scene.rules.characters.special_rules, names_of(scene, state, row)
    found = (smashing(registry, names, each) for each in blades_of(scene, state, row) or [BARE])
    return tuple(each for each in found if each is not None)


def _wielded(scene: Scene, row: int, blade: WeaponProfile) -> tuple[str, ...]:
    """The name of the weapon of a model that a profile belongs to."""
    return tuple(weapon.name for weapon in scene.models[row].weapons if blade in weapon.profiles)[:1]


@rule("4e.grenades.table", "3e.core.vehicles.grenades", "4e.core.weapons.anti-tank-grenades")
def grenades_of(scene: Scene, row: int) -> list[WeaponProfile]:
    """What a model can use against a vehicle in place of all its attacks."""
    profile = scene.models[row].profile
    return [weapon for name, weapon in scene.rules.assault.grenades.items() if profile.has(name)]


@rule("3e.special-attacks.contact-only", "3e.core.assault.two-special-weapons", "3e.outside.two-weapons")
def pick_weapons(battle: ClassicBattle, fought: Round, unit: int) -> Procedure[None]:
    """What models in contact fight with: those armed alike with the same; supporters make ordinary attacks."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    loadouts: dict[tuple[tuple[WeaponProfile, ...], tuple[WeaponProfile, ...]], list[int]] = {}
    mine = [row for row in fought.fighters if fought.owner[row] == unit]
    for row in mine:
        fought.arms[row] = BARE
        if uses_special_attacks(fought.fighters[row]) or scene.rules.assault.steps_move:
            loadouts.setdefault((tuple(blades_of(scene, state, row)), smashes_of(scene, state, row)), []).append(row)
    for (blades, smashes), rows in loadouts.items():
        picked = blades[0] if blades else BARE
        if len(blades or [BARE]) + len(smashes) > 1:
            options = [
                Option(f"weapon:{n}", blade.name, blade, weapons=_wielded(scene, rows[0], blade))
                for n, blade in enumerate(blades or [BARE])
            ] + [
                Option(f"smash:{n}", f"{blade.name} (half the attacks)", blade, weapons=_wielded(scene, rows[0], plain))
                for n, (plain, blade) in enumerate(zip(blades or [BARE], smashes, strict=False))
            ]
            foes = [each for each in fought.units if scene.units[each].side != info.side]
            rule_id = "3e.core.assault.two-special-weapons"
            picked = yield from choose(
                Decision(
                    info.side,
                    "select-close-combat-weapon",
                    f"{info.name}: what {'does 1 model' if len(rows) == 1 else f'do {len(rows)} models'} fight with?",
                    rule_id,
                    Options(options, rule=rule_id, default="weapon:0"),
                    subject=info.index,
                    target=scene.units[foes[0]].index if len(foes) == 1 else None,
                )
            )
        for row in rows:
            _arm(scene, state, fought, row, picked, blades, halved=picked in smashes)
    for row in mine:
        _train(battle, fought, unit, row)


def _arms_of(scene: Scene, state: ClassicState, row: int) -> list[tuple[WeaponProfile, ...]]:
    """The weapons that a model still has, each with its profiles."""
    lost = state.units[unit_in(state, row)].weapons_lost
    return [weapon.profiles for place, weapon in enumerate(scene.models[row].weapons) if (row, place) not in lost]


@rule("4e.walker-assault.reduced-attacks", "4e.dreadnought-weapons.arm-lost", "4e.dreadnought-weapons.weapon-lost")
def take_damage_into_account(battle: ClassicBattle, fought: Round, row: int) -> None:
    """What damage of the same round has left a vehicle to strike with, where it has suffered some before its step."""
    scene, state = battle.scene, battle.state
    profile, unit = scene.models[row].profile, fought.owner[row]
    if not profile.is_vehicle or fought.shape.get(row) == (now := _shape(state, unit, row)):
        return
    blades = blades_of(scene, state, row)
    picked = fought.arms[row] if fought.arms[row] in blades else blades[0] if blades else BARE
    fought.fighters[row] = replace(fought.fighters[row], attacks=profile.attacks, initiative=profile.initiative)
    _arm(scene, state, fought, row, picked, blades)
    _train(battle, fought, unit, row)
    fought.shape[row] = now


def _shape(state: ClassicState, unit: int, row: int) -> tuple[bool, int]:
    """Whether damage hampers a vehicle, and how many of its weapons are lost."""
    mine = state.units[unit]
    hurt = row in mine.immobilised or row in mine.stunned or row in mine.shaken
    return hurt, sum(lost == row for lost, _ in mine.weapons_lost)


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
    *,
    halved: bool = False,
) -> None:
    """Put a weapon in a model's hands: how often and when it strikes with it.

    Args:
        halved: whether it halves its Attacks for it, rounded up.
    """
    fighter = fought.fighters[row]
    profile, attacks = scene.models[row].profile, fighter.attacks
    attacks = (attacks + 1) // 2 if halved else attacks
    hold = scene.rules.assault.handling(profile, picked, _arms_of(scene, state, row))
    if profile.is_vehicle:
        mine = state.units[fought.owner[row]]
        attacks = attacks + scene.rules.assault.vehicles.spare_weapons(len(blades))
        hurt = row in mine.immobilised, row in mine.stunned, row in mine.shaken
        fought.shape[row] = _shape(state, fought.owner[row], row)
        attacks = scene.rules.assault.vehicles.attacks(attacks, *hurt)
        hold = Handling()
    elif profile.kind is Kind.MONSTROUS:
        picked = scene.rules.assault.monstrous(picked)
    fought.arms[row] = picked
    fought.fighters[row] = Fighter(
        row=row,
        initiative=1 if hold.slow else fighter.initiative,
        attacks=attacks,
        reach=fighter.reach,
        charging=fighter.charging,
        two_weapons=hold.two_weapons,
        strikes_last=hold.strikes_last,
    )
