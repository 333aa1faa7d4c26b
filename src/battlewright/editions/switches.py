"""Switches: rules of an edition that two players may agree on before a battle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from battlewright.core.errors import BadInput

__all__ = ["Switch", "resolve_switches"]


@dataclass(frozen=True, slots=True)
class Switch:
    """One switch: its name, what may be chosen (the default first), the rule it concerns, and what it decides.

    Attributes:
        reads: what makes of any other value what is kept of it, and raises BadInput for a bad one; None: no other is.
        from_file: the value that a file of the players stands for; None where files stand for nothing.
        notes: further lines for the sheet.
    """

    name: str
    values: tuple[str, ...]
    rule: str
    text: str
    reads: Callable[[str], str] | None = None
    from_file: Callable[[Path], str] | None = None
    notes: Callable[[], Sequence[str]] | None = None

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
        if value not in known[name].values and known[name].reads is None:
            raise BadInput(f'option {name} cannot be "{value}"', expected=" or ".join(known[name].values))
    return {name: _kept(switch, chosen.get(name, switch.default)) for name, switch in known.items()}


def _kept(switch: Switch, value: str) -> str:
    return value if switch.reads is None or value in switch.values else switch.reads(value)
