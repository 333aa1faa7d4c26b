"""Judgements that no procedure asks yet, edition by edition: lists that only shrink, to nothing in the end.

A test that calls such a judgement makes its rules count as covered; nothing of them happens in a battle as yet.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

EDITIONS = Path(__file__).resolve().parents[2] / "src" / "battlewright" / "editions"
FOLDERS = {
    "classic": ("classic", "third", "fourth", "sixth"),
    "third": ("classic", "third"),
    "fourth": ("classic", "third", "fourth", "sixth"),
    "sixth": ("classic", "fourth", "sixth"),
    "eleventh": ("eleventh",),
}
"""Each edition with the folders whose code may ask."""


def judgements(edition: str) -> dict[str, str]:
    """Functions of an edition's folder that cite a rule, by name, with the file they stand in."""
    found = {}
    for path in sorted((EDITIONS / edition).glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and any("rule(" in ast.unparse(each) for each in node.decorator_list):
                found[node.name] = path.stem
    return found


def asked(edition: str) -> set[str]:
    """Every name that the edition's code uses anywhere but in a definition."""
    names = set()
    for folder in FOLDERS[edition]:
        for path in (EDITIONS / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                    names.add(node.id)
                elif isinstance(node, ast.Attribute):
                    names.add(node.attr)
    return names


@pytest.mark.parametrize("edition", FOLDERS)
def test_no_judgement_waits_that_was_not_waiting_before(edition: str) -> None:
    used = asked(edition)
    waiting = {f"{file}.{name}" for name, file in judgements(edition).items() if name not in used}
    listed = set(Path(__file__).with_name(f"{edition}_waiting.txt").read_text(encoding="utf-8").split())
    assert waiting - listed == set(), "a procedure has to ask these, or they are new: list them while they wait"
    assert listed - waiting == set(), "these are asked now: take them off the list"
