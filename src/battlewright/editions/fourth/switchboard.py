"""How a battle of the 4th edition is laid out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from battlewright.core.decisions import Violation
from battlewright.core.roster import Army, Enforcement, Unit
from battlewright.editions.classic.switchboard import ClassicSwitchboard
from battlewright.editions.fourth.switches import SWITCHES

__all__ = ["FourthSwitchboard"]


class FourthSwitchboard(ClassicSwitchboard):
    """See :class:`~battlewright.editions.edition.Switchboard`."""

    def __init__(self) -> None:
        super().__init__("4th edition", SWITCHES)

    def _layouts_by_mission(self) -> Mapping[str, tuple[str, ...]]:
        from battlewright.editions.fourth.missions import MISSIONS

        return {name: mission.layouts for name, mission in MISSIONS.items()}

    def breaches(self, army: Army) -> Sequence[Violation]:
        """See the protocol: of an army list only its vehicles are judged."""
        from battlewright.editions.fourth.mustering import breaches

        return breaches(army)

    def enforcement(self, unit: Unit) -> Enforcement:
        """Weapon abilities that the edition's table knows are enforced, and traits that some rule asks for."""
        from battlewright.editions.classic.enforcement import enforcement
        from battlewright.editions.fourth.table import FOURTH

        return enforcement(FOURTH, unit)
