"""Questions about attacks of the 6th edition."""

from __future__ import annotations

from battlewright.editions.classic.questions import ClassicQuestions
from battlewright.editions.sixth.table import SIXTH

__all__ = ["SixthQuestions"]


class SixthQuestions(ClassicQuestions):
    """The 6th edition's side of the odds."""

    def __init__(self) -> None:
        super().__init__(SIXTH)
