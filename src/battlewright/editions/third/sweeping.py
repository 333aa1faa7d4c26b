"""What winners of a close combat do in the 3rd edition: sweeping advances, and the dice that decide who is caught."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from battlewright.core.bases import Point
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.bearers import fate_when_caught, may_sweep
from battlewright.editions.classic.events import HeldFast
from battlewright.editions.classic.falling_back import Outcome
from battlewright.editions.classic.kinds import sweep_dice
from battlewright.editions.classic.procedures.aftermath import consolidate, have_fought, may_advance
from battlewright.editions.classic.procedures.board import (
    enemies_on_table,
    gaps,
    in_combat,
    pose_of,
    touched_units,
    unit_gap,
)
from battlewright.editions.classic.procedures.charging import contacted_in_cover, stand_or_fall
from battlewright.editions.classic.procedures.close_moves import CloseSpace, Towards, make_move
from battlewright.editions.classic.procedures.covering import is_difficult, models_in_cover
from battlewright.editions.classic.procedures.crossing import crosses_obstacle
from battlewright.editions.classic.procedures.ground import kind_rules
from battlewright.editions.classic.procedures.harm import bury
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.procedures.retreat import fall_back, flight_roll
from battlewright.editions.classic.pursuit import Reaction
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.special_rules import Caught
from battlewright.editions.classic.state import Deed, MoveKind
from battlewright.editions.classic.terrain import passes_over_terrain
from battlewright.editions.happenings import RollOff
from battlewright.editions.third.pursuit import (
    counts_as_charging,
    is_caught,
    is_towards_an_enemy,
    moves_first,
    reactions,
    sweep_distance,
    sweeps_stop,
)

__all__ = ["react", "roll_for_first"]


@rule("3e.drawn.roll-for-first")
def roll_for_first(battle: ClassicBattle, sides: Sequence[Side]) -> Procedure[Side]:
    """Who moves in first: the higher of a die each; equal ones are thrown again."""
    thrown: list[tuple[int, int]] = []
    first = None
    while first is None:
        a, b = battle.roll(2, 6, "who moves first").faces
        thrown.append((a, b))
        first = moves_first((a, b))
    battle.happened(
        RollOff(purpose="who moves first", faces=tuple(thrown), winner=first, rules=("3e.drawn.roll-for-first",))
    )
    return first
    yield


@rule("3e.sweep.catch", "3e.sweep.tie-roll-only-consolidate", "3e.result.destroyed-choice", "3e.loser-morale.fail")
@rule("3e.core.assault.caught", "3e.core.assault.wiped-out", "3e.fall-back.not-a-sweep")
def react(
    battle: ClassicBattle, winners: Sequence[int], flees: Sequence[int], *, by_tie: bool, vehicles_only: bool
) -> Procedure[None]:
    """The beaten fall back; winners who touch nobody any more sweep or consolidate."""
    scene, state = battle.scene, battle.state
    locked = {unit: [e for e in touched_units(scene, state, unit) if e not in flees] for unit in winners}
    chosen: dict[int, Reaction] = {}
    for unit in winners:
        slow = not may_sweep(scene.rules.characters.special_rules, traits_of(scene, state, unit))
        if not may_advance(battle, unit):
            continue
        engaged = bool(locked[unit])
        ways = reactions(by_tie_roll=by_tie, still_engaged=engaged, slow=slow, beat_only_vehicles=vehicles_only)
        if ways:
            chosen[unit] = yield from _choose_reaction(battle, unit, ways)
    totals = {unit: flight_roll(battle, unit) for unit in flees}
    sweeps = {unit: _sweep_roll(battle, unit) for unit, way in chosen.items() if way is Reaction.SWEEP}
    best = max(sweeps.values(), default=0)
    escaped: list[int] = []
    kept: list[int] = []
    for unit, total in totals.items():
        if is_caught(total, best):
            if fate_when_caught(scene.rules.characters.special_rules, traits_of(scene, state, unit)) is Caught.LOCKED:
                kept.append(unit)
                _held_fast(battle, unit, [each for each, sweep in sweeps.items() if is_caught(total, sweep)])
                continue
            bury(battle, standing(state, unit), "caught by pursuers", "3e.sweep.catch")
        elif (yield from fall_back(battle, unit, total, beaten=True)) is not Outcome.DESTROYED:
            escaped.append(unit)
    for unit, way in chosen.items():
        if set(kept) & set(touched_units(scene, state, unit)):
            continue
        if way is Reaction.SWEEP:
            yield from _sweep(battle, unit, sweeps[unit], escaped)
        else:
            yield from consolidate(battle, unit, scene.rules.assault.consolidation(battle, unit, not flees))


@rule("3e.core.morale.know-no-fear")
def _held_fast(battle: ClassicBattle, unit: int, hunters: Sequence[int]) -> None:
    """A unit that is caught and not destroyed fights on; those who caught it count as charging in the next round.

    Args:
        hunters: the units whose dice have caught it.
    """
    units = battle.scene.units
    by = tuple(units[hunter].id for hunter in hunters)
    battle.happened(HeldFast(unit=units[unit].id, by=by, rules=("3e.core.morale.know-no-fear",)))
    touched = touched_units(battle.scene, battle.state, unit)
    for hunter in hunters:
        mine = battle.state.units[hunter]
        mine.charged = counts_as_charging(swept_in=hunter in touched, charged=mine.charged)


def _choose_reaction(battle: ClassicBattle, unit: int, ways: Sequence[Reaction]) -> Procedure[Reaction]:
    if len(ways) == 1:
        return ways[0]
    info, rule_id = battle.scene.units[unit], "3e.result.destroyed-choice"
    options = [Option(way.name.lower(), str(way), way) for way in ways]
    picked: Reaction = yield from choose(
        Decision(
            info.side,
            "select-reaction",
            f"{info.name} has won: how does it go on?",
            rule_id,
            Options(options, rule=rule_id, default="consolidate"),
            subject=info.index,
        )
    )
    return picked


def _sweep_roll(battle: ClassicBattle, unit: int) -> int:
    scene, info = battle.scene, battle.scene.units[unit]
    kinds = scene.rules.movement.kinds
    dice = sweep_dice(kinds, (scene.models[row].profile.kind for row in standing(battle.state, unit)))
    roll = battle.roll(dice.count, dice.sides, "sweep")
    return battle.rolled(roll, info.side, "3e.outside.sweep-distance", unit=info.id).total


@rule("3e.outside.sweep-stops", "3e.sweep.reaches-anyway", "3e.sweep.new-combat", "3e.sweep.halved")
@rule("3e.result.destroyed-direction", "3e.core.assault.advance-into-fresh-enemy")
def _sweep(battle: ClassicBattle, unit: int, total: int, escaped: Sequence[int]) -> Procedure[None]:
    """A sweeping advance: after those who escaped, else towards an enemy, into the first fresh one reached."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    enemies = enemies_on_table(scene, state, info.side)
    if not enemies:
        return
    state.units[unit].did(Deed.SWEPT)
    goal = yield from _choose_goal(battle, unit, list(escaped) or enemies)
    rows, foes = standing(state, unit), standing(state, goal)
    apart = gaps(scene, state, rows, foes)
    start, end = (int(place) for place in np.unravel_index(int(apart.argmin()), apart.shape))
    gap, runs = float(apart.min()), goal in escaped
    distance = _swept(battle, unit, rows[start], pose_of(state, foes[end])[:2], total, gap)
    covered, _ = sweeps_stop(distance, gap if runs else None, None if runs else gap)
    fresh = [row for enemy in enemies if enemy not in escaped for row in standing(state, enemy)]
    space = CloseSpace(
        scene,
        state,
        unit,
        MoveKind.SWEEP,
        rule="3e.outside.sweep-distance",
        limits={row: round((covered if runs else distance) * 1000) for row in rows},
        goals=foes,
        touchable=fresh,
        touches=not runs,
        closes_in=True,
        off_rule="3e.sweep.reaches-anyway",
        after=(Towards("3e.result.destroyed-direction", (tuple(foes),), is_towards_an_enemy),),
    )
    near = [enemy for enemy in enemies if enemy not in escaped and unit_gap(scene, state, unit, enemy) <= distance]
    sheltered = {enemy: models_in_cover(scene, state, enemy, rows) for enemy in near}
    free = {enemy for enemy in near if not in_combat(scene, state, enemy)}
    yield from make_move(battle, space, f"{info.name} sweeps on")
    if reached := touched_units(scene, state, unit):
        state.units[unit].charged = counts_as_charging(swept_in=True, charged=state.units[unit].charged)
        have_fought(battle, unit, reached)
        for enemy in reached:
            _swept_into(battle, enemy, sheltered.get(enemy, frozenset()), fresh=enemy in free)


@rule("3e.sweep.new-combat", "3e.fight-order.cover-first", "3e.fall-back.charged-test")
def _swept_into(battle: ClassicBattle, enemy: int, sheltered: frozenset[int], *, fresh: bool) -> None:
    """What a sweep into a unit means for it, as an assault would: its models in cover will strike first; if it falls
    back it stands or is no more."""
    contacted_in_cover(battle, enemy, sheltered, fresh=fresh)
    if battle.state.units[enemy].falling_back:
        stand_or_fall(battle, enemy)


@rule("3e.sweep.halved", "3e.sweep.types-override", "3e.core.movement.obstacles", "3e.cavalry.not-slowed")
def _swept(battle: ClassicBattle, unit: int, row: int, goal: Point, total: int, gap: float) -> float:
    """How far a unit sweeps, in inches: half of what it rolled where its way, as far as that would lead, goes into, out
    of or through difficult terrain, or over an obstacle.

    Args:
        row: of its foremost model; ``goal`` the middle of the enemy that it makes for, ``gap`` inches away.

    RULING: 3e.sweep.types-override riders whom difficult terrain does not slow sweep in full, at their own risk; to
    troops that fly nothing matters but where they would end.
    """
    scene, state = battle.scene, battle.state
    here = pose_of(state, row)
    far = max(math.dist(here[:2], goal), TOLERANCE)
    part = min(float(total), gap) / far
    edge = min(1.0, part + float(scene.reach[row]) / far)
    line = [(here.x + (goal[0] - here.x) * at, here.y + (goal[1] - here.y) * at) for at in np.linspace(0.0, edge, 25)]
    end = (here.x + (goal[0] - here.x) * part, here.y + (goal[1] - here.y) * part)
    kinds = [kind_rules(scene, each) for each in standing(state, unit)]
    if all(passes_over_terrain(each) for each in kinds):
        return sweep_distance(total, difficult=True, ignores_terrain=not is_difficult(scene, [end], state))
    difficult = is_difficult(scene, line, state) or crosses_obstacle(scene, state, row, end)
    return sweep_distance(total, difficult=difficult, ignores_terrain=not any(each.slowed for each in kinds))


@rule("3e.result.destroyed-direction", "3e.outside.sweep-stops")
def _choose_goal(battle: ClassicBattle, unit: int, enemies: Sequence[int]) -> Procedure[int]:
    """After whom, or towards whom, a unit sweeps: the nearest unless its owner says otherwise."""
    scene, info, rule_id = battle.scene, battle.scene.units[unit], "3e.result.destroyed-direction"
    order = sorted(enemies, key=lambda enemy: unit_gap(scene, battle.state, unit, enemy))
    if len(order) == 1:
        return order[0]
    options = [Option(scene.units[enemy].id, scene.units[enemy].name, enemy) for enemy in order]
    picked: int = yield from choose(
        Decision(
            info.side,
            "select-sweep",
            f"{info.name}: towards whom does it sweep?",
            rule_id,
            Options(options, rule=rule_id, default=options[0].key),
            subject=info.index,
        )
    )
    return picked
