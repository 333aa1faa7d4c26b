"""Measure what docs/performance.md reports: ``python tools/bench.py [PYTEST ARGUMENTS]``.

First the benchmarks under tests/bench, one after the other and on an otherwise idle machine, then commands from a cold
shell. Nothing here passes or fails: figures are for people to compare.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = (
    "--benchmark-columns=min,median,rounds",
    "--benchmark-sort=fullname",
    "--override-ini=addopts=-q --import-mode=importlib",
    "--override-ini=python_files=bench_*.py test_*.py",
    "--override-ini=python_functions=bench_* test_*",
    "--override-ini=python_functions=bench_* test_*",
)
COMMANDS = (
    ("rules", "coherency", "--edition", "4"),
    ("options", "--edition", "3"),
    ("army", "show", "eleventh-marines-1000"),
    ("battle", "--seed", "1", "--json"),
    ("odds", "--unit", "Boyz", "--against", "Intercessor Squad"),
    ("odds", "--edition", "11", "--attack", "A10 BS3+ S4 AP-1 D1 [LETHAL HITS]", "--target", "T4 Sv3+ W2 x10"),
)


def cold_start(command: tuple[str, ...], repeats: int = 5) -> tuple[float, int]:
    """Median wall time in seconds of a command in a process of its own, and its exit code."""
    taken, code = [], 0
    for _ in range(repeats):
        start = time.perf_counter()
        code = subprocess.run(
            [sys.executable, "-m", "battlewright", *command], cwd=ROOT, capture_output=True, check=False
        ).returncode
        taken.append(time.perf_counter() - start)
    return statistics.median(taken), code


def main(arguments: list[str]) -> int:
    folder = ROOT / "tests" / "bench"
    if folder.is_dir():
        pytest.main(["--benchmark-only", *SETTINGS, str(folder), *arguments])
    for command in COMMANDS:
        seconds, code = cold_start(command)
        note = "" if code == 0 else f"  (exit code {code})"
        print(f"{seconds:6.2f} s  battlewright {' '.join(command)}{note}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
