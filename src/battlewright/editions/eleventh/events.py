"""What can happen in a battle of the 11th edition, besides the events that every edition knows."""

from __future__ import annotations

from dataclasses import dataclass

from battlewright.core.decisions import Side
from battlewright.core.events import Event
from battlewright.editions.happenings import (
    AttacksDeclared,
    AttacksLost,
    AttacksMade,
    RollOff,
    Scored,
    Settled,
    StageResolved,
    UnitDestroyed,
    UnitDisembarked,
    UnitEmbarked,
    UnitInReserves,
    UnitSelected,
    WoundsLost,
)

__all__ = [
    "AbilityUsed",
    "ActionCompleted",
    "ActionFailed",
    "ActionStarted",
    "AttacksDeclared",
    "AttacksLost",
    "AttacksMade",
    "BattleShockTested",
    "BattleShocked",
    "CardDiscarded",
    "CardDrawn",
    "ChargeDeclared",
    "ChargeFailed",
    "CommandPointsGained",
    "Marked",
    "ModelReturned",
    "ObjectiveControlChanged",
    "RollOff",
    "Scored",
    "SecondariesChosen",
    "Settled",
    "StageResolved",
    "StratagemUsed",
    "UnitDestroyed",
    "UnitDisembarked",
    "UnitEmbarked",
    "UnitInReserves",
    "UnitSelected",
    "Unmarked",
    "WoundsHealed",
    "WoundsLost",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandPointsGained(Event):
    """Command points after a gain, of sides a and b."""

    cp: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleShockTested(Event):
    """A battle-shock roll: dice, the best Leadership, and whether the unit is battle-shocked now."""

    unit: str
    faces: tuple[int, ...]
    leadership: int
    battle_shocked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleShocked(Event):
    """A unit has become battle-shocked without a battle-shock roll."""

    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WoundsHealed(Event):
    """A model has regained wounds; ``left`` is what it has now, ``why`` names the cause."""

    unit: str
    model: int
    healed: int
    left: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReturned(Event):
    """A destroyed model has come back with so many wounds; ``where`` is ``"battlefield"``, ``"aboard"``,
    ``"reserves"``, or ``"nowhere"`` when there was no room for it."""

    unit: str
    model: int
    left: int
    where: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeDeclared(Event):
    """A charge roll was made: its dice and the maximum distance in inches.

    Attributes:
        rerolls: (index, was, now) of the dice thrown again; ``faces`` are those after them.
    """

    unit: str
    faces: tuple[int, ...]
    distance: int
    rerolls: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChargeFailed(Event):
    """No charge move was made after the roll."""

    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveControlChanged(Event):
    """An objective is controlled by another side (None: by nobody) than before; levels of control of a and b."""

    objective: str
    side: Side | None
    levels: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class StratagemUsed(Event):
    """A side has used a stratagem on a unit: its cost, and the CP of sides a and b after it.

    Attributes:
        mode: which way, where there are several.
        paid: whether the cost could be paid; otherwise nothing is spent and nothing happens.
    """

    side: Side
    stratagem: str
    unit: str
    mode: str
    cost: int
    paid: bool
    cp: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityUsed(Event):
    """An ability that does not always work has been used for a unit."""

    unit: str
    ability: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionStarted(Event):
    """A unit has started an action; ``target`` names what it does it to, "" for nothing."""

    unit: str
    action: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionCompleted(Event):
    """A unit has completed an action."""

    unit: str
    action: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionFailed(Event):
    """An action that a unit had under way has failed; ``why`` says what broke it off."""

    unit: str
    action: str
    target: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked(Event):
    """A marker was laid, or a place or unit became something for a mission: ``place`` names it."""

    side: Side
    what: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmarked(Event):
    """A marker of a side was taken away."""

    side: Side
    what: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondariesChosen(Event):
    """How a side plays its secondary missions, once both have chosen: tactical, or fixed with these cards."""

    side: Side
    mode: str
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDrawn(Event):
    """A side drew a secondary card."""

    side: Side
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDiscarded(Event):
    """A secondary card of a side is active no longer; ``why`` is scored, discarded, replaced or shuffled back."""

    side: Side
    card: str
    why: str
