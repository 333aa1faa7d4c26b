"""How a battle of the 3rd edition is laid out."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.core.roster import Enforcement, Unit
from battlewright.editions.classic.switchboard import ClassicSwitchboard
from battlewright.editions.third.switches import SWITCHES

__all__ = ["ThirdSwitchboard"]


class ThirdSwitchboard(ClassicSwitchboard):
    """See :class:`~battlewright.editions.edition.Switchboard`."""

    def __init__(self) -> None:
        super().__init__("3rd edition", SWITCHES)

    def _layouts_by_mission(self) -> Mapping[str, tuple[str, ...]]:
        from battlewright.editions.third.missions import MISSIONS

        return {name: mission.layouts for name, mission in MISSIONS.items()}

    def enforcement(self, unit: Unit) -> Enforcement:
        """Weapon abilities that the edition's table knows are enforced, and traits that some rule asks for."""
        from battlewright.editions.classic.enforcement import enforcement
        from battlewright.editions.third.table import THIRD

        return enforcement(THIRD, unit)
