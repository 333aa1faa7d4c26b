"""What damage comes to in the 3rd edition: weapons lost, crashes, wrecks, explosions, passengers."""

from __future__ import annotations

from collections.abc import Collection

from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.damage import Chooses, Flight, VehicleDamage
from battlewright.editions.classic.transports import HATCH, is_passenger_wounded
from battlewright.editions.classic.vehicles import SLOW, Condition
from battlewright.editions.classic.weapons import WeaponProfile
from battlewright.editions.classic.wrecks import D6_INCHES, NO_HARM, Explosion, Leaves, PassengersFate

__all__ = ["DAMAGE", "any_weapon", "as_rolled", "crashes", "explosion", "leaves", "passengers", "settled"]


def as_rolled(abilities: Collection[str], result: DamageResult) -> DamageResult:
    """No equipment softens a result."""
    return result


@rule("3e.core.vehicles.immobilised-twice", "3e.core.vehicles.glancing-table")
def settled(condition: Condition, result: DamageResult) -> DamageResult | None:
    """What a result comes to: a vehicle without weapons that would lose one is immobilised; one immobilised again
    loses a weapon.

    RULING: 3e.core.vehicles.immobilised-twice one that is immobilised and has no weapon left takes no further harm.
    """
    match result:
        case DamageResult.ARMAMENT if not condition.weapons:
            return None if condition.immobilised else DamageResult.IMMOBILISED
        case DamageResult.IMMOBILISED if condition.immobilised:
            return DamageResult.ARMAMENT if condition.weapons else None
        case _:
            return result


def any_weapon(profiles: Collection[WeaponProfile]) -> bool:
    """Every weapon of a vehicle can be destroyed."""
    return True


@rule("3e.core.vehicles.immobilised-skimmer")
def crashes(keywords: Collection[str], flight: Flight) -> bool:
    """Whether a vehicle that is immobilised crashes and is destroyed: a skimmer in flight.

    RULING: 3e.core.vehicles.immobilised-skimmer one that moved 6" or less comes down without harm and stays there.
    """
    return "SKIMMER" in keywords and not within(flight.moved, SLOW)


@rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table", "3e.core.vehicles.glancing-table")
def leaves(result: DamageResult) -> Leaves | None:
    """What a destroyed vehicle leaves behind; None for a result that does not destroy it.

    RULING: 3e.core.vehicles.penetrating-table a wreck that is thrown comes to lie where the vehicle stood.
    """
    match result:
        case DamageResult.DESTROYED | DamageResult.THROWN | DamageResult.WRECKED:
            return Leaves.WRECK
        case DamageResult.EXPLODES:
            return Leaves.NOTHING
        case DamageResult.ANNIHILATED:
            return Leaves.CRATER
        case _:
            return None


@rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.ordnance-table")
def explosion(result: DamageResult) -> Explosion | None:
    """An explosion hits everybody within D6 inches with Strength 3; other results do nothing to whom is near."""
    if result in (DamageResult.EXPLODES, DamageResult.ANNIHILATED):
        return Explosion(radius=D6_INCHES, strength=3)
    return None


@rule("3e.core.vehicles.destroyed-transport", "3e.core.vehicles.ordnance-table")
def passengers(result: DamageResult) -> PassengersFate:
    """What becomes of passengers: each is wounded on 4 and more; in an annihilated vehicle all are killed."""
    if result is DamageResult.ANNIHILATED:
        return PassengersFate(killed=True, rule="3e.core.vehicles.ordnance-table")
    if not result.destroys:
        return NO_HARM
    wounded_on = next(face for face in range(1, 7) if is_passenger_wounded(face))
    return PassengersFate(
        gets_out=True, clear=HATCH, wounded_on=wounded_on, rule="3e.core.vehicles.destroyed-transport"
    )


DAMAGE = VehicleDamage(
    softened=as_rolled,
    settled=settled,
    can_be_destroyed=any_weapon,
    chooses=Chooses.DICE,
    crashes=crashes,
    leaves=leaves,
    explosion=explosion,
    passengers=passengers,
)
