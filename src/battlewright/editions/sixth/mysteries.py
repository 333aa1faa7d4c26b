"""Mysterious objectives of the 6th edition: what each turns out to be, and what it lends to those who hold it.

What an objective lends lies on a unit as psychic powers do, so that procedures ask for it as for these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from battlewright.attacks.description import RerollPermission, RerollWhich
from battlewright.core.rulebook import rule
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.psychic import name_upon
from battlewright.editions.classic.special_rules import Encounter, SpecialRule
from battlewright.editions.classic.state import ClassicUnit

__all__ = [
    "LENT",
    "NATURES",
    "RULE",
    "Nature",
    "aims_again",
    "explodes_on",
    "halved",
    "has_stealth",
    "lend",
    "may_fire_at_the_sky",
    "slows_charges",
]

RULE = "6e.core.missions.mysterious-objectives"
_SKYFIRE, _AIM, _STEALTH, _SLOWS = (
    f"from an objective: {what}" for what in ("skyfire", "aims again", "stealth", "slows charges")
)
_WHILE_HELD = 10_000


@dataclass(frozen=True, slots=True)
class Nature:
    """What a mysterious objective turns out to be.

    Attributes:
        name: what it is, in words.
        lends: what lies upon those who hold it, "" for nothing.
        explodes: whether it may explode at the end of a turn.
    """

    name: str
    lends: str = ""
    explodes: bool = False


NATURES: Mapping[int, Nature] = MappingProxyType(
    {
        1: Nature("sabotaged, it may explode at the end of any turn", explodes=True),
        2: Nature("nothing out of the ordinary"),
        3: Nature("whoever holds it may fire at the sky", lends=_SKYFIRE),
        4: Nature("whoever holds it rolls 1s to hit again when shooting", lends=_AIM),
        5: Nature("whoever holds it has stealth", lends=_STEALTH),
        6: Nature("charges against whoever holds it go half as far", lends=_SLOWS),
    }
)
"""By the face of a D6."""

_EVERYTHING_LENT = frozenset(nature.lends for nature in NATURES.values() if nature.lends)


@rule("6e.core.missions.mysterious-objectives")
def lend(unit: ClassicUnit, faces: frozenset[int]) -> None:
    """Put upon a unit what the objectives that it holds lend, by the faces that identified them, and nothing else of
    the sort."""
    lent = {(NATURES[face].lends, _WHILE_HELD) for face in faces if NATURES[face].lends}
    unit.powers = frozenset(each for each in unit.powers if each[0] not in _EVERYTHING_LENT) | lent


def _has(unit: ClassicUnit, what: str) -> bool:
    return any(name == what for name, _ in unit.powers)


@rule("6e.core.missions.mysterious-objectives")
def may_fire_at_the_sky(unit: ClassicUnit) -> bool:
    """Whether a unit has Skyfire from an objective."""
    return _has(unit, _SKYFIRE)


@rule("6e.core.missions.mysterious-objectives")
def has_stealth(unit: ClassicUnit) -> bool:
    """Whether a unit has Stealth from an objective."""
    return _has(unit, _STEALTH)


@rule("6e.core.missions.mysterious-objectives")
def slows_charges(unit: ClassicUnit) -> bool:
    """Whether charges against a unit go half as far."""
    return _has(unit, _SLOWS)


@rule("6e.core.missions.mysterious-objectives")
def halved(inches: int) -> int:
    """Half of a charge's distance.

    RULING: 6e.core.missions.mysterious-objectives it is rounded up, as half a D6 is.

    >>> halved(7)
    4
    """
    return (inches + 1) // 2


@rule("6e.core.missions.mysterious-objectives")
def explodes_on(face: int) -> bool:
    """Whether a sabotaged objective explodes at the end of a turn: on a 1."""
    return face == 1


@rule("6e.core.missions.mysterious-objectives")
def aims_again(context: AttackContext, encounter: Encounter) -> AttackContext:
    """Dice of 1 to hit are rolled again when shooting."""
    if encounter.close_combat or context.reroll_hits is not None:
        return context
    return replace(context, reroll_hits=RerollPermission(RerollWhich.ONES, RULE))


LENT: Mapping[str, SpecialRule] = MappingProxyType(
    {name_upon(what): SpecialRule(attacks=aims_again if what == _AIM else None) for what in sorted(_EVERYTHING_LENT)}
)
"""The special rules of units that objectives lend something."""
