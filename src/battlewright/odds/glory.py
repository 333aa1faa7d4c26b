"""The odds of stopping a tank: one model stands in its way and strikes at it (death or glory)."""

from __future__ import annotations

from typing import Any

from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.edition import find_edition
from battlewright.odds.questions import volley

__all__ = ["death_or_glory"]

_RESULTS = frozenset(str(result) for result in DamageResult)


def death_or_glory(attack: str, target: str, *, edition: str, **settings: Any) -> float:
    """The probability that one attack stops a tank that drives at the model who makes it.

    The attack hits the front armour by itself; what stops the tank is the edition's to say.

    Args:
        attack: one weapon in text; ``target`` the tank.
        edition: one of the classic editions.
        settings: further settings of the question.

    Raises:
        BadInput: for text that cannot be read, and for an edition without tank shock.

    >>> round(death_or_glory("BS4 S8 AP1 [MELTA]", "AV14/12/10", edition="3", half_range=True), 4)
    0.5556
    """
    rules = find_edition(edition).part("table")
    answer = volley(attack, target, edition=edition, hits=1, facing="front", **settings)
    stopping = [
        name
        for name in answer.odds.effects
        if name in _RESULTS and not rules.vehicles.tank_shock.is_crushed([DamageResult(name)])
    ]
    return answer.p_destroyed + sum(float(1.0 - answer.odds.effects[name][0]) for name in stopping)
