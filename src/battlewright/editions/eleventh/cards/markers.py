"""The operation markers of Locate and Deny, which Extract Relic is about too."""

from __future__ import annotations

from battlewright.core.decisions import opponent
from battlewright.editions.eleventh.book import area_place, marks_of
from battlewright.editions.eleventh.cards.primary import OPERATION
from battlewright.editions.eleventh.look import Look
from battlewright.editions.eleventh.whereabouts import units_within_area

__all__ = ["last_marker_is_held"]


def last_marker_is_held(look: Look, of_opponent: bool) -> bool:
    """Whether one operation marker of its owner is left, with a unit of the side and no enemy in its area."""
    owner = opponent(look.side) if of_opponent else look.side
    left = marks_of(look.book, owner, OPERATION)
    if len(left) != 1:
        return False
    area = next(n for n in range(len(look.scene.battlefield.areas)) if area_place(look.scene, n) == left[0].place)
    mine = units_within_area(look.scene, look.state, look.side, area)
    return bool(mine) and not units_within_area(look.scene, look.state, opponent(look.side), area)
