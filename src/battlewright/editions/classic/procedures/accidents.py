"""Carrying moves out, and what difficult terrain does to riders, jump troops and vehicles on the way (3rd edition)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from battlewright.core.bases import Pose
from battlewright.core.battle import Procedure
from battlewright.core.decisions import ModelMove, Place, Violation
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.artillery import dangerous_tests, is_gun
from battlewright.editions.classic.footwork import unit_has_moved
from battlewright.editions.classic.movement import Accident
from battlewright.editions.classic.procedures.crossing import crossings_of
from battlewright.editions.classic.procedures.events import TerrainDared
from battlewright.editions.classic.procedures.ground import are_driven, difficult_of, kind_rules
from battlewright.editions.classic.procedures.harm import bury, lose_wounds
from battlewright.editions.classic.procedures.making_way import nearest_free
from battlewright.editions.classic.procedures.mines import mined, set_off_mines
from battlewright.editions.classic.procedures.moving import MoveSpace
from battlewright.editions.classic.procedures.vehicle_hits import destroy_vehicle, harm_vehicle
from battlewright.editions.classic.scene import ClassicBattle, Scene, own_unit, standing, traits_of_model
from battlewright.editions.classic.state import ClassicState, Deed, MoveKind
from battlewright.editions.classic.terrain import Crossing, suffers_accident
from battlewright.editions.classic.vehicles import is_walker, stood_still
from battlewright.editions.placing import moves
from battlewright.editions.placing.moves import follow, way_length

__all__ = ["carry_out", "dare_vehicle", "foresee_accidents", "note_move", "survivors_of_terrain", "up_to_terrain"]

_STEP = 0.05
"""Inches between the places of a vehicle's way at which it is asked whether it has come to difficult terrain."""


@rule("3e.core.movement.whole-unit-moved", "3e.core.movement.dangerous-by-type")
def carry_out(battle: ClassicBattle, space: MoveSpace, placement: Place) -> Procedure[None]:
    """Move the models of a checked placement: first the dice for difficult terrain, then all that are left move.

    RULING: 3e.jump.end-test and its like we read as thrown before anybody moves: a model that is lost does not move.
    """
    legs = space.legs(placement.moves)
    crossings = crossings_of(battle.scene, battle.state, space.bases, legs, drives=space.drives)
    met = {int(space.rows[index]): [crossing for _, crossing in pieces] for index, pieces in crossings.items()}
    lost = yield from dare(battle, space.unit, met, space.kind)
    stopped: dict[int, ModelMove] = {}
    for row in met:
        profile = battle.scene.models[row].profile
        if profile.is_vehicle and not is_gun(profile):
            move = next(move for move in placement.moves if move.model == row)
            what = yield from dare_vehicle(battle, space, move, met[row])
            if what is DamageResult.DESTROYED or not battle.state.wounds[row]:
                lost.add(row)
            elif what is DamageResult.IMMOBILISED:
                stopped[row] = up_to_terrain(battle, space, move)
    going = [move for move in placement.moves if move.model not in lost and move.model not in stopped and move.path]
    stopped = _clear_of_models(battle, stopped, going)
    moves = [stopped.get(move.model, move) for move in placement.moves if move.model not in lost]
    note_move(battle, space.unit, Place(tuple(move for move in moves if move.path)), space.kind, space.rule)
    if lost:
        battle.state.units[space.unit].moved = True
        bury(battle, lost, "lost in difficult terrain", "3e.core.movement.dangerous-by-type")
    yield from set_off_mines(battle, space.unit, mined(space, legs))


@rule("3e.bikes.assault-test", "3e.cavalry.each-move", "3e.jump.end-test", "3e.jetbikes.both-tests")
@rule("4e.bikes.charge-test", "4e.jetbikes.charge-test", "4e.jump-infantry.fall-back-landing")
@rule("3e.core.vehicles.difficult-terrain")
def survivors_of_terrain(
    battle: ClassicBattle, space: moves.MoveSpace, placement: Place, dared: set[tuple[int, int]] | None = None
) -> Procedure[Place]:
    """A checked move outside the Movement phase without those whom terrain takes off the table on the way.

    Args:
        dared: (row, piece) pairs that earlier parts of one and the same move have thrown their dice for; added to.

    RULING: 3e.core.vehicles.difficult-terrain it holds for the assaults of walkers as for their moves.
    """
    if not placement.moves:
        return placement
    legs = space.legs(placement.moves)
    crossings = crossings_of(
        battle.scene, battle.state, space.bases, legs, drives=are_driven(battle.scene, space.rows.tolist())
    )
    before = frozenset(dared or ())
    met = {
        int(space.rows[index]): [crossing for k, crossing in pieces if (int(space.rows[index]), k) not in before]
        for index, pieces in crossings.items()
    }
    if dared is not None:
        dared |= {(int(space.rows[index]), k) for index, pieces in crossings.items() for k, _ in pieces}
    lost = yield from dare(battle, space.unit, met, MoveKind(space.kind))
    if lost:
        bury(battle, lost, "lost in difficult terrain", "3e.core.movement.dangerous-by-type")
    left: list[ModelMove] = []
    for move in placement.moves:
        profile = battle.scene.models[move.model].profile
        drives = not is_walker(profile.keywords) or space.kind in (MoveKind.ASSAULT, MoveKind.SWEEP)
        if profile.is_vehicle and drives and met.get(move.model):
            left += yield from _dare_charge(battle, space, move, met[move.model])
        elif move.model not in lost:
            left.append(move)
    return Place(tuple(left))


@rule("6e.chariot-charge.dangerous-terrain", "6e.chariot-charge.failed-test")
def _dare_charge(
    battle: ClassicBattle, space: moves.MoveSpace, move: ModelMove, met: list[Crossing]
) -> Procedure[list[ModelMove]]:
    """What is left of the close move of a vehicle that drives: immobilised it stops where the terrain begins."""
    result = yield from dare_vehicle(battle, space, move, met)
    if not battle.state.wounds[move.model]:
        return []
    if result is not DamageResult.IMMOBILISED:
        return [move]
    short = up_to_terrain(battle, space, move)
    return [_clear_of_models(battle, {move.model: short}, ())[move.model]] if short.path else []


@rule("3e.core.movement.whole-unit-moved")
def note_move(battle: ClassicBattle, unit: int, placement: Place, kind: str, *rules: str) -> None:
    """Put the models where a checked placement says and note it: one model that moves, and the whole unit has moved.

    Turning on the spot is no move for anything but a vehicle, whose facing matters.
    RULING: 3e.core.vehicles.movement a vehicle that only turns has not moved either.
    """
    state, info = battle.state, battle.scene.units[unit]
    paths = follow(state, placement, from_here=True)
    lengths = [way_length(way) for _, way in paths]
    furthest = max(lengths, default=0)
    mine = state.units[unit]
    mine.moved = mine.moved or unit_has_moved([length / 1000 for length in lengths])
    mine.moved_distance = max(mine.moved_distance, furthest)
    apart = [math.dist(way[0][:2], way[-1][:2]) for _, way in paths]
    mine.displaced = max(mine.displaced, round(min(apart, default=0.0)))
    gone = {row for (row, _), length in zip(paths, lengths, strict=True) if length}
    if gone and battle.scene.models[min(gone)].profile.is_vehicle:
        mine.did(*(stood_still(row) for row in standing(state, unit) if row not in gone))
    if paths:
        battle.happened(ModelsMoved(unit=info.id, how=str(kind), paths=tuple(paths), rules=rules))


# -- living models -----------------------------------------------------------------------------------------------


@rule(
    "3e.jump.end-test",
    "3e.jump.only-own-models",
    "3e.cavalry.each-move",
    "3e.bikes.full-or-removed",
    "3e.jetbikes.both-tests",
    "3e.characters.joined-still-ic",
)
@rule("4e.core.movement.dangerous-terrain", "6e.core.movement.dangerous-terrain", "6e.outside.dangerous-terrain")
@rule("4e.skilled-rider.reroll", "4e.character-movement.skilled-rider")
def dare(
    battle: ClassicBattle, unit: int, met: dict[int, list[Crossing]], way: MoveKind = MoveKind.NORMAL
) -> Procedure[set[int]]:
    """The dice of models that terrain endangers: one roll for the unit, shared out model by model; returns who is lost.

    Args:
        met: by row, what its move has to do with each piece of terrain.
        way: the way of moving.
    """
    info, needed = battle.scene.units[unit], _dice_for(battle.scene, battle.state, unit, met, way)
    if not needed:
        return set()
    rule_id = "3e.core.movement.dangerous-by-type"
    roll = battle.rolled(battle.roll(sum(needed.values()), 6, "terrain-accident"), info.side, rule_id, unit=info.id)
    faces, first = dict[int, tuple[int, ...]](), 0
    for row, dice in needed.items():
        faces[row], first = _repeated(battle, row, roll.faces[first : first + dice]), first + dice
    hurt = {row: thrown for row, thrown in faces.items() if suffers_accident(thrown)}
    lost = {row for row, thrown in hurt.items() if _is_lost(battle, row, thrown.count(1))}
    battle.happened(TerrainDared(unit=info.id, dice=tuple(faces.items()), lost=tuple(sorted(lost)), rules=(rule_id,)))
    yield from ()
    return lost


def _dice_for(
    scene: Scene, state: ClassicState, unit: int, met: Mapping[int, list[Crossing]], way: MoveKind
) -> dict[int, int]:
    """How many dice each model throws for what its way has to do with terrain; vehicles apart, and who throws none."""
    movement, mine = scene.rules.movement, state.units[unit]
    ways = {
        row: movement.charge_way(mine, scene.models[row].profile) if way is MoveKind.ASSAULT else way for row in met
    }
    needed = {
        row: movement.accident_dice(kind_rules(scene, row, ways[row]), pieces)
        for row, pieces in met.items()
        if not scene.models[row].profile.is_vehicle and not movement.passes_accidents(traits_of_model(scene, row))
    }
    needed |= {row: _dice_of_gun(pieces) for row, pieces in met.items() if is_armed_gun(scene, row)}
    return {row: dice for row, dice in needed.items() if dice}


@rule("3e.core.movement.dangerous-by-type", "3e.core.vehicles.difficult-terrain", "3e.core.missions.minefield")
def foresee_accidents(scene: Scene, state: ClassicState, space: moves.MoveSpace, placement: Place) -> list[Violation]:
    """What dice a move will call for on its way, each with its rule and how many models throw them; it is legal."""
    if not any(move.path for move in placement.moves):
        return []
    legs = space.legs(placement.moves)
    drives = space.drives if isinstance(space, MoveSpace) else are_driven(scene, space.rows.tolist())
    crossings = crossings_of(scene, state, space.bases, legs, drives=drives)
    met = {int(space.rows[index]): [crossing for _, crossing in pieces] for index, pieces in crossings.items()}
    found = []
    if count := len(_dice_for(scene, state, space.unit, met, MoveKind(space.kind))):
        harm = "is lost" if scene.rules.movement.accident is Accident.REMOVED else "loses a wound"
        who = "1 model tests" if count == 1 else f"{count} models test"
        found.append(Violation("3e.core.movement.dangerous-by-type", f"{who} for dangerous terrain: on a 1 it {harm}"))
    ways = {move.model: (_here(state, move.model), *move.path) for move in placement.moves}
    for row, pieces in met.items():
        profile, rules = scene.models[row].profile, scene.rules.vehicles.movement
        if not profile.is_vehicle or is_gun(profile):
            continue
        if dice := sum(rules.terrain_tests(profile.keywords, pieces, way_length(ways[row]) / 1000)):
            times = "" if dice == 1 else f" with {dice} dice"
            text = f"{scene.models[row].name} tests for difficult terrain{times}: a 1 stops it, or worse"
            found.append(Violation("3e.core.vehicles.difficult-terrain", text))
    if count := len(mined(space, legs) if isinstance(space, MoveSpace) else ()):
        who = "1 model crosses" if count == 1 else f"{count} models cross"
        found.append(Violation("3e.core.missions.minefield", f"{who} a minefield: a mine goes off on 4+"))
    return found


def _here(state: ClassicState, row: int) -> tuple[int, int, int, int]:
    x, y, z, facing = (int(value) for value in state.position[row])
    return x, y, z, facing


def is_armed_gun(scene: Scene, row: int) -> bool:
    """Whether a model is a gun that counts as a vehicle."""
    profile = scene.models[row].profile
    return profile.is_vehicle and is_gun(profile)


@rule("4e.artillery.gun-dangerous-test")
def _dice_of_gun(pieces: list[Crossing]) -> int:
    """The dice of one gun for the difficult terrain that it moves in, piece by piece."""
    return sum(dangerous_tests(1, 0) for crossing in pieces if crossing.difficult and crossing.touches)


def _repeated(battle: ClassicBattle, row: int, faces: tuple[int, ...]) -> tuple[int, ...]:
    """A model's dice, those that it may throw again thrown again; nobody keeps one that harms him."""
    scene, owner = battle.scene, own_unit(battle.scene, battle.state, row)
    mine, info = battle.state.units[owner], scene.units[owner]
    kept = list(faces)
    for place, face in enumerate(faces):
        may = scene.rules.movement.rerolls_accident
        if suffers_accident((face,)) and may(
            scene.models[row].profile, joined=mine.joined >= 0, rerolled=mine.has(Deed.REROLLED_TERRAIN)
        ):
            mine.did(Deed.REROLLED_TERRAIN)
            again = battle.roll(1, 6, "terrain-accident")
            kept[place] = battle.rolled(again, info.side, "3e.characters.joined-still-ic", unit=info.id).faces[0]
    return tuple(kept)


def _is_lost(battle: ClassicBattle, row: int, ones: int) -> bool:
    """Whether dice that show so many 1s take a model off the table; where each wounds, a save may help."""
    scene = battle.scene
    if scene.rules.movement.accident is Accident.REMOVED:
        return True
    model, rule_id = scene.models[row], "4e.core.movement.dangerous-terrain"
    needed = model.profile.invulnerable
    if needed is not None:
        roll = battle.roll(ones, 6, "invulnerable-save")
        saves = battle.rolled(roll, model.side, rule_id, unit=scene.unit_of(row).id, needed=needed).faces
        ones = sum(face < needed for face in saves)
    lose_wounds(battle, row, ones, "difficult terrain", rule_id)
    return bool(battle.state.wounds[row] <= 0)


# -- vehicles ----------------------------------------------------------------------------------------------------


@rule("3e.core.vehicles.difficult-terrain", "3e.core.vehicles.skimmer-terrain", "3e.core.vehicles.dozer-blade")
@rule("4e.character-movement.not-for-vehicles", "6e.outside.dangerous-terrain")
def dare_vehicle(
    battle: ClassicBattle, space: moves.MoveSpace, move: ModelMove, met: list[Crossing]
) -> Procedure[DamageResult | None]:
    """The tests of one vehicle for the difficult terrain of its move; the worst counts."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[space.unit]
    profile = scene.models[move.model].profile
    start = tuple(int(value) for value in state.position[move.model])
    moved = way_length(((start[0], start[1], start[2], start[3]), *move.path)) / 1000
    rules = scene.rules.vehicles.movement
    found, rerolled = None, False
    for dice in rules.terrain_tests(profile.keywords, met, moved):
        roll = battle.roll(dice, 6, "vehicle-terrain")
        rule_id = "3e.core.vehicles.difficult-terrain"
        faces = list(battle.rolled(roll, info.side, rule_id, unit=info.id, needed=2).faces)
        while 1 in faces and rules.may_reroll_terrain(profile.abilities, moved, rerolled=rerolled):
            rerolled = True
            again = battle.roll(1, 6, "vehicle-terrain")
            rule_id = "3e.core.vehicles.dozer-blade"
            faces[faces.index(1)] = battle.rolled(again, info.side, rule_id, unit=info.id, needed=2).total
        bad = rules.terrain_result(profile.keywords, faces)
        if bad is not None and (found is None or bad.destroys):
            found = bad
    if found is not None:
        yield from harm_vehicle(battle, move.model, found)
        if state.wounds[move.model] and lose_wounds(
            battle, move.model, rules.terrain_wounds, "difficult terrain", "6e.outside.dangerous-terrain"
        ):
            yield from _worn_out(battle, move.model)
    return found


def _worn_out(battle: ClassicBattle, row: int) -> Procedure[None]:
    """A vehicle that terrain has taken its last hull point from is a wreck."""
    if not battle.state.wounds[row]:
        yield from destroy_vehicle(battle, row, DamageResult.WRECKED)


@rule("6e.skimmer-movement.forced-stop")
def _clear_of_models(
    battle: ClassicBattle, stopped: Mapping[int, ModelMove], going: Sequence[ModelMove]
) -> dict[int, ModelMove]:
    """The parts of their ways after which vehicles had to stop, the ends shifted by as little as need be off whoever is
    there, comrades that have moved on among them.

    Args:
        stopped: by row; ``going`` the moves that are made in full.
    """
    scene, state = battle.scene, battle.state
    before = state.position.copy()
    for move in going:
        state.position[move.model] = move.path[-1]
    found: dict[int, ModelMove] = {}
    for row, move in stopped.items():
        end = nearest_free(scene, state, row, Pose.from_row(move.path[-1] if move.path else before[row]))
        if move.path or (end is not None and end.to_row() != tuple(before[row].tolist())):
            path = (*move.path[:-1], end.to_row()) if end is not None else ()
            found[row] = ModelMove(row, path)
            if path:
                state.position[row] = path[-1]
        else:
            found[row] = move
    state.position[:] = before
    return found


@rule("4e.vehicle-dangerous-terrain.stops-on-failure", "4e.vehicle-dangerous-terrain.stops-at-edge")
def up_to_terrain(battle: ClassicBattle, space: moves.MoveSpace, move: ModelMove) -> ModelMove:
    """The part of a vehicle's way that leads up to difficult terrain; no way at all where it begins there.

    RULING: 3e.core.vehicles.difficult-terrain we read it as stopping a vehicle where it comes to the terrain.
    """
    pieces = difficult_of(battle.scene, battle.state, drives=are_driven(battle.scene, [move.model]))
    base = space.bases.take([space.index[move.model]])
    here = space.state.position[move.model].astype(np.float64) / 1000.0
    done: list[tuple[int, int, int, int]] = []
    for point in move.path:
        end = np.array(point, np.float64) / 1000.0
        length = float(np.hypot(*(end[:2] - here[:2])))
        parts = np.linspace(0.0, 1.0, max(2, math.ceil(length / _STEP) + 1))
        poses = here[None, :] + parts[:, None] * (end - here)[None, :]
        poses[:, 3] = here[3]
        touched = pieces.touched(base.some_at(np.zeros(len(poses), np.intp), poses)).any(axis=1)
        if touched.any():
            first = int(np.argmax(touched))
            if first > 0:
                x, y, z, facing = (round(float(value) * 1000) for value in poses[first - 1])
                done.append((x, y, z, facing))
            break
        done.append(point)
        here = end
    return ModelMove(move.model, tuple(done))
