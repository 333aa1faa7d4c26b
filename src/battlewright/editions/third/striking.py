"""Who strikes in a close combat of the 3rd edition, when, how often and with what.

A round is fought in steps: the defenders of cover, then Initiative from 10 to 1, then weapons that always strike last.
Who is in contact and who supports is settled when the fighting begins and holds for the round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within

__all__ = [
    "FIRST",
    "LAST",
    "SUPPORT",
    "Fighter",
    "Footing",
    "Reach",
    "any_part_within",
    "attacks_of",
    "fights",
    "footing_of",
    "frag_of_any_side",
    "frag_of_attackers",
    "next_step",
    "reach_of",
    "strike_step",
    "strikes_together",
    "takes_part",
    "uses_special_attacks",
    "whole_model_within",
]

SUPPORT = 2.0
"""Inches within which a model supports."""
FIRST, LAST = 11, 0
"""The steps before and after all Initiatives."""


class Reach(StrEnum):
    """How near a model is to the enemy when the fighting begins."""

    CONTACT = "in base contact"
    SUPPORT = "supporting"
    NONE = "out of reach"


class Footing(StrEnum):
    """What cover makes of a unit's place in the order of striking."""

    EVEN = "even"
    COVERED = "defends cover"
    """It was assaulted in cover: it strikes first."""
    LEVELLED = "levelled"
    """Grenades cancelled the advantage: both sides strike at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter:
    """A model in a close combat, as it stands when the fighting of the round begins.

    Attributes:
        initiative, attacks: of its profile.
        reach: how near it is to the enemy.
        charging: whether it has the extra attack of an assault.
        two_weapons: whether it has two single-handed close combat weapons (a pistol is one).
        strikes_last: whether the weapon it would use always strikes last.
    """

    row: int
    initiative: int
    attacks: int
    reach: Reach = Reach.CONTACT
    charging: bool = False
    two_weapons: bool = False
    strikes_last: bool = False


# -- being near enough ------------------------------------------------------------------------------------------


@rule("3e.terms.within", "3e.terms.within-transport", "3e.core.fundamentals.measuring")
def any_part_within(nearest: float, furthest: float, limit: float) -> bool:
    """Whether a model is within a distance: the gap between the nearest parts is not larger.

    Args:
        nearest: inches from the other's base (or hatch) to the model's nearest part; ``furthest`` to its furthest.

    RULING: 3e.terms.within the source literally says that the gap must be AT LEAST the value; we read AT MOST.
    """
    return within(nearest, limit)


@rule("3e.terms.within-whole-model", "3e.terms.within-transport")
def whole_model_within(nearest: float, furthest: float, limit: float) -> bool:
    """Whether a model is within a distance by the strict method: the whole of it lies inside."""
    return within(furthest, limit)


@rule("3e.support.beyond-two", "3e.core.assault.engaged", "3e.core.assault.supporting")
def reach_of(gap: float, *, is_within: bool) -> Reach:
    """How near a model is to the enemy.

    Args:
        gap: inches to the nearest enemy model.
        is_within: whether it is within 2" of one, as the players measure it.
    """
    if gap <= TOLERANCE:
        return Reach.CONTACT
    return Reach.SUPPORT if is_within else Reach.NONE


@rule("3e.assault-move.one-in-contact", "3e.outside.contact-required", "3e.assault-move.short-move-no-attacks")
def takes_part(reaches: Iterable[Reach]) -> bool:
    """Whether a unit takes part in a combat: one of its models at least touches an enemy; support never starts one."""
    return any(reach is Reach.CONTACT for reach in reaches)


@rule("3e.outside.who-fights", "3e.core.turn.both-sides-fight")
def fights(side_to_move: int, side: int, *, engaged: bool) -> bool:
    """Whether a unit fights in an assault phase: if it is engaged, whosever turn it is."""
    return engaged


# -- how often and with what ------------------------------------------------------------------------------------


@rule(
    "3e.support.one-attack",
    "3e.support.regardless",
    "3e.support.beyond-two",
    "3e.outside.charge-bonus",
    "3e.outside.two-weapons",
    "3e.core.assault.attacks",
)
def attacks_of(fighter: Fighter) -> int:
    """How many attacks a model makes: in contact those of its profile and one more for each of an assault and a second
    weapon; supporting exactly one, whatever else it has; further off none."""
    match fighter.reach:
        case Reach.CONTACT:
            return fighter.attacks + fighter.charging + fighter.two_weapons
        case Reach.SUPPORT:
            return 1
        case Reach.NONE:
            return 0


@rule(
    "3e.special-attacks.contact-only",
    "3e.special-attacks.applies-to",
    "3e.cc-casualties.no-start-no-special",
    "3e.cc-casualties.fist-keeps",
)
def uses_special_attacks(fighter: Fighter) -> bool:
    """Whether a model may use power weapons, fists, grenades and whatever else changes how it fights.

    Only if it began the round in contact, and then to its end; any other makes an ordinary attack at its Initiative.
    """
    return fighter.reach is Reach.CONTACT


# -- when -------------------------------------------------------------------------------------------------------


@rule("3e.special-attacks.frag-users")
def frag_of_attackers(holder_attacked: bool) -> bool:
    """Whether frag grenades of a unit cancel the cover of its opponents: only if it is the unit that assaulted."""
    return holder_attacked


@rule("3e.special-attacks.frag-users")
def frag_of_any_side(holder_attacked: bool) -> bool:
    """The wider reading: those of any unit do."""
    return True


@rule("3e.fight-order.cover-first", "3e.fight-order.later-rounds", "3e.special-attacks.frag-effect")
@rule("3e.core.assault.cover-strikes-first", "3e.core.traits.frag-grenades")
def footing_of(*, assaulted_in_cover: bool, first_round: bool, cancelled: bool) -> Footing:
    """What cover makes of a unit's place in the order of striking; only the first round of a combat counts.

    Args:
        assaulted_in_cover: whether it was in cover when it was assaulted.
        cancelled: whether frag grenades of an opponent take the advantage away.
    """
    if not (assaulted_in_cover and first_round):
        return Footing.EVEN
    return Footing.LEVELLED if cancelled else Footing.COVERED


@rule(
    "3e.outside.initiative",
    "3e.outside.power-fist-last",
    "3e.fight-order.fist-last-in-cover",
    "3e.fight-order.fist-last-grenades",
    "3e.support.timing",
    "3e.core.assault.initiative",
)
@rule("3e.fight-order.cover-first", "3e.special-attacks.frag-effect", "3e.core.assault.strikes-last")
def strike_step(fighter: Fighter, own: Footing, opponents: Footing) -> int:
    """The step in which a model strikes: higher ones come first, equal ones at the same time.

    Args:
        own: the footing of its unit; ``opponents`` that of the units it fights.

    Weapons that strike last do so whatever cover and grenades say, if they may be used at all.
    """
    if fighter.strikes_last and uses_special_attacks(fighter):
        return LAST
    if own is not Footing.EVEN or opponents is Footing.LEVELLED:
        return FIRST
    return min(max(fighter.initiative, 1), 10)


@rule("3e.outside.initiative", "3e.core.assault.step-together")
def strikes_together(steps: Sequence[tuple[int, int]], step: int) -> list[int]:
    """The models that strike in a step, all before any of their victims is removed.

    Args:
        steps: row and step of each model that still lives.
    """
    return [row for row, when in steps if when == step]


def next_step(steps: Sequence[tuple[int, int]], after: int | None) -> int | None:
    """The next step in which some living model strikes, the first one after None; None when the round is over."""
    return max((step for _, step in steps if after is None or step < after), default=None)
