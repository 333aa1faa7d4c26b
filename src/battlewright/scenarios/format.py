"""The scenario file: YAML, checked against these models; ``docs/scenarios.md`` tells it to people.

The format is a promise to scripts outside: fields may be added, none changes its meaning.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from battlewright.core.errors import ScenarioError
from battlewright.core.roster import MAX_OVERHANG

__all__ = ["FORMAT", "Scenario", "ScenarioUnit", "Step", "read_scenario", "scenario_schema"]

FORMAT = 1
_MOST_BYTES = 2**20

Scalar = str | int | float | bool
Place2 = Annotated[list[float], Field(min_length=2, max_length=4)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ScenarioWeapon(_Strict):
    """A weapon as printed: name, characteristics by their abbreviations, abilities without brackets."""

    name: str
    profile: str = ""
    melee: bool = False
    characteristics: dict[str, Scalar]
    abilities: list[str] = []


class ScenarioModels(_Strict):
    """Some models that are alike.

    ``at`` lists where they stand, [x, y] or [x, y, z] or [x, y, z, facing] in inches and degrees; a single place with
    a larger ``count`` makes a row of models, one inch between their bases' edges.
    """

    name: str = "Model"
    count: Annotated[int, Field(ge=1, le=200)] = 1
    base: str = "32mm"
    height: Annotated[float, Field(gt=0, le=30)] = 1.5
    overhang: Annotated[float, Field(ge=0, le=MAX_OVERHANG)] = 0.0
    characteristics: dict[str, Scalar]
    keywords: list[str] = []
    abilities: list[str] = []
    weapons: list[ScenarioWeapon] = []
    role: Literal["unit", "leader", "support"] = "unit"
    at: list[Place2] = []
    wounds: Annotated[int, Field(ge=0)] | None = None


class ScenarioUnit(_Strict):
    """A unit: its models, and what the state says of it (``battle_shocked: true``)."""

    id: str | None = None
    name: str = "Unit"
    points: int = 0
    models: Annotated[list[ScenarioModels], Field(min_length=1, max_length=50)]
    state: dict[str, Scalar] = {}


class ScenarioSides(_Strict):
    """Both armies."""

    a: list[ScenarioUnit]
    b: list[ScenarioUnit]


class ScriptedThrow(_Strict):
    """One roll of the script."""

    purpose: str
    faces: list[Annotated[int, Field(ge=1, le=6)]]


class Refusal(_Strict):
    """An answer that has to be refused, and rules that have to be among those it breaks."""

    answer: str
    rules: list[str] = []


class OptionsExpected(_Strict):
    """Which option keys have to be offered, and which must not be."""

    includes: list[str] = []
    excludes: list[str] = []


class OddsExpected(_Strict):
    """An attack in text form and the exact probabilities it has to have, as fractions or decimals."""

    attack: str
    target: str
    settings: dict[str, Scalar] = {}
    damage: dict[int, str | float] = {}
    slain: dict[int, str | float] = {}


class UnitExpected(_Strict):
    """What a unit has to look like: living models, their wounds, fields of its state."""

    models: int | None = None
    wounds: list[int] | None = None
    state: dict[str, Scalar] = {}


class Step(_Strict):
    """One thing: an answer, a refusal, or an expectation. Exactly one of the fields is given."""

    answer: str | None = None
    refused: Refusal | None = None
    decision: dict[str, Scalar] | None = None
    options: OptionsExpected | None = None
    unit: dict[str, UnitExpected] | None = None
    state: dict[str, Any] | None = None
    event: dict[str, Any] | None = None
    no_event: dict[str, Any] | None = None
    odds: OddsExpected | None = None

    @model_validator(mode="after")
    def _one_field(self) -> Step:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"a step does exactly one thing, this one has {', '.join(given) or 'nothing'}")
        return self


class Scenario(_Strict):
    """A scenario.

    ``table`` names a layout of the edition or is a battlefield in its file format. ``state`` sets fields of the
    battle's state: ``phase``, ``round``, ``turn`` (a or b), ``cp`` and the like.
    """

    format: Literal[1] = 1
    scenario: str
    edition: str
    source: str = ""
    rules: list[str] = []
    mission: str | None = None
    table: str | dict[str, Any] | None = None
    options: dict[str, str] = {}
    state: dict[str, Any] = {}
    sides: ScenarioSides | None = None
    dice: list[ScriptedThrow] = []
    steps: Annotated[list[Step], Field(min_length=1)]

    @model_validator(mode="after")
    def _needs_sides(self) -> Scenario:
        if self.sides is None and any(step.odds is None for step in self.steps):
            raise ValueError("sides are needed for every step but those of odds")
        return self


def scenario_schema() -> dict[str, Any]:
    """The JSON schema of the format."""
    return Scenario.model_json_schema()


def read_scenario(source: Path | str) -> Scenario:
    """Read a scenario from a file, or from YAML text.

    Raises:
        ScenarioError: naming the file, the place in it and what was expected.
    """
    where = str(source) if isinstance(source, Path) else "the scenario"
    text = _read(source, where) if isinstance(source, Path) else source
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.CSafeLoader)):
            raise ScenarioError("YAML aliases are not read", where=where)
        data = yaml.load(text, Loader=yaml.CSafeLoader)  # a safe loader: plain data only
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{where}, line {mark.line + 1}" if mark is not None else where
        raise ScenarioError("is no YAML", where=place, expected="a scenario (docs/scenarios.md)") from error
    except RecursionError as error:
        raise ScenarioError("is nested too deeply", where=where) from error
    if not isinstance(data, dict):
        raise ScenarioError("is no scenario", where=where, expected="a mapping with scenario, edition and steps")
    try:
        return Scenario.model_validate(data)
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(str(part) for part in fault["loc"]) or "the whole"
        raise ScenarioError(f"{place}: {fault['msg'].removeprefix('Value error, ')}", where=where) from error


def _read(path: Path, where: str) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(_MOST_BYTES + 1)
        if len(raw) > _MOST_BYTES:
            raise ScenarioError(f"is larger than {_MOST_BYTES} bytes", where=where)
        return raw.decode("utf-8")
    except OSError as error:
        raise ScenarioError(f"cannot be read: {error.strerror}", where=where) from error
    except UnicodeDecodeError as error:
        raise ScenarioError("is not UTF-8 text", where=where, expected="a scenario") from error
