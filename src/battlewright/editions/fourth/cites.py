"""Where the rules that shared procedures name by an earlier edition's ids stand in the book of the 4th edition."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["CITES"]

CITES: Mapping[str, str] = MappingProxyType(
    {
        # assault, morale
        "3e.assault-move.within-six": "4e.core.assault.charge-reach",
        "3e.cc-casualties.owner-removes": "4e.core.assault.casualties",
        "3e.core.assault.consolidate-not-into-contact": "4e.core.assault.consolidation",
        "3e.core.assault.may-not-charge": "4e.core.assault.may-not-charge",
        "3e.core.assault.two-special-weapons": "4e.core.weapons.close-combat-pair",
        "3e.core.morale.after-regrouping": "4e.core.morale.regroup",
        "3e.core.morale.regroup": "4e.core.morale.regroup",
        "3e.crossfire.destroyed": "4e.core.morale.trapped",
        "3e.drawn.pile-in": "4e.core.assault.draw",
        "3e.fall-back.charged-fail": "4e.core.morale.charged-while-falling-back",
        "3e.fall-back.direction": "4e.core.morale.fall-back",
        "3e.fall-back.distance": "4e.core.morale.fall-back",
        "3e.fall-back.into-formation": "4e.core.morale.fall-back",
        "3e.fall-back.no-assault": "4e.core.morale.falling-back-acts",
        "3e.fire-morale.quarter": "4e.core.morale.quarter-losses",
        "3e.formation.no-rally": "4e.core.morale.regroup",
        "3e.last-chance.bans-apply": "4e.core.morale.fall-back",
        "3e.last-man.each-turn": "4e.core.morale.last-man",
        "3e.loser-morale.test": "4e.core.assault.result",
        "3e.outside.consolidate-distance": "4e.core.assault.consolidation",
        "3e.outside.fire-then-assault": "4e.core.assault.may-not-charge",
        "3e.outside.half-strength": "4e.core.assault.below-half-modifier",
        "3e.outside.outnumbered": "4e.core.assault.outnumbered-modifier",
        "3e.outside.pinned": "4e.core.assault.may-not-charge",
        "3e.outside.rally-conditions": "4e.core.morale.regroup",
        "3e.outside.who-fights": "4e.core.assault.initiative",
        "3e.result.sum": "4e.core.assault.result",
        "3e.split.any-share": "4e.core.assault.attacks",
        "3e.split.must-different": "4e.core.assault.characters-apart",
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
