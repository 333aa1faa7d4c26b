"""What damage comes to in the 4th edition: its tables, weapons lost, crashes, explosions, passengers.

The rulebook's entries of the tables carry a mark of confidence, for the source text has lost them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.armour import DamageResult, DamageTable, Verdict
from battlewright.editions.classic.damage import Chooses, Flight
from battlewright.editions.classic.damage_tables import read_damage_tables
from battlewright.editions.classic.vehicles import SLOW, Condition
from battlewright.editions.classic.weapons import WeaponProfile
from battlewright.editions.classic.wrecks import D6_INCHES, NO_HARM, Explosion, Leaves, PassengersFate
from battlewright.editions.third.damage import DAMAGE as BEFORE

__all__ = ["DAMAGE", "GLANCING", "ORDNANCE", "PENETRATING", "TABLES", "by_ap", "can_be_destroyed", "crashes", "settled"]

_R = DamageResult


@rule("4e.damage-rolls.glancing-table", "4e.damage-rolls.penetrating-table", "4e.damage-rolls.ordnance-table")
@rule("4e.ordnance.own-table", "4e.damage-rolls.three-tables")
def damage_tables() -> Mapping[str, DamageTable]:
    """The tables of the edition, from its data file: of glancing hits, of penetrating ones, of those by ordnance."""
    return read_damage_tables(Path(__file__).with_name("damage_tables.yaml"))


TABLES = damage_tables()
GLANCING, PENETRATING, ORDNANCE = (TABLES[name] for name in ("glancing", "penetrating", "ordnance"))


@rule("4e.ap1.upgrade", "4e.ap1.downgrade-after", "4e.ap-dash.glance-only")
@rule("4e.core.weapons.ap-one")
def by_ap(found: Verdict, ap: int | None) -> Verdict:
    """What the AP makes of a hit: AP 1 penetrates where it would glance, AP "-" never does better than glance."""
    if ap == 1 and found is Verdict.GLANCING:
        return Verdict.PENETRATING
    return Verdict.GLANCING if ap is None and found is Verdict.PENETRATING else found


@rule("4e.armament-destroyed.no-weapon-left", "4e.immobilised.second-immobilised", "4e.immobilised.nothing-left")
def settled(condition: Condition, result: DamageResult) -> DamageResult | None:
    """What a result comes to: without weapons to lose it is immobilised, immobilised again it loses a weapon; with
    neither left it is destroyed."""
    if condition.immobilised and not condition.weapons and result in (_R.ARMAMENT, _R.IMMOBILISED):
        return _R.DESTROYED
    if result is _R.ARMAMENT and not condition.weapons:
        return _R.IMMOBILISED
    return _R.ARMAMENT if result is _R.IMMOBILISED and condition.immobilised else result


@rule("4e.armament-destroyed.lose-weapon", "4e.armament-destroyed.equipment-counts", "4e.dreadnought-weapons.arm-lost")
def can_be_destroyed(profiles: Collection[WeaponProfile]) -> bool:
    """Whether a weapon can be destroyed: one of Strength 4 or more, the close combat arms of walkers among them.

    RULING: 4e.armament-destroyed.lose-weapon bare fists, which have nothing but their user's Strength, cannot.
    """
    return any(profile.strength.of(0) >= 4 or (profile.melee and bool(profile.abilities)) for profile in profiles)


@rule("4e.immobilised.skimmer-crash-speed", "4e.immobilised.skimmer-crash-terrain", "4e.immobilised.skimmer-lands")
def crashes(keywords: Collection[str], flight: Flight) -> bool:
    """Whether an immobilised vehicle crashes: a skimmer that moved more than 6", or is over difficult terrain."""
    return "SKIMMER" in keywords and (not within(flight.moved, SLOW) or flight.over_difficult)


@rule("4e.vehicle-destroyed.wreck", "4e.vehicle-explodes.crater", "4e.vehicle-annihilated.crater")
def leaves(result: DamageResult) -> Leaves | None:
    """What a destroyed vehicle leaves: a wreck, or a crater where it has exploded or been annihilated."""
    if not result.destroys:
        return None
    return Leaves.CRATER if result in (_R.EXPLODES, _R.ANNIHILATED) else Leaves.WRECK


@rule("4e.vehicle-explodes.radius", "4e.vehicle-explodes.wounds", "4e.vehicle-annihilated.radius")
def explosion(result: DamageResult) -> Explosion | None:
    """Debris flies D6" from a vehicle that explodes, 6" from an annihilated one, and wounds on 4 and more."""
    if result is _R.EXPLODES:
        return Explosion(radius=D6_INCHES, wounded_on=4, rule="4e.vehicle-explodes.wounds")
    if result is not _R.ANNIHILATED:
        return None
    return Explosion(radius=DiceExpression(0, 0, 6), wounded_on=4, rule="4e.vehicle-annihilated.wounds")


@rule("4e.passenger-casualties.table", "4e.entangled.pinned", "4e.vehicle-annihilated.passengers-die")
def passengers(result: DamageResult) -> PassengersFate:
    """What becomes of passengers: wounded on 4 and more and entangled; killed where all is annihilated."""
    rule_id = "4e.passenger-casualties.table"
    if result is _R.ANNIHILATED:
        return PassengersFate(killed=True, rule=rule_id)
    return PassengersFate(gets_out=True, wounded_on=4, entangled=True, rule=rule_id) if result.destroys else NO_HARM


DAMAGE = replace(
    BEFORE,
    settled=settled,
    can_be_destroyed=can_be_destroyed,
    chooses=Chooses.ATTACKER,
    crashes=crashes,
    leaves=leaves,
    explosion=explosion,
    passengers=passengers,
    puts_out=True,
)
