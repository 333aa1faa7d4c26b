"""Work that takes seconds, done in a process of its own, so that it never delays a battle."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from battlewright.core.errors import EngineError
from battlewright.server.api.refusals import Busy
from battlewright.server.pool import NICE

__all__ = ["Aside"]

T = TypeVar("T")


class Aside:
    """One process, started when it is first needed, for one task after the other.

    Args:
        most: tasks that may wait; a further one is refused.
        seconds: after so long a task is given up, and the process is ended; None waits for ever.
    """

    def __init__(self, most: int = 4, seconds: float | None = None) -> None:
        self._most, self._seconds = most, seconds
        self._waiting = 0
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, task: Callable[..., T], *arguments: object) -> T:
        """What a function of a module gives for these arguments, all of them picklable.

        Raises:
            Busy: when too many tasks wait already, or this one takes too long.
            EngineError: when the process died of it.
        """
        if self._waiting >= self._most:
            raise Busy("the server is working on other battles", expected="a moment's patience")
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                1, mp_context=multiprocessing.get_context("spawn"), initializer=os.nice, initargs=(NICE,)
            )
        self._waiting += 1
        try:
            running = asyncio.get_running_loop().run_in_executor(self._pool, task, *arguments)
            return await asyncio.wait_for(running, self._seconds)
        except TimeoutError:
            self._kill()
            raise Busy("that takes too long to work out", expected="a smaller question") from None
        except BrokenProcessPool:
            self._pool = None
            raise EngineError("the server could not finish this") from None
        finally:
            self._waiting -= 1

    def _kill(self) -> None:
        """End the process in the middle of whatever it does; those who wait for it are told."""
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.kill()
            self.close()

    def close(self) -> None:
        """End the process; what it works on is given up."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
