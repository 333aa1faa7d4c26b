"""The table of rules of the 6th edition, and what each switch changes in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from battlewright.editions.classic.mission_rules import nothing_to_identify
from battlewright.editions.classic.table import Change, ClassicRules, chapter
from battlewright.editions.fourth.table import FOURTH
from battlewright.editions.sixth.assault import ASSAULT
from battlewright.editions.sixth.attack import ATTACK
from battlewright.editions.sixth.characters import CHARACTERS
from battlewright.editions.sixth.flight import FLIGHT
from battlewright.editions.sixth.flyers import exact_span
from battlewright.editions.sixth.missions import MISSION_RULES
from battlewright.editions.sixth.morale import MORALE
from battlewright.editions.sixth.movement import MOVEMENT
from battlewright.editions.sixth.shooting import SHOOTING
from battlewright.editions.sixth.vehicles import VEHICLES

__all__ = ["CHANGES", "SIXTH"]

SIXTH: ClassicRules = replace(
    FOURTH,
    movement=MOVEMENT,
    vehicles=VEHICLES,
    missions=MISSION_RULES,
    attack=ATTACK,
    characters=CHARACTERS,
    shooting=SHOOTING,
    assault=ASSAULT,
    morale=MORALE,
    flight=FLIGHT,
)
"""The edition as it is settled."""

CHANGES: Mapping[tuple[str, str], Change] = {
    ("locked_exact_distance", "on"): chapter("flight", span=exact_span),
    ("mysterious_objectives", "off"): chapter("missions", identify=nothing_to_identify),
}
"""What a switch changes when it stands at a value other than the settled one."""
