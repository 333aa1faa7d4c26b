"""Cover in the 4th edition: of the whole unit, when most of it has some; what improves it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from battlewright.core.rulebook import rule
from battlewright.editions.classic.cover import improved_cover
from battlewright.editions.classic.procedures.covering import covers_one_by_one
from battlewright.editions.classic.procedures.seeing import Source
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.scene import Scene
from battlewright.editions.classic.state import ClassicState

__all__ = ["cover_of_model", "cover_of_unit", "covers_by_majority"]

STEALTH, SMALL_TARGETS, SWARM = "STEALTH", "SMALL TARGETS", "SWARM"


@rule("4e.small-targets.cover-bonus", "4e.stealth.cover-bonus", "4e.swarms.rules")
def cover_of_model(profile: ModelProfile, save: int | None, moved_last: bool) -> int | None:
    """The cover save of a model with what improves it; in the open there is nothing to improve.

    RULING: 4e.stealth.cover-bonus stealth and small targets do not add up.
    """
    return improved_cover(save, int(any(profile.has(name) for name in (STEALTH, SMALL_TARGETS, SWARM))))


@rule("4e.core.shooting.majority-cover")
def cover_of_unit(saves: Sequence[int | None]) -> int | None:
    """The cover save of all models of a unit: none unless more than half of them have one.

    Args:
        saves: of each model by itself.

    RULING: 4e.core.shooting.majority-cover where saves differ the most common counts, of equally common ones the worst.
    """
    found = Counter(save for save in saves if save is not None)
    if 2 * sum(found.values()) <= len(saves):
        return None
    most = max(found.values())
    return max(save for save, count in found.items() if count == most)


@rule("4e.core.shooting.majority-cover")
def covers_by_majority(
    scene: Scene, state: ClassicState, unit: int, rows: Sequence[int], sources: Sequence[Source]
) -> Mapping[int, int | None]:
    """The cover save of every one of some models of a unit: that of most of them."""
    each = covers_one_by_one(scene, state, unit, rows, sources)
    return dict.fromkeys(rows, cover_of_unit([each[row] for row in rows]))
