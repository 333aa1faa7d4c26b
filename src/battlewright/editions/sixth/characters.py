"""Characters of the 6th edition: joining, and who may be joined."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from battlewright.core.rulebook import rule
from battlewright.editions.classic import joining
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.psychic import with_powers
from battlewright.editions.classic.state import ClassicUnit
from battlewright.editions.fourth import characters as fourth
from battlewright.editions.sixth.afflictions import AFFLICTIONS
from battlewright.editions.sixth.chariots import names_of_rider
from battlewright.editions.sixth.mysteries import LENT
from battlewright.editions.sixth.psychic import POWERS, deny_the_witch, mastery_level
from battlewright.editions.sixth.special_rules import SPECIAL_RULES
from battlewright.editions.sixth.warlords import prepare

__all__ = ["CHARACTERS", "why_no_host"]

_JOINING = "6e.core.characters.joining"


@rule("6e.core.characters.joining")
def why_no_host(models: Iterable[ModelProfile], unit: ClassicUnit) -> list[tuple[str, str]]:
    """Why no character may join a unit as it is: as in the editions before, and monsters keep to themselves."""
    profiles = list(models)
    found = joining.why_no_host(profiles, unit)
    if any(profile.kind is Kind.MONSTROUS for profile in profiles):
        found.append((_JOINING, "is a monstrous creature"))
    return found


CHARACTERS = replace(
    fourth.CHARACTERS,
    special_rules={**with_powers(SPECIAL_RULES, POWERS), **AFFLICTIONS, **LENT},
    aboard=frozenset({"FEARLESS"}),
    riding=names_of_rider,
    powers=POWERS,
    powers_each_turn=mastery_level,
    perils_strength=None,
    is_denied=deny_the_witch,
    prepare=prepare,
    why_no_host=why_no_host,
)
