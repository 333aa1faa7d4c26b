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
    }
)
