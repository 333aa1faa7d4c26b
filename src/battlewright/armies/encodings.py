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
    r"|\bexcludes\b|in a turn they|bonuses become|when the bearer's unit makes|\balso ignores\b|broader than"
    r"|modifiers to that attack's BS|attacks benefit|while held|you can include",
    re.IGNORECASE,
)
"""Words of the encoders' notes that say that an encoding does not hold the whole rule."""


_TOLD_ELSEWHERE = re.compile(
    r"(targets? )?(one unit that )?(must not have|has not) been selected to (shoot|fight|shoot or fight) this phase\.?"
    r"|community-authored.*|1CP\. Your Shooting phase: ranged weapons in your unit have \[[A-Z ]+\]\."
    r"|The unit can only be selected as the target of a ranged attack if the attacking model is within \d+\"\."
    r"|1CP\. Reactive in the opponent's Shooting phase: models in your unit have a \d\+ invulnerable save\.",
    re.IGNORECASE,
)
"""Notes on a stratagem that say no more than what holds anyway when it is used; any other says more than it encodes."""


_WHOM = re.compile(
    r"(?:Used (?:when an enemy unit targets|on) an? )?(?P<words>[A-Z][\w' -]*?) unit (?:"
    r"not yet selected to (?:shoot|fight|shoot or fight)(?: this phase)?"
    r"|targeted (?:by the attacking unit|in the opponent's Shooting phase|by an enemy unit's ranged attacks)"
    r"|selected as a target of the attacking unit|in the opponent's Shooting phase)\.?"
)
"""Notes on a stratagem that say nothing more than the keywords of the unit that it is used on, ``"A or B"`` of them."""


def encoding_of(record: Mapping[str, Any], card: Mapping[str, Any] | None = None) -> str:
    """The encoding of an ability's record as JSON with sorted keys, the form that rosters keep.

    What the encoders' notes call approximate, partial or not encoded is marked so. A stratagem has its card with it
    (phases, turn, cost); a note that tells the keywords of whom it is used on adds them, and any other that tells more
    of it counts as such a mark.

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
        if whom := _WHOM.fullmatch(note):
            limits = dict(kept.get("applies_to") or {})
            words = whom["words"].replace(" or ", "/")
            limits["required_keywords"] = [*limits.get("required_keywords", ()), words]
            kept["applies_to"] = limits
        elif note and not _TOLD_ELSEWHERE.fullmatch(note):
            kept["approximate"] = True
    if card is not None:
        kept["card"] = {"phases": card["phases"], "turn": card["player_turn"], "cost": card["cp_cost"]}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
