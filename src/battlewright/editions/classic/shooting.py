"""What an edition decides about shooting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from battlewright.editions.classic.firing import Shots
from battlewright.editions.classic.weapons import WeaponType

__all__ = ["ShootingRules"]


@dataclass(frozen=True)
class ShootingRules:
    """What an edition decides about shooting.

    Attributes:
        shots: what each weapon type fires.
        range_from: the distance that counts, of those to the points that it may be measured from.
        counts_unseen: whether an enemy model may block sight, by whether the shooter sees it.
        hides_comrades: whether a model may block sight to comrades of its own unit.
        pool: which pool of wounds a model of several wounds belongs to.
        is_possible_target: whether a unit that is seen protects a lone character near it.
        may_pick_joined: whether a character may be picked out of the unit that he has joined.
    """

    shots: Mapping[WeaponType, Shots]
    range_from: Callable[[Any], float]
    counts_unseen: Callable[[bool], bool]
    hides_comrades: Callable[[], bool]
    pool: Callable[[Any], int]
    is_possible_target: Callable[[Any], bool]
    may_pick_joined: Callable[[Any], bool]
