"""After a round of close combat in the classic editions: who has won, who holds, who moves in, who re-forms."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import SIDES, Decision, Option, Options, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.editions.classic.bearers import wins_tie_break
from battlewright.editions.classic.events import CombatResolved
from battlewright.editions.classic.procedures.board import enemies_on_table, gaps, touched_units, unit_gap
from battlewright.editions.classic.procedures.close_moves import CloseSpace, make_move
from battlewright.editions.classic.procedures.harm import bury, lose_wounds, pick_model
from battlewright.editions.classic.procedures.nerve import passes_without_roll, strength_of, take_morale_test, traits_of
from battlewright.editions.classic.procedures.prowess import shrugs_off
from battlewright.editions.classic.procedures.vehicle_hits import glance
from battlewright.editions.classic.pursuit import after_morale_test, is_drawn, may_move_in_combat, winner_by_wounds
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.special_rules import Test
from battlewright.editions.classic.state import Deed, MoveKind
from battlewright.editions.classic.vehicles import may_be_locked

__all__ = ["active_side_first", "conclude", "consolidate", "have_fought", "may_advance"]


@rule("3e.result.sum", "3e.result.all-units", "3e.result.tie-roll", "3e.result.tie-equal", "3e.loser-morale.test")
@rule("3e.multi-combat.separate-tests", "3e.core.assault.result", "3e.core.assault.draw", "4e.core.assault.result")
@rule("4e.core.assault.draw", "4e.core.assault.passed-test")
def conclude(battle: ClassicBattle, units: Sequence[int], caused: Sequence[tuple[Side, int]]) -> Procedure[None]:
    """The result of a round, and what follows from it.

    Args:
        caused: for each unit its side and the wounds that it caused.
    """
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.assault
    left = {side: [u for u in units if state.units[u].side == side and standing(state, u)] for side in SIDES}
    gone = [side for side in SIDES if not left[side]]
    tie: tuple[int, int] = (0, 0)
    winner = winner_by_wounds(caused)
    by_tie = False
    if gone:
        winner = opponent(gone[0]) if len(gone) == 1 else None
    elif not all(_some_contest(battle, left[side]) for side in SIDES):
        return
    elif winner is None and rules.tied_winner is not None:
        winner, by_tie = _tie_breaker(battle, left), True
        if winner is None:
            faces = battle.roll(2, 6, "tied combat").faces
            tie = (faces[0], faces[1])
            winner = rules.tied_winner(tie)
    totals = [sum(wounds for side, wounds in caused if side == each) for each in SIDES]
    battle.happened(
        CombatResolved(
            units=tuple(scene.units[unit].id for unit in units),
            wounds=(totals[0], totals[1]),
            tie=tie,
            winner=winner,
            rules=("3e.result.tie-roll" if any(tie) else "3e.result.sum",),
        )
    )
    if len(gone) == 2:
        return
    losers = left[opponent(winner)] if winner is not None else []
    lost_by = abs(totals[0] - totals[1])
    held: list[bool] = []
    for unit in losers:
        holds = yield from _holds(battle, unit, left, lost_by)
        held.append(holds)
    drawn = not gone and is_drawn(winner, held)
    if winner is not None and not drawn:
        flees = [unit for unit, runs in zip(losers, after_morale_test(held), strict=True) if runs]
        only = all(_locks_nobody(battle, u) for u in units if state.units[u].side != winner)
        yield from rules.react(battle, left[winner], flees, by_tie=by_tie, vehicles_only=only)
    if (drawn or rules.piles_in_always) and (gone or all(_some_locked(battle, left[side]) for side in SIDES)):
        yield from _pile_in(battle, left)


def _tie_breaker(battle: ClassicBattle, left: dict[Side, list[int]]) -> Side | None:
    """The side that wins a tie without rolling: all of its units have a rule for it, and not all of the enemy's."""
    scene, state = battle.scene, battle.state
    names = [frozenset.intersection(*(traits_of(scene, state, unit) for unit in left[side])) for side in SIDES]
    special = scene.rules.characters.special_rules
    return next((side for side in SIDES if wins_tie_break(special, names[side], names[opponent(side)])), None)


def _locks_nobody(battle: ClassicBattle, unit: int) -> bool:
    """Whether a unit is made of vehicles that lock nobody, whether they still stand or not."""
    return not any(may_be_locked(battle.scene.models[row].profile.keywords) for row in battle.state.units[unit].models)


def _some_contest(battle: ClassicBattle, units: Sequence[int]) -> bool:
    """Whether any of these units fights for a result, so that there is something to win."""
    rows = [row for unit in units for row in standing(battle.state, unit)]
    contests = battle.scene.rules.assault.contests
    return any(contests(battle.scene.models[row].profile.keywords) for row in rows)


def _some_locked(battle: ClassicBattle, units: Sequence[int]) -> bool:
    """Whether any of these units can be held in combat."""
    rows = [row for unit in units for row in standing(battle.state, unit)]
    return any(may_be_locked(battle.scene.models[row].profile.keywords) for row in rows)


@rule("3e.loser-morale.test", "3e.core.assault.fearless-losers", "4e.core.assault.counting-models")
@rule("4e.core.assault.no-retreat", "4e.walker-assault.no-morale", "4e.walker-assault.only-destruction")
def _holds(battle: ClassicBattle, unit: int, left: dict[Side, list[int]], lost_by: int) -> Procedure[bool]:
    """Whether a beaten unit holds its ground; one that never runs may suffer for it."""
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.assault
    side = scene.units[unit].side
    if not standing(state, unit):
        return True
    own, enemies = weight_of(battle, left[side]), weight_of(battle, left[opponent(side)])
    if passes_without_roll(scene, state, unit, Test.LOST_COMBAT):
        yield from _suffer(battle, unit, rules.wounds_of_losing(own, enemies, lost_by))
        return True
    foes = [each for each in left[opponent(side)] if standing(state, each)]
    if rules.may_give_up(scene, state, unit, foes) and (yield from _gives_up(battle, unit)):
        return False
    modifiers = rules.modifiers_of_losing(*strength_of(scene, state, unit), own, enemies, lost_by)
    return take_morale_test(battle, unit, "lost combat", modifiers, "3e.loser-morale.test", test=Test.LOST_COMBAT)


@rule("6e.core.assault.weapons-useless")
def _gives_up(battle: ClassicBattle, unit: int) -> Procedure[bool]:
    """Whether a unit that cannot harm its enemies runs without a test."""
    info, rule_id = battle.scene.units[unit], "6e.core.assault.weapons-useless"
    options = [Option("test", "take the test", False), Option("run", "run at once", True)]
    picked: bool = yield from choose(
        Decision(
            info.side,
            "give-up",
            f"{info.name} cannot harm its enemies: does it run?",
            rule_id,
            Options(options, rule=rule_id, default="test"),
            subject=info.index,
        )
    )
    return picked


def weight_of(battle: ClassicBattle, units: Sequence[int]) -> int:
    """What the models of these units count for where numbers count."""
    scene, state = battle.scene, battle.state
    rows = [row for unit in units for row in standing(state, unit)]
    return sum(scene.rules.assault.weight(scene.models[row].profile) for row in rows)


@rule("4e.atsknf.no-retreat", "4e.core.assault.no-retreat")
def stand_caught(battle: ClassicBattle, unit: int, beaten: Sequence[int], winners: Sequence[int]) -> Procedure[None]:
    """A unit that pursuers have caught and that stays all the same suffers as one that never runs."""
    wounds = battle.scene.rules.assault.wounds_of_losing(weight_of(battle, beaten), weight_of(battle, winners), 0)
    yield from _suffer(battle, unit, wounds)


@rule("4e.core.assault.no-retreat", "4e.walker-assault.no-retreat", "4e.core.shooting.whole-models")
def _suffer(battle: ClassicBattle, unit: int, wounds: int) -> Procedure[None]:
    """Wounds for not running: their owner says who takes them, and armour may save.

    RULING: 4e.walker-assault.no-retreat each of these wounds is a glancing hit on a walker, which has none to lose.
    """
    scene, state, info, rule_id = battle.scene, battle.state, battle.scene.units[unit], "4e.core.assault.no-retreat"
    for _ in range(wounds):
        rows = standing(state, unit)
        if not rows:
            return
        hurt = [row for row in rows if state.wounds[row] < scene.models[row].profile.wounds]
        row = yield from pick_model(battle, hurt or rows, "who suffers for not running?", rule_id)
        profile = scene.models[row].profile
        if profile.is_vehicle:
            yield from glance(battle, row, "4e.walker-assault.no-retreat")
            continue
        needed = min((each for each in (profile.save, profile.invulnerable) if each is not None), default=None)
        if needed is not None:
            face = battle.rolled(battle.roll(1, 6, "save"), info.side, rule_id, unit=info.id, needed=needed).total
            if face >= needed:
                continue
        if shrugs_off(battle, row, outright=False):
            continue
        lose_wounds(battle, row, 1, "no retreat", rule_id)
        if not state.wounds[row]:
            bury(battle, [row], "no retreat", rule_id)


# -- moving in --------------------------------------------------------------------------------------------------


@rule("3e.drawn.pile-in", "3e.drawn.contact-stay", "3e.drawn.roll-for-first", "3e.drawn.ignore-terrain")
@rule("3e.drawn.free-enemies-first", "3e.drawn.no-nearest", "4e.walker-pile-in.pile-in", "6e.core.assault.pile-in")
def _pile_in(battle: ClassicBattle, left: dict[Side, list[int]]) -> Procedure[None]:
    """Who is still in the combat closes in: models that touch nobody move into contact, or as near as they can."""
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.assault
    free = {side: {unit: _free(battle, unit, left[opponent(side)]) for unit in left[side]} for side in SIDES}
    order = [side for side in SIDES if any(free[side].values())]
    if len(order) == 2:
        first = yield from rules.first_in(battle, order)
        order = [first, opponent(first)]
    for side in order:
        for unit, rows in free[side].items():
            enemies = [enemy for enemy in left[opponent(side)] if _stays(battle, enemy)]
            rows = [row for row in rows if state.wounds[row] > 0]
            profile = scene.models[rows[0]].profile if rows else None
            if profile is None or not enemies or not _stays(battle, unit):
                continue
            if profile.is_vehicle and (not profile.weapon_skill or rows[0] in state.units[unit].immobilised):
                continue
            goals = [row for enemy in enemies for row in standing(state, enemy)]
            space = CloseSpace(
                scene,
                state,
                unit,
                MoveKind.PILE_IN,
                rule="3e.drawn.pile-in",
                limits={row: round(rules.pile_in * 1000) for row in rows},
                goals=goals,
                touchable=goals,
                touches=True,
                closes_in=True,
            )
            yield from make_move(battle, space, f"{scene.units[unit].name} closes in")


def _stays(battle: ClassicBattle, unit: int) -> bool:
    """Whether a unit of the combat is still in it: on the table, and not running."""
    return bool(standing(battle.state, unit)) and not battle.state.units[unit].falling_back


def _free(battle: ClassicBattle, unit: int, enemies: Sequence[int]) -> list[int]:
    scene, state = battle.scene, battle.state
    rows = standing(state, unit)
    foes = [row for enemy in enemies for row in standing(state, enemy)]
    if not rows or not foes:
        return []
    touching = [row for row, gap in zip(rows, gaps(scene, state, rows, foes).min(axis=1), strict=True) if gap == 0.0]
    return may_move_in_combat(touching, rows)


@rule("4e.core.assault.result")
def active_side_first(battle: ClassicBattle, sides: Sequence[Side]) -> Procedure[Side]:
    """Who moves in first: the player whose turn it is."""
    return battle.state.turn
    yield


# -- winners ----------------------------------------------------------------------------------------------------


@rule("3e.core.assault.not-after-vehicles", "4e.walker-advance.condition", "4e.assault-results.no-sweep-consolidate")
@rule("6e.walker-assault.sweep-pile-consolidate")
def may_advance(battle: ClassicBattle, unit: int) -> bool:
    """Whether a unit that has won moves afterwards at all: vehicles that do not walk, or cannot now, stay."""
    scene, state = battle.scene, battle.state
    rows = standing(state, unit)
    if not rows:
        return False
    profile, mine = scene.models[rows[0]].profile, state.units[unit]
    if not profile.is_vehicle:
        return True
    return profile.weapon_skill > 0 and rows[0] not in mine.immobilised and rows[0] not in mine.stunned


@rule("3e.core.assault.advance-into-fresh-enemy", "3e.outside.who-fights")
def have_fought(battle: ClassicBattle, unit: int, reached: Sequence[int]) -> None:
    """A unit that has come upon enemies after its combat fights them in the next Assault phase. Who of them waits to
    fight others in this one still does so."""
    scene, state = battle.scene, battle.state
    done = state.fought | {unit}
    waiting = [each for each in reached if not done.issuperset(touched_units(scene, state, each, locked=False))]
    state.fought = done | (set(reached) - set(waiting))


@rule("3e.outside.consolidate-distance", "3e.core.assault.consolidate", "3e.core.assault.consolidate-not-into-contact")
@rule("3e.consolidate.ignore-terrain", "4e.core.assault.consolidation", "4e.core.assault.massacre")
def consolidate(battle: ClassicBattle, unit: int, distance: float) -> Procedure[None]:
    """A consolidation: up to so many inches any way; who comes near an enemy does so only where he may engage him.

    RULING: 4e.core.assault.consolidation enemies who fall back are no new ones: nobody consolidates into them.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    state.units[unit].did(Deed.CONSOLIDATED)
    enemies = enemies_on_table(scene, state, info.side)
    rows = standing(state, unit)
    if not rows:
        return
    goals: list[int] = []
    if enemies:
        goals = standing(state, min(enemies, key=lambda enemy: unit_gap(scene, state, unit, enemy)))
    fresh = [enemy for enemy in enemies if scene.rules.assault.may_engage and not state.units[enemy].falling_back]
    touchable = [row for enemy in fresh for row in standing(state, enemy)]
    space = CloseSpace(
        scene,
        state,
        unit,
        MoveKind.CONSOLIDATE,
        rule="3e.outside.consolidate-distance",
        limits={row: round(distance * 1000) for row in rows},
        goals=goals,
        touchable=touchable,
        off_rule="3e.core.assault.consolidate-not-into-contact",
    )
    yield from make_move(battle, space, f"{info.name} consolidates", always=True)
    if touchable and (reached := touched_units(scene, state, unit)):
        have_fought(battle, unit, reached)
