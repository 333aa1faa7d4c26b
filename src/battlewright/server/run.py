"""Running the server: the socket first, so that the address is known, then everything else."""

from __future__ import annotations

import asyncio
import gc
import ipaddress
import logging
import os
import socket
import threading
from collections.abc import Callable
from types import FrameType

import uvicorn

from battlewright.core.errors import BadInput
from battlewright.server.app import make_app
from battlewright.server.settings import Limits, Settings
from battlewright.server.storage import Storage, database_url, default_database
from battlewright.server.wire import websocket_protocol

__all__ = ["answered_names", "listen", "run", "serve"]


_MOST_THINKERS = 4
"""Processes in which computer players think, on a machine with processors for them; each begins when it is needed."""
_TAKES_NOTHING = 60_000
"""Milliseconds after which a client is taken to be gone that takes nothing of what is sent to it."""
_PATIENT = 2
"""How many times the server may be told to end while it ends in order."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        BadInput: when the address cannot be listened at.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # whoever is connected inherits it: a client that takes nothing is cut off
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _TAKES_NOTHING)
    try:
        found.bind((host, port))
        found.listen(512)
    except OSError as error:
        found.close()
        raise BadInput(f"cannot listen at {host}, port {port}: {error.strerror}", where="--host, --port") from error
    return found


def answered_names(host: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The host names to answer to: those given, and one's own machine's; any where it listens to the world unnamed."""
    local = ("localhost", "127.0.0.1", "[::1]")
    if names:
        return (*local, *names)
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return (*local, host)
    if address.is_loopback:
        return local
    return () if address.is_unspecified else (*local, f"[{host}]" if address.version == 6 else host)


def run(
    host: str,
    port: int,
    database: str | None,
    names: tuple[str, ...],
    workers: int,
    say: Callable[[str], None],
    ready: Callable[[str], None] | None = None,
    a_minute: int = 60,
) -> None:
    """Serve until interrupted.

    Args:
        ready: called beside the server with its address, ``http://localhost:8411``, once it listens.

    Raises:
        BadInput: when address or database cannot be used.
    """
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    for quiet in ("alembic", "uvicorn"):  # uvicorn would name every link with its token
        logging.getLogger(quiet).setLevel(logging.WARNING)
    where = database or str(default_database())
    database_url(where)
    limits = Limits(made=a_minute, read=4 * a_minute)
    thinkers = max(1, min(_MOST_THINKERS, (os.cpu_count() or 2) - workers))
    settings = Settings(
        database=where, hosts=answered_names(host, names), tables=workers, thinkers=thinkers, limits=limits
    )
    with listen(host, port) as listening:
        shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
        address = f"http://{shown}:{listening.getsockname()[1]}"

        def begun() -> None:
            say(f"The table is at {address}/ (Ctrl-C ends it).")
            if ready is not None:
                threading.Thread(target=ready, args=(address,), daemon=True).start()

        _run(settings, listening, begun)


def _run(settings: Settings, listening: socket.socket, begun: Callable[[], None]) -> None:
    try:
        import uvloop
    except ImportError:
        asyncio.run(serve(settings, listening, begun))
    else:
        uvloop.run(serve(settings, listening, begun))


async def serve(settings: Settings, listening: socket.socket, begun: Callable[[], None] = lambda: None) -> None:
    """Serve on a socket until the process is told to end.

    Args:
        begun: called once the database is open; whoever connects from then on is answered.

    Raises:
        BadInput: when the database cannot be used.
    """
    storage = Storage(settings.database)
    await storage.open()
    begun()
    config = uvicorn.Config(
        make_app(settings, storage),
        log_config=None,
        access_log=False,
        ws_max_size=settings.limits.message_bytes,
        ws=websocket_protocol(),
        ws_ping_interval=20,
        ws_ping_timeout=60,
        timeout_graceful_shutdown=5,
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=64 * 1024,
    )
    gc.collect()
    gc.freeze()  # what is loaded stays, and need not be looked at again
    await _Server(config).serve(sockets=[listening])


class _Server(uvicorn.Server):
    """Ends in order however often it is told to, and without a trace; only the third time it is cut off."""

    _times = 0

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Called for SIGINT and SIGTERM."""
        self._times += 1
        self.should_exit = True
        if self._times > _PATIENT:
            os._exit(128 + sig)  # what was acknowledged is on the disk, and the workers end with this process
