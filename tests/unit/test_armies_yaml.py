"""Our own army files: what they say, and how each fault is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from battlewright.armies import load_army
from battlewright.armies.formats.yaml_form import parse_statistics, parse_weapon_profile
from battlewright.armies.writing import unit_entries
from battlewright.core.errors import ArmyError
from battlewright.core.roster import AbilitySource, Role

ARMY = """\
edition: "11"
name: Two Squads
faction: Test Legion
points: 30
units:
  - name: Guard
    points: 10
    stats: 'M6" T3 Sv5+ W1 Ld7+ OC2'
    base: 25mm
    height: 1.3
    keywords: [INFANTRY]
    abilities: [Old Grudge]
    weapons:
      Rifle: '24" A1 BS4+ S3 AP0 D1 [RAPID FIRE 1]'
      Axe: {Swing: 'Melee A2 WS3+ S4 AP-1 D1', Chop: 'Melee A1 WS4+ S6 AP-2 DD3'}
    models:
      - {name: Sergeant, stats: W2, weapons: [Axe, 2x Rifle]}
      - {count: 3, weapons: [Rifle]}
  - name: Hero
    points: 20
    attached_to: guard
    warlord: true
    enhancement: Lucky Charm
    stats: {M: '6"', T: 4, Sv: 3+, W: 4, Ld: 6+, OC: 1}
    base: 40mm
    height: 1.8
    abilities: {core: [Leader, Deep Strike]}
    models:
      - weapons: []
"""


def changed(old: str, new: str) -> str:
    assert old in ARMY
    return ARMY.replace(old, new)


def test_an_army_file_says_it_all() -> None:
    army = load_army(ARMY)
    assert (army.name, army.edition, army.points, army.reconciled) == ("Two Squads", "11", 30, True)
    (unit,) = army.units
    assert [(each.name, each.role, each.points) for each in unit.components] == [
        ("Guard", Role.UNIT, 10),
        ("Hero", Role.LEADER, 20),
    ]
    sergeant, guard, *_, hero = unit.models
    assert (sergeant.characteristics["W"], guard.characteristics["W"], hero.characteristics["T"]) == ("2", "1", "4")
    assert [weapon.name for weapon in sergeant.weapons] == ["Axe", "Rifle", "Rifle"]
    assert [profile.name for profile in sergeant.weapons[0].profiles] == ["Swing", "Chop"]
    assert (guard.name, len(unit.models)) == ("Guard", 5)
    assert guard.keywords == ("INFANTRY", "GUARD", "TEST LEGION")
    assert hero.keywords == ("HERO", "TEST LEGION", "WARLORD")
    assert {(each.name, each.source) for each in hero.abilities} == {
        ("Leader", AbilitySource.CORE),
        ("Deep Strike", AbilitySource.CORE),
        ("Lucky Charm", AbilitySource.ENHANCEMENT),
    }


def test_overhang_is_the_units_unless_a_model_says_otherwise() -> None:
    text = changed("    base: 25mm", "    overhang: 6\n    base: 25mm")
    (unit,) = load_army(text.replace("name: Sergeant,", "name: Sergeant, overhang: 0,")).units
    assert [model.overhang for model in unit.models] == [0, 6, 6, 6, 0], "the sergeant, the guard, the hero"
    assert [model.get("overhang") for entry in unit_entries(unit) for model in entry["models"]] == [None, 6, None]


def test_profiles_have_a_short_form() -> None:
    assert parse_statistics('M5" WS4 BS3 S4 T5 W10 I3 A3 Ld8 Sv4+ InSv-')["InSv"] == "-"
    assert parse_statistics("AV13/11/10 BS3")["AV"] == "13/11/10"
    profile = parse_weapon_profile("Melee AD6+1 WS3+ S6 AP-2 DD3 [lance]", "Strike")
    assert (profile.name, profile.melee, profile.abilities) == ("Strike", True, ("LANCE",))
    assert profile.characteristics == {"R": "Melee", "A": "D6+1", "WS": "3+", "S": "6", "AP": "-2", "D": "D3"}


def test_a_sum_that_does_not_add_up_is_told_and_not_fatal_to_reading() -> None:
    army = load_army(changed("points: 30", "points: 35"))
    assert not army.reconciled
    assert (army.unresolved[0].line, army.unresolved[0].fatal) == (4, True)
    assert army.unresolved[0].text == "the units cost 30 points, but the list states 35"


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (changed("points: 10", "points: ten"), 7, "units.0.points"),
        (changed("    height: 1.3\n", ""), 16, "a model of Guard has no height"),
        (changed("base: 25mm", "base: 25"), 9, "string"),
        (changed("    base: 25mm", "    overhang: 26\n    base: 25mm"), 9, "less than or equal to 25"),
        (changed("base: 25mm", "base: 25 inches"), 9, "is not a base"),
        (changed("[Rifle]}", "[Riffle]}"), 18, 'did you mean "Rifle"'),
        (changed("attached_to: guard", "attached_to: Gard"), 21, 'did you mean "Guard"'),
        (changed("warlord: true", "warlrod: true"), 22, 'did you mean "warlord"'),
        (changed("S3 AP0 D1", "S3 QP0 D1"), 14, '"QP0"'),
        (changed('\'24" A1', "'A1"), 14, "range"),
        (changed("name: Guard", "name: Guard\n    name: Guards"), 7, "stands twice"),
        (changed("count: 3", "count: 3000000"), 18, "less than or equal to"),
        (changed("keywords: [INFANTRY]", "keywords: [INFANTRY"), 12, "broken"),
        (changed('edition: "11"', "edition: &a [x, *a]"), 1, "alias"),
        ("edition: 11\nname: " + "[" * 90 + "\n", None, "deep"),
        ("edition: 11\nname: x\nfaction: y\npoints: 0\nunits: []\n", 5, "units"),
    ],
)  # fmt: skip
def test_each_fault_is_one_sentence_with_its_line(text: str, line: int | None, says: str) -> None:
    with pytest.raises(ArmyError) as caught:
        load_army(text)
    message = str(caught.value)
    assert says in message
    assert "\n" not in message
    assert caught.value.where == (f"the list, line {line}" if line else "the list")


def test_a_bomb_of_aliases_is_refused_at_once() -> None:
    levels = "".join(f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 9)}]\n" for n in range(1, 30))
    with pytest.raises(ArmyError, match="aliases"):
        load_army(f"name: x\nfaction: y\nb0: &b0 [lol]\n{levels}")


def test_an_army_of_another_edition_is_refused() -> None:
    with pytest.raises(ArmyError, match=r"the army is of edition 11; expected .* roster of edition 4,"):
        load_army(ARMY, "4")


def test_the_example_of_the_documentation_loads() -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs" / "army-format.md").read_text(encoding="utf-8")
    found = re.search(r"```yaml\n(.*?)```", guide, re.DOTALL)
    assert found
    army = load_army(found[1])
    assert army.reconciled
    assert army.units[0].name == "Hellblaster Squad + Captain"
