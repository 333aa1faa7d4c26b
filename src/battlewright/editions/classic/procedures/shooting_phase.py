"""The Shooting phase: which units fire, at whom, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.core.shapes import distance_edge_to_point, within
from battlewright.editions.classic.artillery import has_line_of_sight
from battlewright.editions.classic.footwork import SecondMove
from battlewright.editions.classic.gunnery import mount_of
from battlewright.editions.classic.measuring import TARGETER, RangeFrom, shots_are_lost
from battlewright.editions.classic.night import NightShot
from battlewright.editions.classic.procedures.aiming import Aim, select_target, swept_into, targets_of
from battlewright.editions.classic.procedures.arming import (
    Arm,
    Shot,
    arms_of,
    built_in_arms,
    crewmen_of,
    is_barrage,
    is_blast,
    pick_arms,
    shot_of,
)
from battlewright.editions.classic.procedures.board import gaps, in_combat, pose_of, touched_units
from battlewright.editions.classic.procedures.dashing import dash, second_move_of
from battlewright.editions.classic.procedures.fire_points import firing_rows, note_fire
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.procedures.psychic import psychic_shots, use_powers
from battlewright.editions.classic.procedures.resolving_fire import fire_at
from battlewright.editions.classic.procedures.retreat import tests_for_losses
from battlewright.editions.classic.procedures.searchlights import is_lit, offer_light
from battlewright.editions.classic.procedures.seeing import place_of_mount, seen_by
from battlewright.editions.classic.procedures.smoke import launch_smoke, smoke_clears
from battlewright.editions.classic.procedures.splitting_fire import split_fire
from battlewright.editions.classic.procedures.vehicle_fire import mountings
from battlewright.editions.classic.psychic import Moment
from battlewright.editions.classic.scene import ClassicBattle, Scene, living, standing, traits_of_model
from battlewright.editions.classic.state import NOWHERE, ClassicState, Deed, Phase
from battlewright.editions.classic.targets import free_to_shoot
from battlewright.editions.classic.weapons import AbilityName, WeaponType
from battlewright.editions.happenings import AttacksDeclared, AttacksLost, AttacksMade, StageResolved, UnitSelected

__all__ = ["discharge", "expend", "may_fire", "shoot", "shooting_phase"]

_SELECT, _TARGET = "3e.core.shooting.who-may-fire", "3e.shooting.unit-at-unit"


@resumable
@rule("3e.core.shooting.who-may-fire", "3e.fire-morale.test-at-end")
def shooting_phase(battle: ClassicBattle) -> Procedure[None]:
    """The player's units fire one after the other; when he has ended, whoever lost a quarter tests."""
    if battle.state.begin():
        yield from use_powers(battle, Moment.SHOOTING)
        yield from battle.scene.rules.flight.before_shooting(battle)
    while battle.state.step == 1 and (_able(battle) or _dashing(battle)):
        picked = yield from _select(battle)
        if picked is None:
            break
        yield from dash(battle, picked[0]) if isinstance(picked, tuple) else shoot(battle, picked)
    if battle.state.step <= 2:
        battle.state.step = 2
        if battle.scene.rules.vehicles.fire.smoke_in is Phase.SHOOTING:
            yield from launch_smoke(battle)
    if battle.state.begin(3):
        smoke_clears(battle)
        yield from tests_for_losses(battle)


def _able(battle: ClassicBattle) -> list[int]:
    return [unit for unit in range(len(battle.state.units)) if may_fire(battle.scene, battle.state, unit)]


def _dashing(battle: ClassicBattle) -> list[tuple[int, SecondMove]]:
    """The units that may move in place of shooting, with the moves that they have."""
    moves = ((unit, second_move_of(battle.scene, battle.state, unit)) for unit in range(len(battle.state.units)))
    return [(unit, move) for unit, move in moves if move is not None]


@rule("3e.core.shooting.who-may-fire", "3e.partial-contact.free-shoot", "3e.partial-contact.reply")
@rule("4e.assaulting-vehicles.may-stay-and-shoot")
def may_fire(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit may be selected to fire: one that has not, is not kept from it, and has weapons to fire.

    A unit that enemies swept into may, with its models that touch nobody, and back at those enemies.
    """
    mine = state.units[unit]
    if mine.side != state.turn or mine.acted or not (rows := firing_rows(scene, state, unit)):
        return False
    locked = in_combat(scene, state, unit) and not swept_into(scene, state, unit)
    if scene.rules.shooting.why_no_fire(mine, locked):
        return False
    return any(arms_of(scene, state, unit, row) or built_in_arms(scene, state, unit, row, 0) for row in rows)


@resumable
def _select(battle: ClassicBattle) -> Procedure[int | tuple[int] | None]:
    def options() -> list[Option]:
        units = battle.scene.units
        found = [Option(units[unit].id, units[unit].name, unit) for unit in _able(battle)]
        found += [
            Option(f"{units[unit].id}:{move.way}", f"{units[unit].name}: {move.label}", (unit,))
            for unit, move in _dashing(battle)
        ]
        return [*found, Option("end", "end the phase", None)]

    picked: int | tuple[int] | None = yield from choose(
        Decision(
            battle.state.turn,
            "select-unit-to-shoot",
            "Select a unit to fire",
            _SELECT,
            Options(options, rule=_SELECT),
            is_checkpoint=True,
        )
    )
    return picked


# -- firing -----------------------------------------------------------------------------------------------------


@rule("4e.core.shooting.order", "4e.core.fundamentals.declare-before-measuring")
@rule("4e.character-fire.same-target")
@rule("3e.shooting.target-first", "3e.core.shooting.order", "3e.core.shooting.out-of-range", "3e.outside.who-fights")
@rule("3e.core.shooting.guess-first", "3e.core.traits.targeter")
def shoot(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """One unit fires: its target, weapons and guesses, then range and sight are measured; what cannot reach is lost."""
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.shooting
    mine, info = state.units[unit], scene.units[unit]
    mine.acted = True
    if rules.may_measure_first(TARGETER in traits_of(scene, state, unit)):
        mine.did(Deed.MEASURED)
    found = targets_of(scene, state, unit)
    aim = (yield from select_target(battle, unit, found)) if found else None
    if aim is None:
        return
    aim = yield from rules.commit(battle, unit, aim)
    at_vehicle = scene.models[standing(state, aim.unit)[0]].profile.is_vehicle
    arms = yield from pick_arms(battle, unit, aim.unit, at_vehicle=at_vehicle, barrages_only=aim.barrages_only)
    battle.happened(UnitSelected(unit=info.id, to="shoot", rules=(_SELECT,)))
    if not arms:
        battle.happened(AttacksDeclared(unit=info.id, pools=(), rules=(_TARGET,)))
    apart = yield from split_fire(battle, unit, aim, found, arms)
    yield from discharge(battle, unit, aim, [arm for arm in arms if apart is None or arm.row != apart.row])
    if apart is not None and standing(state, apart.aim.unit) and state.wounds[apart.row]:
        yield from discharge(battle, unit, apart.aim, [arm for arm in arms if arm.row == apart.row])
        mine.target = aim.unit
    yield from offer_light(battle, unit, aim.unit)


@rule("3e.shooting.target-first", "3e.core.shooting.order", "3e.core.shooting.out-of-range")
def discharge(battle: ClassicBattle, unit: int, aim: Aim, arms: Sequence[Arm]) -> Procedure[None]:
    """Weapons of a unit are fired at one target: guesses, range and sight first; what cannot reach is lost."""
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.shooting
    mine, info = state.units[unit], scene.units[unit]
    guesses = yield from rules.guess(battle, unit, aim.unit, arms)
    sight = None if is_lit(state, aim.unit) else (yield from rules.spot(battle, unit))
    fired, lost = _measure(battle, unit, aim.unit, arms, guesses, sight)
    if any(arm not in guesses for arm in arms):
        mine.did(Deed.MEASURED)
    if lost:
        names = tuple(shot.arm.profile.name for shot in lost)
        lost_by = ("3e.shooting.target-first",)
        battle.happened(AttacksLost(unit=info.id, weapons=names, why="the target is out of reach", rules=lost_by))
    fired, failed = yield from psychic_shots(battle, aim.unit, fired)
    if failed:
        names = tuple(shot.arm.profile.name for shot in failed)
        lost_by = ("3e.core.characters.psychic-test",)
        battle.happened(AttacksLost(unit=info.id, weapons=names, why="the test has failed", rules=lost_by))
    if not fired or not living(state, unit):
        return
    mine.target = aim.unit
    expend(battle, unit, fired)
    pools: dict[str, int] = {}
    for shot in fired:
        pools[shot.arm.profile.name] = pools.get(shot.arm.profile.name, 0) + 1
    name = scene.units[aim.unit].id
    battle.happened(
        AttacksDeclared(unit=info.id, pools=tuple((gun, count, name) for gun, count in pools.items()), rules=(_TARGET,))
    )
    yield from _resolve(battle, unit, aim, fired)


@rule("6e.core.weapons.one-use")
@rule("3e.core.weapons.combi", "4e.core.weapons.combi")
def expend(battle: ClassicBattle, unit: int, fired: Sequence[Shot]) -> None:
    """Note what fires once a game: weapons of one shot, second parts of combi-weapons."""
    mine, spent = battle.state.units[unit], battle.scene.rules.vehicles.fire.used_up
    for arm in (shot.arm for shot in fired):
        model = battle.scene.models[arm.mount[0]]
        keeper = battle.state.units[mine.embarked] if arm.built_in else mine
        if arm.profile.has(AbilityName.ONE_SHOT) or spent(model.profile.keywords, arm.profile):
            keeper.weapons_lost = keeper.weapons_lost | {arm.mount}
        profiles = model.weapons[arm.weapon].profiles
        if arm.profile.has(AbilityName.COMBI) and arm.profile is not profiles[0]:
            keeper.parts_spent = keeper.parts_spent | {arm.mount}
    if mine.embarked != NOWHERE:
        rows = list(dict.fromkeys(shot.arm.row for shot in fired))
        note_fire(battle, unit, rows, by_own_weapons=not all(shot.arm.built_in for shot in fired))


@rule("3e.partial-contact.free-shoot", "3e.partial-contact.reply", "3e.core.shooting.out-of-range")
@rule("3e.core.missions.night-fighting", "4e.core.missions.night-fighting", "4e.core.weapons.barrage")
def _measure(
    battle: ClassicBattle,
    unit: int,
    target: int,
    arms: Sequence[Arm],
    guesses: Mapping[Arm, float | None],
    sight: float | None,
) -> tuple[list[Shot], list[Shot]]:
    """The shots that can be fired, and those that are lost for range, for sight, for darkness or for having moved.

    RULING: 4e.core.shooting.casualties range is measured to the nearest model that the firer sees, so that nobody fires
    at a unit of which he has some in sight and others in range.

    Args:
        guesses: the distance guessed for each arm whose range is guessed, None where that wastes it.
        sight: how far the firers see in the dark, None by day.
    """
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.shooting
    rows = standing(state, target)
    touched = touched_units(scene, state, unit)
    contact = {row for row in standing(state, unit) if touched and _touches(scene, state, row, touched)}
    free = set(free_to_shoot(standing(state, unit) or [arm.row for arm in arms], contact))
    serving = crewmen_of(scene, state, unit)
    fired: list[Shot] = []
    lost: list[Shot] = []
    for arm in arms:
        indirect = is_barrage(arm.profile)
        in_sight = [row for row in rows if row in seen_by(scene, state, arm.place)]
        goals = rows if indirect or not in_sight else in_sight
        nearest, man = _from_weapon(scene, state, arm, goals), serving.get(arm.row)
        if man is not None:
            nearest = rules.battery_range(nearest, float(gaps(scene, state, [man], goals)[0].min()))
        distance = rules.range_from(RangeFrom(base=nearest, mount=nearest, muzzle=nearest))
        names = traits_of_model(scene, rows[0])
        bearer = traits_of_model(scene, arm.row) | ({"SKYFIRE"} if state.units[unit].has(Deed.SKYFIRE) else set())
        snap = arm.snap or rules.snaps_at(arm.profile, bearer, names, state.units[target].aloft)
        shot = replace(shot_of(scene, state.units[unit], replace(arm, snap=snap), distance), arm=arm)
        how = NightShot.AIMED if sight is None else rules.in_the_dark(arm.profile, distance, sight)
        shot = replace(shot, guessed=guesses.get(arm), blind=how is NightShot.BLIND)
        seen = indirect or bool(in_sight)
        if man is not None:
            crew_sees = any(row in seen_by(scene, state, man) for row in rows)
            seen = has_line_of_sight(gun=seen, crew=crew_sees, barrage=indirect)
        reaches = guesses[arm] is not None if arm in guesses else not shots_are_lost(distance, shot.reach)
        least = arm.profile.ability(AbilityName.MINIMUM)
        reaches = reaches and (arm in guesses or least is None or within(float(least.number or 0), distance))
        able = arm.row in free or target in touched
        good = shot.shots is not None and seen and reaches and able and how is not NightShot.NONE
        (fired if good else lost).append(shot)
    return fired, lost


@rule(
    "6e.walker-measuring.weapons", "6e.walker-shooting.range-and-sight", "6e.skimmer-measuring.weapons-and-fire-points"
)
@rule("6e.flyer-measuring.weapons-and-fire-points")
@rule("3e.range.mount", "3e.range.from-edge")
def _from_weapon(scene: Scene, state: ClassicState, arm: Arm, rows: Sequence[int]) -> float:
    """Inches from a weapon to the nearest of some models: of a vehicle's from where it is mounted, in editions that
    measure so."""
    model = scene.models[arm.place]
    if model.profile.is_vehicle and scene.rules.vehicles.fire.range_from_mount and arm.mount[0] == arm.place:
        spot = mount_of(model.base, mountings(model)[arm.weapon])
        if spot is not None:
            here, theirs = place_of_mount(pose_of(state, arm.place), spot), scene.models
            return min(distance_edge_to_point(theirs[row].base, pose_of(state, row), here) for row in rows)
    return float(gaps(scene, state, [arm.place], rows)[0].min())


def _touches(scene: Scene, state: ClassicState, row: int, units: Sequence[int]) -> bool:
    return any(float(gaps(scene, state, [row], standing(state, unit)).min()) == 0.0 for unit in units)


def _resolve(battle: ClassicBattle, unit: int, aim: Aim, fired: Sequence[Shot]) -> Procedure[None]:
    """Markers and templates are laid first, then everything that hits a unit is resolved together."""
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.shooting
    plain = [shot for shot in fired if not _lays(shot)]
    under = yield from rules.lay(battle, unit, aim.unit, [shot for shot in fired if _lays(shot)])
    before = {each: int(state.wounds[list(state.units[each].models)].sum()) for each in range(len(state.units))}
    alive = {each: len(living(state, each)) for each in before}
    units = dict.fromkeys([aim.unit, *(hits.unit for _, hits in under)])
    for each in units:
        if standing(state, each):
            mine = [(shot, hits) for shot, hits in under if hits.unit == each]
            shots = plain if each == aim.unit else []
            if mine or shots:
                begun = len(battle.events)
                yield from fire_at(battle, unit, aim if each == aim.unit else Aim(each), shots, mine)
                if state.units[each].aloft:
                    yield from scene.rules.flight.after_fire(battle, each, _hits_since(battle, begun, each))
    for each in units:
        lost = before[each] - int(state.wounds[list(state.units[each].models)].sum())
        battle.happened(
            AttacksMade(
                unit=scene.units[unit].id,
                target=scene.units[each].id,
                wounds_lost=lost,
                slain=alive[each] - len(living(state, each)),
                rules=("3e.core.shooting.order",),
            )
        )


def _hits_since(battle: ClassicBattle, begun: int, target: int) -> int:
    """How many shots have hit a unit since so many events had happened."""
    name = battle.scene.units[target].id
    return sum(
        count
        for event in battle.events[begun:]
        if isinstance(event, StageResolved) and event.target == name and event.stage in ("hit", "second try")
        for outcome, count in event.outcomes
        if outcome.endswith("hit")
    )


def _lays(shot: Shot) -> bool:
    profile = shot.arm.profile
    return (
        is_blast(profile)
        or is_barrage(profile)
        or profile.type is WeaponType.ORDNANCE
        or profile.has(AbilityName.TEMPLATE)
    )
