"""Moves in place of shooting (fleet troops, and whoever else an edition lets run) or of an assault (jet packs)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Place
from battlewright.core.rulebook import rule
from battlewright.editions.classic.footwork import SecondMove, why_no_second_move
from battlewright.editions.classic.procedures.accidents import carry_out
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.procedures.fire_points import was_fired_out_of
from battlewright.editions.classic.procedures.ground import kind_rules
from battlewright.editions.classic.procedures.moving import MoveSpace
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.procedures.squadrons import leave_behind
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, ClassicUnit, Deed, MoveKind
from battlewright.editions.classic.vehicles import kept_back, stood_still
from battlewright.editions.happenings import UnitSelected

__all__ = ["dash", "second_move_of", "thrust", "thrust_of"]


@rule("3e.core.movement.fleet", "4e.fleet.move", "4e.fleet.not-if-shot", "6e.core.movement.run")
@rule("6e.outside.fire-points")
def second_move_of(scene: Scene, state: ClassicState, unit: int) -> SecondMove | None:
    """The move that a unit may make now in place of shooting; None when it has none."""
    mine, rows = state.units[unit], standing(state, unit)
    if mine.side != state.turn or mine.acted or not rows:
        return None
    if why_no_second_move(mine, in_combat=in_combat(scene, state, unit)) or not _able(state, unit):
        return None
    if mine.aloft:
        return scene.rules.flight.flies_on(scene, state, unit)
    kinds = [scene.models[row].profile.kind for row in rows]
    found = scene.rules.movement.second_move(traits_of(scene, state, unit), kinds)
    return None if found is not None and found.way is MoveKind.FLAT_OUT and was_fired_out_of(mine) else found


@rule("4e.jet-packs.assault-move", "6e.core.units.jet-pack")
def thrust_of(scene: Scene, state: ClassicState, unit: int) -> SecondMove | None:
    """The move that a unit may make now in the Assault phase in place of an assault; None when it has none."""
    mine, rows = state.units[unit], standing(state, unit)
    if mine.side != state.turn or mine.acted or not rows or mine.has(Deed.THRUST) or mine.has(Deed.DEEP_STRUCK):
        return None
    if mine.pinned or mine.falling_back or mine.embarked >= 0 or in_combat(scene, state, unit):
        return None
    return scene.rules.movement.assault_phase_move(traits_of(scene, state, unit))


def _able(state: ClassicState, unit: int) -> list[int]:
    """The models of a unit that can move: the vehicles of a squadron that are neither stunned nor immobilised."""
    disabled = state.units[unit].stunned | state.units[unit].immobilised
    return [row for row in standing(state, unit) if row not in disabled]


def dash(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """A move in place of shooting; the unit then shoots no more, and where its edition says so it does not assault."""
    second = second_move_of(battle.scene, battle.state, unit)
    assert second is not None, "it has been offered"
    deeds: tuple[Deed, ...] = (Deed.DASHED, Deed.RAN) if second.ends_turn else (Deed.DASHED,)
    flat_out, before = second.way is MoveKind.FLAT_OUT, battle.state.units[unit].copy()
    moved = yield from _move(battle, unit, second, *deeds, *((Deed.FLAT_OUT,) if flat_out else ()))
    if flat_out and not before.aloft:
        _let_others_fire(battle.state, unit, moved, before)


@rule("6e.outside.squadrons", "6e.outside.flat-out")
def _let_others_fire(state: ClassicState, unit: int, moved: Collection[int], before: ClassicUnit) -> None:
    """Vehicles of a squadron that stay where others of it go flat out may still fire.

    RULING: 6e.outside.squadrons whoever is moved goes flat out; where nobody is, all of them have, as a single vehicle.
    """
    mine = state.units[unit]
    stay = [row for row in standing(state, unit) if row not in moved]
    if not stay or not set(standing(state, unit)) & set(moved):
        return
    still = {stood_still(row) for row in stay} & (before.deeds if before.moved else mine.deeds)
    mine.deeds = (mine.deeds - {Deed.RAN, *map(stood_still, mine.models)}) | still | set(map(kept_back, stay))
    mine.acted = False
    if before.moved:
        mine.moved_distance = before.moved_distance


def thrust(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """A move in the Assault phase in place of an assault."""
    second = thrust_of(battle.scene, battle.state, unit)
    assert second is not None, "it has been offered"
    yield from _move(battle, unit, second, Deed.THRUST)


@rule("3e.core.movement.fleet", "4e.fleet.move", "4e.fleet.ignores-terrain", "6e.core.movement.run")
@rule("6e.core.special-rules.fleet", "6e.core.special-rules.crusader", "4e.jet-packs.assault-move")
@rule("6e.core.movement.bike", "6e.core.movement.jetbike", "6e.core.units.jet-pack")
def _move(battle: ClassicBattle, unit: int, second: SecondMove, *deeds: str) -> Procedure[tuple[int, ...]]:
    """Throw the dice, where there are any, and move; the models that do."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    mine = state.units[unit]
    mine.acted = True
    mine.did(*deeds)
    if mine.aloft and (yield from scene.rules.flight.fly_on(battle, unit, second)):
        return ()
    battle.happened(UnitSelected(unit=info.id, to="move", how=second.way, rules=(second.rule,)))
    limits = {row: round(1000 * kind_rules(scene, row, second.way).move) for row in _able(state, unit)}
    if second.dice:
        inches = yield from _inches(battle, unit, second)
        limits = dict.fromkeys(limits, 1000 * inches)
    space = MoveSpace(scene, state, unit, second.way, rule=second.rule, limits=limits)
    prompt = f"{info.name}: {second.label}, up to {max(limits.values()) / 1000:g}"
    placement = yield Decision(info.side, f"move-{second.way}", f'{prompt}"', second.rule, space, subject=info.index)
    assert isinstance(placement, Place)
    if placement.moves:
        yield from carry_out(battle, space, placement)
        leave_behind(battle, unit)
    return tuple(move.model for move in placement.moves if len(move.path) > 0)


def _inches(battle: ClassicBattle, unit: int, second: SecondMove) -> Procedure[int]:
    info = battle.scene.units[unit]
    roll = battle.rolled(battle.roll(second.dice, 6, str(second.way)), info.side, second.rule, unit=info.id)
    inches = _sum(second, roll.faces)
    if second.rerolls and inches < 6:
        options = [Option("again", "roll again", True), Option("keep", "keep it", False)]
        choices = Options(options, rule=second.rule, default="again" if inches < 4 else "keep")
        again: bool = yield from choose(
            Decision(
                info.side,
                "reroll-run",
                f'{info.name}: {inches}" thrown; roll again?',
                second.rule,
                choices,
                subject=info.index,
            )
        )
        if again:
            roll = battle.rolled(battle.roll(second.dice, 6, str(second.way)), info.side, second.rule, unit=info.id)
            inches = _sum(second, roll.faces)
    return inches


def _sum(second: SecondMove, faces: Sequence[int]) -> int:
    return sum(faces) if second.adds_up else max(faces)
