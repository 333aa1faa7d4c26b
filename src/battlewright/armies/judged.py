"""An army's report with the judgements of its edition: what is enforced, what is not legal, what is left open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from battlewright.armies.report import army_report
from battlewright.core.decisions import Violation
from battlewright.core.roster import Army, Enforcement, Unit
from battlewright.editions.edition import EDITIONS

__all__ = ["breaches_of", "judged_report"]


def judged_report(army: Army) -> dict[str, Any]:
    """The army in the JSON form of ``army show``."""
    return army_report(army, _enforcement(army.edition), breaches_of(army), _remarks(army))


def breaches_of(army: Army) -> Sequence[Violation]:
    """The rules of mustering that a list breaks; none where the edition is not built yet."""
    known = EDITIONS.get(army.edition)
    return known.switchboard().breaches(army) if known is not None and known.parts else ()


def _enforcement(edition: str) -> Callable[[Unit], Enforcement]:
    """What the edition applies of a unit's rules; nothing where the edition is not built yet."""
    known = EDITIONS.get(edition)
    if known is not None and known.parts:
        return known.switchboard().enforcement
    return lambda unit: Enforcement(not_enforced=tuple(dict.fromkeys(ability.name for ability in unit.abilities)))


def _remarks(army: Army) -> Sequence[str]:
    """What of a list is not judged, or left open."""
    known = EDITIONS.get(army.edition)
    return known.switchboard().remarks(army) if known is not None and known.parts else ()
