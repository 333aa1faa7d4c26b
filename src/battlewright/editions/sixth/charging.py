"""Charges in the 6th edition: whom a unit may charge, overwatch, the dice of the range, blows of who crashes in."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import replace

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.assault import why_no_assault
from battlewright.editions.classic.procedures.aiming import Aim
from battlewright.editions.classic.procedures.arming import Arm, Shot, arms_of, is_barrage, shot_of
from battlewright.editions.classic.procedures.board import gaps, in_combat, unit_gap
from battlewright.editions.classic.procedures.charging import crosses_difficult
from battlewright.editions.classic.procedures.fire_at_vehicles import fire_at_vehicles
from battlewright.editions.classic.procedures.fire_points import firing_rows, take_places
from battlewright.editions.classic.procedures.ground import kind_rules
from battlewright.editions.classic.procedures.laying import UnitHits
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.procedures.passengers import aboard
from battlewright.editions.classic.procedures.resolving_fire import overheat
from battlewright.editions.classic.procedures.seeing import seen_by, target_units
from battlewright.editions.classic.procedures.shooting_phase import expend
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, ClassicUnit, Deed, MoveKind
from battlewright.editions.classic.terrain import Crossing, is_slowed_by
from battlewright.editions.classic.transports import shot_out_of
from battlewright.editions.classic.vehicles import is_walker
from battlewright.editions.classic.weapons import AbilityName
from battlewright.editions.edition import Arrival
from battlewright.editions.fourth.assault import only_its_target
from battlewright.editions.sixth.afflictions import is_struck_down
from battlewright.editions.sixth.allocating import allocate_fire
from battlewright.editions.sixth.chariots import hammer_blows, riders_of
from battlewright.editions.sixth.harming import armour_struck, can_hurt, may_harm
from battlewright.editions.sixth.mysteries import halved, slows_charges

__all__ = [
    "can_hurt",
    "charge_distance",
    "charge_range",
    "foresee_charge",
    "gunners_of",
    "has_bonus",
    "may_fire_overwatch",
    "may_reroll_charge",
    "reaches",
    "why_no_charge",
    "why_not_this",
]

DECLARED = 12.0
"""Inches within which a charge is declared."""
OVERWATCHED = "fired overwatch"
_OVERWATCH, _RANGE = "6e.core.assault.overwatch", "6e.core.assault.declaring"
_TEMPLATE = "6e.core.weapons.template"


# -- whether, and whom ------------------------------------------------------------------------------------------


@rule("6e.core.assault.may-not-charge", "6e.core.assault.disembarked", "6e.core.morale.falling-back-acts")
@rule("6e.outside.assault-vehicle", "6e.chariot-charge.may", "6e.outside.stunned")
def why_no_charge(unit: ClassicUnit, locked: bool = False) -> list[tuple[str, str]]:
    """Why a unit may not charge: rule and clause for each reason; none when it may."""
    found = why_no_assault(unit, locked)
    if unit.has(Deed.FLAT_OUT):
        found.append(("6e.chariot-charge.may", "went flat out this turn"))
    return found


@rule("6e.core.assault.declaring", "6e.outside.charge-distance")
def reaches(gap: float, reach: float) -> bool:
    """Whether a charge may be declared: at a target within 12"."""
    return within(gap, DECLARED)


@rule("6e.core.assault.same-target", "6e.core.assault.declaring", "6e.outside.only-charge-what-you-can-hurt")
@rule("6e.passenger-damage.shooters-may-charge-passengers")
def why_not_this(scene: Scene, state: ClassicState, unit: int, enemy: int) -> list[tuple[str, str]]:
    """Why a unit may not charge an enemy unit: rule and clause for each reason; none when it may."""
    found = []
    if not state.units[enemy].has(shot_out_of(state.units[unit].target)):
        found += [("6e.core.assault.same-target", clause) for _, clause in only_its_target(scene, state, unit, enemy)]
    rows = standing(state, unit)
    target = scene.models[standing(state, enemy)[0]].profile
    found += scene.rules.flight.why_no_charge(state.units[unit], state.units[enemy])
    if enemy not in target_units(scene, state, rows):
        found.append(("6e.core.assault.declaring", "does not see it"))
    if target.armour is not None:
        strikers = [*rows, *riders_of(scene, state, unit)]
        hammers = [hammer_blows(scene.models[row].profile.keywords, 1)[1] for row in rows]
        if not can_hurt(hammers, _weakest(scene, state, enemy)) and not any(
            may_harm(scene, state, row, [enemy], charging=True) for row in strikers
        ):
            found.append(("6e.outside.only-charge-what-you-can-hurt", "has nothing that can harm it"))
    return found


def _weakest(scene: Scene, state: ClassicState, enemy: int) -> int:
    """The lowest armour that blows at a unit of vehicles meet."""
    rows = standing(state, enemy)
    return min(armour_struck(scene, state, row) for row in rows if scene.models[row].profile.armour is not None)


@rule("6e.core.assault.disordered", "6e.core.assault.attacks")
def has_bonus(targets: int) -> bool:
    """Whether models that charge so many units have an attack more: not in a disordered charge."""
    return targets == 1


# -- overwatch --------------------------------------------------------------------------------------------------


@rule("6e.core.assault.overwatch", "6e.core.morale.falling-back-acts", "6e.outside.overwatch")
def may_fire_overwatch(unit: ClassicUnit, *, locked: bool) -> bool:
    """Whether a unit that is charged may fire: once, and neither locked, nor gone to ground, nor falling back."""
    return not (locked or unit.pinned or unit.falling_back or unit.has(OVERWATCHED))


@rule("6e.walker-shooting.overwatch")
def overwatches(profile: ModelProfile) -> bool:
    """Whether a model may fire overwatch: any but vehicles that are no walkers."""
    return not profile.is_vehicle or is_walker(profile.keywords)


def _readied(scene: Scene, state: ClassicState, unit: int, row: int) -> list[Arm]:
    """What a model fires in overwatch: a template, else the first weapon that makes snap shots; a walker each
    of its weapons."""
    profile = scene.models[row].profile
    arms = [
        arm
        for arm in arms_of(scene, state, unit, row)
        if arm.profile.has(AbilityName.TEMPLATE)
        or (not is_barrage(arm.profile) and scene.rules.shooting.may_snap(arm.profile, profile.ballistic_skill))
    ]
    if not profile.is_vehicle:
        return sorted(arms, key=lambda arm: not arm.profile.has(AbilityName.TEMPLATE))[:1]
    return list({arm.weapon: arm for arm in reversed(arms)}.values())[::-1]


@rule("6e.transport-charged.overwatch-from-fire-points")
def gunners_of(scene: Scene, state: ClassicState, unit: int) -> list[int]:
    """The models of a unit that may fire overwatch: all that are on foot, walkers alone of vehicles, and of passengers
    those whom their vehicle lets fire."""
    rows = firing_rows(scene, state, unit)
    return [row for row in rows if overwatches(scene.models[row].profile)]


@rule("6e.core.assault.overwatch", "6e.outside.overwatch", "6e.transport-charged.overwatch-from-fire-points")
def _overwatch(battle: ClassicBattle, unit: int, target: int) -> Procedure[None]:
    """A charged unit may fire at those who charge it, and so may its passengers."""
    for each in (target, *aboard(battle.state, target)):
        yield from _fire_back(battle, unit, each, target)


@rule("6e.core.assault.overwatch", "6e.outside.overwatch", "6e.transport-charged.overwatch-once")
def _fire_back(battle: ClassicBattle, unit: int, firing: int, target: int) -> Procedure[None]:
    """The overwatch of one unit, hitting on a 6 whatever its skill; the nearest fall first.

    Args:
        unit: that charges; ``firing`` that fires; ``target`` where it stands, a vehicle that it is in.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[firing]
    locked = in_combat(scene, state, target)
    if not may_fire_overwatch(state.units[firing], locked=locked) or not standing(state, unit):
        return
    shots = _shots_at(battle, unit, firing, unit_gap(scene, state, unit, target))
    if not shots:
        return
    options = [Option("fire", "fire overwatch", True), Option("hold", "hold fire", False)]
    fires: bool = yield from choose(
        Decision(
            info.side,
            "overwatch",
            f"{scene.units[target].name} is charged by {scene.units[unit].name}: does {info.name} fire overwatch?",
            _OVERWATCH,
            Options(options, rule=_OVERWATCH, default="fire"),
            subject=info.index,
        )
    )
    if not fires:
        return
    state.units[firing].did(OVERWATCHED)
    taken = yield from take_places(battle, firing, list(dict.fromkeys(shot.arm.row for shot in shots)))
    fired = [shot for shot in shots if shot.arm.row in taken]
    expend(battle, firing, fired)
    yield from _resolve_overwatch(battle, unit, firing, fired)


def _shots_at(battle: ClassicBattle, unit: int, firing: int, apart: float) -> list[Shot]:
    """What a unit can fire at those who charge it so many inches away: snap shots, and templates, which make none."""
    scene, state = battle.scene, battle.state
    found = []
    for row in gunners_of(scene, state, firing):
        for arm in _readied(scene, state, firing, row):
            template = arm.profile.has(AbilityName.TEMPLATE)
            shot = replace(shot_of(scene, state.units[firing], replace(arm, snap=not template), apart), arm=arm)
            sees = bool(seen_by(scene, state, arm.place) & set(standing(state, unit)))
            if shot.shots is not None and apart <= shot.reach and sees:
                found.append(shot)
    return found


@rule("6e.core.weapons.template", "6e.core.assault.overwatch", "6e.core.movement.ground-in-a-charge")
def _resolve_overwatch(battle: ClassicBattle, unit: int, firing: int, shots: Sequence[Shot]) -> Procedure[None]:
    """Snap shots at those who charge, and D3 hits of each template, to the last casualty; nobody tests for them."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[firing]
    plain = [shot for shot in shots if not shot.arm.profile.has(AbilityName.TEMPLATE)]
    rows = tuple(standing(state, unit))
    vehicles = scene.models[rows[0]].profile.is_vehicle
    under: list[tuple[Shot, UnitHits]] = []
    for shot in shots:
        if shot not in plain:
            roll = battle.rolled(battle.roll(1, 3, "wall-of-fire"), info.side, _TEMPLATE, unit=info.id).total
            nearest = min(rows, key=lambda row: float(gaps(scene, state, [shot.arm.place], [row]).min()))
            each = UnitHits(unit, (nearest,), 1, ()) if vehicles else UnitHits(unit, rows, roll, ())
            under += [(shot, each)] * (roll if vehicles else 1)
    if vehicles:
        yield from overheat(battle, (yield from fire_at_vehicles(battle, firing, unit, plain, under)))
    else:
        yield from allocate_fire(battle, firing, Aim(unit), plain, under)


# -- how far ----------------------------------------------------------------------------------------------------


@rule("6e.core.assault.difficult-terrain", "6e.outside.charge-distance", "6e.chariot-charge.success")
def charge_distance(faces: Sequence[int], *, difficult: bool) -> int:
    """How far a charge goes, in inches: two dice, of three the two lowest where difficult terrain lies in the way."""
    return sum(sorted(faces)[:2]) if difficult else sum(faces)


@rule("6e.core.movement.charged-on-the-ground")
def strikes_late(*, difficult: bool, down: Sequence[bool]) -> bool:
    """Whether a charge through difficult terrain costs Initiative: not against who lies on the ground.

    Args:
        down: for each unit charged, whether it has gone to ground.
    """
    return difficult and not all(down)


@rule("6e.core.assault.declaring", "6e.core.assault.overwatch", "6e.core.assault.difficult-terrain")
@rule("6e.core.assault.one-at-a-time", "6e.core.assault.charge-moves", "6e.core.movement.ground-in-a-charge")
@rule("6e.core.missions.mysterious-objectives")
def charge_range(battle: ClassicBattle, unit: int, targets: Sequence[int], reach: float) -> Procedure[float]:
    """Overwatch by everybody who is charged, then the dice of the charge; who goes to ground for it stays."""
    scene, state = battle.scene, battle.state
    for target in targets:
        yield from _overwatch(battle, unit, target)
    rows = standing(state, unit)
    if not rows or state.units[unit].pinned:
        return 0.0
    mine, way = state.units[unit], scene.rules.movement.charge_way
    ways = {row: way(mine, scene.models[row].profile) for row in rows}
    difficult = _is_difficult(scene, state, unit, targets)
    faces = _charge_rolled(battle, unit, difficult)
    goals = [row for target in targets for row in standing(state, target)]
    packs = all(scene.models[row].profile.kind is Kind.JUMP and ways[row] is not MoveKind.FOOT for row in rows)
    if may_reroll_charge(traits_of(scene, state, unit), packs=packs):
        gap = float(gaps(scene, state, rows, goals).min()) if goals else 0.0
        faces = yield from _reroll_charge(battle, unit, faces, gap, difficult=difficult)
    down = [state.units[target].pinned for target in targets]
    state.units[unit].charged_through = strikes_late(difficult=difficult, down=down)
    inches = charge_distance(faces, difficult=difficult)
    return float(halved(inches) if any(slows_charges(state.units[target]) for target in targets) else inches)


def _is_difficult(scene: Scene, state: ClassicState, unit: int, targets: Sequence[int]) -> bool:
    """Whether a charge at these units is one through difficult terrain."""
    rows, mine, way = standing(state, unit), state.units[unit], scene.rules.movement.charge_way
    through = crosses_difficult(scene, state, rows, targets) or is_struck_down(traits_of(scene, state, unit))
    ways = {row: way(mine, scene.models[row].profile) for row in rows}
    return any(is_slowed_by(kind_rules(scene, row, ways[row]), Crossing(passes=through)) for row in rows)


@rule("6e.core.assault.declaring")
def foresee_charge(scene: Scene, state: ClassicState, unit: int, target: int) -> Arrival:
    """How likely the dice of a charge carry it as far as the enemy is, overwatch and dice thrown again apart."""
    difficult, gap = _is_difficult(scene, state, unit, [target]), unit_gap(scene, state, unit, target)
    halves = slows_charges(state.units[target])
    throws = list(itertools.product(range(1, 7), repeat=3 if difficult else 2))
    far = [charge_distance(faces, difficult=difficult) for faces in throws]
    enough = sum(within(gap, float(halved(inches) if halves else inches)) for inches in far)
    dice = "the two lowest of 3D6 through difficult terrain" if difficult else "2D6"
    return Arrival(enough / len(throws), f'{dice}{", halved," if halves else ""} against {gap:.1f}"')


@rule("6e.core.special-rules.fleet", "6e.core.units.jump")
def may_reroll_charge(traits: Collection[str], *, packs: bool) -> bool:
    """Whether a unit may throw the dice of its charge again: fleet troops, and jump troops that charge on their packs.

    Args:
        traits: of the unit; ``packs`` whether all of it are jump troops that have not used them this turn.
    """
    return "FLEET" in traits or (packs and "JET PACK" not in traits)


def _charge_rolled(battle: ClassicBattle, unit: int, difficult: bool) -> tuple[int, ...]:
    """The dice of a charge, thrown and recorded with how far they carry."""
    roll, info = battle.roll(3 if difficult else 2, 6, "charge"), battle.scene.units[unit]
    far = charge_distance(roll.faces, difficult=difficult)
    return battle.rolled(roll, info.side, _RANGE, unit=info.id, result=far).faces


def _reroll_charge(
    battle: ClassicBattle, unit: int, faces: tuple[int, ...], gap: float, *, difficult: bool
) -> Procedure[tuple[int, ...]]:
    """The owner says whether the dice are thrown again, the second ones stand."""
    info, far = battle.scene.units[unit], charge_distance(faces, difficult=difficult)
    options = [Option("again", "roll again", True), Option("keep", "keep it", False)]
    again: bool = yield from choose(
        Decision(
            info.side,
            "reroll-charge",
            f'{info.name}: the charge goes {far}", the enemy is {gap:.1f}" away; roll again?',
            _RANGE,
            Options(options, rule=_RANGE, default="keep" if within(gap, far) else "again"),
            subject=info.index,
        )
    )
    if not again:
        return faces
    return _charge_rolled(battle, unit, difficult)
