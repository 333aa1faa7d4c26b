"""The command line: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from battlewright.core import rulebook
from battlewright.core.record import read_record
from battlewright.editions.agreement import read_agreement
from battlewright.editions.classic.table import differences
from battlewright.editions.edition import find_edition
from support.commands import Run, assert_bad_input


def test_help_names_the_commands(run: Run) -> None:
    ran = run("--help")
    assert ran.code == 0
    for command in ("battle", "replay", "league", "odds", "army", "scenario", "rules", "options"):
        assert command in ran.out


def test_version_is_told(run: Run) -> None:
    ran = run("--version")
    assert ran.code == 0
    assert ran.out.startswith("battlewright")


class TestRules:
    def test_a_whole_id_shows_its_entry_in_full(self, run: Run) -> None:
        entry = rulebook.entry("4e.obscured.half-hidden")
        ran = run("rules", entry.id)
        assert ran.code == 0
        words = " ".join(ran.out.split())
        for text in (entry.id, entry.rule, entry.given, entry.then):
            assert text in words

    def test_words_find_entries_of_one_edition(self, run: Run) -> None:
        ran = run("rules", "coherency", "--edition", "4", "--json")
        found = json.loads(ran.out)
        assert found
        assert {entry["edition"] for entry in found} == {"4"}
        assert all({"id", "rule", "chapter", "code", "covered"} <= set(entry) for entry in found)

    def test_words_need_no_quotes(self, run: Run) -> None:
        assert run("rules", "halálos", "seb", "--json").out == run("rules", "halálos seb", "--json").out

    def test_limit_holds_and_tells_what_it_left_out(self, run: Run) -> None:
        ran = run("rules", "unit", "--edition", "3", "--limit", "2", "--json")
        assert len(json.loads(ran.out)) == 2
        assert "more" in run("rules", "unit", "--edition", "3", "--limit", "2").err

    def test_nothing_found_is_no_error(self, run: Run) -> None:
        ran = run("rules", "xyzzy")
        assert (ran.code, ran.out) == (0, "")
        assert "xyzzy" in ran.err
        assert json.loads(run("rules", "xyzzy", "--json").out) == []

    def test_coverage_counts_every_edition_and_book(self, run: Run) -> None:
        report = json.loads(run("rules", "--coverage", "--json").out)
        assert list(report) == ["3", "4", "6", "11"]
        assert report["11"]["ledger"]["entries"] == 284
        for books in report.values():
            for counts in books.values():
                assert counts["covered"] + len(counts["missing"]) == counts["entries"]

    def test_chapters_of_an_edition(self, run: Run) -> None:
        chapters = json.loads(run("rules", "--edition", "6", "--json").out)
        coverage = json.loads(run("rules", "--coverage", "--edition", "6", "--json").out)["6"]
        assert coverage["ledger"]["entries"] == 294
        assert sum(chapter["entries"] for chapter in chapters["6"]) == sum(c["entries"] for c in coverage.values())

    @pytest.mark.parametrize(
        "arguments",
        [
            ("rules", "coherency", "--edition", "5"),
            ("rules", "coherency", "--lang", "fr"),
            ("rules", "4e.obscured.nothing"),
            ("rules", "unit", "--limit", "0"),
            ("rules", "--nonsense"),
            ("nonsense",),
        ],
    )
    def test_bad_input(self, run: Run, arguments: tuple[str, ...]) -> None:
        assert_bad_input(run(*arguments))

    def test_an_unknown_id_names_the_nearest(self, run: Run) -> None:
        assert "4e.obscured.half-hidden" in run("rules", "4e.obscured.half-hiden").err


class TestOptions:
    @pytest.mark.parametrize("edition", rulebook.EDITIONS)
    def test_the_sheet_holds_every_option_of_the_edition(self, run: Run, edition: str) -> None:
        options = {entry.id for entry in rulebook.entries(edition) if entry.kind == "option"}
        rows = json.loads(run("options", "--edition", edition, "--json").out)
        assert options <= {row["id"] for row in rows}
        sheet = {line.split()[0] for line in run("options", "--edition", edition).out.splitlines() if line.strip()}
        assert {row["id"] for row in rows} <= sheet

    def test_a_built_edition_lists_the_switches_that_a_battle_takes(self, run: Run) -> None:
        rows = {row["name"]: row for row in json.loads(run("options", "--edition", "11", "--json").out)}
        assert rows["hidden_terrain"]["default"] == "light-or-dense"
        assert "--option hidden_terrain=" in run("options", "--edition", "11").out

    def test_the_default_is_ticked_and_nothing_else(self, run: Run) -> None:
        lines = run("options", "--edition", "3").out.splitlines()
        start = next(n for n, line in enumerate(lines) if line.startswith("3e.march.enabled "))
        boxes = next(line for line in lines[start:] if "[" in line)
        assert boxes.split() == ["[x]", "no", "[", "]", "yes"]

    def test_what_was_asked_for_is_ticked(self, run: Run) -> None:
        lines = run("options", "--edition", "3", "-o", "march_moves=yes").out.splitlines()
        start = next(n for n, line in enumerate(lines) if line.startswith("3e.march.enabled "))
        assert next(line for line in lines[start:] if "[" in line).split() == ["[", "]", "no", "[x]", "yes"]

    def test_a_saved_sheet_reads_back_and_is_played(self, run: Run, tmp_path: Path) -> None:
        sheet, saved = tmp_path / "agreed.yaml", tmp_path / "battle.jsonl"
        assert run("options", "--edition", "3", "-o", "march_moves=yes", "--save", str(sheet)).code == 0
        assert read_agreement(sheet).options["march_moves"] == "yes"
        armies = ("third-orks-500", "third-marines-500")
        dull = ("--edition", "3", "--players", "default,default", "--seed", "1", "--save", str(saved), "--json")
        assert run("battle", *armies, *dull, "--agreed", str(sheet)).code == 0
        assert read_record(saved)[0].options["march_moves"] == "yes"

    def test_the_page_ticks_each_default_and_holds_every_switch(self, run: Run, tmp_path: Path) -> None:
        page = tmp_path / "sheet.html"
        assert run("options", "--edition", "3", "--html", str(page), "-o", "frag_users=any-side").code == 0
        text = page.read_text()
        rows = json.loads(run("options", "--edition", "3", "--json").out)
        assert text.count("<fieldset") == len(rows)
        assert re.search(r'name="frag_users" value="any-side" checked>', text)
        assert re.search(r'name="march_moves" value="no" checked data-default>', text)

    @pytest.mark.parametrize(
        ("sheet", "complaint"),
        [
            ("edition: '3'\noptions: {march: yes}", "march"),
            ("edition: '4'", "edition 4"),
            ("- 1", "sheet"),
            ("a: [", "YAML"),
            ("edition: '3'\noptions: 5", "mapping"),
        ],
    )
    def test_a_sheet_that_cannot_be_played_is_refused(
        self, run: Run, tmp_path: Path, sheet: str, complaint: str
    ) -> None:
        path = tmp_path / "agreed.yaml"
        path.write_text(sheet)
        refused = run("battle", "--edition", "3", "--seed", "1", "--agreed", str(path))
        assert_bad_input(refused)
        assert complaint in refused.err
        assert "agreed.yaml" in refused.err

    @pytest.mark.parametrize(
        "arguments",
        [
            ("options",),
            ("options", "--edition", "12"),
            ("options", "--edition", ""),
            ("options", "--edition", "3", "-o", "nonsense=1"),
            ("options", "--edition", "3", "--html", "/nowhere/at/all.html"),
        ],
    )
    def test_bad_input(self, run: Run, arguments: tuple[str, ...]) -> None:
        assert_bad_input(run(*arguments))


def test_a_terminal_of_few_characters_and_a_closed_pipe_are_no_trouble() -> None:
    environment = {**os.environ, "TERM": "dumb", "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "battlewright", "rules", "Sichtlinie"]
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert b"3e." in done.stdout
    assert done.stdout.isascii()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as closed:
        assert closed.stdout is not None
        assert closed.stderr is not None
        closed.stdout.close()
        assert b"Traceback" not in closed.stderr.read()


class TestDifferences:
    def test_every_entry_that_two_tables_decide_otherwise_is_told(self, run: Run) -> None:
        rows = json.loads(run("rules", "--diff", "3", "4", "--json").out)
        named = {row["entry"] for row in rows}
        assert named == set(differences(find_edition("3").part("table"), find_edition("4").part("table")))
        printed = run("rules", "--diff", "3", "4").out
        assert all(name in printed for name in named)

    def test_an_edition_does_not_differ_from_itself(self, run: Run) -> None:
        assert json.loads(run("rules", "--diff", "3", "3", "--json").out) == []

    @pytest.mark.parametrize("pair", [("3", "11"), ("3", "5"), ("3",)])
    def test_editions_without_such_a_table_are_refused(self, run: Run, pair: tuple[str, ...]) -> None:
        assert_bad_input(run("rules", "--diff", *pair))


class TestCompare:
    def test_each_answer_is_what_odds_says(self, run: Run) -> None:
        found = json.loads(run("compare", "A4 BS4 S4 AP5", "--target", "T4 Sv5+ x10", "--json").out)
        assert list(found["answers"]) == ["3", "4", "6"]
        for edition, answer in found["answers"].items():
            asked = ("--attack", "A4 BS4 S4 AP5", "--target", "T4 Sv5+ x10", "--edition", edition, "--json")
            assert answer["mean_slain"] == json.loads(run("odds", *asked).out)["mean_slain"]

    def test_one_datasheet_is_put_to_every_edition(self, run: Run) -> None:
        ran = run("compare", "Tactical Squad", "--against", "Slugga Boyz")
        assert ran.code == 0, ran.err
        assert "4th edition" in ran.out

    @pytest.mark.parametrize(
        "arguments",
        [
            ("Nobody",),
            ("A4 BS4 S4 AP5", "--editions", "3"),
            ("A4 BS4 S4 AP5", "--editions", "3,11"),
            ("A4", "--set", "x=1"),
        ],
    )
    def test_bad_input(self, run: Run, arguments: tuple[str, ...]) -> None:
        assert_bad_input(run("compare", *arguments))
