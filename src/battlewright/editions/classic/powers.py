"""Psychic powers that lists of several editions hold, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from battlewright.attacks.description import RerollPermission, RerollWhich
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.psychic import Power, PowerKind
from battlewright.editions.classic.special_rules import Encounter, SpecialRule

__all__ = ["POWERS", "REROLL", "doom", "fortune", "guide"]

REROLL = RerollPermission(RerollWhich.FAILURES, "3e.core.characters.psychic-test")


def guide(context: AttackContext, encounter: Encounter) -> AttackContext:
    """Shots that miss are rolled again."""
    return context if encounter.close_combat else replace(context, reroll_hits=REROLL)


def fortune(context: AttackContext, encounter: Encounter) -> AttackContext:
    """Saves that fail are rolled again."""
    return replace(context, reroll_saves=REROLL)


def doom(context: AttackContext, encounter: Encounter) -> AttackContext:
    """Rolls to wound the unit that fail are made again."""
    return replace(context, reroll_wounds=REROLL)


POWERS: Mapping[str, Power] = MappingProxyType(
    {
        power.name: power
        for power in (
            Power(name="DOOM", kind=PowerKind.MALEDICTION, range=24.0, effect=SpecialRule(suffers=doom), lasts=1),
            Power(name="FORTUNE", kind=PowerKind.BLESSING, range=6.0, effect=SpecialRule(suffers=fortune), lasts=1),
            Power(name="GUIDE", kind=PowerKind.BLESSING, range=6.0, effect=SpecialRule(attacks=guide)),
        )
    }
)
"""Powers by name, in capitals."""
