"""What is said over HTTP (``/api``): the lobby's questions and answers as Pydantic models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from battlewright.server.messages import Scene, SeatKind, Side, View

__all__ = [
    "ArmyForm",
    "ArmyRead",
    "ArmyRef",
    "BattleForm",
    "BattleMade",
    "BundledArmy",
    "EditionInfo",
    "FrameOfFilm",
    "Health",
    "JoinMade",
    "KeyInfo",
    "MissionInfo",
    "OddsForm",
    "OddsTold",
    "OpenBattle",
    "Refusal",
    "ReplayForm",
    "ReplayTold",
    "RuleTold",
    "SwitchInfo",
]

MAX_LIST = 2_000_000
"""The largest list that is taken, in characters of text."""

Short = Annotated[str, Field(max_length=200)]
EditionId = Annotated[str, Field(min_length=1, max_length=4)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Refusal(_Form):
    """Why something was not done: the fault in one sentence, where it stands, what would be accepted."""

    text: str
    where: str = ""
    expected: str = ""
    nearest: str | None = None


class MissionInfo(_Form):
    """A mission and the layouts it is played on, the default first."""

    name: str
    layouts: list[str]


class SwitchInfo(_Form):
    """An option: its values (the default first), what it decides, its rule."""

    name: str
    values: list[str]
    default: str
    text: str
    rule: str


class BundledArmy(_Form):
    """An army that comes with the program."""

    name: str
    title: str
    faction: str
    points: int
    units: int


class EditionInfo(_Form):
    """Everything that the lobby needs to know of an edition."""

    id: str
    title: str
    missions: list[MissionInfo]
    options: list[SwitchInfo]
    armies: list[BundledArmy]


class ArmyForm(_Form):
    """An army list: its text, or its file as base64 (a packed roster), or the name of a bundled army."""

    edition: EditionId | None = None
    name: Short = ""
    text: Annotated[str, Field(max_length=MAX_LIST)] | None = None
    base64: Annotated[str, Field(max_length=MAX_LIST * 4 // 3 + 4)] | None = None
    bundled: Short | None = None


class ArmyRead(_Form):
    """How a list was read: its id for setting up a battle, and the report of ``army show --json``."""

    id: str
    report: dict[str, Any]


class ArmyRef(_Form):
    """An army of a battle: one read before (``id``) or a bundled one; ``as_is`` plays what does not add up."""

    id: Annotated[str, Field(max_length=64)] | None = None
    bundled: Short | None = None
    as_is: bool = False


class BattleForm(_Form):
    """A battle to set up. Without a seed the dice are drawn by the server and committed to."""

    edition: EditionId
    mission: Short | None = None
    layout: Short | None = None
    options: Annotated[dict[Short, Short], Field(max_length=200)] = {}
    armies: tuple[ArmyRef, ArmyRef]
    seats: tuple[SeatKind, SeatKind] = ("person", "computer")
    hot_seat: bool = False
    players: tuple[Short | None, Short | None] = (None, None)
    seed: Annotated[str, Field(pattern=r"^[0-9]{1,78}$")] | None = None
    title: Annotated[str, Field(max_length=80)] = ""


class BattleMade(_Form):
    """A battle and its links: paths of the page, each with a token that nobody can guess; None where there is none."""

    battle: str
    links: dict[Literal["a", "b", "both", "watch"], str]
    tokens: dict[Literal["a", "b", "both", "watch"], str]


class OpenBattle(_Form):
    """A battle that waits for somebody."""

    battle: str
    title: str
    edition: str
    mission: str
    armies: tuple[str, str]
    points: tuple[int, int]
    open: list[Side]
    since: float


class JoinMade(_Form):
    """The link of the seat that was taken."""

    battle: str
    side: Side
    link: str
    token: str


class RuleTold(BaseModel):
    """An entry of the rulebook as ``battlewright rules --json`` prints it."""

    model_config = ConfigDict(extra="allow", frozen=True)

    id: str
    edition: str
    chapter: str
    rule: str
    covered: bool
    code: list[str]
    terms: dict[str, list[str]]


class OddsForm(_Form):
    """A question of odds, with the names of ``battlewright odds``."""

    edition: EditionId = "11"
    attack: Annotated[str, Field(max_length=400)] | None = None
    unit: Short | None = None
    weapon: Short | None = None
    target: Annotated[str, Field(max_length=400)] | None = None
    against: Short | None = None
    models: Annotated[int, Field(ge=1, le=200)] | None = None
    target_models: Annotated[int, Field(ge=1, le=200)] | None = None
    settings: Annotated[dict[Short, Short], Field(max_length=60)] = {}


class OddsTold(BaseModel):
    """The answer, as ``battlewright odds --json`` prints it."""

    model_config = ConfigDict(extra="allow", frozen=True)

    edition: str
    attack: str
    target: str
    damage: dict[str, float]
    slain: dict[str, float]
    mean_damage: float
    mean_slain: float
    p_destroyed: float
    stages: list[dict[str, Any]]
    rules: list[str]


class KeyInfo(_Form):
    """A setting of a question of odds and what it means."""

    key: str
    text: str


class ReplayForm(_Form):
    """A saved battle: the whole text of its file."""

    text: Annotated[str, Field(min_length=1, max_length=16_000_000)]


class FrameOfFilm(_Form):
    """The battle after an answer; the first is the battle before any.

    ``changed`` holds, for each model that moved, lost wounds, came or went: row, x, y, z, facing (thousandths),
    wounds, and 1 if it stands on the table. ``lines`` are those of the log since the frame before.
    """

    number: int
    side: Side | None
    choice: str
    round: int
    turn: Side
    phase: str
    vp: tuple[int, int]
    changed: list[list[int]]
    lines: list[dict[str, Any]]


class ReplayTold(_Form):
    """A saved battle played again, with every checksum compared."""

    scene: Scene
    frames: list[FrameOfFilm]
    first: View
    result: dict[str, Any] | None
    seed: str


class Health(_Form):
    """That the server is there, and how much it holds."""

    status: Literal["ok"] = "ok"
    version: str
    battles: int
    connections: int
