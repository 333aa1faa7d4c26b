"""``battle``, ``replay`` and ``army`` on the command line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from battlewright.core.decisions import Pick
from battlewright.core.record import read_record
from battlewright.start import replay
from support.commands import Run, assert_bad_input

Armies = tuple[str, str]
DULL = ("--players", "default,default", "--seed", "3")


class TestBattle:
    def test_json_holds_what_the_contract_names(self, run: Run, armies: Armies) -> None:
        ran = run("battle", *armies, *DULL, "--json")
        assert ran.code == 0
        outcome = json.loads(ran.out)
        assert set(outcome) == {
            "edition",
            "seed",
            "winner",
            "score",
            "rounds",
            "survivors",
            "decisions",
            "checksum",
            "seconds",
        }
        assert outcome["edition"] == "11"
        assert outcome["seed"] == 3
        assert outcome["winner"] in ("a", "b", None)
        assert set(outcome["score"]) == set(outcome["survivors"]) == {"a", "b"}
        assert outcome["decisions"] > 0

    def test_the_same_seed_gives_the_same_battle(self, run: Run, armies: Armies) -> None:
        first, second = (
            json.loads(run("battle", *armies, "--players", "random,random", "--seed", "5", "--json").out)
            for _ in range(2)
        )
        del first["seconds"], second["seconds"]
        assert first == second

    def test_computer_players_fight_the_bundled_armies_out(self, run: Run) -> None:
        ran = run("battle", "--seed", "3", "--level", "rolls")
        assert ran.code == 0
        for told in ("Round 5", "move of up to", "hit: ", "wound: ", "save: ", "models slain", "in all"):
            assert told in ran.out
        assert re.search(r"^(Victory for|A draw)", ran.out, re.MULTILINE)

    def test_without_a_seed_the_one_drawn_is_told(self, run: Run, armies: Armies) -> None:
        ran = run("battle", *armies, "--players", "default,default", "--json")
        assert str(json.loads(ran.out)["seed"]) in ran.err

    def test_the_log_tells_more_at_each_level_and_nothing_is_taken_for_markup(self, run: Run, armies: Armies) -> None:
        brief, rolls, full = (
            run("battle", *armies, *DULL, "--level", level).out for level in ("brief", "rolls", "full")
        )
        assert len(brief) < len(rolls) < len(full)
        assert "Orks & [red]friends[/red]" in brief
        assert "Warboss <b>Gork</b>" in brief
        assert "§" in full
        assert "§" not in rolls

    @pytest.mark.parametrize(
        "arguments",
        [
            ("--edition", "5"),
            ("--edition", "4"),
            ("--seed", "-1"),
            ("--seed", "seven"),
            ("--players", "default"),
            ("--players", "default,nobody"),
            ("--mission", "nowhere"),
            ("--layout", "nowhere"),
            ("--option", "nothing=1"),
            ("--option", "hidden_terrain=sometimes"),
            ("--option", "=1"),
            ("--level", "loud"),
            ("--save", "no/such/folder/x.battle"),
        ],
    )
    def test_bad_input(self, run: Run, armies: Armies, arguments: tuple[str, ...]) -> None:
        given = {"--players": "default,default", "--seed": "3"}
        given.pop(arguments[0], None)
        assert_bad_input(run("battle", *armies, *(part for pair in given.items() for part in pair), *arguments))

    def test_files_that_are_no_armies(self, run: Run, armies: Armies, tmp_path: Path) -> None:
        empty, binary = tmp_path / "empty.txt", tmp_path / "binary.txt"
        empty.write_bytes(b"")
        binary.write_bytes(bytes(range(256)))
        for file in (str(empty), str(binary), str(tmp_path), str(tmp_path / "missing.txt"), "\0"):
            assert_bad_input(run("battle", armies[0], file, *DULL))
            assert_bad_input(run("army", "show", file))

    def test_a_list_that_does_not_add_up_stops_the_battle_unless_told_to_go_on(self, run: Run, armies: Armies) -> None:
        path = Path(armies[0])
        path.write_text(path.read_text(encoding="utf-8").replace("points: 160", "points: 500"), encoding="utf-8")
        assert_bad_input(run("battle", *armies, *DULL))
        assert run("battle", *armies, *DULL, "--as-is", "--json").code == 0

    @pytest.mark.parametrize("fault", [("--mission", "x"), ("--save", "no/such/folder/x.battle")])
    def test_a_refusal_stands_alone_before_any_warning(self, run: Run, armies: Armies, fault: tuple[str, str]) -> None:
        path = Path(armies[0])
        path.write_text(path.read_text(encoding="utf-8").replace("points: 160", "points: 500"), encoding="utf-8")
        ran = run("battle", *armies, "--players", "default,default", "--as-is", *fault)
        assert_bad_input(ran)
        assert len(ran.err.splitlines()) == 1

    def test_a_bundled_army_of_another_edition_is_refused_as_such(self, run: Run) -> None:
        ran = run("battle", "third-orks-500", "eleventh-tau-500")
        assert_bad_input(ran)
        assert "edition 3" in ran.err


class TestReplay:
    @pytest.fixture
    def record(self, run: Run, armies: Armies, tmp_path: Path) -> Path:
        path = tmp_path / "x.battle"
        self.outcome = json.loads(run("battle", *armies, *DULL, "--save", str(path), "--json").out)
        return path

    def test_a_recorded_battle_comes_to_the_same(self, run: Run, record: Path) -> None:
        ran = run("replay", str(record), "--verify", "--json")
        assert ran.code == 0
        again = json.loads(ran.out)
        assert again["finished"]
        assert again["checksum"] == self.outcome["checksum"]
        assert again["score"] == self.outcome["score"]
        assert "agrees" in run("replay", str(record), "--verify").err

    def test_it_stops_where_it_is_told(self, run: Run, record: Path) -> None:
        part = json.loads(run("replay", str(record), "--to", "2", "--json").out)
        assert part["decisions"] == 2
        assert not part["finished"]
        assert run("replay", str(record), "--to", "0").code == 0
        assert_bad_input(run("replay", str(record), "--to", "100000"))
        assert_bad_input(run("replay", str(record), "--to", "-1"))

    def test_an_altered_checksum_is_found_at_its_answer(self, run: Run, record: Path) -> None:
        lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
        third = json.loads(lines[3])
        third["checksum"] = "0" * 16
        lines[3] = json.dumps(third) + "\n"
        record.write_text("".join(lines), encoding="utf-8")
        ran = run("replay", str(record), "--verify")
        assert ran.code == 1
        assert "answer 3" in ran.err
        assert "Traceback" not in ran.err

    def test_whichever_answer_is_altered_is_named(self, run: Run, record: Path) -> None:
        """Also one that changes nothing by itself, such as which unit to deploy, or a detour on the way to a place."""
        lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
        header, answers = read_record(record)
        battle, altered = replay(header, [], to=0), set()
        for number, recorded in enumerate(answers[:120], 1):
            assert battle.decision is not None
            others = [option.key for option in battle.options() if Pick(option.key) != recorded.answer]
            kind = battle.decision.kind
            if others and kind not in altered:
                altered.add(kind)
                line = {**json.loads(lines[number]), "answer": {"kind": "pick", "option": others[0]}}
                other = [*lines[:number], json.dumps(line) + "\n", *lines[number + 1 :]]
                record.write_text("".join(other), encoding="utf-8")
                ran = run("replay", str(record), "--verify")
                assert (ran.code, f"at answer {number}:" in ran.err) == (1, True), (kind, number, ran.err)
            battle.answer(recorded.answer)
        assert {"select-unit-to-deploy", "select-unit-to-move"} <= altered

    def test_a_record_that_is_none(self, run: Run, record: Path, tmp_path: Path) -> None:
        assert_bad_input(run("replay", str(tmp_path / "missing.battle")))
        assert_bad_input(run("replay", str(tmp_path)))
        text = record.read_text(encoding="utf-8")
        for content in ("", "hello\n", "{}\n", text.replace('"engine":"', '"engine":"9'), text[: len(text) // 3]):
            record.write_text(content, encoding="utf-8")
            assert_bad_input(run("replay", str(record), "--verify"))

    def test_a_last_line_cut_short_was_never_acknowledged(self, run: Run, record: Path) -> None:
        text = record.read_text(encoding="utf-8")
        record.write_text(text[:-10], encoding="utf-8")
        again = json.loads(run("replay", str(record), "--json").out)
        assert again["decisions"] == self.outcome["decisions"] - 1

    def test_the_page_is_written_whole_or_not_at_all(self, run: Run, record: Path, tmp_path: Path) -> None:
        page = tmp_path / "battle.html"
        assert run("replay", str(record), "--html", str(page)).code == 0
        assert page.read_text(encoding="utf-8").rstrip().endswith("</html>")
        for nowhere in (tmp_path / "no" / "x.html", tmp_path):
            assert_bad_input(run("replay", str(record), "--html", str(nowhere), "--json"))
        assert [path for path in tmp_path.iterdir() if path.name.endswith(".part")] == []

    def test_a_place_that_cannot_be_written_is_refused_before_anything_is_replayed(
        self, run: Run, record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("battlewright.start.replay", lambda *_, **__: pytest.fail("replayed all the same"))
        for option in ("--html", "--svg"):
            refused = run("replay", str(record), option, str(tmp_path / "no" / "x.html"))
            assert_bad_input(refused)
            assert len(refused.err.splitlines()) == 1

    def test_a_picture_shows_the_models_that_stand_at_the_end(self, run: Run, record: Path, tmp_path: Path) -> None:
        picture = tmp_path / "battle.svg"
        assert run("replay", str(record), "--svg", str(picture)).code == 0
        drawn = len(re.findall(r'class="model [ab]"', picture.read_text(encoding="utf-8")))
        assert drawn == sum(self.outcome["survivors"].values())


class TestArmy:
    def test_show_tells_units_weapons_and_whether_it_adds_up(self, run: Run, armies: Armies) -> None:
        army = json.loads(run("army", "show", armies[0], "--json").out)
        assert army["reconciled"]
        assert [(unit["name"], unit["models"], unit["points"]) for unit in army["units"]] == [
            ("Boyz", 5, 80),
            ("Warboss <b>Gork</b>", 1, 80),
        ]
        assert army["units"][0]["weapons"] == {"Shoota": 5, "Choppa": 5}

    def test_show_is_readable_too_and_takes_nothing_for_markup(self, run: Run, armies: Armies) -> None:
        shown = run("army", "show", armies[0]).out
        assert "Green <i>tide</i> [bold]" in shown
        assert "5 Shoota, 5 Choppa" in shown

    def test_a_list_that_does_not_add_up_is_shown_with_its_reasons(self, run: Run, armies: Armies) -> None:
        path = Path(armies[0])
        path.write_text(path.read_text(encoding="utf-8").replace("points: 160", "points: 500"), encoding="utf-8")
        ran = run("army", "show", str(path), "--json")
        assert ran.code == 0
        army = json.loads(ran.out)
        assert not army["reconciled"]
        assert any("500" in reason["text"] for reason in army["unresolved"])
        assert "500" in run("army", "show", str(path)).out

    def test_bundled_armies_are_named_and_can_be_shown(self, run: Run) -> None:
        ran = run("army", "list", "--json")
        assert ran.code == 0
        for army in json.loads(ran.out):
            shown = json.loads(run("army", "show", army["name"], "--json").out)
            assert shown["points"] == army["points"]

    @pytest.mark.parametrize("arguments", [("show",), ("show", "nothing.txt"), ("list", "--edition", "12")])
    def test_bad_input(self, run: Run, arguments: tuple[str, ...]) -> None:
        assert_bad_input(run("army", *arguments))


class TestScenario:
    SCENARIO = Path(__file__).parents[1] / "scenarios" / "battle_shock.yaml"

    def test_one_that_passes(self, run: Run) -> None:
        ran = run("scenario", "run", str(self.SCENARIO), "--json")
        assert ran.code == 0
        assert json.loads(ran.out)["passed"]
        assert "passed" in run("scenario", "run", str(self.SCENARIO)).err

    def test_one_that_fails_says_what(self, run: Run, tmp_path: Path) -> None:
        text = self.SCENARIO.read_text(encoding="utf-8")
        assert "[2, 4]" in text
        other = tmp_path / "other.yaml"
        other.write_text(text.replace("[2, 4]", "[6, 4]"), encoding="utf-8")
        ran = run("scenario", "run", str(other), "--json")
        assert ran.code == 1
        report = json.loads(ran.out)
        assert not report["passed"]
        assert report["failure"] in ran.err

    def test_files_that_are_no_scenarios(self, run: Run, tmp_path: Path) -> None:
        empty = tmp_path / "empty.yaml"
        empty.write_text("")
        for file in (empty, tmp_path, tmp_path / "missing.yaml"):
            assert_bad_input(run("scenario", "run", str(file)))

    def test_the_schema_is_printed(self, run: Run) -> None:
        assert json.loads(run("scenario", "schema").out)["type"] == "object"


def test_a_battle_runs_in_a_pipe_without_control_characters(armies: Armies) -> None:
    command = [sys.executable, "-m", "battlewright", "battle", *armies, *DULL]
    done = subprocess.run(command, capture_output=True, check=True)
    assert b"\x1b" not in done.stdout
    assert b"Roll-off" in done.stdout


def test_a_list_that_is_no_file_is_named_as_it_was_given(run: Run) -> None:
    assert "/dev/null: the file is empty" in run("army", "show", "/dev/null").err
