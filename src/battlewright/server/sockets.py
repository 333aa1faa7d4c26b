"""The WebSocket: a link's token, a hello, and then messages both ways until somebody goes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import cast

from fastapi import APIRouter, WebSocket
from pydantic import ValidationError
from starlette.websockets import WebSocketDisconnect, WebSocketState

from battlewright.core.errors import BadInput
from battlewright.server.hall import Connection, Hall, Room, token_hash
from battlewright.server.messages import (
    CLIENT_MESSAGE,
    PROTOCOL,
    Ask,
    AskAdvice,
    AskEvents,
    Check,
    ClientMessage,
    GiveAnswer,
    Hello,
    Ping,
    Rewind,
    Role,
    Undo,
    UndoReply,
)
from battlewright.server.pool import WorkerFault
from battlewright.server.security import TokenBucket
from battlewright.server.storage import StorageError
from battlewright.server.views import as_json

__all__ = ["router"]

router = APIRouter()
_log = logging.getLogger("battlewright.server")
_MOST_BAD = 25
_LAST_WORDS = 2.0
"""Seconds that saying goodbye may take to somebody who takes nothing any more."""
_PONG = as_json({"type": "pong"})


@router.websocket("/ws/{battle}")
async def table(socket: WebSocket, battle: str, seat: str = "") -> None:
    """A seat at a battle, or a look at it."""
    hall = cast(Hall, socket.app.state.hall)
    try:
        found = await hall.storage.seat(token_hash(seat))
        if found is None or found[0] != battle:
            await _turn_away(
                socket, 4404, "There is no such seat. Copy the whole link, or ask whoever sent it for another."
            )
            return
        role = cast(Role, found[1])
        room = await hall.enter(battle)
    except StorageError as error:
        _log.error("battle %s: %s", battle, error)
        await _turn_away(socket, 1013, "the battles cannot be read now; please come back")
        return
    if room is None:
        await _turn_away(socket, 4404, "There is no such battle here any more. Set up another.")
        return
    connection = Connection(role, hall.limits.unsent, hall.limits.unsent_bytes)
    try:
        if not hall.admits(room, connection):
            await _turn_away(socket, 4429, "too many are here")
            return
        await socket.accept()
        await _Visit(socket, room, connection, hall).run()
    finally:
        hall.leave(room, connection)


async def _turn_away(socket: WebSocket, code: int, why: str) -> None:
    """Say why before the door is closed: a browser is told nothing of one that was never opened."""
    await socket.accept()
    kind = "not-yours" if code == 4404 else "busy"
    await socket.send_text(as_json({"type": "fault", "code": kind, "text": why}))
    await socket.close(code, why)


class _Visit:
    """One connection from its hello to its end."""

    def __init__(self, socket: WebSocket, room: Room, connection: Connection, hall: Hall) -> None:
        self._socket, self._room, self._connection = socket, room, connection
        self._bucket = TokenBucket(hall.limits.messages, hall.limits.burst)
        self._most = hall.limits.message_bytes
        self._bad = 0
        self._is_in = False

    async def run(self) -> None:
        """Listen and speak until one of the two ends."""
        speaking = asyncio.create_task(self._speak())
        listening = asyncio.create_task(self._listen())
        lost = asyncio.create_task(self._connection.lost.wait())
        try:
            await asyncio.wait({speaking, listening, lost}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (speaking, listening, lost):
                task.cancel()
            await asyncio.gather(speaking, listening, lost, return_exceptions=True)
            if self._socket.client_state is WebSocketState.CONNECTED:
                with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
                    await asyncio.wait_for(self._socket.close(1000), _LAST_WORDS)

    async def _speak(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while (message := await self._connection.next()) is not None:
                await self._socket.send_text(message)

    async def _listen(self) -> None:
        while True:
            received = await self._socket.receive()
            if received["type"] != "websocket.receive":
                return
            text = received.get("text")
            if not self._bucket.take():
                self._complain("too-fast", "too many messages")
            elif text is None or len(text) > self._most:
                self._complain("bad-message", "messages are JSON texts, and not too large")
            else:
                await self._hear(text)
            if self._bad > _MOST_BAD:
                self._connection.end()
                await asyncio.sleep(1)
                return

    def _complain(self, code: str, text: str) -> None:
        self._bad += 1
        self._connection.fault(code, text)

    async def _hear(self, text: str) -> None:
        try:
            message: ClientMessage = CLIENT_MESSAGE.validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])[:100]
            self._complain("bad-message", (f"{place}: {first['msg']}" if place else str(first["msg"]))[:300])
            return
        try:
            await self._do(message)
        except (WorkerFault, StorageError) as error:
            _log.error("battle %s: %s", self._room.id, error)
            self._connection.fault("internal", "that could not be done now")
        except BadInput as error:  # of what was stored: nothing that a client says raises it
            _log.error("battle %s: %s", self._room.id, error)
            self._connection.fault("internal", f"the battle cannot be opened: {error}")

    async def _do(self, message: ClientMessage) -> None:
        room, connection = self._room, self._connection
        if not self._is_in and not isinstance(message, Hello | Ping):
            self._complain("hello-first", "a hello comes first")
            return
        match message:
            case Hello(protocol=protocol, since=since, era=era):
                if protocol != PROTOCOL:
                    connection.fault("protocol", f"this server speaks version {PROTOCOL}")
                elif self._is_in:
                    self._complain("bad-message", "the hello was said already")
                else:
                    await room.join(connection, since, era)
                    self._is_in = True
            case GiveAnswer(decision=decision, answer=answer):
                await room.answer(connection, decision, answer.model_dump())
            case Check(ref=ref, answer=answer):
                await room.question(connection, "check", ref, answer.model_dump())
            case Ask(ref=ref, question=AskAdvice()):
                room.advise(connection, ref)
            case Ask(ref=ref, question=question):
                await room.question(connection, "ask", ref, question.model_dump())
            case AskEvents(since=since):
                await room.question(connection, "events", since)
            case Rewind(to=to):
                await room.question(connection, "rewind", to)
            case Undo():
                await room.undo(connection)
            case UndoReply(agree=agree):
                await room.undo_reply(connection, agree)
            case Ping():
                connection.send(_PONG)
