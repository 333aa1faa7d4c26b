"""Moves of those who are charged: units with a rule for it go to meet the enemy."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.editions.classic.procedures.board import free_in_combat, touched_units
from battlewright.editions.classic.procedures.charging import charge_space, terrain_allowance
from battlewright.editions.classic.procedures.close_moves import make_move
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.scene import ClassicBattle, standing

__all__ = ["counter_attack"]

REACH = 6.0


@rule("4e.core.assault.counter-charge", "4e.counter-attack.move", "4e.counter-attack.terrain")
@rule("4e.counter-attack.no-bonus", "4e.counter-attack.not-on-consolidation")
def counter_attack(battle: ClassicBattle, unit: int, targets: Sequence[int]) -> Procedure[None]:
    """Models of a charged unit with Counter-attack that touch nobody move up to 6" into contact, as in a charge but
    without its attack; all others wait for the end of the round."""
    scene, state = battle.scene, battle.state
    for target in targets:
        if "COUNTER-ATTACK" not in traits_of(scene, state, target):
            continue
        rows = free_in_combat(scene, state, target)
        enemies = touched_units(scene, state, target)
        if not rows or not enemies:
            continue
        allowance = yield from terrain_allowance(battle, target, enemies, REACH)
        goals = [row for enemy in enemies for row in standing(state, enemy)]
        space = charge_space(scene, state, target, rows, goals, allowance)
        yield from make_move(battle, space, f"{scene.units[target].name} counter-attacks")
