"""Which decisions are mere formalities, and what of a battle a side is not shown.

A formality has one option and nothing to decline: whoever has to choose need not be asked. How quickly it is answered
may tell nothing, so that it is one only where everybody can see that nothing else could be chosen: in one's own turn,
once the battle has begun, while nothing is hidden from the opponent on which the options could depend.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from battlewright.core.battle import Battle
from battlewright.core.decisions import Options, Side, opponent
from battlewright.core.state import plain

__all__ = ["hidden_from", "is_formality"]


def is_formality(battle: Battle[Any, Any]) -> bool:
    """Whether the present decision can be answered in one way alone, as everybody can see."""
    decision = battle.decision
    if decision is None or not isinstance(decision.choices, Options):
        return False
    if int(battle.state.round) < 1 or decision.side != battle.state.turn or len(decision.options()) != 1:
        return False
    return not hidden_from(battle, opponent(decision.side))


def hidden_from(battle: Battle[Any, Any], side: Side) -> frozenset[str]:
    """Which parts of the state a side is not shown as they are, by their paths; the place in the stream apart."""
    seen, whole = plain(battle.seat(side).view()), plain(battle.state)
    seen.pop("dice"), whole.pop("dice")
    return frozenset(_differences(seen, whole, ""))


def _differences(one: Any, other: Any, path: str) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from _differences(one[key], other[key], f"{path}/{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _differences(left, right, f"{path}/{number}")
    elif one != other:
        yield path
