"""Comparing names as people and programs write them.

Lists carry typographic hyphens, curly quotes, non-breaking spaces, other capitals and plurals; none of these makes
another name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

__all__ = ["loose_key", "name_key", "nearest", "plain_spaces", "tidy"]

_APOSTROPHES = dict.fromkeys(map(ord, "'\u2019\u2018\u02bc`\u00b4\u201b\u2032"))
_SPACES: dict[int, str | None] = dict.fromkeys(map(ord, "\u00a0\u202f\u2007\u2009"), " ")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
_PLAIN = {**_SPACES, **_INVISIBLE}
_TYPOGRAPHIC = re.compile("[" + "".join(map(chr, _PLAIN)) + "]")


def plain_spaces(text: str) -> str:
    """The text with ordinary spaces for typographic ones and without invisible characters."""
    return text if text.isascii() or not _TYPOGRAPHIC.search(text) else text.translate(_PLAIN)


def tidy(text: str) -> str:
    """The text with ordinary single spaces and no invisible characters, for reading a line.

    >>> tidy("Big\\u00a0 Mek ")
    'Big Mek'
    """
    return " ".join(plain_spaces(text).split())


@lru_cache(maxsize=32768)
def name_key(text: str) -> str:
    """What two spellings of one name have in common: lower-case words without accents and punctuation.

    >>> name_key("Two\\u2011handed big choppa") == name_key("two-handed Big\\u00a0Choppa")
    True
    >>> name_key("Squigosaur\\u2019s jaws")
    'squigosaurs jaws'
    """
    text = text.translate(_APOSTROPHES).translate(_INVISIBLE)
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


@lru_cache(maxsize=32768)
def loose_key(text: str) -> str:
    """:func:`name_key` that also forgives plurals, word by word.

    >>> loose_key("Choppas") == loose_key("choppa"), loose_key("Squig's Jaws") == loose_key("Squig jaws")
    (True, True)
    """
    words = name_key(text).split()
    return " ".join(word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word for word in words)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to ``name``, or None when none is close."""
    by_key: dict[str, str] = {}
    for each in known:
        by_key.setdefault(name_key(each), each)
    found = get_close_matches(name_key(name), by_key, n=1, cutoff=0.6)
    return by_key[found[0]] if found else None
