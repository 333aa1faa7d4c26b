"""The table of rules: where entries are decided, and in what two tables differ."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.core.errors import BadInput
from battlewright.editions.classic.table import differences, entries, origin
from battlewright.editions.classic.table_told import about, decided
from battlewright.editions.edition import find_edition
from battlewright.editions.third.table import THIRD


def test_an_entry_names_its_file_line_and_rules() -> None:
    found = find_edition("3").origin("wound_on")
    assert found.name == "attack.wound_on"
    assert found.file == "editions/classic/charts.py"
    assert found.function == "wound_on"
    assert "3e.outside.wound-table" in found.rules
    assert str(found.line) in str(found)
    assert origin(THIRD, "attack.groups").file == "editions/third/attack.py"
    assert origin(THIRD, "MELTA").function == "melta"


def test_what_is_no_entry_is_refused() -> None:
    with pytest.raises(BadInput, match="no entry"):
        origin(THIRD, "dance_on")
    with pytest.raises(BadInput, match="data"):
        origin(THIRD, "allocation")
    with pytest.raises(BadInput):
        find_edition("11").origin("wound_on")


def test_names_are_unique_below_their_chapters() -> None:
    names = [name for name, _ in entries(THIRD)]
    assert len(names) == len(set(names))
    last = [name.rpartition(".")[2] for name in names if name.count(".") == 1]
    assert len(last) == len(set(last))


def test_two_tables_differ_in_what_one_overrides() -> None:
    def hit_on(ballistic_skill: int) -> int | None:
        return 6

    other = replace(THIRD, attack=replace(THIRD.attack, hit_on=hit_on))
    assert differences(THIRD, other) == {"attack.hit_on": (THIRD.attack.hit_on, hit_on)}
    assert differences(THIRD, THIRD) == {}


def test_data_are_told_in_words_with_what_they_are_about() -> None:
    third, fourth = find_edition("3"), find_edition("4")
    changed = third.diff(fourth)
    assert [each and each.does for each in changed["assault.may_engage"]] == ["no", "yes"]
    assert third.about("assault.may_engage") == "whether a consolidation may bring models into contact with an enemy"
    assert third.about("assault.cover_step").startswith("the step of those who strike first"), "told by a neighbour"
    rider = changed["movement.kinds.ways.on foot + jump troops"][0]
    assert rider is not None
    assert rider.does == "fall back 3D6, sweep 3D6", "only what is not as usual"
    for name, _ in entries(THIRD):
        found = decided(THIRD, name)
        assert found is not None
        assert not any(sign in found.does for sign in ("<", "frozenset", "Callable", "object at")), name
    assert about(THIRD, "no.such_entry") == ""
