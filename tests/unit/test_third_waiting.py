"""Judgements of the 3rd edition that no procedure asks yet: a list that only shrinks, to nothing in the end."""

from __future__ import annotations

import ast
from pathlib import Path

EDITIONS = Path(__file__).resolve().parents[2] / "src" / "battlewright" / "editions"
WAITING = Path(__file__).with_name("third_waiting.txt")


def judgements() -> dict[str, str]:
    """Functions of the 3rd edition's folder that cite a rule, by name, with the file they stand in."""
    found = {}
    for path in sorted((EDITIONS / "third").glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and any("rule(" in ast.unparse(each) for each in node.decorator_list):
                found[node.name] = path.stem
    return found


def asked() -> set[str]:
    """Every name that the classic editions' code uses anywhere but in a definition."""
    names = set()
    for folder in ("classic", "third"):
        for path in (EDITIONS / folder).glob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                    names.add(node.id)
                elif isinstance(node, ast.Attribute):
                    names.add(node.attr)
    return names


def test_no_judgement_waits_that_was_not_waiting_before() -> None:
    used = asked()
    waiting = {f"{file}.{name}" for name, file in judgements().items() if name not in used}
    listed = set(WAITING.read_text(encoding="utf-8").split())
    assert waiting - listed == set(), "a procedure has to ask these, or they are new: list them while they wait"
    assert listed - waiting == set(), "these are asked now: take them off the list"
