"""Moving into close combat in the 3rd edition: who may assault, and how far a unit goes that does not get there."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.assault import Contact
from battlewright.editions.classic.scene import Scene
from battlewright.editions.classic.state import ClassicState, ClassicUnit, Deed
from battlewright.editions.third.pursuit import may_join_their_combat

__all__ = ["always_bonus", "anybody", "may_join", "nearest_free_enemy", "reaches_strictly", "short_move"]


# -- may it -----------------------------------------------------------------------------------------------------


@rule("3e.assault-move.strict-within")
def reaches_strictly(gap: float, reach: float) -> bool:
    """The strict reading: less than the reach."""
    return gap < reach - TOLERANCE


@rule("3e.assault-move.short-move", "3e.outside.contact-required")
def short_move(gap: float, allowance: float) -> float:
    """How far a unit within assault range moves that cannot get there, by terrain: as far towards the enemy as it may.

    Args:
        gap: inches to the enemy.
        allowance: what terrain leaves of its reach, in inches.

    Returns:
        The distance moved; less than the gap, and then no combat begins.
    """
    return min(gap, allowance)


def anybody(scene: Scene, state: ClassicState, unit: int, enemy: int) -> list[tuple[str, str]]:
    """Why a unit may not assault an enemy unit: a unit is not bound to the one that it has fired at."""
    return []


@rule("3e.outside.charge-bonus", "3e.assault-move.several-targets")
def always_bonus(units: int) -> bool:
    """Whether models that assault so many units have an attack more: always."""
    return True


@rule("3e.partial-contact.others-assault", "3e.partial-contact.no-assault-stationary-fire")
def may_join(unit: ClassicUnit) -> bool:
    """Whether the free models of a unit that was swept into may move into its combat this turn."""
    fired = any(unit.has(each) for each in (Deed.FIRED_HEAVY, Deed.FIRED_RAPID_STANDING))
    return may_join_their_combat(moved=unit.moved, fired_heavy_or_rapid=fired)


# -- where to ---------------------------------------------------------------------------------------------------


@rule("3e.assault-move.nearest-to-nearest")
def nearest_free_enemy(free: Sequence[Contact]) -> Sequence[Contact]:
    """The habit of many players: of the free enemies within reach the nearest is compulsory."""
    least = min(contact.gap for contact in free)
    return [contact for contact in free if contact.gap <= least + TOLERANCE]
