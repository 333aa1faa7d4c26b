"""The switches of the 3rd edition against the options of its rulebook."""

from __future__ import annotations

import pytest

from battlewright.core.errors import BadInput
from battlewright.core.rulebook import entries
from battlewright.editions.edition import find_edition
from battlewright.editions.third.switches import SWITCHES


def word(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def test_every_option_of_the_rulebook_is_a_switch_with_its_values_and_default() -> None:
    options = {entry.id: entry for entry in entries("3") if entry.kind == "option"}
    assert len(options) == 23
    of_the_rulebook = [switch for switch in SWITCHES if switch.from_file is None]
    assert {switch.rule for switch in of_the_rulebook} == set(options)
    for switch in of_the_rulebook:
        option = options[switch.rule]
        assert set(switch.values) == {word(value) for value in option.values}
        assert switch.default == word(option.default)
    assert len({switch.name for switch in of_the_rulebook}) == 23


@pytest.mark.rule("3e.basis.options-agreed")
def test_what_is_not_ticked_is_played_by_the_settled_reading() -> None:
    resolve_options = find_edition("3").switchboard().resolve_options
    found = resolve_options({"range_from": "barrel"})
    assert found["range_from"] == "barrel"
    assert found["march_moves"] == "no"
    assert resolve_options({}) == {switch.name: switch.default for switch in SWITCHES}
    with pytest.raises(BadInput, match="no option"):
        resolve_options({"march": "yes"})
    with pytest.raises(BadInput, match="cannot be"):
        resolve_options({"march_moves": "often"})


def test_the_edition_lays_its_battles_out() -> None:
    board = find_edition("3").switchboard()
    for mission in board.missions():
        for layout in board.layouts(mission):
            zones = board.battlefield(layout)["zones"]
            assert {zone["edge"] for zone in zones} == {"north", "south"}
    with pytest.raises(BadInput, match="no layout"):
        board.battlefield("moon")
