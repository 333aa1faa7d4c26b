"""Moving into close combat in the 3rd edition: who may assault whom, in what order models move, and where to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.firing import bars_assault
from battlewright.editions.classic.state import ClassicUnit, Deed

__all__ = [
    "Contact",
    "any_free_enemy",
    "assault_order",
    "enemies_to_contact",
    "nearest_free_enemy",
    "reaches",
    "reaches_strictly",
    "short_move",
    "why_no_assault",
]


@dataclass(frozen=True, slots=True)
class Contact:
    """An enemy model that an assaulting model might move into contact with.

    Attributes:
        gap: inches to it by the way that the model would take.
        engaged: whether it is in contact with an enemy already.
    """

    row: int
    gap: float
    engaged: bool


# -- may it -----------------------------------------------------------------------------------------------------


@rule("3e.assault-move.within-six", "3e.assault-move.reach-counts", "3e.assault-move.out-of-range-no-move")
def reaches(gap: float, reach: float) -> bool:
    """Whether an enemy is within assault range: a move of the reach is enough to bring a model into contact.

    Args:
        gap: inches between the nearest models; ``reach`` 6, of cavalry 12.
    """
    return within(gap, reach)


@rule("3e.assault-move.strict-within")
def reaches_strictly(gap: float, reach: float) -> bool:
    """The strict reading: less than the reach."""
    return gap < reach - TOLERANCE


@rule(
    "3e.fall-back.no-assault",
    "3e.march.no-assault",
    "3e.formation.penalty",
    "3e.outside.pinned",
    "3e.core.assault.may-not-charge",
    "3e.outside.fire-then-assault",
)
def why_no_assault(unit: ClassicUnit, *, in_combat: bool = False) -> list[tuple[str, str]]:
    """Why a unit may not start an assault: rule and clause for each reason; none when it may."""
    found = bars_assault(sorted(unit.deeds))
    if in_combat:
        found.append(("3e.core.assault.may-not-charge", "is in close combat"))
    if unit.falling_back:
        found.append(("3e.fall-back.no-assault", "is falling back"))
    if unit.pinned:
        found.append(("3e.outside.pinned", "is pinned"))
    if unit.has(Deed.MARCHED):
        found.append(("3e.march.no-assault", "marched this turn"))
    if unit.has(Deed.OUT_OF_FORMATION):
        found.append(("3e.formation.penalty", "ended its movement out of formation"))
    if unit.has(Deed.RALLIED):
        found.append(("3e.core.morale.after-regrouping", "rallied this turn"))
    return found


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


# -- where to ---------------------------------------------------------------------------------------------------


@rule("3e.assault-move.nearest-first", "3e.core.assault.charge-moves")
def assault_order(gaps: Sequence[float]) -> list[int]:
    """The order in which models of a unit move: the nearest to the enemy first.

    Args:
        gaps: for each model the inches to the nearest enemy.

    Returns:
        Indices into ``gaps``.
    """
    return sorted(range(len(gaps)), key=lambda index: gaps[index])


@rule("3e.assault-move.unengaged-first", "3e.drawn.free-enemies-first", "3e.drawn.no-nearest")
def any_free_enemy(free: Sequence[Contact]) -> Sequence[Contact]:
    """Of the free enemies within reach a model may pick any; there is no duty to go for the nearest."""
    return free


@rule("3e.assault-move.nearest-to-nearest")
def nearest_free_enemy(free: Sequence[Contact]) -> Sequence[Contact]:
    """The habit of many players: of the free enemies within reach the nearest is compulsory."""
    least = min(contact.gap for contact in free)
    return [contact for contact in free if contact.gap <= least + TOLERANCE]


@rule("3e.assault-move.unengaged-first", "3e.drawn.free-enemies-first", "3e.assault-move.several-targets")
def enemies_to_contact(contacts: Sequence[Contact], reach: float) -> list[Contact]:
    """The enemies that a model may move into contact with: free ones within reach, of any unit; else engaged ones."""
    within_reach = [contact for contact in contacts if within(contact.gap, reach)]
    free = [contact for contact in within_reach if not contact.engaged]
    return free or within_reach


@rule("3e.drawn.pile-in", "3e.drawn.ignore-terrain")
def pile_in_move(gap: float, *, difficult: bool) -> float:
    """How far a free model moves after a drawn combat: into contact, or 6" towards it; terrain makes no difference."""
    return min(gap, 6.0)
