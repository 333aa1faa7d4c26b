"""The tool that builds the page finds a Node, or makes the one of a package usable."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_web", ROOT / "tools" / "build_web.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module.sys, "prefix", str(tmp_path / "prefix"))
    return module


def test_npm_of_a_package_whose_own_npm_is_broken_can_be_started(tool: ModuleType, tmp_path: Path) -> None:
    package = tmp_path / "a package"
    scripts = package / "lib" / "node_modules" / "npm" / "bin"
    scripts.mkdir(parents=True)
    (package / "bin").mkdir()
    for name in ("npm-cli.js", "npx-cli.js"):
        (scripts / name).touch()
    for name, does in (("node", 'echo "node $@"'), ("npm", "exit 1")):
        (package / "bin" / name).write_text(f"#!/bin/sh\n{does}\n")
        (package / "bin" / name).chmod(0o755)

    made = tool._with_npm(package / "bin", package)

    def told(*command: str) -> str:
        path = f"{made}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(command, env={"PATH": path}, capture_output=True, text=True, check=True).stdout.strip()

    assert told("node", "--version") == "node --version"
    assert told("npm", "ci") == f"node {scripts / 'npm-cli.js'} ci"
    assert told("npx", "vite", "build") == f"node {scripts / 'npx-cli.js'} vite build"


def test_a_machine_without_node_is_told_which_package_to_bring(
    tool: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tool, "is_current", lambda: False)
    monkeypatch.setenv("PATH", os.devnull)
    assert tool.main(["--needs"]) == 0
    assert capsys.readouterr().out.strip() == tool.FALLBACK

    monkeypatch.setattr(tool, "is_current", lambda: True)
    assert tool.main(["--needs"]) == 0
    assert capsys.readouterr().out.strip() == ""
