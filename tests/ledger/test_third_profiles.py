"""Profiles, unit types and characters of the 3rd edition as lists state them."""

from __future__ import annotations

import pytest

from battlewright.core.errors import ProfileError
from battlewright.editions.classic.profiles import Armour, CharacterKind, Facing, Kind, character_kind, kind_of
from battlewright.editions.classic.target import kills_outright
from battlewright.editions.classic.weapons import AbilityName, WeaponType, parse_ability
from support.classic import model, weapon


@pytest.mark.rule("3e.terms.unit-types")
def test_a_unit_without_a_type_is_refused() -> None:
    assert kind_of(["ORKS", "BIKE"]) is Kind.BIKE
    assert kind_of(["INFANTRY", "JUMP TROOPS"]) is Kind.JUMP
    with pytest.raises(ProfileError, match="unit type"):
        model("ORKS")


@pytest.mark.rule("3e.core.fundamentals.profile")
def test_a_living_model_and_a_vehicle() -> None:
    ork = model(WS=4, BS=2, S=3, T=4, W=1, I=2, A=2, Ld=7, Sv="6+", name="Ork")
    assert (ork.weapon_skill, ork.ballistic_skill, ork.attacks, ork.save) == (4, 2, 2, 6)
    assert ork.invulnerable is None
    walker = model("VEHICLE", "WALKER", WS=4, BS=4, S=6, I=4, A=2, AV="12/12/10")
    assert walker.armour == Armour(12, 12, 10)
    assert [walker.armour.of(facing) for facing in Facing] == [12, 12, 10]
    assert (walker.strength, walker.toughness) == (6, 0)
    for fault in ({"T": "12"}, {"T": "-"}, {"WS": "11"}, {"Sv": "3"}):
        with pytest.raises(ProfileError):
            model(**fault)
    with pytest.raises(ProfileError, match="AV"):
        model("VEHICLE", AV="13")


@pytest.mark.rule("3e.core.units.bike-toughness", "3e.instant-kill.base-toughness")
def test_the_toughness_of_a_bike_does_not_save_its_rider_from_instant_death() -> None:
    rider = model("BIKE", T="4(5)")
    assert (rider.toughness, rider.base_toughness) == (5, 4)
    assert kills_outright(8, rider.base_toughness)
    assert not kills_outright(8, rider.toughness)


@pytest.mark.rule("3e.characters.described", "3e.characters.independent")
def test_a_model_described_as_independent_is_one() -> None:
    captain = model("INFANTRY", "INDEPENDENT CHARACTER")
    assert captain.is_independent
    assert character_kind(captain.keywords, with_retinue=True) is CharacterKind.INDEPENDENT


@pytest.mark.rule("3e.characters.retinue")
def test_with_a_bodyguard_he_is_only_a_character() -> None:
    keywords = ["INFANTRY", "INDEPENDENT WITHOUT RETINUE"]
    assert character_kind(keywords, with_retinue=True) is CharacterKind.UPGRADE
    assert character_kind(keywords, with_retinue=False) is CharacterKind.INDEPENDENT


@pytest.mark.rule("3e.characters.bought-upgrade", "3e.characters.upgrade")
def test_a_special_type_bought_for_a_unit_is_a_character() -> None:
    exarch = model("INFANTRY", "CHARACTER", name="Exarch")
    assert exarch.is_character
    assert not exarch.is_independent
    assert not model().is_character


def test_weapons_are_read_with_their_types() -> None:
    bolter = weapon("rapid fire", S=4, AP=5)
    assert (bolter.type, bolter.range, bolter.ap) == (WeaponType.RAPID_FIRE, 24.0, 5)
    cannon = weapon("HEAVY 3", "TWIN-LINKED", S=5, AP="-", R='36"')
    assert (cannon.type, str(cannon.shots), cannon.ap) == (WeaponType.HEAVY, "3", None)
    assert cannon.has(AbilityName.TWIN_LINKED)
    fist = weapon("POWER FIST", melee=True)
    assert fist.melee
    assert fist.strength.of(4) == 4
    assert weapon(melee=True, S="+2").strength.of(9) == 10
    assert weapon(melee=True, S="x2").strength.of(4) == 8
    assert weapon("HEAVY D6").shots.maximum == 6
    assert parse_ability("Poisoned 2+") == parse_ability("poison 2")
    assert weapon("SHINY").unknown == ("SHINY",)
    for fault in ({"R": "far"}, {"S": "11"}, {"AP": "7"}, {"BS": "3+"}):
        with pytest.raises(ProfileError, match="Gun"):
            weapon(**fault)
