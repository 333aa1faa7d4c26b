"""Falling back in the classic editions: the move itself, who is cut off, rallying in cover, the table edge, re-forming.

A unit that falls back moves straight to its edge, so that nobody has anything to choose while it is in formation: the
models keep their places in the unit, and one whose place is taken stops short of it. Models that are out of formation
close up on the way, as their owner says.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from battlewright.core.bases import Point
from battlewright.core.battle import Procedure
from battlewright.core.decisions import SIDES
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.core.table import Edge
from battlewright.editions.classic.artillery import abandoned_guns, is_gun
from battlewright.editions.classic.bearers import acts_freely_after_rallying, rallies_by_itself
from battlewright.editions.classic.events import FellBack, Rallied
from battlewright.editions.classic.falling_back import Outcome, must_fall_back, retreat_edge, unit_vector
from battlewright.editions.classic.formation import in_formation
from battlewright.editions.classic.joining import is_free_character
from battlewright.editions.classic.kinds import fall_back_dice
from battlewright.editions.classic.morale import (
    REGROUPING,
    deeds_of_regrouping,
    last_chance_survivors,
    may_rally_now,
)
from battlewright.editions.classic.procedures import joining
from battlewright.editions.classic.procedures.accidents import survivors_of_terrain
from battlewright.editions.classic.procedures.board import gaps, in_combat, own_edge, pose_of
from battlewright.editions.classic.procedures.close_moves import CloseSpace, make_move
from battlewright.editions.classic.procedures.covering import is_difficult, is_in_cover
from battlewright.editions.classic.procedures.crossing import crosses_obstacle
from battlewright.editions.classic.procedures.flight import flight_space, to_edge
from battlewright.editions.classic.procedures.ground import kind_rules
from battlewright.editions.classic.procedures.harm import bury
from battlewright.editions.classic.procedures.nerve import (
    last_man_stands,
    leadership_of,
    losses_call_for_a_test,
    losses_modifiers,
    passes_without_roll,
    rally_conditions,
    strength_of,
    take_leadership_test,
    take_morale_test,
    traits_of,
)
from battlewright.editions.classic.scene import ClassicBattle, Scene, living, standing
from battlewright.editions.classic.special_rules import Test
from battlewright.editions.classic.state import ClassicState, Deed, MoveKind, Phase
from battlewright.editions.classic.terrain import passes_over_terrain
from battlewright.editions.placing.moves import follow

__all__ = ["fall_back", "flight_roll", "rallied", "start_of_turn_tests", "tests_for_losses", "tries_to_rally"]

_STEP = 0.5
"""Inches between the places of a fall-back move that are looked at for cover."""


def flight_roll(battle: ClassicBattle, unit: int) -> int:
    """The dice of a fall-back move."""
    scene, state = battle.scene, battle.state
    kinds = scene.rules.movement.kinds
    dice = fall_back_dice(kinds, (scene.models[row].profile.kind for row in standing(state, unit)))
    roll = battle.roll(dice.count, dice.sides, "fall-back")
    info = scene.units[unit]
    return battle.rolled(roll, info.side, "3e.fall-back.distance", unit=info.id).total


@rule("3e.fall-back.direction", "3e.fall-back.distance", "3e.fall-back.halved", "3e.crossfire.destroyed")
@rule("3e.core.morale.fall-back", "3e.core.morale.crossfire", "4e.core.morale.fall-back", "4e.core.morale.trapped")
@rule("6e.core.morale.fall-back", "6e.core.morale.blocked")
def fall_back(
    battle: ClassicBattle, unit: int, total: int | None = None, *, beaten: bool = False
) -> Procedure[Outcome]:
    """A unit falls back towards its edge.

    Args:
        total: what its dice came to; rolled here when None.
        beaten: whether it was beaten in close combat this turn.

    Returns:
        Whether it is falling back still, has rallied or is no more.
    """
    scene, state = battle.scene, battle.state
    mine, info = state.units[unit], scene.units[unit]
    mine.falling_back, mine.aloft = True, False
    mine.pinned = mine.pinned and scene.rules.morale.pinned_skip
    _abandon_guns(battle, unit)
    total = flight_roll(battle, unit) if total is None else total
    edge = retreat_edge(own_edge(scene, state, info.side), mine.entry_edge)
    rows = standing(state, unit)
    difficult = _way_is_difficult(scene, state, rows, edge, float(total))
    distance = scene.rules.morale.fall_back_distance(total, difficult)
    if scene.rules.morale.is_cut_off(scene, state, unit, edge, distance):
        bury(battle, rows, "cut off", "3e.crossfire.destroyed")
        outcome = Outcome.DESTROYED
    else:
        outcome = yield from _flee(battle, unit, edge, distance, beaten=beaten)
    mine.moved = True
    battle.happened(
        FellBack(unit=info.id, total=total, inches=distance, outcome=str(outcome), rules=("3e.fall-back.distance",))
    )
    return outcome


@rule("4e.artillery.fall-back-guns")
def _abandon_guns(battle: ClassicBattle, unit: int) -> None:
    """Guns that nobody can take along stay where they are and are destroyed."""
    scene, rows = battle.scene, standing(battle.state, unit)
    guns = [row for row in rows if is_gun(scene.models[row].profile)]
    if not guns:
        return
    left = abandoned_guns(len(guns), len(rows) - len(guns))
    if left:
        bury(battle, guns[len(guns) - left :], "abandoned", "4e.artillery.fall-back-guns")


@rule("3e.fall-back.halved", "3e.fall-back.types-override", "3e.cavalry.not-slowed")
def _way_is_difficult(scene: Scene, state: ClassicState, rows: Collection[int], edge: Edge, distance: float) -> bool:
    """Whether the way leads into, out of or through difficult terrain for some model, over an obstacle included; jump
    troops and jetbikes fly.

    RULING: 3e.fall-back.types-override riders whom difficult terrain endangers rather than slows fall back in full.
    """
    dx, dy = unit_vector(edge)
    points: list[Point] = []
    for row in rows:
        pose, rules = pose_of(state, row), kind_rules(scene, row)
        flies = passes_over_terrain(rules)
        if not rules.slowed and not flies:
            continue
        if not flies and crosses_obstacle(scene, state, row, (pose.x + dx * distance, pose.y + dy * distance)):
            return True
        places = (distance,) if flies else np.arange(0.0, distance + _STEP, _STEP)
        points += [(pose.x + dx * float(along), pose.y + dy * float(along)) for along in places]
    return is_difficult(scene, points, state)


@rule("3e.rally.in-cover", "3e.rally.whole-unit", "3e.rally.once", "3e.rally.not-after-combat", "3e.last-chance.fail")
@rule("3e.core.morale.table-edge", "3e.core.morale.know-no-fear")
def _flee(battle: ClassicBattle, unit: int, edge: Edge, distance: float, *, beaten: bool) -> Procedure[Outcome]:
    """The move itself: to the first cover that holds the whole unit where it may rally, else all the way."""
    scene, state = battle.scene, battle.state
    mine, rules = state.units[unit], scene.rules.morale
    own_move = mine.side == state.turn and state.phase in (Phase.MOVEMENT, Phase.START_OF_TURN)
    stop = None
    if rules.may_rally_in_cover(own_move):
        stop = _cover_on_the_way(battle, unit, edge, distance, beaten=beaten)
    dared: set[tuple[int, int]] = set()
    if stop is not None:
        yield from _advance(battle, unit, edge, stop, dared)
        rows = standing(state, unit)
        if not rows:  # terrain on the way may have taken the last of them
            return Outcome.DESTROYED
        sheltered = all(is_in_cover(scene, state, row) for row in rows)
        if sheltered and not rules.why_no_rally(rally_conditions(scene, state, unit)):
            mine.did(Deed.TRIED_TO_RALLY)
            if take_leadership_test(battle, unit, "rally in cover", "3e.rally.in-cover"):
                return (yield from rallied(battle, unit))
        distance -= stop
    yield from _advance(battle, unit, edge, distance, dared)
    rows = standing(state, unit)
    if not rows:
        return Outcome.DESTROYED
    reasons = rules.why_no_rally(rally_conditions(scene, state, unit))
    match rules.last_chance([_is_at_edge(scene, state, row, edge) for row in rows], reasons):
        case "removed":
            bury(battle, rows, "fled the table", "3e.last-chance.bans-apply")
            return Outcome.DESTROYED
        case "test":
            passed = take_leadership_test(battle, unit, "last chance", "3e.last-chance.one-model")
            stays = last_chance_survivors(rows, passed=passed)
            if not stays:
                bury(battle, rows, "fled the table", "3e.last-chance.fail")
                return Outcome.DESTROYED
            return (yield from rallied(battle, unit))
    by_itself = rallies_by_itself(scene.rules.characters.special_rules, traits_of(scene, state, unit), reasons)
    if by_itself and rules.rallies_on_the_run:
        return (yield from rallied(battle, unit))
    return Outcome.FALLS_BACK


def _cover_on_the_way(battle: ClassicBattle, unit: int, edge: Edge, distance: float, *, beaten: bool) -> float | None:
    """How far it is to the first place where the unit may try to rally in cover, None where there is none."""
    scene, state = battle.scene, battle.state
    if not any(area.tags for area in scene.battlefield.areas):
        return None
    dx, dy = unit_vector(edge)
    rows = standing(state, unit)
    was = state.position.copy()
    found = None
    for along in np.arange(_STEP, distance + TOLERANCE, _STEP):
        for row in rows:
            state.position[row, 0] = was[row, 0] + round(dx * along * 1000)
            state.position[row, 1] = was[row, 1] + round(dy * along * 1000)
        cover = [is_in_cover(scene, state, row) for row in rows]
        if may_rally_now(
            cover, state.units[unit].deeds, beaten_in_combat=beaten
        ) and not scene.rules.morale.why_no_rally(rally_conditions(scene, state, unit)):
            found = float(along)
            break
    state.position[:] = was
    return found


@rule("3e.fall-back.direction", "3e.fall-back.into-formation", "3e.fall-back.formation-not-reachable")
def _advance(
    battle: ClassicBattle, unit: int, edge: Edge, distance: float, dared: set[tuple[int, int]]
) -> Procedure[None]:
    """Every model goes straight to the edge, the foremost first, as far as the edge and short of who is in the way;
    models out of formation close up as far as they can.

    Args:
        dared: terrain that models have thrown their dice for on an earlier part of the move.
    """
    scene, state = battle.scene, battle.state
    rows = standing(state, unit)
    if not in_formation(gaps(scene, state, rows, rows)):
        space = flight_space(scene, state, unit, edge, distance)
        yield from make_move(battle, space, f"{scene.units[unit].name} falls back and closes up", dared=dared)
        return
    space = flight_space(scene, state, unit, edge, distance)
    placement = yield from survivors_of_terrain(battle, space, space.straight(), dared)
    paths = tuple(follow(state, placement, from_here=True))
    if paths:
        battle.happened(
            ModelsMoved(unit=scene.units[unit].id, how=MoveKind.FALL_BACK, paths=paths, rules=(space.rule,))
        )


def _is_at_edge(scene: Scene, state: ClassicState, row: int, edge: Edge) -> bool:
    return to_edge(scene, state, row, edge) <= 2 * TOLERANCE


@rule("3e.core.morale.after-regrouping", "3e.outside.rally-time", "4e.core.morale.regroup")
@rule("6e.core.morale.after-regrouping")
def rallied(battle: ClassicBattle, unit: int) -> Procedure[Outcome]:
    """A unit has rallied: it stops falling back, re-forms within 3", and counts as having moved."""
    scene, state, mine = battle.scene, battle.state, battle.state.units[unit]
    mine.falling_back = False
    if acts_freely_after_rallying(scene.rules.characters.special_rules, traits_of(scene, state, unit)):
        return Outcome.RALLIED
    mine.did(*deeds_of_regrouping())
    mine.moved = True
    rows = standing(state, unit)
    if len(rows) > 1:
        space = CloseSpace(
            scene,
            state,
            unit,
            MoveKind.RALLY,
            rule="3e.core.morale.after-regrouping",
            limits={row: round(REGROUPING * 1000) for row in rows},
        )
        yield from make_move(battle, space, f"{scene.units[unit].name} re-forms", always=True)
    return Outcome.RALLIED


# -- when -------------------------------------------------------------------------------------------------------


@rule("3e.fire-morale.quarter", "3e.core.morale.quarter-losses", "3e.fire-morale.test-at-end")
@rule("3e.char-leaders.orphan")
def tests_for_losses(battle: ClassicBattle) -> Procedure[None]:
    """The end of a phase: units that lost a quarter in it test, and those that fail fall back at once.

    A character who is left alone of his unit tests for what it has lost, unless the players released him.
    """
    scene, state = battle.scene, battle.state
    if not scene.rules.morale.is_bound():
        for character in (each for side in SIDES for each in joining.orphans(scene, state, side)):
            joining.part(battle, character, "3e.char-leaders.orphan")
    for unit in range(len(state.units)):
        if not losses_call_for_a_test(scene, state, unit):
            continue
        modifiers = losses_modifiers(scene, state, unit)
        if not take_morale_test(battle, unit, "losses", modifiers, "3e.fire-morale.quarter"):
            yield from fall_back(battle, unit)


@rule("3e.last-man.each-turn", "3e.fall-back.each-turn", "3e.outside.rally-time", "3e.core.morale.regroup")
@rule("3e.core.turn.start", "3e.core.morale.lone-survivor")
def start_of_turn_tests(battle: ClassicBattle) -> Procedure[None]:
    """The start of a player's turn: his last survivors test, his units that fall back try to rally or go on."""
    scene, state = battle.scene, battle.state
    for unit, mine in enumerate(state.units):
        if mine.side != state.turn or not standing(state, unit) or in_combat(scene, state, unit):
            continue
        alive = living(state, unit)
        rules = scene.rules.morale
        alone = rules.is_last_man(
            len(alive), mine.starting_strength, is_free_character(scene.models[alive[0]].profile, 0)
        )
        if alone and not mine.falling_back and not passes_without_roll(scene, state, unit, Test.LAST_MAN):
            modifiers = rules.last_man_modifiers(*strength_of(scene, state, unit))
            mine.falling_back = not last_man_stands(battle, unit, modifiers)
        elif mine.falling_back and tries_to_rally(battle, unit):
            yield from rallied(battle, unit)
        if must_fall_back(mine):
            yield from fall_back(battle, unit)


@rule("3e.core.morale.regroup", "3e.outside.rally-conditions")
def tries_to_rally(battle: ClassicBattle, unit: int) -> bool:
    """Whether a unit that falls back may try to rally at the start of its turn, and does."""
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.morale
    conditions = rally_conditions(scene, state, unit)
    if rules.why_no_rally(conditions):
        return False
    if not rules.rallies_on_the_run and _needs_no_test(scene, state, unit):
        battle.happened(Rallied(unit=scene.units[unit].id, rules=("3e.core.morale.regroup",)))
        return True
    modifiers = rules.rally_modifiers(conditions, leadership_of(scene, state, unit))
    return take_leadership_test(battle, unit, "rally", "3e.core.morale.regroup", test=Test.REGROUP, modifiers=modifiers)


@rule("6e.core.special-rules.know-no-fear", "6e.core.special-rules.fearless", "6e.outside.fearless")
def _needs_no_test(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit rallies without a test: troops that do so by themselves, and who passes every test."""
    by_itself = rallies_by_itself(scene.rules.characters.special_rules, traits_of(scene, state, unit), ())
    return by_itself or passes_without_roll(scene, state, unit, Test.REGROUP)
