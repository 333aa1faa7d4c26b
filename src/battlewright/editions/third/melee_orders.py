"""Orders in close combat of the 3rd edition: charges made or not, combats joined, weapons chosen, characters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, within
from battlewright.editions.classic.state import Deed

__all__ = [
    "character_fights",
    "combat_after_contact",
    "consolidation_faults",
    "deeds_of_regrouping",
    "extra_attack_of_weapons",
    "may_strike_character",
    "regroup_faults",
    "special_weapon_faults",
    "why_no_charge",
    "wounds_of_losing",
]

REGROUPING = 3.0
"""Inches within which a regrouped unit re-forms."""


# -- charging ---------------------------------------------------------------------------------------------------


@rule("3e.core.assault.must-reach")
def why_no_charge(gaps: Sequence[float], reach: float, *, declared: bool) -> list[tuple[str, str]]:
    """Why a charge is not made: rule and clause for each reason; none when it is.

    Args:
        gaps: for each model inches to the enemy by its way; ``reach`` how far it may charge.
        declared: whether the charge was declared before anything was measured.
    """
    found = []
    if not declared:
        found.append(("3e.core.assault.must-reach", "measured before the charge was declared"))
    if not any(within(gap, reach) for gap in gaps):
        found.append(("3e.core.assault.must-reach", f'has no model that gets into contact with a move of {reach:g}"'))
    return found


@rule("3e.core.assault.several-targets")
def combat_after_contact(combats: Iterable[frozenset[int]], charger: int, contacted: Collection[int]) -> frozenset[int]:
    """The combat that a charge makes: the charger, every unit that it touches, and whoever fights these already.

    Args:
        combats: the units of each combat in progress.
    """
    found = frozenset({charger, *contacted})
    for combat in combats:
        if combat & found:
            found |= combat
    return found


# -- fighting ---------------------------------------------------------------------------------------------------


@rule("3e.core.assault.two-special-weapons")
def special_weapon_faults(chosen: Collection[str]) -> list[Violation]:
    """Why a model may not fight a round so; nothing when it may: of different special weapons it uses one.

    Args:
        chosen: names of the special weapons that it would use in this round.
    """
    if len(set(chosen)) < 2:
        return []
    names = " and ".join(sorted(set(chosen)))
    return [Violation("3e.core.assault.two-special-weapons", f"One special weapon is used in a round, not {names}")]


@rule("3e.core.assault.two-special-weapons")
def extra_attack_of_weapons(first_single_handed: bool, second_single_handed: bool) -> int:
    """The extra attack of a second weapon: 1 where both can be used single-handed, else 0; a pistol can."""
    return int(first_single_handed and second_single_handed)


@rule("3e.core.characters.contact")
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


@rule("3e.core.assault.fearless-losers")
def wounds_of_losing(lost_by: int, *, fearless: bool) -> int:
    """The wounds that a beaten unit suffers for having lost, besides those struck: none, fearless or not.

    Args:
        lost_by: how many wounds the winner caused more.
    """
    return 0


# -- afterwards -------------------------------------------------------------------------------------------------


@rule("3e.core.assault.consolidate-not-into-contact")
def consolidation_faults(gaps: Sequence[float]) -> list[Violation]:
    """Why models may not consolidate so; nothing when they may: none of them touches an enemy.

    Args:
        gaps: inches from each model to the nearest enemy when it has moved.
    """
    touching = sum(gap <= TOLERANCE for gap in gaps)
    if not touching:
        return []
    return [Violation("3e.core.assault.consolidate-not-into-contact", f"{touching} models touch an enemy")]


@rule("3e.core.morale.after-regrouping")
def regroup_faults(moved: Sequence[float]) -> list[Violation]:
    """Why models of a unit that has regrouped may not re-form so; nothing when they may.

    Args:
        moved: inches that each model moves.
    """
    far = sum(not within(distance, REGROUPING) for distance in moved)
    if not far:
        return []
    return [Violation("3e.core.morale.after-regrouping", f'{far} models move more than {REGROUPING:g}"')]


@rule("3e.core.morale.after-regrouping")
def deeds_of_regrouping() -> frozenset[Deed]:
    """What regrouping is noted as: the unit counts as having moved, may shoot, and neither moves on nor charges."""
    return frozenset({Deed.RALLIED})
