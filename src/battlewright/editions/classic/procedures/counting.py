"""What the sides have when a battle is over: points for losses, quarters of the table, zones, counters."""

from __future__ import annotations

import math

from battlewright.core.bases import Polygon, holds_point, to_inches
from battlewright.core.decisions import SIDES, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.core.shapes import inside_rectangle
from battlewright.editions.classic.cleanse import quarter_of, quarters_held
from battlewright.editions.classic.missions import Count, Line, Scorer, mission_of
from battlewright.editions.classic.scene import ClassicBattle, Scene, UnitInfo, own_rows, standing
from battlewright.editions.classic.scoring import Remains
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.happenings import Scored

__all__ = [
    "centre",
    "counters_held",
    "end_of_battle",
    "enemy_zone",
    "for_counters",
    "for_losses",
    "holders_of",
    "in_enemy_zone",
    "lines_of",
    "near_the_centre",
    "places",
    "points_each",
    "quarters",
    "quarters_of",
    "scoring_left",
    "victory_points",
    "way_to",
]

Point = tuple[float, float]


def _strength(scene: Scene, state: ClassicState, info: UnitInfo) -> tuple[int, int]:
    """Models left and begun of a unit, wherever its models stand; of a single model its wounds."""
    rows = own_rows(scene, state, info.index)
    if len(rows) == 1:
        return int(state.wounds[rows[0]]), scene.models[rows[0]].profile.wounds
    return sum(1 for row in rows if state.wounds[row] > 0), len(rows)


@rule("3e.core.missions.victory-points", "4e.core.missions.victory-points")
def victory_points(scene: Scene, state: ClassicState, side: Side) -> int:
    """What a side has from its enemies' losses as things stand."""
    total = 0
    for info in scene.units_of(opponent(side)):
        mine, rows = state.units[info.index], own_rows(scene, state, info.index)
        if not rows:
            continue
        holder = state.units[mine.joined] if mine.joined >= 0 else mine
        left, begun = _strength(scene, state, info)
        total += scene.rules.missions.worth_of_losses(
            Remains(
                points=int(info.roster.points) * len(rows) // len(info.rows),
                left=left,
                begun=begun,
                vehicle=scene.models[rows[0]].profile.is_vehicle,
                fled=holder.falling_back,
                immobilised=bool(mine.immobilised),
                weapon_lost=bool(mine.weapons_lost),
            )
        )
    return total


@rule("3e.core.missions.cleanse", "4e.core.missions.cleanse")
def quarters_of(scene: Scene, state: ClassicState) -> tuple[int, int]:
    """How many quarters of the table each side holds.

    RULING: 3e.core.missions.cleanse a unit holds a quarter when it stands in it with its whole bases.
    """
    table = scene.battlefield
    scoring = []
    for info in scene.units:
        rows = standing(state, info.index)
        if not rows or not scene.rules.missions.scores(scene, state, info.index):
            continue
        poses = to_inches(state.position[rows])
        quarter = quarter_of((float(poses[0, 0]), float(poses[0, 1])), table.width, table.height)
        poses[:, 0] -= (quarter % 2) * table.width / 2
        poses[:, 1] -= (quarter // 2) * table.height / 2
        if inside_rectangle(scene.bases.some_at(rows, poses), table.width / 2, table.height / 2).all():
            scoring.append((info.side, quarter))
    return quarters_held(scoring)


@rule("3e.core.missions.victory-points", "4e.core.missions.victory-points")
def for_losses(scene: Scene, state: ClassicState, side: Side) -> tuple[Line, ...]:
    """Points for what the enemy has lost."""
    return (Line("enemy losses", victory_points(scene, state, side), "3e.core.missions.victory-points"),)


# -- ground -------------------------------------------------------------------------------------------------------


def _scoring(scene: Scene, state: ClassicState, side: Side) -> list[int]:
    return [
        int(info.index)
        for info in scene.units_of(side)
        if standing(state, info.index) and scene.rules.missions.scores(scene, state, info.index)
    ]


def way_to(scene: Scene, state: ClassicState, unit: int, point: Point) -> float:
    """Inches from a point to the nearest base of a unit, the bases taken for circles; 0 where one covers it."""
    rows = standing(state, unit)
    poses = to_inches(state.position[rows])
    apart = (math.dist((x, y), point) - float(scene.reach[row]) for row, (x, y, *_) in zip(rows, poses, strict=True))
    return max(0.0, min(apart))


def places(scene: Scene, state: ClassicState) -> tuple[Point, ...]:
    """The counters: those that the players have laid, else those of the battlefield."""
    if state.objectives:
        return tuple((x / 1000.0, y / 1000.0) for x, y in state.objectives)
    return tuple((float(each.point[0]), float(each.point[1])) for each in scene.battlefield.objectives)


def quarters(scene: Scene, state: ClassicState, side: Side) -> tuple[Point, ...]:
    """The middles of the quarters of the table."""
    width, height = scene.battlefield.width, scene.battlefield.height
    return tuple((width * x, height * y) for x in (0.25, 0.75) for y in (0.25, 0.75))


def enemy_zone(scene: Scene, state: ClassicState, side: Side) -> tuple[Point, ...]:
    """Three points along the enemy's deployment zone."""
    zone = scene.battlefield.zone(state.zones[opponent(side)]).polygon
    xs, ys = [x for x, _ in zone], [y for _, y in zone]
    (x0, x1), (y0, y1) = (min(xs), max(xs)), (min(ys), max(ys))
    wide = x1 - x0 >= y1 - y0
    parts = (0.25, 0.5, 0.75)
    points = [(x0 + (x1 - x0) * (part if wide else 0.5), y0 + (y1 - y0) * (0.5 if wide else part)) for part in parts]
    return tuple(point for point in points if holds_point(zone, point)) or (points[1],)


def centre(scene: Scene, state: ClassicState, side: Side) -> tuple[Point, ...]:
    """The middle of the table, for every unit that can come."""
    return ((scene.battlefield.width / 2, scene.battlefield.height / 2),) * 3


@rule("4e.core.missions.secure-and-control", "6e.core.missions.holding")
def holder_of(scene: Scene, state: ClassicState, point: Point) -> Side | None:
    """The side that holds a counter: one of its scoring units is near enough, and no enemy that keeps it off."""
    rules = scene.rules.missions
    for side in SIDES:
        near = any(way_to(scene, state, unit, point) <= rules.holding_distance for unit in _scoring(scene, state, side))
        kept_off = any(
            rules.denies(scene, state, int(info.index))
            and way_to(scene, state, int(info.index), point) <= rules.holding_distance
            for info in scene.units_of(opponent(side))
            if standing(state, info.index)
        )
        if near and not kept_off:
            return side
    return None


def holders_of(scene: Scene, state: ClassicState, point: Point) -> list[int]:
    """The units that hold a counter: the scoring ones near enough of the side that holds it."""
    side, most = holder_of(scene, state, point), scene.rules.missions.holding_distance
    return [] if side is None else [u for u in _scoring(scene, state, side) if way_to(scene, state, u, point) <= most]


@rule("4e.core.missions.secure-and-control")
def counters_held(scene: Scene, state: ClassicState) -> tuple[int, int]:
    """How many counters each side holds."""
    held = [holder_of(scene, state, point) for point in places(scene, state)]
    return held.count(SIDES[0]), held.count(SIDES[1])


def for_counters(points: int, rule_id: str) -> Scorer:
    """So many points for each counter that a side holds, or what each is worth where they differ."""

    @rule(rule_id)
    def lines(scene: Scene, state: ClassicState, side: Side) -> tuple[Line, ...]:
        points_of = state.worths or (points,) * len(places(scene, state))
        held = [
            worth
            for worth, point in zip(points_of, places(scene, state), strict=True)
            if holder_of(scene, state, point) == side
        ]
        return (Line(f"objectives, {len(held)} held", sum(held), rule_id),)

    return lines


@rule("4e.core.missions.recon")
def in_enemy_zone(scene: Scene, state: ClassicState) -> tuple[int, int]:
    """How many scoring units of each side stand wholly in the enemy's deployment zone."""
    found = []
    for side in SIDES:
        zone = scene.battlefield.zone(state.zones[opponent(side)]).polygon
        units = _scoring(scene, state, side)
        found.append(sum(1 for unit in units if wholly_in(scene, state, unit, zone)))
    return found[0], found[1]


def wholly_in(scene: Scene, state: ClassicState, unit: int, zone: Polygon) -> bool:
    """Whether the middle of every base of a unit lies in an outline.

    RULING: 4e.core.missions.recon we read "in the zone" by the middles of the bases.
    """
    return all(holds_point(zone, (float(x), float(y))) for x, y, *_ in to_inches(state.position[standing(state, unit)]))


@rule("4e.core.missions.take-and-hold")
def near_the_centre(scene: Scene, state: ClassicState) -> tuple[int, int]:
    """How many scoring units of each side are within 12" of the middle of the table."""
    middle = (scene.battlefield.width / 2, scene.battlefield.height / 2)
    found = [
        sum(1 for unit in _scoring(scene, state, side) if way_to(scene, state, unit, middle) <= 12.0) for side in SIDES
    ]
    return found[0], found[1]


@rule("4e.core.missions.seek-and-destroy")
def scoring_left(scene: Scene, state: ClassicState) -> tuple[int, int]:
    """How many scoring units each side has left."""
    return len(_scoring(scene, state, SIDES[0])), len(_scoring(scene, state, SIDES[1]))


def points_each(count: Count, what: str, share: int, rule_id: str) -> Scorer:
    """For each that is counted so many hundredths of the points of the larger army; 0: a single point.

    Args:
        what: is counted, in words.
    """

    @rule(rule_id)
    def lines(scene: Scene, state: ClassicState, side: Side) -> tuple[Line, ...]:
        number = count(scene, state)[side]
        limit = max(sum(int(info.roster.points) for info in scene.listed(each)) for each in SIDES)
        return (Line(f"{what}, {number}", number * (limit * share // 100 if share else 1), rule_id),)

    return lines


# -- the end ------------------------------------------------------------------------------------------------------


def lines_of(scene: Scene, state: ClassicState, side: Side) -> list[Line]:
    """Everything that a side has points for as things stand."""
    return [line for scorer in mission_of(scene).scores for line in scorer(scene, state, side)]


@rule("3e.core.missions.victory-points", "3e.core.missions.cleanse")
def end_of_battle(battle: ClassicBattle) -> None:
    """Count the points of both sides."""
    scene, state = battle.scene, battle.state
    totals = [0, 0]
    for side in SIDES:
        for line in lines_of(scene, state, side):
            totals[side] += line.points
            battle.happened(
                Scored(
                    side=side,
                    card=mission_of(scene).title,
                    line=line.what,
                    points=line.points,
                    total=totals[side],
                    rules=(line.rule,),
                )
            )
    state.vp = (totals[0], totals[1])
