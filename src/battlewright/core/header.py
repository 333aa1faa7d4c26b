"""What a battle starts from, what its record holds, and how it ends."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from battlewright.core.decisions import Answer, Side, answer_to_json
from battlewright.core.roster import Army
from battlewright.core.state import State, checksum

__all__ = ["Header", "Recorded", "Result", "recorded_checksum"]


@dataclass(frozen=True, slots=True)
class Header:
    """Everything a battle starts from. Header and answers together are the whole battle.

    Attributes:
        edition: the edition's id, ``"11"``.
        armies: the resolved rosters, so that later changes of any data set cannot touch a saved battle.
        mission: name of the mission.
        battlefield: the battlefield in its JSON form.
        options: the edition's switches that differ from their defaults.
        seed: of the dice.
        versions: of engine, rulebook and data; a save of another version is refused by name.
    """

    edition: str
    armies: tuple[Army, Army]
    mission: str
    battlefield: Mapping[str, Any]
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """How a battle ended.

    Attributes:
        winner: the side that won, None for a draw.
        score: victory points of each side.
        rounds: battle rounds played.
    """

    winner: Side | None
    score: tuple[int, int]
    rounds: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """One answer of a battle's record: who gave it, what it was, and the checksum after it.

    The checksum digests the answer together with the state that it led to (:func:`recorded_checksum`): a choice that
    shows in the state only later, such as which unit to deploy, would otherwise be missed where it was altered.
    """

    side: Side
    answer: Answer
    checksum: str


def recorded_checksum(answer: Answer, state: State) -> str:
    """Sixteen hexadecimal digits of an answer together with the state that it has led to."""
    digest = hashlib.blake2b(json.dumps(answer_to_json(answer), sort_keys=True).encode(), digest_size=8)
    digest.update(checksum(state).encode())
    return digest.hexdigest()
