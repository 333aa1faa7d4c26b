"""Compile the hot routines once, so that no battle and no test has to wait: ``python tools/warm_up.py [--if-older]``.

What is compiled is kept beside the source and used by every later process. Routines are compiled when they are first
called, so a whole battle is played between the bundled armies, which calls those that battles need.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAMP = Path(sys.prefix) / ".warmed-up"
BATTLE = ("battle", "--players", "random,random", "--seed", "1", "--json")


def is_current() -> bool:
    """Whether nothing that is compiled has changed since the last time."""
    if not STAMP.exists():
        return False
    warmed = STAMP.stat().st_mtime_ns
    return all(path.stat().st_mtime_ns <= warmed for path in (ROOT / "src" / "battlewright").rglob("*kernels.py"))


def main(arguments: list[str]) -> int:
    if "--if-older" in arguments and is_current():
        return 0
    print("Compiling the routines that measure and see; once, some seconds ...", file=sys.stderr)
    done = subprocess.run([sys.executable, "-m", "battlewright", *BATTLE], cwd=ROOT, capture_output=True, check=False)
    if done.returncode == 0:
        STAMP.touch()
    return 0  # what could not be compiled now is compiled when it is first called


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
