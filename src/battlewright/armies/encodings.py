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


def encoding_of(record: Mapping[str, Any]) -> str:
    """The encoding of an ability's record as JSON with sorted keys, the form that rosters keep.

    What the encoders' notes call approximate, partial or not encoded is marked so; stratagems are, too, since they
    have no effect before they are paid for.
    """
    kept = {key: record[key] for key in _KEPT if record.get(key)}
    if _DOUBTS.search(record.get("community_notes") or ""):
        kept["approximate"] = True
    if record.get("disputed"):
        kept["disputed"] = True
    if record.get("ability_type") == "stratagem":
        kept["stratagem"] = True
    return json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
