"""Blast markers and templates: how large, where they may lie, whom they hit, how they scatter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from battlewright.core.bases import Point
from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.core.templates import Cover, shifted
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile, WeaponType

__all__ = [
    "BLAST",
    "ORDNANCE",
    "Placement",
    "Scatter",
    "covered_worth",
    "diameter_of",
    "further_markers",
    "hits_of",
    "marker_size",
    "placement_faults",
    "scatter_of",
    "scattered",
    "template_faults",
    "touches_marker",
]


BLAST = 3.0
"""Diameter of the marker of a blast, in inches."""


ORDNANCE = 5.0
"""Diameter of the marker of ordnance, in inches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A marker as it lies, or would lie.

    Attributes:
        fully, partly: models of the target unit under it.
        others: models of other enemy units under it; ``friends`` of the firer's side.
        in_range, in_sight: whether it lies within range and line of sight of the weapon.
    """

    fully: int
    partly: int
    others: int = 0
    friends: int = 0
    in_range: bool = True
    in_sight: bool = True


@rule("3e.outside.marker-sizes")
def marker_size(*, ordnance: bool) -> float:
    """The diameter of a weapon's marker, in inches: 3" for blasts, 5" for ordnance."""
    return ORDNANCE if ordnance else BLAST


@rule("3e.outside.marker-sizes", "6e.outside.blast-sizes")
def diameter_of(weapon: WeaponProfile) -> float:
    """The diameter of a weapon's marker, in inches."""
    printed = weapon.ability(AbilityName.BLAST)
    large = weapon.has(AbilityName.LARGE_BLAST) or (printed is not None and printed.number == ORDNANCE)
    return marker_size(ordnance=large or weapon.type is WeaponType.ORDNANCE)


@rule("3e.outside.partial-hit", "3e.core.weapons.blast")
def hits_of(covers: Sequence[Cover], faces: Sequence[int]) -> int:
    """The hits of a marker: each model fully under it, and of those partly under it each whose die shows 4 or more.

    Args:
        covers: how much of each base lies under it; ``faces`` a die for each that is partly covered.
    """
    partly = [cover for cover in covers if cover is Cover.PARTLY]
    assert len(faces) == len(partly), "a die for each model partly covered"
    return sum(cover is Cover.FULLY for cover in covers) + sum(face >= 4 for face in faces)


@rule("3e.blast.centre-free", "3e.blast.as-many-as-possible", "3e.core.weapons.blast-other-units")
def placement_faults(placement: Placement) -> list[Violation]:
    """Why the firer may not lay a marker so; nothing when he may.

    Its centre need not touch a model, and he may cover as many models as he can.
    """
    found = []
    if not placement.fully and not placement.partly:
        found.append(Violation("3e.core.weapons.blast", "No model of the target unit lies under the marker"))
    if placement.friends:
        found.append(Violation("3e.core.weapons.blast-other-units", "Friendly models lie under the marker"))
    return found


@rule("3e.blast.two-partials")
def covered_worth(fully: int, partly: int) -> Fraction:
    """How many models a marker covers where two placements are compared: two partly covered ones count as one."""
    return fully + Fraction(partly, 2)


@rule("3e.outside.flamer-maximum", "3e.core.weapons.template")
def template_faults(covered: int, most: int, *, friends: int = 0) -> list[Violation]:
    """Why a flamer's template may not be laid so; nothing when it may.

    Args:
        covered: models of the target unit under it; ``most`` as many as there could be without touching friends.
    """
    found = []
    if covered < most:
        found.append(Violation("3e.outside.flamer-maximum", f"It covers {covered} models, {most} are possible"))
    if friends:
        found.append(Violation("3e.core.weapons.template", "It covers friendly models"))
    return found


@dataclass(frozen=True, slots=True)
class Scatter:
    """What a scatter die shows: a hit, or an arrow into a direction in degrees."""

    hit: bool
    degrees: float = 0.0


@rule("3e.core.fundamentals.scatter-die", "4e.core.fundamentals.dice", "6e.core.fundamentals.dice")
@rule("6e.outside.scatter-die")
def scatter_of(face: int, compass: tuple[int, int]) -> Scatter:
    """A scatter die out of dice of the stream: it has two hits and four arrows.

    Args:
        face: a D6; 5 and 6 are hits.
        compass: two D6 that read as one of 36 directions.
    """
    if face >= 5:
        return Scatter(hit=True)
    return Scatter(hit=False, degrees=10.0 * (6 * (compass[0] - 1) + compass[1] - 1))


@rule("3e.core.weapons.barrage-scatter", "3e.core.weapons.ordnance")
def scattered(centre: Point, scatter: Scatter, inches: float) -> Point:
    """Where a marker lies after scattering: an arrow moves it by the distance rolled, a hit leaves it."""
    return centre if scatter.hit else shifted(centre, scatter.degrees, inches)


@rule("3e.barrage.contact-ranging", "3e.barrage.hit-symbol", "3e.core.weapons.barrage-scatter")
def further_markers(scatter: Scatter, laid: Sequence[Point], diameter: float) -> list[Point]:
    """The markers that a further marker of a salvo may be laid touching: on an arrow the ranging shot's alone.

    Args:
        laid: centres of the markers on the table, the ranging shot's first.

    Returns:
        Centres of the markers it may touch; with an arrow it lies in the arrow's direction from the first.
    """
    return list(laid) if scatter.hit else [laid[0]]


@rule("3e.barrage.contact-ranging", "3e.barrage.hit-symbol")
def touches_marker(centre: Point, other: Point, diameter: float) -> bool:
    """Whether two markers of this diameter touch."""
    apart = math.dist(centre, other)
    return abs(apart - diameter) <= TOLERANCE
