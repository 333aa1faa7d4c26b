"""Each list format by small lists of our own, and what must be told when they do not add up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battlewright.armies import army_report, load_army
from battlewright.core.roster import Army, Enforcement, Role, Unit

APP = """\
Small Horde (250 Points)

Orks
War Horde (3 Detachment Points)
Force Disposition: Take and Hold
Incursion (1,000 Points)

ATTACHED UNITS

Attached unit 1

Warboss (100 Points)
  • Attached as: Leader (Character)
  • Warlord
  • 1x Kustom Choppa
  • 1x Kustom\u00a0shoota

Boyz (75 Points)
  • Attached as: Bodyguard (Battleline)
  • 9x Boy
     ◦ 9x Choppa
       9x Slugga
  • 1x Boss Nob
     ◦ 1x Power klaw
     ◦ 1x Slugga

OTHER DATASHEETS

Meganobz (75 Points)
  • 2x Meganob
     ◦ 1x Killsaw
     ◦ 1x Power klaw
     ◦ 2x Kustom shoota

Exported with App Version: v2.0.5 (2), Data Version: v886
"""

WTC = """\
+++++++++++++++
+ FACTION KEYWORD: Xenos - Necrons
+ DETACHMENT: Awakened Dynasty (Command Protocols)
+ FORCE DISPOSITION: Take and Hold
+ TOTAL ARMY POINTS: 220pts
+
+ WARLORD: Char1: Overlord
+ NUMBER OF UNITS: 3
+++++++++++++++

Char1: 1x Overlord (90 pts): Warlord, Overlord\u2019s blade, Tachyon arrow
Leading Immortals
Char2: 1x Plasmancer (60 pts): Plasmic lance
Leading Immortals

5x Immortals (70 pts): 5 with Gauss blaster, Close combat weapon
  Attached to Overlord, Plasmancer
"""

SIMPLE = """\
Xenos - Necrons - Gate - [155 pts]

# ++ Army Roster ++ [155 pts]
## Configuration
Battle Size: Incursion (1000 Point limit)
Detachment: Awakened Dynasty
Force Disposition: Take and Hold

## Battleline [85 pts]
Necron Warriors [85 pts]:
• 6x Necron Warrior: Gauss flayer, Close combat weapon
• 4x Necron Warrior: Gauss reaper, Close combat weapon

## Characters [70 pts]
Royal Warden [70 pts]: Warlord, Relic gauss blaster, Close combat weapon
"""

LISTFORGE = """\
Gate - Necrons - Take and Hold - Awakened Dynasty (160 Points)

Attached Units:
Overlord + Immortals (160 pts)
  Overlord (90 pts)
    • Warlord
    • Overlord's blade
  Immortals (70 pts)
    • 5x Immortal
      • 5x Tesla carbine
      • 5x Close combat weapon
"""


def newrecruit() -> dict[str, Any]:
    weapon = {"name": "Gauss flayer", "type": "upgrade", "number": 10, "categories": [{"name": "Ranged Weapon"}]}
    models = {"name": "Necron Warrior", "type": "model", "number": 10, "selections": [weapon]}
    unit = {
        "name": "Necron Warriors",
        "type": "unit",
        "number": 1,
        "costs": [{"name": "pts", "value": 85}],
        "selections": [models],
    }
    chosen = {"name": "Detachment", "type": "upgrade", "selections": [{"name": "Awakened Dynasty", "type": "upgrade"}]}
    force = {"catalogueName": "Xenos - Necrons", "selections": [chosen, unit]}
    return {"roster": {"name": "Gate", "costs": [{"name": "pts", "value": 85}], "forces": [force]}}


def fatal(army: Army) -> list[str]:
    return [each.text for each in army.unresolved if each.fatal]


def carried(unit: Unit) -> list[tuple[str, list[str]]]:
    return [(model.name, sorted(weapon.name for weapon in model.weapons)) for model in unit.models]


def test_the_apps_export() -> None:
    army = load_army(APP)
    assert army.reconciled
    assert (army.name, army.faction, army.detachments) == ("Small Horde", "Orks", ("War Horde",))
    assert army.disposition == "Take and Hold"
    boyz, meganobz = army.units
    assert boyz.name == "Boyz + Warboss"
    assert boyz.weapon_counts() == {
        "Choppa": 9,
        "Slugga": 10,
        "Power klaw": 1,
        "Kustom Choppa": 1,
        "Kustom shoota": 1,
    }
    assert boyz.not_enforced == ()
    assert carried(meganobz) == [
        ("Meganob", ["Kustom shoota", "Power klaw"]),
        ("Meganob", ["Killsaw", "Kustom shoota"]),
    ]


def test_the_fenced_export() -> None:
    army = load_army(WTC)
    assert army.unresolved == ()
    (unit,) = army.units
    assert [(each.name, each.role) for each in unit.components] == [
        ("Immortals", Role.UNIT),
        ("Overlord", Role.LEADER),
        ("Plasmancer", Role.SUPPORT),
    ]
    assert [model.component for model in unit.models] == [0] * 5 + [1, 2]
    rows = army_report(army, lambda unit: Enforcement(("Deep Strike",), ("Curse",)))["units"]
    assert [(row["name"], row["attached_to"]) for row in rows] == [
        ("Immortals", None),
        ("Overlord", "Immortals"),
        ("Plasmancer", "Immortals"),
    ]
    assert all(row["not_enforced"] == ["Curse"] for row in rows)


def test_the_simple_text() -> None:
    army = load_army(SIMPLE)
    assert fatal(army) == []
    warriors = army.units[0]
    assert warriors.weapon_counts() == {"Gauss flayer": 6, "Gauss reaper": 4, "Close combat weapon": 10}
    assert {tuple(weapons) for _, weapons in carried(warriors)} == {
        ("Close combat weapon", "Gauss flayer"),
        ("Close combat weapon", "Gauss reaper"),
    }


def test_listforges_attached_units() -> None:
    army = load_army(LISTFORGE)
    assert fatal(army) == []
    assert [unit.name for unit in army.units] == ["Immortals + Overlord"]
    assert (army.name, army.disposition, army.detachments) == ("Gate", "Take and Hold", ("Awakened Dynasty",))


def test_newrecruits_json() -> None:
    army = load_army(json.dumps(newrecruit()))
    assert fatal(army) == []
    assert army.units[0].weapon_counts() == {"Gauss flayer": 10}
    assert len(army.units[0].models) == 10


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("Boyz (75 Points)", "Boyz (85 Points)", 1, "the units cost 260 points, but the list states 250"),
        ("Boyz (75 Points)", "Boyzez (75 Points)", 18, 'no unit "Boyzez" is known'),
        ("  • 2x Meganob\n", "  • 1x Meganob\n", 29, "Meganobz has 1 models, but a unit has at least 2"),
    ],
)
def test_what_changes_who_stands_on_the_table_is_fatal(old: str, new: str, line: int, says: str) -> None:
    army = load_army(APP.replace(old, new))
    assert not army.reconciled
    assert (line, says) in [(each.line, each.text) for each in army.unresolved if each.fatal]


def test_an_unknown_unit_comes_with_the_nearest_name() -> None:
    army = load_army(APP.replace("Meganobz (75", "Megganobs (75"))
    assert [(each.text, each.nearest) for each in army.unresolved if each.fatal] == [
        ('no unit "Megganobs" is known', "Meganobz")
    ]


def test_fewer_units_or_models_than_stated_are_fatal() -> None:
    fewer = load_army(WTC.replace("NUMBER OF UNITS: 3", "NUMBER OF UNITS: 4"))
    assert fatal(fewer) == ["the list holds 3 units, but states 4"]
    models = load_army(WTC.replace("5 with Gauss", "4 with Gauss"))
    assert "Immortals states 5 models, but tells of 4" in fatal(models)


def test_attachments_that_contradict_each_other_are_fatal() -> None:
    lost = load_army(WTC.replace("Leading Immortals\nChar2", "Leading Lychguard\nChar2"))
    assert 'Overlord leads "Lychguard", which the list does not hold' in fatal(lost)
    alone = load_army(APP.replace("Attached unit 1\n", "").replace("ATTACHED UNITS", "CHARACTERS"))
    assert [len(unit.components) for unit in alone.units] == [1, 1, 1]
    without = load_army(APP.replace("OTHER DATASHEETS", "Attached unit 2"))
    assert any("stand alone" in text for text in fatal(without))


def test_unknown_weapons_and_enhancements_are_warned_of_and_stay() -> None:
    army = load_army(APP.replace("1x Kustom Choppa", "1x Choppy Thing\n  • Enhancements: Shiny Hat"))
    assert army.reconciled
    assert [(each.line, each.fatal) for each in army.unresolved] == [(15, False), (16, False)]
    unit = army.units[0]
    assert unit.weapon_counts()["Choppy Thing"] == 1
    assert set(unit.not_enforced) == {"Choppy Thing", "Shiny Hat"}
    rows = army_report(army, lambda unit: Enforcement())["units"]
    assert [row["name"] for row in rows if "Choppy Thing" in row["not_enforced"]] == ["Warboss"]


def test_a_list_without_a_disposition_is_only_warned_of() -> None:
    army = load_army(WTC.replace("+ FORCE DISPOSITION: Take and Hold\n", ""))
    assert army.reconciled
    assert [each.fatal for each in army.unresolved] == [False]
    assert "disposition" in army.unresolved[0].text


def test_a_number_of_models_that_is_not_stated_is_fatal() -> None:
    text = APP.partition("  • 2x Meganob")[0]
    assert "Meganobz states no number of models; taken as 2" in fatal(load_army(text))


def test_lines_that_cannot_be_read_are_named() -> None:
    army = load_army(APP.replace("Boyz (75 Points)", "Boyz 75 Points"))
    texts = [each.text for each in army.unresolved]
    assert 'the line "Boyz 75 Points" could not be read' in texts
    assert "the units cost 175 points, but the list states 250" in fatal(army)


def test_a_number_before_with_multiplies() -> None:
    army = load_army(WTC.replace("5 with Gauss blaster", "5 with 2x Gauss blaster"))
    assert army.units[0].weapon_counts()["Gauss blaster"] == 10


def test_models_of_a_group_without_a_name_follow_the_datasheet() -> None:
    text = (
        WTC.replace(
            "5x Immortals (70 pts): 5 with Gauss blaster, Close combat weapon",
            ("4x Prosecutors (70 pts): 4 with Boltgun, Close combat weapon"),
        )
        .replace("Leading Immortals\n", "")
        .replace("  Attached to Overlord, Plasmancer\n", "")
    )
    army = load_army(text)
    unit = army.units[-1]
    assert [model.name for model in unit.models] == ["Prosecutor Sister Superior"] + ["Prosecutor"] * 3
    assert all(len(model.weapons) == 2 for model in unit.models)
