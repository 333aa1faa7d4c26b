"""Damage tables as data files, and tables of the players' own for a battle."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from tests.support.classic import scene
from tests.support.gunfire import fire, gunner, results, tank

from battlewright.armies import load_army
from battlewright.core.errors import BadInput
from battlewright.core.rulebook import entry
from battlewright.editions.agreement import agreement_text, read_agreement, switch_rows, with_files
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.damage_tables import (
    described,
    read_damage_tables,
    tables_from_file,
    tables_from_text,
)
from battlewright.editions.classic.state import Phase
from battlewright.editions.edition import find_edition
from battlewright.editions.fourth.damage import TABLES
from battlewright.odds import volley
from battlewright.start import Battle, replay

EDITIONS = ("third", "fourth", "sixth")
FOLDER = Path(__file__).resolve().parents[2] / "src" / "battlewright" / "editions"
OURS = ["immobilised"] * 5 + ["vehicle destroyed"]
TEXT = "glancing: " + " / ".join(OURS)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_files_agree_with_the_rulebook_and_say_how_sure_they_are(edition: str) -> None:
    for table in read_damage_tables(FOLDER / edition / "damage_tables.yaml").values():
        told = entry(table.rule)
        assert table.confidence == told.confidence != ""
        if told.table and edition == "fourth":
            assert [str(each) for each in table.results] == list(told.table.values())


def test_the_sheet_shows_the_tables_and_how_sure_they_are() -> None:
    row = next(row for row in switch_rows("4") if row["name"] == "damage_tables")
    assert row["note"].splitlines() == described(TABLES)
    assert "ordnance table (confidence low): 1 armament destroyed" in row["note"]


@pytest.mark.parametrize(
    "value",
    [
        {"glancing": OURS},
        {"glancing": dict(enumerate(OURS, 1))},
        {"glancing": {"rule": "whatever", "results": dict(enumerate(OURS, 1))}},
    ],
)
def test_a_file_of_the_players_becomes_text(tmp_path: Path, value: object) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(yaml.safe_dump(value))
    assert tables_from_file(path, TABLES) == TEXT
    path = tmp_path / "ours.json"
    path.write_text(json.dumps(value))
    chosen = with_files("4", {"damage_tables": str(path)})
    assert chosen == {"damage_tables": TEXT}
    assert find_edition("4").switchboard().resolve_options(chosen)["damage_tables"] == TEXT


def test_the_book_itself_can_be_copied_and_changed() -> None:
    for edition in EDITIONS:
        path = FOLDER / edition / "damage_tables.yaml"
        book = read_damage_tables(path)
        found = tables_from_text(tables_from_file(path, book), book)
        assert found == {name: table.results for name, table in book.items()}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("glancing: [crew shaken]", "needs the results of 1 to 6"),
        ("glancing: 3", "needs the results of 1 to 6"),
        ("bouncing: [1, 2, 3, 4, 5, 6]", 'no damage table "bouncing"'),
        (yaml.safe_dump({"glancing": [*OURS[:5], "hull point lost"]}), '"hull point lost" is no result'),
        ("- 1", "holds no damage tables"),
        ("", "holds no damage tables"),
        ("a: [", "not well-formed"),
    ],
)
def test_a_bad_file_gets_one_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(text)
    with pytest.raises(BadInput, match=complaint) as refused:
        with_files("4", {"damage_tables": str(path)})
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)
    with pytest.raises(BadInput, match="cannot be read"):
        with_files("4", {"damage_tables": str(tmp_path / "none.yaml")})


@pytest.mark.parametrize("text", ["mine", "glancing: a", TEXT + "; " + TEXT, "x" * 5000, "/etc/hostname"])
def test_a_header_names_no_file_and_no_nonsense(text: str) -> None:
    with pytest.raises(BadInput):
        find_edition("4").switchboard().resolve_options({"damage_tables": text})


@pytest.mark.parametrize(("options", "result"), [({}, "crew shaken"), ({"damage_tables": TEXT}, "immobilised")])
def test_a_battle_is_played_with_the_tables_of_its_header(options: dict[str, str], result: str) -> None:
    dice = [("hit", [4]), ("penetration", [3]), ("glancing table", [1])]
    battle = scene(
        gunner().at(30, 5), tank().at(30, 30), phase=Phase.SHOOTING, alone=True, edition="4", dice=dice, options=options
    )
    fire(battle)
    assert results(battle) == [result]


def test_the_odds_are_asked_with_the_same_tables() -> None:
    # A hit on 3; 4 glances off 13 and destroys on a 6, 5 and 6 penetrate: half of these destroy, by our table all.
    attack, target = "A1 BS4 S9 AP2", "AV 13/13/13"
    book = volley(attack, target, edition="4")
    assert book.p_destroyed == pytest.approx(2 / 3 * (1 / 6 * 1 / 6 + 2 / 6 * 3 / 6))
    ours = volley(attack, target, edition="4", damage_tables="penetrating: " + " / ".join(["vehicle destroyed"] * 6))
    assert ours.p_destroyed == pytest.approx(2 / 3 * (1 / 6 * 1 / 6 + 2 / 6))


def test_the_header_of_a_battle_holds_the_tables_themselves(tmp_path: Path) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(yaml.safe_dump({"glancing": OURS}))
    armies = load_army("fourth-orks-500", "4"), load_army("fourth-marines-500", "4")
    battle = Battle.start(armies, "4", options=with_files("4", {"damage_tables": str(path)}))
    path.unlink()
    assert battle.header.options == {"damage_tables": TEXT}
    again = replay(battle.header, [])
    assert again.scene.rules.attack.glancing.results[0] is DamageResult.IMMOBILISED


def test_a_saved_sheet_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / "sheet.yaml"
    path.write_text(agreement_text("4", {"damage_tables": TEXT}))
    assert read_agreement(path).options["damage_tables"] == TEXT
