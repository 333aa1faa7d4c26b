"""What an edition decides about the fire of vehicles and at them: salvos, traverses, smoke, shelter, squadrons."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from itertools import product
from typing import TypeAlias

from battlewright.core.bases import Base, Point
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.state import Phase
from battlewright.editions.classic.vehicles import Condition
from battlewright.editions.classic.weapons import WeaponProfile, WeaponType

__all__ = [
    "ALL_ROUND",
    "Driven",
    "Gun",
    "MarkerHit",
    "Mounting",
    "Readiness",
    "Salvo",
    "Seen",
    "Shelter",
    "StruckFrom",
    "VehicleFire",
    "all_full",
    "bears_within",
    "mount_of",
    "mounting_of",
    "one_profile_each",
    "plain_guns",
    "single_guns",
]

_MOST_WAYS = 64
"""Ways of using weapons that have several profiles, up to which every one is listed."""


class Mounting(StrEnum):
    """How a weapon is fixed to a vehicle."""

    TURRET = "turret"
    HULL = "hull"
    LEFT = "left sponson"
    RIGHT = "right sponson"
    OPEN = "open mount"
    """Nothing is said of it: it is aimed all round."""


@dataclass(frozen=True, slots=True)
class Gun:
    """A weapon of a vehicle that could be fired.

    Attributes:
        weapon: its place among the vehicle's weapons; ``profile`` the way it would be used.
    """

    weapon: int
    profile: WeaponProfile

    @property
    def ordnance(self) -> bool:
        """Whether it is ordnance."""
        return self.profile.type is WeaponType.ORDNANCE


class Readiness(IntEnum):
    """How much the state of its crew lets a vehicle fire."""

    NONE = 0
    SNAP_SHOTS = 1
    FULL = 2


@dataclass(frozen=True, slots=True)
class Driven:
    """How a vehicle moved this turn.

    Attributes:
        moved: inches; of a squadron those of the member that moved furthest.
        flat_out: whether it went flat out, or ran.
        aloft: whether it zooms; ``bombed`` whether it has dropped a bomb.
    """

    moved: float = 0.0
    flat_out: bool = False
    aloft: bool = False
    bombed: bool = False


Salvo: TypeAlias = tuple[tuple[Gun, bool], ...]
"""What a vehicle fires together: each weapon, and whether it fires snap shots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a firer sees of a vehicle, and what it did.

    Attributes:
        hidden: the share of the side that is fired at which the firer does not see, 0 to 1.
        cover: the cover save that whatever hides most of it gives, None for nothing.
        instead: another side that is fired at, because all of the one that the firer stands on is hidden from him.
        through_tall: whether it stands in area terrain taller than low walls, or the line of sight passes some;
            ``tall_cover`` the cover save that this gives. Terrain that the firer stands in hides nothing from him.
        in_smoke: whether its smoke still stands.
        skims: whether it is a skimmer that can still move.
        moved, displaced: inches in its last own turn, and from where it began that turn.
        flat_out: whether it went flat out in it.
        jinks: whether it has the gift of jinking.
        names: special rules and traits that it has; ``dark`` what darkness adds to its cover.
    """

    hidden: float = 0.0
    cover: int | None = None
    instead: Facing | None = None
    through_tall: bool = False
    tall_cover: int | None = None
    in_smoke: bool = False
    skims: bool = False
    moved: float = 0.0
    displaced: float = 0.0
    flat_out: bool = False
    jinks: bool = False
    names: frozenset[str] = frozenset()
    dark: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelter:
    """What protects a vehicle from a shot.

    Attributes:
        glances_only: whether penetrating hits count as glancing hits.
        downgrade_on: a die of this or more makes a penetrating hit a glancing one; None for no die.
        save: the cover save against each hit that glances or penetrates.
    """

    glances_only: bool = False
    downgrade_on: int | None = None
    save: int | None = None


class StruckFrom(StrEnum):
    """What says which side of a vehicle a marker's hit strikes."""

    FIRER = "firer"
    HOLE = "hole"
    FLANK = "flank"
    """Nothing: it always strikes the side armour."""


@dataclass(frozen=True, slots=True)
class MarkerHit:
    """How the hit of a marker arrives at a vehicle.

    Attributes:
        half: whether with half its Strength.
        struck: what says which side it strikes.
    """

    half: bool = False
    struck: StruckFrom = StruckFrom.FIRER


ALL_ROUND = 180.0


@dataclass(frozen=True)
class VehicleFire:
    """What is decided about the fire of vehicles and at them.

    Attributes:
        readiness: how much a vehicle of that condition may fire, by whether it has used its smoke this turn.
        salvos: what a vehicle of these keywords may fire together.
        bears: whether a weapon of that mounting reaches a target that lies so many degrees off the hull's front, to
            the left if positive; by the vehicle's keywords.
        may_turn: whether a vehicle may turn on the spot to face its target when it fires.
        smoke_in: the phase in which smoke is used.
        shelter: what protects a vehicle from a shot.
        spread: how many of so many hits each vehicle of a squadron takes, by its distance from the firer.
        from_mount: whether the line of fire is drawn from where a weapon is mounted, not from any part of the hull.
        range_from_mount: whether range is measured from where a weapon is mounted, too.
        may_light_up: whether a vehicle of these abilities may light up what it has fired at.
        extra_weapons: weapons that an upgrade gives to a vehicle, by the upgrade's name.
        under_marker: how the hit of a weapon's marker arrives, by whether its hole lies over the vehicle.
        touched_is_hit: whether a vehicle that a marker only touches is hit without a roll.
        one_by_one: whether hits go to one vehicle until it is destroyed and only then to the next.
        used_up: whether a weapon of a vehicle of these keywords is used up when it has been fired.
        night_bonus: what darkness adds to a vehicle's cover, by the inches to it and whether its firer sees at night.
        by_side: whether what is hidden is told of the side that is fired at, and another one may be fired at instead.
    """

    readiness: Callable[[Condition, bool], Readiness]
    salvos: Callable[[Collection[str], Driven, Sequence[Gun]], Sequence[Salvo]]
    bears: Callable[[Collection[str], Mounting, float], bool]
    may_turn: Callable[[Collection[str], Driven, bool], bool]
    smoke_in: Phase
    shelter: Callable[[Seen], Shelter]
    spread: Callable[[int, Sequence[float]], list[int]]
    under_marker: Callable[[WeaponProfile, bool], MarkerHit]
    touched_is_hit: bool = False
    from_mount: bool = False
    range_from_mount: bool = False
    may_light_up: Callable[..., bool] = lambda abilities, **circumstances: False
    extra_weapons: Mapping[str, WeaponProfile] = field(default_factory=dict)
    one_by_one: bool = False
    used_up: Callable[[Collection[str], WeaponProfile], bool] = lambda keywords, weapon: False
    night_bonus: Callable[..., int] = lambda distance, *, sees_at_night: 0
    by_side: bool = False


# -- parts of salvos --------------------------------------------------------------------------------------------


def plain_guns(guns: Sequence[Gun]) -> list[Gun]:
    """All but ordnance."""
    return [gun for gun in guns if not gun.ordnance]


def one_profile_each(guns: Sequence[Gun]) -> list[tuple[Gun, ...]]:
    """Every way of using all of these weapons at once, each by one of its profiles."""
    by_weapon: dict[int, list[Gun]] = {}
    for gun in guns:
        by_weapon.setdefault(gun.weapon, []).append(gun)
    total = 1
    for profiles in by_weapon.values():
        total *= len(profiles)
    if total > _MOST_WAYS:
        return [tuple(profiles[0] for profiles in by_weapon.values())]
    return [tuple(way) for way in product(*by_weapon.values())] if by_weapon else []


def all_full(guns: Sequence[Gun]) -> list[Salvo]:
    """Every way of firing all of these weapons."""
    return [tuple((gun, False) for gun in way) for way in one_profile_each(guns)]


def single_guns(guns: Sequence[Gun]) -> list[Salvo]:
    """Every way of firing a single one of them."""
    return [((gun, False),) for gun in guns]


# -- traverses --------------------------------------------------------------------------------------------------


def mounting_of(profile: WeaponProfile, same_before: int = 0) -> Mounting:
    """How a weapon is mounted, as its list says.

    Args:
        same_before: how many sponson weapons of the vehicle come before it in the list: sponsons stand left and right
            in turn.
    """
    words = {text.strip().upper() for text in profile.unknown}
    if "TURRET" in words:
        return Mounting.TURRET
    if words & {"HULL", "FIXED"}:
        return Mounting.HULL
    if "LEFT SPONSON" in words:
        return Mounting.LEFT
    if "RIGHT SPONSON" in words:
        return Mounting.RIGHT
    if "SPONSON" in words:
        return (Mounting.LEFT, Mounting.RIGHT)[same_before % 2]
    return Mounting.OPEN


def mount_of(hull: Base, mounting: Mounting) -> Point | None:
    """Where on a hull, in inches ahead and to the left of its middle, a weapon is; None where nothing is said of that.

    RULING: 4e.vehicle-los.from-weapon a turret stands in the middle of its vehicle, a weapon in the hull at the middle
    of the front, a sponson at the middle of its side.
    """
    along, across = hull.length / 2, hull.width / 2
    places = {
        Mounting.TURRET: (0.0, 0.0),
        Mounting.HULL: (along, 0.0),
        Mounting.LEFT: (0.0, across),
        Mounting.RIGHT: (0.0, -across),
    }
    return places.get(mounting)


@rule("3e.core.vehicles.one-target")
@rule("4e.vehicle-facing-targets.turret", "4e.immobilised.no-pivot")
def bears_within(mounting: Mounting, angle: float, hull: float) -> bool:
    """Whether a weapon reaches a target that lies so many degrees off the front, to the left if positive.

    A turret turns all round; a sponson covers its own side of the vehicle, from straight ahead to straight behind.

    Args:
        angle: from -180 to 180.
        hull: degrees to either side that a weapon fixed to the hull covers.
    """
    match mounting:
        case Mounting.HULL:
            return abs(angle) <= hull + TOLERANCE
        case Mounting.LEFT:
            return angle >= -TOLERANCE or abs(angle) >= ALL_ROUND - TOLERANCE
        case Mounting.RIGHT:
            return angle <= TOLERANCE or abs(angle) >= ALL_ROUND - TOLERANCE
        case _:
            return True
