"""Where the rules that shared procedures name by an earlier edition's ids stand in the book of the 4th edition."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["CITES"]

CITES: Mapping[str, str] = MappingProxyType(
    {
        # shooting
        "3e.barrage.contact-ranging": "4e.core.weapons.barrage",
        "3e.barrage.hit-symbol": "4e.core.weapons.barrage",
        "3e.casualties.in-range-only": "4e.core.shooting.casualties",
        "3e.casualties.open-first": "4e.core.shooting.majority-cover",
        "3e.casualties.owner-chooses": "4e.core.shooting.casualties",
        "3e.casualties.visible-only": "4e.core.shooting.casualties",
        "3e.core.missions.night-fighting": "4e.core.missions.night-fighting",
        "3e.core.shooting.one-weapon": "4e.core.shooting.order",
        "3e.core.shooting.order": "4e.core.shooting.order",
        "3e.core.shooting.pinning-test": "4e.core.shooting.pinning",
        "3e.core.shooting.to-hit": "4e.core.shooting.to-hit",
        "3e.core.shooting.to-wound": "4e.core.shooting.to-wound",
        "3e.core.shooting.who-may-fire": "4e.core.shooting.who-may-fire",
        "3e.core.weapons.barrage-scatter": "4e.core.weapons.barrage",
        "3e.core.weapons.blast": "4e.core.weapons.blast",
        "3e.core.weapons.blast-other-units": "4e.core.weapons.blast",
        "3e.core.weapons.gets-hot": "4e.core.weapons.gets-hot",
        "3e.core.weapons.rending": "4e.core.weapons.rending",
        "3e.core.weapons.template": "4e.core.weapons.template",
        "3e.core.weapons.twin-linked": "4e.core.weapons.twin-linked",
        "3e.instant-kill.trigger": "4e.core.shooting.instant-death",
        "3e.instant-kill.unwounded-first": "4e.core.shooting.instant-death",
        "3e.mixed.one-each": "4e.mixed-armour.step-second-round",
        "3e.multi-wound.no-spreading": "4e.core.shooting.whole-models",
        "3e.outside.armour-save": "4e.core.shooting.armour-save",
        "3e.outside.partial-hit": "4e.core.weapons.blast",
        "3e.shooting.target-first": "4e.core.fundamentals.declare-before-measuring",
        "3e.shooting.unit-at-unit": "4e.core.shooting.order",
    }
)
