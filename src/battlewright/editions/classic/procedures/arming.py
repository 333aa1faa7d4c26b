"""What a unit of the 3rd edition fires: which weapons it may use, which its player picks, what each shot is like."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.artillery import crew_may_use_own_weapons, crewmen_serving, is_gun
from battlewright.editions.classic.falling_back import counts_as_moved
from battlewright.editions.classic.firing import TWO, Firing
from battlewright.editions.classic.gunnery import Gun, Readiness
from battlewright.editions.classic.measuring import TARGETER
from battlewright.editions.classic.procedures.board import gaps
from battlewright.editions.classic.procedures.fire_points import (
    carrier_of,
    fires_aboard,
    firing_rows,
    has_moved,
    take_places,
)
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.procedures.vehicle_fire import driven, pick_salvo, readiness_of
from battlewright.editions.classic.scene import ClassicBattle, Scene, WeaponInfo, standing
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
    "built_in_arms",
    "crewmen_of",
    "is_barrage",
    "is_blast",
    "may_fire_part",
    "not_firing",
    "pick_arms",
    "shot_of",
]

_SHOOT = "3e.core.shooting.one-weapon"


@dataclass(frozen=True, slots=True)
class Arm:
    """One way for one model to fire: the place of the weapon among its weapons, and the profile.

    Attributes:
        once: whether a pistol that could fire twice holds back to one shot.
        snap: whether it can only make snap shots (other weapons of a vehicle that has moved, passengers of a fast one).
        aboard: the row of the vehicle that it is fired out of, None for one who stands on the table.
        went: whether its bearer counts as having moved since the vehicle has.
        built_in: whether the weapon is one of the vehicle's, which a passenger fires.
    """

    row: int
    weapon: int
    profile: WeaponProfile
    once: bool = False
    snap: bool = False
    aboard: int | None = None
    went: bool = False
    built_in: bool = False

    @property
    def place(self) -> int:
        """The row from whose place it is fired: its bearer's, or of the vehicle that he is in."""
        return self.row if self.aboard is None else self.aboard

    @property
    def mount(self) -> tuple[int, int]:
        """The row among whose weapons the weapon is, and its place there."""
        return self.place if self.built_in else self.row, self.weapon


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


BUILT_IN = "BUILT-IN"
"""What the list says of a weapon in the hull that passengers fire."""


def is_built_in(weapon: WeaponInfo) -> bool:
    """Whether a weapon of a vehicle is fired by passengers, at one of its fire points."""
    return any(text.strip().upper() == BUILT_IN for text in weapon.profiles[0].unknown)


@rule("4e.character-shooting-phase.as-others", "4e.passenger-fire.heavy-weapons", "4e.passenger-fire.may-shoot")
def arms_of(scene: Scene, state: ClassicState, unit: int, row: int) -> list[Arm]:
    """Every way for a model to fire with weapons that it still has; what may not be fired after its move is left out,
    and guess weapons once their player has measured."""
    model = scene.models[row]
    if model.profile.is_vehicle and not readiness_of(scene, state, unit, row):
        return []
    hull = carrier_of(state, unit)
    weapons = [(place, weapon) for place, weapon in enumerate(model.weapons) if not is_built_in(weapon)]
    blank = Arm(row, 0, model.weapons[0].profiles[0], aboard=hull) if model.weapons else None
    found = [] if blank is None else _ways(scene, state, unit, blank, weapons)
    return _in_some_salvo(scene, state, unit, row, found) if model.profile.is_vehicle else found


@rule("4e.vehicle-weapons.speed-limits", "3e.core.vehicles.fire-slow", "6e.outside.vehicle-shooting")
def _in_some_salvo(scene: Scene, state: ClassicState, unit: int, row: int, arms: Sequence[Arm]) -> list[Arm]:
    """Those ways of firing that a vehicle's speed leaves it, alone or with others."""
    guns = [Gun(arm.weapon, arm.profile) for arm in arms]
    ways = scene.rules.vehicles.fire.salvos(scene.models[row].profile.keywords, driven(state.units[unit], row), guns)
    left = {gun for way in ways for gun, _ in way}
    return [arm for arm, gun in zip(arms, guns, strict=True) if gun in left]


@rule("4e.passenger-fire.built-in-exempt")
def built_in_arms(scene: Scene, state: ClassicState, unit: int, row: int, number: int) -> list[Arm]:
    """Every way for a passenger to fire the weapon that is built in at his fire point, if there is one.

    Args:
        number: of his place among those who fire.

    RULING: 4e.passenger-fire.built-in-exempt each weapon in the hull takes one of the fire points of its vehicle.
    """
    hull = carrier_of(state, unit)
    if hull is None:
        return []
    found = [(place, weapon) for place, weapon in enumerate(scene.models[hull].weapons) if is_built_in(weapon)]
    if number >= len(found):
        return []
    blank = Arm(row, 0, found[number][1].profiles[0], aboard=hull, built_in=True)
    return _ways(scene, state, unit, blank, found[number : number + 1])


def _ways(
    scene: Scene, state: ClassicState, unit: int, blank: Arm, weapons: Sequence[tuple[int, WeaponInfo]]
) -> list[Arm]:
    """Every way of firing one of some weapons, each by its place, in the hands of the bearer of a blank arm."""
    mine, rules, profile_of = state.units[unit], scene.rules.shooting, scene.models[blank.row].profile
    ready = Readiness.FULL if blank.aboard is None else fires_aboard(scene, state, unit)
    if ready is Readiness.NONE:
        return []
    went = has_moved(state, unit)
    blank = replace(blank, snap=ready is Readiness.SNAP_SHOTS, went=blank.aboard is not None and went)
    measured = any(each.has(Deed.MEASURED) for each in state.units if each.side == mine.side)
    found = []
    for place, weapon in weapons:
        arm = replace(blank, weapon=place)
        keeper = state.units[mine.embarked] if arm.built_in else mine
        if arm.mount in keeper.weapons_lost or arm.mount in keeper.intercepted:
            continue
        spent = {1} if arm.mount in keeper.parts_spent else frozenset[int]()
        for part, profile in enumerate(weapon.profiles):
            if (
                profile.melee
                or is_dropped(profile)
                or (profile.has(AbilityName.COMBI) and not may_fire_part(part, (), spent))
            ):
                continue
            if profile.has(AbilityName.GUESS) and rules.bars_guess(measured):
                continue
            firing = Firing(moved=rules.fires_as_moved(profile_of, profile, went))
            shots = rules.shots[profile.type](profile, firing)
            snap = arm.snap or rules.snaps(mine, profile, firing.moved)
            if shots is None or (snap and not rules.may_snap(profile, profile_of.ballistic_skill)):
                continue
            found.append(replace(arm, profile=profile))
            if profile.type is WeaponType.PISTOL and shots == TWO:
                found.append(replace(arm, profile=profile, once=True))
    return found


def shot_of(scene: Scene, mine: ClassicUnit, arm: Arm, distance: float) -> Shot:
    """What an arm fires at this distance, its range apart."""
    profile = scene.models[arm.row].profile
    moved = scene.rules.shooting.fires_as_moved(profile, arm.profile, arm.went or counts_as_moved(mine))
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


@rule("4e.artillery.crew-to-fire", "3e.core.units.artillery")
def crewmen_of(scene: Scene, state: ClassicState, unit: int) -> dict[int, int]:
    """The rows of the guns of a battery that may fire, each with its crewman's."""
    rows = standing(state, unit)
    guns = [row for row in rows if is_gun(scene.models[row].profile) and scene.models[row].profile.is_vehicle]
    crew = [row for row in rows if row not in guns]
    if not guns or not crew:
        return {}
    return {guns[gun]: crew[man] for gun, man in crewmen_serving(gaps(scene, state, guns, crew)).items()}


@rule("4e.artillery.crew-to-fire", "4e.artillery.no-own-weapons", "3e.core.units.artillery")
def not_firing(scene: Scene, state: ClassicState, unit: int) -> frozenset[int]:
    """The models of a battery that fire nothing: guns that nobody serves, and the crewmen who serve the others."""
    profiles = {row: scene.models[row].profile for row in standing(state, unit)}
    guns = [row for row, profile in profiles.items() if is_gun(profile) and profile.is_vehicle]
    if not guns or len(guns) == len(profiles):
        return frozenset()
    serving = crewmen_of(scene, state, unit)
    busy = [man for man in serving.values() if not crew_may_use_own_weapons(serves_firing_gun=True)]
    return frozenset([*(gun for gun in guns if gun not in serving), *busy])


# -- picking ----------------------------------------------------------------------------------------------------


@rule("4e.character-fire.same-target")
def pick_arms(
    battle: ClassicBattle, unit: int, target: int, *, at_vehicle: bool = False, barrages_only: bool = False
) -> Procedure[list[Arm]]:
    """What each model of a unit fires: those armed alike the same, as many weapons as they may; vehicles what they may.

    Args:
        at_vehicle: whether the target is a vehicle, at which not every edition lets models hold their fire.
        barrages_only: whether whoever has no barrage holds his fire.
    """
    scene, state = battle.scene, battle.state
    loadouts: dict[tuple[tuple[str, str, bool], ...], list[list[Arm]]] = {}
    picked: list[Arm] = []
    idle = not_firing(scene, state, unit)
    able = {row: arms_of(scene, state, unit, row) for row in firing_rows(scene, state, unit) if row not in idle}
    if barrages_only:
        able = {row: [arm for arm in arms if is_barrage(arm.profile)] for row, arms in able.items()}
    able = {row: arms for row, arms in able.items() if arms or built_in_arms(scene, state, unit, row, 0)}
    measured = scene.rules.shooting.may_measure_first(TARGETER in traits_of(scene, state, unit))
    for number, row in enumerate((yield from take_places(battle, unit, list(able)))):
        arms = [*able[row], *built_in_arms(scene, state, unit, row, number)]
        if measured:
            arms = [arm for arm in arms if _may_reach(scene, state, unit, target, arm)]
        if scene.models[row].profile.is_vehicle:
            picked += yield from _pick_of_vehicle(battle, unit, target, row, arms)
        elif arms:
            key = tuple((_name_of(scene, arm), arm.profile.name, arm.once) for arm in arms)
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
            ways = [(each, group[0][each]) for each in left]
            place = yield from _pick_one(battle, unit, target, len(group), ways, may_hold=may, measured=measured)
            if place is None:
                continue
            others = tuple(each for each in left if group[0][each].mount != group[0][place].mount)
            who = group[: throwers(len(group))] if group[0][place].profile.has(AbilityName.GRENADE) else group
            thrown = thrown or who is not group
            picked += [arms[place] for arms in who]
            waiting.insert(0, (who, others, more - 1))
            if len(who) < len(group):
                waiting.insert(1, (group[len(who) :], left, more))
    return picked


@rule("3e.shooting.special-premeasure")
def _may_reach(scene: Scene, state: ClassicState, unit: int, target: int, arm: Arm) -> bool:
    """Whether a weapon carries as far as the nearest model of the target, for units that may measure that first."""
    profile, rules = scene.models[arm.row].profile, scene.rules.shooting
    if arm.profile.has(AbilityName.GUESS) or is_gun(scene.models[arm.row].profile):
        return True
    went = arm.went or counts_as_moved(state.units[unit])
    firing = Firing(moved=rules.fires_as_moved(profile, arm.profile, went), once=arm.once)
    nearest = float(gaps(scene, state, [arm.place], standing(state, target))[0].min())
    return within(nearest, rules.reach(arm.profile, firing))


def _name_of(scene: Scene, arm: Arm) -> str:
    row, place = arm.mount
    return scene.models[row].weapons[place].name


@rule("6e.core.weapons.thrown-grenades")
def throwers(armed: int) -> int:
    """How many of so many models with grenades throw one in a phase: one of a unit."""
    return min(armed, 1)


@rule("3e.core.shooting.one-weapon", "3e.outside.vehicle-target")
def _pick_one(
    battle: ClassicBattle,
    unit: int,
    target: int,
    count: int,
    arms: Sequence[tuple[int, Arm]],
    *,
    may_hold: bool,
    measured: bool,
) -> Procedure[int | None]:
    """Ask for one of the ways of firing that so many models have, each with its place among all of them."""
    info = battle.scene.units[unit]
    options = [
        Option(
            f"weapon:{place}",
            f"{arm.profile.name}{', one shot' if arm.once else ''}: {arm.profile.in_short}",
            place,
            weapons=(arm.profile.name,),
            settings=(("once", True),) if arm.once else (),
        )
        for place, arm in arms
    ]
    if may_hold:
        options.append(Option("hold", f"{'it holds its' if count == 1 else 'they hold their'} fire", None))
    picked: int | None = yield from choose(
        Decision(
            info.side,
            "select-weapon",
            f"{info.name}: what {'does 1 model' if count == 1 else f'do {count} models'} fire?"
            f"{'' if measured else ' Range is measured afterwards.'}",
            _SHOOT,
            Options(options, rule=_SHOOT, default=options[0].key),
            subject=info.index,
            target=battle.scene.units[target].index,
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
