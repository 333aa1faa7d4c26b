"""A worker process: holds tables, lets computer players think, and does what takes too long for the server itself.

``python -m battlewright.server.worker FD`` answers what comes in over the socket of that number until it is closed.
Long work is done in stretches, so that whoever asks for something short meanwhile need not wait for all of it.
"""

from __future__ import annotations

import gc
import logging
import select
import signal
import socket
import sys
import traceback
from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Any

from battlewright.core.errors import BadInput, BattlewrightError, EngineError, ScriptError
from battlewright.server.frames import LENGTH, Failure, Missing, pack, unpack

__all__ = ["Worker", "main"]

_log = logging.getLogger("battlewright.worker")


class Worker:
    """Does what it is asked.

    Args:
        resident: how many tables are held at most; those that were used longest ago are put away, to be opened anew.
    """

    def __init__(self, resident: int = 64) -> None:
        self.resident = resident
        self._tables: OrderedDict[str, Any] = OrderedDict()
        self._thinking: Any = None

    def do(self, what: str, arguments: tuple[Any, ...]) -> Any:
        """The result, or an iterator whose last value is the result."""
        match what:
            case "open":
                return self._open(arguments[0])
            case "close":
                self._tables.pop(arguments[0], None)
                return None
            case "table":
                battle, method, *rest = arguments
                table = self._tables.get(battle)
                if table is None:
                    return Missing()
                self._tables.move_to_end(battle)
                return getattr(table, method)(*rest)
            case "think":
                return self._think(*arguments)
            case "desk":
                from battlewright.server import desk

                return getattr(desk, arguments[0])(*arguments[1:])
            case "memory":
                return _resident_bytes(), len(self._tables)
            case "warm":
                return _warm(arguments[0])
        raise ValueError(what)

    def _open(self, opening: Any) -> Iterator[Any]:
        from battlewright.server.table import Table

        work = Table.open(opening)
        while (table := next(work)) is None:
            yield None
        self._tables[opening.id] = table
        self._tables.move_to_end(opening.id)
        while len(self._tables) > self.resident:
            self._tables.popitem(last=False)
        yield table.stand()

    def _think(self, thought: Any) -> Any:
        from battlewright.server.thinking import Thinking

        if self._thinking is None:
            self._thinking = Thinking()
        return self._thinking.think(thought)


def _resident_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def _warm(editions: tuple[str, ...]) -> Iterator[None]:
    """Load what battles of these editions need, a part at a time."""
    from battlewright.editions.edition import find_edition

    for edition in editions:
        find_edition(edition).rules()
        yield None
    import battlewright.server.table  # noqa: F401
    from battlewright.core import move_kernels  # noqa: F401
    from battlewright.core.warm import warm_up

    warm_up()
    gc.collect()
    gc.freeze()  # what is loaded stays, and need not be looked at again


def _failure(error: BaseException) -> Failure:
    if isinstance(error, BadInput):
        return Failure(error.what, True, error.where, error.expected, error.nearest)
    if isinstance(error, BattlewrightError) and not isinstance(error, EngineError | ScriptError):
        return Failure(str(error), True)
    if isinstance(error, BattlewrightError):
        _log.error("%s", "".join(traceback.format_exception(error)))
        return Failure(str(error))
    _log.error("%s", "".join(traceback.format_exception(error)))
    return Failure(f"{type(error).__name__}")


def _serve(connection: socket.socket, worker: Worker) -> None:
    """Answer until the other end is closed: short requests at once, iterators a step at a time in turn."""
    waiting: deque[tuple[int, Iterator[Any]]] = deque()
    while True:
        if not waiting or select.select([connection], [], [], 0)[0]:
            frame = _receive(connection)
            if frame is None:
                return
            number, what, arguments = unpack(frame)
            try:
                result = worker.do(what, arguments)
            except Exception as error:
                result = _failure(error)
            if isinstance(result, Iterator):
                waiting.append((number, result))
            else:
                connection.sendall(pack((number, result)))
        else:
            _step(connection, waiting)


def _step(connection: socket.socket, waiting: deque[tuple[int, Iterator[Any]]]) -> None:
    """One stretch of the work that waits longest."""
    number, work = waiting.popleft()
    try:
        last = next(work)
    except StopIteration:
        connection.sendall(pack((number, None)))
        return
    except Exception as error:
        connection.sendall(pack((number, _failure(error))))
        return
    if last is None:
        waiting.append((number, work))
    else:
        connection.sendall(pack((number, last)))


def _receive(connection: socket.socket) -> bytearray | None:
    head = _exactly(connection, LENGTH.size)
    return None if head is None else _exactly(connection, LENGTH.unpack(head)[0])


def _exactly(connection: socket.socket, size: int) -> bytearray | None:
    data = bytearray(size)
    view, got = memoryview(data), 0
    while got < size:
        count = connection.recv_into(view[got:])
        if not count:
            return None
        got += count
    return data


def main(arguments: list[str]) -> int:
    """Run until the server closes the socket."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    gc.set_threshold(50_000, 20, 50)
    resident = int(arguments[1]) if len(arguments) > 1 else 64
    with socket.socket(fileno=int(arguments[0])) as connection:
        connection.setblocking(True)
        _serve(connection, Worker(resident))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
