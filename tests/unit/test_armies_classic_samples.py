"""The bundled sample armies of the classic editions: whole, and read by the editions' profile readers."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from battlewright.armies import army_from_json, army_to_json, load_army, sample_armies
from battlewright.core.roster import Army, Role
from battlewright.editions.classic.profiles import CharacterKind, Kind, read_model
from battlewright.editions.classic.weapons import AbilityName, WeaponType, read_weapon
from battlewright.editions.edition import find_edition

THIRD, FOURTH = sample_armies("3"), sample_armies("4")
SAMPLES = {**THIRD, **FOURTH}
NO_CHOICE = {"Fire Support Squad", "Mortar Squad", "Emperor's Champion", "Battlewagon", "Looted Wagon"}
"""Units that use up no choice of their own."""
SLOTS = {"HQ", "ELITES", "TROOPS", "FAST ATTACK", "HEAVY SUPPORT", "TRANSPORT"}


def kinds(army: Army) -> set[Kind]:
    """The kinds of model in an army."""
    return {read_model(model).kind for _, model in army.models()}


def keywords(army: Army) -> set[str]:
    """Every keyword in an army."""
    return {keyword for _, model in army.models() for keyword in model.keywords}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_whole(name: str) -> None:
    army = load_army(name)
    wanted = int(name.rpartition("-")[2])
    assert army.unresolved == ()
    assert army.reconciled
    assert abs(army.points - wanted) <= 0.02 * wanted + 5
    assert sum(unit.points for unit in army.units) == army.points
    assert Counter("WARLORD" in model.keywords for _, model in army.models())[True] == 1
    assert all(SLOTS & set(unit.models[0].keywords) for unit in army.units if unit.name not in NO_CHOICE)
    assert army_from_json(json.loads(json.dumps(army_to_json(army)))) == army


@pytest.mark.parametrize("name", SAMPLES)
def test_the_edition_reads_every_profile_of_a_sample(name: str) -> None:
    for unit, model in load_army(name).models():
        profile = read_model(model, with_retinue=len(unit.models) > 1)
        assert profile.is_vehicle or (profile.toughness > 0 and profile.leadership > 0 and profile.attacks > 0)
        assert profile.armour is None or 10 <= profile.armour.rear <= profile.armour.front <= 14
        assert not model.keywords[0].islower()
        assert 0.5 <= model.height <= 4
        for weapon in model.weapons:
            for each in weapon.profiles:
                read = read_weapon(each, weapon.name)
                assert read.melee == (read.range == 0)
                assert read.strength.of(4) >= 1


@pytest.mark.parametrize("name", SAMPLES)
def test_units_embark_in_transports_of_the_army_that_hold_them(name: str) -> None:
    army = load_army(name)
    for unit in army.units:
        for aboard in {component.embarked_in for component in unit.components} - {None}:
            transport = next(each for each in army.units if each.name == aboard)
            room = next(each.name for each in transport.abilities if each.name.startswith("Transport Capacity "))
            assert "TRANSPORT" in transport.models[0].keywords
            assert len(unit.models) <= int(room.rpartition(" ")[2])


def test_five_armies_of_the_third_edition_are_for_whole_battles_and_two_for_quick_ones() -> None:
    assert Counter(name.rpartition("-")[2] for name in THIRD) == {"1500": 5, "500": 2}
    assert all(name.startswith("third-") for name in THIRD)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("third-eldar-1500", {Kind.INFANTRY, Kind.JETBIKE, Kind.JUMP, Kind.VEHICLE}),
        ("third-templars-1500", {Kind.INFANTRY, Kind.BIKE, Kind.JUMP, Kind.VEHICLE}),
        ("third-orks-1500", {Kind.INFANTRY, Kind.BIKE, Kind.JUMP, Kind.VEHICLE}),
        ("third-guard-1500", {Kind.INFANTRY, Kind.CAVALRY, Kind.VEHICLE}),
        ("third-marines-1500", {Kind.INFANTRY, Kind.BIKE, Kind.JUMP, Kind.VEHICLE}),
    ],
)
def test_the_armies_of_the_third_edition_hold_the_kinds_they_are_there_for(name: str, found: set[Kind]) -> None:
    army = load_army(name, "3")
    assert kinds(army) == found
    assert {"WALKER", "TRANSPORT"} <= keywords(army)
    led = [unit for unit in army.units if any(each.role is Role.LEADER for each in unit.components)]
    assert led


def test_the_squad_of_the_worked_example_stands_against_the_scorpions() -> None:
    templars = load_army("third-templars-1500", "3").units[0]
    profiles = [read_model(model, with_retinue=True) for model in templars.models]
    assert [each.name for each in profiles if each.character is CharacterKind.INDEPENDENT] == ["Marshal"]
    assert Counter(each.weapon_skill for each in profiles if not each.is_character) == {4: 8, 3: 6}
    fists = [model for model in templars.models if any(weapon.name == "Power fist" for weapon in model.weapons)]
    assert len(fists) == 2
    assert {model.name for model in fists} == {"Initiate"}

    scorpions = next(unit for unit in load_army("third-eldar-1500", "3").units if unit.name == "Striking Scorpions")
    exarch, *others = (read_model(model) for model in scorpions.models)
    assert exarch.character is CharacterKind.UPGRADE
    assert exarch.attacks == 2
    assert {each.character for each in others} == {CharacterKind.NONE}


def test_a_captain_with_a_retinue_is_no_independent_character() -> None:
    squad = next(unit for unit in load_army("third-marines-1500").units if unit.name.startswith("Command Squad"))
    captain = squad.models[-1]
    assert read_model(captain, with_retinue=True).character is CharacterKind.UPGRADE
    assert read_model(captain, with_retinue=False).character is CharacterKind.INDEPENDENT


def test_the_armies_of_the_third_edition_carry_every_type_of_weapon() -> None:
    found = [
        read_weapon(profile, weapon.name)
        for name in THIRD
        for _, model in load_army(name).models()
        for weapon in model.weapons
        for profile in weapon.profiles
    ]
    assert {weapon.type for weapon in found} == set(WeaponType) - {WeaponType.SALVO}  # of the 6th edition
    carried = {ability.name for weapon in found for ability in weapon.abilities}
    assert set(find_edition("3").part("table").attack.weapon_rules) - carried <= {
        AbilityName.GAUSS,
        AbilityName.HAYWIRE,
        AbilityName.IGNORES_COVER,
        AbilityName.LIGHTNING_CLAW,
        AbilityName.PINNING,
        AbilityName.RENDING,
        AbilityName.SNIPER,
    }


def test_the_armies_of_the_fourth_edition_hold_everything_that_it_has_rules_for() -> None:
    armies = {name: load_army(name, "4") for name in FOURTH}
    assert Counter(name.rpartition("-")[2] for name in armies) == {"1500": 5, "500": 5}
    assert set.union(*map(kinds, armies.values())) == set(Kind) - {Kind.ARTILLERY}
    wanted = {
        "TANK",
        "FAST",
        "SKIMMER",
        "OPEN-TOPPED",
        "WALKER",
        "TRANSPORT",
        "SQUADRON",
        "ARTILLERY",
        "ARTILLERY CREW",
    }
    assert wanted | {"JET PACK", "SWARM", "PSYKER"} <= set.union(*map(keywords, armies.values()))
    rules = {ability.name.upper() for army in armies.values() for unit in army.units for ability in unit.abilities}
    assert rules >= {
        "AND THEY SHALL KNOW NO FEAR",
        "ACUTE SENSES",
        "COUNTER-ATTACK",
        "FEARLESS",
        "FEEL NO PAIN",
        "FLEET",
        "FURIOUS CHARGE",
        "HIT AND RUN",
        "INFILTRATE",
        "MOVE THROUGH COVER",
        "PREFERRED ENEMY",
        "SCOUTS",
        "SKILLED RIDER",
        "SLOW AND PURPOSEFUL",
        "SMALL TARGETS",
        "STEALTH",
        "TANK HUNTERS",
        "TRUE GRIT",
        "TURBO BOOSTERS",
        "VULNERABLE TO BLASTS AND TEMPLATES",
    }


def test_a_battery_has_guns_with_armour_and_crew_with_toughness() -> None:
    battery = next(unit for unit in load_army("fourth-orks-1500", "4").units if unit.name == "Big Gunz")
    guns = [model for model in battery.models if "ARTILLERY" in model.keywords]
    crew = [read_model(model) for model in battery.models if "ARTILLERY CREW" in model.keywords]
    assert [str(read_model(model).armour) for model in guns] == ["10/10/10"] * 2
    assert all(weapon.name == "Kannon" for model in guns for weapon in model.weapons)
    assert len(crew) == 5
    assert all(profile.toughness > 0 for profile in crew)


def test_the_armies_of_the_sixth_edition_have_hull_points_and_weapons_with_ap_in_close_combat() -> None:
    armies = [load_army(name, "6") for name in sample_armies("6")]
    assert sum(1 for army in armies if army.points >= 1400) >= 4
    vehicles = [
        model for army in armies for unit in army.units for model in unit.models if "AV" in model.characteristics
    ]
    assert all(1 <= int(model.characteristics["HP"]) <= 4 for model in vehicles)
    found = {word for army in armies for unit in army.units for model in unit.models for word in model.keywords}
    assert found >= {"TANK", "FAST", "SKIMMER", "OPEN-TOPPED", "WALKER", "TRANSPORT", "SQUADRON", "PSYKER", "BIKE"}
    fists = [
        weapon.profiles[0].characteristics
        for army in armies
        for unit in army.units
        for model in unit.models
        for weapon in model.weapons
        if weapon.name == "Power fist"
    ]
    assert {(fist["S"], fist["AP"]) for fist in fists} == {("x2", "2")}
