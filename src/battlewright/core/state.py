"""What changes during a battle: positions, wounds, flags, scores, and where in the turn the battle stands.

Arrays hold what is per model, one small slotted object per unit holds the rest, and ids stand instead of references.
Everything else in a state is an immutable plain value (int, str, bool, None, tuple, frozenset), so that a copy takes
microseconds and a checksum has one canonical form. Editions derive their own state and unit state from those here.

Profiles, terrain and the like never change and stand in the edition's *scene*, which copies share.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import operator
import re
import struct
from collections.abc import Callable
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from battlewright.core.decisions import SIDES, Side

__all__ = ["State", "UnitState", "checksum", "plain", "stateful"]

T = TypeVar("T")
StateT = TypeVar("StateT", bound="State")


_MUTABLE = re.compile(r"NDArray|ndarray|\b(list|dict|set|deque|bytearray)\b")


def stateful(cls: type[T]) -> type[T]:
    """Give a slotted dataclass a generated ``copy()``.

    Arrays, lists and dicts are copied, ``list[...]`` fields marked ``metadata={"each": True}`` element by element
    with their own ``copy()``; every other value is shared and must be immutable.

    Raises:
        TypeError: for a field whose type is mutable in a way that the copy would share.

    >>> @stateful
    ... @dataclasses.dataclass(slots=True)
    ... class Score:
    ...     points: list[int]
    >>> mine = Score([1]); yours = mine.copy(); yours.points.append(2); mine.points
    [1]
    """
    lines = ["def copy(self):", "    new = cls.__new__(cls)"]
    for field in dataclasses.fields(cls):  # type: ignore[arg-type]
        kind, name = str(field.type), field.name
        if field.metadata.get("each"):
            value = f"[item.copy() for item in self.{name}]"
        elif kind.startswith(("NDArray[", "list[", "dict[")) and "|" not in kind:
            value = f"self.{name}.copy()"
        elif _MUTABLE.search(kind):
            raise TypeError(f"{cls.__name__}.{name}: copies would share a {kind}")
        else:
            value = f"self.{name}"
        lines.append(f"    new.{name} = {value}")
    lines.append("    return new")
    namespace: dict[str, Any] = {"cls": cls}
    exec("\n".join(lines), namespace)  # generated from our own field names only
    copy: Callable[[T], T] = namespace["copy"]
    copy.__doc__ = "An independent copy; immutable values are shared."
    cls.copy = copy  # type: ignore[attr-defined]
    return cls


@stateful
@dataclasses.dataclass(slots=True)
class UnitState:
    """What changes about one unit, in every edition.

    Attributes:
        side: whose unit it is.
        models: the rows of its models, destroyed ones included; changes only when units join or part.
    """

    side: Side
    models: tuple[int, ...]

    def copy(self) -> UnitState:
        """An independent copy (replaced by the generated one)."""
        raise NotImplementedError


@stateful
@dataclasses.dataclass(slots=True)
class State:
    """What changes about a battle, in every edition. Models are rows, in the order of the armies.

    Attributes:
        position: (n, 4) int32: x, y, z in thousandths of an inch, facing in thousandths of a degree.
        wounds: (n,) int16: wounds remaining, 0 for a destroyed model.
        on_table: (n,) bool: whether the model stands on the battlefield.
        units: one object per unit, in the order of the armies.
        dice: how far the stream of dice has been used.
        round: the battle round, 0 before the first.
        turn: whose turn it is.
        phase: name of the present phase; the edition's own.
        step: the step within the phase, 0 before its start has been worked through.
        vp: victory points of each side.
    """

    position: NDArray[np.int32]
    wounds: NDArray[np.int16]
    on_table: NDArray[np.bool_]
    units: list[Any] = dataclasses.field(metadata={"each": True})
    dice: int = 0
    round: int = 0
    turn: Side = SIDES[0]
    phase: str = ""
    step: int = 0
    vp: tuple[int, int] = (0, 0)

    def copy(self: StateT) -> StateT:
        """An independent copy (replaced by the generated one)."""
        raise NotImplementedError

    def begin(self, step: int = 1) -> bool:
        """Enter ``step`` of the phase unless it has been entered already.

        What this guards must contain no checkpoint: a battle re-entered later finds the step begun and goes past it.
        """
        if self.step >= step:
            return False
        self.step = step
        return True


stateful(UnitState)
stateful(State)


def plain(value: object) -> Any:
    """The JSON form of a state or of a part of it, floats and NumPy scalars refused.

    Raises:
        TypeError: for a value that has no canonical form.
    """
    kind = type(value)
    if value is None or kind is bool or kind is int or kind is str:
        return value
    if kind is tuple or kind is list:
        return [plain(item) for item in value]  # type: ignore[attr-defined]
    if kind is frozenset:
        return sorted(plain(item) for item in value)  # type: ignore[attr-defined]
    if kind is dict:
        return {str(key): plain(item) for key, item in sorted(value.items())}  # type: ignore[attr-defined]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, str):  # members of a StrEnum
        return str(value)
    if isinstance(value, int) and not isinstance(value, np.integer):  # members of an IntEnum
        return int(value)
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    raise TypeError(f"{value!r} of type {kind.__name__} has no canonical form")


def checksum(state: State) -> str:
    """Sixteen hexadecimal digits that two equal states share.

    Digests canonical bytes: arrays as little-endian integers, everything else as JSON with sorted keys. Never
    ``hash()``, which differs from process to process. A state holds no floats; to look for them here would cost more
    than the checksum, so :func:`plain` refuses them in the tests that play battles.
    """
    digest = hashlib.blake2b(digest_size=8)
    rest: dict[str, Any] = {}
    for field in dataclasses.fields(state):
        value = getattr(state, field.name)
        if isinstance(value, np.ndarray):
            digest.update(field.name.encode())
            digest.update(value.astype(value.dtype.newbyteorder("<"), copy=False).tobytes())
        elif field.metadata.get("each") and len(set(map(type, value))) == 1:
            digest.update(b"%s %d" % (field.name.encode(), len(value)))
            names, read = _reader(type(value[0]))
            for name, column in zip(names, zip(*map(read, value), strict=True), strict=True):
                digest.update(b" %s " % name.encode())
                digest.update(_column(column))
        else:
            rest[field.name] = value
    digest.update(_canonical(rest))
    return digest.hexdigest()


def _column(values: tuple[Any, ...]) -> bytes:
    """One field of all units: truth values a byte each, whole numbers eight bytes, everything else as JSON."""
    kinds = set(map(type, values))
    if kinds == {bool}:
        return b"b" + bytes(values)
    if bool not in kinds and all(issubclass(kind, int) for kind in kinds):
        return b"i" + _packed(values)
    if kinds == {tuple}:
        flat = tuple(chain.from_iterable(values))
        if set(map(type, flat)) <= {int}:
            return b"t" + _packed(tuple(map(len, values))) + b" " + _packed(flat)
    if kinds == {frozenset} and not any(values):
        return b"e"
    return b"j" + _canonical(values)


def _packed(numbers: tuple[int, ...]) -> bytes:
    try:
        return struct.pack(f"<{len(numbers)}q", *numbers)
    except struct.error:
        return b"j" + _canonical(numbers)


def _canonical(value: object) -> bytes:
    return json.dumps(value, default=_fields, sort_keys=True, separators=(",", ":")).encode()


def _fields(value: object) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, name) for name in _reader(type(value))[0]]
    return plain(value)


_READERS: dict[type, tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]] = {}


def _reader(kind: type) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The names of a dataclass's fields, and what reads them all at once; a unit has two at least, so as a tuple."""
    if kind not in _READERS:
        names = tuple(field.name for field in dataclasses.fields(kind))
        _READERS[kind] = names, operator.attrgetter(*names)
    return _READERS[kind]
