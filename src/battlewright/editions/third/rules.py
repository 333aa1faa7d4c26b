"""The 3rd edition as the core asks for it."""

from __future__ import annotations

from battlewright.editions.classic.edition import ClassicEdition
from battlewright.editions.classic.missions import winner
from battlewright.editions.third.missions import find_mission
from battlewright.editions.third.switches import resolve_options
from battlewright.editions.third.table import third_rules

__all__ = ["ThirdRules"]


class ThirdRules(ClassicEdition):
    """Sets battles of the 3rd edition up, drives them, and says who has won."""

    def __init__(self) -> None:
        super().__init__("3", find_mission, resolve_options, third_rules, winner)
