"""What ``army show`` tells of an army."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from battlewright.core.decisions import Violation
from battlewright.core.roster import Army, Enforcement, Role, Unit

__all__ = ["army_report"]


def army_report(
    army: Army,
    enforcement: Callable[[Unit], Enforcement],
    breaches: Sequence[Violation] = (),
    remarks: Sequence[str] = (),
) -> dict[str, Any]:
    """The army in the JSON form of ``army show``, one row per entry of the list.

    Args:
        army: the army.
        enforcement: what of a unit's rules the edition applies, and what it does not.
        breaches: the rules of mustering that the list breaks.
        remarks: what of it is not judged, or left open.
    """
    return {
        "name": army.name,
        "edition": army.edition,
        "faction": army.faction,
        "detachments": list(army.detachments),
        "disposition": army.disposition,
        "points": army.points,
        "units": [row for unit in army.units for row in _rows(unit, enforcement(unit))],
        "unresolved": [
            {"line": each.line, "text": each.text, "nearest": each.nearest, "fatal": each.fatal}
            for each in army.unresolved
        ],
        "reconciled": army.reconciled,
        "breaches": [{"rule": each.rule, "text": each.text} for each in breaches],
        "remarks": list(remarks),
    }


def _rows(unit: Unit, applied: Enforcement) -> list[dict[str, Any]]:
    rows = []
    for index, component in enumerate(unit.components):
        models = [model for model in unit.models if model.component == index]
        own = {component.enhancement} | {ability.name for model in models for ability in model.abilities}
        own |= {weapon.name for model in models for weapon in model.weapons}
        others = {each.enhancement for each in unit.components} | {
            ability.name for model in unit.models if model.component != index for ability in model.abilities
        }
        others |= {weapon.name for model in unit.models if model.component != index for weapon in model.weapons}
        # What belongs to no component in particular is told in every row rather than in none.
        not_enforced = dict.fromkeys((*unit.not_enforced, *applied.not_enforced))
        rows.append(
            {
                "name": component.name,
                "models": len(models),
                "points": component.points,
                "attached_to": None if component.role is Role.UNIT else unit.components[0].name,
                "weapons": dict(Counter(weapon.name for model in models for weapon in model.weapons)),
                "enforced": [name for name in applied.enforced if name in own or name not in others],
                "not_enforced": [name for name in not_enforced if name in own or name not in others],
                "assumed": sorted({each for model in models for each in model.assumed}),
                "base": sorted({model.base for model in models}),
            }
        )
    return rows
