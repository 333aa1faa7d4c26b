"""The scenario runner: what it accepts, what it refuses, and the scenarios that stand in the repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from battlewright.core.errors import BattlewrightError, ScenarioError
from battlewright.scenarios import read_scenario, run_scenario, scenario_schema

HERE = Path(__file__).parent.parent
FILES = sorted((HERE / "scenarios").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_scenarios_of_the_repository_pass(path: Path) -> None:
    report = run_scenario(read_scenario(path))
    assert report.passed, report.failure


def test_the_schema_beside_the_documentation_is_that_of_the_code() -> None:
    written = json.loads((HERE.parent / "docs" / "scenarios.schema.json").read_text())
    assert written == scenario_schema()


@pytest.mark.parametrize(
    ("old", "new", "failure"),
    [
        ("models: 5, state", "models: 4, state", "a.1 has 5 models left, expected 4"),
        ("b.1: {state: {battle_shocked: false}}", "b.9: {}", 'there is no unit "b.9"'),
        ("purpose: battle-shock, faces: [2, 4]", "purpose: charge, faces: [2, 4]", 'is for "battle-shock"'),
        ("faces: [2, 4]}", "faces: [2, 4]}\n  - {purpose: hit, faces: [1]}", "left over"),
    ],
)
def test_what_is_not_as_expected_fails(old: str, new: str, failure: str) -> None:
    text = (HERE / "scenarios" / "battle_shock.yaml").read_text()
    assert old in text
    report = run_scenario(read_scenario(text.replace(old, new)))
    assert not report.passed
    assert failure in report.failure


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no scenario"),
        ("[1, 2]", "is no scenario"),
        ("a: [", "is no YAML"),
        ("a: &x 1\nb: *x", "aliases"),
        ("scenario: x\nedition: '11'\nsteps: []", "steps"),
        ("scenario: x\nedition: '11'\nsteps: [{answer: pick a}]", "sides are needed"),
        ("scenario: x\nedition: '11'\nsurprise: 1\nsteps: [{answer: pick a}]", "surprise"),
    ],
)
def test_a_file_that_is_no_scenario_is_refused_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=message) as caught:
        read_scenario(text)
    assert "\n" not in str(caught.value)


def test_an_edition_that_does_not_exist_and_a_wrong_field_are_refused() -> None:
    text = (HERE / "scenarios" / "battle_shock.yaml").read_text()
    with pytest.raises(BattlewrightError, match="no edition"):
        run_scenario(read_scenario(text.replace('"11"', '"5"')))
    with pytest.raises(ScenarioError, match='no "morale"'):
        run_scenario(read_scenario(text.replace("starting_strength", "morale")))
