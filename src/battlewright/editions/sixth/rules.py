"""The 6th edition as the core asks for it."""

from __future__ import annotations

from battlewright.editions.classic.edition import ClassicEdition
from battlewright.editions.classic.missions import winner
from battlewright.editions.sixth.cites import CITES
from battlewright.editions.sixth.missions import find_mission
from battlewright.editions.sixth.switches import resolve_options
from battlewright.editions.sixth.table import sixth_rules

__all__ = ["SixthRules"]


class SixthRules(ClassicEdition):
    """Sets battles of the 6th edition up, drives them, and says who has won."""

    def __init__(self) -> None:
        super().__init__("6", find_mission, resolve_options, sixth_rules, winner, CITES)
