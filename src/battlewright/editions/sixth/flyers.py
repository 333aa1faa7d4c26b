"""Flyers of the 6th edition, and winged monsters: modes, speeds, what may be done aloft, special weapons."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from enum import StrEnum
from itertools import combinations

from battlewright.core.bases import Point
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.flying import Span
from battlewright.editions.classic.gunnery import Driven, Gun, Salvo, one_profile_each
from battlewright.editions.classic.state import ClassicUnit, Deed
from battlewright.editions.classic.weapons import WeaponProfile

__all__ = [
    "Mode",
    "Speed",
    "exact_span",
    "falls_from_the_sky",
    "flat_out_span",
    "flew_over",
    "flight_faults",
    "is_flyer",
    "is_missile",
    "is_winged",
    "launched_once",
    "lift",
    "may_bomb",
    "may_evade",
    "may_go_flat_out",
    "meets_drives",
    "missile_choices",
    "modes",
    "must_begin_in_reserve",
    "snaps_aloft",
    "speed_of",
    "stand",
    "stunned_span",
    "swoop_span",
    "under_markers",
    "when_immobilised",
    "why_no_charge",
    "zoom_salvos",
    "zoom_span",
]

FLYER, WINGED = "FLYER", "FLYING MONSTROUS CREATURE"
COMBAT, CRUISING = 18.0, 36.0
"""Inches of a zooming flyer's move at combat speed, and the most at cruising speed."""
STAND = 60.0
"""Millimetres across of the stand that a flyer rests on; lists name the hull alone."""
LIFT = 4.0
"""Inches from the table to a flyer's hull."""
PIVOT = 90.0
"""Degrees that it turns at most before its move."""
GUNS = 4
"""Weapons that a zooming flyer fires with its full skill."""
MISSILES = 2
"""Missiles that a flyer launches in one phase."""
_STRAIGHT = 0.2


class Mode(StrEnum):
    """How a flyer or a winged monster moves in a turn."""

    ZOOM = "zoom"
    HOVER = "hover"
    SWOOP = "swoop"
    GLIDE = "glide"

    @property
    def is_aloft(self) -> bool:
        """Whether it is high above the table so."""
        return self in (Mode.ZOOM, Mode.SWOOP)


class Speed(StrEnum):
    """The speeds of a zooming flyer."""

    COMBAT = "combat speed"
    CRUISING = "cruising speed"


def is_flyer(keywords: Collection[str]) -> bool:
    """Whether a model is a flyer: a vehicle of that type."""
    return FLYER in keywords


def is_winged(keywords: Collection[str]) -> bool:
    """Whether a model is a flying monstrous creature."""
    return WINGED in keywords


# -- where it is ------------------------------------------------------------------------------------------------


@rule("6e.flyer-measuring.hull", "6e.flyer-measuring.charge-contact", "6e.flyer-measuring.base-is-access-point")
@rule("6e.flyer-other-models.one-inch-from-base")
def stand(keywords: Collection[str]) -> float | None:
    """Millimetres across of what a flyer rests on, which counts for who may stand near it, gets in or out, or charges.

    All else is measured to its hull.
    """
    return STAND if is_flyer(keywords) else None


@rule("6e.flyer-other-models.move-beneath", "6e.flyer-other-models.end-above")
def lift(keywords: Collection[str]) -> float:
    """Inches from the table to the hull: models no taller than that fit beneath it."""
    return LIFT if is_flyer(keywords) else 0.0


@rule("6e.flyer-reserve.must-start-in-reserve")
def must_begin_in_reserve(keywords: Collection[str]) -> bool:
    """Whether a model begins the battle in reserve: every flyer, whether it can hover or not."""
    return is_flyer(keywords)


# -- modes and speeds -------------------------------------------------------------------------------------------


@rule("6e.zoom.who", "6e.hover.option", "6e.leaving-airspace.returns-zooming", "6e.locked-velocity.no-hover")
@rule("6e.core.units.flying-monstrous")
def modes(keywords: Collection[str], *, locked: bool = False, returning: bool = False) -> tuple[Mode, ...]:
    """The modes that a model may choose for a turn; none for one that never flies.

    Flyers zoom; those of the hover type may hover in place of that, unless their speed is locked or they come back
    from beyond the table. Flying monstrous creatures swoop or glide.

    RULING: 6e.core.units.flying-monstrous a creature that has swooped off the table comes back swooping, as flyers do.
    """
    if is_flyer(keywords):
        may_hover = "HOVER" in keywords and not locked and not returning
        return (Mode.ZOOM, Mode.HOVER) if may_hover else (Mode.ZOOM,)
    if is_winged(keywords):
        return (Mode.SWOOP,) if returning else (Mode.GLIDE, Mode.SWOOP)
    return ()


@rule("6e.zoom.speeds")
def speed_of(inches: float) -> Speed | None:
    """The speed of a zooming move: 18" is combat speed, more than that up to 36" cruising; None for none there is."""
    if not within(inches, CRUISING) or inches < COMBAT - TOLERANCE:
        return None
    return Speed.COMBAT if within(inches, COMBAT) else Speed.CRUISING


@rule("6e.zoom.speeds", "6e.zoom.minimum", "6e.locked-velocity.keeps-speed")
def zoom_span(locked: float | None) -> Span:
    """How far a zooming flyer flies in its Movement phase: 18" to 36", with its speed locked at the speed that it had.

    Args:
        locked: inches of the move at which that befell it, None if it has not.
    """
    if locked is None:
        return Span(COMBAT, CRUISING)
    return Span(COMBAT, COMBAT) if speed_of(locked) is Speed.COMBAT else Span(COMBAT, CRUISING, above=True)


@rule("6e.outside.locked-exact-distance")
def exact_span(locked: float | None) -> Span:
    """The same where the players have agreed that a locked flyer repeats the very inches of its move."""
    return zoom_span(None) if locked is None else Span(locked, locked)


@rule("6e.outside.stunned")
def stunned_span() -> Span:
    """How far a zooming flyer with a stunned crew flies: 18" exactly."""
    return Span(COMBAT, COMBAT)


@rule("6e.core.movement.swooping")
def swoop_span() -> Span:
    """How far a swooping creature flies: 12" to 24"."""
    return Span(12.0, 24.0)


@rule("6e.zoom-flat-out.distance")
def flat_out_span() -> Span:
    """How far a zooming flyer goes flat out: 12" to 24"."""
    return Span(12.0, 24.0)


@rule("6e.zoom.single-pivot", "6e.zoom.straight-line", "6e.locked-velocity.may-turn", "6e.core.movement.swooping")
def flight_faults(turn: float, askew: float, legs: int, *, most: float = PIVOT) -> list[tuple[str, str]]:
    """What is wrong with the line of a flight: rule and clause for each fault.

    One turn on the spot before it of 90 degrees at most, then straight ahead, to end facing the way that it has flown.

    Args:
        turn: degrees from where it faced to where it flies; ``most`` that it may turn.
        askew: degrees by which it would face off its line at the end.
        legs: straight stretches of the way.
    """
    found = []
    if legs > 1:
        found.append(("6e.zoom.straight-line", "bends its way; it flies straight ahead"))
    if turn > most + _STRAIGHT:
        found.append(("6e.zoom.single-pivot", f"turns by {turn:.0f} degrees; {most:g} at most"))
    if askew > _STRAIGHT:
        found.append(("6e.zoom.single-pivot", f"faces {askew:.0f} degrees off its way; it turns before it flies alone"))
    return found


@rule("6e.zoom-flat-out.distance", "6e.locked-velocity.no-evade-no-flat-out", "6e.bombs.no-flat-out")
def may_go_flat_out(unit: ClassicUnit) -> bool:
    """Whether zooming flyers may go flat out: not with locked speed, and not after a bombing run.

    RULING: 6e.outside.stunned a stunned crew does not go flat out.
    """
    return not (unit.locked or unit.has(Deed.BOMBED) or unit.stunned)


# -- others and what is aloft -----------------------------------------------------------------------------------


@rule("6e.hard-to-hit.no-template-or-blast")
def under_markers(aloft: bool) -> bool:
    """Whether markers and templates hit a unit: not what is aloft.

    RULING: 6e.core.units.flying-monstrous markers and templates miss swooping creatures, too.
    """
    return not aloft


@rule("6e.zoom-ram.cannot-make", "6e.zoom-ram.cannot-suffer")
def meets_drives(aloft: bool) -> bool:
    """Whether tank shocks and rams concern a unit: what zooms makes none and suffers none."""
    return not aloft


@rule("6e.charging-zoomers.cannot", "6e.core.units.flying-monstrous", "6e.core.movement.swooping")
def why_no_charge(unit: ClassicUnit, enemy: ClassicUnit | None) -> list[tuple[str, str]]:
    """Why a unit may not charge an enemy, or anybody: rule and clause for each reason, for either being aloft."""
    found = []
    if unit.aloft:
        found.append(("6e.core.movement.swooping", "is aloft"))
    if enemy is not None and enemy.aloft:
        found.append(("6e.charging-zoomers.cannot", "is aloft"))
    return found


@rule("6e.hard-to-hit.snap-shots-only", "6e.core.weapons.skyfire", "6e.outside.skyfire")
@rule("6e.flyer-skyfire.all-weapons", "6e.core.units.flying-monstrous", "6e.hover.as-fast-skimmer")
def snaps_aloft(target: Collection[str], *, aloft: bool, skyfire: bool) -> bool:
    """Whether a shot at a target is a snap shot: without Skyfire at what is aloft, with it at all but flyers, flying
    monstrous creatures and skimmers.

    Args:
        target: names of what is fired at; ``aloft`` whether it zooms or swoops.
        skyfire: whether the firer or his weapon has Skyfire.
    """
    if skyfire:
        return not {FLYER, WINGED, "SKIMMER"} & set(target)
    return aloft


@rule("6e.evade.when", "6e.locked-velocity.no-evade-no-flat-out")
def may_evade(unit: ClassicUnit, flyers: bool) -> bool:
    """Whether the owner of a unit that has been hit may say that it evades: of flyers that zoom, their speed not
    locked, that do not evade yet.

    Args:
        flyers: whether its models are flyers.
    """
    return flyers and unit.aloft and not unit.locked and not unit.evading


@rule("6e.locked-velocity.keeps-speed")
def when_immobilised(locked: bool) -> DamageResult | None:
    """What more being immobilised does to a zooming flyer than to lock its speed: nothing, the next time a hull point.

    RULING: 6e.locked-velocity.keeps-speed we read a further such result as for any vehicle that is immobilised already.
    """
    return DamageResult.HULL_POINT if locked else None


@rule("6e.core.units.grounding")
def falls_from_the_sky(face: int) -> bool:
    """Whether a swooping creature that a unit's fire has hit falls: on a 1 or 2."""
    return face <= 2


# -- weapons ----------------------------------------------------------------------------------------------------


@rule("6e.missiles.identified-by-name")
def is_missile(name: str) -> bool:
    """Whether a weapon of a flyer is a missile: the word is part of its name.

    >>> is_missile("Bloodstrike missile"), is_missile("Lascannon")
    (True, False)
    """
    return "missile" in name.lower()


@rule("6e.missiles.one-use")
def launched_once(keywords: Collection[str], weapon: WeaponProfile) -> bool:
    """Whether a weapon of a vehicle of these keywords is used up when it has been fired: a missile of a flyer."""
    return is_flyer(keywords) and is_missile(weapon.name)


@rule("6e.bombs.must-zoom", "6e.flyer-weapons.bombs-zoom-only", "6e.bombs.one-per-phase")
def may_bomb(unit: ClassicUnit) -> bool:
    """Whether flyers may make a bombing run at the end of their move: when they zoom, one bomb in a phase."""
    return unit.aloft and not unit.has(Deed.BOMBED)


@rule("6e.bombs.placement-and-scatter")
def flew_over(start: Point, end: Point, length: float, width: float, point: Point, reach: float) -> bool:
    """Whether a flight led over a model: any part of the hull over any part of the base.

    Args:
        start: of the hull's middle; ``end`` likewise; ``length``, ``width`` of the hull, in inches.
        point: the middle of the model; ``reach`` inches from there to the edge of its base.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    inches = math.hypot(dx, dy)
    if inches <= TOLERANCE:
        return False
    x, y = point[0] - start[0], point[1] - start[1]
    along, across = (x * dx + y * dy) / inches, abs(x * dy - y * dx) / inches
    return -length / 2 - reach <= along <= inches + length / 2 + reach and across <= width / 2 + reach


@rule("6e.missiles.two-per-phase", "6e.flyer-weapons.missiles-any-mode")
def missile_choices(guns: Sequence[Gun]) -> list[tuple[Gun, ...]]:
    """The weapons that a flyer may fire together as far as its missiles go: two of them at most, or fewer.

    Missiles alike in everything are not told apart; ways with more missiles come first.
    """
    missiles = [gun for gun in guns if is_missile(gun.profile.name)]
    others = [gun for gun in guns if gun not in missiles]
    found: dict[tuple[WeaponProfile, ...], tuple[Gun, ...]] = {}
    for count in range(min(MISSILES, len(missiles)), -1, -1):
        for chosen in combinations(missiles, count):
            found.setdefault(tuple(gun.profile for gun in chosen), (*others, *chosen))
    return [way for way in found.values() if way]


@rule("6e.zoom-shooting.four-weapons", "6e.missiles.count-as-weapons", "6e.bombs.counts-as-one-weapon")
@rule("6e.bombs.free-target")
def zoom_salvos(driven: Driven, guns: Sequence[Gun]) -> list[Salvo]:
    """What a zooming flyer may fire: four of its weapons with its full skill, missiles among them, and no others.

    A bomb that it has dropped counts as one of the four; the others are fired at whom its player likes.
    """
    if driven.flat_out:
        return []
    most = GUNS - int(driven.bombed)
    found: list[Salvo] = []
    for way in one_profile_each(guns):
        found += [tuple((gun, False) for gun in chosen) for chosen in combinations(way, min(most, len(way)))]
    return list(dict.fromkeys(found))
