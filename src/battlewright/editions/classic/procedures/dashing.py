"""Moves in the Shooting phase in place of shooting: fleet troops, and whoever else an edition lets run."""

from __future__ import annotations

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Place
from battlewright.core.rulebook import rule
from battlewright.editions.classic.footwork import SecondMove, why_no_second_move
from battlewright.editions.classic.procedures.accidents import carry_out
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.procedures.ground import kind_rules
from battlewright.editions.classic.procedures.moving import MoveSpace
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.happenings import UnitSelected

__all__ = ["dash", "second_move_of"]


@rule("3e.core.movement.fleet", "4e.fleet.move", "4e.fleet.not-if-shot", "6e.core.movement.run")
def second_move_of(scene: Scene, state: ClassicState, unit: int) -> SecondMove | None:
    """The move that a unit may make now in place of shooting; None when it has none."""
    mine, rows = state.units[unit], standing(state, unit)
    if mine.side != state.turn or mine.acted or not rows:
        return None
    if why_no_second_move(mine, in_combat=in_combat(scene, state, unit)):
        return None
    kinds = [scene.models[row].profile.kind for row in rows]
    return scene.rules.movement.second_move(traits_of(scene, state, unit), kinds)


@rule("3e.core.movement.fleet", "4e.fleet.move", "4e.fleet.ignores-terrain", "6e.core.movement.run")
@rule("6e.core.special-rules.fleet", "6e.core.special-rules.crusader")
def dash(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """Throw the dice and move; the unit then shoots no more, and where its edition says so it does not assault."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    second = second_move_of(scene, state, unit)
    assert second is not None, "it has been offered"
    mine = state.units[unit]
    mine.acted = True
    mine.did(Deed.DASHED, *((Deed.RAN,) if second.ends_turn else ()))
    battle.happened(UnitSelected(unit=info.id, to="move", how=second.way, rules=(second.rule,)))
    limits = {row: round(1000 * kind_rules(scene, row, second.way).move) for row in standing(state, unit)}
    if second.dice:
        inches = yield from _inches(battle, unit, second)
        limits = dict.fromkeys(limits, 1000 * inches)
    space = MoveSpace(scene, state, unit, second.way, rule=second.rule, limits=limits)
    prompt = f"{info.name}: {second.label}, up to {max(limits.values()) / 1000:g}"
    placement = yield Decision(info.side, f"move-{second.way}", f'{prompt}"', second.rule, space, subject=info.index)
    assert isinstance(placement, Place)
    if placement.moves:
        yield from carry_out(battle, space, placement)


def _inches(battle: ClassicBattle, unit: int, second: SecondMove) -> Procedure[int]:
    info = battle.scene.units[unit]
    roll = battle.rolled(battle.roll(second.dice, 6, str(second.way)), info.side, second.rule, unit=info.id)
    inches = max(roll.faces)
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
            inches = max(roll.faces)
    return inches
