"""What is said over HTTP (``/api``): the lobby's questions and answers as Pydantic models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from battlewright.server.messages import Scene, SeatKind, Side

__all__ = [
    "MAX_LIST",
    "MAX_SAVE",
    "MOST_TRIALS",
    "ArmyForm",
    "ArmyRead",
    "ArmyRef",
    "BattleForm",
    "BattleMade",
    "BundledArmy",
    "ChapterInfo",
    "DecidedTold",
    "DifferenceTold",
    "DifferencesTold",
    "EditionInfo",
    "EditionNamed",
    "ExplainedStage",
    "FilmLine",
    "FrameOfFilm",
    "Health",
    "JoinMade",
    "KeyInfo",
    "LayoutInfo",
    "MissionInfo",
    "MissionWord",
    "OddsForm",
    "OddsTold",
    "OpenBattle",
    "Refusal",
    "ReplayForm",
    "ReplayTold",
    "RuleLine",
    "RuleTold",
    "RulesFound",
    "RulesOfEdition",
    "SwitchInfo",
]

MAX_LIST = 2_000_000
"""The largest list that is taken, in characters of its text or bytes of its file."""
MAX_SAVE = 16_000_000
"""The largest saved battle that is taken, in characters."""
MOST_TRIALS = 200_000
"""The most trials that a question of odds may have rolled."""

Short = Annotated[str, Field(max_length=200)]
Profile = Annotated[str, Field(max_length=2_000)]
Setting = bool | Annotated[int, Field(ge=-1_000, le=1_000)] | Annotated[float, Field(ge=-1_000, le=1_000)] | Short
EditionId = Annotated[str, Field(min_length=1, max_length=4)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Refusal(_Form):
    """Why something was not done, in one sentence, and the closest known name where one is close."""

    error: str
    nearest: str | None = None


class LayoutInfo(_Form):
    """A layout: its name, and how to show it."""

    name: str
    title: str


class MissionInfo(_Form):
    """A mission and the layouts it is played on, the default first."""

    name: str
    title: str
    layouts: list[LayoutInfo]


class MissionWord(_Form):
    """What may be asked for in place of a mission's name, and what it means; the table follows from it."""

    name: str
    text: str


class SwitchInfo(_Form):
    """An option of the rulebook: its values (the default first), what it decides, the id of its rule.

    ``name`` is None for an option that no switch of the program stands for: players may still agree on it.
    """

    name: str | None
    values: list[Any]
    default: Any
    text: str
    id: str
    note: str


class BundledArmy(_Form):
    """An army that comes with the program."""

    name: str
    title: str
    faction: str
    points: int
    units: int
    models: int


class EditionInfo(_Form):
    """Everything that the lobby needs to know of an edition.

    ``player`` is its best computer player; ``datasheets`` tells whether a unit can be named without an army.
    """

    id: str
    title: str
    missions: list[MissionInfo]
    options: list[SwitchInfo]
    armies: list[BundledArmy]
    player: str
    mission_words: list[MissionWord]
    datasheets: bool


class ArmyForm(_Form):
    """An army list: its text, or its file as base64 (a packed roster), or the name of a bundled army."""

    edition: EditionId | None = None
    name: Short = "the list"
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
    """An entry of the rulebook as ``battlewright rules --json`` prints it; fields without a text are left out."""

    model_config = ConfigDict(extra="allow", frozen=True)

    id: str
    edition: str
    book: str
    chapter: str
    kind: str
    rule: str
    covered: bool
    code: list[str]
    terms: dict[str, list[str]]


class RulesOfEdition(_Form):
    """What a search found in one edition: how many entries, and the best of them."""

    count: int
    entries: list[RuleTold]


class RulesFound(_Form):
    """What a search found, by edition."""

    query: str
    editions: dict[str, RulesOfEdition]


class ChapterInfo(_Form):
    """A chapter of the rulebook, and how many of its entries the code enforces."""

    id: str
    title: str
    where: str
    edition: str
    book: str
    entries: int
    covered: int


class EditionNamed(_Form):
    """An edition of the rulebook: how to call it, and whether its decisions can be put beside another's."""

    id: str
    ordinal: str
    title: str
    compares: bool


class DecidedTold(_Form):
    """How one edition decides something, the rules it cites for it, and the place in the code."""

    does: str
    rules: list[str]
    code: str = ""


class DifferenceTold(_Form):
    """What two editions decide otherwise; ``first`` or ``second`` is None where there is nothing of the kind.

    ``about`` is given where what the two do cannot be understood without it.
    """

    entry: str
    about: str
    first: DecidedTold | None
    second: DecidedTold | None


class DifferencesTold(_Form):
    """Everything that one edition decides otherwise than another, by chapter of the game."""

    first: str
    second: str
    chapters: dict[str, list[DifferenceTold]]


class OddsForm(_Form):
    """A question of odds, with the names of ``battlewright odds``.

    ``army`` and ``against_army`` name a list that was read before, or a bundled army, in which the unit stands.
    """

    edition: EditionId = "11"
    attack: Profile | None = None
    unit: Short | None = None
    army: Short | None = None
    weapon: Short | None = None
    target: Profile | None = None
    against: Short | None = None
    against_army: Short | None = None
    models: Annotated[int, Field(ge=1, le=1_000)] | None = None
    target_models: Annotated[int, Field(ge=1, le=1_000)] | None = None
    settings: Annotated[dict[Short, Setting], Field(max_length=60)] = {}
    sample: Annotated[int, Field(ge=1, le=MOST_TRIALS)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0


class RuleLine(_Form):
    """A rule in one line: its id, what it says, the chapter it stands in."""

    id: str
    rule: str
    chapter: str


class ExplainedStage(_Form):
    """A stage of an attack: expected numbers, what its dice mean, its rules."""

    volley: str
    name: str
    rolled: float
    passed: float
    critical: float
    says: list[str]
    rules: list[str]


class OddsTold(BaseModel):
    """The answer, as ``battlewright odds explain --json`` prints it, with the quartiles of both distributions."""

    model_config = ConfigDict(extra="allow", frozen=True)

    edition: str
    attack: str
    target: str
    settings: str
    damage: dict[str, float]
    slain: dict[str, float]
    mean_damage: float
    mean_slain: float
    p_destroyed: float
    effects: dict[str, dict[str, float]]
    choices: dict[str, str]
    trials: int
    errors: dict[str, float]
    quartiles: dict[str, list[float]]
    explained: list[ExplainedStage]
    rules: list[str]
    told_rules: list[RuleLine]


class KeyInfo(_Form):
    """A setting of a question of odds: what it means, and what may stand for it."""

    key: str
    text: str
    kind: Literal["modifier", "number", "choice", "text", "flag"]
    values: list[str] = []


class ReplayForm(_Form):
    """A saved battle: the whole text of its file."""

    text: Annotated[str, Field(min_length=1, max_length=MAX_SAVE)]


class FilmLine(_Form):
    """A line of the log: ``t`` text, ``l`` level, ``s`` whose doing, ``h`` whether a heading, ``r`` rules."""

    t: str
    l: Literal["brief", "rolls", "full"]  # noqa: E741
    s: Side | None
    h: bool
    r: list[str]


class FrameOfFilm(_Form):
    """The battle after an answer; the first is the battle before any.

    ``set`` holds, for each model that moved, lost wounds, came or went: row, x, y, z, facing (thousandths),
    wounds, and 1 if it stands on the table. ``lines`` are those of the log since the frame before.
    """

    n: int
    side: Side | None
    choice: str
    round: int
    turn: Side
    phase: str
    vp: tuple[int, int]
    set: list[list[int]]
    lines: list[FilmLine]
    ways: list[Any]
    shots: list[tuple[str, str]]
    held: dict[str, Side | None]


class ReplayTold(BaseModel):
    """A saved battle played again, with every checksum compared."""

    model_config = ConfigDict(extra="allow", frozen=True)

    scene: Scene
    moments: list[FrameOfFilm]
    rules: dict[str, dict[str, str]]
    result: dict[str, Any] | None
    seed: str
    answers: int
    checksum: str


class Health(_Form):
    """That the server is there, and how much it holds."""

    status: Literal["ok"] = "ok"
    version: str
    battles: int
    connections: int
