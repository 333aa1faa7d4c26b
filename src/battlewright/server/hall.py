"""The hall: battles that somebody is at, who sits where, and the messages between them, the workers and the storage.

An answer goes to the worker that holds the battle; what comes of it is stored; only then anybody is told.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Coroutine
from typing import Any

from battlewright.core.errors import BadInput
from battlewright.server.frames import Missing
from battlewright.server.messages import Role
from battlewright.server.pool import Pool, WorkerFault
from battlewright.server.settings import Limits
from battlewright.server.storage import BattleRow, Storage, StorageError
from battlewright.server.table import Opening, Reply
from battlewright.server.thinking import Thought
from battlewright.server.views import answered, as_json, decision_id

__all__ = ["Connection", "Hall", "Room", "token_hash"]

_log = logging.getLogger("battlewright.server")
_LETTERS: tuple[Role, Role] = ("a", "b")
_PAUSES = (0.0, 0.0, 0.0, 1.0, 5.0, 30.0)
"""Seconds before a computer player tries again, after so many failures in a row."""


def token_hash(token: str) -> str:
    """What is kept of a link's token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Connection:
    """Somebody at a battle: messages for him wait here until his socket takes them.

    Args:
        unsent: how many may wait; a client that takes none is sent away, and catches up when it comes back.
        unsent_bytes: how many characters they may have together.
    """

    def __init__(self, role: Role, unsent: int, unsent_bytes: int = 2**24) -> None:
        self.role = role
        self.waiting: asyncio.Queue[str | None] = asyncio.Queue()
        self._unsent, self._unsent_bytes, self._size = unsent, unsent_bytes, 0
        self.lost = asyncio.Event()
        self.is_gone = False

    def send(self, *messages: str) -> None:
        """Put messages in line."""
        if self.lost.is_set():
            return
        for message in messages:
            self.waiting.put_nowait(message)
            self._size += len(message)
        if self.waiting.qsize() > max(self._unsent, len(messages)) or (
            self._size > self._unsent_bytes and self.waiting.qsize() > len(messages)
        ):
            self.lost.set()
            while not self.waiting.empty():
                self.waiting.get_nowait()

    async def next(self) -> str | None:
        """The next message; None once there is nothing more to say."""
        message = await self.waiting.get()
        self._size -= len(message or "")
        return message

    def end(self) -> None:
        """Say nothing more after what waits."""
        self.waiting.put_nowait(None)

    def fault(self, code: str, text: str) -> None:
        """Say that something could not be done."""
        self.send(as_json({"type": "fault", "code": code, "text": text}))


class Room:
    """A battle that somebody is at."""

    def __init__(self, row: BattleRow, pool: Pool, storage: Storage) -> None:
        self.id, self.key, self.given = row.id, bytes.fromhex(row.secret), row.given
        self.seats: dict[str, Any] = json.loads(row.seats)
        self.players: list[str] = json.loads(row.about)["players"]
        self.connections: list[Connection] = []
        self.era, self.number = row.era, 0
        self.turn: int | None = None
        self.is_over = False
        self.holders = 0
        self.admitted: set[Connection] = set()
        self._pool, self._storage = pool, storage
        self._lock = asyncio.Lock()
        self._driving: asyncio.Task[None] | None = None
        self._advised: set[Connection] = set()
        self._under_way: set[asyncio.Task[None]] = set()
        self._thinker_knows = (0, 0)
        self._unthought: list[str] = []

    # -- people --

    async def _to_its_end(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something whole, even if whoever asked for it goes meanwhile: a change must be stored and told."""
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        await asyncio.shield(task)

    async def join(self, connection: Connection, since: int, era: int) -> None:
        """Somebody has come and said hello."""
        await self._to_its_end(self._join(connection, since, era))

    async def _join(self, connection: Connection, since: int, era: int) -> None:
        async with self._lock:
            if connection.is_gone:
                return
            reply = await self._ask("join", connection.role, since, era)
            welcome = reply.mine[0]
            self.connections.append(connection)
            seats = as_json(self._who_is_here())
            connection.send(f'{welcome[:-1]},"seats":{seats}}}', *reply.mine[1:])
            self._tell_presence()
        self._wake()

    def leave(self, connection: Connection) -> None:
        """Somebody has gone."""
        connection.is_gone = True
        if connection in self.connections:
            self.connections.remove(connection)
            self._tell_presence()

    def reseat(self, seats: dict[str, Any]) -> None:
        """An open seat has been taken."""
        self.seats = seats
        self._tell_presence()

    def _who_is_here(self) -> list[dict[str, Any]]:
        roles = {connection.role for connection in self.connections}
        return [
            {"side": side, "kind": kind, "here": kind == "computer" or bool(roles & {_LETTERS[side], "both"})}
            for side, kind in enumerate(self.seats["kinds"])
        ]

    def _tell_presence(self) -> None:
        watching = sum(connection.role == "watch" for connection in self.connections)
        message = as_json({"type": "presence", "seats": self._who_is_here(), "watching": watching})
        for connection in self.connections:
            connection.send(message)

    @property
    def _audiences(self) -> tuple[Role, ...]:
        return tuple(dict.fromkeys(connection.role for connection in self.connections))

    # -- what is asked of the table --

    async def question(self, connection: Connection, method: str, *arguments: Any) -> None:
        """Something that changes nothing: check, ask, events, rewind."""
        async with self._lock:
            reply = await self._ask(method, connection.role, *arguments)
        connection.send(*reply.mine)

    def advise(self, connection: Connection, ref: str) -> None:
        """What a computer player would answer in the place of whoever asks, who may go on meanwhile.

        Nobody has more than one thought made for them at a time: who asks again is told what the game goes on with.
        """
        task = asyncio.create_task(self._advise(connection, ref))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _advise(self, connection: Connection, ref: str) -> None:
        side, number, era = self.turn, self.number, self.era
        answer = None
        try:
            if side is not None and connection.role in (_LETTERS[side], "both") and connection not in self._advised:
                answer = await self._thought_for(connection, side)
            if answer is None or (self.turn, self.number, self.era) != (side, number, era):
                await self.question(connection, "ask", ref, {"kind": "advice"})
            else:
                connection.send(as_json({**answered(ref, "advice"), "answer": answer}))
        except (WorkerFault, StorageError, BadInput) as error:
            _log.error("battle %s: %s", self.id, error)
            connection.fault("internal", "that could not be done now")

    async def _thought_for(self, connection: Connection, side: int) -> dict[str, Any] | None:
        self._advised.add(connection)
        try:
            return await self._think(side)
        except (WorkerFault, BadInput) as error:
            _log.error("battle %s, its adviser: %s", self.id, error)
            return None
        finally:
            self._advised.discard(connection)

    async def answer(self, connection: Connection, decision: str, answer: dict[str, Any]) -> None:
        """An answer from a seat."""
        await self._to_its_end(self._answer(connection, decision, answer))

    async def _answer(self, connection: Connection, decision: str, answer: dict[str, Any]) -> None:
        async with self._lock:
            reply = await self._change("answer", connection.role, decision, answer, self._audiences)
            if reply is not None:
                self._deliver(connection, reply)
        self._wake()

    async def undo(self, connection: Connection) -> None:
        """A seat takes back its last answer, or asks for that."""
        await self._to_its_end(self._undo(connection))

    async def _undo(self, connection: Connection) -> None:
        async with self._lock:
            other = {"a": 1, "b": 0}.get(connection.role)
            asks = other is not None and self.seats["kinds"][other] == "person"
            reply = await self._change("undo", connection.role, self._audiences, asks)
            if reply is not None:
                self._deliver(connection, reply)
        self._wake()

    async def undo_reply(self, connection: Connection, agree: bool) -> None:
        """A seat agrees to an undo, or does not."""
        await self._to_its_end(self._undo_reply(connection, agree))

    async def _undo_reply(self, connection: Connection, agree: bool) -> None:
        async with self._lock:
            reply = await self._change("undo_reply", connection.role, agree, self._audiences)
            if reply is not None:
                self._deliver(connection, reply)
        self._wake()

    def _deliver(self, asker: Connection | None, reply: Reply) -> None:
        if asker is not None:
            asker.send(*reply.mine)
        for connection in self.connections:
            connection.send(*reply.news.get(connection.role, ()))

    # -- the worker and the storage --

    async def _ask(self, method: str, *arguments: Any) -> Reply:
        worker = self._pool.table_for(self.id)
        reply = await worker.ask("table", self.id, method, *arguments)
        if isinstance(reply, Missing):
            answers = await self._storage.answers(self.id)
            opening = Opening(self.id, await self._header(), self.key, self.era, self.given, answers)
            self._note(await worker.ask("open", opening))
            reply = await worker.ask("table", self.id, method, *arguments)
        assert isinstance(reply, Reply)
        self._note(reply)
        return reply

    async def _header(self) -> str:
        row = await self._storage.battle(self.id)
        if row is None:
            raise StorageError(f"there is no battle {self.id} any more")
        return row.header

    def _note(self, reply: Reply) -> None:
        self.turn, self.number, self.era = reply.turn, reply.number, reply.era
        self.is_over = reply.result is not None

    async def _change(self, method: str, *arguments: Any) -> Reply | None:
        """Something that may change the battle: it counts once it is stored. None where it did not happen."""
        try:
            reply = await self._ask(method, *arguments)
            if reply.store is not None:
                stored = dict(reply.store)
                n, data = stored.pop("n"), as_json(stored)
                await self._storage.add_answer(self.id, n, data, "ended" if self.is_over else None)
                self._unthought.append(data)
            elif reply.keep is not None:
                await self._storage.take_back(self.id, reply.keep, reply.era)
                self._forget_thoughts(reply.keep)
        except (StorageError, WorkerFault, BadInput) as error:
            _log.error("battle %s: %s", self.id, error)
            lost = "that could not be stored" if isinstance(error, StorageError) else "something went wrong"
            await self._begin_again(f"{lost} and has not happened: the battle stands as it was stored last")
            return None
        return reply

    async def _begin_again(self, why: str) -> None:
        """The worker may hold what is not stored: what is stored counts, and everybody is told anew."""
        try:
            row = await self._storage.battle(self.id)
            if row is not None:
                self.era = row.era
            await self._pool.table_for(self.id).ask("close", self.id)
            self._thinker_knows, self._unthought = (0, 0), []
            for connection in self.connections:
                connection.fault("internal", why)
                reply = await self._ask("join", connection.role, 0, -1)
                connection.send(*reply.mine[1:])
        except (StorageError, WorkerFault, BadInput) as error:
            _log.error("battle %s: %s", self.id, error)
            for connection in self.connections:
                connection.fault("internal", "the battle cannot be reached now; please come back")
                connection.end()

    # -- computer players --

    def _wake(self) -> None:
        """Let the computer choose where it is its turn, as long as somebody is here."""
        if (self._driving is None or self._driving.done()) and self._is_computers:
            self._driving = asyncio.create_task(self._drive())

    @property
    def _is_computers(self) -> bool:
        return self.turn is not None and bool(self.connections) and self.seats["kinds"][self.turn] == "computer"

    async def _drive(self) -> None:
        failed = 0
        while self._is_computers:
            await asyncio.sleep(_PAUSES[min(failed, len(_PAUSES) - 1)])
            try:
                failed = 0 if await self._move_for_computer(default=failed > 1) else failed + 1
            except (WorkerFault, StorageError, BadInput) as error:
                _log.error("battle %s, its computer player: %s", self.id, error)
                failed += 1

    async def _move_for_computer(self, *, default: bool) -> bool:
        """Let the computer choose, or take what the game proposes; false where that did not become of the battle."""
        side, number, era = self.turn, self.number, self.era
        assert side is not None
        answer = None if default else await self._think(side)
        async with self._lock:
            if (self.turn, self.number, self.era) != (side, number, era):
                return True
            if answer is None:
                answer = await self._default(side)
            id_ = decision_id(self.key, era, number + 1)
            reply = await self._change("answer", _LETTERS[side], id_, answer, self._audiences)
            if reply is None or reply.store is None:
                _log.error("battle %s: the answer of the player of side %s did not count", self.id, side)
                return False
            self._deliver(None, reply)
        return True

    async def _think(self, side: int) -> dict[str, Any]:
        thinker = self._pool.thinker_for(self.id)
        generation, known = self._thinker_knows
        seed = int.from_bytes(hashlib.sha256(self.key + b"player").digest()[:4], "big")
        player, number = self.players[side], self.number
        if generation == thinker.generation and known + len(self._unthought) == number:
            thought = Thought(self.id, side, player, seed, known, tuple(self._unthought))
            found = await thinker.ask("think", thought)
        else:
            found = Missing()
        if isinstance(found, Missing):
            answers = (await self._storage.answers(self.id))[:number]
            thought = Thought(self.id, side, player, seed, 0, answers, await self._header())
            found = await thinker.ask("think", thought)
        if isinstance(found, Missing) or not isinstance(found, dict):
            raise WorkerFault("the player has no answer")
        if self.number == number:
            self._thinker_knows, self._unthought = (thinker.generation, number), []
        return found

    async def _default(self, side: int) -> dict[str, Any]:
        reply = await self._ask("ask", _LETTERS[side], "", {"kind": "default"})
        answer: dict[str, Any] = json.loads(reply.mine[0])["answer"]
        return answer

    def _forget_thoughts(self, keep: int) -> None:
        generation, known = self._thinker_knows
        self._thinker_knows = (generation, min(known, keep))
        self._unthought = self._unthought[: max(0, keep - known)]

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here, comes in, or thinks."""
        return not self.holders and not self._under_way and (self._driving is None or self._driving.done())

    async def stop(self) -> None:
        """Let nobody think any more."""
        if self._driving is not None:
            self._driving.cancel()


class Hall:
    """All battles that somebody is at."""

    def __init__(self, pool: Pool, storage: Storage, limits: Limits) -> None:
        self.pool, self.storage, self.limits = pool, storage, limits
        self.rooms: dict[str, Room] = {}
        self._opening = asyncio.Lock()

    @property
    def connections(self) -> int:
        """How many people and bots are here, or about to say hello."""
        return sum(len(room.admitted) for room in self.rooms.values())

    async def enter(self, battle: str) -> Room | None:
        """The room of a battle, to be left again; None where there is no such battle."""
        async with self._opening:
            if battle not in self.rooms:
                row = await self.storage.battle(battle)
                if row is None:
                    return None
                self._clear_away()
                self.rooms[battle] = Room(row, self.pool, self.storage)
            room = self.rooms[battle]
            room.holders += 1
            return room

    def admits(self, room: Room, connection: Connection) -> bool:
        """Whether there is room for one more, who counts from now on, before a hello as after it."""
        watching = sum(each.role == "watch" for each in room.admitted)
        if self.connections >= self.limits.connections:
            return False
        if connection.role == "watch" and watching >= self.limits.watchers:
            return False
        room.admitted.add(connection)
        return True

    def leave(self, room: Room, connection: Connection) -> None:
        """Somebody goes."""
        room.holders -= 1
        room.admitted.discard(connection)
        room.leave(connection)

    def _clear_away(self) -> None:
        """Give rooms up in which nobody is, once there are many."""
        if len(self.rooms) >= self.limits.battles:
            for battle in [battle for battle, room in self.rooms.items() if room.is_idle]:
                del self.rooms[battle]

    async def stop(self) -> None:
        """Send everybody home."""
        for room in self.rooms.values():
            await room.stop()
            for connection in room.connections:
                connection.end()
