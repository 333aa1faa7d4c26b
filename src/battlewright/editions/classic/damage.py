"""What an edition decides about damaged vehicles: what a result comes to, wrecks, explosions, and passengers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum

from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.vehicles import Condition
from battlewright.editions.classic.weapons import WeaponProfile
from battlewright.editions.classic.wrecks import Explosion, Leaves, PassengersFate

__all__ = ["Chooses", "Flight", "VehicleDamage"]


class Chooses(StrEnum):
    """Who says which of a vehicle's weapons is destroyed."""

    DICE = "dice"
    ATTACKER = "attacker"


@dataclass(frozen=True, slots=True)
class Flight:
    """How a vehicle moved when it is immobilised.

    Attributes:
        moved: inches that it moved in its last own turn.
        flat_out: whether it went flat out in that turn.
        over_difficult: whether it is over difficult terrain.
    """

    moved: float
    flat_out: bool = False
    over_difficult: bool = False


@dataclass(frozen=True)
class VehicleDamage:
    """What is decided about damage to vehicles.

    Attributes:
        softened: what a result is against a vehicle with these abilities.
        settled: what a result comes to for a vehicle in its condition; None for nothing more.
        can_be_destroyed: whether a weapon, by its profiles, can be destroyed. ``chooses`` says which it is.
        crashes: whether being immobilised destroys a vehicle of these keywords.
        leaves: what a destroyed vehicle leaves; None for a result that does not destroy it.
        explosion: what a destroyed vehicle does to whom is near, None for nothing.
        passengers: what becomes of the models aboard when it is destroyed.
        wreck_is: the tags of a wreck as terrain.
        puts_out: whether a penetrating hit that it survives makes the models aboard get out at once.
        lies_on_passengers: what a result that it survives leaves on the units aboard through their owner's next turn,
            "" for nothing.
        overheats: what a weapon that gets hot does to the vehicle that fires it, by a D6; None where nothing is rolled.
    """

    softened: Callable[[Collection[str], DamageResult], DamageResult]
    settled: Callable[[Condition, DamageResult], DamageResult | None]
    can_be_destroyed: Callable[[Collection[WeaponProfile]], bool]
    chooses: Chooses
    crashes: Callable[[Collection[str], Flight], bool]
    leaves: Callable[[DamageResult], Leaves | None]
    explosion: Callable[[DamageResult], Explosion | None]
    passengers: Callable[[DamageResult], PassengersFate]
    puts_out: bool = False
    lies_on_passengers: Callable[[DamageResult], str] = lambda result: ""
    overheats: Callable[[int], DamageResult | None] | None = None
    wreck_is: frozenset[str] = frozenset({"difficult", "area", "wreck"})
