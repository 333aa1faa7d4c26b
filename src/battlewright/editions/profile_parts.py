"""Profiles in text, cut into parts and tokens: what the questions of every edition are read with.

Several weapons, or several groups of models, are joined by `` + ``. A part holds tokens (``BS3+``: an abbreviation and
a value) and a list in brackets. Every fault is named by its column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar

from battlewright.core.errors import ProfileError

__all__ = ["MOST", "Part", "Token", "cut_into_parts", "numbered"]

MOST = 1000
"""Models of the largest target, and weapons of the largest attack."""

_TYPOGRAPHY = str.maketrans({"−": "-", "–": "-", "”": '"', "“": '"', "″": '"', "×": "x", "’": "'", "\t": " "})
_JOINED = re.compile(r"\s\+\s")


@dataclass(frozen=True, slots=True)
class Token:
    """An abbreviation, its value as written, and the column where it begins, from 0."""

    key: str
    value: str
    column: int


@dataclass(frozen=True, slots=True)
class Part:
    """One weapon or group: its tokens, and the lists in its brackets with the column that each item starts in."""

    tokens: dict[str, Token]
    items: tuple[tuple[str, int], ...]
    where: Callable[[int], str]

    def need(self, key: str, form: str) -> Token:
        """The token of this key.

        Raises:
            ProfileError: when it is missing.
        """
        if key not in self.tokens:
            raise ProfileError(f"{key} is missing", where=self.where(0), expected=form)
        return self.tokens[key]


def cut_into_parts(text: str, what: str, keys: Sequence[str], brackets: str, form: str) -> Iterator[Part]:
    """Cut a text into its parts and these into tokens.

    Args:
        what: what to call the text in complaints, ``"attack"``.
        keys: the abbreviations that tokens begin with, spelled as they are kept.
        brackets: the two characters around a list, ``"[]"``.
        form: an example of what is expected.

    Raises:
        ProfileError: with the place of the fault and the nearest abbreviation.
    """
    plain = text.translate(_TYPOGRAPHY)
    if not plain.strip():
        raise ProfileError(f"the {what} is empty", expected=form)
    start = 0
    for joint in [*_JOINED.finditer(plain), None]:
        end = joint.start() if joint else len(plain)
        yield _part(plain, start, end, what, keys, brackets, form)
        start = joint.end() if joint else end


GroupT = TypeVar("GroupT")


def numbered(groups: Sequence[tuple[GroupT, int]], models: int | None) -> list[tuple[GroupT, int]]:
    """The groups of a target with their numbers of models.

    Args:
        groups: with the numbers that the text says.
        models: how many the target has, whatever the text says; it must then have one group only.

    Raises:
        ProfileError: for a number out of bounds, and for one number beside several groups.
    """
    found = list(groups)
    if models is not None:
        if len(found) > 1:
            raise ProfileError("a number of models does not fit several groups", where="target", expected="x10 in each")
        if not 1 <= models <= MOST:
            raise ProfileError(f"{models} models are out of bounds", where="target", expected=f"1 to {MOST}")
        found = [(found[0][0], models)]
    if sum(count for _, count in found) > MOST:
        raise ProfileError("the target has too many models", where="target", expected=f"{MOST} at most")
    return found


def _part(plain: str, start: int, end: int, what: str, keys: Sequence[str], brackets: str, form: str) -> Part:
    def where(column: int) -> str:
        return f"{what}, column {(column or start) + 1}"

    token = re.compile(rf"({'|'.join(sorted(keys, key=len, reverse=True))})\s*([^\s\[\]{{}}]+)", re.IGNORECASE)
    spelled = {key.lower(): key for key in keys}
    tokens: dict[str, Token] = {}
    items: list[tuple[str, int]] = []
    at = start
    while at < end:
        if plain[at].isspace():
            at += 1
            continue
        if plain[at] == brackets[0]:
            close = plain.find(brackets[1], at, end)
            if close < 0:
                raise ProfileError(f"the {brackets[0]} is never closed", where=where(at), expected=brackets[1])
            items += _items(plain, at + 1, close)
            at = close + 1
            continue
        match = token.match(plain, at, end)
        if match is None:
            word = re.compile(r"\S+").match(plain, at, end)
            raise _unknown_token(word[0] if word else plain[at], keys, where(at), form)
        key = spelled[match[1].lower()]
        if key in tokens:
            raise ProfileError(f"{key} stands twice", where=where(at), expected=form)
        tokens[key] = Token(key, match[2], at)
        at = match.end()
    if not tokens and not items:
        raise ProfileError(f"nothing stands here, so the {what} is incomplete", where=where(start), expected=form)
    return Part(tokens, tuple(items), where)


def _items(plain: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    at = start
    for item in plain[start:end].split(","):
        if item.strip():
            yield item.strip(), at + len(item) - len(item.lstrip())
        at += len(item) + 1


def _unknown_token(word: str, keys: Sequence[str], where: str, form: str) -> ProfileError:
    bare = next((key for key in keys if key.lower() == word.lower()), None)
    if bare is not None:
        return ProfileError(f"{bare} has no value", where=where, expected=form)
    letters = re.match(r"[A-Za-z]*", word)
    close = get_close_matches(letters[0] if letters else word, keys, n=1, cutoff=0.5)
    return ProfileError(
        f'"{word}" is no characteristic', where=where, expected=form, nearest=close[0] if close else None
    )
