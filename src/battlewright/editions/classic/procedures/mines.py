"""Minefields: what goes off under whoever crosses them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import numpy as np

from battlewright.attacks.description import amount
from battlewright.core.battle import Procedure
from battlewright.core.dice import DiceExpression
from battlewright.core.footprints import Polygons
from battlewright.core.rulebook import rule
from battlewright.core.sweeps import Sweeps
from battlewright.editions.classic.arrivals import MINE_STRENGTH, mine_goes_off
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.procedures.moving import MoveSpace
from battlewright.editions.classic.procedures.troop_hits import hits_on_troops
from battlewright.editions.classic.procedures.vehicle_hits import attack_vehicle
from battlewright.editions.classic.procedures.volleys import Batch
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import ClassicBattle, Scene
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import Strength, WeaponProfile, WeaponType
from battlewright.editions.placing.ways import Legs

__all__ = ["mined", "set_off_mines"]

MINED: Final = "minefield"
"""The tag of an area that is mined."""
_RULE: Final = "3e.core.missions.minefield"


def _minefields(scene: Scene) -> Polygons:
    found = scene.cache.get("minefields")
    if found is None:
        areas = [area.polygon for area in scene.battlefield.areas if MINED in area.tags]
        found = scene.cache["minefields"] = Polygons.of(areas)
    return cast(Polygons, found)


def mined(space: MoveSpace, legs: Legs) -> list[int]:
    """The rows of the models whose way leads into, through or out of a minefield."""
    fields = _minefields(space.scene)
    if not len(fields):
        return []
    crossed = Sweeps.legs(space.bases, legs.starts, legs.ends, legs.owners).cross(fields).any(axis=1)
    return [int(space.rows[index]) for index in np.flatnonzero(crossed) if not space.flies[index]]


@rule("3e.core.missions.minefield")
def set_off_mines(battle: ClassicBattle, unit: int, rows: Sequence[int]) -> Procedure[None]:
    """Each model that has crossed a minefield sets a mine off on 4+, once it has moved.

    RULING: 3e.core.missions.minefield we read it model by model, troops being hit alone and vehicles from below, where
    their armour is that of the rear; who flies over it is safe.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    there = [row for row in rows if state.wounds[row] > 0 and state.on_table[row]]
    if not there:
        return
    faces = battle.rolled(battle.roll(len(there), 6, "mines"), info.side, _RULE, unit=info.id).faces
    for row, face in zip(there, faces, strict=True):
        if not mine_goes_off(face):
            continue
        if scene.models[row].profile.is_vehicle:
            yield from _under_a_vehicle(battle, unit, row)
        else:
            yield from hits_on_troops(battle, unit, unit, [row], 1, MINE_STRENGTH, "mine")


def _under_a_vehicle(battle: ClassicBattle, unit: int, row: int) -> Procedure[None]:
    scene, state = battle.scene, battle.state
    weapon = WeaponProfile("mine", WeaponType.ASSAULT, 0.0, Strength(MINE_STRENGTH), None, DiceExpression(0, 0, 1))
    model = TargetModel(scene.models[row].profile, int(state.wounds[row]), None, row)
    view = TargetView((model,), facing=Facing.REAR)
    volley = compile_volley(scene.rules.attack, weapon, 1, AttackContext(skill=0, hits=amount(1)), view)
    yield from attack_vehicle(battle, unit, unit, row, Batch(volley, ()))
