"""Removing casualties of fire in the 3rd edition: who may fall, in what order, and how wounds collect."""

from __future__ import annotations

from battlewright.core.rulebook import rule
from battlewright.editions.classic.casualties import Candidate

__all__ = ["own_pool"]


@rule("3e.multi-wound.character-pool")
def own_pool(model: Candidate) -> int:
    """The custom of some groups: a character has a pool of its own."""
    return model.row + 1 if model.is_character else 0
