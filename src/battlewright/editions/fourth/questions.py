"""Questions about attacks of the 4th edition."""

from __future__ import annotations

from battlewright.editions.classic.questions import ClassicQuestions
from battlewright.editions.fourth.cites import CITES
from battlewright.editions.fourth.damage import TABLES
from battlewright.editions.fourth.table import FOURTH

__all__ = ["FourthQuestions"]


class FourthQuestions(ClassicQuestions):
    """The 4th edition's side of the odds."""

    def __init__(self) -> None:
        super().__init__(FOURTH, CITES, tables=TABLES)
