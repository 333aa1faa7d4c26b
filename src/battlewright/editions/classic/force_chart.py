"""Force organisation: the slots of an army list, how many choices of each an army has, the order of deployment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule

__all__ = ["DEPLOYMENT_ORDER", "STANDARD", "ForceChart", "Slot", "chart_faults", "choices", "next_slot", "slot_of"]


class Slot(StrEnum):
    """The sorts of choice in an army list, as keywords name them."""

    HQ = "HQ"
    ELITES = "ELITES"
    TROOPS = "TROOPS"
    FAST_ATTACK = "FAST ATTACK"
    HEAVY_SUPPORT = "HEAVY SUPPORT"

    @property
    def printed(self) -> str:
        """The slot as army lists print it: ``"HQ"``, ``"Fast Attack"``."""
        return self.value if self is Slot.HQ else self.value.title()


DEPLOYMENT_ORDER = (Slot.HEAVY_SUPPORT, Slot.TROOPS, Slot.ELITES, Slot.HQ, Slot.FAST_ATTACK)
"""The order in which the players, taking turns, set their units up."""


@dataclass(frozen=True, slots=True)
class ForceChart:
    """How many choices of each slot an army may have.

    Attributes:
        limits: the least and the most of each slot.
        rule: the rule that sets them.
    """

    limits: Mapping[Slot, tuple[int, int]]
    rule: str


STANDARD = ForceChart(
    {
        Slot.HQ: (1, 2),
        Slot.ELITES: (0, 3),
        Slot.TROOPS: (2, 6),
        Slot.FAST_ATTACK: (0, 3),
        Slot.HEAVY_SUPPORT: (0, 3),
    },
    "3e.core.missions.force-charts",
)
"""The chart of standard missions."""


@rule("3e.terms.unit")
def slot_of(models: Iterable[Collection[str]]) -> Slot | None:
    """The slot of a unit by the keywords of its models; None for one that uses up no choice (a bought transport)."""
    for keywords in models:
        for slot in Slot:
            if slot.value in keywords:
                return slot
    return None


@rule("3e.terms.unit", "3e.core.missions.force-charts")
def choices(units: Iterable[Iterable[Collection[str]]]) -> Counter[Slot]:
    """How many choices of each slot an army uses up: every unit one, however many models it has.

    Args:
        units: for each unit the keywords of its models.
    """
    found = (slot_of(models) for models in units)
    return Counter(slot for slot in found if slot is not None)


@rule("3e.core.missions.force-charts", "4e.core.missions.force-chart")
def chart_faults(chart: ForceChart, used: Mapping[Slot, int]) -> list[Violation]:
    """Why an army does not fit a chart; nothing when it does."""
    found = []
    for slot, (least, most) in chart.limits.items():
        number = used.get(slot, 0)
        if not least <= number <= most:
            found.append(Violation(chart.rule, f"{number} of {slot.printed}; the chart has {least} to {most}"))
    return found


@rule("3e.core.missions.set-up")
def next_slot(left: Collection[Slot | None]) -> Slot | None:
    """The slot that a player sets a unit up of next: the first in order that he has any left of.

    Args:
        left: slots of his units that are not set up; those without one (None) come last.
    """
    return next((slot for slot in DEPLOYMENT_ORDER if slot in left), None)
