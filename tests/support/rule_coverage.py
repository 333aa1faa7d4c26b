"""A pytest plugin that measures which entries of the rulebook are enforced.

An entry is covered when code cites it with ``@rule`` and a passing test marked ``@pytest.mark.rule(id)`` called
that code. While a marked test runs, a profile function notes which cited code is called; what each test covers
travels in its report, so that it works alike with and without pytest-xdist.

A full run that passes is compared with the committed ``rulebook/coverage.json``: an entry lost fails the run, an
entry won is told. ``pytest --update-rule-coverage`` writes the file; a partial run only adds to it.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from battlewright.core import rulebook, rulebook_report, rulebook_source

MOST_IDS = 6
RETURN_GENERATOR = dis.opmap["RETURN_GENERATOR"]
PROPERTY = "rule_coverage"
WITHOUT_RULES = ("tests/bench", "tests/browser")
"""Folders whose tests mark no rule: a run that leaves them out is still a full one."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rule coverage")
    group.addoption(
        "--update-rule-coverage",
        action="store_true",
        help="write the rulebook entries that this run covered to rulebook/coverage.json",
    )
    parser.addini("rule_coverage_file", "where the covered ids are kept", default="")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(RuleCoverage(config), "rule_coverage_session")
    folder = rulebook_report.COVERAGE_FILE.parent
    if not _is_worker(config) and not rulebook_source.is_current(folder):
        rulebook_source.build(folder)  # once, so that neither workers nor commands under test read the YAML


def marked_ids(item: pytest.Item) -> tuple[str, ...]:
    """The ids that a test is marked with, its class's and module's included."""
    return tuple(dict.fromkeys(each for mark in item.iter_markers("rule") for each in mark.args))


def fault_of(ids: tuple[object, ...]) -> str:
    """What is wrong with a test's marks, in one sentence; empty when nothing is."""
    if not ids:
        return "a rule mark names no entry"
    if len(ids) > MOST_IDS:
        return f"one test marks at most {MOST_IDS} rules, this one {len(ids)}"
    for each in ids:
        if not isinstance(each, str):
            return f"a rule mark takes ids, not {each!r}"
        if not rulebook.is_known(each):
            return f'the rulebook has no entry "{each}"; the nearest is "{rulebook.nearest_rule(each)}"'
    return ""


class CallTrace:
    """Notes which cited code is called between ``start`` and ``stop``; a generator once it has begun to run."""

    def __init__(self) -> None:
        self.called: set[int] = set()
        self._cited = rulebook.cited_codes()
        self._before: Any = None

    def start(self) -> None:
        self._before = sys.getprofile()
        sys.setprofile(self._note)

    def stop(self) -> None:
        sys.setprofile(self._before)

    def _note(self, frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event == "call" and id(code) in self._cited and id(code) not in self.called and not _is_unborn(frame):
            self.called.add(id(code))


def _is_unborn(frame: FrameType) -> bool:
    """Whether this is a generator that is dropped before it ran: Python 3.11 reports that as a call."""
    return frame.f_code.co_code[frame.f_lasti] == RETURN_GENERATOR


class RuleCoverage:
    """The state of one session."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.file = Path(str(config.getini("rule_coverage_file")) or rulebook_report.COVERAGE_FILE)
        self.covered: set[str] = set()
        self.idle: dict[str, str] = {}
        self.was_deselected = False
        self.lines: list[str] = []

    # --- in the process that runs the test

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if item.get_closest_marker("rule") and (fault := fault_of(marked_ids(item))):
            pytest.fail(fault, pytrace=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        ids = marked_ids(item)
        if not ids:
            return (yield)
        for each in ids:
            for citation in rulebook.citations().get(each, ()):
                if citation.forget is not None:
                    citation.forget()
        trace = CallTrace()
        trace.start()
        try:
            result = yield
        finally:
            trace.stop()
        enforced = rulebook.cited_rules(trace.called)
        cited = rulebook.citations()
        idle = {each: "its code was not called" if each in cited else "no code cites it" for each in ids}
        covered = [each for each in ids if each in enforced]
        item.user_properties.append(
            (PROPERTY, {"covered": covered, "idle": {each: idle[each] for each in ids if each not in enforced}})
        )
        return result

    # --- in the process that reports

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" or not report.passed or hasattr(report, "wasxfail"):
            return
        for name, value in report.user_properties:
            if name == PROPERTY and isinstance(value, dict):
                self.covered.update(value["covered"])
                self.idle.update({f"{report.nodeid} {each}": why for each, why in value["idle"].items()})

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self.was_deselected = self.was_deselected or bool(items)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if _is_worker(self.config) or exitstatus != pytest.ExitCode.OK or self.config.option.collectonly:
            return
        committed = rulebook_report.read_coverage(self.file)
        counted = {entry.id for entry in rulebook.entries() if entry.counts}
        covered = self.covered & counted
        full = self.is_full_run()
        if self.config.option.update_rule_coverage:
            kept = covered if full else covered | (committed & counted)
            rulebook_report.write_coverage(kept, self.file)
            self.lines.append(f"rule coverage written: {len(kept)} entries, {len(kept - committed)} of them new")
            return
        won, lost = sorted(covered - committed), sorted(committed - covered)
        if full and lost:
            self.lines += [f"RULE COVERAGE FELL by {len(lost)}:", *(f"  {each}" for each in lost)]
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if won:
            self.lines.append(f"rule coverage rose by {len(won)}; keep it with: pytest --update-rule-coverage")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if _is_worker(self.config):
            return
        if self.is_full_run() and self.covered:
            report = rulebook_report.measure(self.covered)
            terminalreporter.write_line(
                "rules covered: "
                + ", ".join(
                    f"{edition} {book} {figures['covered']}/{figures['entries']}"
                    for edition, books in report.items()
                    for book, figures in books.items()
                    if figures["entries"]
                )
            )
        only = {mark: why for mark, why in self.idle.items() if mark.rpartition(" ")[2] not in self.covered}
        if only:
            terminalreporter.write_line(f"{len(only)} rule marks count for nothing, among them:")
            for mark, why in list(only.items())[: None if self.config.option.verbose > 0 else 5]:
                terminalreporter.write_line(f"  {mark}: {why}")
        for line in self.lines:
            terminalreporter.write_line(line, red="FELL" in line)

    def is_full_run(self) -> bool:
        """Whether everything under ``tests/`` was run: no paths but the whole, no selection of any kind."""
        option = self.config.option
        selections = ("keyword", "markexpr", "deselect", "lf", "stepwise", "ignore_glob", "last_failed")
        if self.was_deselected or any(getattr(option, name, None) for name in selections):
            return False
        left_out = {(self.config.invocation_params.dir / path).resolve() for path in option.ignore or ()}
        if left_out - {self.config.rootpath / folder for folder in WITHOUT_RULES}:
            return False
        whole = {self.config.rootpath, *(self.config.rootpath / path for path in self.config.getini("testpaths"))}
        here = self.config.invocation_params.dir
        return all((here / str(argument)).resolve() in whole for argument in self.config.args)


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")
