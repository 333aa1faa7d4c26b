"""Formation in the 3rd edition: what a unit may not do that has ended its movement out of it."""

from __future__ import annotations

from battlewright.core.rulebook import rule
from battlewright.editions.classic.state import ClassicUnit, Deed

__all__ = ["why_no_shooting"]


@rule("4e.roads.excluded-actions", "6e.emergency-disembarkation.no-voluntary-actions")
@rule("3e.formation.penalty", "3e.march.no-shooting", "3e.outside.pinned", "3e.core.shooting.pinned")
def why_no_shooting(unit: ClassicUnit) -> list[tuple[str, str]]:
    """Why a unit may not shoot this turn, as far as its own condition goes: rule and clause; none when it may."""
    found = []
    if unit.has(Deed.OUT_OF_FORMATION):
        found.append(("3e.formation.penalty", "ended its movement out of formation"))
    if unit.has(Deed.ON_ROAD):
        found.append(("4e.roads.excluded-actions", "has kept to a road for its longer move"))
    if unit.has(Deed.EMERGENCY):
        found.append(("6e.emergency-disembarkation.no-voluntary-actions", "got out in an emergency this turn"))
    if unit.has(Deed.BOOSTED):
        found.append(("4e.turbo-boosters.no-shoot-charge", "used turbo boosters this turn"))
    if unit.has(Deed.MARCHED):
        found.append(("3e.march.no-shooting", "marched this turn"))
    if unit.pinned:
        found.append(("3e.outside.pinned", "is pinned"))
    return found
