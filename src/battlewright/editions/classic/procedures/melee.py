"""One round of a close combat of the 3rd edition: weapons, order of striking, aims, blows, casualties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from battlewright.attacks.description import amount
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.attack import compile_volley, draft_attack
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.firing import ONE
from battlewright.editions.classic.procedures.aftermath import conclude
from battlewright.editions.classic.procedures.board import facing_towards, furthest_part, gaps, pose_of, unit_in
from battlewright.editions.classic.procedures.harm import lose_wounds, pick_model
from battlewright.editions.classic.procedures.prowess import bout_in, context_against, guarded_profile, shrugs_off
from battlewright.editions.classic.procedures.vehicle_hits import attack_vehicle
from battlewright.editions.classic.procedures.volleys import Batch, clear_away, unsaved_wounds
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.pursuit import Blow, wounds_counted
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.special_rules import Bout
from battlewright.editions.classic.splitting import (
    Aim,
    Opponent,
    TargetKind,
    default_aim,
    must_name_targets,
    opponents_to_strike,
    split_faults,
    target_kinds,
)
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.classic.striking import (
    SUPPORT,
    Approach,
    Fighter,
    Footing,
    Reach,
    attacks_of,
    character_fights,
    extra_attack_of_weapons,
    fights,
    may_strike_character,
    next_step,
    strike_step,
    strikes_together,
    uses_special_attacks,
)
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.vehicles import AUTOMATIC, needed_in_assault
from battlewright.editions.classic.weapons import AbilityName, Strength, WeaponAbility, WeaponProfile, WeaponType

__all__ = ["fight_combat"]

BARE = WeaponProfile("close combat attack", WeaponType.MELEE, 0.0, Strength(), None, ONE)
"""An ordinary attack."""
_FRAG = frozenset({"FRAG GRENADES", "PLASMA GRENADES"})
_AIM, _REMOVES = "3e.split.must-different", "3e.cc-casualties.owner-removes"


@dataclass
class _Round:
    """A round of one combat, as it was when the fighting began.

    Attributes:
        units: in the combat.
        near: for each model the enemies that it touches, or is within 2" of; ``contact`` those that touch somebody.
        arms: what each model fights with.
        caused: wounds that each unit caused.
        bouts: how each model fights, its special rules included.
        first: whether it is the first round.
        shields: how many opponents each model has used its shield against.
    """

    units: Sequence[int]
    fighters: dict[int, Fighter] = field(default_factory=dict)
    owner: dict[int, int] = field(default_factory=dict)
    near: dict[int, tuple[int, ...]] = field(default_factory=dict)
    arms: dict[int, WeaponProfile] = field(default_factory=dict)
    opponents: dict[int, Opponent] = field(default_factory=dict)
    caused: dict[int, int] = field(default_factory=dict)
    bouts: dict[int, Bout] = field(default_factory=dict)
    first: bool = False
    shields: dict[int, int] = field(default_factory=dict)


@rule("3e.outside.initiative", "3e.core.assault.initiative", "3e.core.assault.step-together", "3e.outside.who-fights")
def fight_combat(battle: ClassicBattle, units: Sequence[int]) -> Procedure[None]:
    """A round of a combat, from the highest step of striking to the lowest, and its result."""
    scene, state = battle.scene, battle.state
    rules = scene.rules.assault
    yield from rules.begin_combat(battle, units)
    fought = _begin(scene, state, [unit for unit in units if fights(state.turn, state.units[unit].side, engaged=True)])
    for unit in units:
        yield from _pick_weapons(battle, fought, unit)
    steps = _steps(scene, state, fought)
    step: int | None = None
    while True:
        alive = [(row, when) for row, when in steps if state.wounds[row] > 0]
        step = next_step(alive, step)
        if step is None:
            break
        striking = strikes_together(alive, step)
        yield from rules.before_step(battle, units, striking)
        yield from _strike(battle, fought, striking)
    for unit in units:
        state.units[unit].did(Deed.FOUGHT)
        mine = state.units[unit]
        mine.charged = mine.charged_in_cover = mine.charged_through = mine.charged_free = False
    yield from conclude(battle, units, [(scene.units[unit].side, fought.caused.get(unit, 0)) for unit in units])


@rule("3e.support.beyond-two", "3e.core.assault.engaged", "3e.core.assault.supporting", "3e.core.characters.contact")
@rule("3e.split.character-is-unit", "3e.cc-casualties.contact-first")
def _begin(scene: Scene, state: ClassicState, units: Sequence[int]) -> _Round:
    """Who touches whom and who supports: settled when the fighting begins, it holds for the round."""
    found = _Round(units, first=any(state.units[unit].charged for unit in units))
    for unit in units:
        _enter(scene, state, found, unit)
    groups: dict[int, list[Opponent]] = {}
    for each in found.opponents.values():
        groups.setdefault(each.unit, []).append(each)
    for group in groups.values():
        found.opponents.update({each.row: each for each in scene.rules.assault.alike(group)})
    return found


def _enter(scene: Scene, state: ClassicState, found: _Round, unit: int) -> None:
    """What one unit brings into a round: who of it touches whom, who supports, who fights."""
    rules, rows = scene.rules.assault, standing(state, unit)
    foes = [
        row
        for other in found.units
        if state.units[other].side != state.units[unit].side
        for row in standing(state, other)
    ]
    apart = gaps(scene, state, rows, foes)
    nearest = apart.min(axis=1)
    apart_own = gaps(scene, state, rows, rows)
    touching = nearest <= TOLERANCE
    near_foe = apart <= SUPPORT + TOLERANCE
    for place, row in enumerate(rows):
        profile, gap = scene.models[row].profile, float(nearest[place])
        within = False
        if gap <= SUPPORT + 0.01:
            foe = foes[int(apart[place].argmin())]
            within = rules.is_within(gap, furthest_part(scene, state, row, foe), SUPPORT)
        comrade = float(apart_own[place][touching].min()) if touching.any() else np.inf
        reach = rules.reach_of(gap, comrade, within)
        if rules.must_touch(profile) and not character_fights(gap):
            reach = Reach.NONE
        touched = apart[place] <= TOLERANCE
        if reach is Reach.ENGAGED:
            mates = touching & (apart_own[place] <= SUPPORT + TOLERANCE)
            touched = (apart[mates] <= TOLERANCE).any(axis=0)
        elif reach is not Reach.CONTACT:
            touched = near_foe[place]
        found.near[row] = tuple(
            foe
            for foe, gap_to, close in zip(foes, apart[place], touched, strict=True)
            if close and (not rules.must_touch(scene.models[foe].profile) or may_strike_character(float(gap_to)))
        )
        found.opponents[row] = Opponent(
            row=row,
            unit=rules.split_unit(unit, row, profile),
            weapon_skill=profile.weapon_skill,
            toughness=profile.toughness,
            in_contact=gap <= TOLERANCE,
            within_two=reach is not Reach.NONE,
        )
        found.owner[row] = unit
        if profile.weapon_skill or not profile.is_vehicle:
            found.fighters[row] = Fighter(
                row=row,
                initiative=profile.initiative,
                attacks=profile.attacks,
                reach=reach,
                charging=state.units[unit].charged,
            )


# -- weapons ----------------------------------------------------------------------------------------------------


def _blades(scene: Scene, state: ClassicState, row: int) -> list[WeaponProfile]:
    lost = state.units[unit_in(state, row)].weapons_lost
    return [
        profile
        for place, weapon in enumerate(scene.models[row].weapons)
        if (row, place) not in lost
        for profile in weapon.profiles
        if profile.melee
    ]


def _grenades(scene: Scene, row: int) -> list[WeaponProfile]:
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
    "FRAG GRENADES": _grenade("Frag grenade", 4),
}


@rule("3e.special-attacks.contact-only", "3e.core.assault.two-special-weapons", "3e.outside.two-weapons")
def _pick_weapons(battle: ClassicBattle, fought: _Round, unit: int) -> Procedure[None]:
    """What models in contact fight with: those armed alike with the same; supporters make ordinary attacks."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    loadouts: dict[tuple[WeaponProfile, ...], list[int]] = {}
    for row in standing(state, unit):
        if row not in fought.fighters:
            continue
        fought.arms[row] = BARE
        if uses_special_attacks(fought.fighters[row]):
            loadouts.setdefault(tuple(_blades(scene, state, row)), []).append(row)
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
            _arm(scene, fought, row, picked, blades)
    for row in standing(state, unit):
        if row in fought.fighters:
            _train(scene, state, fought, unit, row)


def _train(scene: Scene, state: ClassicState, fought: _Round, unit: int, row: int) -> None:
    """What special rules make of a model's characteristics this round."""
    fighter, profile = fought.fighters[row], scene.models[row].profile
    bout = bout_in(
        scene,
        state,
        fought.units,
        unit,
        row,
        Bout(
            strength=profile.strength,
            weapon_skill=profile.weapon_skill,
            initiative=fighter.initiative,
            attacks=fighter.attacks,
            charging=fighter.charging,
            two_weapons=fighter.two_weapons,
        ),
    )
    fought.bouts[row] = bout
    fought.fighters[row] = replace(
        fighter,
        initiative=bout.initiative,
        attacks=bout.attacks,
        charging=bout.charging,
        two_weapons=bout.two_weapons,
    )


def _arm(scene: Scene, fought: _Round, row: int, picked: WeaponProfile, blades: Sequence[WeaponProfile]) -> None:
    fighter = fought.fighters[row]
    fists = [blade for blade in blades if blade.has(AbilityName.POWER_FIST)]
    handy = sum(blade.has(AbilityName.ONE_HANDED) for blade in blades) + any(
        profile.type is WeaponType.PISTOL for weapon in scene.models[row].weapons for profile in weapon.profiles
    )
    is_fist = picked.has(AbilityName.POWER_FIST)
    second = len(fists) > 1 if is_fist else handy > 1
    extra = extra_attack_of_weapons(picked.has(AbilityName.ONE_HANDED) or is_fist, second)
    fought.arms[row] = picked
    fought.fighters[row] = Fighter(
        row=row,
        initiative=fighter.initiative,
        attacks=fighter.attacks,
        reach=fighter.reach,
        charging=fighter.charging,
        two_weapons=bool(extra),
        strikes_last=is_fist,
    )


# -- when -------------------------------------------------------------------------------------------------------


@rule("3e.fight-order.cover-first", "3e.special-attacks.frag-effect", "3e.special-attacks.frag-users")
@rule("3e.fight-order.fist-last-in-cover", "3e.fight-order.later-rounds")
def _steps(scene: Scene, state: ClassicState, fought: _Round) -> list[tuple[int, int]]:
    rules = scene.rules.assault
    footings: dict[int, Footing] = {}
    for unit in fought.units:
        mine = state.units[unit]
        cancelled = any(
            rules.frag_cancels(state.units[other].charged)
            for other in fought.units
            if state.units[other].side != mine.side and _has_grenades(scene, state, other)
        )
        approach = Approach(
            assaulted_in_cover=mine.charged_in_cover,
            first_round=mine.charged_in_cover or mine.charged_through,
            cancelled=cancelled,
            through_difficult=mine.charged_through,
            grenades=_has_grenades(scene, state, unit),
        )
        footings[unit] = rules.footing_of(approach)
    found = []
    for row, fighter in fought.fighters.items():
        if fighter.reach is Reach.NONE:
            continue
        own = fought.owner[row]
        theirs = [footings[unit] for unit in fought.units if state.units[unit].side != state.units[own].side]
        opposing = Footing.LEVELLED if Footing.LEVELLED in theirs else Footing.EVEN
        found.append((row, strike_step(fighter, footings[own], opposing, rules.cover_step)))
    return found


def _has_grenades(scene: Scene, state: ClassicState, unit: int) -> bool:
    return any(_FRAG & scene.models[row].profile.abilities for row in standing(state, unit))


# -- blows ------------------------------------------------------------------------------------------------------

Target = TargetKind | int


@dataclass(frozen=True, slots=True)
class _Wounds:
    """Wounds that no save stopped: by which unit, at whom, and what they are like."""

    unit: int
    target: Target
    count: int
    outright: bool
    weapon: str
    denies_armour: bool


@rule("3e.cc-casualties.opponent-slain", "3e.split.must-different", "3e.support.one-attack", "3e.split.carries-over")
@rule("3e.core.assault.step-together", "3e.core.assault.attacks")
def _strike(battle: ClassicBattle, fought: _Round, rows: Sequence[int]) -> Procedure[None]:
    """Everybody of one step strikes: all aims are declared, all blows rolled, and only then casualties are removed."""
    state = battle.state
    blows: dict[tuple[int, Target, WeaponProfile, AttackContext], list[tuple[int, int]]] = {}
    for row in rows:
        aims = yield from _aims(battle, fought, row)
        for aim in aims:
            alive = _alive(state, fought, aim.target)
            if aim.attacks and alive:
                weapon, attacks = _against(battle.scene, state, fought, row, aim)
                bout = fought.bouts[row]
                plain = AttackContext(skill=bout.weapon_skill, strength=bout.strength)
                context = context_against(battle.scene, state, row, alive[0], weapon, plain, first_round=fought.first)
                key = (fought.owner[row], aim.target, weapon, context)
                blows.setdefault(key, []).append((row, attacks))
    unsaved: list[_Wounds] = []
    for (unit, target, weapon, context), made in blows.items():
        alive = _alive(state, fought, target)
        if alive and battle.scene.models[alive[0]].profile.is_vehicle:
            yield from _hit_vehicle(battle, unit, alive[0], weapon, context, made)
        elif alive:
            context = replace(context, attacks=amount(sum(count for _, count in made)))
            view = _view(battle.scene, state, fought, alive, len({row for row, _ in made}))
            volley = compile_volley(battle.scene.rules.attack, weapon, 1, context, view)
            denies = draft_attack(battle.scene.rules.attack, weapon, context, view).ignores_armour
            batch = Batch(volley, tuple(row for row, _ in made))
            found, _ = yield from unsaved_wounds(battle, unit, fought.owner[alive[0]], [batch], view)
            unsaved += [_Wounds(unit, target, each.count, each.outright, weapon.name, denies) for each in found]
    yield from _casualties(battle, fought, unsaved)


def _view(scene: Scene, state: ClassicState, fought: _Round, alive: Sequence[int], strikers: int) -> TargetView:
    """The models that are struck, with the saves that they have; shields are used one for each opponent."""
    each = -(-strikers // len(alive))
    for row in alive:
        fought.shields[row] = fought.shields.get(row, 0) + each
    profiles = [guarded_profile(scene, state, r, close_combat=True, opponents=fought.shields[r]) for r in alive]
    return TargetView(
        tuple(TargetModel(p, int(state.wounds[row]), None, row) for p, row in zip(profiles, alive, strict=True))
    )


def _alive(state: ClassicState, fought: _Round, target: Target) -> list[int]:
    rows = [target] if isinstance(target, int) else [r for r, each in fought.opponents.items() if each.kind == target]
    return [row for row in rows if state.wounds[row] > 0]


def _against(scene: Scene, state: ClassicState, fought: _Round, row: int, aim: Aim) -> tuple[WeaponProfile, int]:
    """What a model strikes with: against a vehicle a grenade in place of all its attacks, if it has one."""
    alive = _alive(state, fought, aim.target)
    grenades = _grenades(scene, row)
    if not alive or not grenades or fought.fighters[row].reach is not Reach.CONTACT:
        return fought.arms[row], aim.attacks
    vehicle = scene.models[alive[0]].profile
    walks = vehicle.weapon_skill > 0 and alive[0] not in state.units[fought.owner[alive[0]]].immobilised
    return (fought.arms[row], aim.attacks) if not vehicle.is_vehicle or walks else (grenades[0], 1)


@rule("3e.split.any-share", "3e.split.characters-free", "3e.split.must-two-units", "3e.char-combat.ordinary-split")
@rule("3e.char-combat.mix", "3e.split.support-assigned")
def _aims(battle: ClassicBattle, fought: _Round, row: int) -> Procedure[tuple[Aim, ...]]:
    """At whom a model strikes; asked where its opponents differ, and of characters."""
    scene, state = battle.scene, battle.state
    attacks = attacks_of(fought.fighters[row])
    side = scene.models[row].side
    living = [o for o in fought.opponents.values() if state.wounds[o.row] > 0 and scene.models[o.row].side != side]
    foes = opponents_to_strike([fought.opponents[foe] for foe in fought.near[row]], living)
    singles_out = scene.rules.assault.may_single_out(scene.models[row].profile)
    free = singles_out and len(foes) > 1
    if not foes or not (must_name_targets(foes) or free):
        return default_aim(attacks, foes)
    kinds = target_kinds(foes)
    ways: list[tuple[Aim, ...]] = [(Aim(kind, attacks),) for kind in kinds]
    goals: list[Target] = [*kinds, *((foe.row for foe in foes) if free else ())]
    ways += [(Aim(foe.row, attacks),) for foe in foes if free]
    for first in range(len(goals)):
        for second in range(first + 1, len(goals)):
            ways += [(Aim(goals[first], n), Aim(goals[second], attacks - n)) for n in range(1, attacks)]
    legal = [way for way in ways if not split_faults(attacks, foes, way, singles_out=singles_out)]
    options = [
        Option(f"aims:{n}", " and ".join(f"{aim.attacks} at {_called(scene, fought, aim.target)}" for aim in way), way)
        for n, way in enumerate(legal)
    ]
    info = scene.units[fought.owner[row]]
    picked: tuple[Aim, ...] = yield from choose(
        Decision(
            info.side,
            "aim-attacks",
            f"{scene.models[row].name}: whom does it strike?",
            _AIM,
            Options(options, rule=_AIM, default="aims:0"),
            subject=info.index,
        )
    )
    return picked


def _called(scene: Scene, fought: _Round, target: Target) -> str:
    if isinstance(target, int):
        return f"model {target} ({scene.models[target].name})"
    row = next(row for row, each in fought.opponents.items() if each.kind == target)
    return scene.models[row].name


@rule("3e.cc-casualties.owner-removes", "3e.split.directed-no-carry", "3e.result.overkill-excluded")
@rule("3e.cc-casualties.contact-first", "3e.cc-casualties.then-two-inch", "3e.core.assault.casualties")
def _casualties(battle: ClassicBattle, fought: _Round, unsaved: Sequence[_Wounds]) -> Procedure[None]:
    """Who falls, those that were singled out first; their owner says who among those nearest to the enemy."""
    state = battle.state
    fell = []
    for each in sorted(unsaved, key=lambda each: isinstance(each.target, TargetKind)):
        for _ in range(each.count):
            living = [foe for foe in fought.opponents.values() if state.wounds[foe.row] > 0]
            rows = battle.scene.rules.assault.next_to_fall(each.target, living)
            hurt = [r for r in rows if state.wounds[r] < battle.scene.models[r].profile.wounds]
            if not rows:
                break
            row = yield from pick_model(battle, hurt or rows, f"who falls to {each.weapon}?", _REMOVES)
            if shrugs_off(battle, row, outright=each.outright, close_combat=True, denies_armour=each.denies_armour):
                continue
            left = int(state.wounds[row])
            lost = left if each.outright else 1
            lose_wounds(battle, row, lost, each.weapon, _REMOVES)
            fought.caused[each.unit] = fought.caused.get(each.unit, 0) + wounds_counted(Blow(lost, left))
            fell.append(row)
    clear_away(battle, fell)


@rule("3e.core.vehicles.hitting-in-assault", "3e.core.vehicles.walkers-in-assault", "3e.core.vehicles.grenades")
def _hit_vehicle(
    battle: ClassicBattle,
    unit: int,
    row: int,
    weapon: WeaponProfile,
    context: AttackContext,
    made: Sequence[tuple[int, int]],
) -> Procedure[None]:
    """Blows at a vehicle: a walker is hit by its Weapon Skill and in front; others as they moved, on the face touched.

    DEVIATION: 3e.core.vehicles.hitting-in-assault how far it moved is not kept: one that moved has moved up to 6".
    """
    scene, state = battle.scene, battle.state
    profile, target = scene.models[row].profile, unit_in(state, row)
    mine = state.units[target]
    context = replace(context, attacks=amount(sum(count for _, count in made)), half_range=True)
    facing = Facing.FRONT
    if not profile.weapon_skill:
        needed = needed_in_assault(6.0 if mine.moved_last or mine.moved else 0.0, immobilised=row in mine.immobilised)
        automatic = needed == AUTOMATIC
        context = replace(context, automatic=automatic, needed=None if automatic else needed)
        facing = facing_towards(scene, state, row, pose_of(state, made[0][0])[:2])
    view = TargetView((TargetModel(profile, int(state.wounds[row]), None, row),), facing=facing)
    volley = compile_volley(scene.rules.attack, weapon, 1, context, view)
    yield from attack_vehicle(battle, unit, target, row, Batch(volley, tuple(r for r, _ in made)))
