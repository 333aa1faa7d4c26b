"""Coming into play in the 3rd edition: deep strike, infiltrators; night; obstacles and mines."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.bases import Base, Point, Pose
from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, furthest_edge_from_point, within
from battlewright.editions.classic.charts import d3
from battlewright.editions.classic.markers import ORDNANCE, Scatter, scattered
from battlewright.editions.classic.state import Deed

__all__ = [
    "MINEFIELD",
    "MINE_STRENGTH",
    "SECTION",
    "deeds_of_deep_strike",
    "deep_strike_faults",
    "infiltrator_faults",
    "lands_at",
    "lost_on_landing",
    "mine_goes_off",
    "tank_trap_sections",
    "wire_sections",
]

CLEAR = 1.0
"""Inches that models keep from enemies."""
INFILTRATION = 12.0
SECTION = 6.0
"""Inches of a section of wire or traps."""
MINEFIELD = (8.0, 4.0)
"""Inches of a minefield along and across."""
MINE_STRENGTH = 6
"""Strength of a mine; its AP is "-"."""


# -- deep strike ------------------------------------------------------------------------------------------------


@rule("3e.core.missions.deep-strike")
def lands_at(aim: Point, scatter: Scatter, faces: Sequence[int]) -> Point:
    """Where the marker of a deep strike comes to lie: an arrow moves it by 2D6 inches."""
    return scattered(aim, scatter, float(sum(faces)))


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
def deeds_of_deep_strike() -> frozenset[Deed]:
    """What arriving so is noted as: the unit counts as having moved, moves no further and does not charge."""
    return frozenset({Deed.DEEP_STRUCK})


@rule("3e.core.missions.deep-strike")
def may_move_after_arrival(deeds: frozenset[str]) -> bool:
    """Whether a unit that came into play this turn may still move: not after a deep strike."""
    return Deed.DEEP_STRUCK not in deeds


@rule("3e.core.missions.infiltrators")
def infiltrator_faults(places: Sequence[tuple[bool, float]], *, all_others_set_up: bool) -> list[Violation]:
    """Why infiltrators may not be set up so; nothing when they may.

    Args:
        places: for each model whether an enemy sees it, and inches to the nearest enemy.
        all_others_set_up: whether every other unit of both sides stands.
    """
    found = []
    if not all_others_set_up:
        found.append(Violation("3e.core.missions.infiltrators", "Infiltrators are set up last"))
    if seen := sum(visible for visible, _ in places):
        found.append(Violation("3e.core.missions.infiltrators", f"{seen} models are in sight of the enemy"))
    if near := sum(within(gap, INFILTRATION) for _, gap in places):
        text = f'{near} models are {INFILTRATION:g}" or less from the enemy'
        found.append(Violation("3e.core.missions.infiltrators", text))
    return found


# -- obstacles --------------------------------------------------------------------------------------------------


@rule("3e.core.missions.obstacles")
def wire_sections(face: int) -> int:
    """How many sections of razor wire there are, by a D6 read as a D3: D3 and 3."""
    return d3(face) + 3


@rule("3e.core.missions.obstacles")
def tank_trap_sections(face: int) -> int:
    """How many sections of tank traps there are, by a D6 read as a D3: three times D3."""
    return 3 * d3(face)


@rule("3e.core.missions.minefield")
def mine_goes_off(face: int) -> bool:
    """Whether what crosses a minefield sets it off: on 4 and more."""
    return face >= 4
