"""Orders to fire in the 3rd edition: who may, with what; guesses before measuring."""

from __future__ import annotations

from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.editions.classic.state import ClassicUnit, Deed
from battlewright.editions.third.formation import why_no_shooting

__all__ = ["guess_faults", "may_hold_fire", "why_unit_may_not_fire"]


@rule("3e.core.shooting.who-may-fire", "3e.core.shooting.not-into-combat", "3e.core.shooting.pinned")
def why_unit_may_not_fire(unit: ClassicUnit, in_combat: bool = False) -> list[tuple[str, str]]:
    """Why a unit may not fire, its weapons apart: rule and clause for each reason; none when it may."""
    found = why_no_shooting(unit)
    if in_combat:
        found.append(("3e.core.shooting.who-may-fire", "is in close combat"))
    if unit.has(Deed.FIRED):
        found.append(("3e.core.shooting.who-may-fire", "has fired already"))
    return found


@rule("3e.outside.vehicle-target")
@rule("4e.vehicles-as-targets.all-shots")
def may_hold_fire(at_vehicle: bool) -> bool:
    """Whether models may hold their fire: not at a vehicle, at which all fire, also those who cannot hurt it."""
    return not at_vehicle


@rule("3e.core.shooting.guess-first", "3e.core.traits.targeter")
def guess_faults(measured_this_phase: bool) -> list[Violation]:
    """Why a guess weapon may not be fired now; nothing when it may: before its player has measured anything.

    RULING: 3e.core.shooting.guess-first laying the marker of a guessed shot measures nothing else, and bars no guess.
    """
    if not measured_this_phase:
        return []
    return [Violation("3e.core.shooting.guess-first", "Ranges are guessed before anything is measured in the phase")]
