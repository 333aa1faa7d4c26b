"""Reading JSON from strangers: fields of the wrong type count as absent, depth and numbers are bounded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from battlewright.armies.parsed import MAX_WEAPONS
from battlewright.core.errors import ArmyError

__all__ = ["MAX_DEPTH", "as_dict", "as_list", "as_text", "count_of", "dicts"]

MAX_DEPTH = 40
"""How deep selections may be nested."""


def as_dict(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """The value if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """The value if it is a string, else an empty one."""
    return value.strip() if isinstance(value, str) else ""


def dicts(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of an array."""
    return (each for each in as_list(value) if isinstance(each, dict))


def count_of(value: Any, where: str, most: int = MAX_WEAPONS) -> int:
    """A count: at least 1; absent or senseless is 1.

    Raises:
        ArmyError: more than ``most``.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or value < 1:
        return 1
    if value > most:
        raise ArmyError(f"the list counts {value} of one thing, more than {most}", where=where)
    return int(value)
