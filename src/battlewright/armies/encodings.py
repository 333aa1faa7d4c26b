"""The encoding of an ability as the roster carries it: what the data set says that it does, none of its words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

__all__ = ["encoding_of"]

_KEPT = ("behavior", "scope", "effect", "trigger", "usage", "applies_to")
_DOUBTS = re.compile(
    r"\[approx|approximat|simplif|placeholder|partial|omit|\bdrop(s|ped)?\b|\bnot (be )?(encoded?|model|express|captur)"
    r"|skipped for|unmodel|ignor(es|ing) the|cannot be|prose|models only|\bno [\w -]* (slot|node)"
    r"|once[- ]per|while using|while this model is equipped|while a friendly|affects friendly|bearer and"
    r"|\bexcludes\b|in a turn they|bonuses become|when the bearer's unit makes",
    re.IGNORECASE,
)
"""Words of the encoders' notes that say that an encoding does not hold the whole rule."""


_TOLD_ELSEWHERE = re.compile(
    r"(targets? )?(one unit that )?(must not have|has not) been selected to (shoot|fight|shoot or fight) this phase\.?"
    r"|community-authored.*",
    re.IGNORECASE,
)
"""Notes on a stratagem that say no more than what holds anyway when it is used; any other says more than it encodes."""


def encoding_of(record: Mapping[str, Any], card: Mapping[str, Any] | None = None) -> str:
    """The encoding of an ability's record as JSON with sorted keys, the form that rosters keep.

    What the encoders' notes call approximate, partial or not encoded is marked so. A stratagem has its card with it
    (phases, turn, cost), and any note that tells more of it, such as on whom it may be used, counts as such a mark.

    Args:
        card: the stratagem's own record, where there is one.
    """
    kept = {key: record[key] for key in _KEPT if record.get(key)}
    if _DOUBTS.search(record.get("community_notes") or ""):
        kept["approximate"] = True
    if record.get("disputed"):
        kept["disputed"] = True
    if record.get("ability_type") == "stratagem":
        kept["stratagem"] = True
        note = record.get("community_notes") or ""
        if note and not _TOLD_ELSEWHERE.fullmatch(note):
            kept["approximate"] = True
    if card is not None:
        kept["card"] = {"phases": card["phases"], "turn": card["player_turn"], "cost": card["cp_cost"]}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
