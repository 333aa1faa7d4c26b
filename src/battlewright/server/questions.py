"""Questions that a seat may ask about its present decision; nothing in a battle changes by them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from battlewright.core.battle import Battle
from battlewright.core.decisions import Side, answer_to_json

__all__ = ["answer_question"]


def answer_question(battle: Battle[Any, Any], sides: Sequence[Side], question: dict[str, Any]) -> dict[str, Any]:
    """The fields of an ``answered`` message for one question; ``fault`` where there is no answer."""
    decision = battle.decision
    if decision is None or decision.side not in sides:
        return {"fault": "there is nothing for this seat to choose"}
    match question["kind"]:
        case "default":
            return {"answer": answer_to_json(decision.default())}
        case "sample":
            return {"answer": answer_to_json(decision.sample(random.Random(question["seed"])))}
    return {"fault": "this edition does not answer that yet"}
