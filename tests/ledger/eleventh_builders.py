"""Small things of the 11th edition for tests: models and weapons with everything that a rule does not need left out."""

from __future__ import annotations

from battlewright.core import roster
from battlewright.editions.eleventh.datasheet import ModelProfile, WeaponProfile, read_model, read_weapon


def model(
    *keywords: str, abilities: tuple[str, ...] = (), name: str = "Model", **characteristics: object
) -> ModelProfile:
    """A model: T 4, Sv 3+, W 1 unless said otherwise."""
    printed = {"M": '6"', "T": "4", "Sv": "3+", "W": "1", "Ld": "7+", "OC": "1"}
    printed.update({key: str(value) for key, value in characteristics.items()})
    return read_model(
        roster.Model(
            name=name,
            base="32mm",
            height=1.5,
            characteristics=printed,
            keywords=keywords,
            abilities=tuple(roster.Ability(ability) for ability in abilities),
        )
    )


def weapon(*abilities: str, name: str = "Weapon", melee: bool = False, **characteristics: object) -> WeaponProfile:
    """A weapon: A 1, BS or WS 3+, S 4, AP 0, D 1, 24" unless said otherwise."""
    skill = "WS" if melee else "BS"
    printed = {"R": "Melee" if melee else '24"', "A": "1", skill: "3+", "S": "4", "AP": "0", "D": "1"}
    printed.update({key: str(value) for key, value in characteristics.items()})
    return read_weapon(roster.WeaponProfile("", melee, printed, abilities), name)
