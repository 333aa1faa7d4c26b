"""The 4th edition as the core asks for it."""

from __future__ import annotations

from battlewright.editions.classic.edition import ClassicEdition
from battlewright.editions.fourth.cites import CITES
from battlewright.editions.fourth.damage import TABLES
from battlewright.editions.fourth.switchboard import FourthSwitchboard
from battlewright.editions.fourth.table import CHANGES, FOURTH

__all__ = ["FourthRules"]


class FourthRules(ClassicEdition):
    """Sets battles of the 4th edition up, drives them, and says who has won."""

    def __init__(self) -> None:
        super().__init__("4", FourthSwitchboard(), FOURTH, CHANGES, TABLES, CITES)
