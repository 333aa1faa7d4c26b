"""Coming into play in the 3rd edition: landing by deep strike; obstacles and mines."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.bases import Base, Point, Pose
from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, furthest_edge_from_point, within
from battlewright.editions.classic.arrivals import Landing, Touchdown
from battlewright.editions.classic.charts import d3
from battlewright.editions.classic.markers import ORDNANCE

__all__ = [
    "MINEFIELD",
    "SECTION",
    "deep_strike_faults",
    "landing_by_marker",
    "lost_on_landing",
    "tank_trap_sections",
    "wire_sections",
]

CLEAR = 1.0
"""Inches that models keep from enemies."""
SECTION = 6.0
"""Inches of a section of wire or traps."""
MINEFIELD = (8.0, 4.0)
"""Inches of a minefield along and across."""


# -- deep strike ------------------------------------------------------------------------------------------------


@rule("3e.core.missions.deep-strike")
def deep_strike_faults(centre: Point, bases: Sequence[tuple[Base, Pose]]) -> list[Violation]:
    """Why models may not be placed so about a marker; nothing when they may: each lies wholly within it.

    Args:
        centre: of the marker, 5" across.
    """
    out = sum(not within(furthest_edge_from_point(base, pose, centre), ORDNANCE / 2) for base, pose in bases)
    return [Violation("3e.core.missions.deep-strike", f"{out} models lie outside the marker")] if out else []


@rule("3e.core.missions.deep-strike")
def lost_on_landing(gaps: Sequence[float], *, marker_astray: bool = False) -> list[int]:
    """The models that are lost: those that cannot be placed 1" from enemies; all when the marker went astray.

    Args:
        gaps: for each model inches to the nearest enemy, at the best place that is left for it.
        marker_astray: whether the marker lies on an enemy, on impassable terrain or off the table.

    RULING: 3e.core.missions.deep-strike a marker on enemies, impassable terrain or off the table loses the whole unit.
    """
    return [index for index, gap in enumerate(gaps) if marker_astray or gap < CLEAR - TOLERANCE]


@rule("3e.core.missions.deep-strike")
def landing_by_marker(down: Touchdown) -> Landing:
    """What comes of a landing: whoever has no place in the marker away from enemies is lost."""
    return Landing(frozenset(lost_on_landing(down.gaps, marker_astray=down.astray)))


# -- obstacles --------------------------------------------------------------------------------------------------


@rule("3e.core.missions.obstacles")
def wire_sections(face: int) -> int:
    """How many sections of razor wire there are, by a D6 read as a D3: D3 and 3."""
    return d3(face) + 3


@rule("3e.core.missions.obstacles")
def tank_trap_sections(face: int) -> int:
    """How many sections of tank traps there are, by a D6 read as a D3: three times D3."""
    return 3 * d3(face)
