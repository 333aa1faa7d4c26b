"""Command points besides the core ones (08)."""

from __future__ import annotations

from battlewright.core.decisions import Side
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.events import CommandPointsGained
from battlewright.editions.eleventh.scene import Battle11

__all__ = ["gain_command_points"]


@rule("11e.core.08-one-more-command-point")
def gain_command_points(battle: Battle11, side: Side, points: int) -> int:
    """Give a side command points besides the core ones, at most one in each battle round; returns how many it got."""
    state = battle.state
    gained = min(points, 1 - state.bonus_cp[side])
    if gained > 0:
        cp, bonus = list(state.cp), list(state.bonus_cp)
        cp[side] += gained
        bonus[side] += gained
        state.cp, state.bonus_cp = (cp[0], cp[1]), (bonus[0], bonus[1])
        battle.happened(CommandPointsGained(cp=state.cp, rules=("11e.core.08-one-more-command-point",)))
    return max(gained, 0)
