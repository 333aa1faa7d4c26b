"""What the server says: the welcome, how things stand, who has to choose, what became of an answer, the end."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from battlewright.server.messages.questions import Answered
from battlewright.server.messages.scene import Scene
from battlewright.server.messages.table import Events, StateNow, View
from battlewright.server.messages.words import PROTOCOL, Message, Number, Role, SeatKind, Side

__all__ = [
    "SERVER_MESSAGE",
    "Accepted",
    "Checked",
    "Commitment",
    "Decision",
    "Ended",
    "Fault",
    "FaultTold",
    "OptionCard",
    "Outcome",
    "Pong",
    "Presence",
    "Proof",
    "Refused",
    "Rewound",
    "SeatState",
    "ServerMessage",
    "UndoAsked",
    "UndoDone",
    "Welcome",
]


class SeatState(Message):
    """Who sits at a side, and whether somebody is connected there."""

    side: Side
    kind: SeatKind
    here: bool


class Commitment(Message):
    """SHA-256 of the decimal digits of the seed of the dice; ``given`` where whoever set the battle up chose it."""

    algorithm: Literal["sha256-of-decimal-seed"] = "sha256-of-decimal-seed"
    digest: str
    given: bool = False


class Welcome(Message):
    """The answer to ``hello``; the scene, and how many undos there have been (``era``)."""

    type: Literal["welcome"] = "welcome"
    protocol: int = PROTOCOL
    battle: str
    you: Role
    sides: list[Side]
    seats: list[SeatState]
    edition: str
    scene: Scene
    commitment: Commitment
    era: int
    events: int


# --- choosing ---


class Fault(Message):
    """A rule that an answer breaks: its id and one sentence with the numbers."""

    rule: str
    text: str


class OptionCard(Message):
    """One option: its key, and what a person reads; where it lies on the table, names of weapons that it would use."""

    key: str
    label: str
    point: tuple[Number, Number] | None = None
    weapons: list[str] = []


class Decision(Message):
    """Somebody has to choose.

    ``yours`` tells whether this seat has to; only then are ``decision`` (the id to answer with), ``kind``, ``rule``,
    ``subject`` (a unit's id) and ``choices`` given. ``prompt`` is empty where the choice is not public. ``target`` is
    the unit that the subject's attacks are made at, where that has been settled. A ``formality`` can be answered in
    one way alone, as everybody can see: a client may give that answer by itself.

    ``choices`` is one of ``{"options": [{key, label}]}`` (an option may have ``point`` and ``weapons``; ``marker`` is
    the diameter of a round marker that lies at the point), ``{"place": kind, "unit", "models": [...], ...}``,
    ``{"space": "declare", "unit", "uses": [...], ...}``, or what an edition describes beside these.
    """

    type: Literal["decision"] = "decision"
    side: Side
    yours: bool
    prompt: str = ""
    decision: str = ""
    kind: str = ""
    rule: str = ""
    subject: str | None = None
    target: str | None = None
    choices: dict[str, Any] = {}
    formality: bool = False


class Checked(Message):
    """What ``check`` found: no violations where the answer would be accepted, and what it would risk then."""

    type: Literal["checked"] = "checked"
    ref: str
    violations: list[Fault]
    warnings: list[Fault] = []


class Refused(Message):
    """An answer that the rules refuse, with every reason; or one that came late (``late``)."""

    type: Literal["refused"] = "refused"
    decision: str
    late: bool = False
    violations: list[Fault]


class Accepted(Message):
    """The answer to that decision has been stored and has taken effect."""

    type: Literal["accepted"] = "accepted"
    decision: str


class UndoAsked(Message):
    """A side asks for its last answer to be taken back; ``yours`` to whoever has to agree."""

    type: Literal["undo-asked"] = "undo-asked"
    side: Side
    yours: bool


class UndoDone(Message):
    """How an undo ended; ``done`` is followed by events, state and decision."""

    type: Literal["undo-done"] = "undo-done"
    done: bool
    why: str = ""


class Rewound(Message):
    """The table as it stood when ``to`` events had happened."""

    type: Literal["rewound"] = "rewound"
    to: int
    view: View


class Presence(Message):
    """Who is here now, and how many look on."""

    type: Literal["presence"] = "presence"
    seats: list[SeatState]
    watching: int


class Outcome(Message):
    """How the battle ended; ``winner`` is None for a draw."""

    winner: Side | None
    score: tuple[int, int]
    rounds: int


class Proof(Message):
    """The seed of the dice, to hold against the commitment (decimal digits, as text: it has up to 256 bits)."""

    seed: str
    digest: str


class Ended(Message):
    """The battle is over; the seed is revealed."""

    type: Literal["ended"] = "ended"
    result: Outcome
    proof: Proof


class Pong(Message):
    """The answer to ``ping``."""

    type: Literal["pong"] = "pong"


class FaultTold(Message):
    """Something could not be done; the connection stays open unless it is closed right after."""

    type: Literal["fault"] = "fault"
    code: Literal["bad-message", "hello-first", "protocol", "too-fast", "too-large", "not-yours", "busy", "internal"]
    text: str


ServerMessage = Annotated[
    Welcome
    | StateNow
    | Events
    | Decision
    | Checked
    | Answered
    | Refused
    | Accepted
    | UndoAsked
    | UndoDone
    | Rewound
    | Presence
    | Ended
    | Pong
    | FaultTold,
    Field(discriminator="type"),
]

SERVER_MESSAGE: TypeAdapter[Any] = TypeAdapter(ServerMessage)
