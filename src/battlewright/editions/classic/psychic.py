"""Psychic powers: what one is, the test, perils, nullifying it.

A power that strikes is a weapon with the ability PSYCHIC; one that helps or hinders a unit is a special rule that the
unit has while the power lasts, under the name that :func:`name_upon` gives.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.editions.classic.charts import passes_leadership_test
from battlewright.editions.classic.special_rules import Registry, SpecialRule

__all__ = [
    "PERILS_STRENGTH",
    "Moment",
    "Power",
    "PowerKind",
    "PsychicTest",
    "beam_strengths",
    "is_nullified",
    "moment_of",
    "name_upon",
    "one_each_turn",
    "picks_model",
    "psychic_test",
    "strikes",
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
    BEAM = "beam"
    """Whoever stands on a line from the psyker."""
    FOCUSSED = "focussed witchfire"
    """One model of an enemy unit."""
    NOVA = "nova"
    """Every enemy unit in range."""
    MAELSTROM = "maelstrom"
    """Every unit in range, friend and foe."""


NO_EFFECT, ONE = SpecialRule(), DiceExpression(0, 0, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """A psychic power that is no weapon.

    Attributes:
        range: inches to the unit that it is used on.
        effect: what the unit has while it lasts.
        lasts: player turns after the present one.
        charge: what it costs where powers are paid for.
        strength: of the hits of a power that strikes; ``hits`` how many each unit suffers.
    """

    name: str
    kind: PowerKind
    range: float
    effect: SpecialRule = NO_EFFECT
    lasts: int = 0
    strength: int = 0
    hits: DiceExpression = ONE
    charge: int = 1

    @property
    def moment(self) -> Moment:
        """When it is used."""
        return moment_of(self.kind)


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


# -- powers that strike -----------------------------------------------------------------------------------------


def moment_of(kind: PowerKind) -> Moment:
    """When a power of a kind is used: what helps or hinders at the start of the Movement phase, else in the Shooting
    phase."""
    return Moment.MOVEMENT if kind in (PowerKind.BLESSING, PowerKind.MALEDICTION) else Moment.SHOOTING


@rule("6e.core.characters.power-kinds")
def strikes(kind: PowerKind, *, friend: bool) -> bool:
    """Whether a power that strikes all around strikes a unit: a nova enemies alone, a maelstrom friend and foe."""
    return kind is PowerKind.MAELSTROM or (kind is PowerKind.NOVA and not friend)


@rule("6e.core.characters.beam")
def beam_strengths(strength: int, crossed: int) -> tuple[int, ...]:
    """The Strength with which a beam hits each of so many models that it crosses: one less for each before.

    RULING: 6e.core.characters.beam it ends where no Strength is left.

    >>> beam_strengths(3, 5)
    (3, 2, 1)
    """
    return tuple(strength - place for place in range(min(crossed, strength)))


FOCUS = 5
"""The total of a psychic test up to which a focussed witchfire picks its model."""


@rule("6e.core.characters.focussed-witchfire")
def picks_model(total: int) -> bool:
    """Whether a focussed witchfire picks its model: on a low total of the psychic test.

    RULING: 6e.core.characters.focussed-witchfire a low total is 5 or less.
    """
    return total <= FOCUS
