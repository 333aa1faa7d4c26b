"""Laying markers and templates: where they may lie, the opponent's re-placement, scatter, whom they hit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from battlewright.core.bases import Point
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side, Violation, opponent
from battlewright.core.footprints import Footprints
from battlewright.core.rulebook import rule
from battlewright.core.shapes import distance_edge_to_point, within
from battlewright.core.templates import Cover, blast, candidate_centres, covered, is_under_centre, teardrop
from battlewright.editions.classic.events import MarkerLaid
from battlewright.editions.classic.markers import (
    Placement,
    Scatter,
    covered_worth,
    further_markers,
    hits_of,
    placement_faults,
    scatter_of,
    scattered,
    template_faults,
    touches_marker,
)
from battlewright.editions.classic.procedures.arming import Shot
from battlewright.editions.classic.procedures.board import in_combat, pose_of, unit_in
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle, Scene, own_unit, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.weapons import AbilityName
from battlewright.editions.happenings import AttacksLost

__all__ = [
    "UnitHits",
    "aimed_hits",
    "hits_under",
    "hole_over",
    "lay_marker",
    "lay_template",
    "roll_scatter",
    "salvo_marker",
    "scatter_marker",
    "template_hits",
]

_BLAST, _AGAIN = "3e.core.weapons.blast", "3e.outside.reposition-official"
_MOST = 8
"""Places of a marker that are offered."""
_ROUND = 36


@dataclass(frozen=True, slots=True)
class UnitHits:
    """What a marker or template hits of one unit.

    Attributes:
        rows: models under it.
        hits: how many hits they suffer.
        under_hole: rows of those that its middle lies over.
        centre: of the marker; None for a template.
        missed: rows of those that it covers in part and does not hit.
    """

    unit: int
    rows: tuple[int, ...]
    hits: int
    under_hole: tuple[int, ...]
    centre: Point | None = None
    missed: frozenset[int] = frozenset()

    @property
    def on_each(self) -> int:
        """How many hits each model that is hit suffers: one for every shot that shares the marker."""
        return self.hits // max(1, len(self.rows) - len(self.missed))


def _placed(scene: Scene, state: ClassicState, rows: Sequence[int]) -> Footprints:
    return scene.bases.some_at(rows, np.asarray(state.position[list(rows)] / 1000.0, np.float64))


def _covers(scene: Scene, state: ClassicState, marker: Footprints, rows: Sequence[int]) -> list[Cover]:
    return [Cover(int(each)) for each in covered(marker, _placed(scene, state, rows))] if rows else []


@rule("3e.core.weapons.twin-linked", "3e.core.weapons.blast", "3e.outside.several-markers")
def aimed_hits(
    battle: ClassicBattle, shots: Sequence[Shot], count: int, settle: Callable[[Sequence[int]], object] = len
) -> int:
    """How many of so many blast shots hit: those that miss have no effect.

    Args:
        settle: told what the dice show at last, for what else hangs on them.
    """
    firer, profile = battle.scene.models[shots[0].arm.row], shots[0].arm.profile
    skill = profile.skill if profile.skill is not None else firer.profile.ballistic_skill
    needed = battle.scene.rules.attack.hit_on(skill)
    unit = battle.scene.units[own_unit(battle.scene, battle.state, firer.row)].id
    least = 7 if needed is None else max(needed, 2)
    faces = battle.rolled(battle.roll(count, 6, "hit"), firer.side, _BLAST, unit=unit, needed=least).faces
    hits = [face for face in faces if face >= least]
    shown = list(faces)
    if profile.has(AbilityName.TWIN_LINKED) and len(hits) < count:
        roll = battle.roll(count - len(hits), 6, "hit-reroll")
        again = battle.rolled(roll, firer.side, _BLAST, unit=unit, needed=least).faces
        shown = [*hits, *again]
        hits += [face for face in again if face >= least]
    settle(shown)
    return len(hits)


# -- aimed markers ----------------------------------------------------------------------------------------------


def _placement(
    scene: Scene,
    state: ClassicState,
    shots: Sequence[Shot],
    target: int,
    centre: Point,
    diameter: float,
    *,
    spares: bool = False,
) -> Placement:
    side = scene.models[shots[0].arm.row].side
    marker = blast(centre, diameter)
    covers = _covers(scene, state, marker, standing(state, target))
    others = [row for unit in scene.units for row in standing(state, unit.index) if unit.index != target]
    beneath = [row for row, cover in zip(others, _covers(scene, state, marker, others), strict=True) if cover]
    return Placement(
        fully=covers.count(Cover.FULLY),
        partly=covers.count(Cover.PARTLY),
        others=sum(scene.models[row].side != side for row in beneath),
        friends=sum(
            scene.models[row].side == side or (spares and in_combat(scene, state, unit_in(state, row)))
            for row in beneath
        ),
        in_range=any(
            within(
                distance_edge_to_point(scene.models[shot.arm.place].base, pose_of(state, shot.arm.place), centre),
                shot.arm.profile.range,
            )
            for shot in shots
        ),
        in_sight=any(
            other in seen_by(scene, state, shot.arm.place)
            for shot in shots
            for other, cover in zip(standing(state, target), covers, strict=True)
            if cover
        ),
    )


def _centres(scene: Scene, state: ClassicState, rows: Sequence[int], diameter: float) -> list[Point]:
    """Places worth a look: where a marker touches as many bases as can be, and amid each model's nearest comrades."""
    middles = state.position[list(rows), :2] / 1000.0
    nearest = np.argsort(np.hypot(*(middles[None] - middles[:, None]).transpose(2, 0, 1)), axis=1, kind="stable")
    amid = [middles[near[:count]].mean(axis=0) for near in nearest for count in range(2, min(len(rows), 6) + 1)]
    touching = candidate_centres(_placed(scene, state, rows), diameter)
    return [(float(x), float(y)) for x, y in np.concatenate([touching, np.reshape(amid, (-1, 2))]).round(3)]


Again = Callable[[Placement, Placement], Sequence[Violation]]


@rule("3e.blast.centre-free", "3e.blast.as-many-as-possible", "3e.blast.reposition", "3e.blast.reposition-limits")
@rule("3e.outside.reposition-official", "3e.core.weapons.blast", "3e.blast.two-partials", "4e.core.weapons.blast")
@rule("6e.core.weapons.blast")
def lay_marker(
    battle: ClassicBattle,
    unit: int,
    target: int,
    shots: Sequence[Shot],
    diameter: float,
    *,
    on_model: bool = False,
    again: Again | None = None,
    spares: bool = False,
) -> Procedure[Point | None]:
    """The firer lays a marker, the opponent may lay it anew; None where it can lie nowhere.

    Args:
        on_model: whether its hole must lie over a model of the target.
        again: why the opponent may not lay it so in place of where it lies; None when he may not lay it at all.
        spares: whether it is laid over nobody in close combat, as over no friend, but for the target.
    """
    scene, state = battle.scene, battle.state
    rows = standing(state, target)
    places: dict[tuple[float, float], Placement] = {}
    for centre in _centres(scene, state, rows, diameter):
        if centre not in places and (not on_model or hole_over(scene, state, centre, rows)):
            places[centre] = _placement(scene, state, shots, target, centre, diameter, spares=spares)
    legal = [
        centre for centre, each in places.items() if not placement_faults(each) and each.in_range and each.in_sight
    ]
    legal.sort(key=lambda centre: (-covered_worth(places[centre].fully, places[centre].partly), centre))
    if not legal:
        return None
    side = scene.units[unit].side
    name = shots[0].arm.profile.name
    laid = yield from _pick(
        battle, side, unit, f"{name}: where is the marker laid?", legal[:_MOST], places, _BLAST, diameter, target
    )
    if again is None:
        return laid
    before = places[laid]
    others = [centre for centre in places if centre != laid and not again(before, places[centre])]
    others.sort(key=lambda centre: (covered_worth(places[centre].fully, places[centre].partly), centre))
    if others:
        prompt = f"{name}: is the marker laid anew?"
        ways = [laid, *others[:_MOST]]
        laid = yield from _pick(battle, opponent(side), unit, prompt, ways, places, _AGAIN, diameter, target)
    return laid


def hole_over(scene: Scene, state: ClassicState, centre: Point, rows: Sequence[int]) -> tuple[int, ...]:
    """Those of some models that the hole of a marker lies over."""
    return tuple(row for row in rows if is_under_centre(centre, scene.models[row].base, pose_of(state, row)))


def _pick(
    battle: ClassicBattle,
    side: Side,
    unit: int,
    prompt: str,
    centres: Sequence[Point],
    places: dict[tuple[float, float], Placement],
    rule_id: str,
    diameter: float,
    target: int,
) -> Procedure[Point]:
    if len(centres) == 1:
        return centres[0]
    options = []
    for number, centre in enumerate(centres):
        each = places[centre]
        label = f"{each.fully} fully, {each.partly} partly covered, at {centre[0]:.1f}, {centre[1]:.1f}"
        options.append(Option(f"marker:{number}", label, centre, point=(centre[0], centre[1])))
    picked: Point = yield from choose(
        Decision(
            side,
            "lay-marker",
            prompt,
            rule_id,
            Options(options, rule=rule_id, default="marker:0", marker=diameter),
            subject=battle.scene.units[unit].index,
            target=battle.scene.units[target].index,
        )
    )
    return picked


# -- scattering -------------------------------------------------------------------------------------------------


@rule("3e.core.weapons.ordnance", "3e.core.weapons.barrage-scatter", "3e.core.fundamentals.scatter-die")
@rule("4e.core.weapons.ordnance", "4e.core.weapons.barrage")
def scatter_marker(
    battle: ClassicBattle,
    unit: int,
    centre: Point,
    *,
    dice: int = 1,
    inches: Callable[[Sequence[int]], float] = max,
    rule_id: str = "3e.core.weapons.barrage-scatter",
) -> Point:
    """Where a marker lies after the scatter die: a hit leaves it, an arrow moves it.

    Args:
        dice: D6 that say how far; ``inches`` how far, of their faces: the highest unless a rule says otherwise.
    """
    info = battle.scene.units[unit]
    arrow = roll_scatter(battle, unit, rule_id)
    if arrow.hit:
        return centre
    faces = battle.rolled(battle.roll(dice, 6, "scatter-distance"), info.side, rule_id, unit=info.id).faces
    return scattered(centre, arrow, float(inches(faces)))


def roll_scatter(battle: ClassicBattle, unit: int, rule_id: str) -> Scatter:
    """One scatter die."""
    info = battle.scene.units[unit]
    faces = battle.rolled(battle.roll(3, 6, "scatter"), info.side, rule_id, unit=info.id).faces
    return scatter_of(faces[0], (faces[1], faces[2]))


@rule("3e.barrage.contact-ranging", "3e.barrage.hit-symbol", "6e.core.weapons.barrage-battery")
def salvo_marker(battle: ClassicBattle, unit: int, laid: Sequence[Point], diameter: float) -> Procedure[Point]:
    """A further marker of a salvo: touching the ranging shot's in the direction of the arrow; on a hit the firer says
    which of the markers on the table it touches, and lies in the direction away from the first of them."""
    info, rule_id = battle.scene.units[unit], "3e.barrage.contact-ranging"
    arrow = roll_scatter(battle, unit, rule_id)
    may_touch = further_markers(arrow, laid, diameter)
    ways = []
    for other in may_touch:
        turns = range(0, 360, 360 // _ROUND * 3) if arrow.hit else (arrow.degrees,)
        for degrees in turns:
            spot = (
                other[0] + diameter * math.cos(math.radians(degrees)),
                other[1] + diameter * math.sin(math.radians(degrees)),
            )
            assert touches_marker(spot, other, diameter), "a further marker touches one on the table"
            if all(math.dist(spot, each) >= diameter - 0.01 for each in laid):
                ways.append(spot)
    if not ways:
        return may_touch[0]
    if len(ways) == 1:
        return ways[0]
    options = [Option(f"marker:{n}", f"at {x:.1f}, {y:.1f}", (x, y), point=(x, y)) for n, (x, y) in enumerate(ways)]
    picked: Point = yield from choose(
        Decision(
            info.side,
            "lay-marker",
            "Where does the next marker of the salvo lie?",
            "3e.barrage.hit-symbol",
            Options(options, rule="3e.barrage.hit-symbol", default="marker:0", marker=diameter),
            subject=info.index,
        )
    )
    return picked


# -- whom they hit ----------------------------------------------------------------------------------------------


@rule("3e.outside.partial-hit", "3e.core.weapons.blast", "3e.core.weapons.blast-other-units")
@rule("3e.core.weapons.barrage-on-combat", "3e.core.weapons.ordnance", "4e.core.weapons.blast", "6e.core.weapons.blast")
def hits_under(
    battle: ClassicBattle, unit: int, name: str, centre: Point, diameter: float, *, any_touch: bool = False
) -> list[UnitHits]:
    """Everybody under a marker, unit by unit and of both sides: models fully under it are hit, partly covered ones on
    4+, or without a roll.

    Args:
        any_touch: whether a model that is partly covered is hit without a roll.
    """
    scene, state, marker = battle.scene, battle.state, blast(centre, diameter)
    found = []
    side, total = scene.units[unit].side, 0
    for each in scene.units:
        rows = standing(state, each.index)
        if not scene.rules.flight.under_markers(state.units[each.index].aloft):
            continue
        covers = _covers(scene, state, marker, rows)
        under = [(row, cover) for row, cover in zip(rows, covers, strict=True) if cover]
        if not under:
            continue
        under = [(row, Cover.FULLY if any_touch or _hull_is_hit(scene, row) else cover) for row, cover in under]
        partly = sum(cover is Cover.PARTLY for _, cover in under)
        faces: tuple[int, ...] = ()
        if partly:
            roll, rule_id = battle.roll(partly, 6, "partly-covered"), "3e.outside.partial-hit"
            faces = battle.rolled(roll, side, rule_id, unit=scene.units[unit].id, needed=4).faces
        hits = hits_of([cover for _, cover in under], faces)
        total += hits
        hole = hole_over(scene, state, centre, [row for row, _ in under])
        partial = [row for row, cover in under if cover is Cover.PARTLY]
        missed = frozenset(row for row, face in zip(partial, faces, strict=True) if not hits_of([Cover.PARTLY], [face]))
        found.append(UnitHits(int(each.index), tuple(row for row, _ in under), hits, hole, centre, missed))
    battle.happened(
        MarkerLaid(
            unit=scene.units[unit].id,
            weapon=name,
            centre=(round(centre[0] * 1000), round(centre[1] * 1000)),
            diameter=diameter,
            why="fired",
            hits=total,
            rules=(_BLAST,),
        )
    )
    return found


def touched_by_marker(scene: Scene, state: ClassicState, centre: Point, diameter: float) -> dict[int, list[int]]:
    """The models of either side that lie under a marker in some part, by their units."""
    marker, found = blast(centre, diameter), dict[int, list[int]]()
    for unit, mine in enumerate(state.units):
        rows = standing(state, unit) if scene.rules.flight.under_markers(mine.aloft) else []
        under = [row for row, cover in zip(rows, _covers(scene, state, marker, rows), strict=True) if cover]
        if under:
            found[unit] = under
    return found


@rule("4e.vehicle-armour.partial-blast")
def _hull_is_hit(scene: Scene, row: int) -> bool:
    """Whether a model is hit without a roll by a marker that only touches it: a vehicle, where the edition says so."""
    return scene.rules.vehicles.fire.touched_is_hit and scene.models[row].profile.kind is Kind.VEHICLE


@rule("4e.core.weapons.template", "6e.core.weapons.template")
@rule("3e.outside.flamer-maximum", "3e.outside.flamer-no-reposition", "3e.core.weapons.template")
@rule("6e.core.weapons.torrent")
def lay_template(
    scene: Scene,
    state: ClassicState,
    row: int,
    target: int,
    *,
    within: float = 0.0,
    spares: bool = False,
    is_sheltered: Callable[[int], bool] = lambda row: False,
) -> list[UnitHits]:
    """A flamer's template, its narrow end on the firer's base, laid over as many models of the target as it can cover
    without touching a friend; whom it touches. Nobody where it cannot be laid so.

    Args:
        within: how far from the base, in inches, the narrow end may be placed (torrent).
        spares: whether it touches nobody in close combat either, but for the target.
        is_sheltered: whether a model, by its row, is where the template does nothing to it.
    """
    pose, reach = pose_of(state, row), float(scene.reach[row])
    rows = [
        (int(unit.index), other)
        for unit in scene.units
        for other in standing(state, unit.index)
        if other != row and scene.rules.flight.under_markers(state.units[unit.index].aloft) and not is_sheltered(other)
    ]
    if not rows:
        return []
    placed, side = _placed(scene, state, [other for _, other in rows]), scene.models[row].side
    ways: list[tuple[int, int, list[tuple[int, int]]]] = []
    for other in standing(state, target):
        at = pose_of(state, other)
        towards = math.atan2(at.y - pose.y, at.x - pose.x)
        for turn, ahead in product(range(-3, 4), range(int(within) + 1)):
            angle = towards + math.radians(5.0 * turn)
            tip = (pose.x + (reach + ahead) * math.cos(angle), pose.y + (reach + ahead) * math.sin(angle))
            cover = covered(teardrop(tip, math.degrees(angle)), placed)
            touched = [each for each, much in zip(rows, cover, strict=True) if much]
            friends = sum(
                scene.models[each].side == side or (spares and unit != target and in_combat(scene, state, unit))
                for unit, each in touched
            )
            ways.append((sum(unit == target for unit, _ in touched), friends, touched))
    most = max((count for count, friends, _ in ways if not friends), default=0)
    for count, friends, touched in ways:
        if count and not template_faults(count, most, friends=friends):
            units = dict.fromkeys(unit for unit, _ in touched)
            under = {unit: tuple(each for owner, each in touched if owner == unit) for unit in units}
            return [UnitHits(unit, under[unit], len(under[unit]), ()) for unit in units]
    return []


@rule("3e.core.weapons.template", "4e.core.weapons.template", "6e.core.weapons.template")
def template_hits(battle: ClassicBattle, unit: int, shot: Shot, target: int, **how: Any) -> list[tuple[Shot, UnitHits]]:
    """Whom a flamer's template touches; that it cannot be laid is told.

    Args:
        how: settings of :func:`lay_template`.
    """
    covered = lay_template(battle.scene, battle.state, shot.arm.place, target, **how)
    if not covered:
        battle.happened(
            AttacksLost(
                unit=battle.scene.units[unit].id,
                weapons=(shot.arm.profile.name,),
                why="the template cannot be laid over the target without touching others",
                rules=("3e.core.weapons.template",),
            )
        )
    return [(shot, hits) for hits in covered]
