"""Lines of sight in the 4th edition: sizes, and that only large models hide others."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.rulebook import rule
from battlewright.core.sight import Prisms, Visibility, visibility_matrix
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.sight import LARGE, Body, SightRules, near_lines, nearest_first, past_walls

__all__ = ["size_of", "visible_rows"]

SMALL, MEDIUM = 1, 2


@rule("4e.core.fundamentals.sizes")
def size_of(profile: ModelProfile) -> int:
    """The size of a model for sight: swarms 1; vehicles and monstrous creatures 3; everybody else 2."""
    if profile.is_vehicle or profile.kind is Kind.MONSTROUS:
        return LARGE
    return SMALL if profile.has("SWARM") else MEDIUM


@rule("4e.core.shooting.line-of-sight", "4e.core.shooting.models-rarely-block")
def visible_rows(
    rules: SightRules, shooter: Body, models: Sequence[Body], terrain: Prisms | None = None
) -> frozenset[int]:
    """The enemy models that a shooter sees past terrain and past large models of other units, of either side.

    Args:
        models: every other model on the table that could matter.
        terrain: what of the terrain blocks, as upright bodies with their heights.
    """
    walls = terrain if terrain is not None else Prisms.empty()
    around = nearest_first(shooter, models)
    targets = [place for place, body in enumerate(around) if body.side != shooter.side]
    if not targets:
        return frozenset()
    open_to = past_walls(shooter, [around[place] for place in targets], walls)
    near = near_lines(shooter, around, targets)
    seen = set()
    for number, place in enumerate(targets):
        target = around[place]
        if not open_to[number]:
            continue
        hiding = [
            body.prism
            for body, close in zip(around, near[number], strict=True)
            if close and body.size >= LARGE and body.unit not in (shooter.unit, target.unit)
        ]
        if not hiding or visibility_matrix(shooter.prism, target.prism, walls.joined(*hiding))[0, 0] != Visibility.NONE:
            seen.add(target.row)
    return frozenset(seen)
