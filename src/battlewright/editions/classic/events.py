"""What can happen in a battle of the classic editions, besides the events that are shared with others."""

from __future__ import annotations

from dataclasses import dataclass

from battlewright.core.decisions import Side
from battlewright.core.events import Event

__all__ = [
    "BattleGoesOn",
    "CombatResolved",
    "FellBack",
    "HeldFast",
    "LeadershipTested",
    "LitUp",
    "MarkerLaid",
    "ModelNamed",
    "NightChanged",
    "ObjectiveExploded",
    "ObjectiveIdentified",
    "ObjectiveLaid",
    "PowerUndone",
    "PowerUsed",
    "PowersKnown",
    "Pursued",
    "Rallied",
    "SmokeLaunched",
    "VehicleDamaged",
    "VehicleLeftBehind",
    "WarlordNamed",
    "WoundIgnored",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadershipTested(Event):
    """A unit took a test on its Leadership: ``why`` it did, the dice, the number it needed or less."""

    unit: str
    why: str
    faces: tuple[int, ...]
    needed: int
    modifiers: tuple[tuple[str, int], ...] = ()
    passed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleLeftBehind(Event):
    """A vehicle that cannot move was left by its squadron, ``left``, and is from now on a unit of its own."""

    unit: str
    left: str
    model: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FellBack(Event):
    """A unit fell back: what its dice came to, the inches that it had to cover, and what became of it."""

    unit: str
    total: int
    inches: float
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rallied(Event):
    """A unit that fell back has rallied without a test."""

    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerLaid(Event):
    """A marker came to lie: by whom, of which weapon, where its centre is (thousandths of an inch), and its hits."""

    unit: str
    weapon: str
    centre: tuple[int, int]
    diameter: float
    why: str
    hits: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleDamaged(Event):
    """A vehicle suffered a result of a damage table.

    Attributes:
        weapon: the one that was destroyed by it.
        comes_to: what befalls the vehicle instead, where that is not the result itself.
    """

    unit: str
    model: int
    result: str
    weapon: str = ""
    comes_to: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LitUp(Event):
    """A vehicle has turned its searchlight on a unit; both are lit up."""

    unit: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeLaunched(Event):
    """A vehicle has used its smoke launchers."""

    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatResolved(Event):
    """A round of a close combat is over: wounds caused by each side, the tie dice (0, 0 for none), who has won."""

    units: tuple[str, ...]
    wounds: tuple[int, int]
    tie: tuple[int, int]
    winner: Side | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pursued(Event):
    """A unit that runs was pursued: by whom, the dice and the Initiative of both, and whether it was caught.

    Attributes:
        escape, sweep: what the dice of each side came to, without the Initiative.
        initiative: of who runs, and of who pursues.
    """

    unit: str
    by: str
    escape: int
    sweep: int
    initiative: tuple[int, int]
    caught: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldFast(Event):
    """Pursuers have caught a unit that is not destroyed by it: it stays in the combat."""

    unit: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelNamed(Event):
    """A torrent of fire made a model of the target take its save: against which wound, and whether it was saved."""

    unit: str
    target: str
    model: int
    wound: str
    saved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WoundIgnored(Event):
    """A model tried to ignore an unsaved wound: its die, the number it needed or more, and whether it did."""

    unit: str
    model: int
    face: int
    needed: int
    ignored: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerUsed(Event):
    """A psyker tried to use a power on a unit ("" for none): the dice of his test, the number that he needed or less,
    whether the power works, unless the enemy undoes it, and whether the warp strikes at him."""

    unit: str
    model: int
    power: str
    on: str
    faces: tuple[int, ...]
    needed: int
    works: bool
    perils: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerUndone(Event):
    """The enemy has undone a power that had passed its test."""

    unit: str
    model: int
    power: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NightChanged(Event):
    """Night has fallen, or day has come."""

    dark: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleGoesOn(Event):
    """A die was rolled for another game turn: its face, and whether there is one."""

    face: int
    goes_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveIdentified(Event):
    """A unit has found out what an objective is, at a point in thousandths of an inch: the die and what it says."""

    unit: str
    point: tuple[int, int]
    face: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveExploded(Event):
    """A sabotaged objective went off, at a point in thousandths of an inch: how many models it hit."""

    point: tuple[int, int]
    hits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveLaid(Event):
    """A counter was laid: by whom (None: by the mission), and where, in inches."""

    side: Side | None
    point: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class WarlordNamed(Event):
    """An army's warlord has been named: the model, the table that he rolled on, and his trait."""

    unit: str
    model: int
    table: str
    trait: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PowersKnown(Event):
    """A psyker has been given psychic powers for the battle."""

    unit: str
    model: int
    powers: tuple[str, ...]
