"""The Assault phase of the classic editions: who assaults whom, the moves into contact, and each combat in turn."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.arrivals import why_no_charge_ahead
from battlewright.editions.classic.artillery import is_gun, may_charge_with
from battlewright.editions.classic.assault import assault_through_difficult
from battlewright.editions.classic.events import LeadershipTested
from battlewright.editions.classic.falling_back import Outcome, rally_when_assaulted
from battlewright.editions.classic.footwork import SecondMove, terrain_test_dice
from battlewright.editions.classic.joining import assaults_with
from battlewright.editions.classic.kinds import assault_reach
from battlewright.editions.classic.procedures.board import (
    combat_of,
    enemies_on_table,
    free_in_combat,
    gaps,
    in_combat,
    pose_of,
    swept_into,
    touched_units,
    unit_gap,
)
from battlewright.editions.classic.procedures.breaking_off import breaking_off
from battlewright.editions.classic.procedures.close_moves import CloseSpace, make_move
from battlewright.editions.classic.procedures.covering import is_difficult, models_in_cover
from battlewright.editions.classic.procedures.crossing import crosses_obstacle
from battlewright.editions.classic.procedures.damaging import settle_vehicle_turn
from battlewright.editions.classic.procedures.dashing import thrust, thrust_of
from battlewright.editions.classic.procedures.events import AssaultFellShort
from battlewright.editions.classic.procedures.ground import kind_rules
from battlewright.editions.classic.procedures.harm import bury
from battlewright.editions.classic.procedures.melee import fight_combat
from battlewright.editions.classic.procedures.nerve import leadership_of, traits_of
from battlewright.editions.classic.procedures.prowess import recover
from battlewright.editions.classic.procedures.retreat import tries_to_rally
from battlewright.editions.classic.procedures.terrain_rolls import ask_reroll
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.classic.striking import Reach, takes_part
from battlewright.editions.classic.terrain import Crossing, higher_die, is_slowed_by
from battlewright.editions.edition import Arrival
from battlewright.editions.happenings import UnitSelected

__all__ = [
    "assault_phase",
    "charge_space",
    "contacted_in_cover",
    "crosses_difficult",
    "foresee_terrain",
    "stand_or_fall",
    "terrain_allowance",
]

_CHARGE, _FIGHT = "3e.assault-move.within-six", "3e.outside.who-fights"


@resumable
@rule("3e.core.turn.sequence", "3e.outside.who-fights", "3e.core.turn.both-sides-fight")
@rule("3e.assault.simple-case")
@rule("4e.core.turn.sequence", "6e.core.turn.who-charges")
def assault_phase(battle: ClassicBattle) -> Procedure[None]:
    """The player's units move into contact one after the other; then every close combat is fought, by both sides."""
    state = battle.state
    state.begin()
    while state.step == 1 and (_able(battle) or _thrusting(battle)):
        picked = yield from _select(battle)
        if picked is None:
            break
        yield from thrust(battle, picked[0]) if isinstance(picked, tuple) else _assault(battle, picked)
    state.begin(2)
    while state.step == 2 and (waiting := _combats(battle)):
        lowest = (yield from _select_combat(battle)) if len(waiting) > 1 else waiting[0]
        fighting = _in_the_combat(battle, lowest)
        state.fought = state.fought | frozenset(fighting)
        yield from fight_combat(battle, fighting)
    if state.begin(3):
        yield from breaking_off(battle)
        _forget_charges(battle)
        recover(battle)
        yield from battle.scene.rules.assault.turn_ends(battle)
        settle_vehicle_turn(battle)


@rule("3e.outside.charge-bonus", "3e.fight-order.later-rounds")
def _forget_charges(battle: ClassicBattle) -> None:
    """Units that touch nobody when the phase is over have charged nobody whom they are still to fight."""
    for unit, mine in enumerate(battle.state.units):
        if not touched_units(battle.scene, battle.state, unit, locked=False):
            mine.charged = mine.charged_in_cover = mine.charged_through = mine.charged_free = False
            mine.charged_from, mine.covered = (), frozenset()


# -- assaulting -------------------------------------------------------------------------------------------------


def _able(battle: ClassicBattle) -> list[int]:
    return [unit for unit in range(len(battle.state.units)) if _may_assault(battle.scene, battle.state, unit)]


def _thrusting(battle: ClassicBattle) -> list[tuple[int, SecondMove]]:
    """The units that may move in place of an assault, with the moves that they have."""
    moves = ((unit, thrust_of(battle.scene, battle.state, unit)) for unit in range(len(battle.state.units)))
    return [(unit, move) for unit, move in moves if move is not None]


@rule("4e.character-assault.charge-with-unit", "4e.character-assault.charge-alone", "3e.char-combat.joined-together")
@rule("4e.character-assault.locked-with-unit", "3e.char-combat.alone-free")
def _may_assault(scene: Scene, state: ClassicState, unit: int) -> bool:
    mine = state.units[unit]
    rows = standing(state, unit)
    if mine.side != state.turn or mine.acted or not rows or assaults_with(unit, mine.joined) != unit:
        return False
    enemies = enemies_on_table(scene, state, mine.side)
    if not _reach(scene, rows) or not any(_may_name(scene, state, unit, enemy) for enemy in enemies):
        return False
    if not may_charge_with(sum(is_gun(scene.models[row].profile) for row in rows)):
        return False
    if why_no_charge_ahead(scene.rules.movement.arrivals, state.round, ahead=mine.ahead):
        return False
    if scene.rules.flight.why_no_charge(mine, None):
        return False
    locked = in_combat(scene, state, unit) and not _may_join(scene, state, unit)
    return not scene.rules.assault.why_no_assault(mine, locked) and not mine.immobilised


def _reach(scene: Scene, rows: Sequence[int]) -> float:
    """How far a unit's assault moves go: as far as those of its slowest model."""
    kinds, profiles = scene.rules.movement.kinds, [scene.models[row].profile for row in rows]
    return min(assault_reach(kinds, profile.kind, profile.keywords) for profile in profiles)


@resumable
def _select(battle: ClassicBattle) -> Procedure[int | tuple[int] | None]:
    def options() -> list[Option]:
        units = battle.scene.units
        found = [Option(units[unit].id, units[unit].name, unit) for unit in _able(battle)]
        found += [
            Option(f"{units[unit].id}:{move.way}", f"{units[unit].name}: {move.label}", (unit,))
            for unit, move in _thrusting(battle)
        ]
        return [*found, Option("end", "no further assault: fight", None)]

    picked: int | tuple[int] | None = yield from choose(
        Decision(
            battle.state.turn,
            "select-unit-to-assault",
            "Select a unit to assault",
            _CHARGE,
            Options(options, rule=_CHARGE),
            is_checkpoint=True,
        )
    )
    return picked


@rule("3e.assault-move.within-six", "3e.assault-move.out-of-range-no-move", "3e.assault-move.several-targets")
@rule("3e.core.assault.charge-reach", "3e.core.assault.must-reach", "3e.char-combat.alone-free")
def _assault(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """One unit assaults: its enemies are named, then the distance is measured; out of reach it does not move."""
    scene, state = battle.scene, battle.state
    mine, info = state.units[unit], scene.units[unit]
    mine.acted = True
    targets: list[int] = []
    while True:
        options = [
            Option(scene.units[enemy].id, scene.units[enemy].name, enemy)
            for enemy in enemies_on_table(scene, state, mine.side)
            if enemy not in targets
            and _may_name(scene, state, unit, enemy)
            and not scene.rules.assault.why_not_this(scene, state, unit, enemy)
        ]
        if not options:
            break
        options.append(Option("none", "no other" if targets else "do not assault", None))
        target: int | None = yield from choose(
            Decision(
                info.side,
                "select-unit-assaulted",
                f"{info.name}: whom does it assault{' besides' if targets else ''}?",
                _CHARGE,
                Options(options, rule=_CHARGE, default="none" if targets else options[0].key),
                subject=info.index,
            )
        )
        if target is None:
            break
        targets.append(target)
    within = [target for target in targets if _reaches(scene, state, unit, target)]
    if short := tuple(scene.units[target].id for target in targets if target not in within):
        battle.happened(AssaultFellShort(unit=info.id, targets=short, rules=("3e.assault-move.out-of-range-no-move",)))
    if within:
        battle.happened(UnitSelected(unit=info.id, to="assault", rules=(_CHARGE,)))
        yield from _charge(battle, unit, within)


def _may_name(scene: Scene, state: ClassicState, unit: int, enemy: int) -> bool:
    """Whether an enemy may be named as the target of an assault: where it is measured first, only one within reach."""
    return not scene.rules.shooting.may_measure_first(False) or _reaches(scene, state, unit, enemy)


def _reaches(scene: Scene, state: ClassicState, unit: int, target: int) -> bool:
    reach = _reach(scene, standing(state, unit))
    return scene.rules.assault.reaches(unit_gap(scene, state, unit, target), reach)


@rule("3e.assault-move.short-move", "3e.assault-move.one-in-contact", "3e.outside.charge-bonus")
@rule("3e.assault-move.short-move-no-attacks")
@rule("3e.core.assault.charge-moves", "3e.outside.contact-required")
def _charge(battle: ClassicBattle, unit: int, targets: Sequence[int]) -> Procedure[None]:
    """The assault move, and what follows from it: the bonus, the advantage of cover, tests of those who fell back."""
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.assault
    chargers = standing(state, unit)
    covered = {target: models_in_cover(scene, state, target, chargers) for target in targets}
    free = {target: not in_combat(scene, state, target) for target in targets}
    before = set(touched_units(scene, state, unit, locked=False))
    rows = free_in_combat(scene, state, unit)
    allowance = yield from rules.allowance(battle, unit, targets, _reach(scene, rows))
    rows = [row for row in rows if state.wounds[row] > 0]
    targets = [target for target in targets if standing(state, target)]
    if not rows or not targets:
        return
    goals = [row for target in targets for row in standing(state, target)]
    gap = float(gaps(scene, state, rows, goals).min())
    if gap > allowance:
        allowance = rules.moves_short(gap, allowance)
    begun = tuple((row, int(state.position[row, 0]), int(state.position[row, 1])) for row in rows)
    space = charge_space(scene, state, unit, rows, goals, allowance)
    yield from make_move(battle, space, f"{scene.units[unit].name} moves into contact")
    touched = set(touched_units(scene, state, unit, locked=False))
    contacted = [target for target in targets if target in touched and target not in before]
    if not takes_part([Reach.CONTACT] * len(contacted)):
        short, rule_id = tuple(scene.units[target].id for target in targets), "3e.assault-move.short-move-no-attacks"
        battle.happened(AssaultFellShort(unit=scene.units[unit].id, targets=short, moved=True, rules=(rule_id,)))
        return
    state.units[unit].charged = rules.has_bonus(len(contacted))
    state.units[unit].charged_from = begun
    for target in contacted:
        state.units[target].charged_free = state.units[target].charged_free or free[target]
        if scene.rules.shooting.charge_ends_pinning:
            state.units[target].pinned = False
        contacted_in_cover(battle, target, covered[target], fresh=free[target])
        if state.units[target].falling_back:
            stand_or_fall(battle, target)
    yield from rules.contacted(battle, unit, [target for target in contacted if standing(state, target)])


@rule("3e.fight-order.cover-first", "3e.fight-order.later-rounds", "3e.core.assault.cover-strikes-first")
def contacted_in_cover(battle: ClassicBattle, target: int, covered: frozenset[int], *, fresh: bool) -> None:
    """Note that enemies have moved into contact with a unit some of whose models are in cover.

    Args:
        covered: rows of these.
        fresh: whether nobody has fought it before.
    """
    mine = battle.state.units[target]
    if covered and (fresh or not battle.scene.rules.assault.covers_each):
        mine.charged_in_cover = True
        mine.covered = mine.covered | covered


def charge_space(
    scene: Scene, state: ClassicState, unit: int, rows: Sequence[int], goals: Sequence[int], allowance: float
) -> CloseSpace:
    """The assault move of these models of a unit towards these enemies, so far in inches: what may be answered."""
    return CloseSpace(
        scene,
        state,
        unit,
        MoveKind.ASSAULT,
        rule=_CHARGE,
        limits={row: round(allowance * 1000) for row in rows},
        goals=goals,
        touchable=goals,
        touches=True,
        closes_in=True,
    )


@rule("3e.fall-back.charged-test", "3e.fall-back.charged-pass", "3e.fall-back.charged-fail")
@rule("3e.fall-back.charged-no-modifiers", "3e.fall-back.charged-anyone", "3e.fall-back.not-a-sweep")
@rule("6e.core.morale.charged-while-falling-back")
def stand_or_fall(battle: ClassicBattle, target: int) -> None:
    """A unit that was assaulted while falling back tests at once: it stands and fights, or is no more."""
    scene, state = battle.scene, battle.state
    if scene.rules.morale.regroups_when_charged:
        if tries_to_rally(battle, target):
            state.units[target].falling_back = False
        else:
            bury(battle, standing(state, target), "destroyed", "6e.core.morale.charged-while-falling-back")
        return
    leadership = leadership_of(scene, state, target)
    faces = battle.roll(2, 6, "assaulted while falling back").faces
    outcome = rally_when_assaulted(faces, leadership)
    battle.happened(
        LeadershipTested(
            unit=scene.units[target].id,
            why="charged while falling back",
            faces=faces,
            needed=leadership,
            modifiers=(),
            passed=outcome is not Outcome.DESTROYED,
            rules=("3e.fall-back.charged-fail",),
        )
    )
    if outcome is Outcome.DESTROYED:
        bury(battle, standing(state, target), "destroyed", "3e.fall-back.charged-fail")
    else:
        state.units[target].falling_back = False


@rule("3e.partial-contact.others-assault", "3e.partial-contact.no-assault-stationary-fire")
@rule("3e.partial-contact.contact-stay")
def _may_join(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether the free models of a unit that was swept into may move into its combat."""
    if not swept_into(scene, state, unit) or not free_in_combat(scene, state, unit):
        return False
    return scene.rules.assault.may_join(state.units[unit])


@rule("3e.terrain.test", "3e.core.movement.difficult-terrain", "3e.core.assault.charge-reach")
@rule("3e.core.units.beasts", "3e.core.units.cavalry", "3e.core.units.large-creatures")
@rule("3e.core.movement.extra-terrain-die", "3e.characters.terrain-reroll-once", "4e.monstrous.terrain-reroll")
@rule("4e.move-through-cover.extra-die", "4e.slow-and-purposeful.always-difficult", "3e.core.movement.obstacles")
def terrain_allowance(battle: ClassicBattle, unit: int, targets: Sequence[int], reach: float) -> Procedure[float]:
    """What difficult terrain between the unit and its enemies leaves of its reach: the highest die of the same test
    as in the Movement phase, with everything that special rules make of it."""
    scene, state = battle.scene, battle.state
    rows, movement, traits = standing(state, unit), scene.rules.movement, traits_of(scene, state, unit)
    rules = kind_rules(scene, rows[0], MoveKind.ASSAULT)
    if not _is_slowed(scene, state, unit, targets):
        return reach
    info, dice = scene.units[unit], terrain_test_dice(traits)
    roll = battle.rolled(battle.roll(dice, 6, "terrain"), info.side, "3e.terrain.test", unit=info.id)
    if movement.rerolls_distance(scene.models[rows[0]].profile, alone=len(rows) == 1, rerolled=False) and (
        yield from ask_reroll(battle, unit, f"the terrain test shows {higher_die(roll.faces)}", higher_die(roll.faces))
    ):
        again = battle.roll(dice, 6, "terrain")
        roll = battle.rolled(again, info.side, "3e.characters.terrain-reroll", unit=info.id)
    return min(reach, assault_through_difficult(rules, roll.faces))


def _is_slowed(scene: Scene, state: ClassicState, unit: int, targets: Sequence[int]) -> bool:
    """Whether difficult terrain on the way to these enemies says how far the unit goes."""
    rows, always = standing(state, unit), scene.rules.movement.always_tests(traits_of(scene, state, unit))
    crosses = always or crosses_difficult(scene, state, rows, targets)
    return is_slowed_by(kind_rules(scene, rows[0], MoveKind.ASSAULT), Crossing(passes=crosses))


@rule("3e.terrain.test", "3e.core.fundamentals.declare-before-measuring")
def foresee_terrain(scene: Scene, state: ClassicState, unit: int, target: int) -> Arrival:
    """What is known before an assault: how far it goes, not how far the enemy is, which nobody may measure."""
    reach, dice = _reach(scene, standing(state, unit)), terrain_test_dice(traits_of(scene, state, unit))
    if not _is_slowed(scene, state, unit, [target]):
        return Arrival(None, f'it goes up to {reach:g}", which is measured once the assault is declared')
    return Arrival(None, f'through difficult terrain it goes as far as the highest of {dice}D6, up to {reach:g}"')


def crosses_difficult(scene: Scene, state: ClassicState, rows: Sequence[int], targets: Sequence[int]) -> bool:
    """Whether a unit's models stand in difficult terrain, or some lies on the straight way from the foremost to the
    nearest of these enemies; an obstacle that it has to cross is such."""
    points: list[tuple[float, float]] = [(pose.x, pose.y) for pose in (pose_of(state, row) for row in rows)]
    for target in targets:
        theirs = standing(state, target)
        apart = gaps(scene, state, rows, theirs)
        mine, other = np.unravel_index(int(apart.argmin()), apart.shape)
        a, b = pose_of(state, rows[int(mine)]), pose_of(state, theirs[int(other)])
        points += [(float(x), float(y)) for x, y in np.linspace(a[:2], b[:2], 13)]
        far = math.dist(a[:2], b[:2])
        share = float(apart.min()) / far if far else 0.0
        end = (a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
        if crosses_obstacle(scene, state, rows[int(mine)], end):
            return True
    return is_difficult(scene, points, state)


# -- combats ----------------------------------------------------------------------------------------------------


@rule("6e.walker-rammed.may-fight-back")
def _combats(battle: ClassicBattle) -> list[int]:
    """The combats of this phase that have not been fought yet, each by its lowest unit."""
    state = battle.state
    found: list[int] = []
    for unit in range(len(state.units)):
        if unit in state.fought or not standing(state, unit) or unit in found:
            continue
        combat = _in_the_combat(battle, unit)
        if len(combat) > 1 and combat[0] == unit and not state.fought & set(combat):
            found.append(unit)
    return found


@rule("4e.core.morale.falling-back-acts", "3e.fall-back.no-assault")
def _in_the_combat(battle: ClassicBattle, unit: int) -> list[int]:
    """The units that fight in the combat of a unit. Who falls back fights nobody, nor is fought, where it still stands
    at a vehicle that locks nobody; nor does who has fought in this phase and then come into this combat."""
    scene, state = battle.scene, battle.state
    fighting = [
        each
        for each in combat_of(scene, state, unit, locked=False)
        if not state.units[each].falling_back and each not in state.fought
    ]
    return fighting if unit in fighting and len({scene.units[each].side for each in fighting}) > 1 else [unit]


@resumable
def _select_combat(battle: ClassicBattle) -> Procedure[int]:
    def options() -> list[Option]:
        units = battle.scene.units
        return [Option(units[unit].id, f"the combat of {units[unit].name}", unit) for unit in _combats(battle)]

    picked: int = yield from choose(
        Decision(
            battle.state.turn,
            "select-combat",
            "Which close combat is fought next?",
            _FIGHT,
            Options(options, rule=_FIGHT),
            is_checkpoint=True,
        )
    )
    return picked
