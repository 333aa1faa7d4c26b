"""What damage comes to in the 6th edition: hull points, one table, wrecks, explosions, passengers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.editions.classic.armour import DamageResult, DamageTable
from battlewright.editions.classic.damage import Chooses, Flight
from battlewright.editions.classic.damage_tables import read_damage_tables
from battlewright.editions.classic.gunnery import Readiness
from battlewright.editions.classic.vehicles import Condition
from battlewright.editions.classic.wrecks import D6_INCHES, NO_HARM, Explosion, Leaves, PassengersFate
from battlewright.editions.third.damage import DAMAGE as BEFORE

__all__ = [
    "DAMAGE",
    "TABLE",
    "TABLES",
    "crashes",
    "damage_tables",
    "explosion",
    "leaves",
    "lies_on_passengers",
    "overheats",
    "passengers",
    "passengers_fire",
    "settled",
    "softened",
    "table_modifiers",
]


@rule("6e.outside.damage-table")
def damage_tables() -> Mapping[str, DamageTable]:
    """The table of the edition, from its data file: what a penetrating hit does besides taking a hull point."""
    return read_damage_tables(Path(__file__).with_name("damage_tables.yaml"))


TABLES = damage_tables()
TABLE = TABLES["damage"]


@rule("6e.outside.damage-modifiers", "6e.core.weapons.ap-and-vehicles")
def table_modifiers(ap: int | None) -> tuple[Modifier, ...]:
    """What a weapon's AP adds to a roll on the table: 2 for AP 1, 1 for AP 2; nothing is ever taken off."""
    more = {1: 2, 2: 1}.get(ap or 0, 0)
    return (Modifier("6e.outside.damage-modifiers", more),) if more else ()


@rule("6e.extra-armour.stunned-to-shaken")
def softened(abilities: Collection[str], result: DamageResult) -> DamageResult:
    """What a result is against a vehicle: with extra armour a stunned crew is only shaken."""
    if result is DamageResult.STUNNED and "EXTRA ARMOUR" in abilities:
        return DamageResult.SHAKEN
    return result


@rule("6e.outside.weapon-destroyed", "6e.outside.immobilised")
def settled(condition: Condition, result: DamageResult) -> DamageResult | None:
    """What a result comes to: without weapons to lose a vehicle is immobilised; immobilised again it loses another
    hull point."""
    if result is DamageResult.ARMAMENT and not condition.weapons:
        result = DamageResult.IMMOBILISED
    if result is DamageResult.IMMOBILISED and condition.immobilised:
        return DamageResult.HULL_POINT
    return result


@rule("6e.skimmer-damage.immobilised-at-speed", "6e.skimmer-damage.immobilised-otherwise")
def crashes(keywords: Collection[str], flight: Flight) -> bool:
    """Whether a vehicle that is immobilised crashes and is wrecked: a skimmer that went flat out in its last turn."""
    return "SKIMMER" in keywords and flight.flat_out


@rule("6e.outside.hull-points", "6e.outside.explodes")
def leaves(result: DamageResult) -> Leaves | None:
    """What a destroyed vehicle leaves: a wreck, and nothing where it has exploded."""
    if not result.destroys:
        return None
    return Leaves.NOTHING if result is DamageResult.EXPLODES else Leaves.WRECK


@rule("6e.outside.explodes")
def explosion(result: DamageResult) -> Explosion | None:
    """A vehicle that explodes hits each model within D6" with Strength 3."""
    return Explosion(radius=D6_INCHES, strength=3) if result is DamageResult.EXPLODES else None


@rule("6e.passenger-damage.wrecked-exit", "6e.passenger-damage.wrecked-pinning", "6e.passenger-damage.explodes-hits")
@rule("6e.passenger-damage.explodes-pinning", "6e.passenger-damage.weapon-or-immobilised")
@rule("6e.passenger-damage.explodes-placement")
def passengers(result: DamageResult) -> PassengersFate:
    """What becomes of the models aboard: out of a wreck they get, wholly within 3"; in an explosion each takes a hit
    of Strength 4, and survivors stand where it was. Both test for pinning. Whatever leaves the vehicle does nothing to
    them.

    RULING: 6e.passenger-damage.explodes-placement survivors are placed wholly in the space of the hull, and keep the
    inch from enemies that every placement keeps.
    """
    if result is DamageResult.EXPLODES:
        return PassengersFate(
            gets_out=True, inside=True, strength=4, tests_pinning=True, rule="6e.passenger-damage.explodes-hits"
        )
    if not result.destroys:
        return NO_HARM
    return PassengersFate(gets_out=True, clear=3.0, tests_pinning=True, rule="6e.passenger-damage.wrecked-exit")


RATTLED, SILENCED = "shaken in its vehicle", "stunned in its vehicle"
"""What lies on passengers through their next Shooting phase, wherever they are then."""


@rule("6e.passenger-damage.shaken", "6e.passenger-damage.stunned", "6e.passenger-damage.weapon-or-immobilised")
def lies_on_passengers(result: DamageResult) -> str:
    """What a result leaves on passengers: shaken and stunned crews shake and stun them, nothing else touches them."""
    return {DamageResult.SHAKEN: RATTLED, DamageResult.STUNNED: SILENCED}.get(result, "")


@rule("6e.passenger-damage.shaken", "6e.passenger-damage.stunned")
def passengers_fire(names: Collection[str]) -> Readiness:
    """How much a unit may fire on which that lies: snap shots when its crew was shaken, nothing when it was stunned.

    Args:
        names: of everything that lies on it.
    """
    if SILENCED in names:
        return Readiness.NONE
    return Readiness.SNAP_SHOTS if RATTLED in names else Readiness.FULL


@rule("6e.core.weapons.gets-hot")
def overheats(face: int) -> DamageResult | None:
    """What a weapon that gets hot does to a vehicle: a glancing hit on 1 to 3."""
    return DamageResult.HULL_POINT if face <= 3 else None


DAMAGE = replace(
    BEFORE,
    softened=softened,
    settled=settled,
    chooses=Chooses.DICE,
    crashes=crashes,
    leaves=leaves,
    explosion=explosion,
    passengers=passengers,
    lies_on_passengers=lies_on_passengers,
    overheats=overheats,
    wreck_is=frozenset({"difficult", "dangerous", "area", "hulk", "wreck"}),
)
