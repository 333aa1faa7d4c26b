"""What a vehicle fires: the weapons that bear on its target, of those the ones that it may fire together."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from battlewright.core.bases import to_inches
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.gunnery import (
    ALL_ROUND,
    Driven,
    Gun,
    Mounting,
    Readiness,
    Salvo,
    mount_of,
    mounting_of,
)
from battlewright.editions.classic.procedures.board import pose_of, unit_in
from battlewright.editions.classic.procedures.conditions import ALWAYS
from battlewright.editions.classic.procedures.damaging import vehicle_condition
from battlewright.editions.classic.procedures.ground import PLACING
from battlewright.editions.classic.procedures.seeing import seen_by, seen_from_mount
from battlewright.editions.classic.scene import ClassicBattle, ModelInfo, Scene, WeaponInfo, standing
from battlewright.editions.classic.state import ClassicState, ClassicUnit, Deed, MoveKind
from battlewright.editions.classic.vehicles import went_flat_out
from battlewright.editions.classic.weapons import is_barrage
from battlewright.editions.placing.conditions import gaps_to_rows
from battlewright.editions.placing.placed import Placed, Surroundings

__all__ = ["angle_to", "brings_to_bear", "driven", "mountings", "pick_salvo", "readiness_of"]

_FIRE = "3e.core.vehicles.fire-slow"
_FACE = "3e.core.vehicles.one-target"


@rule("4e.squadron-shooting.weapons-by-distance")
def driven(mine: ClassicUnit, row: int) -> Driven:
    """How a vehicle of a unit moved this turn."""
    fast = went_flat_out(mine.deeds, row)
    return Driven(mine.moved_distance / 1000, fast, aloft=mine.aloft, bombed=mine.has(Deed.BOMBED))


def readiness_of(scene: Scene, state: ClassicState, unit: int, row: int) -> Readiness:
    """How much a vehicle may fire."""
    smoked = state.units[unit].has(Deed.SMOKED)
    return scene.rules.vehicles.fire.readiness(vehicle_condition(scene, state, row), smoked)


def mountings(model: ModelInfo) -> tuple[Mounting, ...]:
    """The mounting of each weapon of a vehicle, in order."""
    found: list[Mounting] = []
    sponsons = 0
    for weapon in model.weapons:
        mounting = mounting_of(weapon.profiles[0], sponsons)
        sponsons += mounting in (Mounting.LEFT, Mounting.RIGHT)
        found.append(mounting)
    return tuple(found)


def angle_to(state: ClassicState, row: int, other: int) -> float:
    """Degrees from a model's front to another model, from -180 to 180, to the left if positive."""
    here, there = pose_of(state, row), pose_of(state, other)
    off = math.degrees(math.atan2(there.y - here.y, there.x - here.x)) - here.facing
    return (off + ALL_ROUND) % (2 * ALL_ROUND) - ALL_ROUND


@rule("3e.core.vehicles.one-target")
def _bearing(scene: Scene, state: ClassicState, row: int, target: int, guns: Sequence[Gun]) -> list[Gun]:
    """The weapons that can be brought to bear on some model of the target that the vehicle sees, as it stands."""
    model, bears = scene.models[row], scene.rules.vehicles.fire.bears
    theirs = [other for other in standing(state, target) if other in seen_by(scene, state, row)]
    how = mountings(model)
    found = []
    for gun in guns:
        mounting = how[gun.weapon]
        indirect = not theirs or is_barrage(gun.profile)
        seen = standing(state, target) if indirect else _seen_by_gun(scene, state, row, mounting, theirs)
        if any(bears(model.profile.keywords, mounting, angle_to(state, row, other)) for other in seen):
            found.append(gun)
    return found


@rule("3e.core.vehicles.one-target", "3e.range.mount", "4e.vehicle-los.los-needed")
def brings_to_bear(scene: Scene, state: ClassicState, row: int, target: int, guns: Sequence[Gun]) -> bool:
    """Whether a vehicle can bring one of these weapons to bear on a unit: as it stands, or where it may turn to face
    it."""
    rules, mine = scene.rules.vehicles.fire, state.units[unit_in(state, row)]
    if not guns:
        return False
    fixed = row in mine.immobilised | mine.stunned
    turns = rules.may_turn(scene.models[row].profile.keywords, driven(mine, row), fixed)
    return turns or bool(_bearing(scene, state, row, target, guns))


@rule("4e.vehicle-los.from-weapon")
def _seen_by_gun(scene: Scene, state: ClassicState, row: int, mounting: Mounting, seen: Sequence[int]) -> Sequence[int]:
    """Those of the models that a vehicle sees to which the line from a weapon of that mounting is clear."""
    spot = mount_of(scene.models[row].base, mounting) if scene.rules.vehicles.fire.from_mount else None
    if spot is None:
        return seen
    clear = seen_from_mount(scene, state, row, spot, top=mounting is Mounting.TURRET)
    return [other for other in seen if other in clear]


@rule("3e.core.weapons.ordnance-alone", "3e.core.vehicles.fire-slow", "3e.core.vehicles.one-target")
def pick_salvo(battle: ClassicBattle, unit: int, target: int, row: int, guns: Sequence[Gun]) -> Procedure[Salvo]:
    """What a vehicle fires at its unit's target: it is asked where it has a choice."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    rules, mine, model = scene.rules.vehicles.fire, state.units[unit], scene.models[row]
    ready = readiness_of(scene, state, unit, row)
    if ready is Readiness.NONE:
        return ()
    bearing = _bearing(scene, state, row, target, guns)
    if (
        len(bearing) < len(guns)
        and rules.may_turn(model.profile.keywords, driven(mine, row), row in mine.immobilised | mine.stunned)
        and has_room(scene, state, row, facing_of_turn(state, row, target))
    ):
        others = [gun for gun in guns if gun not in bearing]
        yield from _turn(battle, unit, target, row, worth_it=_might(others) > _might(bearing))
        bearing = _bearing(scene, state, row, target, guns)
    ways = rules.salvos(model.profile.keywords, driven(mine, row), bearing)
    if ready is Readiness.SNAP_SHOTS:
        ways = list(dict.fromkeys(tuple((gun, True) for gun, _ in way) for way in ways))
    if len(ways) <= 1:
        return ways[0] if ways else ()
    options = [
        Option(f"way:{place}", _label(model.weapons, way), place, weapons=tuple(gun.profile.name for gun, _ in way))
        for place, way in enumerate(ways)
    ]
    place: int = yield from choose(
        Decision(
            info.side,
            "select-weapon",
            f"{info.name}{_which(scene, state, unit, row)}: which weapons fire?",
            _FIRE,
            Options(options, rule=_FIRE, default="way:0"),
            subject=info.index,
            target=scene.units[target].index,
        )
    )
    return ways[place]


def _which(scene: Scene, state: ClassicState, unit: int, row: int) -> str:
    """Which of several vehicles or guns of a unit a question is about: its name, its number, and of how many."""
    name = scene.models[row].name
    same = [other for other in standing(state, unit) if scene.models[other].name == name]
    return f", {name} {same.index(row) + 1} of {len(same)}" if len(same) > 1 and row in same else ""


_FEW = 2
"""So many guns together are told with their characteristics."""


def _label(weapons: Sequence[WeaponInfo], way: Salvo) -> str:
    """The guns of a salvo by name, alike ones counted; of a few, and of those with several profiles, what they do."""
    counted: dict[str, int] = {}
    for gun, snap in way:
        told = len(way) <= _FEW or len(weapons[gun.weapon].profiles) > 1
        text = f"{gun.profile.name}{' (snap shots)' if snap else ''}{f': {gun.profile.in_short}' if told else ''}"
        counted[text] = counted.get(text, 0) + 1
    return " + ".join(f"{count} × {text}" if count > 1 else text for text, count in counted.items())


def facing_of_turn(state: ClassicState, row: int, target: int) -> int:
    """The facing, in thousandths of a degree, of a vehicle that has turned to the nearest model of its target."""
    here = pose_of(state, row)
    nearest = min(standing(state, target), key=lambda other: math.dist(here[:2], pose_of(state, other)[:2]))
    return int(round(int(state.position[row, 3]) + 1000 * angle_to(state, row, nearest)) % 360_000)


def has_room(scene: Scene, state: ClassicState, row: int, facing: int) -> bool:
    """Whether a hull may turn on the spot to a facing: on the table, on ground it may stand on, on nobody else."""
    unit = unit_in(state, row)
    pose = to_inches(state.position[[row]])
    pose[0, 3] = facing / 1000
    placed = Placed(Surroundings(scene, state, unit, PLACING), np.array([row]), pose)
    mates = [other for other in standing(state, unit) if other != row]
    clear = not mates or float(gaps_to_rows(placed, mates).min()) >= -TOLERANCE
    return clear and all(bool(condition.met(placed)[0]) for condition in ALWAYS)


def _might(guns: Sequence[Gun]) -> int:
    """The Strength of the strongest of some weapons, -1 where there are none."""
    return max((gun.profile.strength.of(0) for gun in guns), default=-1)


def _turn(battle: ClassicBattle, unit: int, target: int, row: int, *, worth_it: bool) -> Procedure[None]:
    """A vehicle may turn on the spot to face its target; it has not moved by that.

    Args:
        worth_it: whether the strongest of its weapons does not bear as it stands, so that it turns by default.
    """
    state, info = battle.state, battle.scene.units[unit]
    options = [Option("turn", "turn to face the target", True), Option("stay", "stay as it is", False)]
    turns: bool = yield from choose(
        Decision(
            info.side,
            "turn-to-fire",
            f"{info.name}: not every weapon bears on the target",
            _FACE,
            Options(options, rule=_FACE, default="turn" if worth_it else "stay"),
            subject=info.index,
        )
    )
    if not turns:
        return
    before = tuple(int(value) for value in state.position[row])
    state.position[row, 3] = facing_of_turn(state, row, target)
    after = tuple(int(value) for value in state.position[row])
    path = ((before[0], before[1], before[2], before[3]), (after[0], after[1], after[2], after[3]))
    battle.happened(ModelsMoved(unit=info.id, how=MoveKind.TURN, paths=((row, path),), rules=(_FACE,)))
