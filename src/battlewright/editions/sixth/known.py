"""Vehicles and upgrades that everybody knows by name, with their profiles: for questions that name them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from battlewright.core.rulebook import rule

__all__ = ["VEHICLES", "spelled_attack", "spelled_target"]

_FLYER = "FLYER, HOVER"

VEHICLES: Mapping[str, str] = MappingProxyType(
    {
        "Land Raider": "AV 14/14/14 HP4 {TANK, TRANSPORT 10}",
        "Rhino": "AV 11/11/10 HP3 {TANK, TRANSPORT 10}",
        "Razorback": "AV 11/11/10 HP3 {TANK, TRANSPORT 6}",
        "Predator": "AV 13/11/10 HP3 {TANK}",
        "Ork Trukk": "AV 10/10/10 HP3 {FAST, OPEN-TOPPED, TRANSPORT 12}",
        "Battlewagon": "AV 14/12/10 HP4 {TANK, OPEN-TOPPED, TRANSPORT 20}",
        "Chimera": "AV 12/10/10 HP3 {TANK, TRANSPORT 12}",
        "Scout Sentinel": "AV 10/10/10 HP2 WS3 {WALKER, OPEN-TOPPED}",
        "Armoured Sentinel": "AV 12/10/10 HP2 WS3 {WALKER}",
        "Dreadnought": "AV 12/12/10 HP3 WS4 {WALKER}",
        "Defiler": "AV 12/12/10 HP4 WS3 {WALKER}",
        "Killa Kan": "AV 11/11/10 HP2 WS2 {WALKER}",
        "Wave Serpent": "AV 12/12/10 HP3 {FAST, SKIMMER, TANK, TRANSPORT 12}",
        "Falcon": "AV 12/12/10 HP3 {FAST, SKIMMER, TANK, TRANSPORT 6}",
        "Vyper": "AV 10/10/10 HP2 {FAST, OPEN-TOPPED, SKIMMER}",
        "Land Speeder": "AV 10/10/10 HP2 {FAST, SKIMMER}",
        "Raider": "AV 10/10/10 HP3 {FAST, OPEN-TOPPED, SKIMMER, TRANSPORT 10}",
        "Valkyrie": f"AV 12/12/10 HP3 {{{_FLYER}, TRANSPORT 12}}",
        "Vendetta": f"AV 12/12/10 HP3 {{{_FLYER}, TRANSPORT 12}}",
        "Stormraven": f"AV 12/12/12 HP3 {{{_FLYER}, TRANSPORT 12}}",
        "Night Scythe": "AV 11/11/11 HP3 {FLYER, TRANSPORT 15}",
        "Doom Scythe": "AV 11/11/11 HP3 {FLYER}",
        "Command Barge": "AV 11/11/11 HP3 {CHARIOT, FAST, OPEN-TOPPED, SKIMMER}",
    }
)
"""The armour, hull points and types of vehicles, as questions spell them."""

_UPGRADES: Mapping[str, str] = MappingProxyType({"HUNTER-KILLER MISSILE": "A1 S8 AP3 [HEAVY 1, ONE SHOT]"})


@rule("6e.outside.unit-profiles")
def spelled_target(text: str) -> str:
    """A target in full: the profile of a vehicle that is known by its name; anything else as it is.

    >>> spelled_target("Land Raider")
    'AV 14/14/14 HP4 {TANK, TRANSPORT 10}'
    """
    named = {name.upper(): profile for name, profile in VEHICLES.items()}
    return named.get(text.strip().upper(), text)


@rule("6e.outside.hunter-killer-profile")
def spelled_attack(text: str) -> str:
    """An attack in full: of a hunter-killer missile, whose range has no limit, by its name; anything else as it is.

    >>> spelled_attack("BS4 Hunter-killer missile")
    'BS4 A1 S8 AP3 [HEAVY 1, ONE SHOT]'
    """
    for name, profile in _UPGRADES.items():
        place = text.upper().find(name)
        if place >= 0:
            return text[:place] + profile + text[place + len(name) :]
    return text
