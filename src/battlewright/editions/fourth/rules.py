"""The 4th edition as the core asks for it."""

from __future__ import annotations

from battlewright.editions.classic.edition import ClassicEdition
from battlewright.editions.classic.missions import winner
from battlewright.editions.fourth.cites import CITES
from battlewright.editions.fourth.missions import find_mission
from battlewright.editions.fourth.switches import resolve_options
from battlewright.editions.fourth.table import fourth_rules

__all__ = ["FourthRules"]


class FourthRules(ClassicEdition):
    """Sets battles of the 4th edition up, drives them, and says who has won."""

    def __init__(self) -> None:
        super().__init__("4", find_mission, resolve_options, fourth_rules, winner, CITES)
