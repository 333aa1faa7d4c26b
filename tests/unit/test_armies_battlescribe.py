"""BattleScribe rosters and New Recruit's JSON of classic game systems."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battlewright.armies import load_army
from battlewright.armies.formats.battlescribe_selection import as_document
from battlewright.armies.formats.battlescribe_xml import parse_xml
from battlewright.armies.reading import Source
from battlewright.core.errors import ArmyError
from battlewright.core.roster import Army
from support.classic_catalogue import ROSTER


def as_json(text: str = ROSTER) -> str:
    """The roster as New Recruit writes it: the same tree, texts of characteristics under ``$text``."""
    return json.dumps({"roster": _plain(as_document(parse_xml(Source(text))))})


def _plain(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _plain(value) for key, value in node.items() if key != "line"}
    return [_plain(each) for each in node] if isinstance(node, list) else node


def copies(army: Army, unit: str) -> Counter[str]:
    """Weapons of the unit of that name."""
    return Counter(next(each for each in army.units if each.name == unit).weapon_counts())


@pytest.mark.parametrize("text", [ROSTER, as_json()], ids=["xml", "json"])
def test_a_roster_becomes_an_army_with_everything_in_it(text: str) -> None:
    army = load_army(text)
    assert (army.name, army.edition, army.faction, army.points) == ("Grey Patrol", "3", "Grey Guard", 262)
    assert army.unresolved == ()
    assert [(unit.name, unit.points, len(unit.models)) for unit in army.units] == [
        ("Captain", 60, 1),
        ("Line Squad", 112, 8),
        ("Truck", 35, 1),
        ("Cannon", 55, 3),
    ]
    assert [unit.id for unit in army.units] == ["a.1", "a.2", "a.3", "a.4"]
    assert copies(army, "Line Squad") == {"Rifle": 8, "Meltagun": 2}
    squad = army.units[1]
    assert [model.name for model in squad.models].count("Sergeant") == 1
    assert squad.components[0].embarked_in == "Truck"
    assert {"VEHICLE", "TANK", "OPEN-TOPPED", "TRANSPORT"} <= set(army.units[2].models[0].keywords)
    gun = next(weapon for model in army.units[3].models for weapon in model.weapons)
    assert set(gun.profiles[0].abilities) == {"ORDNANCE 1", "GUESS", "MINIMUM 12", "BLAST"}
    assert copies(army, "Cannon") == {"Howitzer": 1}
    assert "SECRET" not in repr(army)


def test_special_weapons_go_to_different_models() -> None:
    squad = load_army(ROSTER).units[1]
    assert max(Counter(weapon.name for weapon in model.weapons)["Meltagun"] for model in squad.models) == 1


def test_a_zipped_roster_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "grey.rosz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("grey.ros", ROSTER)
    assert load_army(path, "3").points == 262


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('value="262.0"', 'value="300.0"', "the units cost 262 points, but the list states 300"),
        ('<profile id="x1"', '<profile hidden="true" id="x1"', '"Captain" has no model with a profile'),
        (
            '<selection name="Game length" type="upgrade" number="1"/>',
            '<selection name="Relic" type="upgrade" number="1"><costs><cost name="pts" value="5"/></costs></selection>',
            'the selection "Relic" costs points but is no unit',
        ),
    ],
)
def test_what_does_not_add_up_is_named_and_fatal(old: str, new: str, reason: str) -> None:
    army = load_army(ROSTER.replace(old, new))
    assert not army.reconciled
    assert reason in [each.text for each in army.unresolved if each.fatal]


def test_faults_carry_their_line() -> None:
    army = load_army(ROSTER.replace('"Game length" type="upgrade"', '"Ghost" type="unit"'))
    ghost = next(each for each in army.unresolved if "Ghost" in each.text)
    assert ghost.line == next(number for number, line in enumerate(ROSTER.splitlines(), 1) if "Game length" in line)


def test_a_characteristic_that_is_no_number_is_warned_of() -> None:
    army = load_army(ROSTER.replace('name="A">3<', 'name="A">D6<', 1))
    assert army.reconciled
    assert any("D6" in each.text for each in army.unresolved)


def test_a_roster_without_total_is_read_and_warned_of() -> None:
    army = load_army(ROSTER.replace('<costs><cost name="pts" typeId="pts" value="262.0"/></costs>', "", 1))
    assert army.reconciled
    assert army.points == 262
    assert "states no total" in army.unresolved[0].text


@pytest.mark.parametrize(
    ("text", "edition", "message"),
    [
        (ROSTER, "4", "of another edition"),
        (as_json(), "11", "of another edition"),
        (ROSTER[: len(ROSTER) // 2], None, "broken or cut short"),
        (ROSTER.replace("<forces>", "<forces/><other>").replace("</forces>", "</other>"), None, "names no units"),
        ('<!DOCTYPE a [<!ENTITY b "b">]>' + "\n<roster name='&b;'/>", None, "document type"),
        ("<catalogue>\n</catalogue>", None, "is a catalogue"),
    ],
)
def test_rosters_that_cannot_be_read_are_refused_with_one_sentence(
    tmp_path: Path, text: str, edition: str | None, message: str
) -> None:
    path = tmp_path / "list.ros"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ArmyError, match=message) as caught:
        load_army(path, edition)
    assert "\n" not in str(caught.value)


def test_selections_without_bounds_are_refused() -> None:
    with pytest.raises(ArmyError, match="more than"):
        load_army(ROSTER.replace('number="8"', 'number="800000"'))
    deep = '<selection name="a" type="upgrade">' + "<selections><selection>" * 50 + "</selection></selections>" * 50
    with pytest.raises(ArmyError, match="nested more than"):
        load_army(ROSTER.replace('<selection name="Game length" type="upgrade" number="1"/>', deep + "</selection>"))


@given(st.integers(0, len(ROSTER) - 1), st.integers(0, 60), st.sampled_from(["", "x", '"', "<", "9" * 30, "nan", "-1"]))
def test_a_damaged_roster_is_an_army_or_one_sentence(at: int, length: int, by: str) -> None:
    damaged = ROSTER[:at] + by + ROSTER[at + length :]
    with suppress(ArmyError):
        assert load_army(damaged + "\n").units
