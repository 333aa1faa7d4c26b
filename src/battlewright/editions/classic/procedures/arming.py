"""What a unit of the 3rd edition fires: which weapons it may use, which its player picks, what each shot is like."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.artillery import crew_may_use_own_weapons, guns_firing
from battlewright.editions.classic.falling_back import counts_as_moved
from battlewright.editions.classic.firing import TWO, Firing
from battlewright.editions.classic.gunnery import Gun
from battlewright.editions.classic.procedures.board import gaps
from battlewright.editions.classic.procedures.vehicle_fire import pick_salvo, readiness_of
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, ClassicUnit, Deed
from battlewright.editions.classic.weapons import (
    AbilityName,
    WeaponProfile,
    WeaponType,
    is_barrage,
    is_blast,
    is_dropped,
)

__all__ = [
    "Arm",
    "Shot",
    "arms_of",
    "is_barrage",
    "is_blast",
    "may_fire_part",
    "pick_arms",
    "shot_of",
]

_SHOOT = "3e.core.shooting.one-weapon"


@dataclass(frozen=True, slots=True)
class Arm:
    """One way for one model to fire: the place of the weapon among its weapons, and the profile.

    Attributes:
        once: whether a pistol that could fire twice holds back to one shot.
        snap: whether it can only make snap shots (other weapons of a vehicle that has moved).
    """

    row: int
    weapon: int
    profile: WeaponProfile
    once: bool = False
    snap: bool = False


@dataclass(frozen=True, slots=True)
class Shot:
    """What an arm fires at a target.

    Attributes:
        distance: inches to the target's nearest model.
        shots: how many; None when it may not fire so.
        guessed: the distance guessed for it, in inches; None where nothing is guessed.
        reach: how far it carries so, in inches.
        snap: whether its shots are snap shots.
        blind: whether it is fired at what its firer does not see in the dark.
    """

    arm: Arm
    distance: float
    shots: DiceExpression | None
    half_range: bool
    reach: float = 0.0
    guessed: float | None = None
    snap: bool = False
    blind: bool = False


@rule("3e.core.weapons.combi", "4e.core.weapons.combi")
def may_fire_part(part: int, fired_this_turn: Collection[int], fired_ever: Collection[int]) -> bool:
    """Whether a part of a combi-weapon may be fired: one part in a turn, and of the second one shot in a game.

    Args:
        part: 0 for the first part, 1 for the second.
        fired_this_turn, fired_ever: parts that have been fired.
    """
    return not fired_this_turn and (part == 0 or part not in fired_ever)


@rule("4e.character-shooting-phase.as-others")
def arms_of(scene: Scene, state: ClassicState, unit: int, row: int) -> list[Arm]:
    """Every way for a model to fire with weapons that it still has; what may not be fired after its move is left out,
    and guess weapons once their player has measured."""
    mine, model, rules = state.units[unit], scene.models[row], scene.rules.shooting
    if model.profile.is_vehicle and not readiness_of(scene, state, unit, row):
        return []
    went = counts_as_moved(mine)
    measured = any(each.has(Deed.MEASURED) for each in state.units if each.side == mine.side)
    found = []
    for place, weapon in enumerate(model.weapons):
        if (row, place) in mine.weapons_lost or (row, place) in mine.intercepted:
            continue
        spent = {1} if (row, place) in mine.parts_spent else frozenset[int]()
        for part, profile in enumerate(weapon.profiles):
            if (
                profile.melee
                or is_dropped(profile)
                or (profile.has(AbilityName.COMBI) and not may_fire_part(part, (), spent))
            ):
                continue
            if profile.has(AbilityName.GUESS) and rules.bars_guess(measured):
                continue
            firing = Firing(moved=rules.fires_as_moved(model.profile, profile, went))
            shots = rules.shots[profile.type](profile, firing)
            snap = rules.snaps(mine, profile, firing.moved)
            if shots is None or (snap and not rules.may_snap(profile, model.profile.ballistic_skill)):
                continue
            found.append(Arm(row, place, profile))
            if profile.type is WeaponType.PISTOL and shots == TWO:
                found.append(Arm(row, place, profile, once=True))
    return found


def shot_of(scene: Scene, mine: ClassicUnit, arm: Arm, distance: float) -> Shot:
    """What an arm fires at this distance, its range apart."""
    profile = scene.models[arm.row].profile
    moved = scene.rules.shooting.fires_as_moved(profile, arm.profile, counts_as_moved(mine))
    firing = Firing(moved=moved, distance=distance, once=arm.once)
    rules = scene.rules.shooting
    shots = rules.shots[arm.profile.type](arm.profile, firing)
    snap = arm.snap or rules.snaps(mine, arm.profile, moved)
    if snap and not rules.may_snap(arm.profile, profile.ballistic_skill):
        shots = None
    if shots is not None:
        mine.did(*rules.deeds(profile, arm.profile, firing, shots))
    reach = rules.reach(arm.profile, firing)
    return Shot(arm, distance, shots, within(distance, arm.profile.range / 2), reach, snap=snap)


@rule("4e.artillery.crew-to-fire", "4e.artillery.no-own-weapons", "3e.core.units.artillery")
def not_firing(scene: Scene, state: ClassicState, unit: int) -> frozenset[int]:
    """The models of a battery that fire nothing: guns that nobody serves, and the crewmen who serve the others.

    RULING: 4e.artillery.no-own-weapons the crewmen who stand first in the list serve the guns that fire.
    """
    rows = standing(state, unit)
    guns = [row for row in rows if scene.models[row].profile.is_vehicle]
    crew = [row for row in rows if row not in guns]
    if not guns or not crew:
        return frozenset()
    firing = guns_firing(gaps(scene, state, guns, crew))
    serving = [crew_may_use_own_weapons(serves_firing_gun=number < firing) for number in range(len(crew))]
    return frozenset([*guns[firing:], *(row for row, free in zip(crew, serving, strict=True) if not free)])


# -- picking ----------------------------------------------------------------------------------------------------


@rule("4e.character-fire.same-target")
def pick_arms(battle: ClassicBattle, unit: int, target: int, *, at_vehicle: bool = False) -> Procedure[list[Arm]]:
    """What each model of a unit fires: those armed alike the same, as many weapons as they may; vehicles what they may.

    Args:
        at_vehicle: whether the target is a vehicle, at which not every edition lets models hold their fire.
    """
    scene, state = battle.scene, battle.state
    loadouts: dict[tuple[tuple[str, str, bool], ...], list[list[Arm]]] = {}
    picked: list[Arm] = []
    idle = not_firing(scene, state, unit)
    for row in (each for each in standing(state, unit) if each not in idle):
        arms = arms_of(scene, state, unit, row)
        if scene.models[row].profile.is_vehicle:
            picked += yield from _pick_of_vehicle(battle, unit, target, row, arms)
        elif arms:
            key = tuple((scene.models[row].weapons[arm.weapon].name, arm.profile.name, arm.once) for arm in arms)
            loadouts.setdefault(key, []).append(arms)
    may_hold = scene.rules.shooting.may_hold_fire(at_vehicle)
    thrown = False
    for key, models in loadouts.items():
        allowed = scene.rules.shooting.weapons_allowed(scene.models[models[0][0].row].profile)
        waiting = [(models, tuple(range(len(key))), allowed)]
        while waiting:
            group, left, more = waiting.pop(0)
            left = tuple(place for place in left if not (thrown and group[0][place].profile.has(AbilityName.GRENADE)))
            if not left or not more:
                continue
            may = may_hold or more < allowed
            place = yield from _pick_one(battle, unit, len(group), key, left, may_hold=may)
            if place is None:
                continue
            others = tuple(each for each in left if group[0][each].weapon != group[0][place].weapon)
            who = group[: throwers(len(group))] if group[0][place].profile.has(AbilityName.GRENADE) else group
            thrown = thrown or who is not group
            picked += [arms[place] for arms in who]
            waiting.insert(0, (who, others, more - 1))
            if len(who) < len(group):
                waiting.insert(1, (group[len(who) :], left, more))
    return picked


@rule("6e.core.weapons.thrown-grenades")
def throwers(armed: int) -> int:
    """How many of so many models with grenades throw one in a phase: one of a unit."""
    return min(armed, 1)


@rule("3e.core.shooting.one-weapon", "3e.outside.vehicle-target")
def _pick_one(
    battle: ClassicBattle,
    unit: int,
    count: int,
    key: Sequence[tuple[str, str, bool]],
    places: Sequence[int],
    *,
    may_hold: bool,
) -> Procedure[int | None]:
    info = battle.scene.units[unit]
    names = [f"{name}: one shot" if once else name for _, name, once in key]
    options = [Option(f"weapon:{place}", f"{count} fire {names[place]}", place) for place in places]
    if may_hold:
        options.append(Option("hold", f"{count} with {names[places[0]]} hold their fire", None))
    picked: int | None = yield from choose(
        Decision(
            info.side,
            "select-weapon",
            f"{info.name}: what do {count} models fire?",
            _SHOOT,
            Options(options, rule=_SHOOT, default=options[0].key),
            subject=info.index,
        )
    )
    return picked


def _pick_of_vehicle(
    battle: ClassicBattle, unit: int, target: int, row: int, arms: Sequence[Arm]
) -> Procedure[list[Arm]]:
    """What a vehicle fires of the weapons that it may fire together."""
    ways = {Gun(arm.weapon, arm.profile): arm for arm in arms if not arm.once}
    salvo = yield from pick_salvo(battle, unit, target, row, list(ways))
    return [replace(ways[gun], snap=snap) for gun, snap in salvo]
