"""What a client says."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from battlewright.server.messages.answers import Answer
from battlewright.server.messages.questions import Question
from battlewright.server.messages.words import PROTOCOL, Message, Ref

__all__ = [
    "CLIENT_MESSAGE",
    "Ask",
    "AskEvents",
    "Check",
    "ClientMessage",
    "GiveAnswer",
    "Hello",
    "Ping",
    "Rewind",
    "Undo",
    "UndoReply",
]


class Hello(Message):
    """The first message. ``since`` events are known from the era ``era`` (of an earlier welcome)."""

    type: Literal["hello"] = "hello"
    protocol: int = PROTOCOL
    since: Annotated[int, Field(ge=0, le=10**9)] = 0
    era: Annotated[int, Field(ge=0, le=10**9)] = 0


class GiveAnswer(Message):
    """The answer to the decision of that id; it is acknowledged by ``accepted`` once it has been stored."""

    type: Literal["answer"] = "answer"
    decision: Ref
    answer: Answer


class Check(Message):
    """Whether an answer to the present decision would be accepted; nothing happens."""

    type: Literal["check"] = "check"
    ref: Ref
    answer: Answer


class Ask(Message):
    """A question from the seat; answered by ``answered``."""

    type: Literal["ask"] = "ask"
    ref: Ref
    question: Question


class Undo(Message):
    """Take back this side's last answer: at once where that is fair, else the opponent is asked."""

    type: Literal["undo"] = "undo"


class UndoReply(Message):
    """The opponent's word on an undo that was asked for."""

    type: Literal["undo-reply"] = "undo-reply"
    agree: bool


class Rewind(Message):
    """Show the table as it stood when ``to`` events had happened; nothing is taken back."""

    type: Literal["rewind"] = "rewind"
    to: Annotated[int, Field(ge=0, le=10**9)]


class AskEvents(Message):
    """Send the events from number ``since`` on."""

    type: Literal["events"] = "events"
    since: Annotated[int, Field(ge=0, le=10**9)] = 0


class Ping(Message):
    """Answered by ``pong``."""

    type: Literal["ping"] = "ping"


ClientMessage = Annotated[
    Hello | GiveAnswer | Check | Ask | Undo | UndoReply | Rewind | AskEvents | Ping, Field(discriminator="type")
]

CLIENT_MESSAGE: TypeAdapter[Any] = TypeAdapter(ClientMessage)
