"""Questions about attacks of the 3rd edition."""

from __future__ import annotations

from battlewright.editions.classic.questions import ClassicQuestions
from battlewright.editions.third.damage_tables import TABLES
from battlewright.editions.third.table import THIRD

__all__ = ["ThirdQuestions"]


class ThirdQuestions(ClassicQuestions):
    """The 3rd edition's side of the odds."""

    def __init__(self) -> None:
        super().__init__(THIRD, tables=TABLES)
