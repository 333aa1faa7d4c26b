"""Build the rulebook's JSON from its YAML: ``python tools/build_rulebook.py [--if-older]``."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from battlewright.core import rulebook_source  # noqa: E402


def main(arguments: list[str]) -> int:
    folder = ROOT / "src" / "battlewright" / "rulebook"
    if "--if-older" in arguments and rulebook_source.is_current(folder):
        return 0
    for path in rulebook_source.build(folder):
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
