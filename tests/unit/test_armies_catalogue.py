"""Units taken from catalogues: links followed, options bought, bounds kept, texts left behind."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from battlewright.armies import army_to_json, load_army
from battlewright.armies.catalogue import Catalogue, read_catalogue
from battlewright.armies.formats import battlescribe_xml
from battlewright.armies.formats.battlescribe_profiles import weapon_profile
from battlewright.armies.formats.battlescribe_selection import Printed
from battlewright.armies.reading import Source
from battlewright.armies.writing import units_as_yaml
from battlewright.cli import app
from battlewright.core.errors import ArmyError, BadInput, ProfileError
from battlewright.core.roster import Model, Role, Unit
from battlewright.editions.classic.profiles import read_model
from battlewright.editions.classic.weapons import read_weapon
from support.classic_catalogue import CATALOGUE, SYSTEM, write_catalogue

SHARED = Path(__file__).resolve().parents[3] / "shared" / "catalogues"


@pytest.fixture
def guard(tmp_path: Path) -> Catalogue:
    return read_catalogue(write_catalogue(tmp_path))


def weapons(unit: Unit, name: str = "") -> Counter[str]:
    """Copies of each weapon carried by models of that name, or by all."""
    return Counter(weapon.name for model in unit.models if name in ("", model.name) for weapon in model.weapons)


def test_the_units_of_a_catalogue_are_listed_with_points_category_and_models(guard: Catalogue) -> None:
    assert guard.name == "Grey Guard (1999)"
    assert guard.edition == "3"
    assert guard.missing == ("Allies",)
    assert [(each.name, each.points, each.category, each.models) for each in guard.units()] == [
        ("Line Squad", 50, "Troops", 5),
        ("Captain", 60, "HQ", 1),
        ("Endless", 5, "", 1),
    ]


def test_a_unit_is_taken_with_its_statistics_weapons_and_the_names_of_its_rules(guard: Catalogue) -> None:
    unit = guard.take("line-squad")
    model = unit.models[0]
    assert unit.points == 50
    printed = " ".join(f"{key}{value}" for key, value in model.characteristics.items())
    assert printed == "WS3 BS3 S3 T3 W1 I3 A1 Ld7 Sv5+"
    assert dict(model.weapons[0].profiles[0].characteristics) == {"R": '24"', "S": "4", "AP": "5"}
    assert model.weapons[0].profiles[0].abilities == ("RAPID FIRE",)
    assert [ability.name for ability in model.abilities] == ["Brave"]
    assert set(model.keywords) == {"INFANTRY", "TROOPS", "LINE SQUAD"}
    assert model.assumed == ("base", "height")
    assert model.base == "25mm"


def test_models_and_options_are_bought_at_their_cost(guard: Catalogue) -> None:
    unit = guard.take("Line Squad", 8, ["Sergeant Upgrade", "Power Fist", "Lascannon", "Frag Grenades"])
    assert unit.points == 80 + 12 + 15 + 25 + 8
    assert Counter(model.name for model in unit.models) == {"Guard": 7, "Sergeant": 1}
    assert weapons(unit, "Guard") == {"Rifle": 7, "Lascannon": 1}
    assert weapons(unit, "Sergeant") == {"Rifle": 1, "Power Fist": 1}
    sergeant = next(model for model in unit.models if model.name == "Sergeant")
    assert "CHARACTER" in sergeant.keywords
    assert all("Frag Grenades" in [each.name for each in model.abilities] for model in unit.models)
    fist = next(weapon for weapon in sergeant.weapons if weapon.name == "Power Fist")
    assert fist.profiles[0].abilities == ("POWER FIST",)
    assert dict(fist.profiles[0].characteristics) == {"R": "Melee", "S": "User", "AP": "1"}


def test_an_option_takes_the_place_of_the_other_of_its_group(guard: Catalogue) -> None:
    unit = guard.take("Line Squad", options=["Lascannon", "Twin Rifle"])
    assert weapons(unit) == {"Rifle": 5, "Twin-linked Rifle": 1}
    assert unit.points == 55
    twin = next(weapon for model in unit.models for weapon in model.weapons if weapon.name.startswith("Twin"))
    assert twin.profiles[0].characteristics["R"] == '30"'
    assert "TWIN-LINKED" in twin.profiles[0].abilities


def test_a_transport_is_a_unit_of_its_own_in_which_the_squad_starts(guard: Catalogue) -> None:
    squad, truck = guard.take_all("Line Squad", options=["Truck"])
    assert squad.points == 50
    assert squad.components[0].embarked_in == "Truck"
    assert truck.points == 35
    assert dict(truck.models[0].characteristics) == {"BS": "3", "AV": "10/10/10"}
    assert {"VEHICLE", "FAST", "OPEN-TOPPED", "TRANSPORT"} <= set(truck.models[0].keywords)
    assert [ability.name for ability in truck.models[0].abilities] == ["Transport Capacity 10"]


def test_a_character_leads_the_retinue_bought_with_him(guard: Catalogue) -> None:
    alone = guard.take("Captain")
    assert alone.points == 60
    assert read_model(alone.models[0]).is_independent
    led = guard.take("Captain", options=["Bodyguard"])
    assert [(each.name, each.role, each.points) for each in led.components] == [
        ("Bodyguard", Role.UNIT, 40),
        ("Captain", Role.LEADER, 60),
    ]
    assert [model.component for model in led.models] == [0, 0, 1]
    captain = led.models[-1]
    assert "INDEPENDENT WITHOUT RETINUE" in captain.keywords
    assert captain.characteristics["T"] == "4(5)"
    assert (captain.characteristics["Sv"], captain.characteristics["InSv"]) == ("3+", "4+")


def test_no_text_of_a_rule_enters_a_unit(guard: Catalogue) -> None:
    units = [unit for each in guard.units() for unit in guard.take_all(each.name)]
    assert "SECRET" not in repr(units)
    assert "strikes last" not in repr(guard.take("Line Squad", options=["Sergeant Upgrade", "Power Fist"]))


@pytest.mark.parametrize(
    ("name", "models", "options", "message"),
    [
        ("Line Sqad", None, (), 'did you mean "Line Squad"'),
        ("Line Squad", 4, (), "expected 5 to 10"),
        ("Line Squad", 11, (), "expected 5 to 10"),
        ("Line Squad", 0, (), "expected 1 to 300"),
        ("Captain", 2, (), "has one model"),
        ("Line Squad", None, ("Lascanon",), 'did you mean "Lascannon"'),
        ("Line Squad", None, ("2x Lascannon",), "at most 1"),
        ("Line Squad", None, ("2x Truck",), "at most 1"),
        ("Line Squad", None, ("Truck/Lascannon",), "no option"),
        ("Old Squad", None, (), 'no unit "Old Squad"'),
        ("Game length", None, (), "no model with a profile"),
        ("Line Squad", None, ("Lascannon",) * 61, "at most 60"),
    ],
)
def test_what_a_catalogue_does_not_offer_is_refused(
    guard: Catalogue, name: str, models: int | None, options: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ArmyError, match=message):
        guard.take(name, models, options)


def test_entries_linked_in_a_circle_end(guard: Catalogue) -> None:
    assert len(guard.take("Endless").models) == 1


def test_a_unit_is_written_so_that_an_army_file_reads_it_back(guard: Catalogue) -> None:
    units = guard.take_all("Line Squad", 7, ["Sergeant Upgrade", "Power Fist", "Lascannon", "Truck"])
    units += guard.take_all("Captain", options=["Bodyguard"])
    head = 'edition: "3"\nname: Test\nfaction: Grey Guard\n'
    points = sum(unit.points for unit in units)
    army = load_army(f"{head}points: {points}\nunits:\n{units_as_yaml(units)}", "3")
    assert army.unresolved == ()
    assert [unit.name for unit in army.units] == [unit.name for unit in units]
    for read, written in zip(army.units, units, strict=True):
        assert read.components == written.components
        for mine, theirs in zip(read.models, written.models, strict=True):
            assert _essence(mine) == _essence(theirs)


def _essence(model: Model) -> tuple[Any, ...]:
    words = frozenset(model.keywords) - {"GREY GUARD"}
    alike = (model.name, model.base, model.height, dict(model.characteristics), model.component)
    return (*alike, words - {"CAPTAIN", "BODYGUARD"}, model.weapons, frozenset(model.abilities))


# -- weapons ----------------------------------------------------------------------------------------------------

USER = {"S": "5", "A": "3"}


@pytest.mark.parametrize(
    ("name", "printed", "found", "abilities"),
    [
        ("Gun", '24"|4|5|Assault 2|', '24" 4 5', "ASSAULT 2"),
        ("Gun", '36"|6|6|HEavy D6|', '36" 6 6', "HEAVY D6"),
        ("Big gun", "72|8|3|Ordinance 1/Blast|", '72" 8 3', "ORDNANCE 1, BLAST"),
        ("Mortar", 'G48"|4|6|Heavy 1 Blast|Barrage Weapon. See page 58', '48" 4 6', "HEAVY 1, GUESS, BLAST, BARRAGE"),
        (
            "Missiles",
            '12-48" G|5|4|Ordnance barrage, Large Blast|',
            '48" 5 4',
            "ORDNANCE, GUESS, MINIMUM 12, BARRAGE, BLAST",
        ),
        ("Flamer", "Template|4|5|Assault 1|", '8" 4 5', "ASSAULT 1, TEMPLATE"),
        ("Beam", "Unlimited|8|3|Heavy 1|Once per battle", '200" 8 3', "HEAVY 1, ONE SHOT"),
        ("Spitter", '18"|S+1 (Max S.5)|5|Assault 1 Blast|', '18" 5 5', "ASSAULT 1, BLAST"),
        ("Spines", '12"|S-1|-|Assault 2X, Twin-linked|', '12" 4 -', "ASSAULT 6, TWIN-LINKED"),
        ("Wide gun", '36"|S-1|5|Assault 1, Large Blast, Pinning|', '36" 4 5', "ASSAULT 1, PINNING, BLAST 5"),
        (
            "Plasma gun",
            '24"|7|2|Rapid Fire|If you roll a 1 it has overheated and hurts',
            '24" 7 2',
            "RAPID FIRE, GETS HOT",
        ),
        (
            "Lance",
            '36"|8|2|Heavy 1|Treats vehicles with an Armor value greater than 12 as 12.',
            '36" 8 2',
            "HEAVY 1, LANCE",
        ),
        ("Needler", '36"|X|6|Heavy 1, Sniper|', '36" 5 6', "HEAVY 1, SNIPER"),
        ("Power Weapon", "Melee|As User|2|Melee|", "Melee User 2", "POWER WEAPON, ONE-HANDED"),
        ("Great axe", "Melee|User +1|-|Melee|Two-Handed", "Melee +1 -", ""),
        ("Agoniser", "Melee|4+|2|Melee|", "Melee User 2", "POISONED 4"),
        ("Dreadnought Close Combat Weapons", "||||", "Melee 10 -", "POWER WEAPON"),
        ("Choppa", "Melee|||Melee|", "Melee User -", "CHOPPA, ONE-HANDED"),
    ],
)
def test_printed_weapons_are_read_as_the_edition_wants_them(
    name: str, printed: str, found: str, abilities: str
) -> None:
    keys = ("Range", "S", "AP", "Type", "Abilities")
    profile = weapon_profile(Printed("Weapon", name, dict(zip(keys, printed.split("|"), strict=True))), USER)
    assert " ".join(profile.characteristics[key] for key in ("R", "S", "AP")) == found
    assert set(profile.abilities) == set(filter(None, abilities.split(", ")))
    assert read_weapon(profile, name).unknown == ()


@given(st.lists(st.text(max_size=30), min_size=5, max_size=5), st.text(max_size=20))
def test_whatever_is_printed_makes_a_profile_or_one_sentence(texts: list[str], name: str) -> None:
    values = dict(zip(("Range", "S", "AP", "Type", "Abilities"), texts, strict=True))
    profile = weapon_profile(Printed("Weapon", name, values), USER)
    with suppress(ProfileError):
        assert read_weapon(profile, name).melee == profile.melee


# -- bad input --------------------------------------------------------------------------------------------------


def test_files_that_are_no_catalogues_are_refused_with_one_sentence(tmp_path: Path) -> None:
    cases = {
        "empty.cat": "",
        "text.cat": "Hello",
        "cut.cat": CATALOGUE[: len(CATALOGUE) // 2],
        "list.cat": "<roster/>",
        "json.cat": '{"catalogue": {}}',
        "entity.cat": '<!DOCTYPE a [<!ENTITY b "c">]><catalogue name="&b;"/>',
        "system.cat": SYSTEM,
    }
    for name, text in cases.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ArmyError) as caught:
            read_catalogue([path])
        assert "\n" not in str(caught.value)
    with pytest.raises(ArmyError, match="no such file"):
        read_catalogue([tmp_path / "nowhere.cat"])
    with pytest.raises(ArmyError, match="no catalogue is given"):
        read_catalogue([])


def test_catalogues_of_two_game_systems_do_not_mix(tmp_path: Path) -> None:
    catalogue, system = write_catalogue(tmp_path)
    system.write_text(SYSTEM.replace('id="sys"', 'id="other"'), encoding="utf-8")
    with pytest.raises(ArmyError, match="different game systems"):
        read_catalogue([catalogue, system])


def test_a_document_without_bounds_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / "deep.cat"
    deep.write_text("<catalogue>" + "<a>" * 5_000 + "</a>" * 5_000 + "</catalogue>", encoding="utf-8")
    with pytest.raises(ArmyError, match="nested more than"):
        read_catalogue([deep])
    monkeypatch.setattr(battlescribe_xml, "MAX_ELEMENTS", 100)
    with pytest.raises(ArmyError, match="more than 100 elements"):
        read_catalogue(write_catalogue(tmp_path))


def test_a_zipped_catalogue_is_read_and_one_that_unpacks_without_bounds_refused(tmp_path: Path) -> None:
    catalogue, system = write_catalogue(tmp_path)
    zipped = tmp_path / "grey.catz"
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(catalogue, "grey-guard.cat")
    assert len(read_catalogue([zipped, system]).units()) == 3
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.cat", b"<catalogue>" + b" " * 60_000_000)
    zipped.write_bytes(bomb.getvalue())
    with pytest.raises(ArmyError, match="unpacks to more than"):
        read_catalogue([zipped])


def test_an_encoding_that_nobody_knows_does_not_matter_once_the_text_is_read() -> None:
    odd = CATALOGUE.replace("UTF-8", "xUTF-8", 1)
    assert odd != CATALOGUE
    assert battlescribe_xml.parse_xml(Source(odd, "odd.cat")).attributes["id"] == "c1"


@given(
    st.integers(0, len(CATALOGUE) - 1), st.integers(0, 40), st.sampled_from(["", "x", '"', "<", ">", "9", "-1", "1e99"])
)
def test_a_damaged_catalogue_yields_units_or_one_sentence(at: int, length: int, by: str) -> None:
    damaged = CATALOGUE[:at] + by + CATALOGUE[at + length :]
    with suppress(BadInput):
        root = battlescribe_xml.parse_xml(Source(damaged, "damaged.cat"))
        system = battlescribe_xml.parse_xml(Source(SYSTEM, "system.gst"))
        found = Catalogue([root, system], [Source(damaged), Source(SYSTEM)])
        for each in found.units():
            assert found.take_all(each.name)[0].models


# -- the command ------------------------------------------------------------------------------------------------


def test_the_command_lists_a_catalogue_and_writes_units_out(tmp_path: Path) -> None:
    files = [str(path) for path in write_catalogue(tmp_path)]
    run = CliRunner()
    listed = run.invoke(app, ["army", "catalogue", *files])
    assert listed.exit_code == 0
    assert "Line Squad" in listed.stdout
    report = json.loads(run.invoke(app, ["army", "catalogue", *files, "--json"]).stdout)
    assert report["units"][0] == {"name": "Line Squad", "points": 50, "category": "Troops", "models": 5}
    assert report["missing"] == ["Allies"]
    taken = run.invoke(app, ["army", "catalogue", *files, "--take", "Line Squad", "--models", "6", "--with", "Truck"])
    assert taken.exit_code == 0
    army = load_army(f'edition: "3"\nname: A\nfaction: B\npoints: 95\nunits:\n{taken.stdout}')
    assert [unit.name for unit in army.units] == ["Line Squad", "Truck"]
    as_json = run.invoke(app, ["army", "catalogue", *files, "--take", "Line Squad", "--json"])
    assert json.loads(as_json.stdout)["units"][0]["points"] == 50


def test_the_command_refuses_options_without_a_unit(tmp_path: Path) -> None:
    files = [str(path) for path in write_catalogue(tmp_path)]
    for arguments in (["--models", "3"], ["--with", "Truck"]):
        assert CliRunner().invoke(app, ["army", "catalogue", *files, *arguments]).exit_code != 0


# -- catalogues of players, where there are any ---------------------------------------------------------------------


@pytest.mark.skipif(not SHARED.is_dir(), reason="no catalogues at hand")
@pytest.mark.parametrize("edition", ["third", "fourth"])
def test_units_of_real_catalogues_are_read_by_the_edition(edition: str) -> None:
    folder = SHARED / edition
    system, others = next(folder.glob("*.gst")), sorted(folder.glob("*.cat"))
    unread = {"Talos", "Old One Eye"}
    taken = 0
    for path in others:
        found = read_catalogue([path, system, *(each for each in others if each != path)])
        assert found.edition == {"third": "3", "fourth": "4"}[edition]
        units = found.units()
        assert len(units) >= 14
        for each in units:
            for unit in found.take_all(each.name):
                taken += 1
                assert unit.models
                for model in unit.models:
                    if unit.name not in unread:
                        assert read_model(model).name == model.name
                    for weapon in model.weapons:
                        for profile in weapon.profiles:
                            read_weapon(profile, weapon.name)
    assert taken >= 110


@pytest.mark.skipif(not SHARED.is_dir(), reason="no catalogues at hand")
def test_scorpions_of_a_real_catalogue_go_into_an_army() -> None:
    folder = SHARED / "third"
    eldar = read_catalogue([folder / "Eldar (2000).cat", folder / "Warhammer 40k 3rd Edition.gst"])
    units = eldar.take_all("Striking Scorpions", 8, ["Exarch Upgrade", "Biting Blade", "Wave Serpent"])
    assert [unit.points for unit in units] == [8 * 16 + 12 + 5, 110]
    text = f'edition: "3"\nname: A\nfaction: Eldar\npoints: 255\nunits:\n{units_as_yaml(units)}'
    army = load_army(text, "3")
    assert army.reconciled
    exarch = next(model for model in army.units[0].models if "CHARACTER" in model.keywords)
    assert exarch.characteristics["A"] == "2"
    assert json.dumps(army_to_json(army))
