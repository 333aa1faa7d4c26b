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
    switch_of(_DAMAGE_TABLES, "6e.outside.damage-table"),
)
