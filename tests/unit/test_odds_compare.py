"""Two answers side by side, explanations, pictures, and units found in lists."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from battlewright import odds
from battlewright.armies import load_army, unit_of
from battlewright.core.errors import ArmyError, BadInput
from battlewright.core.rulebook import is_known
from battlewright.odds import Measure
from battlewright.odds.measures import distribution, mean, quantile
from battlewright.odds.plots import plot_answer, plot_comparison
from support.commands import Run, assert_bad_input

RIFLE, CANNON, TARGET = "A2 BS4+ S4 AP0 D1", "A1 BS4+ S8 AP0 D2", "T4 Sv- W1 x5"
F = Fraction


class TestComparison:
    def test_who_does_better_is_counted_roll_by_roll(self) -> None:
        better = odds.compare(odds.volley(RIFLE, TARGET), odds.volley(CANNON, TARGET)).better[Measure.SLAIN]
        rifle = [F(9, 16), F(6, 16), F(1, 16)]  # each of two attacks slays at 1/2 x 1/2
        cannon = [F(7, 12), F(5, 12)]
        assert better.first == pytest.approx(float(rifle[1] * cannon[0] + rifle[2]))
        assert better.equal == pytest.approx(float(rifle[0] * cannon[0] + rifle[1] * cannon[1]))
        assert better.second == pytest.approx(float(rifle[0] * cannon[1]))
        assert better.means == pytest.approx((0.5, 5 / 12))

    def test_an_answer_against_itself_is_even(self) -> None:
        answer = odds.volley("A20 BS3+ S4 AP-1 DD3", "T4 Sv3+ W3 x10 FNP5+")
        for better in odds.compare(answer, answer).better.values():
            assert better.first == pytest.approx(better.second)
            assert better.first + better.equal + better.second == pytest.approx(1)

    def test_points_are_compared_where_both_targets_cost_some(self, armies: tuple[str, str]) -> None:
        green, gold = (load_army(path).units for path in armies)
        at_boyz, at_guard = (odds.volley("A9 BS3+ S5 AP-2 D2", units[0]) for units in (green, gold))
        compared = odds.compare(at_boyz, at_guard)
        assert compared.better[Measure.POINTS].means == pytest.approx(
            (at_boyz.odds.expected_points, at_guard.odds.expected_points)
        )
        assert Measure.POINTS not in odds.compare(at_boyz, odds.volley(RIFLE, TARGET)).better

    def test_the_two_are_called_by_what_differs(self) -> None:
        plain, better = odds.volley(RIFLE, TARGET), odds.volley(RIFLE, TARGET, reroll_hits="ones", cover=False)
        assert odds.compare(plain, better).names == (
            f"{RIFLE} against {TARGET}",
            f"{RIFLE} against {TARGET}, reroll_hits=ones, cover=false",
        )


def test_quantiles_and_means_of_distributions() -> None:
    chances = {0: 0.25, 2: 0.5, 3: 0.25}
    assert [quantile(chances, share) for share in (0.0, 0.25, 0.26, 0.5, 0.75, 0.76, 1.0)] == [0, 0, 2, 2, 2, 3, 3]
    assert mean(chances) == 1.75
    with pytest.raises(ValueError, match="no distribution"):
        distribution(odds.volley(RIFLE, TARGET), Measure.EARNED)


class TestExplanation:
    ATTACK = "A4 BS3+ S4 AP-1 DD3+1 [LETHAL HITS, SUSTAINED HITS D3, DEVASTATING WOUNDS] x2"
    TARGETS = "T4 Sv3+ InSv5+ W2 x5 FNP5+ + T4 Sv2+ W4 {CHARACTER}"

    def test_every_stage_says_what_its_dice_mean(self) -> None:
        settings = {"hit": 1, "reroll_hits": "noncritical", "damage": -1, "lethal": "take"}
        told = {each.stage.name: each for each in odds.explain(odds.volley(self.ATTACK, self.TARGETS, **settings))}
        assert told["attacks"].says == ("2 x A4",)
        assert told["hit"].says == (
            "needs 3+, +1 to the roll",
            "1 miss, 2-5 hit, 6 critical-hit",
            "critical-hit goes on to damage and D3 x wound (lethal: take)",
            "thrown again: noncritical (permitted: noncritical)",
        )
        assert "critical-wound goes on to devastating" in told["wound"].says
        assert told["save"].says[0].endswith("Sv 3+ at AP-1, InSv 5+: 4+")
        assert "devastating: no save" in told["save"].says
        assert told["damage"].says[0] == "damage: DD3+1 (now 1 to 3) each, stays with one model"
        assert told["damage"].says[-1].endswith("Feel No Pain 5+ against each point")
        assert told["slain"].says == ("5 T4 Sv3+ InSv5+ W2 FNP5+, W2", "1 T4 Sv2+ W4, W4")

    def test_stages_cite_rules_of_the_rulebook_and_together_all_of_the_answers(self) -> None:
        answer = odds.volley(self.ATTACK + " + A1 S9 AP-3 D3 [TORRENT, MELTA 2]", self.TARGETS, half_range=True)
        explained = odds.explain(answer)
        cited = {rule for each in explained for rule in each.rules}
        assert all(map(is_known, cited))
        not_taken = {"11e.24.23-lethal-hits.may-decline", "11e.24.23-lethal-hits.auto-wound-option"}
        assert set(answer.rules) - not_taken <= cited
        assert [each.stage.volley for each in explained if each.stage.name == "attacks"] == [
            volley.name for volley in answer.volleys
        ]
        assert "11e.24.25-melta.adds-to-d" in next(each for each in explained if each.stage.name == "damage").rules

    def test_damage_tables_are_told_by_their_faces_and_effects_by_their_chance(self, run: Run) -> None:
        asked = ("--edition", "3", "--attack", "A1 BS4 S9 AP2", "--target", "AV 13/11/10")
        ran = run("odds", "explain", *asked)
        assert ran.code == 0, ran.err
        assert "1-3 no effect, 4 glancing hit, 5-6 penetrating hit" in ran.out
        assert "immobilised goes on to immobilised" not in ran.out
        ran = run("odds", *asked)
        effects = json.loads(run("odds", *asked, "--json").out)["effects"]
        assert f"{1 - effects['immobilised']['0']:6.1%}  immobilised" in ran.out

    def test_the_command_prints_rules_in_words(self, run: Run) -> None:
        ran = run("odds", "explain", "--attack", self.ATTACK, "--target", self.TARGETS, "--cover")
        assert ran.code == 0, ran.err
        words = " ".join(ran.out.split())
        assert "11e.core.13.08-effect" in words
        assert "For a hit roll the first match decides" in words
        told = json.loads(run("odds", "explain", "--attack", RIFLE, "--target", TARGET, "--json").out)
        assert [stage["name"] for stage in told["explained"]] == [stage["name"] for stage in told["stages"]]
        assert all(rule["rule"] for stage in told["explained"] for rule in stage["rules"])


class TestPictures:
    def test_an_answer_and_a_comparison_are_drawn(self, tmp_path: Path) -> None:
        first, second = odds.volley(RIFLE, TARGET), odds.volley("A60 BS2+ S8 AP0 DD6", "T4 Sv- W9 x10")
        for ending, begin in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
            alone, both = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
            plot_answer(second, alone)
            plot_comparison(odds.compare(first, second), both)
            assert alone.read_bytes().startswith(begin)
            assert both.read_bytes().startswith(begin)

    def test_the_picture_tells_the_average_and_the_quartiles(self, tmp_path: Path) -> None:
        from matplotlib import rc_context

        picture = tmp_path / "a.svg"
        with rc_context({"svg.fonttype": "none"}):
            plot_answer(odds.volley("A10 BS3+ S4 AP-1 D1", "T4 Sv3+ W2 x10", cover=True), picture)
        told = picture.read_text(encoding="utf-8")
        assert "average 1.25; quartiles 0, 1, 2" in told
        assert "so many or more" in told
        assert "(cover)" in told

    def test_an_unknown_kind_is_refused_by_its_ending(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match=r"expected \.png"):
            plot_answer(odds.volley(RIFLE, TARGET), tmp_path / "picture")

    def test_a_certain_answer_can_be_drawn(self, tmp_path: Path) -> None:
        plot_answer(odds.volley("A1 BS6+ S1 AP0 D1", "T4 Sv2+ W1", attacks=-1), tmp_path / "a.png")
        assert (tmp_path / "a.png").exists()


class TestUnitsOfLists:
    def test_a_unit_is_found_by_its_name_its_part_or_its_number(self, armies: tuple[str, str]) -> None:
        army = load_army(armies[0])
        boyz, boss = army.units
        assert unit_of([army], "boyz") is boyz
        attached = replace(boyz, components=(*boyz.components, *boss.components), name="Boyz + Warboss")
        mixed = replace(army, units=(attached, boyz))
        assert unit_of([mixed], boss.name) is attached
        assert unit_of([mixed], "Boyz") is boyz
        fewer = replace(boyz, models=boyz.models[:3])
        differing = replace(army, units=(boyz, fewer))
        with pytest.raises(ArmyError, match="2 units"):
            unit_of([differing], "Boyz")
        assert unit_of([differing], "Boyz #2") is fewer
        with pytest.raises(ArmyError, match="#1 to #2"):
            unit_of([differing], "Boyz #3")
        with pytest.raises(ArmyError, match='did you mean "Boyz"'):
            unit_of([army], "Bozy")

    def test_alike_units_need_no_number_and_the_first_army_is_searched_first(self, armies: tuple[str, str]) -> None:
        army = load_army(armies[0])
        boyz = army.units[0]
        twice = replace(army, units=(boyz, replace(boyz, id="a.9")))
        assert unit_of([twice], "Boyz") is boyz
        other = replace(army, units=(replace(boyz, models=boyz.models[:1]),))
        assert len(unit_of([other, army], "Boyz").models) == 1


class TestCommand:
    def asked(self, run: Run, *arguments: str) -> dict[str, object]:
        ran = run("odds", *arguments, "--json")
        assert ran.code == 0, ran.err
        told: dict[str, object] = json.loads(ran.out)
        return told

    def test_two_loadouts_are_laid_side_by_side(self, run: Run) -> None:
        question = ("--attack", RIFLE, "--target", TARGET, "--compare", f"attack={CANNON}")
        told = self.asked(run, *question)
        assert told["better"]["slain"]["second"] == pytest.approx(float(F(9, 16) * F(5, 12)))  # type: ignore[index]
        words = run("odds", *question).out
        assert "A does better" in words
        assert "23.4%" in words

    @pytest.mark.parametrize(
        ("change", "same"),
        [
            ("target=T5 Sv- W1 x5", {"target": "T5 Sv- W1 x5"}),
            ("models=3", {"models": 3}),
            ("target-models=9", {"target_models": 9}),
            ("cover=true", {"cover": True}),
            ("reroll_hits=ones", {"reroll_hits": "ones"}),
        ],
    )
    def test_any_option_can_be_what_changes(self, run: Run, change: str, same: dict[str, object]) -> None:
        told = self.asked(run, "--attack", RIFLE, "--target", TARGET, "--set", "wound=1", "--compare", change)
        target = str(same.pop("target", TARGET))
        wanted = odds.volley(RIFLE, target, wound=1, **same).mean_damage  # type: ignore[arg-type]
        assert told["second"]["mean_damage"] == pytest.approx(wanted)  # type: ignore[index]

    def test_circumstances_can_be_taken_back(self, run: Run) -> None:
        told = self.asked(run, "--attack", RIFLE, "--target", TARGET, "--cover", "--compare", "cover=false")
        assert told["second"]["mean_damage"] > told["first"]["mean_damage"]  # type: ignore[index]

    def test_units_are_found_in_lists(self, run: Run, armies: tuple[str, str]) -> None:
        lists = ("--army", armies[0], "--army", armies[1])
        told = self.asked(run, *lists, "--unit", "Boyz", "--against", "Custodian Guard", "--models", "3")
        green, gold = map(load_army, armies)
        wanted = odds.volley(green.units[0], gold.units[0], models=3)
        assert told["mean_damage"] == pytest.approx(wanted.mean_damage)
        chopped = self.asked(run, *lists, "--unit", "Boyz", "--weapon", "Choppa", "--against", "Custodian Guard")
        assert chopped["mean_damage"] == pytest.approx(
            odds.volley(green.units[0], gold.units[0], weapon="Choppa").mean_damage
        )

    def test_loadouts_of_a_unit_are_compared(self, run: Run, armies: tuple[str, str], tmp_path: Path) -> None:
        lists = ("--army", armies[0], "--unit", "Boyz", "--target", TARGET)
        picture = tmp_path / "both.png"
        told = self.asked(run, *lists, "--weapon", "Shoota", "--compare", "weapon=Choppa", "--plot", str(picture))
        assert told["second"]["mean_damage"] > told["first"]["mean_damage"]  # type: ignore[index]
        assert picture.read_bytes().startswith(b"\x89PNG")

    @pytest.mark.parametrize(
        "arguments",
        [
            ("--attack", RIFLE, "--target", TARGET, "--compare", CANNON),
            ("--attack", RIFLE, "--target", TARGET, "--compare", "attak=A1"),
            ("--attack", RIFLE, "--target", TARGET, "--compare", "models=many"),
            ("--attack", RIFLE, "--target", TARGET, "--compare", "weapon=Shoota"),
            ("--attack", RIFLE, "--target", TARGET, "explain"),
            ("--attack", RIFLE, "--target", TARGET, "--army", "x.txt"),
            ("--unit", "Boyz", "--target", TARGET, "--army", "no/such/list.txt"),
            ("explain", "--attack", RIFLE),
        ],
    )
    def test_bad_input(self, run: Run, arguments: tuple[str, ...]) -> None:
        assert_bad_input(run("odds", *arguments))
