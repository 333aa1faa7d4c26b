"""The mission cards of the 11th edition: five files of primary ones by disposition, and the secondary ones."""

from battlewright.editions.eleventh.cards import (
    disruption,
    priority_assets,
    purge_the_foe,
    reconnaissance,
    take_and_hold,
)
from battlewright.editions.eleventh.cards.primary import PRIMARIES, PrimaryCard

__all__ = [
    "PRIMARIES",
    "PrimaryCard",
    "disruption",
    "priority_assets",
    "purge_the_foe",
    "reconnaissance",
    "take_and_hold",
]
