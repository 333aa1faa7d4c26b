"""Morale in the 3rd edition: tests for losses, the last man, losing a combat, rallying, the last chance, immunity."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.editions.classic.falling_back import fall_back_distance
from battlewright.editions.classic.morale import (
    MoraleRules,
    RallyConditions,
    all_losses,
    half_strength_modifier,
    is_last_man,
    why_no_rally,
)
from battlewright.editions.third.falling_back import caught_in_crossfire

__all__ = ["MORALE", "all_losses", "last_chance", "wounds_of_losing"]


# -- losses by fire ---------------------------------------------------------------------------------------------


@rule("3e.fire-morale.transport-excluded")
def only_losses_by_fire(lost: int, in_transport: int) -> int:
    """Losses that count towards the quarter: not those suffered when the unit's transport was destroyed."""
    return lost - in_transport


# -- the last man -----------------------------------------------------------------------------------------------


@rule("3e.last-man.no-minus")
def last_man_unmodified(left: int, begun: int) -> tuple[Modifier, ...]:
    """The modifiers of the last survivor's test: none, the one for being below half strength left out."""
    return ()


@rule("3e.last-man.minus-option")
def last_man_below_half(left: int, begun: int) -> tuple[Modifier, ...]:
    """The modifiers of the last survivor's test by the house rule: the usual one for being below half strength."""
    return half_strength_modifier(left, begun)


# -- a lost combat ----------------------------------------------------------------------------------------------


# -- rallying ---------------------------------------------------------------------------------------------------


@rule("3e.char-leaders.always-rally")
def why_no_rally_unless_led(unit: RallyConditions) -> list[tuple[str, str]]:
    """The same by the house rule: a unit that an independent character leads may always try, even below half."""
    return [] if unit.has_leader else why_no_rally(unit)


@rule("3e.rally.any-phase", "3e.rally.in-cover")
def in_cover_in_any_phase(own_movement_phase: bool) -> bool:
    """A rally in cover belongs to the fall-back move, whichever phase it is."""
    return True


@rule("3e.rally.movement-phase-only")
def in_cover_in_own_movement(own_movement_phase: bool) -> bool:
    """The narrower reading: only in the own movement phase."""
    return own_movement_phase


@rule(
    "3e.last-chance.one-model",
    "3e.last-chance.bans-apply",
    "3e.last-chance.same-turn",
    "3e.outside.last-chance-conditions",
    "3e.core.morale.table-edge",
)
def last_chance(at_edge: Sequence[bool], reasons: Collection[tuple[str, str]]) -> str:
    """What a fall-back move to the table edge brings: ``"none"``, ``"test"`` or ``"removed"``.

    Args:
        at_edge: for each model whether it has reached the edge; one is enough.
        reasons: why the unit may not try to rally (``why_no_rally``); any of them and it leaves the table untested.
    """
    if not any(at_edge):
        return "none"
    return "removed" if reasons else "test"


# -- characters whose unit is gone ------------------------------------------------------------------------------


@rule("3e.char-leaders.orphan")
def bound() -> bool:
    """A joined character shares the fate of his unit, even when nobody else of it is left, until he can leave it."""
    return True


@rule("3e.char-leaders.orphan")
def released() -> bool:
    """A joined character acts on his own as soon as nobody else of his unit is left."""
    return False


# -- losing, rallying -------------------------------------------------------------------------------------------


@rule("3e.core.assault.fearless-losers")
def wounds_of_losing(own: int, enemies: int, lost_by: int) -> int:
    """The wounds that a beaten unit suffers for having lost, besides those struck: none, fearless or not.

    Args:
        own, enemies: models of both sides in the combat; ``lost_by`` how many wounds the winner caused more.
    """
    return 0


@rule("3e.core.morale.regroup")
def rallies_unmodified(unit: RallyConditions, leadership: int) -> tuple[Modifier, ...]:
    """The modifiers of a test to rally: none."""
    return ()


MORALE = MoraleRules(
    losses_that_count=only_losses_by_fire,
    last_man_modifiers=last_man_unmodified,
    why_no_rally=why_no_rally,
    may_rally_in_cover=in_cover_in_any_phase,
    is_bound=bound,
    losses_modifiers=half_strength_modifier,
    losses_in_movement=False,
    is_last_man=is_last_man,
    fall_back_distance=fall_back_distance,
    is_cut_off=caught_in_crossfire,
    last_chance=last_chance,
    rally_modifiers=rallies_unmodified,
)
