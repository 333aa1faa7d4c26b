"""What the server and its worker processes say to each other: pickled tuples with their length before them.

Both ends are this program, over a pair of sockets that nothing else holds; nothing from outside is ever unpickled.
"""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import Any

__all__ = ["LENGTH", "Failure", "Missing", "pack", "unpack"]

LENGTH = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Failure:
    """In place of a result: what was wrong with the input, or a fault of ours.

    Attributes:
        is_input: whether whoever asked is to blame, so that the text is for him.
    """

    text: str
    is_input: bool = False
    where: str = ""
    expected: str = ""
    nearest: str | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """In place of a result: the worker does not hold that battle, or only a part of it; it has to be sent anew."""


def pack(value: Any) -> bytes:
    """A value with its length before it."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(data)) + data


def unpack(data: bytes | bytearray | memoryview) -> Any:
    """The value of a frame without its length."""
    return pickle.loads(data)
