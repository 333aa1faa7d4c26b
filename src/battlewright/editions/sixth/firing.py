"""What the weapon types of the 6th edition fire, snap shots, and what firing bars."""

from __future__ import annotations

from collections.abc import Collection

from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.firing import ONE, TWO, Firing
from battlewright.editions.classic.gunnery import Readiness
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.state import ClassicUnit, Deed
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile, WeaponType
from battlewright.editions.sixth.damage import passengers_fire
from battlewright.editions.sixth.flyers import snaps_aloft

__all__ = [
    "deeds_of",
    "fires_as_moved",
    "is_relentless",
    "may_snap",
    "ordnance_shots",
    "pistol_shots",
    "rapid_fire_shots",
    "reach_of",
    "salvo_shots",
    "snaps",
    "snaps_at",
    "weapons_allowed",
    "why_no_fire",
]

_RELENTLESS = (Kind.BIKE, Kind.JETBIKE, Kind.MONSTROUS)
_NO_SNAPS = (AbilityName.TEMPLATE, AbilityName.BLAST, AbilityName.LARGE_BLAST)


@rule("6e.core.weapons.heavy")
def heavy_shots(weapon: WeaponProfile, firing: Firing) -> DiceExpression | None:
    """All its shots, moved or not; after a move they are snap shots."""
    return weapon.shots


@rule("6e.core.weapons.rapid-fire")
def rapid_fire_shots(weapon: WeaponProfile, firing: Firing) -> DiceExpression | None:
    """Two shots at half range or less and one beyond, moved or not."""
    return TWO if within(firing.distance, weapon.range / 2) else ONE


@rule("6e.core.weapons.pistol")
def pistol_shots(weapon: WeaponProfile, firing: Firing) -> DiceExpression | None:
    """One shot."""
    return ONE


@rule("6e.core.weapons.salvo")
def salvo_shots(weapon: WeaponProfile, firing: Firing) -> DiceExpression | None:
    """The greater number standing still, the smaller after a move."""
    return weapon.shots_moved if firing.moved and weapon.shots_moved is not None else weapon.shots


@rule("6e.core.weapons.ordnance")
def ordnance_shots(weapon: WeaponProfile, firing: Firing) -> DiceExpression | None:
    """All its shots, but none after a move."""
    return None if firing.moved else weapon.shots


@rule("6e.core.weapons.salvo")
def reach_of(weapon: WeaponProfile, firing: Firing) -> float:
    """How far a weapon carries, in inches: half as far as printed for a salvo weapon after a move."""
    return weapon.range / 2 if weapon.type is WeaponType.SALVO and firing.moved else weapon.range


@rule("6e.core.weapons.relentless", "6e.core.special-rules.slow-and-purposeful")
@rule("6e.core.units.bike", "6e.core.units.jet-pack", "6e.core.units.monstrous", "6e.core.missions.terminator-armour")
def is_relentless(profile: ModelProfile) -> bool:
    """Whether a model counts as stationary for its weapons: bikes, jet packs, monstrous creatures, by its rules."""
    names = ("RELENTLESS", "JET PACK", "SLOW AND PURPOSEFUL", "TERMINATOR ARMOUR")
    return profile.kind in _RELENTLESS or any(profile.has(name) for name in names)


@rule("6e.core.weapons.relentless")
def fires_as_moved(profile: ModelProfile, weapon: WeaponProfile, moved: bool) -> bool:
    """Whether a weapon is fired as after a move; vehicles fire what their speed lets them."""
    return moved and not profile.is_vehicle and not is_relentless(profile)


@rule("6e.core.weapons.heavy", "6e.core.weapons.rapid-fire", "6e.core.weapons.salvo", "6e.core.weapons.ordnance")
@rule("6e.core.weapons.relentless", "6e.core.weapons.assault", "6e.core.weapons.pistol")
def deeds_of(profile: ModelProfile, weapon: WeaponProfile, how: Firing, shots: DiceExpression) -> frozenset[Deed]:
    """What firing a weapon is noted as: no charge follows any but assault weapons and pistols, unless relentless.

    RULING: 6e.core.special-rules.slow-and-purposeful those who only fire as if stationary do not charge after it.
    RULING: 6e.core.weapons.relentless walkers and chariots charge after any fire, as walkers do in the 4th edition:
    whatever bars troops from that, vehicles move and fire without it.
    """
    noted = {
        WeaponType.HEAVY: Deed.FIRED_HEAVY,
        WeaponType.ORDNANCE: Deed.FIRED_ORDNANCE,
        WeaponType.RAPID_FIRE: Deed.FIRED_RAPID,
        WeaponType.SALVO: Deed.FIRED_SALVO,
    }
    barring = noted.get(weapon.type)
    steady = profile.is_vehicle or is_relentless(profile)
    if barring is None or (steady and not profile.has("SLOW AND PURPOSEFUL")):
        return frozenset({Deed.FIRED})
    return frozenset({Deed.FIRED, barring})


@rule("6e.core.shooting.who-may-fire", "6e.core.shooting.snap-shots", "6e.core.weapons.heavy")
@rule("6e.core.movement.gone-to-ground", "6e.ram.snap-shots", "6e.evade.effect", "6e.passenger-damage.shaken")
def snaps(unit: ClassicUnit, weapon: WeaponProfile, moved: bool) -> bool:
    """Whether a weapon makes snap shots: heavy ones after a move, and all of units that fall back, have gone to ground
    or have regrouped or rammed this turn, or evade, or were shaken in their vehicle."""
    shaky = unit.falling_back or unit.pinned or unit.has(Deed.RALLIED) or unit.has(Deed.RAMMED) or unit.evading > 0
    shaky = shaky or passengers_fire(_lying_on(unit)) is Readiness.SNAP_SHOTS
    return shaky or (weapon.type is WeaponType.HEAVY and moved)


@rule("6e.core.weapons.skyfire", "6e.outside.skyfire")
def snaps_at(weapon: WeaponProfile, bearer: Collection[str], target: Collection[str], aloft: bool) -> bool:
    """Whether a weapon makes snap shots at a target: without Skyfire at what is aloft, with it at what neither flies
    nor skims.

    Args:
        bearer: names that the firer has; ``target`` those of what it fires at, and ``aloft`` whether that zooms or
            swoops.
    """
    skyfire = weapon.has(AbilityName.SKYFIRE) or "SKYFIRE" in bearer
    return snaps_aloft(target, aloft=aloft, skyfire=skyfire)


@rule("6e.core.shooting.no-snap-shots", "6e.outside.snap-shots")
def may_snap(weapon: WeaponProfile, ballistic_skill: int) -> bool:
    """Whether a weapon may make snap shots: no template, blast or ordnance, and nobody of BS 0."""
    barred = any(weapon.has(name) for name in _NO_SNAPS) or weapon.type is WeaponType.ORDNANCE
    return not barred and ballistic_skill > 0


@rule("6e.core.weapons.one-weapon", "6e.core.units.monstrous")
def weapons_allowed(profile: ModelProfile) -> int:
    """How many weapons a model that is no vehicle fires: a monstrous creature and a gunslinger two, else one.

    DEVIATION: a gunslinger's second weapon is not kept to pistols.
    """
    return 2 if profile.kind is Kind.MONSTROUS or profile.has("GUNSLINGER") else 1


@rule("6e.core.shooting.who-may-fire", "6e.passenger-damage.stunned")
def why_no_fire(unit: ClassicUnit, in_combat: bool = False) -> list[tuple[str, str]]:
    """Why a unit may not fire, its weapons apart: rule and clause for each reason."""
    reasons = [
        (in_combat, "is locked in combat"),
        (unit.has(Deed.RAN), "has run"),
        (unit.has(Deed.BOOSTED), "has boosted"),
        (unit.has(Deed.FIRED), "has fired already"),
    ]
    found = [("6e.core.shooting.who-may-fire", clause) for holds, clause in reasons if holds]
    if passengers_fire(_lying_on(unit)) is Readiness.NONE:
        found.append(("6e.passenger-damage.stunned", "was stunned in its vehicle"))
    return found


def _lying_on(unit: ClassicUnit) -> frozenset[str]:
    return frozenset(name for name, _ in unit.powers)
