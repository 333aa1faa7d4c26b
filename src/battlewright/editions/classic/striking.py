"""Who strikes in a close combat of the classic editions, when, how often and with what.

A round is fought in steps: whoever strikes first, then Initiative from 10 to 1, then weapons that always strike last.
Who is in contact and who supports is settled when the fighting begins and holds for the round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.profiles import ModelProfile

__all__ = [
    "FIRST",
    "LAST",
    "SUPPORT",
    "Approach",
    "Fighter",
    "Footing",
    "Reach",
    "any_part_within",
    "attacks_of",
    "character_fights",
    "extra_attack_of_weapons",
    "footing_of",
    "frag_of_attackers",
    "has_charge_bonus",
    "is_independent",
    "may_strike_character",
    "next_step",
    "strike_step",
    "strikes_together",
    "takes_part",
    "uses_special_attacks",
]

SUPPORT = 2.0
"""Inches within which a model supports."""
FIRST, LAST = 11, 0
"""The steps before and after all Initiatives."""


class Reach(StrEnum):
    """How near a model is to the enemy when the fighting begins."""

    CONTACT = "in base contact"
    ENGAGED = "engaged beside a comrade in contact"
    SUPPORT = "supporting"
    NONE = "out of reach"


class Footing(StrEnum):
    """What cover makes of a unit's place in the order of striking."""

    EVEN = "even"
    COVERED = "defends cover"
    """It was assaulted in cover: it strikes first."""
    LEVELLED = "levelled"
    """Grenades cancelled the advantage: both sides strike at the same time."""
    BESIDE = "as fast as who defends cover"
    """It assaulted cover with grenades that let it strike when the defenders do."""
    SLOWED = "slowed by the ground"
    """It assaulted through difficult terrain: it strikes in the last step of Initiative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approach:
    """How a unit came into a combat, for its place in the order of striking.

    Attributes:
        assaulted_in_cover: whether it was in cover when it was assaulted.
        first_round: whether this is the round of the assault.
        cancelled: whether grenades of an opponent take the advantage of cover away.
        evened: whether grenades of an opponent leave nobody an advantage, so that Initiative alone decides.
        into_cover: whether it assaulted units in cover that keep their advantage.
        frag: whether it has grenades that let it strike when they do.
        through_difficult: whether it assaulted through difficult terrain; ``grenades`` whether it has some that help.
    """

    assaulted_in_cover: bool = False
    first_round: bool = True
    cancelled: bool = False
    evened: bool = False
    into_cover: bool = False
    frag: bool = False
    through_difficult: bool = False
    grenades: bool = False


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


@rule("3e.assault-move.one-in-contact", "3e.outside.contact-required", "3e.assault-move.short-move-no-attacks")
def takes_part(reaches: Iterable[Reach]) -> bool:
    """Whether a unit takes part in a combat: one of its models at least touches an enemy; support never starts one."""
    return any(reach is Reach.CONTACT for reach in reaches)


# -- how often and with what ------------------------------------------------------------------------------------


@rule(
    "3e.support.one-attack",
    "3e.support.regardless",
    "3e.support.beyond-two",
    "3e.outside.charge-bonus",
    "3e.outside.two-weapons",
    "3e.core.assault.attacks",
    "4e.core.assault.attacks",
    "4e.assault-hits.attacks",
    "6e.core.assault.attacks",
)
@rule("4e.beasts-cavalry.otherwise-fight")
def attacks_of(fighter: Fighter) -> int:
    """How many attacks a model makes: in contact, or engaged, those of its profile and one more for each of an assault
    and a second weapon; supporting exactly one, whatever else it has; further off none."""
    match fighter.reach:
        case Reach.CONTACT | Reach.ENGAGED:
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

    Only if it began the round in contact, or engaged, and then to its end; any other makes an ordinary attack at its
    Initiative.
    """
    return fighter.reach in (Reach.CONTACT, Reach.ENGAGED)


# -- when -------------------------------------------------------------------------------------------------------


@rule("3e.special-attacks.frag-users")
def frag_of_attackers(holder_attacked: bool) -> bool:
    """Whether frag grenades of a unit cancel the cover of its opponents: only if it is the unit that assaulted."""
    return holder_attacked


@rule("3e.fight-order.cover-first", "3e.fight-order.later-rounds", "3e.special-attacks.frag-effect")
@rule("3e.core.assault.cover-strikes-first", "3e.core.traits.frag-grenades", "4e.core.assault.cover-initiative")
def footing_of(approach: Approach) -> Footing:
    """What cover makes of a unit's place in the order of striking; only the first round of a combat counts."""
    if not (approach.assaulted_in_cover and approach.first_round):
        return Footing.EVEN
    return Footing.LEVELLED if approach.cancelled else Footing.COVERED


@rule(
    "3e.outside.initiative",
    "3e.outside.power-fist-last",
    "3e.fight-order.fist-last-in-cover",
    "3e.fight-order.fist-last-grenades",
    "3e.support.timing",
    "3e.core.assault.initiative",
)
@rule("3e.fight-order.cover-first", "3e.special-attacks.frag-effect", "3e.core.assault.strikes-last")
@rule("4e.core.assault.initiative", "4e.core.assault.fists-last", "4e.core.assault.cover-initiative")
@rule("6e.core.assault.initiative-steps", "6e.core.assault.difficult-terrain")
def strike_step(fighter: Fighter, own: Footing, opponents: Footing, first: int = FIRST) -> int:
    """The step in which a model strikes: higher ones come first, equal ones at the same time.

    Args:
        own: the footing of its unit; ``opponents`` that of the units it fights.
        first: the step of those who strike first for the ground.

    Weapons that strike last do so whatever cover and grenades say, if they may be used at all.
    """
    if fighter.strikes_last and uses_special_attacks(fighter):
        return LAST
    if own is Footing.SLOWED:
        return 1
    if own is not Footing.EVEN or opponents is Footing.LEVELLED:
        return first
    return min(max(fighter.initiative, 1), 10)


@rule("3e.outside.initiative", "3e.core.assault.step-together", "4e.core.assault.initiative")
def strikes_together(steps: Sequence[tuple[int, int]], step: int) -> list[int]:
    """The models that strike in a step, all before any of their victims is removed.

    Args:
        steps: row and step of each model that still lives.
    """
    return [row for row, when in steps if when == step]


def next_step(steps: Sequence[tuple[int, int]], after: int | None) -> int | None:
    """The next step in which some living model strikes, the first one after None; None when the round is over."""
    return max((step for _, step in steps if after is None or step < after), default=None)


@rule("4e.core.weapons.defensive-grenades", "6e.core.weapons.defensive-grenades")
def has_charge_bonus(charged: bool, *, defended: bool) -> bool:
    """Whether a model has the extra attack of a charge: not where the enemies it charged have defensive grenades."""
    return charged and not defended


@rule("3e.core.assault.two-special-weapons", "4e.core.weapons.close-combat-pair")
def extra_attack_of_weapons(first_single_handed: bool, second_single_handed: bool) -> int:
    """The extra attack of a second weapon: 1 where both can be used single-handed, else 0; a pistol can."""
    return int(first_single_handed and second_single_handed)


@rule("3e.core.characters.contact", "4e.character-assault.base-contact")
def is_independent(profile: ModelProfile) -> bool:
    """Whether a model fights, and is struck, only in contact: an independent character."""
    return profile.is_independent


@rule("3e.core.characters.contact", "4e.character-assault.base-contact")
def character_fights(gap: float) -> bool:
    """Whether a character fights: he must touch an enemy, supporting is not enough.

    Args:
        gap: inches to the nearest enemy model.
    """
    return gap <= TOLERANCE


@rule("3e.core.characters.contact")
def may_strike_character(gap: float) -> bool:
    """Whether an enemy may strike a character: only one that touches him."""
    return gap <= TOLERANCE
