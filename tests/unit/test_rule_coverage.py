"""Coverage of the rulebook is measured strictly: cited code, called, in a passing test that is marked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from battlewright.core import rulebook, rulebook_report
from support.rule_coverage import WITHOUT_RULES

TESTS = Path(__file__).parent.parent
ANTI = "11e.24.03-anti.critical-threshold"
BLAST = "11e.24.05-blast.counted-at-select-targets"
HEAVY = "11e.24.16-heavy.plus-one-to-hit"
LANCE = "11e.24.18-ignores-cover.no-cover"

RULES = f'''
from functools import cache
from battlewright.core.rulebook import rule

@rule("{ANTI}")
def anti():
    yield 1

@rule("{BLAST}")
class Blast:
    def attacks(self):
        return 2

@rule("{HEAVY}")
@cache
def heavy():
    return 1
'''
HEAD = "import pytest\nfrom rules_of_play import *\nrule = pytest.mark.rule\n"


class Project:
    """A small project whose tests are measured in a process of their own."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.file = pytester.path / "coverage.json"
        pytester.makeini(
            f"""
            [pytest]
            pythonpath = {TESTS} {TESTS.parent / "src"} .
            testpaths = .
            addopts = --import-mode=importlib --strict-markers
            markers = rule(*ids)
            rule_coverage_file = {self.file}
            """
        )
        pytester.makeconftest('pytest_plugins = ["support.rule_coverage"]')
        pytester.makepyfile(rules_of_play=RULES)

    def write(self, body: str) -> None:
        self.pytester.makepyfile(test_play=HEAD + body)

    def run(self, *arguments: str) -> pytest.RunResult:
        return self.pytester.runpytest_subprocess("-p", "no:benchmark", *arguments)

    def covered(self) -> frozenset[str]:
        return rulebook_report.read_coverage(self.file)


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return Project(pytester)


@pytest.mark.parametrize("arguments", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_an_entry_counts_when_its_cited_code_is_called_in_a_passing_marked_test(
    project: Project, arguments: tuple[str, ...]
) -> None:
    project.write(f"""
def test_before():
    assert heavy() == 1

@rule("{ANTI}")
def test_generator():
    assert list(anti()) == [1]

@rule("{BLAST}", "{LANCE}")
def test_class():
    assert Blast().attacks() == 2

@rule("{HEAVY}")
def test_cached():
    assert heavy() == 1
""")
    result = project.run("--update-rule-coverage", *arguments)
    assert result.ret == 0
    assert project.covered() == {ANTI, BLAST, HEAVY}
    result.stdout.fnmatch_lines([f"*test_class {LANCE}: no code cites it*"])


def test_nothing_else_counts(project: Project) -> None:
    project.write(f"""
def test_unmarked():
    assert list(anti()) == [1]

@rule("{BLAST}")
def test_not_called():
    Blast()

@rule("{ANTI}")
def test_called_but_never_run():
    anti()

@rule("{HEAVY}")
@pytest.mark.xfail(strict=False)
def test_expected_to_fail():
    assert heavy() == 2

@rule("{HEAVY}")
@pytest.mark.xfail(strict=False)
def test_passes_unexpectedly():
    assert heavy() == 1

@rule("{HEAVY}")
def test_skipped():
    heavy()
    pytest.skip("not today")
""")
    result = project.run("--update-rule-coverage")
    assert result.ret == 0
    assert project.covered() == set()
    result.stdout.fnmatch_lines([f"*test_not_called {BLAST}: its code was not called*"])


def test_faulty_marks_are_errors(project: Project) -> None:
    seven = ", ".join(repr(entry.id) for entry in rulebook.entries("11", "ledger")[:7])
    project.write(f"""
@rule("11e.24.03-anti.critical-treshold")
def test_unknown(): ...

@rule({seven})
def test_too_many(): ...

@rule()
def test_none(): ...

@rule({seven.rpartition(",")[0]})
def test_six(): ...
""")
    result = project.run()
    result.assert_outcomes(passed=1, errors=3)
    result.stdout.fnmatch_lines_random(
        [f'*no entry*; the nearest is "{ANTI}"*', "*at most 6 rules, this one 7*", "*names no entry*"]
    )


def test_a_fall_fails_a_full_run_and_a_rise_is_told(project: Project) -> None:
    rulebook_report.write_coverage({ANTI, BLAST}, project.file)
    project.write(f"""
@rule("{HEAVY}")
def test_cached():
    assert heavy() == 1

@rule("{ANTI}")
def test_generator():
    assert list(anti()) == [1]
""")
    full = project.run()
    assert full.ret == 1
    full.stdout.fnmatch_lines(["RULE COVERAGE FELL by 1:", f"  {BLAST}", "rule coverage rose by 1; *"])
    assert project.run("--ignore=tests/browser").ret == 1, "nothing there marks a rule: such a run is a full one"
    for arguments in (
        ["-k", "cached"],
        ["--ignore=others"],
        ["test_play.py"],
        ["--deselect", "test_play.py::test_cached"],
    ):
        partial = project.run(*arguments)
        assert partial.ret == 0, arguments
        partial.stdout.no_fnmatch_line("*FELL*")
    assert project.run("-k", "cached", "--update-rule-coverage").ret == 0
    assert project.covered() == {ANTI, BLAST, HEAVY}, "a partial run takes nothing away"
    assert project.run("--update-rule-coverage").ret == 0
    assert project.covered() == {ANTI, HEAVY}


def test_no_test_outside_the_full_run_marks_a_rule() -> None:
    for folder in WITHOUT_RULES:
        for path in (TESTS / folder.removeprefix("tests/")).rglob("*.py"):
            assert "mark.rule(" not in path.read_text(encoding="utf-8"), path


def test_a_failed_run_neither_compares_nor_writes(project: Project) -> None:
    rulebook_report.write_coverage({BLAST}, project.file)
    project.write(f"""
@rule("{ANTI}")
def test_generator():
    assert list(anti()) == [2]
""")
    result = project.run("--update-rule-coverage")
    assert result.ret == 1
    result.stdout.no_fnmatch_line("*FELL*")
    assert project.covered() == {BLAST}


# --- reports


def test_the_file_holds_covered_ids_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "coverage.json"
    rulebook_report.write_coverage({HEAVY, ANTI, "11e.core.03.03-coherency", "nonsense"}, path)
    assert json.loads(path.read_bytes())["11"] == {"ledger": [ANTI, HEAVY], "core": ["11e.core.03.03-coherency"]}
    assert [line.strip(' ",') for line in path.read_text().splitlines() if "11e." in line] == [
        ANTI,
        HEAVY,
        "11e.core.03.03-coherency",
    ]


def test_coverage_is_reported_by_edition_and_book() -> None:
    report = rulebook_report.measure({ANTI, HEAVY, "11e.core.03.03-coherency"})
    assert list(report) == ["3", "4", "6", "11"]
    assert report["11"]["ledger"]["entries"] == 284
    assert report["11"]["ledger"]["covered"] == 2
    assert len(report["11"]["ledger"]["missing"]) == 282
    assert ANTI not in report["11"]["ledger"]["missing"]
    assert report["11"]["core"]["covered"] == 1
    assert report["3"]["ledger"] | {"missing": None} == {"entries": 372, "covered": 0, "missing": None}
    assert list(rulebook_report.measure((), "4")) == ["4"]


def test_chapters_add_up_to_their_edition() -> None:
    chapters = rulebook_report.chapter_report("11", "ledger")
    assert sum(chapter.entries for chapter in chapters) == 284
    assert sum(chapter.covered + len(chapter.missing) for chapter in chapters) == 284


def test_cited_code_is_found_without_importing_it(tmp_path: Path) -> None:
    (tmp_path / "fight.py").write_text(
        f'import nowhere\n\n\n@rule(\n    "{ANTI}",\n    "{HEAVY}",\n)\n@cache\ndef hit_on(x): ...\n'
    )
    places = rulebook_report.cited_in(tmp_path)
    assert places[ANTI] == places[HEAVY] == (rulebook_report.CitedIn("fight.py", 4, "hit_on"),)
    assert BLAST not in places


def test_a_search_is_reported_with_terms_and_coverage() -> None:
    first = rulebook_report.search_report("halálos seb", edition="11", lang="hu")[0]
    assert first["edition"] == "11"
    assert first["covered"] in (True, False)
    assert "halálos seb" in first["terms"]["mortal wound"]
    json.dumps(first)
