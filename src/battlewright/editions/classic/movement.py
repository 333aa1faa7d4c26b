"""What an edition, and its players' switches, decide about movement."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeAlias

from battlewright.core.battle import Procedure
from battlewright.editions.classic.arrivals import ArrivalRules
from battlewright.editions.classic.footwork import SecondMove
from battlewright.editions.classic.kinds import KindRules, KindTable
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.state import ClassicUnit, MoveKind
from battlewright.editions.classic.terrain import Crossing

if TYPE_CHECKING:
    from battlewright.editions.classic.scene import ClassicBattle

__all__ = ["Accident", "EnteringByModel", "MovementRules", "RerollsAccident", "RerollsDistance", "Way"]


class Accident(StrEnum):
    """What becomes of a living model whose die for terrain shows a 1."""

    REMOVED = "is removed"
    WOUND = "suffers a wound that armour and cover do not stop"


class RerollsDistance(Protocol):
    """Whether a unit's dice for distance may be thrown again: its first model's profile, whether it is the only one."""

    def __call__(self, profile: ModelProfile, *, alone: bool, rerolled: bool) -> bool:
        """See the class."""
        ...


class RerollsAccident(Protocol):
    """Whether a model's die for an accident may be thrown again; ``joined`` for a character who is with a unit."""

    def __call__(self, profile: ModelProfile, *, joined: bool, rerolled: bool) -> bool:
        """See the class."""
        ...


@dataclass(frozen=True)
class EnteringByModel:
    """How single models get into and out of difficult terrain.

    Attributes:
        may_enter: whether a model may try to enter, by the inches to just inside.
        entering_allowance: how far one that enters may move, by those inches and the dice.
        may_leave: whether one gets out, by the inches to just outside and the dice.
        leaving_allowance: how far one that leaves may move, likewise.
    """

    may_enter: Callable[[float], bool]
    entering_allowance: Callable[[float, int], float]
    may_leave: Callable[..., bool]
    leaving_allowance: Callable[..., float]


Way: TypeAlias = Sequence[tuple[int, int, int, int]]
"""Places that a model has moved through: x, y, z and facing, in thousandths."""


def nothing_follows(battle: ClassicBattle, unit: int, ways: Sequence[tuple[int, Way]]) -> Procedure[None]:
    """What an edition puts in where a move is over when it is made."""
    return
    yield


@dataclass(frozen=True)
class MovementRules:
    """What is decided about movement.

    Attributes:
        kinds: how each kind of model moves.
        character_traits: special rules that every independent character has, in capitals.
        why_no_march: rule and clause for each reason why a unit may not march, with inches to the nearest enemy.
        enters_by_model: how models get into and out of difficult terrain where those that enter are named before the
            test, which then binds them and those who stand in it; None where it binds the whole unit.
        always_tests: whether a unit of these traits moves as in difficult terrain wherever it goes.
        rerolls_distance, rerolls_accident: who throws dice for terrain again.
        accident_dice: the dice that a model throws for what a move had to do with terrain, piece by piece.
        passes_accidents: whether a model of these traits throws none of them.
        accident: what a 1 does to a living model.
        second_move: the move that a unit of these traits and kinds may make in place of shooting, None for none.
        assault_phase_move: the move that a unit of these traits may make in the Assault phase without assaulting.
        arrivals: coming into play.
        flight_in_movement: whether units that fall back rally or flee in the Movement phase, after reserves have come
            on, and not before it.
        hovers: whether a model is above the terrain that it is over, by the way in which its unit last moved.
        boosters_protect: whether turbo boosters make the armour saves of a unit invulnerable for now.
        moved: what a unit may do at once when it has moved in its Movement phase, by row and way of each model.
        charge_way: in which way a model of a unit charges.
    """

    kinds: KindTable
    character_traits: frozenset[str]
    why_no_march: Callable[[ClassicUnit, float | None], list[tuple[str, str]]]
    enters_by_model: EnteringByModel | None
    always_tests: Callable[[Collection[str]], bool]
    rerolls_distance: RerollsDistance
    rerolls_accident: RerollsAccident
    accident_dice: Callable[[KindRules, Sequence[Crossing]], int]
    passes_accidents: Callable[[Collection[str]], bool]
    accident: Accident
    second_move: Callable[[Collection[str], Collection[Kind]], SecondMove | None]
    assault_phase_move: Callable[[Collection[str]], SecondMove | None]
    arrivals: ArrivalRules
    flight_in_movement: bool
    hovers: Callable[[ModelProfile, str], bool]
    boosters_protect: Callable[[ClassicUnit], bool]
    moved: Callable[[ClassicBattle, int, Sequence[tuple[int, Way]]], Procedure[None]] = nothing_follows
    charge_way: Callable[[ClassicUnit, ModelProfile], MoveKind] = lambda unit, profile: MoveKind.ASSAULT
