"""What an edition, and its players' switches, decide about assaults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["AssaultRules"]


@dataclass(frozen=True)
class AssaultRules:
    """What is decided about assaults.

    Attributes:
        is_within: whether a model is within a distance: inches to its nearest part, to its furthest, the limit.
        reaches: whether an enemy may be assaulted: inches between the nearest models, and the reach.
        free_enemies: of the free enemies within reach those that a model may pick from.
        frag_cancels: whether grenades of a unit cancel its opponents' cover, by whether it is the unit that assaulted.
        target_of_undeclared: what attacks rolled without a target are aimed at; None: they are ignored.
    """

    is_within: Callable[[float, float, float], bool]
    reaches: Callable[[float, float], bool]
    free_enemies: Callable[..., Any]
    frag_cancels: Callable[[bool], bool]
    target_of_undeclared: Callable[..., Any]
