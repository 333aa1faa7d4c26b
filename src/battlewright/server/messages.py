"""What is said over the table's WebSocket: tagged unions by ``type``, checked where they come in.

``battlewright serve --schema`` prints the JSON schema of all of it; ``docs/protocol.md`` tells how it is used. Every
length of a battle is in thousandths of an inch, every facing in thousandths of a degree, as answers have them; what
never changes (:class:`Scene`) is in inches, bases in millimetres.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

__all__ = [
    "CLIENT_MESSAGE",
    "PROTOCOL",
    "SERVER_MESSAGE",
    "ClientMessage",
    "Message",
    "Scene",
    "ServerMessage",
]

PROTOCOL = 1
"""The version of the protocol; another one is refused at the hello."""

Side = Literal[0, 1]
"""0 for side a, 1 for side b."""
Role = Literal["a", "b", "both", "watch"]
"""What a link is for: one side, both sides at one screen (hot seat), or looking on."""
SeatKind = Literal["person", "computer", "open"]

Ref = Annotated[str, Field(max_length=64)]
"""A word of the client's own, sent back with what answers it."""
UnitName = Annotated[str, Field(min_length=1, max_length=32)]
"""A unit's printed id, ``"a.3"``."""
Number = Annotated[int, Field(strict=True, ge=-(10**9), le=10**9)]
Row = Annotated[int, Field(strict=True, ge=0, le=10**6)]
Waypoint = tuple[Number, Number, Number, Number]
"""x, y, z in thousandths of an inch, facing in thousandths of a degree."""


class Message(BaseModel):
    """The base of everything that is said; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# --- answers -------------------------------------------------------------------------------------------------------


class PickAnswer(Message):
    """The choice of one listed option, by its key."""

    kind: Literal["pick"] = "pick"
    option: Annotated[str, Field(max_length=2000)]


class MoveOfModel(Message):
    """One model's way; the last waypoint is where it ends."""

    model: Row
    path: Annotated[list[Waypoint], Field(max_length=64)]


class PlaceAnswer(Message):
    """Models moved or set up, in this order."""

    kind: Literal["place"] = "place"
    moves: Annotated[list[MoveOfModel], Field(max_length=500)]


class AttackUse(Message):
    """One use of one weapon by one model at one unit."""

    model: Row
    weapon: Row
    profile: Row
    target: UnitName
    count: Annotated[int, Field(strict=True, ge=1, le=10**6)] | None = None


class DeclareAnswer(Message):
    """Every attack of a unit."""

    kind: Literal["declare"] = "declare"
    attacks: Annotated[list[AttackUse], Field(max_length=2000)]


Answer = Annotated[PickAnswer | PlaceAnswer | DeclareAnswer, Field(discriminator="kind")]


# --- questions that a seat may ask -----------------------------------------------------------------------------------


class AskDefault(Message):
    """What the game would go on with: a legal answer to the present decision."""

    kind: Literal["default"] = "default"


class AskAdvice(Message):
    """What a computer player would answer in this seat's place; what the game would go on with where none can tell."""

    kind: Literal["advice"] = "advice"


class AskSample(Message):
    """Some legal answer to the present decision, drawn with this seed; for bots."""

    kind: Literal["sample"] = "sample"
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0


class AskTowards(Message):
    """A legal placement of the unit that is moved or set up, as near to a point as one search finds."""

    kind: Literal["towards"] = "towards"
    point: tuple[Number, Number]


class AskReach(Message):
    """Where models of the moving unit could end, each by itself; all of them when ``models`` is left out."""

    kind: Literal["reach"] = "reach"
    models: Annotated[list[Row], Field(max_length=200)] | None = None


class AskSight(Message):
    """What a unit sees of another and what is in the way."""

    kind: Literal["sight"] = "sight"
    unit: UnitName
    target: UnitName


class AskRange(Message):
    """How far one unit is from another, base to base; refused while the edition forbids measuring."""

    kind: Literal["range"] = "range"
    unit: UnitName
    target: UnitName


class AskOdds(Message):
    """What attacks would do, exactly: a declaration (``answer``, as it would be given), or a unit against another.

    ``weapons`` names those that the unit uses; it uses what does most where none are named. ``melee`` may be null:
    as the attacks of this part of the turn are.
    """

    kind: Literal["odds"] = "odds"
    answer: DeclareAnswer | None = None
    unit: UnitName | None = None
    target: UnitName | None = None
    melee: bool | None = False
    weapons: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=20)] | None = None


Question = Annotated[
    AskDefault | AskAdvice | AskSample | AskTowards | AskReach | AskSight | AskRange | AskOdds,
    Field(discriminator="kind"),
]


# --- from the client -------------------------------------------------------------------------------------------------


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


# --- what never changes ---


class BaseShape(Message):
    """A model's base: its text form, and its extents in millimetres; a hull has its corners about its centre."""

    text: str
    kind: Literal["round", "oval", "hull"]
    length: float
    width: float
    outline: list[tuple[float, float]] = []
    flying: bool = False


class ProfileCard(Message):
    """One way to use a weapon, as printed."""

    name: str
    melee: bool
    characteristics: dict[str, str]
    abilities: list[str]


class WeaponCard(Message):
    """One copy of a weapon; its place in the list is the number that a declaration names."""

    name: str
    profiles: list[ProfileCard]


class ModelCard(Message):
    """One model. ``row`` is its number in every message; ``height`` is in inches."""

    row: int
    unit: str
    name: str
    base: BaseShape
    height: float
    characteristics: dict[str, str]
    keywords: list[str]
    weapons: list[WeaponCard]
    abilities: list[str]
    character: bool = False


class UnitCard(Message):
    """One unit as its list has it: which of its rules the table enforces, and which have no effect."""

    id: str
    index: int
    side: Side
    name: str
    models: list[int]
    points: int
    enforced: list[str]
    not_enforced: list[str]
    part_of: str | None = None
    """The unit of the list that it is a model of until it is left behind by it."""


class ArmyCard(Message):
    """One side's army."""

    name: str
    side_name: str
    faction: str
    detachments: list[str]
    points: int


class Switch(Message):
    """An option of the edition with the value that this battle is played by."""

    name: str
    value: str
    default: str
    text: str
    rule: str


class Scene(Message):
    """What never changes during a battle.

    ``battlefield`` is its JSON form in inches (see docs/protocol.md): width, height, areas with features, zones,
    objectives. ``units`` stand in the order of the view's ``units``, ``models`` in the order of its arrays. ``phases``
    are those of a turn; both they and ``may_measure`` are told of battles that go on. ``engagement`` is how many inches
    apart bases of enemies may be to be engaged, where contact is not needed.
    """

    edition: str
    edition_title: str
    mission: str
    battlefield: dict[str, Any]
    armies: tuple[ArmyCard, ArmyCard]
    units: list[UnitCard]
    models: list[ModelCard]
    options: list[Switch]
    may_measure: bool = True
    phases: list[str] = []
    engagement: float | None = None


# --- from the server ---


class Fault(Message):
    """A rule that an answer breaks: its id and one sentence with the numbers."""

    rule: str
    text: str


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


class UnitView(BaseModel):
    """What changes about a unit; further fields are the edition's own."""

    model_config = ConfigDict(extra="allow", frozen=True)

    side: Side
    models: list[int]


class View(BaseModel):
    """What changes, as far as this seat may see it; further fields are the edition's own.

    ``position`` holds a row per model: x, y, z in thousandths of an inch, facing in thousandths of a degree.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    position: list[tuple[int, int, int, int]]
    wounds: list[int]
    on_table: list[bool]
    units: list[UnitView]
    round: int
    turn: Side
    phase: str
    step: int
    vp: tuple[int, int]


class Counter(Message):
    """Something that is counted beside victory points, and each side's number."""

    name: str
    values: tuple[int, int]


class CardShown(Message):
    """A card that a side has, as far as this seat may know, and the rule it is."""

    side: Side
    name: str
    rule: str


class Standing(Message):
    """What players keep beside the table: whose each deployment zone is (by its name), counters, cards."""

    zones: dict[str, Side] = {}
    counters: list[Counter] = []
    cards: list[CardShown] = []


class StateNow(Message):
    """The table as it stands now. ``number`` rises by one with each that this seat is sent."""

    type: Literal["state"] = "state"
    number: int
    view: View
    standing: Standing = Standing()


class LogLine(Message):
    """One line of the log, shown at its level and the more talkative ones (brief, rolls, full)."""

    text: str
    level: Literal["brief", "rolls", "full"]
    side: Side | None = None
    heading: bool = False
    rules: list[str] = []


class EventItem(Message):
    """The event of number ``n`` (counted from 0, as this seat sees them) and how it is told."""

    n: int
    event: dict[str, Any]
    lines: list[LogLine]


class Events(Message):
    """What has happened. Replaces everything that the client holds from number ``since`` on (after an undo, less)."""

    type: Literal["events"] = "events"
    since: int
    era: int
    items: list[EventItem]


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
    the unit that the subject's attacks are made at, where that has been settled.

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


class Checked(Message):
    """What ``check`` found; nothing where the answer would be accepted."""

    type: Literal["checked"] = "checked"
    ref: str
    violations: list[Fault]


class ReachOfModel(Message):
    """Where a model could end by straight ways: an outline around ``start``, of the middle of its base."""

    model: int
    start: tuple[int, int, int, int]
    most: int
    outline: list[tuple[int, int]]


class SightLine(Message):
    """A line between two models' bases and whether it is free; ``blocked_by`` names what it meets first."""

    model: int
    target: int
    free: bool
    start: tuple[int, int]
    end: tuple[int, int]
    blocked_by: str = ""


class SightOfUnit(Message):
    """What a unit sees of another, in the edition's own words, and its rule."""

    visible: bool
    words: str
    rule: str = ""
    cover: bool | None = None
    lines: list[SightLine] = []


class OddsOfTarget(Message):
    """What the attacks at one unit do to it; distributions by number."""

    target: str
    damage: dict[str, float]
    slain: dict[str, float]
    mean_damage: float
    mean_slain: float
    p_destroyed: float
    stages: list[dict[str, Any]]
    rules: list[str]


class Answered(Message):
    """The answer to ``ask``: one of the fields, by the question's kind; ``fault`` says why there is none."""

    type: Literal["answered"] = "answered"
    ref: str
    kind: Literal["default", "advice", "sample", "towards", "reach", "sight", "range", "odds"]
    fault: str = ""
    answer: Answer | None = None
    reach: list[ReachOfModel] | None = None
    sight: SightOfUnit | None = None
    range: float | None = None
    odds: list[OddsOfTarget] | None = None


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

CLIENT_MESSAGE: TypeAdapter[Any] = TypeAdapter(ClientMessage)
SERVER_MESSAGE: TypeAdapter[Any] = TypeAdapter(ServerMessage)
