"""How a battle of the 3rd edition is laid out: missions, layouts, switches, and what of a unit is enforced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from battlewright.core.decisions import Violation
from battlewright.core.errors import BadInput
from battlewright.core.roster import Army, Enforcement, Unit
from battlewright.editions.switches import Switch
from battlewright.editions.third.switches import SWITCHES, resolve_options

__all__ = ["ThirdSwitchboard"]

_LAYOUTS = Path(__file__).parent / "layouts"


class ThirdSwitchboard:
    """See :class:`~battlewright.editions.edition.Switchboard`."""

    def missions(self) -> Sequence[str]:
        """See the protocol."""
        from battlewright.editions.third.missions import MISSIONS

        return tuple(MISSIONS)

    def layouts(self, mission: str) -> Sequence[str]:
        """See the protocol."""
        from battlewright.editions.third.missions import find_mission

        return find_mission(mission).layouts

    def arrange(
        self, mission: str | None, layout: str | None, armies: Sequence[Army], seed: int
    ) -> tuple[str, str | None]:
        """See the protocol: missions and layouts go by name."""
        return (self.missions()[0] if mission is None else mission), layout

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
        return SWITCHES

    def resolve_options(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """See the protocol."""
        return resolve_options(chosen)

    def breaches(self, army: Army) -> Sequence[Violation]:
        """See the protocol: army lists of this edition are not judged."""
        return ()

    def enforcement(self, unit: Unit) -> Enforcement:
        """Weapon abilities that the edition's table knows are enforced, and traits that some rule asks for."""
        from battlewright.editions.third.traits import enforcement

        return enforcement(unit)
