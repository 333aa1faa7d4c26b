"""What is compiled ahead is all that battles call."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from battlewright.core.warm import CHAPTERS

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import contextlib, io, json, sys
from battlewright.core import kernels, move_kernels, sight_kernels, warm

def compiled():
    return {
        f"{module.__name__}.{name}{signature}"
        for module in (kernels, move_kernels, sight_kernels)
        for name in module.__all__
        for signature in getattr(getattr(module, name), "signatures", ())
    }

warm.warm_up()
before = compiled()
from battlewright.cli import app
with contextlib.redirect_stdout(io.StringIO()):
    app(["battle", "--edition", sys.argv[1], "--players", "random,random", "--seed", "3"], standalone_mode=False)
print(json.dumps({"before": len(before), "more": sorted(compiled() - before)}))
"""


@pytest.mark.parametrize("edition", ["3", "11"])
def test_warming_up_leaves_nothing_for_a_battle_to_compile(edition: str) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, edition], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert told["more"] == []
    assert told["before"] >= 13


def test_the_tool_compiles_every_chapter_and_forgets_what_is_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = importlib.util.spec_from_file_location("warm_up", ROOT / "tools" / "warm_up.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert set(tool.CHAPTERS) == set(CHAPTERS)

    monkeypatch.setattr(tool, "CORE", tmp_path)
    monkeypatch.setattr(tool, "STAMP", tmp_path / "stamp")
    kernels = tmp_path / "kernels.py"
    for path in (kernels, *(tmp_path / name for name in tool.INTO_THEM), tmp_path / "stamp"):
        path.touch()
    assert tool.is_current()
    os.utime(kernels, ns=(0, (tmp_path / "stamp").stat().st_mtime_ns + 1))
    assert not tool.is_current()

    kept = tmp_path / "__pycache__"
    kept.mkdir()
    for name in ("kernels.hits-254.py311.nbi", "sight_kernels.matrix-1.py311.1.nbc", "kernels.cpython-311.pyc"):
        (kept / name).touch()
    tool.forget()
    assert [path.name for path in kept.iterdir()] == ["kernels.cpython-311.pyc"]
