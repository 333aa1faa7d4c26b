"""Our own table of what no data gives: hull footprints, missing bases, and heights."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import yaml

from battlewright.armies.names import loose_key

__all__ = ["Assumptions", "assumptions"]

_MM_PER_INCH = 25.4
_SIZE = re.compile(r"\d+(?:\.\d+)?")


class Assumptions:
    """Look-ups in the table, by the name of a unit first and by its keywords after that."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._bases = {loose_key(name): str(base) for name, base in table["bases"].items()}
        self._heights = {loose_key(name): float(height) for name, height in table["heights"].items()}
        self._detachments = {loose_key(name) for name in table["detachments"]}
        self._small_flying: str = table["small_flying"]
        self._bases_by_keyword: Sequence[tuple[str, str]] = table["bases_by_keyword"]
        self._heights_by_keyword: Sequence[tuple[str, Sequence[tuple[float, float]]]] = table["heights_by_keyword"]

        classic = table["classic"]
        self._classic_bases = {loose_key(name): str(base) for name, base in classic["bases"].items()}
        self._classic_bases_by_keyword: Sequence[tuple[str, str]] = classic["bases_by_keyword"]
        self._classic_heights = {loose_key(name): float(height) for name, height in classic["heights"].items()}
        self._classic_heights_by_keyword: Sequence[tuple[str, float]] = classic["heights_by_keyword"]

    def classic_base(self, names: Sequence[str], keywords: Sequence[str]) -> str:
        """The assumed base of a model of the classic editions.

        Args:
            names: what it is called, the closest name first: its profile's, its own, its unit's.
            keywords: in capitals.
        """
        for name in map(loose_key, names):
            common = self._bases.get(name, "")
            if found := self._classic_bases.get(name, common if common.startswith("hull") else ""):
                return found
        return next(base for keyword, base in self._classic_bases_by_keyword if not keyword or keyword in keywords)

    def classic_height(self, names: Sequence[str], base: str, keywords: Sequence[str]) -> float:
        """The assumed height in inches of a model of the classic editions; see :meth:`classic_base`."""
        for name in map(loose_key, names):
            common = self._heights.get(name) if base.startswith("hull") else None
            if found := self._classic_heights.get(name, common):
                return found
        return next(high for keyword, high in self._classic_heights_by_keyword if not keyword or keyword in keywords)

    def knows_detachment(self, name: str) -> bool:
        """Whether a detachment of that name exists though the data does not hold it."""
        return loose_key(name) in self._detachments

    def named(self, unit: str) -> bool:
        """Whether the table of bases holds the unit by name."""
        return loose_key(unit) in self._bases

    def base(self, unit: str, keywords: Sequence[str], record: Mapping[str, Any] | None = None) -> str:
        """The assumed base of a unit's models, in the text form of the core.

        Args:
            unit: the datasheet's name.
            keywords: in capitals.
            record: what the data says of the base without giving its size, if anything.
        """
        if found := self._bases.get(loose_key(unit)):
            return found
        if record and record.get("shape") == "flying-base":
            return self._small_flying
        return next(base for keyword, base in self._bases_by_keyword if not keyword or keyword in keywords)

    def height(self, unit: str, base: str, keywords: Sequence[str]) -> float:
        """The assumed height in inches of a unit's models."""
        if found := self._heights.get(loose_key(unit)):
            return found
        size = max(map(float, _SIZE.findall(base))) * (_MM_PER_INCH if base.startswith("hull") else 1)
        steps = next(steps for keyword, steps in self._heights_by_keyword if not keyword or keyword in keywords)
        return float(next((height for most, height in steps if size <= most), steps[-1][1]))


@cache
def assumptions() -> Assumptions:
    """The table, read once."""
    text = resources.files("battlewright.armies").joinpath("assumed.yaml").read_text(encoding="utf-8")
    return Assumptions(yaml.load(text, Loader=yaml.CSafeLoader))
