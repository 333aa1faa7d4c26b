"""The switches of the 4th edition: customary readings and house rules that two players may tick before a game."""

from __future__ import annotations

from pathlib import Path

from battlewright.editions.classic.damage_tables import switch_of
from battlewright.editions.switches import Switch

__all__ = ["SWITCHES"]

_DAMAGE_TABLES = Path(__file__).with_name("damage_tables.yaml")

SWITCHES: tuple[Switch, ...] = (
    Switch(
        "special_characters",
        ("accepted", "declined"),
        "4e.special-characters.mutual-consent",
        "Whether the players accept special characters",
    ),
    switch_of(_DAMAGE_TABLES, "4e.damage-rolls.three-tables"),
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
    Switch(
        "death_or_glory",
        ("immobilised-stops", "by-the-letter"),
        "4e.death-or-glory.success",
        "Whether a tank that is immobilised by the model in its path stops before it, or crushes it",
    ),
    Switch(
        "stubborn",
        ("as-fearless", "no-modifiers"),
        "4e.stubborn.as-fearless",
        "Whether the stubborn pass morale tests by themselves, or take them at their full Leadership",
    ),
)
