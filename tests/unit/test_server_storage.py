"""Storage: the same on SQLite and on PostgreSQL, each tried for real."""

from __future__ import annotations

import asyncio
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from signal import Signals

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from battlewright.core.errors import BadInput
from battlewright.server.lists import Lists
from battlewright.server.settings import Limits
from battlewright.server.storage import BattleRow, Storage, StorageError, database_url
from battlewright.server.tables import LISTS, METADATA
from support.postgres import Postgres, find_postgres
from support.serving import Served, play_out
from support.small_armies import GOLD, GREEN


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    binaries = find_postgres()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed: tools/install-debian-packages.sh installs it")
    with Postgres(binaries) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'table.sqlite'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Storage]:
    storage = Storage(url)
    await storage.open()
    try:
        yield storage
    finally:
        await storage.close()


def row(id_: str = "battle", status: str = "playing") -> BattleRow:
    return BattleRow(
        id_, 1.5, 2.5, status, "a <title>", "{}", "{}", '{"kinds": ["person", "open"]}', "ab" * 32, 0, False
    )


def run(url: str, act: Callable[[Storage], Awaitable[None]]) -> None:
    async def go() -> None:
        async with opened(url) as storage:
            await act(storage)

    asyncio.run(go())


def test_a_battle_and_its_answers_come_back_as_they_were_written(url: str) -> None:
    async def write(storage: Storage) -> None:
        await storage.add_battle(row(), {"hash-a": "a", "hash-w": "watch"})
        for n in range(5):
            await storage.add_answer("battle", n, f'{{"side":{n % 2}}}', "ended" if n == 4 else None)

    async def read(storage: Storage) -> None:
        found = await storage.battle("battle")
        assert found is not None
        assert (found.title, found.secret, found.status, found.given) == ("a <title>", "ab" * 32, "ended", False)
        assert await storage.answers("battle") == tuple(f'{{"side":{n % 2}}}' for n in range(5))
        assert await storage.answers("battle", 3) == ('{"side":1}', '{"side":0}')
        assert await storage.seat("hash-a") == ("battle", "a")
        assert await storage.seat("hash-x") is None
        assert await storage.battle("another") is None
        assert await storage.count(("ended",)) == 1

    run(url, write)
    run(url, read)


def test_answers_are_taken_back(url: str) -> None:
    async def act(storage: Storage) -> None:
        await storage.add_battle(row(), {"h": "a"})
        for n in range(5):
            await storage.add_answer("battle", n, str(n))
        await storage.take_back("battle", 2, 7)
        assert await storage.answers("battle") == ("0", "1")
        found = await storage.battle("battle")
        assert found is not None
        assert found.era == 7
        await storage.add_answer("battle", 2, "again")
        assert (await storage.answers("battle"))[-1] == "again"

    run(url, act)


def test_an_open_seat_is_taken_by_one_of_many_at_once(url: str) -> None:
    async def act(storage: Storage) -> None:
        await storage.add_battle(row(status="open"), {"h": "a"})
        before = row().seats
        tries = [storage.take_seat("battle", before, "{}", "playing", f"t{n}", "b") for n in range(8)]
        assert sorted(await asyncio.gather(*tries)) == [False] * 7 + [True]

    run(url, act)


def test_one_answer_of_a_number_counts_and_others_of_the_same_moment_do_not_suffer(url: str) -> None:
    async def act(storage: Storage) -> None:
        for name in ("one", "two"):
            await storage.add_battle(row(name), {name: "a"})
        await storage.add_answer("one", 0, "first")
        writes = [storage.add_answer("one", 0, "second"), *(storage.add_answer("two", n, str(n)) for n in range(20))]
        results = await asyncio.gather(*writes, return_exceptions=True)
        assert isinstance(results[0], StorageError)
        assert results[1:] == [None] * 20
        assert await storage.answers("one") == ("first",)
        assert len(await storage.answers("two")) == 20

    run(url, act)


def test_what_comes_together_is_written_together(url: str) -> None:
    async def act(storage: Storage) -> None:
        await storage.add_battle(row(), {"h": "a"})
        before = storage.commits
        await asyncio.gather(*(storage.add_answer("battle", n, str(n)) for n in range(50)))
        assert storage.commits - before <= 5, "fifty answers of one moment are no fifty transactions"

    run(url, act)


def test_lists_are_kept_within_their_bounds_and_those_used_last_stay(url: str) -> None:
    names = [f"list-{n:024x}" for n in range(6)]

    async def act(storage: Storage) -> None:
        lists = Lists(storage, Limits(lists=4, lists_bytes=1000))
        for name in (*names[:4], names[0], names[4]):
            await lists.keep_list(name, f'"é {name}"')
        assert [await lists.kept_list(name) is not None for name in names] == [True, False, True, True, True, False]
        assert await lists.kept_list(names[0]) == f'"é {names[0]}"'
        await lists.keep_list(names[5], "x" * 960)
        assert [await lists.kept_list(name) is not None for name in names] == [False] * 4 + [True] * 2
        await lists.keep_list(names[1], "x" * 2000)
        assert await lists.kept_list(names[1]) == "x" * 2000, "the one that was just read is kept"
        assert await lists.kept_list(names[5]) is None

    run(url, act)


def test_a_list_that_nobody_used_for_long_is_dropped(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(storage: Storage) -> None:
        lists, now = Lists(storage, Limits(list_days=2)), time.time()
        monkeypatch.setattr("time.time", lambda: now)
        for name in ("used", "left"):
            await lists.keep_list(name, name)
        monkeypatch.setattr("time.time", lambda: now + 1.5 * 86_400)
        assert await lists.kept_list("used") == "used"
        monkeypatch.setattr("time.time", lambda: now + 3 * 86_400)
        assert [await lists.kept_list(name) for name in ("used", "left")] == ["used", None]
        await lists.keep_list("new", "new")
        assert await storage.read(sa.select(LISTS.c.name).where(LISTS.c.name == "left")) == []

    run(url, act)


def test_a_database_of_the_first_version_is_brought_up_to_date_with_its_battles(tmp_path: Path) -> None:
    file = tmp_path / "table.sqlite"
    with sqlite3.connect(file) as old:
        run(str(file), lambda storage: storage.add_battle(row(), {"hash-a": "a"}))
        old.execute("DROP TABLE lists")
        old.execute("UPDATE alembic_version SET version_num = '0001'")

    async def act(storage: Storage) -> None:
        assert await storage.battle("battle") is not None
        await Lists(storage, Limits()).keep_list("list", "data")

    run(str(file), act)


def test_migrations_lead_to_the_tables_of_the_code(url: str) -> None:
    async def act(storage: Storage) -> None:
        def differences(connection: sa.Connection) -> list[object]:
            return list(compare_metadata(MigrationContext.configure(connection), METADATA))

        assert storage._engine is not None
        async with storage._engine.connect() as connection:
            assert await connection.run_sync(differences) == []

    run(url, act)
    run(url, act)


def test_a_battle_goes_on_after_a_restart_on_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    server = Served(tmp_path, postgres.new_database())
    battle = server.battle()
    with server.sit(battle, "a") as a, server.sit(battle, "b") as b:
        play_out([a, b], most=12)
        events = [item for message in a.of("events") for item in message["items"]]
    server.stop()
    server.start()
    with server.sit(battle, "a") as a:
        assert a.until("events")["items"][: len(events)] == events
    server.stop()


def test_a_restart_of_postgresql_in_the_middle_of_a_battle_is_not_noticed(postgres: Postgres, tmp_path: Path) -> None:
    server = Served(tmp_path, postgres.new_database())
    battle = server.battle("3")
    with server.sit(battle, "a") as a, server.sit(battle, "b") as b:
        assert play_out([a, b], most=3) == 3
        postgres.restart()
        assert play_out([a, b], most=3) == 3
    server.stop()
    assert "Traceback" not in server.log, server.log


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_list_that_was_read_before_a_restart_can_be_played_after_it(url: str, tmp_path: Path, how: Signals) -> None:
    server = Served(tmp_path, url)
    read = [server.post("/armies", {"text": text, "name": "mine.yaml"}) for text in (GREEN, GOLD)]
    server.stop(how)
    server.start()
    try:
        assert server.get(f"/armies/{read[0]['id']}") == read[0], "the report is the same, too"
        armies = [{"id": each["id"]} for each in read]
        form = {"edition": "11", "armies": armies, "seats": ["person", "person"], "options": {"secondaries": "none"}}
        battle = server.post("/battles", form)
        with server.sit(battle, "a") as a, server.sit(battle, "b") as b:
            assert play_out([a, b], most=2) == 2
        status, told = server.ask("GET", "/armies/list-" + "0" * 24)
        assert (status, "no longer" in told["error"]) == (404, True)
    finally:
        server.stop()


@pytest.mark.parametrize("text", ["mysql://x/y", "nonsense://", "postgresql+psycopg2"])
def test_a_database_of_another_kind_is_refused(text: str) -> None:
    if "://" not in text:
        assert database_url(text).database == text, "whatever is no URL names a file"
        return
    with pytest.raises(BadInput, match=r"not supported|no URL"):
        database_url(text)


def test_a_database_that_cannot_be_reached_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "battlewright",
            "serve",
            "--port",
            "0",
            "--database",
            f"postgresql://127.0.0.1:{port}/x",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "database" in done.stderr
