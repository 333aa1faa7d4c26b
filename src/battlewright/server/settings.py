"""How a server is run, and what it puts up with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["STATIC", "Limits", "Settings"]


STATIC = Path(__file__).with_name("static")
"""Where the build puts the page."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is refused beyond; counts, bytes, or messages a second.

    Attributes:
        battles: unfinished battles in all.
        connections: in all; ``watchers`` to one battle.
        message_bytes: the largest message over a WebSocket.
        body_bytes: the largest body of a request; ``save_bytes`` of a saved battle that is to be shown.
        messages: a second from one connection, after a burst of ``burst``.
        made: battles and seats that one address may send in a minute; ``read`` lists that it may have read.
        lists: army lists that are kept; ``lists_bytes`` what they may take together, ``list_bytes`` one of them, as
            JSON; ``list_days`` how long one is kept that nobody uses.
        unsent: messages that may wait for a client that does not take them; ``unsent_bytes`` their characters.
    """

    battles: int = 1000
    connections: int = 1000
    watchers: int = 50
    message_bytes: int = 256 * 1024
    body_bytes: int = 4 * 2**20
    save_bytes: int = 18 * 2**20
    messages: float = 120.0
    burst: int = 240
    made: int = 60
    read: int = 240
    lists: int = 1000
    lists_bytes: int = 64_000_000
    list_bytes: int = 8_000_000
    list_days: float = 30.0
    unsent: int = 2000
    unsent_bytes: int = 16 * 2**20


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is run.

    Attributes:
        database: URL or file, as :func:`~battlewright.server.storage.database_url` reads it.
        hosts: host names that it answers to, without ports; empty for any.
        tables: worker processes that hold tables; ``thinkers`` for computer players.
        resident: tables that one process holds at most.
        static: the built page.
    """

    database: str
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    tables: int = 1
    thinkers: int = 1
    resident: int = 220
    limits: Limits = field(default_factory=Limits)
    static: Path = STATIC
