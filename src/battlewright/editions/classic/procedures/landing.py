"""Coming onto the table: spaces to set up in, and deep strike."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from battlewright.core.bases import Point, Pose
from battlewright.core.battle import Procedure
from battlewright.core.decisions import Decision, ModelMove, Place, opponent
from battlewright.core.events import ModelsMoved, ModelsRemoved
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.arrivals import DeepStrikeRules, Touchdown, deeds_of_deep_strike, lands_at
from battlewright.editions.classic.events import MarkerLaid
from battlewright.editions.classic.markers import scatter_of
from battlewright.editions.classic.procedures.conditions import ALWAYS, Coherent, OneInch
from battlewright.editions.classic.procedures.ground import PLACING, kind_rules
from battlewright.editions.classic.scene import ClassicBattle, Scene, living
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.happenings import UnitDestroyed, UnitInReserves
from battlewright.editions.placing.conditions import Condition
from battlewright.editions.placing.moves import follow
from battlewright.editions.placing.placed import Booleans, Floats, Placed, Surroundings
from battlewright.editions.placing.setting_up import SetUpSpace as NeutralSetUp

__all__ = ["SetUpSpace", "land", "put_on_table"]

_ON_TABLE, _CLEAR, _GROUND = ALWAYS


class SetUpSpace(NeutralSetUp):
    """One unit that comes onto the table: every living model is placed once."""

    placing = PLACING
    scene: Scene
    state: ClassicState


def put_on_table(battle: ClassicBattle, unit: int, placement: Place, *rules: str) -> None:
    """Put a unit's models where a checked placement says."""
    paths = follow(battle.state, placement, from_here=False)
    battle.state.units[unit].deployed = True
    battle.happened(
        ModelsMoved(unit=battle.scene.units[unit].id, how=MoveKind.SET_UP.value, paths=tuple(paths), rules=rules)
    )


# -- deep strike ------------------------------------------------------------------------------------------------


@rule("3e.core.missions.deep-strike", "4e.core.missions.deep-strike", "6e.core.missions.deep-strike")
def land(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """A unit comes down: its owner says where, the place scatters, its models stand round it; some or all may be lost.

    DEVIATION: 3e.core.missions.deep-strike the engine places the models about the point of landing.
    """
    scene, state = battle.scene, battle.state
    rules = scene.rules.movement.arrivals.deep_strike
    rows = living(state, unit)
    aim = yield from _aim(battle, unit, rows, rules.rule)
    centre = _scatter(battle, unit, aim, rules.rule)
    down, poses = _touchdown(scene, state, unit, rows, centre, rules)
    outcome = rules.outcome(down)
    if outcome.mishap:
        yield from _mishap(battle, unit, rules.rule)
        return
    lost = [row for place, row in enumerate(rows) if place in outcome.lost]
    _lose(battle, unit, lost, rules.rule)
    moves = [ModelMove(row, (_thousandths(pose),)) for row, pose in zip(rows, poses, strict=True) if row not in lost]
    if moves:
        _stand(battle, unit, Place(tuple(moves)), rules.rule)


def _stand(battle: ClassicBattle, unit: int, placement: Place, *rules: str) -> None:
    """The unit stands where it has come down; it has moved, as far as its kind moves, and is done with moving."""
    scene, mine = battle.scene, battle.state.units[unit]
    put_on_table(battle, unit, placement, *rules)
    mine.did(*deeds_of_deep_strike())
    mine.in_reserves, mine.ongoing, mine.acted, mine.moved = False, False, True, True
    mine.moved_distance = max(round(1000 * kind_rules(scene, move.model).move) for move in placement.moves)


def _aim(battle: ClassicBattle, unit: int, rows: Sequence[int], rule_id: str) -> Procedure[Point]:
    scene, info, table = battle.scene, battle.scene.units[unit], battle.scene.battlefield
    space = SetUpSpace(
        scene,
        battle.state,
        unit,
        MoveKind.SET_UP,
        rows=rows[:1],
        rule=rule_id,
        region=(0.0, 0.0, table.width, table.height),
        conditions=(*ALWAYS, OneInch()),
    )
    prompt = f"{info.name}: where does it come down?"
    placement = yield Decision(info.side, "deep-strike", prompt, rule_id, space, subject=info.index)
    assert isinstance(placement, Place)
    x, y, _, _ = placement.moves[0].path[-1]
    return (x / 1000.0, y / 1000.0)


def _scatter(battle: ClassicBattle, unit: int, aim: Point, rule_id: str) -> Point:
    info = battle.scene.units[unit]
    faces = battle.rolled(battle.roll(3, 6, "scatter"), info.side, rule_id, unit=info.id).faces
    scatter, centre = scatter_of(faces[0], (faces[1], faces[2])), aim
    if not scatter.hit:
        inches = battle.rolled(battle.roll(2, 6, "scatter-distance"), info.side, rule_id, unit=info.id).faces
        centre = lands_at(aim, scatter, inches)
    where = (round(centre[0] * 1000), round(centre[1] * 1000))
    battle.happened(
        MarkerLaid(unit=info.id, weapon="", centre=where, diameter=0.0, why="deep strike", rules=(rule_id,))
    )
    return centre


def _touchdown(
    scene: Scene, state: ClassicState, unit: int, rows: Sequence[int], centre: Point, rules: DeepStrikeRules
) -> tuple[Touchdown, Floats]:
    """How the unit stands about a point, and where: each model at the first free place of rings round the first.

    Places on other models are passed over; where the models have to keep within some distance, so are all others on
    which nobody may stand.
    """
    around = Surroundings(scene, state, unit, PLACING)
    step = 2 * max(float(scene.reach[row]) for row in rows) + 0.02
    poses, gaps = np.zeros((len(rows), 4)), np.full(len(rows), -1.0)
    spots = _rings(centre, step)
    first = Placed(around, np.array(rows[:1]), np.array([[*centre, 0.0, 0.0]]))
    off_table = not bool(_ON_TABLE.met(first)[0])
    astray = off_table or not bool(_GROUND.met(first)[0]) or bool((first.overlapped & around.foe[None, :]).any())
    for place, row in enumerate(rows):
        for spot in spots:
            pose = np.array([[round(spot[0], 3), round(spot[1], 3), 0.0, 0.0]])
            if rules.faults is not None and rules.faults(centre, [(scene.models[row].base, Pose(*pose[0].tolist()))]):
                break
            free, stands, gap = _stands(around, row, pose)
            if not free or (rules.faults is not None and not stands):
                continue
            poses[place] = pose[0]
            gaps[place] = gap if stands else -1.0
            break
    return Touchdown(off_table, astray, tuple(gaps.tolist())), poses


def _stands(around: Surroundings, row: int, pose: Floats) -> tuple[bool, bool, float]:
    """Whether no friend stands in a place, whether a model may stand there, and inches to the nearest enemy."""
    placed = Placed(around, np.array([row]), pose)
    on: Booleans = np.asarray(_ON_TABLE.met(placed) & _GROUND.met(placed) & _CLEAR.met(placed), dtype=np.bool_)
    friend = placed.overlapped & ~around.foe[None, :]
    gap = float(np.where(around.foe[None, :], placed.gaps, np.inf).min(initial=np.inf))
    stands = bool(on[0]) and gap >= 1.0 - TOLERANCE
    return not bool(friend.any()), stands, gap


def _rings(centre: Point, step: float) -> Iterator[Point]:
    """A point, then rings round it: six places in the first, twelve in the second, and so on."""
    yield centre
    for ring in range(1, 40):
        for place in range(6 * ring):
            turn = 2 * math.pi * place / (6 * ring)
            yield (centre[0] + ring * step * math.cos(turn), centre[1] + ring * step * math.sin(turn))


def _thousandths(pose: Floats) -> tuple[int, int, int, int]:
    x, y, z, facing = (round(float(value) * 1000) for value in pose)
    return x, y, z, facing


def _lose(battle: ClassicBattle, unit: int, rows: Sequence[int], *rules: str) -> None:
    """Models that never come onto the table."""
    if not rows:
        return
    state, info = battle.state, battle.scene.units[unit]
    state.wounds[list(rows)] = 0
    battle.happened(ModelsRemoved(unit=info.id, models=tuple(rows), why="lost in landing", rules=rules))
    if not living(state, unit):
        state.units[unit].in_reserves = False
        battle.happened(UnitDestroyed(unit=info.id, by="", rules=rules))


@rule("6e.core.missions.mishap")
def _mishap(battle: ClassicBattle, unit: int, rule_id: str) -> Procedure[None]:
    """A unit that cannot be placed: destroyed, placed by the opponent, or back into reserve."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    mine, cites = state.units[unit], "6e.core.missions.mishap"
    face = battle.rolled(battle.roll(1, 6, "mishap"), info.side, cites, unit=info.id).faces[0]
    if face == 1:
        _lose(battle, unit, living(state, unit), cites)
        return
    if face <= 3:
        table = scene.battlefield
        conditions: tuple[Condition, ...] = (*ALWAYS, Coherent(), OneInch())
        space = SetUpSpace(
            scene,
            state,
            unit,
            MoveKind.SET_UP,
            rows=living(state, unit),
            rule=cites,
            region=(0.0, 0.0, table.width, table.height),
            conditions=conditions,
        )
        prompt = f"{info.name} has gone astray: where is it put?"
        placement = yield Decision(opponent(info.side), "place-astray", prompt, cites, space, subject=info.index)
        assert isinstance(placement, Place)
        if placement.moves:
            _stand(battle, unit, placement, cites, rule_id)
            return
    mine.ongoing = True
    battle.happened(UnitInReserves(unit=info.id, why="mishap", rules=(cites,)))
