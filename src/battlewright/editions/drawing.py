"""What is drawn before a battle, by its seed but apart from its dice: missions and tables."""

from __future__ import annotations

import hashlib
from functools import cache

__all__ = ["drawn"]


@cache
def drawn(seed: int, what: str, count: int) -> int:
    """A number below ``count`` that the seed determines, apart from the battle's own dice."""
    digest = hashlib.blake2b(f"{what}:{seed}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % count
