"""Each unit of one army against each unit of another."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from battlewright import odds
from battlewright.armies import load_army
from battlewright.core.errors import BadInput
from battlewright.core.roster import Army
from battlewright.odds import Measure, Way
from support.commands import Run, assert_bad_input


@pytest.fixture
def both(armies: tuple[str, str]) -> tuple[Army, Army]:
    green, gold = armies
    return load_army(green, "11"), load_army(gold, "11")


def test_every_cell_is_the_answer_to_its_question(both: tuple[Army, Army]) -> None:
    green, gold = both
    found = odds.matrix(green, gold)
    assert (len(found.attackers), len(found.targets)) == (2, 1)
    for row, unit in enumerate(green.units):
        for way, melee in ((Way.SHOOTING, False), (Way.MELEE, True)):
            cell = found.cell(row, 0, way)
            if cell is None:
                assert (unit.name[:7], way) == ("Warboss", Way.SHOOTING)
                continue
            asked = odds.volley(unit, gold.units[0], melee=melee)
            assert cell.damage == asked.mean_damage
            assert cell.p_destroyed == asked.p_destroyed
            assert cell.points == pytest.approx(asked.mean_slain * 150 / 4)
            assert cell.earned == pytest.approx(cell.points / 80)
            assert cell.weapons == tuple(volley.name for volley in asked.volleys)


def test_the_better_way_is_taken_cell_by_cell(both: tuple[Army, Army]) -> None:
    found = odds.matrix(*both)
    shooting, melee = (found.values(Measure.DAMAGE, way) for way in (Way.SHOOTING, Way.MELEE))
    assert np.isnan(shooting[1, 0])
    np.testing.assert_array_equal(found.values(Measure.DAMAGE), np.fmax(shooting, melee))


def test_settings_reach_every_cell(both: tuple[Army, Army]) -> None:
    plain, covered = odds.matrix(*both), odds.matrix(*both, cover=True)
    assert covered.values(Measure.DAMAGE, Way.SHOOTING)[0, 0] < plain.values(Measure.DAMAGE, Way.SHOOTING)[0, 0]
    assert covered.values(Measure.DAMAGE, Way.MELEE)[0, 0] == plain.values(Measure.DAMAGE, Way.MELEE)[0, 0]
    far = odds.matrix(*both, range=20)
    assert np.isnan(far.values(way=Way.SHOOTING)[0, 0])


def test_an_older_edition_is_asked_in_the_same_way() -> None:
    eldar, orks = (load_army(f"third-{name}", "3") for name in ("eldar-1500", "orks-500"))
    found = odds.matrix(eldar, orks)
    assert found.edition == "3"
    weapons = [(unit, row) for row, unit in enumerate(eldar.units)]
    for unit, row in weapons:
        has_melee = any(profile.melee for model in unit.models for each in model.weapons for profile in each.profiles)
        assert (found.cell(row, 0, Way.MELEE) is not None) is has_melee
    assert np.nanmax(found.values()) > 0


def test_namesakes_are_numbered(both: tuple[Army, Army]) -> None:
    green, gold = both
    twice = replace(gold, units=(*gold.units, *gold.units))
    assert odds.matrix(green, twice).targets == ("Custodian Guard #1", "Custodian Guard #2")


def test_what_cannot_be_asked_is_refused(both: tuple[Army, Army]) -> None:
    green, gold = both
    with pytest.raises(BadInput, match="no units"):
        odds.matrix(green, replace(gold, units=()))
    with pytest.raises(BadInput, match="another edition"):
        odds.matrix(green, replace(gold, edition="4"))
    with pytest.raises(BadInput, match="always has both"):
        odds.matrix(green, gold, melee=True)


class TestCommand:
    def test_json_has_both_ways(self, run: Run, armies: tuple[str, str]) -> None:
        ran = run("odds", "matrix", *armies, "--json")
        assert ran.code == 0, ran.err
        told = json.loads(ran.out)
        assert told["targets"] == ["Custodian Guard"]
        assert told["shooting"][1] == [None]
        assert set(told["melee"][0][0]) == {"weapons", "points", "earned", "damage", "slain", "p_destroyed"}

    def test_the_table_has_a_row_for_each_attacker(self, run: Run, armies: tuple[str, str]) -> None:
        ran = run("odds", "matrix", *armies, "--measure", "damage", "--way", "shooting")
        assert ran.code == 0, ran.err
        rows = {line.split()[0]: line for line in ran.out.splitlines() if line.strip()}
        assert rows["Warboss"].split()[-1] == "-"
        boyz = odds.matrix(*map(load_army, armies)).values(Measure.DAMAGE, Way.SHOOTING)[0, 0]
        assert rows["Boyz"].split()[-1] == f"{boyz:.1f}"

    def test_a_heat_map_is_drawn(self, run: Run, armies: tuple[str, str], tmp_path: Path) -> None:
        for name, begin in (("map.png", b"\x89PNG"), ("map.svg", b"<?xml")):
            assert run("odds", "matrix", *armies, "--plot", str(tmp_path / name)).code == 0
            assert (tmp_path / name).read_bytes().startswith(begin)

    @pytest.mark.parametrize(
        "more",
        [
            ("--measure", "glory"),
            ("--way", "sideways"),
            ("--set", "coverr=1"),
            ("--edition", "4"),
            ("--plot", "map.nonsense"),
        ],
    )
    def test_bad_input(self, run: Run, armies: tuple[str, str], more: tuple[str, ...]) -> None:
        assert_bad_input(run("odds", "matrix", *armies, *more))

    def test_a_missing_list_is_bad_input(self, run: Run, armies: tuple[str, str]) -> None:
        assert_bad_input(run("odds", "matrix", armies[0], "no/such/list.txt"))
        assert run("odds", "matrix", armies[0]).code == 2
