"""Characters of the 4th edition: their special rules, and special characters."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from battlewright.core.roster import Army
from battlewright.core.rulebook import rule
from battlewright.editions.classic.bearers import split_name
from battlewright.editions.classic.powers import POWERS
from battlewright.editions.classic.psychic import with_powers
from battlewright.editions.fourth.special_rules import SPECIAL_RULES
from battlewright.editions.third import characters as third

__all__ = ["CHARACTERS", "is_special_character", "list_restrictions", "without_consent"]

_MINIMUM = "MINIMUM POINTS"


@rule("4e.special-characters.definition")
def is_special_character(keywords: Collection[str]) -> bool:
    """Whether a model is a named individual with rules of its own, as its list says."""
    return "SPECIAL CHARACTER" in keywords


@rule("4e.special-characters.list-restrictions")
def list_restrictions(army: Army) -> list[tuple[str, str]]:
    """Why special characters of an army may not be taken: rule and clause for each that its list forbids.

    ``Minimum Points: 2000`` among the abilities of a character says how large the army has to be.
    """
    found = []
    for unit in army.units:
        for model in unit.models:
            for name, argument in (split_name(ability.name.upper()) for ability in model.abilities):
                least = int(argument) if name == _MINIMUM and argument.isdecimal() else 0
                if is_special_character(model.keywords) and army.points < least:
                    clause = f"{model.name} is for armies of {least} points or more, this has {army.points}"
                    found.append(("4e.special-characters.list-restrictions", clause))
    return found


@rule("4e.special-characters.mutual-consent")
def without_consent(army: Army) -> list[tuple[str, str]]:
    """The same where the opponent has declined: no special character may be fielded."""
    refused = [
        ("4e.special-characters.mutual-consent", f"{model.name} is declined by the opponent")
        for unit in army.units
        for model in unit.models
        if is_special_character(model.keywords)
    ]
    return [*list_restrictions(army), *refused]


CHARACTERS = replace(
    third.CHARACTERS,
    special_rules=with_powers(SPECIAL_RULES, POWERS),
    why_not_fielded=list_restrictions,
)
