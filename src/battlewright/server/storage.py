"""Where battles are kept: SQLite or PostgreSQL, by URL.

Everything that is written goes through one writer, which takes whatever has come together meanwhile into a single
transaction. Whoever writes waits until that transaction is on the disk: only then an answer is acknowledged. SQLite is
written in a thread of its own, a whole transaction at a time, because going there and back for each statement takes
longer than the statements do.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from battlewright.core.errors import BadInput
from battlewright.server.tables import ANSWERS, BATTLES, SEATS

__all__ = ["BattleRow", "Storage", "StorageError", "database_url", "default_database", "migrate"]

_ADD_ANSWER = sa.insert(ANSWERS)
Write = Callable[[sa.Connection], Any]
"""A part of a transaction; it may be called again where the transaction fails."""


class StorageError(Exception):
    """Something could not be written or read; what it would have been part of has not happened."""


@dataclass(frozen=True, slots=True)
class BattleRow:
    """A battle as it is kept; see :mod:`battlewright.server.tables`."""

    id: str
    created: float
    touched: float
    status: str
    title: str
    header: str
    about: str
    seats: str
    secret: str
    era: int
    given: bool


def default_database() -> Path:
    """The file of this person's battles."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "battlewright" / "table.sqlite"


def database_url(text: str) -> URL:
    """A database by URL (``sqlite:///FILE``, ``postgresql://...``) or the path of a SQLite file.

    Raises:
        BadInput: when it is neither, or what it needs is not installed.
    """
    if "://" not in text:
        return URL.create("sqlite+aiosqlite", database=text)
    try:
        url = make_url(text)
        kind = url.get_backend_name()
    except (ArgumentError, ValueError) as error:
        raise BadInput("the database is no URL", expected="sqlite:///FILE or postgresql://...") from error
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
    if kind not in drivers:
        raise BadInput(f'a database of the kind "{kind}" is not supported', expected="sqlite or postgresql")
    if kind.startswith("postgres"):
        try:
            import asyncpg  # noqa: F401
        except ImportError as error:
            raise BadInput("PostgreSQL needs the extra postgres", expected="battlewright[postgres]") from error
    return url.set(drivername=drivers[kind])


def migrate(connection: sa.Connection) -> None:
    """Bring the tables up to date."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


class Storage:
    """A database of battles. :meth:`open` and :meth:`close` go about its use.

    Args:
        url: as :func:`database_url` reads it.
    """

    def __init__(self, url: str) -> None:
        self.url = database_url(url)
        self._engine: AsyncEngine | None = None
        self._transact: Callable[[list[Write]], Awaitable[list[Any]]] = self._transact_there
        self._thread: ThreadPoolExecutor | None = None
        self._sync: sa.Engine | None = None
        self._open: sa.Connection | None = None
        self._queue: asyncio.Queue[tuple[Write, asyncio.Future[Any]] | None] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None
        self.commits = 0

    # -- opening and closing ----------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Connect, and bring the tables up to date.

        Raises:
            BadInput: when the database cannot be reached.
        """
        is_sqlite = self.url.get_backend_name() == "sqlite"
        self._engine = create_async_engine(self.url)
        if is_sqlite:
            sa.event.listen(self._engine.sync_engine, "connect", _prepare_sqlite)
            self._sync = sa.create_engine(self.url.set(drivername="sqlite"))
            sa.event.listen(self._sync, "connect", _prepare_sqlite)
            sa.event.listen(self._sync, "connect", _leave_transactions_to_us)
            sa.event.listen(self._sync, "begin", _begin)
            self._thread = ThreadPoolExecutor(1, "storage")
            self._transact = self._transact_here
        try:
            if is_sqlite and self.url.database:
                Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
            await self._transact([migrate])
        except (SQLAlchemyError, CommandError, OSError) as error:
            await self.close()
            raise BadInput(why(error), where=shown(self.url)) from error
        self._writer = asyncio.create_task(self._write_all())

    async def close(self) -> None:
        """Write what is waiting and disconnect."""
        if self._writer is not None:
            await self._queue.put(None)
            await self._writer
        if self._thread is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._leave_thread)
            self._thread.shutdown()
        if self._engine is not None:
            await self._engine.dispose()

    # -- the writer -------------------------------------------------------------------------------------------------

    async def write(self, write: Write) -> Any:
        """Hand something to the writer and wait until it is on the disk.

        Raises:
            StorageError: when it could not be written.
        """
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        await self._queue.put((write, done))
        return await done

    async def _write_all(self) -> None:
        while True:
            first = await self._queue.get()
            batch = []
            while first is not None:
                batch.append(first)
                if self._queue.empty():
                    break
                first = self._queue.get_nowait()
            if batch:
                await self._commit(batch)
            if first is None:
                return

    async def _commit(self, batch: list[tuple[Write, asyncio.Future[Any]]]) -> None:
        """Everything in one transaction; where that fails, each thing in one of its own."""
        try:
            results = await self._again_if_cut_off([write for write, _ in batch])
        except Exception as error:  # whatever it is, the writer goes on
            if len(batch) > 1:
                for each in batch:
                    await self._commit([each])
            else:
                _settle(batch[0][1], StorageError(why(error)))
            return
        self.commits += 1
        for (_, done), result in zip(batch, results, strict=True):
            _settle(done, result)

    async def _again_if_cut_off(self, writes: list[Write]) -> list[Any]:
        """A transaction; once more where the connection turns out to be gone, as after a restart of PostgreSQL."""
        try:
            return await self._transact(writes)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
        return await self._transact(writes)

    async def _transact_there(self, writes: list[Write]) -> list[Any]:
        assert self._engine is not None
        async with self._engine.begin() as connection:
            return await connection.run_sync(_all_of, writes)

    async def _transact_here(self, writes: list[Write]) -> list[Any]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._in_thread, writes)

    def _in_thread(self, writes: list[Write]) -> list[Any]:
        assert self._sync is not None
        if self._open is None:
            self._open = self._sync.connect()
        try:
            with self._open.begin():
                return _all_of(self._open, writes)
        except BaseException:
            self._open.close()
            self._open = None
            raise

    def _leave_thread(self) -> None:
        if self._open is not None:
            self._open.close()
        if self._sync is not None:
            self._sync.dispose()

    async def read(self, query: sa.Select[Any]) -> list[sa.Row[Any]]:
        """The rows of a query.

        Raises:
            StorageError: when they could not be read.
        """
        assert self._engine is not None
        for is_last in (False, True):
            try:
                async with self._engine.connect() as connection:
                    return list((await connection.execute(query)).all())
            except (SQLAlchemyError, OSError) as error:
                if is_last or not getattr(error, "connection_invalidated", False):
                    raise StorageError(why(error)) from error
        raise AssertionError

    # -- battles ----------------------------------------------------------------------------------------------------

    async def add_battle(self, row: BattleRow, seats: dict[str, str]) -> None:
        """A new battle with its seats (token hash to role)."""

        def write(connection: sa.Connection) -> None:
            values = {name: getattr(row, name) for name in BattleRow.__slots__}
            connection.execute(sa.insert(BATTLES).values(values))
            tokens = [{"token": token, "battle": row.id, "role": role} for token, role in seats.items()]
            connection.execute(sa.insert(SEATS), tokens)

        await self.write(write)

    async def add_answer(self, battle: str, n: int, data: str, status: str | None = None) -> None:
        """Append an answer; ``status`` where the battle changes it."""

        def write(connection: sa.Connection) -> None:
            connection.execute(_ADD_ANSWER, {"battle": battle, "n": n, "data": data})
            if status is not None:
                values = {"status": status, "touched": time.time()}
                connection.execute(sa.update(BATTLES).where(BATTLES.c.id == battle).values(values))

        await self.write(write)

    async def take_back(self, battle: str, keep: int, era: int) -> None:
        """After an undo: only the first answers are left."""

        def write(connection: sa.Connection) -> None:
            connection.execute(sa.delete(ANSWERS).where(ANSWERS.c.battle == battle, ANSWERS.c.n >= keep))
            values = {"era": era, "status": "playing", "touched": time.time()}
            connection.execute(sa.update(BATTLES).where(BATTLES.c.id == battle).values(values))

        await self.write(write)

    async def take_seat(self, battle: str, before: str, seats: str, status: str, token: str, role: str) -> bool:
        """Put somebody into an open seat; false where the seats are no longer as they were ``before``."""

        def write(connection: sa.Connection) -> bool:
            free = sa.update(BATTLES).where(BATTLES.c.id == battle, BATTLES.c.seats == before)
            values = {"seats": seats, "status": status, "touched": time.time()}
            found = connection.execute(free.values(values))
            if found.rowcount != 1:
                return False
            connection.execute(sa.insert(SEATS).values(token=token, battle=battle, role=role))
            return True

        return bool(await self.write(write))

    async def battle(self, battle: str) -> BattleRow | None:
        """A battle by its id."""
        rows = await self.read(sa.select(BATTLES).where(BATTLES.c.id == battle))
        return BattleRow(**rows[0]._mapping) if rows else None

    async def battles(self, statuses: tuple[str, ...], limit: int) -> list[BattleRow]:
        """The battles of some statuses, those used last first."""
        query = sa.select(BATTLES).where(BATTLES.c.status.in_(statuses)).order_by(BATTLES.c.touched.desc()).limit(limit)
        return [BattleRow(**row._mapping) for row in await self.read(query)]

    async def count(self, statuses: tuple[str, ...]) -> int:
        """How many battles have one of these statuses."""
        rows = await self.read(sa.select(sa.func.count()).select_from(BATTLES).where(BATTLES.c.status.in_(statuses)))
        return int(rows[0][0])

    async def answers(self, battle: str, since: int = 0) -> tuple[str, ...]:
        """The answers of a battle, in order."""
        query = sa.select(ANSWERS.c.data).where(ANSWERS.c.battle == battle, ANSWERS.c.n >= since).order_by(ANSWERS.c.n)
        return tuple(row[0] for row in await self.read(query))

    async def seat(self, token: str) -> tuple[str, str] | None:
        """The battle and the role that a token (its hash) is for."""
        rows = await self.read(sa.select(SEATS.c.battle, SEATS.c.role).where(SEATS.c.token == token))
        return (rows[0].battle, rows[0].role) if rows else None


_WHY = {
    "file is not a database": "the file is no database of SQLite",
    "unable to open database file": "the file cannot be opened: it is a folder, or may not be read and written",
    "readonly database": "the file may not be written",
    "database is locked": "another program holds it locked",
    "disk is full": "the disk is full",
    "disk I/O error": "the disk could not be written or read",
    "database disk image is malformed": "the file is damaged",
    "Can't locate revision": "a newer version of Battlewright has written it",
    "already exists": "it holds tables of the same names that are not Battlewright's",
}


def why(error: BaseException) -> str:
    """One sentence about why a database did not do what it should, without the statement that it was asked for."""
    said = str(getattr(error, "orig", None) or error).strip()
    if isinstance(error, OSError) and error.filename:
        said = f"{error.filename}: {error.strerror}"
    for sign, words in _WHY.items():
        if sign in said:
            return f"the database cannot be used: {words}"
    first = said.splitlines()[0] if said else type(error).__name__
    return f"the database cannot be used: {first.rpartition('>: ')[2]}"


def shown(url: URL) -> str:
    """How a database is named to whoever runs the server: the file, or the URL without its password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


def _all_of(connection: sa.Connection, writes: list[Write]) -> list[Any]:
    return [write(connection) for write in writes]


def _settle(done: asyncio.Future[Any], result: Any) -> None:
    if done.cancelled():
        return
    if isinstance(result, StorageError):
        done.set_exception(result)
    else:
        done.set_result(result)


def _leave_transactions_to_us(connection: Any, record: Any) -> None:
    """The driver would begin a transaction only before data changes, and leave half of a migration behind."""
    connection.isolation_level = None


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _prepare_sqlite(connection: Any, record: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
