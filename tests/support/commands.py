"""Running commands in tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Ran:
    """What a command did: its exit code and what it printed."""

    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Ran]


def assert_bad_input(ran: Ran) -> None:
    """The contract for bad input: exit code 2, nothing on stdout, a few lines on stderr and no traceback."""
    assert ran.code == 2
    assert ran.out == ""
    assert 1 <= len(ran.err.splitlines()) <= 12
    assert "Traceback" not in ran.err
