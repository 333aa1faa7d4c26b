"""How battles of the classic editions are laid out: missions, layouts, switches, and what of a unit is enforced."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from battlewright.core.decisions import Violation
from battlewright.core.errors import ArmyError, BadInput
from battlewright.core.roster import Army, Enforcement, Unit
from battlewright.editions.switches import Switch, resolve_switches

__all__ = ["ClassicSwitchboard"]

_LAYOUTS = Path(__file__).parent / "layouts"


class ClassicSwitchboard(ABC):
    """See :class:`~battlewright.editions.edition.Switchboard`; an edition names its switches and missions.

    Missions and special rules are imported when they are asked for, so that the switches can be listed at once.

    Args:
        title: what the edition is called where a switch is unknown.
        switches: in the order of the agreement sheet.
    """

    def __init__(self, title: str, switches: Sequence[Switch]) -> None:
        self._title, self._switches = title, tuple(switches)

    @abstractmethod
    def _layouts_by_mission(self) -> Mapping[str, tuple[str, ...]]:
        """The layouts of every mission, the default mission first."""

    @abstractmethod
    def enforcement(self, unit: Unit) -> Enforcement:
        """See the protocol."""

    def missions(self) -> Sequence[str]:
        """See the protocol."""
        return tuple(self._layouts_by_mission())

    def layouts(self, mission: str) -> Sequence[str]:
        """See the protocol.

        Raises:
            BadInput: for an unknown mission.
        """
        known = self._layouts_by_mission()
        key = mission.strip().lower().replace(" ", "-").replace("_", "-")
        if key not in known:
            raise BadInput(f'there is no mission "{mission}"', expected=" or ".join(sorted(known)))
        return known[key]

    def arrange(
        self, mission: str | None, layout: str | None, armies: Sequence[Army], seed: int
    ) -> tuple[str, str | None]:
        """See the protocol: missions and layouts go by name."""
        return (self.missions()[0] if mission is None else mission), layout

    def mission_words(self) -> Mapping[str, str]:
        """See the protocol."""
        return {}

    def battlefield(self, layout: str) -> Mapping[str, Any]:
        """See the protocol.

        Raises:
            BadInput: for an unknown layout.
        """
        from battlewright.core.table import load_battlefield

        known = {path.stem: path for path in _LAYOUTS.glob("*.yaml")}
        name = layout.strip().lower().replace(" ", "_").replace("-", "_")
        if name not in known:
            raise BadInput(f'there is no layout "{layout}"', expected=" or ".join(sorted(known)))
        return load_battlefield(known[name]).to_json()

    def options(self) -> Sequence[Switch]:
        """See the protocol."""
        return self._switches

    def resolve_options(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """See the protocol."""
        return resolve_switches(self._switches, chosen, self._title)

    def breaches(self, army: Army) -> Sequence[Violation]:
        """See the protocol: army lists of these editions are not judged."""
        return ()

    def remarks(self, army: Army) -> Sequence[str]:
        """See the protocol."""
        return ()

    def attach(self, army: Army, unit: str, bodyguard: str) -> Army:
        """See the protocol: a character joins units on the table.

        Raises:
            ArmyError: always.
        """
        raise ArmyError("no list attaches units in this edition: characters join them on the table")

    def split(self, army: Army, unit: str) -> Army:
        """See the protocol.

        Raises:
            ArmyError: always.
        """
        raise ArmyError("no list splits units in this edition")
