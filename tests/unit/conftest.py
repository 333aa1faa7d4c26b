"""Fixtures of the unit tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlewright.cli import main
from support.commands import Ran, Run
from support.small_armies import write_armies


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process."""

    def run_command(*arguments: str) -> Ran:
        with pytest.raises(SystemExit) as end:
            main(arguments)
        captured = capsys.readouterr()
        code = end.value.code
        return Ran(code if isinstance(code, int) else 0, captured.out, captured.err)

    return run_command


@pytest.fixture
def armies(tmp_path: Path) -> tuple[str, str]:
    """The files of two small armies."""
    return write_armies(tmp_path)
