"""The cover that the models of a unit have against what is fired at them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from battlewright.core.rulebook import rule
from battlewright.editions.classic.procedures.board import Source, cover_against, pose_of
from battlewright.editions.classic.scene import Scene
from battlewright.editions.classic.state import ClassicState

__all__ = ["covers_one_by_one", "nearest_source"]


def nearest_source(state: ClassicState, sources: Sequence[Source], row: int) -> Source:
    """That of several sources which lies nearest to a model, centre to centre."""
    here = pose_of(state, row)[:2]

    def away(source: Source) -> float:
        return math.dist(here, pose_of(state, source)[:2] if isinstance(source, int) else source)

    return min(sources, key=away)


@rule("3e.core.shooting.partly-in-cover", "3e.casualties.open-first")
def covers_one_by_one(
    scene: Scene, state: ClassicState, unit: int, rows: Sequence[int], sources: Sequence[Source]
) -> Mapping[int, int | None]:
    """The cover save of each of some models of a unit, from the nearest source; None in the open."""
    return {row: cover_against(scene, state, row, nearest_source(state, sources, row)) for row in rows}
