"""What can happen in a battle of more than one edition, besides the events that the core knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from battlewright.core.decisions import Side
from battlewright.core.events import Event

if TYPE_CHECKING:
    from battlewright.attacks.resolve import Explanation

__all__ = [
    "AttacksDeclared",
    "AttacksLost",
    "AttacksMade",
    "RollOff",
    "Scored",
    "Settled",
    "StageResolved",
    "UnitDestroyed",
    "UnitDisembarked",
    "UnitEmbarked",
    "UnitInReserves",
    "UnitSelected",
    "WoundsLost",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RollOff(Event):
    """Both players rolled; ``faces`` are those of side a and side b, ties rolled again before them."""

    purpose: str
    faces: tuple[tuple[int, int], ...]
    winner: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(Event):
    """Before the battle, something fell to a side.

    Attributes:
        what: ``"first-turn"``, ``"attacker"``, ``"zone"``.
        name: of what it took, where there are several.
    """

    side: Side
    what: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitSelected(Event):
    """A unit was selected: ``to`` says for what (move, shoot, charge, fight), ``how`` which type of it."""

    unit: str
    to: str
    how: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttacksDeclared(Event):
    """Before any die is rolled: weapon, number of uses and target of each pool."""

    unit: str
    pools: tuple[tuple[str, int, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageResolved(Event):
    """One step of one pool: dice thrown, what was needed, and how many came out as what.

    Attributes:
        needed: the lowest unmodified total that succeeds; more than the dice can show when none does.
        outcomes: (name, count) pairs.
        modifiers: (rule, amount) pairs worked into what was needed.
        rerolls: (index, was, now) of the dice thrown again; ``faces`` are those after them.
        label: what the dice were rolled against, where a number does not say it.
        model: the model that it concerns, where it is one.
    """

    unit: str
    target: str
    weapon: str
    stage: str
    faces: tuple[int, ...]
    needed: int
    outcomes: tuple[tuple[str, int], ...]
    modifiers: tuple[tuple[str, int], ...] = ()
    rerolls: tuple[tuple[int, int, int], ...] = ()
    label: str = ""
    model: int | None = None

    @classmethod
    def of(cls, explanation: Explanation, *, unit: str, target: str, weapon: str, never: int) -> Self:
        """The event of one explained throw.

        Args:
            never: what stands for "needed" where nothing succeeds.
        """
        roll = explanation.roll
        return cls(
            unit=unit,
            target=target,
            weapon=weapon,
            stage=explanation.purpose,
            faces=roll.unmodified if roll is not None else (),
            needed=explanation.needed if explanation.needed is not None else never,
            outcomes=explanation.outcomes,
            modifiers=tuple((modifier.rule, modifier.amount) for modifier in explanation.modifiers),
            rerolls=tuple((one.index, one.was, one.now) for one in roll.rerolls) if roll is not None else (),
            label=explanation.label,
            model=explanation.model,
            rules=tuple(dict.fromkeys(explanation.rules)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WoundsLost(Event):
    """A model lost wounds; ``left`` is what remains, 0 when it is destroyed; ``why`` names the cause."""

    unit: str
    model: int
    lost: int
    left: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttacksMade(Event):
    """A unit has resolved all its attacks on a target: what they did in sum."""

    unit: str
    target: str
    wounds_lost: int
    slain: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AttacksLost(Event):
    """Attacks of weapons are lost: for want of a target in reach, or for another reason in words."""

    unit: str
    weapons: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitDestroyed(Event):
    """The last model of a unit was destroyed."""

    unit: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitInReserves(Event):
    """A unit is in strategic reserves now: ``why`` says how (declared, no-room, aircraft, repositioned)."""

    unit: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitEmbarked(Event):
    """A unit is aboard a transport now."""

    unit: str
    transport: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitDisembarked(Event):
    """A unit has left its transport: ``how`` is rapid, tactical, combat or emergency."""

    unit: str
    transport: str
    how: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored(Event):
    """Victory points: for what, how many count after the limits, and the side's total."""

    side: Side
    card: str
    line: str
    points: int
    total: int
