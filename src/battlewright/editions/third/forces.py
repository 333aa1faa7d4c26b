"""The force charts of the 3rd edition's missions."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.core.errors import BadInput
from battlewright.core.rulebook import rule
from battlewright.editions.classic.force_chart import STANDARD, ForceChart, Slot

__all__ = ["CHARTS", "chart_of"]

_RULE = "3e.core.missions.force-charts"


def _chart(hq: str, elites: str, troops: str, fast: str, heavy: str) -> ForceChart:
    """A chart from ranges such as ``1-2``, in the order HQ, Elites, Troops, Fast Attack, Heavy Support."""
    ranges = {}
    for slot, text in zip(Slot, (hq, elites, troops, fast, heavy), strict=True):
        least, most = text.split("-")
        ranges[slot] = (int(least), int(most))
    return ForceChart(ranges, _RULE)


CHARTS: Mapping[str, ForceChart] = {
    "standard": STANDARD,
    "battle attacker": _chart("1-2", "0-3", "1-6", "0-3", "1-3"),
    "battle defender": _chart("1-2", "0-2", "2-6", "0-1", "0-3"),
    "raid attacker": _chart("0-2", "0-3", "1-5", "0-3", "0-1"),
    "raid defender": _chart("0-1", "0-1", "2-6", "0-1", "0-2"),
    "breakthrough attacker": _chart("0-2", "1-2", "1-5", "0-3", "0-3"),
    "breakthrough defender": _chart("0-1", "0-2", "2-6", "0-1", "0-2"),
}
"""Which choices an army may have, by mission and part in it."""


@rule("3e.core.missions.force-charts")
def chart_of(name: str) -> ForceChart:
    """The force chart of that name.

    Raises:
        BadInput: for an unknown name.
    """
    key = " ".join(name.lower().replace("-", " ").replace(",", " ").split())
    if key not in CHARTS:
        raise BadInput(f'there is no force chart "{name}"', expected=" or ".join(sorted(CHARTS)))
    return CHARTS[key]
