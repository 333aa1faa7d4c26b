"""What an edition decides about what flies above the table: flyers that zoom, winged monsters that swoop.

Editions without flyers leave it at :data:`GROUNDED`, in which nothing ever leaves the ground.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from battlewright.core.battle import Procedure
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.footwork import SecondMove
from battlewright.editions.classic.state import ClassicState, ClassicUnit
from battlewright.editions.classic.weapons import AbilityName

if TYPE_CHECKING:
    from battlewright.editions.classic.scene import ClassicBattle, Scene

__all__ = ["GROUNDED", "FlightRules", "Span"]


@dataclass(frozen=True, slots=True)
class Span:
    """The inches that a flight may be long: from ``least`` to ``most``; ``above`` whether more than the least."""

    least: float
    most: float
    above: bool = False

    def holds(self, inches: float) -> bool:
        """Whether a flight of so many inches keeps to it."""
        enough = inches > self.least + TOLERANCE if self.above else within(self.least, inches)
        return enough and within(inches, self.most)

    def __str__(self) -> str:
        least = f'more than {self.least:g}"' if self.above else f'{self.least:g}"'
        return f'{least} to {self.most:g}"'


@dataclass(frozen=True)
class FlightRules:
    """What is decided about flight; procedures are generators that may ask and roll.

    Attributes:
        stand: millimetres across of the stand of a model of these keywords, on which it rests above the table; None for
            one that stands on its base. ``lift`` inches from the table to its hull.
        waits: whether a unit of these keywords has to begin the battle in reserve.
        span: how far a zooming flyer flies, by the inches of the move at which its speed was locked, None if it is not.
        take_off: a procedure: how a unit that could fly moves, and its flight; whether it has flown.
        arrive: a procedure: a unit in reserve comes on in flight; whether it has, or waits for another turn.
        flies_on: the move of what is aloft in place of shooting, None for none; ``fly_on`` a procedure that makes it;
            whether it has.
        before_shooting: a procedure: what is said of flyers at the start of a player's Shooting phase.
        under_fire: a procedure: what the owner of a unit says when shots have hit it and no die has been thrown for
            what they do.
        after_fire: a procedure: what the fire of a unit, of which so many shots have hit, does to what is aloft.
        falls: a procedure: the end of a vehicle that was aloft, by its row and the id of the unit that has done it.
        immobilised: what more an immobilised result does to what is aloft, by whether its speed was locked before; None
            where it locks its speed and does nothing more.
        after_movement: a procedure: what is done when a player's units have moved.
        under_markers: whether markers and templates hit a unit, by whether it is aloft.
        meets_drives: whether a tank that drives straight ahead meets it, likewise; and whether it drives so itself.
        why_no_charge: rule and clause for each reason why a unit may not charge another, for either being aloft.
        weapon_abilities: abilities of weapons that only matter where something flies.
    """

    stand: Callable[[Collection[str]], float | None]
    lift: Callable[[Collection[str]], float]
    waits: Callable[[Collection[str]], bool]
    span: Callable[[float | None], Span]
    take_off: Callable[[ClassicBattle, int], Procedure[bool]]
    arrive: Callable[[ClassicBattle, int], Procedure[bool]]
    flies_on: Callable[[Scene, ClassicState, int], SecondMove | None]
    fly_on: Callable[[ClassicBattle, int, SecondMove], Procedure[bool]]
    before_shooting: Callable[[ClassicBattle], Procedure[None]]
    under_fire: Callable[[ClassicBattle, int], Procedure[None]]
    after_fire: Callable[[ClassicBattle, int, int], Procedure[None]]
    falls: Callable[[ClassicBattle, int, str], Procedure[None]]
    immobilised: Callable[[bool], DamageResult | None]
    after_movement: Callable[[ClassicBattle], Procedure[None]]
    under_markers: Callable[[bool], bool]
    meets_drives: Callable[[bool], bool]
    why_no_charge: Callable[[ClassicUnit, ClassicUnit | None], list[tuple[str, str]]]
    weapon_abilities: frozenset[AbilityName] = frozenset()


def _stays(battle: ClassicBattle, unit: int) -> Procedure[bool]:
    """Nothing flies."""
    return False
    yield


def _never(battle: ClassicBattle, unit: int, second: SecondMove) -> Procedure[bool]:
    """Nothing flies."""
    return False
    yield


def _nothing(battle: ClassicBattle, *details: object) -> Procedure[None]:
    """Nothing is done."""
    yield from ()


GROUNDED = FlightRules(
    stand=lambda keywords: None,
    lift=lambda keywords: 0.0,
    waits=lambda keywords: False,
    span=lambda locked: Span(0.0, 0.0),
    take_off=_stays,
    arrive=_stays,
    flies_on=lambda scene, state, unit: None,
    fly_on=_never,
    before_shooting=_nothing,
    under_fire=_nothing,
    after_fire=_nothing,
    falls=_nothing,
    immobilised=lambda locked: DamageResult.IMMOBILISED,
    after_movement=_nothing,
    under_markers=lambda aloft: True,
    meets_drives=lambda aloft: True,
    why_no_charge=lambda unit, enemy: [],
)
"""Nothing flies."""
