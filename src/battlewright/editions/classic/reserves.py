"""Reserves: which roll brings a unit onto the table."""

from __future__ import annotations

from battlewright.core.rulebook import rule

__all__ = ["arrives", "arrives_on"]


@rule("3e.core.missions.reserves", "4e.core.missions.reserves")
def arrives_on(game_turn: int) -> int | None:
    """What a unit in reserve needs on a D6 to arrive by its own edge: 4 in turn 2, 3 in turn 3, then 2; None before."""
    return None if game_turn < 2 else max(6 - game_turn, 2)


@rule("3e.core.missions.reserves", "4e.core.missions.reserves", "6e.core.missions.reserves", "6e.outside.reserves")
def arrives(needed: int | None, face: int, bonus: int = 0) -> bool:
    """Whether a unit's die brings it in.

    Args:
        needed: the number that its edition asks for in this game turn, None for none.
        bonus: what a special rule adds to the die.
    """
    return needed is not None and face + bonus >= needed
