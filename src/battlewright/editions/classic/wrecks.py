"""What a destroyed vehicle leaves behind: wreck, crater or nothing, the blast of an explosion, its passengers' fate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within

__all__ = ["D6_INCHES", "NO_HARM", "Explosion", "Leaves", "PassengersFate", "hit_by_explosion"]

D6_INCHES = DiceExpression(1, 6, 0)


class Leaves(StrEnum):
    """What stands where a vehicle was destroyed."""

    WRECK = "wreck"
    """Difficult terrain that gives cover as wrecks do; it blocks sight as the vehicle did."""
    CRATER = "crater"
    """Difficult terrain that gives cover as craters do."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explosion:
    """What a destroyed vehicle does to the models near it; vehicles are never harmed.

    Attributes:
        radius: inches from its hull, a fixed number or a die that is thrown once.
        strength: of the hit that each takes, its AP "-"; None where they are wounded by a roll of their own.
        wounded_on: what wounds each of them on a D6, an armour save being allowed.
        rule: that says so; "" where it is the damage table.
    """

    radius: DiceExpression
    strength: int | None = None
    wounded_on: int | None = None
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassengersFate:
    """What becomes of the models aboard a vehicle that has been damaged.

    Attributes:
        gets_out: whether they have to leave it at once; ``clear`` inches from it within which they are placed,
            or ``inside`` the space that it took.
        killed: whether all of them are removed without saves.
        wounded_on: what wounds each of them on a D6, saves being allowed; None for nobody.
        strength: of a hit that each takes, its AP "-"; None for none.
        entangled: whether they count as pinned, whatever their nerve; ``tests_pinning`` whether they test for it.
        rule: that says so.
    """

    gets_out: bool = False
    clear: float = 2.0
    inside: bool = False
    killed: bool = False
    wounded_on: int | None = None
    strength: int | None = None
    entangled: bool = False
    tests_pinning: bool = False
    rule: str = ""


NO_HARM = PassengersFate()
"""They stay where they are."""


@rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table")
def hit_by_explosion(inches: float, gaps: Sequence[float]) -> list[int]:
    """The models that an explosion reaches, as indices into ``gaps``.

    Args:
        inches: how far it goes; ``gaps`` inches from the vehicle to each model.
    """
    return [index for index, gap in enumerate(gaps) if within(gap, inches)]
