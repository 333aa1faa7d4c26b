"""Morale in the 4th edition: no rallying on the way, no last chance, and nobody gets out between his enemies."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.core.table import Edge
from battlewright.editions.classic.morale import RallyConditions
from battlewright.editions.classic.procedures.flight import flight_space, to_edge
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.third import morale

__all__ = ["MORALE", "better_out_of_sight", "is_trapped", "never_on_the_way", "removed_at_the_edge"]

HELD = 1.0
"""Inches within which enemies trap a unit."""


@rule("4e.core.morale.regroup")
def never_on_the_way(own_movement_phase: bool) -> bool:
    """Whether a unit may try to rally in cover on its way: it regroups at the start of its turns only."""
    return False


@rule("4e.core.morale.regroup")
def better_out_of_sight(unit: RallyConditions, leadership: int) -> tuple[Modifier, ...]:
    """The modifiers of a test to regroup: +1 where no enemy is in sight."""
    return () if unit.sees_enemies() else (Modifier("4e.core.morale.regroup", 1),)


@rule("4e.core.morale.fall-back")
def removed_at_the_edge(at_edge: Sequence[bool], reasons: Collection[tuple[str, str]]) -> str:
    """What a fall-back move to the table edge brings: the unit is removed."""
    return "removed" if any(at_edge) else "none"


@rule("4e.core.morale.trapped", "6e.core.morale.blocked")
def is_trapped(scene: Scene, state: ClassicState, unit: int, edge: Edge, distance: float) -> bool:
    """Whether a unit finds no way to fall back so far, in inches: nobody of it can move clear of its enemies.

    RULING: 4e.core.morale.trapped a way out is a straight one; a unit is trapped where none of its models finds any
    place on his own, and enemies stand within 1" of it or of its way. Where others alone are in its way it waits.
    """
    rows = standing(state, unit)
    if distance <= 0.0 or any(to_edge(scene, state, row, edge) <= 0.0 for row in rows):
        return False
    space = flight_space(scene, state, unit, edge, distance)
    return not space.straight().moves and space.passes_enemies(HELD)


MORALE = replace(
    morale.MORALE,
    may_rally_in_cover=never_on_the_way,
    is_cut_off=is_trapped,
    last_chance=removed_at_the_edge,
    rally_modifiers=better_out_of_sight,
)
