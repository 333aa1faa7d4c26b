"""Where the rules that shared procedures name by an earlier edition's ids stand in the book of the 4th edition."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["CITES"]

CITES: Mapping[str, str] = MappingProxyType({})
