"""Questions about attacks of the 6th edition."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.editions.classic.questions import KEYS, ClassicQuestions
from battlewright.editions.sixth.cites import CITES
from battlewright.editions.sixth.damage import TABLES
from battlewright.editions.sixth.known import spelled_attack, spelled_target
from battlewright.editions.sixth.table import SIXTH

__all__ = ["SixthQuestions"]


class SixthQuestions(ClassicQuestions):
    """The 6th edition's side of the odds."""

    keys: Mapping[str, str] = {**KEYS, "snap": "the shots are snap shots"}

    def __init__(self) -> None:
        super().__init__(SIXTH, CITES, tables=TABLES)

    def target_of(self, text: str) -> str:
        """See the base."""
        return spelled_target(text)

    def attack_of(self, text: str) -> str:
        """See the base."""
        return spelled_attack(text)
