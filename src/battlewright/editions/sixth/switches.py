"""The switches of the 6th edition: customary readings and house rules that two players may tick before a game."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.editions.classic.armour import DamageTable
from battlewright.editions.classic.damage_tables import switch_of
from battlewright.editions.switches import Switch, resolve_switches

__all__ = ["SWITCHES", "resolve_options"]


def _damage_tables() -> Mapping[str, DamageTable]:
    from battlewright.editions.sixth.damage import TABLES

    return TABLES


SWITCHES: tuple[Switch, ...] = (
    Switch(
        "locked_exact_distance",
        ("off", "on"),
        "6e.outside.locked-exact-distance",
        "Whether a flyer with locked velocity repeats the very distance that it flew, rather than its speed",
    ),
    switch_of(_damage_tables, "6e.outside.damage-table"),
)


def resolve_options(chosen: Mapping[str, str]) -> Mapping[str, str]:
    """Every switch with its value: what the players have ticked, else the settled reading.

    Raises:
        BadInput: for an unknown switch or value.
    """
    return resolve_switches(SWITCHES, chosen, "6th edition")
