"""Pursuit in the 3rd edition: the dice of a tie, sweeping advances, who is caught, pile-ins of drawn combats."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.decisions import SIDES, Side
from battlewright.core.rulebook import rule
from battlewright.editions.classic.pursuit import Reaction

__all__ = [
    "BEHIND",
    "PILE_IN",
    "counts_as_charging",
    "is_caught",
    "is_towards_an_enemy",
    "may_join_their_combat",
    "may_shoot_into_combat",
    "moves_first",
    "reactions",
    "sweep_distance",
    "sweeps_stop",
    "tied_winner",
]


PILE_IN = 6.0
"""Inches of the move after a drawn combat."""


BEHIND = 1.0
"""Inches behind an enemy that escaped, where pursuers who would overtake it are placed."""


@rule("3e.result.tie-roll", "3e.result.tie-equal", "3e.core.assault.draw")
def tied_winner(faces: tuple[int, int]) -> Side | None:
    """The winner of a tie by the D6 of sides a and b: the higher; equal dice leave the combat drawn."""
    return None if faces[0] == faces[1] else SIDES[faces[1] > faces[0]]


@rule(
    "3e.sweep.tie-roll-only-consolidate",
    "3e.result.destroyed-choice",
    "3e.core.assault.slow-troops",
    "3e.core.assault.wiped-out",
    "3e.core.assault.not-after-vehicles",
    "3e.core.assault.still-locked",
)
def reactions(
    *, by_tie_roll: bool, still_engaged: bool, slow: bool = False, beat_only_vehicles: bool = False
) -> tuple[Reaction, ...]:
    """What a unit of the winning side may do once its enemies are gone or fall back; nothing while it is engaged.

    Args:
        by_tie_roll: whether the combat was won by the dice of a tie alone.
        slow: whether it may only consolidate (Terminator armour).
    """
    if still_engaged:
        return ()
    if by_tie_roll or slow or beat_only_vehicles:
        return (Reaction.CONSOLIDATE,)
    return (Reaction.SWEEP, Reaction.CONSOLIDATE)


@rule("3e.sweep.catch", "3e.sweep.equal-escapes", "3e.sweep.roll-not-distance", "3e.core.assault.caught")
def is_caught(fall_back_total: int, sweep_total: int) -> bool:
    """Whether the pursuers catch and destroy the enemy: their dice are higher, whatever distances were covered."""
    return sweep_total > fall_back_total


@rule("3e.sweep.halved", "3e.sweep.types-override")
def sweep_distance(total: int, *, difficult: bool, ignores_terrain: bool = False) -> float:
    """How far a unit sweeps, in inches: half of what was rolled into, out of or through difficult terrain.

    Args:
        ignores_terrain: whether it passes over terrain (jump troops that do not end in it).
    """
    return total / 2 if difficult and not ignores_terrain else float(total)


@rule("3e.outside.sweep-stops", "3e.sweep.reaches-anyway", "3e.core.assault.advance-into-fresh-enemy")
def sweeps_stop(distance: float, escaped: float | None, fresh: float | None) -> tuple[float, bool]:
    """Where a sweeping advance stops, and whether it has swept into a fresh enemy.

    Args:
        distance: that it may cover, in inches.
        escaped: inches to the enemy that fell back and was not caught; pursuers stop 1" behind it.
        fresh: inches to the first other enemy on the way; it is touched.

    Returns:
        The distance covered, and whether a new combat begins there.
    """
    if escaped is not None and (fresh is None or escaped <= fresh) and distance > escaped - BEHIND:
        return max(0.0, escaped - BEHIND), False
    if fresh is not None and distance >= fresh:
        return fresh, True
    return distance, False


@rule("3e.result.destroyed-direction")
def is_towards_an_enemy(before: Sequence[float], after: Sequence[float]) -> bool:
    """Whether a sweeping advance after the enemy was wiped out goes towards an enemy unit, no matter which.

    Args:
        before, after: for each enemy unit the distance to it in inches, before and after the advance.
    """
    return any(now < then for then, now in zip(before, after, strict=True))


@rule("3e.sweep.new-combat")
def counts_as_charging(*, swept_in: bool, charged: bool) -> bool:
    """Whether a unit has the extra attack of an assault: it assaulted this turn, or swept into the combat before."""
    return swept_in or charged


@rule("3e.sweep.shoot-at-sweepers", "3e.partial-contact.reply", "3e.partial-contact.not-into-combat")
def may_shoot_into_combat(*, target_swept_into_us: bool, own_turn: bool) -> bool:
    """Whether a unit may fire at enemies in close combat: only back at those that swept into itself, in its own turn.

    They can be fired at only if the turn that follows the sweep is the contacted unit's.
    """
    return target_swept_into_us and own_turn


@rule("3e.partial-contact.others-assault", "3e.partial-contact.no-assault-stationary-fire")
def may_join_their_combat(*, moved: bool, fired_heavy_or_rapid: bool) -> bool:
    """Whether the free models of a unit that was swept into may move into its combat in their own assault phase.

    RULING: 3e.partial-contact.no-assault-stationary-fire the source says heavy AND rapid fire weapons; we read either.
    """
    return moved or not fired_heavy_or_rapid


@rule("3e.drawn.roll-for-first")
def moves_first(faces: tuple[int, int]) -> Side | None:
    """Who moves first when both sides have models to bring in: the higher D6; None: roll again."""
    return tied_winner(faces)
