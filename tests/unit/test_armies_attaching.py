"""Lists that say of nobody whom he leads: attaching by name, in Python, on the command line, and in YAML."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from battlewright.armies import attach_by_name, attached, load_army
from battlewright.armies.dataset import data_set
from battlewright.core.errors import ArmyError
from battlewright.core.roster import Role
from support.commands import Run, assert_bad_input

LIST = """
edition: "11"
name: Open
faction: Adeptus Astartes
detachments: [Ironstorm Spearhead]
points: 400
keywords: [Imperium]
units:
  - {name: Captain, points: 100, stats: 'M6" T4 Sv3+ W5 Ld6+ OC1', base: 40mm, height: 2.2,
     keywords: [Infantry, Character], warlord: true, models: [{count: 1}]}
  - {name: Hellblaster Squad, points: 100, stats: 'M6" T4 Sv3+ W2 Ld6+ OC1', base: 40mm, height: 2,
     keywords: [Infantry], models: [{count: 5}]}
  - {name: Scout Squad, points: 100, stats: 'M6" T4 Sv4+ W2 Ld6+ OC1', base: 32mm, height: 2, keywords: [Infantry],
     models: [{count: 5}]}
  - {name: Tactical Squad, points: 100, stats: 'M6" T4 Sv3+ W2 Ld6+ OC2', base: 32mm, height: 2, keywords: [Infantry],
     models: [{count: 10}]}
"""


@pytest.mark.rule("11e.24.22-leader.select-bodyguard", "11e.core.19.01-attaching")
@pytest.mark.parametrize("saying", ["Captain=Tactical Squad", "captain = tactical squad", "a.1=a.4"])
def test_a_leader_is_attached_by_name_or_id(saying: str) -> None:
    army = attached(load_army(LIST), [saying])
    (united,) = [unit for unit in army.units if len(unit.components) == 2]
    assert united.name == "Tactical Squad + Captain"
    assert (united.components[1].role, len(united.models)) == (Role.LEADER, 11)
    assert len(army.units) == 3


@pytest.mark.rule("11e.24.22-leader.select-bodyguard")
def test_what_is_not_allowed_is_refused_by_name_with_whom_it_may_lead() -> None:
    army = load_army(LIST)
    with pytest.raises(ArmyError, match=r"Captain cannot be attached to Scout Squad.*Hellblaster Squad or Tactical"):
        attach_by_name(army, "Captain", "Scout Squad")
    with pytest.raises(ArmyError, match="Scout Squad cannot be attached to Captain"):
        attach_by_name(army, "Scout Squad", "Captain")
    with pytest.raises(ArmyError, match='no unit "Captan"'):
        attach_by_name(army, "Captan", "Scout Squad")
    with pytest.raises(ArmyError, match="attaches nobody"):
        attached(army, ["Captain"])
    led = attach_by_name(army, "Captain", "Tactical Squad")
    with pytest.raises(ArmyError, match='no unit "Captain"'):
        attach_by_name(led, "Captain", "Hellblaster Squad")


def test_no_list_attaches_anybody_in_an_edition_without_it() -> None:
    army = load_army("fourth-eldar-1500")
    first, second = army.units[0].name, army.units[1].name
    with pytest.raises(ArmyError, match="on the table"):
        attach_by_name(army, first, second)


def test_a_yaml_army_says_itself_whom_its_leader_joins() -> None:
    army = load_army(LIST.replace("warlord: true,", "warlord: true, attached_to: Tactical Squad,"))
    assert [unit.name for unit in army.units][-1] == "Tactical Squad + Captain"
    with pytest.raises(ArmyError, match="no free unit is called"):
        load_army(LIST.replace("warlord: true,", "warlord: true, attached_to: Sternguard,"))


def test_a_yaml_army_has_the_stratagems_of_its_detachment() -> None:
    named = [each.name for each in load_army(LIST).stratagems]
    assert named
    assert len(named) == len(set(named))
    assert load_army(LIST.replace("detachments: [Ironstorm Spearhead]\n", "")).stratagems == ()


def test_the_commands_attach_too(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "open.yaml"
    file.write_text(LIST, encoding="utf-8")
    shown = json.loads(run("army", "show", str(file), "--attach", "Captain=Tactical Squad", "--json").out)
    assert [unit["attached_to"] for unit in shown["units"] if unit["name"] == "Captain"] == ["Tactical Squad"]
    assert_bad_input(run("army", "show", str(file), "--attach", "Captain=Scout Squad"))
    both = ("battle", str(file), str(file), "--players", "default,default", "--seed", "1", "--json")
    plain, led, other = (
        json.loads(run(*both, *more).out)["checksum"]
        for more in ((), ("--attach", "Captain=Tactical Squad"), ("--attach", "b:Captain=Tactical Squad"))
    )
    assert len({plain, led, other}) == 3
    assert_bad_input(run(*both, "--attach", "b:Captain=Scout Squad"))


def test_the_commands_split_too(run: Run, tmp_path: Path) -> None:
    unit = "crowes-sanctifiers-strike-squad"
    (record,) = [
        each
        for each in data_set().ability_records()
        if each["name"] == "Combat Squad" and unit in (each.get("unit_ids") or ())
    ]
    army = yaml.safe_load(LIST)
    army["units"][-1]["abilities"] = [{"name": "Combat Squad", "encoding": json.loads(data_set().encoding(record))}]
    file = tmp_path / "open.yaml"
    file.write_text(yaml.safe_dump(army), encoding="utf-8")
    shown = json.loads(run("army", "show", str(file), "--split", "Tactical Squad", "--json").out)
    assert [unit["name"].split()[0] for unit in shown["units"]].count("Tactical") == 2
    assert_bad_input(run("army", "show", str(file), "--split", "Scout Squad"))
    both = ("battle", str(file), str(file), "--players", "default,default", "--seed", "1", "--json")
    whole, split = (json.loads(run(*both, *more).out)["checksum"] for more in ((), ("--split", "b:Tactical Squad")))
    assert whole != split
