"""The 6th edition as the core asks for it."""

from __future__ import annotations

from battlewright.editions.classic.edition import ClassicEdition
from battlewright.editions.sixth.cites import CITES
from battlewright.editions.sixth.damage import TABLES
from battlewright.editions.sixth.switchboard import SixthSwitchboard
from battlewright.editions.sixth.table import CHANGES, SIXTH

__all__ = ["SixthRules"]


class SixthRules(ClassicEdition):
    """Sets battles of the 6th edition up, drives them, and says who has won."""

    def __init__(self) -> None:
        super().__init__("6", SixthSwitchboard(), SIXTH, CHANGES, TABLES, CITES)
