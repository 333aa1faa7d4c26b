"""After a round of close combat in the 3rd edition: who has won, who runs, who is caught, and how winners go on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from battlewright.core.bases import Pose
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import SIDES, Decision, Option, Options, Side, opponent
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.editions.classic.events import CombatResolved
from battlewright.editions.classic.kinds import sweep_dice
from battlewright.editions.classic.procedures.board import (
    enemies_on_table,
    gaps,
    is_difficult,
    pose_of,
    touched_units,
    unit_gap,
)
from battlewright.editions.classic.procedures.closing import approach_spot, close_in, contact_spot, put
from battlewright.editions.classic.procedures.harm import bury
from battlewright.editions.classic.procedures.nerve import (
    passes_without_roll,
    strength_of,
    take_morale_test,
    traits_of,
)
from battlewright.editions.classic.procedures.retreat import fall_back, flight_roll
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.special_rules import (
    Caught,
    Test,
    fate_when_caught,
    may_sweep,
    wins_tie_break,
)
from battlewright.editions.classic.state import Deed, MoveKind
from battlewright.editions.classic.vehicles import may_be_locked
from battlewright.editions.third.falling_back import Outcome
from battlewright.editions.third.morale import lost_combat_modifiers
from battlewright.editions.third.pursuit import (
    PILE_IN,
    Reaction,
    after_morale_test,
    consolidation_distance,
    is_caught,
    is_drawn,
    may_move_in_combat,
    moves_first,
    reactions,
    sweep_distance,
    sweeps_stop,
    tied_winner,
    winner_by_wounds,
)

__all__ = ["conclude"]

_FLIES = frozenset({"JUMP TROOPS", "JETBIKE"})


@rule("3e.result.sum", "3e.result.all-units", "3e.result.tie-roll", "3e.result.tie-equal", "3e.loser-morale.test")
@rule("3e.multi-combat.separate-tests", "3e.core.assault.result", "3e.core.assault.draw")
def conclude(battle: ClassicBattle, units: Sequence[int], caused: Sequence[tuple[Side, int]]) -> Procedure[None]:
    """The result of a round, and what follows from it.

    Args:
        caused: for each unit its side and the wounds that it caused.
    """
    scene, state = battle.scene, battle.state
    left = {side: [u for u in units if state.units[u].side == side and standing(state, u)] for side in SIDES}
    gone = [side for side in SIDES if not left[side]]
    tie: tuple[int, int] = (0, 0)
    winner = winner_by_wounds(caused)
    by_tie = False
    if gone:
        winner = opponent(gone[0]) if len(gone) == 1 else None
    elif not all(_some_locked(battle, left[side]) for side in SIDES):
        return
    elif winner is None:
        winner, by_tie = _tie_breaker(battle, left), True
        if winner is None:
            faces = battle.roll(2, 6, "tied combat").faces
            tie = (faces[0], faces[1])
            winner = tied_winner(tie)
    totals = [sum(wounds for side, wounds in caused if side == each) for each in SIDES]
    battle.happened(
        CombatResolved(
            units=tuple(scene.units[unit].id for unit in units),
            wounds=(totals[0], totals[1]),
            tie=tie,
            winner=winner,
            rules=("3e.result.sum",),
        )
    )
    if len(gone) == 2:
        return
    losers = left[opponent(winner)] if winner is not None else []
    held = [_holds(battle, unit, left) for unit in losers]
    if not gone and is_drawn(winner, held):
        yield from _pile_in(battle, left)
        return
    assert winner is not None, "somebody has won"
    flees = [unit for unit, runs in zip(losers, after_morale_test(held), strict=True) if runs]
    yield from _react(battle, left[winner], flees, by_tie=by_tie)


def _tie_breaker(battle: ClassicBattle, left: dict[Side, list[int]]) -> Side | None:
    """The side that wins a tie without rolling: all of its units have a rule for it, and not all of the enemy's."""
    scene, state = battle.scene, battle.state
    names = [frozenset.intersection(*(traits_of(scene, state, unit) for unit in left[side])) for side in SIDES]
    special = scene.rules.characters.special_rules
    return next((side for side in SIDES if wins_tie_break(special, names[side], names[opponent(side)])), None)


def _some_locked(battle: ClassicBattle, units: Sequence[int]) -> bool:
    """Whether any of these units can be held in combat, so that there is something to win."""
    rows = [row for unit in units for row in standing(battle.state, unit)]
    return any(may_be_locked(battle.scene.models[row].profile.keywords) for row in rows)


def _holds(battle: ClassicBattle, unit: int, left: dict[Side, list[int]]) -> bool:
    """Whether a beaten unit holds its ground."""
    scene, state = battle.scene, battle.state
    if passes_without_roll(scene, state, unit, Test.LOST_COMBAT):
        return True
    side = scene.units[unit].side
    own, enemies = (sum(len(standing(state, each)) for each in left[who]) for who in (side, opponent(side)))
    modifiers = lost_combat_modifiers(*strength_of(scene, state, unit), own, enemies)
    return take_morale_test(battle, unit, "lost combat", modifiers, "3e.loser-morale.test", test=Test.LOST_COMBAT)


# -- drawn ------------------------------------------------------------------------------------------------------


@rule("3e.drawn.pile-in", "3e.drawn.contact-stay", "3e.drawn.roll-for-first", "3e.drawn.ignore-terrain")
@rule("3e.drawn.free-enemies-first")
def _pile_in(battle: ClassicBattle, left: dict[Side, list[int]]) -> Procedure[None]:
    """A drawn combat: models that touch nobody move up to 6" into contact, or as near as they can."""
    scene, state = battle.scene, battle.state
    free = {side: {unit: _free(battle, unit, left[opponent(side)]) for unit in left[side]} for side in SIDES}
    order = [side for side in SIDES if any(free[side].values())]
    if len(order) == 2:
        first = None
        while first is None:
            faces = battle.roll(2, 6, "who moves first").faces
            first = moves_first((faces[0], faces[1]))
        order = [first, opponent(first)]
    for side in order:
        for unit, rows in free[side].items():
            enemies = [enemy for enemy in left[opponent(side)] if standing(state, enemy)]
            if rows and enemies and not scene.models[rows[0]].profile.is_vehicle:
                close_in(battle, unit, enemies, PILE_IN, MoveKind.PILE_IN, "3e.drawn.pile-in", rows)
    return
    yield


def _free(battle: ClassicBattle, unit: int, enemies: Sequence[int]) -> list[int]:
    scene, state = battle.scene, battle.state
    rows = standing(state, unit)
    foes = [row for enemy in enemies for row in standing(state, enemy)]
    touching = [row for row, gap in zip(rows, gaps(scene, state, rows, foes).min(axis=1), strict=True) if gap == 0.0]
    return may_move_in_combat(touching, rows)


# -- won --------------------------------------------------------------------------------------------------------


@rule("3e.sweep.catch", "3e.sweep.tie-roll-only-consolidate", "3e.result.destroyed-choice", "3e.loser-morale.fail")
@rule("3e.core.assault.caught", "3e.core.assault.wiped-out", "3e.fall-back.not-a-sweep")
def _react(battle: ClassicBattle, winners: Sequence[int], flees: Sequence[int], *, by_tie: bool) -> Procedure[None]:
    """The beaten fall back; winners who touch nobody any more sweep or consolidate."""
    scene, state = battle.scene, battle.state
    locked = {unit: [e for e in touched_units(scene, state, unit) if e not in flees] for unit in winners}
    chosen: dict[int, Reaction] = {}
    for unit in winners:
        slow = not may_sweep(scene.rules.characters.special_rules, traits_of(scene, state, unit))
        vehicle = scene.models[standing(state, unit)[0]].profile
        if vehicle.is_vehicle and not vehicle.weapon_skill:
            continue
        ways = reactions(by_tie_roll=by_tie, still_engaged=bool(locked[unit]), slow=slow)
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
                continue
            bury(battle, standing(state, unit), "caught by pursuers", "3e.sweep.catch")
        elif fall_back(battle, unit, total, beaten=True) is not Outcome.DESTROYED:
            escaped.append(unit)
    for unit, way in chosen.items():
        if set(kept) & set(touched_units(scene, state, unit)):
            continue
        if way is Reaction.SWEEP:
            _sweep(battle, unit, sweeps[unit], escaped)
        else:
            yield from _consolidate(battle, unit)


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
def _sweep(battle: ClassicBattle, unit: int, total: int, escaped: Sequence[int]) -> None:
    """A sweeping advance: after those who escaped, else towards the nearest enemy, into the first fresh one reached.

    DEVIATION: 3e.result.destroyed-direction where nobody flees the winners always make for the nearest enemy.
    """
    scene, state = battle.scene, battle.state
    enemies = enemies_on_table(scene, state, scene.units[unit].side)
    if not enemies:
        return
    state.units[unit].did(Deed.SWEPT)
    goal = min(escaped or enemies, key=lambda enemy: unit_gap(scene, state, unit, enemy))
    rows = standing(state, unit)
    apart = gaps(scene, state, rows, standing(state, goal))
    start, end = (int(place) for place in np.unravel_index(int(apart.argmin()), apart.shape))
    a, b = pose_of(state, rows[start]), pose_of(state, standing(state, goal)[end])
    line = [(float(x), float(y)) for x, y in np.linspace(a[:2], b[:2], 13)]
    flies = bool(_FLIES & traits_of(scene, state, unit))
    distance = sweep_distance(total, difficult=is_difficult(scene, line, state), ignores_terrain=flies)
    gap = float(apart.min())
    runs = goal in escaped
    covered, contact = sweeps_stop(distance, gap if runs else None, None if runs else gap)
    paths = []
    touched = standing(state, goal) if contact else []
    for place in np.argsort(gaps(scene, state, rows, standing(state, goal)).min(axis=1), kind="stable"):
        row = rows[int(place)]
        spot: Pose | None = None
        for foe in touched:
            spot = spot or contact_spot(scene, state, row, foe, distance, touched)
        if spot is None:
            spot = approach_spot(scene, state, row, b, min(covered, distance), keep_off=1.0)
        if spot is not None:
            paths.append(put(state, row, spot))
    if paths:
        battle.happened(
            ModelsMoved(
                unit=scene.units[unit].id, how=MoveKind.SWEEP, paths=tuple(paths), rules=("3e.outside.sweep-distance",)
            )
        )
    if touched_units(scene, state, unit):
        state.units[unit].charged = True
        state.fought = state.fought | {unit, goal}


@rule("3e.outside.consolidate-distance", "3e.core.assault.consolidate", "3e.core.assault.consolidate-not-into-contact")
def _consolidate(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """A move of up to 3" towards the nearest enemy, away from him, or none; nobody comes within 1" of an enemy.

    DEVIATION: 3e.outside.consolidate-distance of all directions these two are offered.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    state.units[unit].did(Deed.CONSOLIDATED)
    enemies = enemies_on_table(scene, state, info.side)
    if not enemies:
        return
    rule_id = "3e.outside.consolidate-distance"
    options = [
        Option("forward", "towards the nearest enemy", 1.0),
        Option("back", "away from the nearest enemy", -1.0),
        Option("stay", "stay", 0.0),
    ]
    sign: float = yield from choose(
        Decision(
            info.side,
            "consolidate",
            f"{info.name}: where does it consolidate?",
            rule_id,
            Options(options, rule=rule_id),
            subject=info.index,
        )
    )
    if not sign:
        return
    distance = consolidation_distance(difficult=False)
    goal = min(enemies, key=lambda enemy: unit_gap(scene, state, unit, enemy))
    paths = []
    for row in standing(state, unit):
        here, there = pose_of(state, row), pose_of(state, standing(state, goal)[0])
        towards = Pose(here.x + sign * (there.x - here.x), here.y + sign * (there.y - here.y))
        spot = approach_spot(scene, state, row, towards, distance, keep_off=1.0)
        if spot is not None:
            paths.append(put(state, row, spot))
    if paths:
        battle.happened(ModelsMoved(unit=info.id, how=MoveKind.CONSOLIDATE, paths=tuple(paths), rules=(rule_id,)))
