"""The 3rd edition as the core asks for it."""

from __future__ import annotations

from battlewright.editions.classic.edition import ClassicEdition
from battlewright.editions.third.damage_tables import TABLES
from battlewright.editions.third.switchboard import ThirdSwitchboard
from battlewright.editions.third.table import CHANGES, THIRD

__all__ = ["ThirdRules"]


class ThirdRules(ClassicEdition):
    """Sets battles of the 3rd edition up, drives them, and says who has won."""

    def __init__(self) -> None:
        super().__init__("3", ThirdSwitchboard(), THIRD, CHANGES, TABLES)
