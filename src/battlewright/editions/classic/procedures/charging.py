"""The Assault phase of the 3rd edition: who assaults whom, the moves into contact, and each combat in turn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.kinds import assault_reach
from battlewright.editions.classic.procedures.board import (
    combat_of,
    enemies_on_table,
    gaps,
    in_combat,
    is_difficult,
    is_in_cover,
    pose_of,
    touched_units,
    unit_gap,
)
from battlewright.editions.classic.procedures.closing import close_in
from battlewright.editions.classic.procedures.damaging import settle_vehicle_turn
from battlewright.editions.classic.procedures.ground import kind_rules
from battlewright.editions.classic.procedures.harm import bury
from battlewright.editions.classic.procedures.melee import fight_combat
from battlewright.editions.classic.procedures.nerve import leadership_of
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.classic.terrain import Crossing, higher_die, is_slowed_by
from battlewright.editions.happenings import UnitSelected
from battlewright.editions.third.assaulting import (
    why_no_assault,
)
from battlewright.editions.third.characters import assaults_with
from battlewright.editions.third.falling_back import Outcome, rally_when_assaulted
from battlewright.editions.third.striking import Reach, takes_part

__all__ = ["assault_phase"]

_CHARGE, _FIGHT = "3e.assault-move.within-six", "3e.outside.who-fights"


@resumable
@rule("3e.core.turn.sequence", "3e.outside.who-fights", "3e.core.turn.both-sides-fight")
def assault_phase(battle: ClassicBattle) -> Procedure[None]:
    """The player's units move into contact one after the other; then every close combat is fought, by both sides."""
    state = battle.state
    state.begin()
    while state.step == 1 and _able(battle):
        unit = yield from _select(battle)
        if unit is None:
            break
        yield from _assault(battle, unit)
    state.begin(2)
    while state.step == 2 and (waiting := _combats(battle)):
        lowest = (yield from _select_combat(battle)) if len(waiting) > 1 else waiting[0]
        state.fought = state.fought | frozenset(combat_of(battle.scene, state, lowest, locked=False))
        yield from fight_combat(battle, combat_of(battle.scene, state, lowest, locked=False))
    if state.begin(3):
        settle_vehicle_turn(battle)


# -- assaulting -------------------------------------------------------------------------------------------------


def _able(battle: ClassicBattle) -> list[int]:
    return [unit for unit in range(len(battle.state.units)) if _may_assault(battle.scene, battle.state, unit)]


def _may_assault(scene: Scene, state: ClassicState, unit: int) -> bool:
    mine = state.units[unit]
    rows = standing(state, unit)
    if mine.side != state.turn or mine.acted or not rows or assaults_with(unit, mine.joined) != unit:
        return False
    if not enemies_on_table(scene, state, mine.side) or not _reach(scene, rows):
        return False
    return not why_no_assault(mine, in_combat=in_combat(scene, state, unit)) and not mine.immobilised


def _reach(scene: Scene, rows: Sequence[int]) -> float:
    """How far a unit's assault moves go: as far as those of its slowest model."""
    kinds, profiles = scene.rules.movement.kinds, [scene.models[row].profile for row in rows]
    return min(assault_reach(kinds, profile.kind, profile.keywords) for profile in profiles)


@resumable
def _select(battle: ClassicBattle) -> Procedure[int | None]:
    def options() -> list[Option]:
        units = [battle.scene.units[unit] for unit in _able(battle)]
        return [*(Option(unit.id, unit.name, int(unit.index)) for unit in units), Option("end", "fight", None)]

    picked: int | None = yield from choose(
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
        ]
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
    if within:
        battle.happened(UnitSelected(unit=info.id, to="assault", rules=(_CHARGE,)))
        yield from _charge(battle, unit, within)


def _reaches(scene: Scene, state: ClassicState, unit: int, target: int) -> bool:
    reach = _reach(scene, standing(state, unit))
    return scene.rules.assault.reaches(unit_gap(scene, state, unit, target), reach)


@rule("3e.assault-move.short-move", "3e.assault-move.one-in-contact", "3e.outside.charge-bonus")
@rule("3e.fall-back.charged-test", "3e.fall-back.charged-pass", "3e.fall-back.charged-fail")
def _charge(battle: ClassicBattle, unit: int, targets: Sequence[int]) -> Procedure[None]:
    """The assault move, and what follows from it: the bonus, the advantage of cover, tests of those who fell back."""
    scene, state = battle.scene, battle.state
    covered = {target: any(is_in_cover(scene, state, row) for row in standing(state, target)) for target in targets}
    reach = _reach(scene, standing(state, unit))
    free = {target: not in_combat(scene, state, target) for target in targets}
    allowance = min(reach, _terrain(battle, unit, targets, reach))
    close_in(battle, unit, targets, allowance, MoveKind.ASSAULT, _CHARGE)
    contacted = [target for target in targets if target in touched_units(scene, state, unit, locked=False)]
    if not takes_part([Reach.CONTACT] * len(contacted)):
        return
    state.units[unit].charged = True
    for target in contacted:
        state.units[target].charged_free = state.units[target].charged_free or free[target]
        state.units[target].charged_in_cover = state.units[target].charged_in_cover or covered[target]
        if state.units[target].falling_back:
            faces = battle.roll(2, 6, "assaulted while falling back").faces
            if rally_when_assaulted(faces, leadership_of(scene, state, target)) is Outcome.DESTROYED:
                bury(battle, standing(state, target), "destroyed", "3e.fall-back.charged-fail")
            else:
                state.units[target].falling_back = False
    return
    yield


@rule("3e.terrain.test", "3e.core.movement.difficult-terrain", "3e.core.assault.charge-reach")
def _terrain(battle: ClassicBattle, unit: int, targets: Sequence[int], reach: float) -> float:
    """What difficult terrain between the unit and its enemies leaves of its reach: the higher of two dice."""
    scene, state = battle.scene, battle.state
    rows = standing(state, unit)
    points: list[tuple[float, float]] = []
    for target in targets:
        theirs = standing(state, target)
        apart = gaps(scene, state, rows, theirs)
        mine, other = np.unravel_index(int(apart.argmin()), apart.shape)
        a, b = pose_of(state, rows[int(mine)]), pose_of(state, theirs[int(other)])
        points += [(float(x), float(y)) for x, y in np.linspace(a[:2], b[:2], 13)]
    touches = Crossing(passes=is_difficult(scene, points, state))
    if not is_slowed_by(kind_rules(scene, rows[0]), touches):
        return reach
    info = scene.units[unit]
    roll = battle.rolled(battle.roll(2, 6, "terrain"), info.side, "3e.terrain.test", unit=info.id)
    return float(higher_die(roll.faces))


# -- combats ----------------------------------------------------------------------------------------------------


def _combats(battle: ClassicBattle) -> list[int]:
    """The combats of this phase that have not been fought yet, each by its lowest unit."""
    scene, state = battle.scene, battle.state
    found = []
    for unit in range(len(state.units)):
        if unit in state.fought or not standing(state, unit) or unit in found:
            continue
        combat = combat_of(scene, state, unit, locked=False)
        if len(combat) > 1 and combat[0] == unit and not state.fought & set(combat):
            found.append(unit)
    return found


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
