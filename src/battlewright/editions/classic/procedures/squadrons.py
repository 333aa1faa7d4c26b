"""Squadrons when their moves are over: vehicles that are left behind, and drives that have torn them apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.events import VehicleLeftBehind
from battlewright.editions.classic.procedures.board import gaps, in_combat
from battlewright.editions.classic.procedures.ground import is_squadron_vehicle
from battlewright.editions.classic.procedures.moving import largest_group
from battlewright.editions.classic.procedures.vehicle_hits import destroy_vehicle
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import NOWHERE, ClassicState, Deed
from battlewright.editions.classic.vehicles import SQUADRON_COHERENCY

__all__ = ["abandon_vehicles", "leave_behind"]

_RULE = "3e.core.vehicles.squadrons"


@rule("3e.core.vehicles.squadrons")
def abandon_vehicles(battle: ClassicBattle) -> Procedure[None]:
    """The end of a Movement phase: vehicles that cannot move and were left behind are given up; and where tanks that
    were stopped have torn a squadron apart, its owner says which part he keeps."""
    scene, state = battle.scene, battle.state
    given_up = scene.rules.vehicles.movement.is_abandoned
    for info in scene.units_of(state.turn):
        unit, mine = int(info.index), state.units[info.index]
        if mine.moved:
            leave_behind(battle, unit)
        rows = standing(state, unit)
        if len(rows) < 2 or not all(is_squadron_vehicle(scene, row) for row in rows):
            continue
        disabled = mine.stunned | mine.immobilised
        lost = [
            row
            for row in rows
            if row in disabled
            and given_up(
                immobilised=row in mine.immobilised,
                stunned=row in mine.stunned,
                gap=float(gaps(scene, state, [row], [each for each in rows if each != row]).min()),
            )
        ]
        yield from _give_up(battle, lost)
        if mine.has(Deed.TANK_SHOCKED):
            yield from _keep_a_part(battle, unit)


@rule("6e.outside.squadrons")
def leave_behind(battle: ClassicBattle, unit: int) -> None:
    """When a squadron has moved, vehicles that cannot move and that it has left out of coherency are units of their own
    where the edition says so.

    RULING: 6e.outside.squadrons whoever rides in a squadron stays with those of it that go on.
    """
    scene, state = battle.scene, battle.state
    judge, mine = scene.rules.vehicles.movement.left_behind, state.units[unit]
    rows = [row for row in standing(state, unit) if scene.models[row].part != NOWHERE]
    if judge is None or len(rows) < 2 or mine.aloft or in_combat(scene, state, unit):
        return
    near = (gaps(scene, state, rows, rows) <= SQUADRON_COHERENCY + TOLERANCE).tolist()
    for place in judge([row in mine.immobilised for row in rows], near):
        _divide(battle, unit, rows[place])


def _divide(battle: ClassicBattle, unit: int, row: int) -> None:
    """A vehicle is a unit of its own: what befell it stays with it, what its squadron did holds for it."""
    scene, state = battle.scene, battle.state
    part, mine = scene.models[row].part, state.units[unit]
    theirs = mine.copy()
    theirs.models, mine.models = (row,), tuple(each for each in mine.models if each != row)
    for name in _BY_ROW:
        rows: frozenset[int] = getattr(mine, name)
        setattr(theirs, name, rows & {row})
        setattr(mine, name, rows - {row})
    for name in _BY_ROW_AND_MORE:
        pairs: frozenset[tuple[int, object]] = getattr(mine, name)
        own = frozenset(pair for pair in pairs if pair[0] == row)
        setattr(theirs, name, own)
        setattr(mine, name, pairs - own)
    mine.starting_strength -= 1
    mine.phase_strength -= 1
    theirs.starting_strength = theirs.phase_strength = 1
    theirs.moved, theirs.moved_distance, theirs.displaced, theirs.last_way = False, 0, 0, ""
    theirs.acted = mine.acted and not mine.has(Deed.FLAT_OUT)
    theirs.deeds = theirs.deeds - {Deed.FLAT_OUT, Deed.RAN}
    state.units[part] = theirs
    ids = scene.units[part].id, scene.units[unit].id
    battle.happened(VehicleLeftBehind(unit=ids[0], left=ids[1], model=row, rules=("6e.outside.squadrons",)))


_BY_ROW = ("shaken", "stunned", "dazed_late", "immobilised")
_BY_ROW_AND_MORE = ("weapons_lost", "parts_spent", "known", "locked", "intercepted")
"""What the state of a unit keeps of its models, one by one."""


def _give_up(battle: ClassicBattle, rows: Collection[int]) -> Procedure[None]:
    for row in rows:
        battle.state.wounds[row] = 0
        yield from destroy_vehicle(battle, row, DamageResult.DESTROYED)


def parts_of(scene: Scene, state: ClassicState, rows: Sequence[int]) -> list[list[int]]:
    """The groups that keep coherency, the largest first."""
    left, found = list(rows), []
    while left:
        near = gaps(scene, state, left, left) <= SQUADRON_COHERENCY + TOLERANCE
        group = largest_group(np.asarray(near, dtype=np.bool_))
        found.append([left[place] for place in sorted(group)])
        left = [row for place, row in enumerate(left) if place not in group]
    return found


@rule("4e.squadron-movement.tank-shock-broken")
def _keep_a_part(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """Of a squadron whose tanks were stopped out of coherency one part is kept."""
    scene, info = battle.scene, battle.scene.units[unit]
    parts = parts_of(scene, battle.state, standing(battle.state, unit))
    if len(parts) < 2:
        return
    rule_id = "4e.squadron-movement.tank-shock-broken"
    options = [
        Option("keep:" + "-".join(map(str, part)), f"keep models {', '.join(map(str, part))}", place)
        for place, part in enumerate(parts)
    ]
    kept: int = yield from choose(
        Decision(
            info.side,
            "abandon-vehicles",
            f"{info.name} is torn apart: which of its vehicles go on?",
            rule_id,
            Options(options, rule=rule_id, default=options[0].key),
            subject=info.index,
        )
    )
    yield from _give_up(battle, [row for place, part in enumerate(parts) if place != kept for row in part])
