"""How a battle of the 6th edition is laid out."""

from __future__ import annotations

from collections.abc import Callable

from battlewright.editions.classic.switchboard import ClassicSwitchboard
from battlewright.editions.sixth.switches import SWITCHES

__all__ = ["SixthSwitchboard"]


class SixthSwitchboard(ClassicSwitchboard):
    """See :class:`~battlewright.editions.edition.Switchboard`."""

    def __init__(self) -> None:
        super().__init__("6th edition", SWITCHES, __package__)

    @property
    def rolls(self) -> Callable[[Callable[[str], int]], tuple[str, str | None]]:
        """See the base."""
        from battlewright.editions.sixth.missions import roll_mission

        return roll_mission
