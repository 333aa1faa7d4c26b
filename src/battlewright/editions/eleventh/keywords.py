"""Keywords: whose they are and how a rule names them (02, Keywords).

A keyword expression is what a rule prints: ``"MONSTER/VEHICLE"`` (any of them), ``"AELDARI GUARDIANS"`` (all of
them), ``"non-CHARACTER"`` (none). Attacks are aimed at units, so an attack asks the keywords of the whole unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from battlewright.core.rulebook import rule

__all__ = ["keyword_list", "keywords_match", "keywords_of_models", "matching_models", "normal_keyword"]

_SEPARATOR = re.compile(r"\s*[,/]\s*|\s+OR\s+")
_TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "‐": "-", "‑": "-", "–": "-", "−": "-"})
_LONG_NEGATED = ("EPIC HERO", "DEDICATED TRANSPORT", "ADEPTUS ASTARTES", "SUPER-HEAVY WALKER")
"""Keywords of several words that rules negate; ``non-`` reaches one word otherwise."""


@rule("11e.ds-keywords.notation", "11e.ds-keywords.singular-plural")
def normal_keyword(text: str) -> str:
    """A keyword in capitals, single-spaced, each word in the singular, so that forms of one keyword are equal.

    >>> normal_keyword("Immortals"), normal_keyword("Epic Heroes")
    ('IMMORTAL', 'EPIC HERO')
    """
    return _normal(text)


@lru_cache(maxsize=4096)
def _normal(text: str) -> str:
    return " ".join(_singular(word) for word in text.translate(_TYPOGRAPHY).upper().split())


def _singular(word: str) -> str:
    if len(word) <= 3 or word.endswith(("SS", "US", "IS")) or not word.endswith("S"):
        return word[:-3] + "MAN" if word.endswith("MEN") and len(word) > 3 else word
    if word.endswith("IES"):
        return word[:-3] + "Y"
    if word.endswith(("CHES", "SHES", "XES", "SSES", "OES")):
        return word[:-2]
    return word[:-1]


def keyword_list(text: str) -> frozenset[str]:
    """The alternatives of an expression: ``"INFANTRY/BEASTS"`` gives both."""
    parts = _SEPARATOR.split(text.translate(_TYPOGRAPHY).upper().strip())
    return frozenset(" ".join(part.split()) for part in parts if part.strip())


@rule(
    "11e.ds-keywords.unit-has-all",
    "11e.ds-keywords.model-own-only",
    "11e.ds-keywords.attacks-target-units",
    "11e.ds-keywords.mixed-unit",
    "11e.ds-keywords.same-function",
    "11e.ds-name.name-is-keyword",
    "11e.core.02-unit-keywords",
    "11e.core.01-one-or-more",
    "11e.core.19.03-keywords",
)
def keywords_of_models(models: Iterable[Iterable[str]]) -> frozenset[str]:
    """The keywords of a unit: every keyword that any of its living models has.

    A model has nothing but its own. Faction keywords and the datasheet's name stand among them and work alike.
    """
    return frozenset(" ".join(word.translate(_TYPOGRAPHY).upper().split()) for model in models for word in model)


@rule(
    "11e.ds-keywords.any-of-list",
    "11e.ds-keywords.any-of-example",
    "11e.ds-keywords.adjacent-all",
    "11e.ds-keywords.non-keyword",
    "11e.ds-keywords.non-keyword-example",
    "11e.ds-keywords.unit-rule",
    "11e.core.02-keyword-lists",
)
def keywords_match(wanted: str | Iterable[str], keywords: Iterable[str]) -> bool:
    """Whether a model or unit with these keywords is one that a rule names.

    Args:
        wanted: an expression as printed, or its alternatives; alternatives joined by commas, slashes or "or" need
            one match, words side by side need every one, ``non-X`` needs X to be missing.
        keywords: of the model, or of the unit (:func:`keywords_of_models`).

    An expression without any alternative matches nothing.
    """
    return _match(wanted if isinstance(wanted, str) else frozenset(wanted), frozenset(keywords))


@lru_cache(maxsize=16384)
def _match(wanted: str | frozenset[str], keywords: frozenset[str]) -> bool:
    """:func:`keywords_match`, kept: a battle asks the same few questions thousands of times."""
    terms = keyword_list(wanted) if isinstance(wanted, str) else wanted
    owned = frozenset(normal_keyword(keyword) for keyword in keywords)
    return any(_has_all(tuple(normal_keyword(term).split()), owned) for term in terms)


def _has_all(words: tuple[str, ...], owned: frozenset[str]) -> bool:
    """Whether the words can be cut into keywords that are all owned (or, after ``NON-``, not owned)."""
    if not words:
        return True
    if words[0].startswith("NON-"):
        first = words[0][4:]
        for long in _LONG_NEGATED:
            size = len(long.split())
            if " ".join((first, *words[1:size])) == normal_keyword(long):
                return normal_keyword(long) not in owned and _has_all(words[size:], owned)
        return first not in owned and _has_all(words[1:], owned)
    return any(" ".join(words[:size]) in owned and _has_all(words[size:], owned) for size in range(1, len(words) + 1))


@rule(
    "11e.ds-keywords.model-rule",
    "11e.ds-keywords.model-only-in-mixed",
    "11e.ds-keywords.older-rules-mean-units",
)
def matching_models(wanted: str, models: Iterable[Iterable[str]], *, speaks_of_models: bool) -> tuple[int, ...]:
    """Indices of the models that a rule with a keyword expression reaches.

    A rule that speaks of models reaches the models that match; one that speaks of units, or, as older rules do, of
    neither, reaches every model of a unit that matches as a whole.
    """
    own = [frozenset(model) for model in models]
    if speaks_of_models:
        return tuple(index for index, keywords in enumerate(own) if keywords_match(wanted, keywords))
    return tuple(range(len(own))) if keywords_match(wanted, keywords_of_models(own)) else ()
