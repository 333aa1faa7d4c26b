"""How a battle of the 4th edition is laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from battlewright.core.decisions import Violation
from battlewright.core.roster import Army
from battlewright.editions.classic.switchboard import ClassicSwitchboard
from battlewright.editions.fourth.switches import SWITCHES

__all__ = ["FourthSwitchboard"]


class FourthSwitchboard(ClassicSwitchboard):
    """See :class:`~battlewright.editions.edition.Switchboard`."""

    def __init__(self) -> None:
        super().__init__("4th edition", SWITCHES, __package__)

    def breaches(self, army: Army) -> Sequence[Violation]:
        """See the protocol: of an army list only its vehicles are judged."""
        from battlewright.editions.fourth.mustering import breaches

        return breaches(army)

    @property
    def rolls(self) -> Callable[[Callable[[str], int]], tuple[str, str | None]]:
        """See the base."""
        from battlewright.editions.fourth.missions import roll_mission

        return roll_mission
