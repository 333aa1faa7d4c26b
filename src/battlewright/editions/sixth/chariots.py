"""Chariots of the 6th edition: who rides on them, sweeps from above, crashing in, fighting from the platform.

A rider is the one passenger of his chariot: a unit of his own that is embarked in it. He is never on the table, so that
nobody shoots at him; in close combat he strikes, and is struck, where his chariot stands.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from battlewright.attacks.description import amount
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, separation_matrix, within
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.movement import Way
from battlewright.editions.classic.procedures.blades import BARE, blades_of
from battlewright.editions.classic.procedures.board import enemies_on_table, in_combat
from battlewright.editions.classic.procedures.fray import Round
from battlewright.editions.classic.procedures.harm import pick_model
from battlewright.editions.classic.procedures.passengers import aboard
from battlewright.editions.classic.procedures.prowess import context_against, guarded_profile, weapon_in_hand
from battlewright.editions.classic.procedures.vehicle_hits import attack_vehicle
from battlewright.editions.classic.procedures.volleys import Batch, clear_away, failed_saves, suffer, wounding_hits
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import ClassicBattle, Scene, living, standing
from battlewright.editions.classic.special_rules import Guard, Saves
from battlewright.editions.classic.splitting import Opponent
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.striking import Fighter, Reach
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.transports import Boarding
from battlewright.editions.classic.vehicles import may_be_locked
from battlewright.editions.classic.weapons import WeaponProfile
from battlewright.editions.sixth.chance import at_random

__all__ = [
    "CHARIOT",
    "RIDER",
    "better_save",
    "contests",
    "hammer_blows",
    "may_sweep",
    "moved_over",
    "names_of_rider",
    "riders_of",
    "seat_riders",
    "sweep",
    "sweep_needs",
    "why_no_rider",
]

CHARIOT, RIDER = "CHARIOT", "CHARIOT RIDER"
"""The keyword of a chariot, and the special rule that whoever is on one has."""
COMBAT_SPEED = 6.0
HAMMER_STRENGTH = 6
_SWEEP = "6e.chariot-movement.sweep-target"
_RANDOM = "6e.chariot-movement.sweep-random-allocation"


# -- riders -----------------------------------------------------------------------------------------------------


@rule("6e.chariots.single-rider")
def why_no_rider(boarding: Boarding) -> list[tuple[str, str]]:
    """Why a unit may not get onto a chariot: it carries one passenger, a character; none when it may."""
    found = []
    if boarding.chariot and not boarding.one_character:
        found.append(("6e.chariots.single-rider", "is no single character, as the rider of a chariot is"))
    if boarding.chariot and boarding.aboard:
        found.append(("6e.chariots.single-rider", "would be the second on the chariot"))
    return found


@rule("6e.chariot-crew.part-of-chariot", "6e.chariot-shot-at.always-the-chariot")
def riders_of(scene: Scene, state: ClassicState, unit: int) -> list[int]:
    """The models that ride on the chariots of a unit: the rider alone. Crew are part of the vehicle, and no models."""
    if not any(CHARIOT in scene.models[row].profile.keywords for row in standing(state, unit)):
        return []
    return [row for each in aboard(state, unit) for row in living(state, each)]


@rule("6e.chariot-special.rider-fearless", "6e.chariot-save.plus-one")
def names_of_rider(carrier: Collection[str]) -> frozenset[str]:
    """The special rules that somebody has for being on a vehicle of these keywords while it stands."""
    return frozenset({RIDER, "FEARLESS"}) if CHARIOT in carrier else frozenset()


@rule("6e.chariot-save.plus-one")
def better_save(saves: Saves, guard: Guard) -> Saves:
    """A rider's armour save is better by 1 against wounds of close combat, 2+ at best."""
    if not guard.close_combat or saves.armour is None:
        return saves
    return saves._replace(armour=max(saves.armour - 1, 2))


# -- sweeps -----------------------------------------------------------------------------------------------------


@rule("6e.chariot-movement.sweep-needs-skimmer")
def may_sweep(keywords: Collection[str]) -> bool:
    """Whether the rider of a vehicle of these keywords makes sweep attacks: of a chariot that is a skimmer."""
    return {CHARIOT, "SKIMMER"} <= set(keywords)


@rule("6e.chariot-movement.sweep-dice")
def sweep_needs(moved: float) -> int:
    """What each die of a sweep needs: 3+ after a move at combat speed, 4+ after one at cruising speed.

    Args:
        moved: inches that the chariot has moved this turn.
    """
    return 3 if within(moved, COMBAT_SPEED) else 4


@rule("6e.chariot-movement.sweep-target")
def moved_over(scene: Scene, state: ClassicState, row: int, ways: Sequence[Way]) -> list[int]:
    """The enemy units in no close combat over which a chariot has moved along these ways, in part at least."""
    starts = np.array([point for way in ways for point in way[:-1]], np.float64).reshape(-1, 4) / 1000.0
    ends = np.array([point for way in ways for point in way[1:]], np.float64).reshape(-1, 4) / 1000.0
    if not len(starts):
        return []
    swept = scene.bases.some_at([row] * len(starts), starts).swept(ends[:, :2] - starts[:, :2])
    found = []
    for unit in enemies_on_table(scene, state, scene.models[row].side):
        theirs = standing(state, unit)
        there = scene.bases.some_at(theirs, state.position[theirs] / 1000.0)
        if not in_combat(scene, state, unit) and float(separation_matrix(swept, there).min()) < -TOLERANCE:
            found.append(unit)
    return found


@rule("6e.chariot-movement.sweep-needs-skimmer", "6e.chariot-movement.sweep-target")
def sweep(battle: ClassicBattle, unit: int, ways: Sequence[tuple[int, Way]]) -> Procedure[None]:
    """After a chariot's move in the Movement phase its rider may strike at one unit that it has moved over.

    Args:
        ways: row and way of each model that has moved.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    moved = [(row, way) for row, way in ways if state.wounds[row] and may_sweep(scene.models[row].profile.keywords)]
    riders = riders_of(scene, state, unit)
    if not moved or not riders:
        return
    row = moved[0][0]
    below = moved_over(scene, state, row, [way for each, way in moved if each == row])
    if not below:
        return
    options = [Option(scene.units[each].id, scene.units[each].name, each) for each in below]
    options.append(Option("none", "nobody", None))
    target: int | None = yield from choose(
        Decision(
            info.side,
            "sweep-attack",
            f"{scene.models[riders[0]].name}: at whom does he sweep?",
            _SWEEP,
            Options(options, rule=_SWEEP),
            subject=info.index,
        )
    )
    if target is not None:
        yield from _sweep_at(battle, unit, riders[0], target)


@rule("6e.chariot-movement.sweep-profile", "6e.chariot-movement.sweep-dice", "6e.chariot-movement.sweep-no-cover")
def _sweep_at(battle: ClassicBattle, unit: int, rider: int, target: int) -> Procedure[None]:
    """A die for each Attack of the rider's profile, with his Strength and his close combat weapon."""
    scene, state, profile = battle.scene, battle.state, battle.scene.models[rider].profile
    weapon = weapon_in_hand(scene, state, rider, (yield from _weapon(battle, unit, rider)))
    rows = standing(state, target)
    context = context_against(
        scene,
        state,
        rider,
        rows[0],
        weapon,
        AttackContext(
            skill=profile.weapon_skill,
            strength=profile.strength,
            attacks=amount(profile.attacks),
            needed=sweep_needs(state.units[unit].moved_distance / 1000),
            picks=profile.is_character,
        ),
    )
    if scene.models[rows[0]].profile.is_vehicle:
        yield from _at_vehicles(battle, unit, rider, target, weapon, context)
    else:
        yield from _at_troops(battle, unit, rider, target, weapon, context)


def _weapon(battle: ClassicBattle, unit: int, rider: int) -> Procedure[WeaponProfile]:
    """The close combat weapon that a rider sweeps with; asked where he has several."""
    scene, blades = battle.scene, blades_of(battle.scene, battle.state, rider)
    if len(blades) < 2:
        return blades[0] if blades else BARE
    options = [Option(f"weapon:{n}", blade.name, blade) for n, blade in enumerate(blades)]
    rule_id = "6e.chariot-movement.sweep-profile"
    picked: WeaponProfile = yield from choose(
        Decision(
            scene.models[rider].side,
            "select-close-combat-weapon",
            f"{scene.models[rider].name}: with what does he sweep?",
            rule_id,
            Options(options, rule=rule_id, default="weapon:0"),
            subject=scene.units[unit].index,
        )
    )
    return picked


@rule("6e.chariot-movement.sweep-rear-armour")
def _at_vehicles(
    battle: ClassicBattle, unit: int, rider: int, target: int, weapon: WeaponProfile, context: AttackContext
) -> Procedure[None]:
    """Blows of a sweep at the rear of a vehicle; at a squadron each of them at one of its vehicles by chance."""
    scene, state = battle.scene, battle.state
    alone = len(standing(state, target)) == 1
    left = scene.models[rider].profile.attacks
    while left and standing(state, target):
        blows = left if alone else 1
        left -= blows
        row = at_random(battle, standing(state, target), scene.models[rider].side, _RANDOM)
        view = TargetView(
            (TargetModel(scene.models[row].profile, int(state.wounds[row]), None, row),), facing=Facing.REAR
        )
        volley = compile_volley(scene.rules.attack, weapon, 1, replace(context, attacks=amount(blows)), view)
        yield from attack_vehicle(battle, unit, target, row, Batch(volley, (rider,)))


@rule("6e.chariot-movement.sweep-random-allocation", "6e.chariot-movement.sweep-precision")
def _at_troops(
    battle: ClassicBattle, unit: int, rider: int, target: int, weapon: WeaponProfile, context: AttackContext
) -> Procedure[None]:
    """Wounds of a sweep, each on a model by chance, a precise one on the model that the rider's player names."""
    scene, state, side = battle.scene, battle.state, battle.scene.models[rider].side
    rows = standing(state, target)
    view = TargetView(
        tuple(
            TargetModel(guarded_profile(scene, state, row, close_combat=True), int(state.wounds[row]), None, row)
            for row in rows
        )
    )
    batch = Batch(compile_volley(scene.rules.attack, weapon, 1, context, view), (rider,))
    groups = {
        view.models[index].id: number
        for number, group in enumerate(scene.rules.attack.groups(view))
        for index in group.models
    }
    arrived, _ = yield from wounding_hits(battle, unit, target, [batch])
    for _, packet, count in arrived:
        for _ in range(count):
            alive = [row for row in rows if state.wounds[row] > 0]
            if not alive:
                break
            if packet.name.startswith("precise"):
                rule_id = "6e.chariot-movement.sweep-precision"
                row = yield from pick_model(battle, alive, "whom does the sweep strike?", rule_id, side=side)
            else:
                row = at_random(battle, alive, side, _RANDOM)
            if (yield from failed_saves(battle, unit, target, batch, packet, groups[row], 1)):
                wounds = packet.damage.values[0]
                suffer(battle, row, wounds >= 10, weapon.name, _RANDOM, wounds=wounds)
    clear_away(battle, rows, scene.units[unit].id)


# -- close combat -----------------------------------------------------------------------------------------------


@rule("6e.chariot-special.hammer-of-wrath")
def hammer_blows(keywords: Collection[str], face: int) -> tuple[int, int]:
    """How many Hammer of Wrath hits a chariot makes that has charged, and their Strength: a D6 of Strength 6.

    Args:
        face: of the die; any other vehicle makes none.
    """
    return (face, HAMMER_STRENGTH) if CHARIOT in keywords else (0, 0)


@rule("6e.core.assault.result", "6e.chariot-fighting.never-locked")
def contests(keywords: Collection[str]) -> bool:
    """Whether a model fights for a result: whoever can be locked, and the rider of a chariot, who cannot.

    RULING: 6e.chariot-fighting.never-locked his enemies may be beaten and run; nobody is held, piles in or goes after
    anybody.
    """
    return CHARIOT in keywords or may_be_locked(keywords)


@rule("6e.chariot-fighting.rider-contact", "6e.chariot-fighting.both-ways", "6e.chariot-fighting.no-own-blows")
def seat_riders(scene: Scene, state: ClassicState, fought: Round) -> None:
    """Riders fight in place of their chariots: they touch whatever touches these, and may be struck in their place.

    RULING: 6e.chariot-fighting.both-ways each attacker says how he divides his blows between chariot and rider.
    """
    for unit in fought.units:
        riders = riders_of(scene, state, unit)
        hulls = [row for row in standing(state, unit) if row in fought.opponents]
        if not riders or not hulls:
            continue
        hull = hulls[0]
        touched = fought.opponents[hull].in_contact
        for rider in riders:
            profile = scene.models[rider].profile
            fought.owner[rider] = unit
            fought.opponents[rider] = Opponent(
                row=rider,
                unit=-1 - rider,
                weapon_skill=profile.weapon_skill,
                toughness=profile.toughness,
                in_contact=touched,
                within_two=touched,
            )
            fought.near[rider] = fought.near[hull] if touched else ()
            fought.fighters[rider] = Fighter(
                row=rider,
                initiative=profile.initiative,
                attacks=profile.attacks,
                reach=Reach.CONTACT if touched else Reach.NONE,
                charging=state.units[unit].charged,
            )
            for row, near in fought.near.items():
                if row != rider and hull in near:
                    fought.near[row] = (*near, rider)
