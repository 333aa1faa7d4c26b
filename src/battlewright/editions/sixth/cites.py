"""Where the rules that shared procedures name by an earlier edition's ids stand in the book of the 6th edition."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["CITES"]

CITES: Mapping[str, str] = MappingProxyType(
    {
        # characters, special rules, psychic powers
        "3e.char-leaders.no-leaving": "6e.core.characters.joining",
        "3e.char-leaders.orphan": "6e.core.characters.joining",
        "3e.char-units.declare": "6e.core.characters.joining",
        "3e.char-units.join": "6e.core.characters.joining",
        "3e.char-units.joined-formation": "6e.core.characters.joining",
        "3e.char-units.leave": "6e.core.characters.joining",
        "3e.char-units.only-movement": "6e.core.characters.joining",
        "3e.characters.upgrade": "6e.core.characters.joining",
        "3e.core.characters.hood": "6e.core.characters.deny-the-witch",
        "3e.core.characters.joining": "6e.core.characters.joining",
        "3e.core.characters.perils": "6e.core.characters.perils",
        "3e.core.characters.psychic-test": "6e.core.characters.psychic-test",
        "3e.core.traits.furious-charge": "6e.core.special-rules.furious-charge",
        "3e.core.traits.master-crafted": "6e.core.weapons.master-crafted",
        "3e.core.traits.tank-hunters": "6e.core.special-rules.tank-hunters",
        "3e.core.units.hit-and-run": "6e.core.special-rules.hit-and-run",
        "4e.feel-no-pain.roll": "6e.core.special-rules.feel-no-pain",
        # shooting
        "3e.barrage.contact-ranging": "6e.core.weapons.barrage-battery",
        "3e.barrage.hit-symbol": "6e.core.weapons.barrage-battery",
        "3e.casualties.in-range-only": "6e.core.shooting.out-of-sight",
        "3e.casualties.owner-chooses": "6e.core.shooting.allocation",
        "3e.casualties.visible-only": "6e.core.shooting.out-of-sight",
        "3e.core.missions.night-fighting": "6e.core.shooting.night-fighting",
        "3e.core.shooting.one-weapon": "6e.core.weapons.one-weapon",
        "3e.core.shooting.order": "6e.core.shooting.order",
        "3e.core.shooting.pinning-test": "6e.core.weapons.pinning",
        "3e.core.shooting.to-hit": "6e.core.shooting.to-hit",
        "3e.core.shooting.to-wound": "6e.core.shooting.to-wound",
        "3e.core.shooting.who-may-fire": "6e.core.shooting.who-may-fire",
        "3e.core.weapons.barrage-scatter": "6e.core.weapons.barrage",
        "3e.core.weapons.blast": "6e.core.weapons.blast",
        "3e.core.weapons.blast-other-units": "6e.core.weapons.blast",
        "3e.core.weapons.gets-hot": "6e.core.weapons.gets-hot",
        "3e.core.weapons.template": "6e.core.weapons.template",
        "3e.core.weapons.twin-linked": "6e.core.weapons.twin-linked",
        "3e.instant-kill.trigger": "6e.core.shooting.instant-death",
        "3e.outside.armour-save": "6e.core.shooting.saves",
        "3e.outside.partial-hit": "6e.core.weapons.blast",
        "3e.shooting.target-first": "6e.core.shooting.target",
        "3e.shooting.unit-at-unit": "6e.core.shooting.target",
        # movement
        "3e.core.missions.deep-strike": "6e.core.missions.deep-strike",
        "3e.core.missions.infiltrators": "6e.core.special-rules.infiltrate",
        "3e.core.missions.reserves": "6e.core.missions.reserves",
        "3e.core.missions.set-up": "6e.core.missions.set-up-order",
        "3e.core.movement.dangerous-by-type": "6e.core.movement.dangerous-terrain",
        "3e.core.movement.fleet": "6e.core.movement.run",
        "3e.core.movement.not-through-friends": "6e.core.movement.one-inch",
        "3e.core.movement.terrain-classes": "6e.core.movement.impassable",
        "3e.core.turn.start": "6e.core.turn.start",
        "3e.formation.checked-end-of-movement": "6e.core.fundamentals.coherency",
        "3e.formation.two-inch": "6e.core.fundamentals.coherency",
        "3e.jump.not-over-enemies": "6e.core.movement.one-inch",
        "3e.movement.one-inch-movement": "6e.core.movement.one-inch",
        "3e.movement.six": "6e.core.movement.infantry",
        "3e.terms.phases": "6e.core.turn.sequence",
        "3e.terrain.test": "6e.core.movement.difficult-terrain",
        "4e.core.movement.dangerous-terrain": "6e.core.movement.dangerous-terrain",
    }
)
