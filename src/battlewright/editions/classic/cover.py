"""Cover: which terrain gives it, how, and how good the save is."""

from __future__ import annotations

from enum import StrEnum

from battlewright.core.rulebook import rule

__all__ = ["COVER", "CoverKind", "cover_save", "gives_cover", "improved_cover"]


class CoverKind(StrEnum):
    """How a piece of terrain that was agreed to be cover gives it."""

    AREA = "area"
    """Everything in it is in cover."""
    OBSTACLE = "obstacle"
    """Everything partly hidden by it is."""


COVER: dict[str, int] = {
    "hedge": 6,
    "bushes": 6,
    "fence": 6,
    "woods": 5,
    "crates": 5,
    "hill crest": 5,
    "hulk": 5,
    "ruins": 4,
    "wall": 4,
    "rubble": 4,
    "crater": 4,
    "wreck": 4,
    "trench": 4,
    "bunker": 3,
}
"""Cover saves by kind of terrain."""


@rule("3e.outside.cover-table", "3e.core.shooting.cover-woods", "3e.core.shooting.cover-other")
@rule("4e.core.shooting.cover-table", "4e.wrecks.cover", "6e.core.shooting.cover-table", "6e.outside.cover-values")
def cover_save(kind: str) -> int | None:
    """The cover save of a kind of terrain; None for one that gives none."""
    return COVER.get(kind)


@rule("3e.cover.agree-before", "3e.cover.area-type", "3e.cover.obstacle-type")
def gives_cover(agreed: CoverKind | None, *, inside: bool, partly_hidden: bool) -> bool:
    """Whether a piece of terrain gives a model cover, as the players agreed before the game; untagged pieces do not."""
    match agreed:
        case None:
            return False
        case CoverKind.AREA:
            return inside
        case CoverKind.OBSTACLE:
            return partly_hidden


@rule("3e.core.shooting.cover-bonus")
def improved_cover(save: int | None, bonus: int) -> int | None:
    """A cover save with a trait that improves it; in the open there is nothing to improve."""
    return None if save is None else max(save - bonus, 2)
