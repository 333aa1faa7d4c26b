"""The windows of a turn: moments at which rules of both players may come into play, and where those come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from battlewright.core.battle import Procedure
from battlewright.editions.eleventh.moments import moment_triggers
from battlewright.editions.eleventh.reacting import reaction_triggers
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import NOBODY
from battlewright.editions.eleventh.stratagems import stratagem_triggers
from battlewright.editions.eleventh.timed import timed_triggers
from battlewright.editions.eleventh.triggers import Occasion, Trigger, resolve_triggers

__all__ = ["SOURCES", "window"]

Source: TypeAlias = Callable[[Battle11, Occasion, int], Iterable[Trigger]]
"""Of an occasion and the unit that it is about (or NOBODY): the rules that are triggered, as things stand."""

SOURCES: tuple[Source, ...] = (moment_triggers, reaction_triggers, timed_triggers, stratagem_triggers)


def window(battle: Battle11, occasion: Occasion, subject: int = NOBODY) -> Procedure[None]:
    """Let both players' rules come into play, in the order of 01.03; nobody is asked where there is nothing to use."""
    yield from resolve_triggers(
        battle,
        lambda: [trigger for source in SOURCES for trigger in source(battle, occasion, subject)],
        occasion,
        subject,
    )
