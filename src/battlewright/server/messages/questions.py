"""Questions that a seat may ask about the battle as it stands, and what it is told."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from battlewright.server.messages.answers import Answer, DeclareAnswer
from battlewright.server.messages.words import Message, Number, Row, UnitName

__all__ = [
    "Answered",
    "AskAdvice",
    "AskDefault",
    "AskOdds",
    "AskRange",
    "AskReach",
    "AskSample",
    "AskSight",
    "AskTowards",
    "OddsOfTarget",
    "Question",
    "ReachOfModel",
    "SightLine",
    "SightOfUnit",
]


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

    ``weapons`` names those that the unit uses; it uses what does most where none are named. ``option`` is the key of an
    option of the present decision that stands for weapons: they are used as it says. ``melee`` may be null: as the
    attacks of this part of the turn are.
    """

    kind: Literal["odds"] = "odds"
    answer: DeclareAnswer | None = None
    unit: UnitName | None = None
    target: UnitName | None = None
    melee: bool | None = False
    weapons: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=20)] | None = None
    option: Annotated[str, Field(max_length=2000)] | None = None


Question = Annotated[
    AskDefault | AskAdvice | AskSample | AskTowards | AskReach | AskSight | AskRange | AskOdds,
    Field(discriminator="kind"),
]


# --- what is told ---


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


class ArrivalTold(Message):
    """Whether a charge gets to its target before it strikes; ``chance`` is None where it may not be known before."""

    chance: float | None
    words: str


class OddsOfTarget(Message):
    """What the attacks at one unit do to it; distributions by number.

    ``arrival`` is given of a charge: the rest holds once it has arrived. Against armour that is penetrated ``hits`` are
    the expected glancing and penetrating ones, and ``results`` tell how likely each result is suffered at least once;
    ``lost`` says what damage takes away.
    """

    target: str
    damage: dict[str, float]
    slain: dict[str, float]
    mean_damage: float
    mean_slain: float
    p_destroyed: float
    stages: list[dict[str, Any]]
    rules: list[str]
    arrival: ArrivalTold | None = None
    hits: dict[str, float] = {}
    results: dict[str, float] = {}
    lost: Literal["wounds", "hull points"] = "wounds"


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
