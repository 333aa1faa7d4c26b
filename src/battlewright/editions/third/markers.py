"""Blast markers, templates and barrages of the 3rd edition: where they may lie, whom they hit."""

from __future__ import annotations

from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.markers import Placement, covered_worth
from battlewright.editions.classic.night import NightShot

__all__ = ["hits_of_several", "is_wasted", "may_reposition", "night_scatter", "reposition_faults"]


@rule("3e.outside.several-markers", "3e.core.weapons.several-blasts")
def hits_of_several(hits: int, shots: int) -> int:
    """The hits of several blasts of one unit at one target: one marker is laid, its hits count for each that hit."""
    return hits * shots


@rule("3e.blast.reposition", "3e.blast.reposition-limits", "3e.blast.reposition-same-unit", "3e.blast.ex-units-a-b")
@rule("3e.outside.reposition-official", "3e.blast.two-partials")
def reposition_faults(before: Placement, after: Placement) -> list[Violation]:
    """Why the opponent may not lay the marker anew so; nothing when he may.

    It must cover at least as many models of the target unit as before, and stay within range and line of sight. What
    becomes of other units does not matter, and models of the firer may come to lie under it.
    """
    found = []
    was, now = covered_worth(before.fully, before.partly), covered_worth(after.fully, after.partly)
    if now < was:
        found.append(
            Violation("3e.blast.reposition", f"The marker would cover {float(now):g} models in place of {float(was):g}")
        )
    if not after.in_range:
        found.append(Violation("3e.blast.reposition-limits", "The marker would lie out of range"))
    if not after.in_sight:
        found.append(Violation("3e.blast.reposition-limits", "The marker would lie out of sight"))
    return found


@rule("3e.outside.flamer-no-reposition")
def may_reposition(*, template: bool) -> bool:
    """Whether the opponent may lay it anew: a marker he may, a flamer's template not."""
    return not template


@rule("3e.core.weapons.barrage")
def is_wasted(distance: float, least: float, most: float) -> bool:
    """Whether a guessed shot is wasted: the marker would lie inside the minimum or beyond the maximum range."""
    return distance < least - TOLERANCE or distance > most + TOLERANCE


@rule("3e.core.missions.night-fighting")
def night_scatter(inches: float, shot: NightShot) -> float:
    """How far a marker scatters, in inches: twice as far when it is fired blind."""
    return 2 * inches if shot is NightShot.BLIND else inches
