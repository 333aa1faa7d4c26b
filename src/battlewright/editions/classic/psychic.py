"""Psychic powers: what one is, the test, perils, nullifying it.

A power that strikes is a weapon with the ability PSYCHIC; one that helps or hinders a unit is a special rule that the
unit has while the power lasts, under the name that :func:`name_upon` gives.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from battlewright.core.rulebook import rule
from battlewright.editions.classic.charts import passes_leadership_test
from battlewright.editions.classic.special_rules import Registry, SpecialRule

__all__ = [
    "PERILS_STRENGTH",
    "Moment",
    "Power",
    "PowerKind",
    "PsychicTest",
    "is_nullified",
    "name_upon",
    "one_each_turn",
    "psychic_test",
    "why_no_power",
    "with_powers",
]

UPON = "UNDER "


class Moment(StrEnum):
    """When a power is used."""

    MOVEMENT = "at the start of the Movement phase"
    SHOOTING = "in the Shooting phase"


class PowerKind(StrEnum):
    """What a power is aimed at."""

    BLESSING = "blessing"
    """A unit of the psyker's own side."""
    MALEDICTION = "malediction"
    """An enemy unit."""
    WITCHFIRE = "witchfire"
    """An enemy unit, as fire is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A psychic power that is no weapon.

    Attributes:
        range: inches to the unit that it is used on.
        effect: what the unit has while it lasts.
        lasts: player turns after the present one.
        charge: what it costs where powers are paid for.
    """

    name: str
    kind: PowerKind
    range: float
    effect: SpecialRule
    lasts: int = 0
    charge: int = 1
    moment: Moment = Moment.MOVEMENT


def name_upon(power: str) -> str:
    """The name of the special rule that a unit has while a power lasts on it."""
    return UPON + power


def with_powers(registry: Registry, powers: Mapping[str, Power]) -> Registry:
    """Special rules with those that units have under these powers."""
    return MappingProxyType({**registry, **{name_upon(name): power.effect for name, power in powers.items()}})


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


@rule("3e.core.characters.psychic-test", "4e.psychic.failed-test")
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


@rule("3e.core.characters.psychic-test")
def one_each_turn(names: Collection[str]) -> int:
    """How many powers a psyker may use in a turn: one."""
    return 1


@rule("3e.core.characters.psychic-test", "3e.core.characters.perils", "4e.psychic.psychic-test")
@rule("4e.perils.trigger", "4e.perils.power-works-on-two", "4e.perils.twelve-fails")
@rule("6e.core.characters.psychic-test", "6e.core.characters.perils")
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
