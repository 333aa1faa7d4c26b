"""The worker processes as the server sees them: few, long-lived, each asked over a socket of its own."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import socket
import sys
import zlib
from typing import Any

from battlewright.core.errors import BadInput
from battlewright.editions.edition import EDITIONS
from battlewright.server.frames import LENGTH, Failure, pack, unpack

__all__ = ["NICE", "Pool", "WorkerFault", "WorkerHandle"]

_log = logging.getLogger("battlewright.server")
NICE = 5
"""By how much those who think and reckon give way to those who play."""
_MOST_BYTES = 64 * 2**20


class WorkerFault(Exception):
    """A worker failed at something, or ended; what was asked for may or may not have happened there."""


class WorkerHandle:
    """One worker process; it is started when it is first asked, and anew when it has ended.

    Args:
        name: for messages.
        resident: how many tables it may hold.
        nice: by how much it gives way to the others where the processors are busy.
        silent: seconds after which a process that says nothing, though it is asked, is taken to be stuck and ended.
    """

    def __init__(self, name: str, resident: int = 64, nice: int = 0, silent: float = 120.0) -> None:
        self._silent, self._heard = silent, 0.0
        self._looking: asyncio.TimerHandle | None = None
        self.name, self._resident, self._nice = name, resident, nice
        self.generation = 0
        self._numbers = itertools.count(1)  # 0 is a sign of life, no answer
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The process, where there is one."""
        return self._process.pid if self._process is not None else None

    @property
    def load(self) -> int:
        """How many requests wait for an answer."""
        return len(self._waiting)

    async def ask(self, what: str, *arguments: Any) -> Any:
        """Have something done.

        Raises:
            BadInput: when the worker says that the input is at fault.
            WorkerFault: when it failed or ended.
        """
        async with self._starting:
            if self._writer is None:
                try:
                    await self._start()
                except OSError as error:
                    raise WorkerFault(f"{self.name} cannot be started: {error}") from error
        assert self._writer is not None
        self._look_after()
        number = next(self._numbers)
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = done
        try:
            self._writer.write(pack((number, what, arguments)))
            await self._writer.drain()
            result = await done
        except OSError as error:
            raise WorkerFault(f"{self.name} cannot be reached") from error
        finally:
            self._waiting.pop(number, None)
            if done.done() and not done.cancelled():
                done.exception()  # where the socket fails first, nobody else looks at it
        if isinstance(result, Failure):
            if result.is_input:
                raise BadInput(result.text, where=result.where, expected=result.expected, nearest=result.nearest)
            raise WorkerFault(result.text)
        return result

    def _look_after(self) -> None:
        """See to it that somebody looks whether the process still does something, as long as it is asked."""
        if self._looking is None:
            loop = asyncio.get_running_loop()
            self._heard = loop.time()
            self._looking = loop.call_later(self._silent, self._look)

    def _look(self) -> None:
        self._looking = None
        if not self._waiting:
            return
        loop = asyncio.get_running_loop()
        left = self._heard + self._silent - loop.time()
        if left > 0:
            self._looking = loop.call_later(left, self._look)
        elif self._process is not None:
            _log.error("worker %s says nothing any more, and is ended", self.name)
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def _start(self) -> None:
        ours, theirs = socket.socketpair()
        self.generation += 1
        with theirs:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "battlewright.server.worker",
                str(theirs.fileno()),
                str(self._resident),
                str(self._nice),
                pass_fds=[theirs.fileno()],
                stdin=asyncio.subprocess.DEVNULL,
            )
        reader, self._writer = await asyncio.open_connection(sock=ours, limit=_MOST_BYTES)
        self._reading = asyncio.create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while True:
                size = LENGTH.unpack(await reader.readexactly(LENGTH.size))[0]
                number, result = unpack(await reader.readexactly(size))
                self._heard = asyncio.get_running_loop().time()
                done = self._waiting.get(number)
                if done is not None and not done.done():
                    done.set_result(result)
        except (asyncio.IncompleteReadError, OSError):
            _log.info("worker %s has ended", self.name)
        finally:
            self._writer = None
            for done in self._waiting.values():
                if not done.done():
                    done.set_exception(WorkerFault(f"{self.name} has ended"))

    async def stop(self) -> None:
        """Close the socket, upon which the process ends, and wait for it."""
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
        if self._writer is not None:
            self._writer.close()
        if self._reading is not None:
            self._reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reading
        if self._process is not None:
            try:
                await asyncio.wait_for(self._process.wait(), 5)
            except TimeoutError:
                self._process.kill()
                await self._process.wait()


class Pool:
    """The workers of a server: some hold tables, some think for computer players, one reads lists and looks things up.

    Args:
        tables: how many hold tables; ``thinkers`` how many think.
        resident: how many tables each of them may hold.
    """

    def __init__(self, tables: int = 1, thinkers: int = 1, resident: int = 220) -> None:
        self.tables = [WorkerHandle(f"table-{n}", resident) for n in range(tables)]
        self.thinkers = [WorkerHandle(f"thinker-{n}", nice=NICE) for n in range(thinkers)]
        self.desk = WorkerHandle("desk")

    @property
    def all(self) -> list[WorkerHandle]:
        """Every worker."""
        return [*self.tables, *self.thinkers, self.desk]

    def table_for(self, battle: str) -> WorkerHandle:
        """The worker that holds a battle, always the same one."""
        return self.tables[zlib.crc32(battle.encode()) % len(self.tables)]

    def thinker_for(self, battle: str) -> WorkerHandle:
        """The worker that thinks for a battle's computer players."""
        return self.thinkers[zlib.crc32(battle.encode()) % len(self.thinkers)]

    async def warm_up(self) -> None:
        """Let the tables' workers load what battles need, so that the first ones need not wait for it."""
        with contextlib.suppress(WorkerFault, BadInput):
            await asyncio.gather(*(worker.ask("warm", tuple(EDITIONS)) for worker in self.tables))

    async def at_the_desk(self, name: str, *arguments: Any) -> Any:
        """Have a function of :mod:`battlewright.server.desk` called; see :meth:`WorkerHandle.ask`."""
        return await self.desk.ask("desk", name, *arguments)

    async def stop(self) -> None:
        """End all of them."""
        await asyncio.gather(*(worker.stop() for worker in self.all))
