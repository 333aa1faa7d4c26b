"""docs/odds.md says what is true: its examples run, its commands are accepted, its tables are the numbers."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from bench.peers import QUESTIONS, as_crunch
from support.commands import Run

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "odds.md").read_text(encoding="utf-8")
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]


def test_the_examples() -> None:
    text = re.sub(r"^```.*$", "", PAGE, flags=re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest(text, {}, "odds.md", "odds.md", 0)
    assert len(examples.examples) > 10
    assert doctest.DocTestRunner().run(examples).failed == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands(run: Run, command: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "battlewright"
    ran = run(*arguments)
    assert ran.code == 0, ran.err
    assert ran.out


@pytest.mark.parametrize(
    ("begin", "name"),
    [
        ("10 attacks", "ten attacks"),
        ("16 attacks", "devastating wounds"),
        ("6 attacks", "D6 damage"),
        ("12 attacks", "feel no pain"),
    ],
)
def test_the_table_beside_crunch(begin: str, name: str) -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {begin}"))
    told = [float(cell) for cell in row.strip("|").split("|")[1:]]
    answer = QUESTIONS[name].answer()
    theirs = {stage["name"]: stage["expected"] for stage in as_crunch(QUESTIONS[name])()}
    numbers = (theirs["after-fnp"], answer.mean_damage, theirs["models-killed"], answer.mean_slain)
    assert told == pytest.approx(numbers, abs=5.1e-4)
