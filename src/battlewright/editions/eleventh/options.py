"""The switches of the 11th edition: where published layers of the rules differ, both readings can be played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from battlewright.core.errors import BadInput

__all__ = ["OPTIONS", "Switch", "resolve_options"]


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch: its name, what may be chosen (the default first), the rule it concerns, and what it decides."""

    name: str
    values: tuple[str, ...]
    rule: str
    text: str

    @property
    def default(self) -> str:
        """What is played unless the players agree otherwise."""
        return self.values[0]


OPTIONS: tuple[Switch, ...] = (
    Switch(
        "hidden_terrain",
        ("light-or-dense", "dense"),
        "11e.core.13.09-hidden",
        "Which features make the models of an area hidden: light or dense ones (app), or dense ones only (June PDF)",
    ),
    Switch(
        "ongoing_forces_fights",
        ("no", "yes"),
        "11e.core.12.08-ongoing-forces-fights",
        "Whether an ongoing consolidation lets the enemy units it is engaged with fight, as an engaging one does",
    ),
)


def resolve_options(chosen: Mapping[str, str]) -> Mapping[str, str]:
    """Every switch with its value.

    Raises:
        BadInput: for an unknown switch or value.
    """
    known = {switch.name: switch for switch in OPTIONS}
    for name, value in chosen.items():
        if name not in known:
            raise BadInput(f'the 11th edition has no option "{name}"', expected=", ".join(known))
        if value not in known[name].values:
            raise BadInput(f'option {name} cannot be "{value}"', expected=" or ".join(known[name].values))
    return {name: chosen.get(name, switch.default) for name, switch in known.items()}
