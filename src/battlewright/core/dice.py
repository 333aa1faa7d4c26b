"""Dice: expressions such as ``2D6+1``, the battle's one stream, and the record of a roll.

All chance in a battle comes from one stream of dice, and where the battle stands in that stream is a single integer
kept in its state. A stream is therefore an index into blocks that its seed determines: copies of a battle share it
and cannot disturb each other.

The faces rest on nothing that NumPy may change: the raw 64-bit words of PCG64 are promised stable by NumPy's
compatibility policy (NEP 19), and :func:`face_of` maps a word to a face.
"""

from __future__ import annotations

import hashlib
import re
import reprlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

import numpy as np

from battlewright.core.errors import BadInput, DiceSyntaxError, ScriptError

__all__ = [
    "DiceExpression",
    "DiceSource",
    "Drawing",
    "Modifier",
    "Reroll",
    "Roll",
    "ScriptedDice",
    "ScriptedRoll",
    "SeededDice",
    "face_of",
    "parse_dice",
]

_EXPRESSION = re.compile(
    r"(?:(?P<count>\d{0,9})\s*[dD]\s*(?P<sides>\d{1,9}))?\s*(?:(?P<sign>^|[+-])\s*(?P<bonus>\d{1,9}))?", re.ASCII
)
_SIDES = (2, 3, 6)
_MOST_DICE = 1000


@dataclass(frozen=True, slots=True)
class DiceExpression:
    """A number that may have to be rolled: ``count`` dice of ``sides`` sides plus ``bonus``.

    The bonus belongs to the value; it is no modifier (11th edition, 02: random characteristics). A D3 is a D6 halved
    and rounded up.

    >>> str(parse_dice("2d6 + 1")), parse_dice("D3").mean
    ('2D6+1', 2.0)
    """

    count: int
    sides: int
    bonus: int

    @property
    def is_random(self) -> bool:
        """Whether dice have to be rolled."""
        return self.count > 0

    @property
    def minimum(self) -> int:
        """The lowest value it can take."""
        return self.count + self.bonus

    @property
    def maximum(self) -> int:
        """The highest value it can take."""
        return self.count * self.sides + self.bonus

    @property
    def mean(self) -> float:
        """Its expected value."""
        return self.count * (self.sides + 1) / 2 + self.bonus

    def weights(self) -> dict[int, int]:
        """How many of the ``sides ** count`` equally likely throws give each value."""
        return dict(_weights(self.count, self.sides, self.bonus))

    def __str__(self) -> str:
        if not self.count:
            return str(self.bonus)
        dice = f"{self.count if self.count > 1 else ''}D{self.sides}"
        return f"{dice}{self.bonus:+d}" if self.bonus else dice


@lru_cache(maxsize=512)
def _weights(count: int, sides: int, bonus: int) -> tuple[tuple[int, int], ...]:
    totals = {0: 1}
    for _ in range(count):
        following: dict[int, int] = {}
        for total, weight in totals.items():
            for face in range(1, sides + 1):
                following[total + face] = following.get(total + face, 0) + weight
        totals = following
    return tuple((total + bonus, weight) for total, weight in sorted(totals.items()))


@lru_cache(maxsize=4096)
def parse_dice(text: str) -> DiceExpression:
    """Read ``"3"``, ``"D6"``, ``"2D6"``, ``"D3+1"``, ``"D6-1"``; the inverse of ``str``.

    Raises:
        DiceSyntaxError: for anything else, for dice with other than 2, 3 or 6 sides, and for more than 1000 dice or a
            bonus beyond 1000.
    """
    match = _EXPRESSION.fullmatch(text.strip())
    if match is None or not match.group(0):
        raise DiceSyntaxError(f"{reprlib.repr(text)} is no number of dice", expected="a number, D6, D3+1 or 2D6")
    sides = int(match["sides"] or 0)
    count = int(match["count"] or 1) if sides else 0
    bonus = int(match["bonus"] or 0) * (-1 if match["sign"] == "-" else 1)
    if sides and sides not in _SIDES:
        raise DiceSyntaxError(f'"{text}" uses a die of {sides} sides', expected="D3 or D6")
    if count > _MOST_DICE or abs(bonus) > _MOST_DICE or (sides and count == 0):
        raise DiceSyntaxError(f'"{text}" is out of bounds', expected=f"1 to {_MOST_DICE} dice")
    return DiceExpression(count, sides, bonus)


@dataclass(frozen=True, slots=True)
class Reroll:
    """One die thrown again: which (index into the faces), what it showed, and what it shows now."""

    index: int
    was: int
    now: int
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Modifier:
    """A number added to a roll and the rule that adds it."""

    rule: str
    amount: int


@dataclass(frozen=True, slots=True)
class Roll:
    """A throw of dice as it happened: purpose, raw faces, re-rolls, modifiers, in that order.

    Attributes:
        purpose: what it was for, ``"hit"``, ``"charge"``; a scripted stream is matched against it.
        sides: sides of each die.
        faces: what the dice showed first, in the order thrown.
        rerolls: dice thrown again.
        modifiers: what is added to the result, the limits of the edition not yet applied.
    """

    purpose: str
    sides: int
    faces: tuple[int, ...]
    rerolls: tuple[Reroll, ...] = ()
    modifiers: tuple[Modifier, ...] = ()

    @property
    def unmodified(self) -> tuple[int, ...]:
        """The faces after re-rolls and before modifiers."""
        if not self.rerolls:
            return self.faces
        faces = list(self.faces)
        for reroll in self.rerolls:
            faces[reroll.index] = reroll.now
        return tuple(faces)

    @property
    def total(self) -> int:
        """The sum of the unmodified faces."""
        return sum(self.unmodified)

    def with_rerolls(self, rerolls: Sequence[Reroll]) -> Roll:
        """The same roll with further dice thrown again."""
        return replace(self, rerolls=self.rerolls + tuple(rerolls))

    def with_modifiers(self, modifiers: Sequence[Modifier]) -> Roll:
        """The same roll with further modifiers noted."""
        return replace(self, modifiers=self.modifiers + tuple(modifiers))


def face_of(word: int, sides: int) -> int:
    """Map a raw 64-bit word to a face from 1 to ``sides``.

    The high bits decide: ``1 + floor(word * sides / 2**64)``. No face is favoured by more than ``sides`` in ``2**64``.

    >>> face_of(0, 6), face_of(2**64 - 1, 6)
    (1, 6)
    """
    return 1 + ((word * sides) >> 64)


class DiceSource(Protocol):
    """Where dice come from. Sources never change; the position is the caller's to keep."""

    def throw(self, position: int, count: int, sides: int, purpose: str) -> tuple[tuple[int, ...], int]:
        """Throw ``count`` dice at ``position``; return their faces and the position after them."""
        ...

    def finish(self, position: int) -> None:
        """Say that no more dice will be thrown.

        Raises:
            ScriptError: when a script has dice left.
        """
        ...


class SeededDice:
    """The stream that a seed determines.

    Args:
        seed: a whole number from 0 to 2**256 - 1.

    Raises:
        BadInput: for a negative or larger seed, and for what is no whole number.
    """

    __slots__ = ("_generator", "_growing", "_words", "seed")
    _BLOCK = 256

    def __init__(self, seed: int) -> None:
        if type(seed) is not int or not 0 <= seed < 2**256:
            said = "out of bounds" if isinstance(seed, int) else f"{reprlib.repr(seed)}"
            raise BadInput(f"the seed is {said}", expected="a whole number from 0 to 2**256 - 1")
        self.seed = seed
        self._generator: np.random.PCG64 | None = None
        self._words: list[int] = []
        self._growing = threading.Lock()

    def throw(self, position: int, count: int, sides: int, purpose: str) -> tuple[tuple[int, ...], int]:
        """See :meth:`DiceSource.throw`; one word of the stream per die, the purpose plays no part."""
        end = position + count
        if len(self._words) < end:
            self._grow(end)
        return tuple([1 + ((word * sides) >> 64) for word in self._words[position:end]]), end

    def _grow(self, end: int) -> None:
        """Draw words up to ``end``: copies of a battle share its stream, and they may be played in several threads."""
        with self._growing:
            if self._generator is None:
                self._generator = np.random.PCG64(self.seed)
            while len(self._words) < end:
                self._words.extend(self._generator.random_raw(self._BLOCK).tolist())

    def finish(self, position: int) -> None:
        """Nothing to check: a seeded stream has no end."""

    def commitment(self) -> str:
        """A hash that commits to the seed without revealing it (SHA-256 of its decimal digits)."""
        return hashlib.sha256(str(self.seed).encode()).hexdigest()

    def __repr__(self) -> str:
        return f"SeededDice({self.seed})"


class Drawing:
    """Draws what a side may not know, for a copy of a battle that has the dice of ``seed``.

    It has a stream of its own, so that what is drawn says nothing of those dice. See
    :class:`~battlewright.core.decisions.RandomSource`.

    >>> draw = Drawing(7); sorted({draw.randrange(3) for _ in range(50)})
    [0, 1, 2]
    """

    __slots__ = ("_dice", "_position")

    def __init__(self, seed: int) -> None:
        digest = hashlib.blake2b(f"drawing {seed}".encode(), digest_size=16).digest()
        self._dice = SeededDice(int.from_bytes(digest, "big"))
        self._position = 0

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 to ``stop - 1``."""
        faces, self._position = self._dice.throw(self._position, 1, stop, "drawing")
        return faces[0] - 1

    def random(self) -> float:
        """A number from 0 up to, not including, 1."""
        return self.randrange(2**53) / 2**53


@dataclass(frozen=True, slots=True)
class ScriptedRoll:
    """What a test or scenario demands of one roll: its purpose and the faces that come up."""

    purpose: str
    faces: tuple[int, ...]


def _scripted(entry: Mapping[str, object], number: int) -> ScriptedRoll:
    purpose, faces = entry.get("purpose"), entry.get("faces")
    if not isinstance(purpose, str) or not isinstance(faces, list | tuple) or not set(map(type, faces)) <= {int}:
        raise ScriptError(f"scripted roll {number} is {reprlib.repr(entry)}; it needs a purpose and a list of faces")
    return ScriptedRoll(purpose, tuple(faces))


class ScriptedDice:
    """A stream written down in advance, one entry per roll; the position counts entries.

    It refuses to run dry, to serve a roll with another purpose or another number of dice, and to be left over.

    Raises:
        ScriptError: for an entry that has no purpose or whose faces are no list of whole numbers.
    """

    __slots__ = ("script",)

    def __init__(self, script: Sequence[ScriptedRoll | Mapping[str, object]]) -> None:
        self.script = tuple(
            entry if isinstance(entry, ScriptedRoll) else _scripted(entry, number)
            for number, entry in enumerate(script, start=1)
        )

    def throw(self, position: int, count: int, sides: int, purpose: str) -> tuple[tuple[int, ...], int]:
        """See :meth:`DiceSource.throw`.

        Raises:
            ScriptError: when the script is dry, or its next entry has another purpose, number of dice or face.
        """
        if position >= len(self.script):
            raise ScriptError(
                f'the script is dry at roll {position + 1}: {count}D{sides} for "{purpose}" were asked for'
            )
        entry = self.script[position]
        if entry.purpose != purpose:
            raise ScriptError(f'roll {position + 1} is for "{purpose}", the script has "{entry.purpose}"')
        if len(entry.faces) != count or not all(1 <= face <= sides for face in entry.faces):
            raise ScriptError(
                f'roll {position + 1} for "{purpose}" throws {count}D{sides}, the script has {list(entry.faces)}'
            )
        return entry.faces, position + 1

    def finish(self, position: int) -> None:
        """See :meth:`DiceSource.finish`."""
        left = self.script[position:]
        if left:
            raise ScriptError(f'{len(left)} scripted rolls are left over, the first for "{left[0].purpose}"')

    def __repr__(self) -> str:
        return f"ScriptedDice({list(self.script)!r})"
