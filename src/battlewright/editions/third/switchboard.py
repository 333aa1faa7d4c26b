"""How a battle of the 3rd edition is laid out."""

from __future__ import annotations

from battlewright.editions.classic.switchboard import ClassicSwitchboard
from battlewright.editions.third.switches import SWITCHES

__all__ = ["ThirdSwitchboard"]


class ThirdSwitchboard(ClassicSwitchboard):
    """See :class:`~battlewright.editions.edition.Switchboard`."""

    def __init__(self) -> None:
        super().__init__("3rd edition", SWITCHES, __package__)
