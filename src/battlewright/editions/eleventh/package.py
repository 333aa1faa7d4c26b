"""The 11th edition's data package as plain records, read when something in it is first asked for.

The package ``wh40kdc`` carries units, detachments, enhancements, terrain layouts and more. What stands here are its
records as they are; whoever uses them says what they mean to us.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

__all__ = ["Record", "package_version", "records"]

Record: TypeAlias = Mapping[str, Any]
"""One record of the data package."""


def records(collection: str) -> Sequence[Record]:
    """The records of one collection: ``"terrain_layouts"``, ``"detachments"``, ...; empty for an unknown one."""
    found: Sequence[Record] = _raw().get(collection, ())
    return found


def package_version() -> str:
    """The version of the data package."""
    from wh40kdc import __version__

    return str(__version__)


@cache
def _raw() -> Mapping[str, Any]:
    """All records, loaded once, the garbage collector paused (a quarter of a second)."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        from wh40kdc.data.bundle import raw_data

        raw: Mapping[str, Any] = raw_data()
        return raw
    finally:
        if collecting:
            gc.enable()
