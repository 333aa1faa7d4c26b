"""The table of rules of the 4th edition, and what each switch changes in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from battlewright.editions.classic.artillery import range_from_gun
from battlewright.editions.classic.powers import POWERS
from battlewright.editions.classic.psychic import with_powers
from battlewright.editions.classic.table import Change, ClassicRules, chapter
from battlewright.editions.fourth import characters
from battlewright.editions.fourth.assault import ASSAULT
from battlewright.editions.fourth.attack import ATTACK
from battlewright.editions.fourth.missions import MISSION_RULES
from battlewright.editions.fourth.morale import MORALE
from battlewright.editions.fourth.movement import MOVEMENT
from battlewright.editions.fourth.shooting import SHOOTING
from battlewright.editions.fourth.special_rules import SPECIAL_RULES, UNSHAKEN
from battlewright.editions.fourth.vehicles import VEHICLES, crushed_by_the_letter, obstacles_for_vehicles_only
from battlewright.editions.third.table import THIRD

__all__ = ["CHANGES", "FOURTH"]

FOURTH: ClassicRules = replace(
    THIRD,
    movement=MOVEMENT,
    assault=ASSAULT,
    morale=MORALE,
    vehicles=VEHICLES,
    attack=ATTACK,
    characters=characters.CHARACTERS,
    shooting=SHOOTING,
    missions=MISSION_RULES,
)
"""The edition as it is settled."""


def _obstacles_for_vehicles_only(rules: ClassicRules) -> ClassicRules:
    movement = replace(rules.vehicles.movement, for_vehicles_only=obstacles_for_vehicles_only)
    return replace(rules, vehicles=replace(rules.vehicles, movement=movement))


def _crushed_by_the_letter(rules: ClassicRules) -> ClassicRules:
    tank_shock = replace(rules.vehicles.tank_shock, is_crushed=crushed_by_the_letter)
    return replace(rules, vehicles=replace(rules.vehicles, tank_shock=tank_shock))


CHANGES: Mapping[tuple[str, str], Change] = {
    ("special_characters", "declined"): chapter("characters", why_not_fielded=characters.without_consent),
    ("artillery_range", "gun"): chapter("shooting", battery_range=range_from_gun),
    ("terrain_for_vehicles_only", "obstacles"): _obstacles_for_vehicles_only,
    ("death_or_glory", "by-the-letter"): _crushed_by_the_letter,
    ("stubborn", "no-modifiers"): chapter(
        "characters", special_rules=with_powers({**SPECIAL_RULES, "STUBBORN": UNSHAKEN}, POWERS)
    ),
}
"""What a switch changes when it stands at a value other than the settled one."""
