"""``battlewright odds`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import battlewright as bw
from battlewright.report.chances import bars, worth_showing
from support.commands import Run, assert_bad_input

ATTACK, TARGET = "A10 BS3+ S4 AP-1 D1 [LETHAL HITS]", "T4 Sv3+ W2 x10"
QUESTION = ("--attack", ATTACK, "--target", TARGET)


def asked(run: Run, *arguments: str) -> dict[str, object]:
    ran = run("odds", *arguments, "--json")
    assert ran.code == 0, ran.err
    answer: dict[str, object] = json.loads(ran.out)
    return answer


class TestQuestions:
    def test_json_holds_what_the_contract_names(self, run: Run) -> None:
        answer = json.loads(run("odds", *QUESTION, "--json").out)
        names = {"damage", "slain", "mean_damage", "mean_slain", "p_destroyed", "stages", "rules"}
        assert names <= set(answer)
        for distribution in (answer["damage"], answer["slain"]):
            assert sum(distribution.values()) == pytest.approx(1)
            assert all(number.isdigit() for number in distribution)
        mean = sum(int(number) * chance for number, chance in answer["damage"].items())
        assert answer["mean_damage"] == pytest.approx(mean)

    def test_a_case_that_can_be_counted_on_fingers(self, run: Run) -> None:
        answer = json.loads(run("odds", "--attack", "A1 BS4+ S4 AP0 D1", "--target", "T4 Sv- W1 x1", "--json").out)
        assert answer["damage"] == pytest.approx({"0": 0.75, "1": 0.25})
        assert answer["p_destroyed"] == pytest.approx(0.25)

    def test_options_are_the_settings_of_the_library(self, run: Run) -> None:
        mine = asked(run, *QUESTION, "--cover", "--set", "reroll_hits=ones", "--set", "wound=1", "--models", "2")
        library = bw.odds.volley(ATTACK, TARGET, cover=True, reroll_hits="ones", wound=1, models=2)
        assert mine["mean_damage"] == pytest.approx(library.mean_damage)

    def test_the_range_halves(self, run: Run) -> None:
        near, far = (
            asked(run, "--attack", 'R24" A1 BS3+ S4 AP0 D1 [RAPID FIRE 1]', "--target", TARGET, "--range", inches)
            for inches in ("12", "13")
        )
        assert near["mean_damage"] == pytest.approx(2 * float(str(far["mean_damage"])))

    def test_units_stand_in_for_profiles(self, run: Run) -> None:
        by_name = asked(run, "--unit", "Necron Warriors", "--weapon", "Gauss flayer", "--against", "Custodian Guard")
        assert by_name["attack"] == "Necron Warriors"
        fewer = asked(
            run,
            "--unit",
            "Necron Warriors",
            "--weapon",
            "Gauss flayer",
            "--models",
            "5",
            "--against",
            "Custodian Guard",
        )
        assert 0 < float(str(fewer["mean_damage"])) < float(str(by_name["mean_damage"]))

    def test_the_answer_is_readable_too(self, run: Run) -> None:
        out = run("odds", *QUESTION).out
        assert "2.08 wounds and 0.79 models on average" in out
        assert "█" in out

    def test_the_settings_are_listed(self, run: Run) -> None:
        assert "reroll_hits" in run("odds", "--keys").out
        assert json.loads(run("odds", "--keys", "--json").out) == dict(bw.odds.keys("11"))

    def test_a_plot_is_written(self, run: Run, tmp_path: Path) -> None:
        picture = tmp_path / "odds.png"
        assert run("odds", *QUESTION, "--plot", str(picture)).code == 0
        assert picture.read_bytes().startswith(b"\x89PNG")

    @pytest.mark.parametrize(
        "arguments",
        [
            (),
            ("--attack", ATTACK),
            ("--target", TARGET),
            (*QUESTION, "--unit", "Boyz"),
            (*QUESTION, "--weapon", "Slugga"),
            ("--attack", "nonsense", "--target", TARGET),
            ("--attack", ATTACK, "--target", ""),
            ("--unit", "Bozy", "--target", TARGET),
            ("--unit", "Boyz", "--weapon", "Spoon", "--target", TARGET),
            ("--unit", "Boyz", "--models", "0", "--target", TARGET),
            ("--unit", "Boyz", "--models", "100000", "--target", TARGET),
            (*QUESTION, "--models", "0"),
            (*QUESTION, "--set", "hti=1"),
            (*QUESTION, "--set", "hit=high"),
            (*QUESTION, "--set", "hit=1", "--set", "hit=1"),
            (*QUESTION, "--range", "12"),
            (*QUESTION, "--range", "nan"),
            (*QUESTION, "--edition", "4"),
            (*QUESTION, "--edition", "12"),
            (*QUESTION, "--plot", "no/such/folder/x.png"),
            (*QUESTION, "--plot", "picture.nonsense"),
            (*QUESTION, "--sample", "0"),
        ],
    )
    def test_bad_input(self, run: Run, arguments: tuple[str, ...]) -> None:
        assert_bad_input(run("odds", *arguments))


class TestBars:
    def test_lines_add_up_and_say_at_least(self) -> None:
        chances = dict.fromkeys(range(101), 1 / 101)
        lines = bars(chances, most=20)
        assert len(lines) <= 20
        assert lines[0].split()[-1] == "100.0%"
        assert sum(float(line.split()[1].rstrip("%")) for line in lines) == pytest.approx(100, abs=1)

    def test_what_is_hardly_possible_is_left_out_and_certainty_stays(self) -> None:
        assert worth_showing({0: 0.9999, 1: 0.0001}) == {0: 0.9999}
        assert worth_showing({0: 1.0}) == {0: 1.0}
        assert len(bars({0: 1.0})) == 1
