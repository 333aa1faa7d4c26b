"""The table of rules of the 3rd edition, and what each switch changes in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from battlewright.editions.classic.table import ClassicRules
from battlewright.editions.third.attack import ATTACK
from battlewright.editions.third.phases import PHASES
from battlewright.editions.third.shooting import SHOOTING

__all__ = ["THIRD", "third_rules"]

THIRD = ClassicRules(phases=PHASES, attack=ATTACK, shooting=SHOOTING)
"""The edition as it is settled."""

Change = Callable[[ClassicRules], ClassicRules]

_CHANGES: Mapping[tuple[str, str], Change] = {}
"""What a switch changes when it stands at a value other than the settled one."""


def third_rules(options: Mapping[str, str]) -> ClassicRules:
    """The table with the players' switches worked in.

    Args:
        options: every switch with its value.
    """
    rules = THIRD
    for chosen in options.items():
        change = _CHANGES.get(chosen)
        rules = change(rules) if change is not None else rules
    return rules
