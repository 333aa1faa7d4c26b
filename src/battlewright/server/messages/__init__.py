"""What is said over the table's WebSocket: tagged unions by ``type``, checked where they come in.

``battlewright serve --schema`` prints the JSON schema of all of it; ``docs/protocol.md`` tells how it is used. Every
length of a battle is in thousandths of an inch, every facing in thousandths of a degree, as answers have them; what
never changes (:class:`Scene`) is in inches, bases in millimetres.
"""

from __future__ import annotations

from battlewright.server.messages.client import (
    CLIENT_MESSAGE,
    Ask,
    AskEvents,
    Check,
    ClientMessage,
    GiveAnswer,
    Hello,
    Ping,
    Rewind,
    Undo,
    UndoReply,
)
from battlewright.server.messages.questions import AskAdvice
from battlewright.server.messages.scene import (
    ArmyCard,
    BaseShape,
    ModelCard,
    ProfileCard,
    Scene,
    Switch,
    UnitCard,
    WeaponCard,
)
from battlewright.server.messages.server import SERVER_MESSAGE, ServerMessage
from battlewright.server.messages.table import StateNow
from battlewright.server.messages.words import PROTOCOL, Message, Role, SeatKind, Side

__all__ = [
    "CLIENT_MESSAGE",
    "PROTOCOL",
    "SERVER_MESSAGE",
    "ArmyCard",
    "Ask",
    "AskAdvice",
    "AskEvents",
    "BaseShape",
    "Check",
    "ClientMessage",
    "GiveAnswer",
    "Hello",
    "Message",
    "ModelCard",
    "Ping",
    "ProfileCard",
    "Rewind",
    "Role",
    "Scene",
    "SeatKind",
    "ServerMessage",
    "Side",
    "StateNow",
    "Switch",
    "Undo",
    "UndoReply",
    "UnitCard",
    "WeaponCard",
]
