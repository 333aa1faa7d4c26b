"""The switches of the 4th edition: customary readings and house rules that two players may tick before a game."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.editions.classic.armour import DamageTable
from battlewright.editions.classic.damage_tables import switch_of
from battlewright.editions.switches import Switch, resolve_switches

__all__ = ["SWITCHES", "resolve_options"]


def _damage_tables() -> Mapping[str, DamageTable]:
    from battlewright.editions.fourth.damage import TABLES

    return TABLES


SWITCHES: tuple[Switch, ...] = (
    Switch(
        "special_characters",
        ("accepted", "declined"),
        "4e.special-characters.mutual-consent",
        "Whether the players accept special characters",
    ),
    switch_of(_damage_tables, "4e.damage-rolls.three-tables"),
    Switch(
        "terrain_for_vehicles_only",
        ("none", "obstacles"),
        "4e.vehicle-terrain.vehicles-only-terrain",
        "Which terrain is difficult for vehicles only, while infantry crosses it freely",
    ),
    Switch(
        "artillery_range",
        ("crew", "gun"),
        "4e.artillery.range-from-crew",
        "Whether the range of a gun is measured from its crew or from itself",
    ),
)


def resolve_options(chosen: Mapping[str, str]) -> Mapping[str, str]:
    """Every switch with its value: what the players have ticked, else the settled reading.

    Raises:
        BadInput: for an unknown switch or value.
    """
    return resolve_switches(SWITCHES, chosen, "4th edition")
