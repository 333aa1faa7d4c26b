"""A worker process: holds tables, lets computer players think, and does what takes too long for the server itself.

``python -m battlewright.server.worker FD [RESIDENT [NICE]]`` answers what comes in over the socket of that number until
it is closed.
Long work is done in stretches, so that whoever asks for something short meanwhile need not wait for all of it, and
answers go before questions: how long an answer takes does not depend on what is asked about other battles.
"""

from __future__ import annotations

import gc
import logging
import os
import select
import signal
import socket
import sys
import time
import traceback
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TypeAlias

from battlewright.core.errors import BadInput, BattlewrightError, EngineError, ScriptError
from battlewright.server.frames import LENGTH, Failure, Missing, pack, unpack

__all__ = ["Line", "Worker", "main", "serve"]

_log = logging.getLogger("battlewright.worker")
_Request: TypeAlias = tuple[int, str, tuple[Any, ...]]
_URGENT = frozenset(("answer", "check", "undo", "undo_reply", "stand"))
_DONE = object()
_SIGN_OF_LIFE = 5.0
"""Seconds of long work after which the server is told that it goes on, lest the worker be taken to be stuck."""
_LITTER = 10_000
"""New objects after which it is worth while to look for those that nobody needs any more."""


class Worker:
    """Does what it is asked.

    Args:
        resident: how many tables are held at most; those that were used longest ago are put away, to be opened anew.
    """

    def __init__(self, resident: int = 64) -> None:
        self.resident = resident
        self._tables: OrderedDict[str, Any] = OrderedDict()
        self._openings: dict[str, Any] = {}
        self._thinking: Any = None

    def do(self, what: str, arguments: tuple[Any, ...]) -> Any:
        """The result, or an iterator whose last value is the result."""
        match what:
            case "open":
                return self._open(arguments[0])
            case "close":
                self._tables.pop(arguments[0], None)
                self._openings.pop(arguments[0], None)
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
        self._openings[opening.id] = work
        while (table := next(work)) is None:
            yield None
        if self._openings.get(opening.id) is not work:  # whoever asked has gone, and it has been asked for anew
            yield Missing()
            return
        del self._openings[opening.id]
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
    from battlewright.core.warm import in_parts

    yield from in_parts()
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


class Line:
    """What waits to be done: what people wait for in the middle of a move first, then questions and long work in turn.

    Args:
        most: how many of the first kind go before one of the others.
    """

    def __init__(self, worker: Worker, most: int = 8) -> None:
        self._worker, self._most = worker, most
        self._urgent: deque[_Request] = deque()
        self._others: deque[_Request] = deque()
        self._long: deque[tuple[int, Iterator[Any]]] = deque()
        self._in_a_row, self._was_long = 0, False

    def __bool__(self) -> bool:
        return bool(self._urgent or self._others or self._long)

    def add(self, number: int, what: str, arguments: tuple[Any, ...]) -> None:
        """Put a request in line."""
        is_urgent = what == "close" or (what == "table" and arguments[1] in _URGENT)
        (self._urgent if is_urgent else self._others).append((number, what, arguments))

    def step(self) -> tuple[int, Any] | None:
        """Do the next thing, or a stretch of it; the number of a request and its result, once there is one."""
        if self._urgent and (self._in_a_row < self._most or not (self._others or self._long)):
            self._in_a_row += 1
            return self._begin(self._urgent.popleft())
        self._in_a_row = 0
        self._was_long = bool(self._long) and not (self._was_long and self._others)
        return self._go_on() if self._was_long else self._begin(self._others.popleft())

    def _begin(self, request: _Request) -> tuple[int, Any] | None:
        number, what, arguments = request
        try:
            result = self._worker.do(what, arguments)
        except Exception as error:
            result = _failure(error)
        if isinstance(result, Iterator):
            self._long.append((number, result))
            return None
        return number, result

    def _go_on(self) -> tuple[int, Any] | None:
        """One stretch of the work that waits longest."""
        number, work = self._long.popleft()
        try:
            last = next(work, _DONE)
        except Exception as error:
            return number, _failure(error)
        if last is None:
            self._long.append((number, work))
            return None
        return number, None if last is _DONE else last


def serve(connection: socket.socket, worker: Worker) -> None:
    """Answer until the other end is closed."""
    line, ready, told = Line(worker), select.poll(), time.monotonic()
    ready.register(connection, select.POLLIN)
    while True:
        while not line or ready.poll(0):
            if not line and gc.get_count()[0] > _LITTER and not ready.poll(0):
                gc.collect(0)  # while nobody waits
            frame = _receive(connection)
            if frame is None:
                return
            line.add(*unpack(frame))
        done = line.step()
        if done is not None or time.monotonic() - told > _SIGN_OF_LIFE:
            connection.sendall(pack(done or (0, None)))
            told = time.monotonic()


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
    os.nice(int(arguments[2]) if len(arguments) > 2 else 0)
    with socket.socket(fileno=int(arguments[0])) as connection:
        connection.setblocking(True)
        with suppress(BrokenPipeError, ConnectionResetError):  # the server has gone, and waits for nothing any more
            serve(connection, Worker(resident))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
