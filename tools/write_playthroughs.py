"""Write the playthroughs anew: ``python tools/write_playthroughs.py [NAME ...]``. Read the diff as code."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))


def main(names: list[str]) -> int:
    from support.playthrough import FOLDER, PLAYTHROUGHS, lines

    for name in names or sorted(PLAYTHROUGHS):
        text = "\n".join(lines(PLAYTHROUGHS[name])) + "\n"
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
        print(f"{name}: {text.count(chr(10))} lines")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
