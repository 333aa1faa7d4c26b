"""The switches of the 6th edition: customary readings and house rules that two players may tick before a game."""

from __future__ import annotations

from pathlib import Path

from battlewright.editions.classic.damage_tables import switch_of
from battlewright.editions.switches import Switch

__all__ = ["SWITCHES"]

_DAMAGE_TABLES = Path(__file__).with_name("damage_tables.yaml")

SWITCHES: tuple[Switch, ...] = (
    Switch(
        "locked_exact_distance",
        ("off", "on"),
        "6e.outside.locked-exact-distance",
        "Whether a flyer with locked velocity repeats the very distance that it flew, rather than its speed",
    ),
    # RULING: 6e.core.missions.mysterious-objectives we read them as part of every mission with objectives; the relic is
    # none of these, for everybody knows what it is.
    Switch(
        "mysterious_objectives",
        ("on", "off"),
        "6e.core.missions.mysterious-objectives",
        "Whether objectives turn out to be something when a unit comes near to them",
    ),
    switch_of(_DAMAGE_TABLES, "6e.outside.damage-table"),
)
