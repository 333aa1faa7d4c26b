"""What each room of the package may not know."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "battlewright"
HEAVY = ("numba", "llvmlite", "shapely", "scipy", "matplotlib", "fastapi", "uvicorn", "sqlalchemy", "wh40kdc")
ABOVE_EVERYTHING = {"cli", "server"}
EDGES_OF_CORE = {"record.py", "table_files.py"}
EDITION_IDS = {"3", "4", "6", "11", "third", "fourth", "sixth", "eleventh"}


def _modules(*rooms: str) -> list[Path]:
    found = []
    for room in rooms:
        found += [*(PACKAGE / room).rglob("*.py"), *PACKAGE.glob(f"{room}.py")]
    return sorted(found)


def _rooms() -> set[str]:
    return {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}


def _imported(path: Path) -> Iterator[str]:
    """The first part of every module that a file imports from outside, wherever in the file it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _importers(paths: list[Path], *names: str) -> list[str]:
    return [f"{path.relative_to(PACKAGE)}: {name}" for path in paths for name in _imported(path) if name in names]


def test_nothing_below_the_server_knows_an_event_loop_or_a_web_framework() -> None:
    below = _modules(*(_rooms() - ABOVE_EVERYTHING))
    assert below
    assert _importers(below, "asyncio", "fastapi", "starlette", "uvicorn", "anyio") == []


def test_chance_comes_from_the_battles_stream_alone() -> None:
    rules = _modules("core", "attacks", "editions")
    assert rules
    assert _importers(rules, "random", "secrets") == []


def test_numpys_generators_serve_only_the_stream_and_the_sampler() -> None:
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in _modules("core", "attacks", "editions")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("np.random", "numpy.random")
    }
    assert {user for user in users if not user.startswith("attacks/sample")} == {"core/dice.py"}


def test_pydantic_stays_at_the_edges() -> None:
    inner = [path for path in _modules("core", "attacks", "editions", "players") if path.name not in EDGES_OF_CORE]
    assert _importers(inner, "pydantic") == []


def _compares_editions(node: ast.Compare) -> bool:
    """Whether a comparison asks which edition it has: ``x.edition == "11"``, ``edition >= "4"``."""
    if not any(isinstance(op, ast.Eq | ast.NotEq | ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in node.ops):
        return False
    operands = [node.left, *node.comparators]
    named = any(_names_edition(operand) for operand in operands)
    constant = any(isinstance(part, ast.Constant) and str(part.value) in EDITION_IDS for part in operands)
    return named and constant


def _names_edition(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "edition" or (node.attr == "id" and _names_edition(node.value))
    return isinstance(node, ast.Name) and node.id == "edition"


@pytest.mark.parametrize(
    ("source", "asks"),
    [
        ('header.edition == "11"', True),
        ('edition >= "4"', True),
        ('battle.edition.id != "3"', True),
        ("header.edition == other.edition", False),
        ('entry.kind == "option"', False),
    ],
)
def test_a_comparison_of_editions_is_recognised(source: str, asks: bool) -> None:
    node = ast.parse(source, mode="eval").body
    assert isinstance(node, ast.Compare)
    assert _compares_editions(node) is asks


def test_no_code_outside_the_editions_asks_which_edition_it_is() -> None:
    askers = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        if "editions" not in path.relative_to(PACKAGE).parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Compare) and _compares_editions(node))
        or (isinstance(node, ast.Match) and _names_edition(node.subject))
    ]
    assert askers == []


def _loaded_by(program: str) -> set[str]:
    """The packages from outside that are loaded when a program has run in a process of its own."""
    tell = "print('\\n' + json.dumps(sorted({m.partition('.')[0] for m in sys.modules})))"
    code = f"{program}\nimport sys, json\n{tell}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def _command(*arguments: str) -> str:
    return (
        "from battlewright.cli import main\n"
        f"try:\n    main({list(arguments)!r})\nexcept SystemExit as end:\n    assert not end.code, end.code"
    )


LIGHT = {
    "core": "import battlewright.core, battlewright.core.rulebook, battlewright.core.roster",
    "rules": _command("rules", "coherency", "--edition", "4"),
    "coverage": _command("rules", "--coverage"),
    "options": _command("options", "--edition", "3"),
    "odds": _command("odds", "--attack", "A2 BS3+ S4 AP-1 D1", "--target", "T4 Sv3+ W2 x10", "--cover"),
    "odds in Python": "import battlewright as bw; bw.odds.volley('A2 BS3+ S4 AP-1 D1', 'T4 Sv3+ W2 x10')",
}


@pytest.mark.parametrize("name", LIGHT)
def test_what_starts_from_a_cold_shell_loads_nothing_heavy(name: str) -> None:
    assert _loaded_by(LIGHT[name]).intersection(HEAVY) == set()


def test_looking_up_a_rule_does_not_even_load_numpy() -> None:
    assert "numpy" not in _loaded_by(LIGHT["rules"])


def test_what_the_classic_editions_share_knows_none_of_them() -> None:
    shared = PACKAGE / "editions" / "classic"
    later = ("editions.third", "editions.fourth", "editions.sixth")
    guilty = [path.name for path in shared.rglob("*.py") if any(name in path.read_text() for name in later)]
    assert guilty == []
