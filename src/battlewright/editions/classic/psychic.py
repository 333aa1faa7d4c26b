"""Psychic powers' frame: the test, perils, nullifying a power. What a power does is its own rule."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from battlewright.core.rulebook import rule
from battlewright.editions.classic.charts import passes_leadership_test

__all__ = ["PERILS_STRENGTH", "PsychicTest", "is_nullified", "psychic_test", "why_no_power"]

PERILS_STRENGTH = 6
"""Strength of the hit that perils bring."""


@dataclass(frozen=True, slots=True)
class PsychicTest:
    """What a psychic test comes to.

    Attributes:
        works: whether the power works.
        perils: whether the psyker suffers an automatic hit of ``PERILS_STRENGTH``, without saves.
    """

    works: bool
    perils: bool


@rule("3e.core.characters.psychic-test")
def why_no_power(
    keywords: Collection[str], used: int, *, each_turn: int = 1, at_its_moment: bool = True, locked_out: bool = False
) -> list[tuple[str, str]]:
    """Why a model may not use a psychic power now: rule and clause for each reason; none when it may.

    Args:
        used: powers that it has used this turn; ``each_turn`` as many as it may, one unless its list says more.
        at_its_moment: whether this is when the power is used.
        locked_out: whether something keeps it from using the power (falling back, aboard a vehicle).
    """
    found = []
    if "PSYKER" not in keywords:
        found.append(("3e.core.characters.psychic-test", "is no psyker"))
    if used >= each_turn:
        found.append(("3e.core.characters.psychic-test", f"has used {used} powers this turn; {each_turn} is all"))
    if not at_its_moment:
        found.append(("3e.core.characters.psychic-test", "may use the power at its own moment only"))
    if locked_out:
        found.append(("3e.core.characters.psychic-test", "cannot use the power as it is placed"))
    return found


@rule("3e.core.characters.psychic-test", "3e.core.characters.perils")
def psychic_test(faces: Sequence[int], leadership: int) -> PsychicTest:
    """What two dice of a psychic test come to: the Leadership or less and the power works; 2 and 12 bring perils.

    RULING: 3e.core.characters.perils a 12 fails whatever the Leadership, a 2 works.
    """
    total = sum(faces)
    works = total == 2 or (total < 12 and passes_leadership_test(total, leadership))
    return PsychicTest(works, perils=total in (2, 12))


@rule("3e.core.characters.hood")
def is_nullified(psyker: tuple[int, int], defender: tuple[int, int]) -> bool:
    """Whether a psychic hood nullifies a power that has passed its test: the defender's D6 plus Ld is higher.

    Args:
        psyker: his D6 and Leadership; ``defender`` the hood's bearer's.
    """
    return sum(defender) > sum(psyker)
