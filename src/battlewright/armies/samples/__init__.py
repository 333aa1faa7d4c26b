"""The bundled sample armies, all statistics written out, so that they load without the data set."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

__all__ = ["sample_armies"]

_EDITION = re.compile(r"""^edition:\s*["']?(\w+)["']?\s*$""", re.MULTILINE)


def sample_armies(edition: str | None = None) -> dict[str, Path]:
    """The sample armies of an edition, or of all, by name in alphabetical order."""
    return {name: path for name, (path, of) in _samples().items() if edition is None or of == edition}


@cache
def _samples() -> dict[str, tuple[Path, str]]:
    found: dict[str, tuple[Path, str]] = {}
    for path in sorted(Path(__file__).parent.glob("*.yaml")):
        with path.open(encoding="utf-8") as file:
            edition = _EDITION.search(file.read(2_000))
        found[path.stem] = (path, edition[1] if edition else "")
    return found
