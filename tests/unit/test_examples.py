"""Every example in a docstring of the package and in the README runs and prints what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path

import pytest

import battlewright
from support.commands import Run

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(battlewright.__path__, "battlewright.")
    if not module.name.endswith("__main__") and ".migrations." not in module.name  # those run inside Alembic alone
)
CONSOLES = re.findall(r"^```console\n(.*?)^```", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_readme_in_python() -> None:
    done = doctest.testfile(str(README), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert done.attempted > 5
    assert done.failed == 0


@pytest.mark.parametrize("block", CONSOLES, ids=range(len(CONSOLES)))
def test_the_readme_at_the_prompt(run: Run, block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = example.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "battlewright"
        ran = run(*arguments)
        assert ran.code == 0, f"{command}\n{ran.err}"
        got = "".join(f"{line.rstrip()}\n" for line in ran.out.lstrip("\n").splitlines())
        assert doctest.OutputChecker().check_output(expected, got, doctest.ELLIPSIS), f"{command}\n{got}"


def test_what_the_readme_links_to_is_there() -> None:
    text = README.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    assert len(links) > 5
    assert [link for link in links if not (ROOT / link).exists()] == []
