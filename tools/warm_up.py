"""Compile the hot routines once, so that no battle and no test has to wait: ``python tools/warm_up.py [--if-older]``.

What is compiled is kept beside the source and used by every later process. Each chapter has a process of its own, since
compiling uses one core. Numba and NumPy are all that has to be installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
CORE = SOURCE / "battlewright" / "core"
STAMP = Path(sys.prefix) / ".warmed-up"
INTO_THEM = ("compiling.py", "footprints.py", "prisms.py")
"""What is compiled into kernels besides their own files: how, and the numbers of columns."""
CHAPTERS = ("seeing", "measuring")
COMPILE = "import sys; from battlewright.core.warm import CHAPTERS; [*CHAPTERS[sys.argv[1]]()]"


def is_current() -> bool:
    """Whether nothing that is compiled has changed since the last time."""
    if not STAMP.exists():
        return False
    warmed = STAMP.stat().st_mtime_ns
    return all(path.stat().st_mtime_ns <= warmed for path in _sources())


def _sources() -> list[Path]:
    return [*(CORE / name for name in INTO_THEM), *CORE.glob("*kernels.py")]


def forget() -> None:
    """Throw away what was compiled: a kernel would be kept until its own file changes, whatever its parts become."""
    for kept in (CORE / "__pycache__").glob("*kernels.*.nb[ic]"):
        kept.unlink(missing_ok=True)


def main(arguments: list[str]) -> int:
    if "--if-older" in arguments and is_current():
        return 0
    print("Compiling the routines that measure and see; once, some seconds ...", file=sys.stderr)
    forget()
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    started = [
        subprocess.Popen([sys.executable, "-c", COMPILE, chapter], cwd=ROOT, env=environment) for chapter in CHAPTERS
    ]
    ended = [process.wait() for process in started]
    if not any(ended):
        STAMP.touch()
    return 0  # what could not be compiled now is compiled when it is first called


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
