"""The data set and our own table beside it: everything that can be fielded can be read."""

from __future__ import annotations

import pytest

from battlewright.armies.assumed import assumptions
from battlewright.armies.dataset import DataSet, data_set
from battlewright.armies.datasheet import base_text
from battlewright.armies.names import loose_key, name_key, nearest, tidy
from battlewright.core.bases import Base
from battlewright.core.roster import AbilitySource, Model, Weapon
from battlewright.editions.eleventh.datasheet import read_model, read_weapon


@pytest.fixture(scope="module")
def data() -> DataSet:
    return data_set()


def test_names_match_as_people_write_them() -> None:
    assert name_key("Two\u2011handed  Big\u00a0choppa") == name_key("two-handed big choppa")
    assert name_key("Khârn’s Axe") == name_key("kharns axe")
    assert loose_key("Squig’s Jaws") == loose_key("Squig jaws")
    assert loose_key("Boss") != loose_key("Bos")
    assert tidy("\u200bBig\u202fMek ") == "Big Mek"
    assert nearest("Megganobs", ["Nobz", "Meganobz"]) == "Meganobz"
    assert nearest("Overlord", ["Boyz"]) is None


def test_every_unit_has_a_base_and_a_height(data: DataSet) -> None:
    table, footprints = assumptions(), 0
    for record in data.unit_records():
        given = base_text(record.get("base_size_mm"))
        keywords = tuple(keyword.upper() for keyword in record["keywords"])
        base = given or table.base(record["name"], keywords, record.get("base_size_mm"))
        assert Base.parse(base)
        assert 0.5 <= table.height(record["name"], base, keywords) <= 20
        footprints += (record.get("base_size_mm") or {}).get("shape") == "hull"
    assert footprints >= 100


def test_the_table_holds_every_hull_by_name(data: DataSet) -> None:
    hulls = {
        record["name"]
        for record in data.unit_records()
        if (record.get("base_size_mm") or {}).get("shape") in ("hull", "unique")
    }
    assert {name for name in hulls if not assumptions().named(name)} == set()


def test_the_edition_reads_every_datasheet_with_its_default_weapons(data: DataSet) -> None:
    read = 0
    for record in data.unit_records():
        sheet = data.unit(record["name"], (record["faction_id"],))
        assert sheet is not None
        for row in sheet.rows:
            weapons = tuple(Weapon(name, found.profiles) for name in row.default if (found := sheet.weapon(name)))
            characteristics = sheet.characteristics(row.name, row)
            model = Model(row.name, "32mm", 1.5, characteristics, sheet.keywords((), ()), weapons, sheet.abilities)
            assert read_model(model).toughness > 0
            for weapon in weapons:
                assert weapon.profiles, (sheet.name, weapon.name)
                for profile in weapon.profiles:
                    read_weapon(profile, weapon.name)
                    read += 1
    assert read > 2000


def test_one_weapon_name_has_each_units_own_profile(data: DataSet) -> None:
    def attacks(unit: str, weapon: str) -> str:
        sheet = data.unit(unit, ("orks",))
        assert sheet is not None
        found = sheet.weapon(weapon)
        assert found is not None
        return found.profiles[0].characteristics["A"]

    assert (attacks("Boyz", "Choppa"), attacks("Flash Gitz", "choppas")) == ("3", "4")


def test_another_units_profile_is_never_taken(data: DataSet) -> None:
    trukk = data.unit("Trukk", ("orks",))
    assert trukk is not None
    found = trukk.weapon("Big shoota")
    assert found is not None
    assert found.profiles == ()
    orphan = trukk.weapon("Spiked wheels")
    assert orphan is not None
    assert orphan.borrowed
    assert trukk.weapon("Lascannon") is None


def test_abilities_know_where_they_come_from(data: DataSet) -> None:
    guard = data.unit("Custodian Guard", ("adeptus-custodes",))
    assert guard is not None
    sources = {ability.name: ability.source for ability in guard.abilities}
    assert sources["Deep Strike"] is AbilitySource.CORE
    assert sources["Stand Vigil"] is AbilitySource.DATASHEET
    assert "Praesidium Shield" not in sources  # an option, which a list would name
    shield = guard.wargear_ability("praesidium shield")
    assert shield is not None
    assert shield["name"] == "Praesidium Shield"
    painboy = data.unit("Plasmancer", ("necrons",))
    assert painboy is not None
    assert [ability.name for ability in painboy.abilities if ability.name in ("Leader", "Support")] == ["Support"]


def test_conditional_abilities_of_weapons_keep_their_condition(data: DataSet) -> None:
    boyz, rifles = data.unit("Boyz", ("orks",)), data.unit("Eradicator Squad", ("adeptus-astartes",))
    assert boyz is not None
    assert rifles is not None
    slugga, melta = boyz.weapon("Slugga"), rifles.weapon("Melta Rifle")
    assert slugga is not None
    assert melta is not None
    assert slugga.profiles[0].abilities == ("CLOSE-QUARTERS", "LETHAL HITS: NON-MONSTER NON-VEHICLE")
    assert "HUNTER: MONSTER/VEHICLE" in {ability for profile in melta.profiles for ability in profile.abilities}


def test_the_armys_own_datasheet_comes_before_an_allys(data: DataSet) -> None:
    own = data.unit("Chaos Rhino", ("death-guard",))
    assert own is not None
    assert own.faction_id == "death-guard"
