"""Weapon types: how many shots a weapon has after a move, at a distance, and what firing it bars its unit from.

A weapon type is a function from a weapon and its circumstances to a number of shots; an edition's table says which
function stands for which type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.editions.classic.state import Deed
from battlewright.editions.classic.weapons import WeaponProfile, WeaponType

__all__ = [
    "CLOSE",
    "ONE",
    "TWO",
    "Firing",
    "Shots",
    "assault_shots",
    "bars_assault",
    "deeds_of_fire",
    "heavy_shots",
    "ordnance_shots",
    "pistol_shots",
]

CLOSE = 12.0
"""Inches at which rapid fire weapons and pistols fire more."""

ONE = DiceExpression(0, 0, 1)
"""One shot."""
TWO = DiceExpression(0, 0, 2)
"""Two shots."""


@dataclass(frozen=True, slots=True)
class Firing:
    """The circumstances of a weapon's fire.

    Attributes:
        moved: whether its unit counts as having moved.
        distance: inches to the nearest model of the target; the weapon's range has been judged before.
        once: whether the firer holds back to one shot where a weapon would fire two (a pistol, to assault).
    """

    moved: bool = False
    distance: float = 0.0
    once: bool = False


Shots: TypeAlias = Callable[[WeaponProfile, Firing], DiceExpression | None]
"""The shots of a weapon type; None when the weapon may not be fired."""


@rule("3e.outside.assault-weapon", "3e.core.weapons.assault", "4e.core.weapons.assault", "6e.core.weapons.assault")
def assault_shots(weapon: WeaponProfile, firing: Firing) -> DiceExpression | None:
    """All its shots, moved or not."""
    return weapon.shots


@rule("3e.outside.heavy-weapon", "3e.core.weapons.heavy", "3e.fall-back.no-heavy", "4e.core.weapons.heavy")
def heavy_shots(weapon: WeaponProfile, firing: Firing) -> DiceExpression | None:
    """All its shots, but not after a move; a unit that falls back has moved."""
    return None if firing.moved else weapon.shots


@rule("3e.core.weapons.heavy")
def ordnance_shots(weapon: WeaponProfile, firing: Firing) -> DiceExpression | None:
    """All its shots, but not after a move."""
    return None if firing.moved else weapon.shots


@rule("3e.outside.pistol", "3e.core.weapons.pistol", "4e.core.weapons.pistol")
def pistol_shots(weapon: WeaponProfile, firing: Firing) -> DiceExpression | None:
    """Standing still up to two shots, having moved one."""
    return ONE if firing.moved or firing.once else TWO


@rule("3e.core.weapons.rapid-fire-and-charge", "3e.outside.fire-then-assault", "3e.outside.pistol")
def deeds_of_fire(weapon: WeaponProfile, firing: Firing, shots: DiceExpression) -> frozenset[Deed]:
    """What firing a weapon so is noted as; see :func:`bars_assault`."""
    noted = {Deed.FIRED}
    match weapon.type:
        case WeaponType.HEAVY:
            noted.add(Deed.FIRED_HEAVY)
        case WeaponType.ORDNANCE:
            noted.add(Deed.FIRED_ORDNANCE)
        case WeaponType.RAPID_FIRE if not firing.moved:
            noted.add(Deed.FIRED_RAPID_STANDING)
        case WeaponType.PISTOL if shots == TWO:
            noted.add(Deed.FIRED_PISTOLS_TWICE)
    return frozenset(noted)


_BARRING: dict[str, tuple[str, str]] = {
    Deed.FIRED_HEAVY: ("3e.outside.fire-then-assault", "fired heavy weapons this turn"),
    Deed.FIRED_ORDNANCE: ("3e.core.weapons.ordnance-and-charge", "fired ordnance this turn"),
    Deed.FIRED_RAPID_STANDING: (
        "3e.core.weapons.rapid-fire-and-charge",
        "stood still and fired rapid fire weapons this turn",
    ),
    Deed.FIRED_RAPID: ("4e.core.weapons.rapid-fire", "fired rapid fire weapons this turn"),
    Deed.FIRED_SALVO: ("6e.core.weapons.salvo", "fired salvo weapons this turn"),
    Deed.FIRED_PISTOLS_TWICE: ("3e.outside.pistol", "fired pistols twice this turn"),
    Deed.BOOSTED: ("4e.turbo-boosters.no-shoot-charge", "used turbo boosters this turn"),
    Deed.ARRIVED: ("6e.core.missions.reserves", "arrived from reserve this turn"),
    Deed.RAN: ("6e.core.movement.run", "ran this turn"),
    Deed.LEFT_CLOSED: ("4e.disembarking.no-charge", "got out of a vehicle this turn that lets nobody charge"),
    Deed.EMERGENCY: ("6e.emergency-disembarkation.no-voluntary-actions", "got out in an emergency this turn"),
    Deed.DEEP_STRUCK: ("3e.core.missions.deep-strike", "arrived by deep strike this turn"),
}


@rule(
    "3e.outside.fire-then-assault",
    "3e.core.weapons.ordnance-and-charge",
    "3e.core.weapons.rapid-fire-and-charge",
    "3e.outside.pistol",
    "3e.core.assault.may-not-charge",
)
@rule("4e.turbo-boosters.no-shoot-charge", "6e.core.movement.run")
def bars_assault(deeds: Iterable[str]) -> list[tuple[str, str]]:
    """Why a unit that has done this may not assault: rule and clause for each reason; none when it may."""
    return [_BARRING[deed] for deed in deeds if deed in _BARRING]
