"""Switches: rules of an edition that two players may agree on before a battle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from battlewright.core.errors import BadInput

__all__ = ["Switch", "resolve_switches"]


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


def resolve_switches(switches: Sequence[Switch], chosen: Mapping[str, str], edition: str) -> Mapping[str, str]:
    """Every switch with its value.

    Args:
        edition: the edition's title, for the complaint.

    Raises:
        BadInput: for an unknown switch or value.
    """
    known = {switch.name: switch for switch in switches}
    for name, value in chosen.items():
        if name not in known:
            raise BadInput(f'the {edition} has no option "{name}"', expected=", ".join(known))
        if value not in known[name].values:
            raise BadInput(f'option {name} cannot be "{value}"', expected=" or ".join(known[name].values))
    return {name: chosen.get(name, switch.default) for name, switch in known.items()}
