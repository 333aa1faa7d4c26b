"""Coming into play: reserves, deep strike, infiltrators and scouts, as far as the classic editions share it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from battlewright.core.bases import Base, Point, Pose
from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.markers import Scatter, scattered
from battlewright.editions.classic.state import Deed

__all__ = [
    "MINE_STRENGTH",
    "ArrivalRules",
    "DeepStrikeRules",
    "Landing",
    "Touchdown",
    "deeds_of_deep_strike",
    "infiltrates",
    "infiltrator_faults",
    "infiltrators_too_near",
    "lands_at",
    "may_move_after_arrival",
    "mine_goes_off",
    "strikes_deep",
    "why_no_charge_ahead",
]

_INFILTRATORS = frozenset({"INFILTRATE", "INFILTRATORS"})


@dataclass(frozen=True, slots=True)
class Touchdown:
    """How a unit would stand where it lands.

    Attributes:
        off_table: whether the point of landing lies off the table; ``astray`` whether nobody could stand there: on an
            enemy, in impassable terrain or off the table.
        gaps: for each model inches to the nearest enemy; below 0 for one for which there is no place.
    """

    off_table: bool
    astray: bool
    gaps: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Landing:
    """What comes of a landing.

    Attributes:
        lost: the models that are lost, by their place in the unit.
        mishap: whether nobody is placed and the edition's table of mishaps says what becomes of the unit.
    """

    lost: frozenset[int] = frozenset()
    mishap: bool = False


@dataclass(frozen=True)
class DeepStrikeRules:
    """What is decided about deep strike.

    Attributes:
        may: whether a unit of these traits may arrive so.
        faults: why a model may not lie so about the point of landing, where all have to lie within some marker; None
            where they stand in rings round the first, as near as may be.
        outcome: what comes of a landing.
        rule: the rule that allows it.
    """

    may: Callable[[Collection[str]], bool]
    faults: Callable[[Point, Sequence[tuple[Base, Pose]]], list[Violation]] | None
    outcome: Callable[[Touchdown], Landing]
    rule: str


@dataclass(frozen=True)
class ArrivalRules:
    """What is decided about coming into play.

    Attributes:
        arrives_on: what a unit in reserve needs on a D6 in a game turn; None where none arrives, 1 where all do.
        may_charge: whether a unit that has come on from the table's edge may assault in the same turn, and one that was
            ahead of its army in the first.
        deep_strike: arriving from above.
        outflanks: whether a unit of these traits may come on from a side edge.
        infiltration: inches that infiltrators keep from every enemy when they are set up.
        infiltrates_unseen: the fewer inches that they keep from enemies who do not see them; None where that is one.
        transport_bars_infiltration: whether a unit that a transport was bought for infiltrates no more.
        scouts: names of the special rule that gives a move before the first turn.
        scout_reach: how far a scout moves by the move of its kind, None as in its Movement phase; ``scout_gap`` the
            inches that it keeps from enemies then, None as ever.
    """

    arrives_on: Callable[[int], int | None]
    may_charge: bool
    deep_strike: DeepStrikeRules
    outflanks: Callable[[Collection[str]], bool]
    infiltration: float
    scouts: frozenset[str]
    scout_reach: Callable[[bool], float] | None = None
    scout_gap: float | None = None
    infiltrates_unseen: float | None = None
    transport_bars_infiltration: bool = False


@rule("6e.core.special-rules.infiltrate", "6e.core.special-rules.scout", "6e.core.assault.redeployed")
def why_no_charge_ahead(rules: ArrivalRules, game_turn: int, *, ahead: bool) -> list[tuple[str, str]]:
    """Why a unit may not assault that was set up as infiltrators or moved as scouts; none when it may.

    Args:
        ahead: whether it was.
    """
    if rules.may_charge or not ahead or game_turn > 1:
        return []
    return [("6e.core.special-rules.scout", "was ahead of its army before the first turn")]


# -- deep strike ------------------------------------------------------------------------------------------------


@rule("3e.core.missions.deep-strike", "4e.core.missions.deep-strike", "6e.core.missions.deep-strike")
def lands_at(aim: Point, scatter: Scatter, faces: Sequence[int]) -> Point:
    """Where a deep strike comes down: an arrow moves it by 2D6 inches."""
    return scattered(aim, scatter, float(sum(faces)))


@rule("3e.core.missions.deep-strike", "4e.core.missions.deep-strike", "6e.core.missions.deep-strike")
def deeds_of_deep_strike() -> frozenset[Deed]:
    """What arriving so is noted as: the unit counts as having moved, moves no further and does not charge."""
    return frozenset({Deed.DEEP_STRUCK})


@rule("3e.core.missions.deep-strike", "4e.core.missions.deep-strike", "6e.core.missions.deep-strike")
def may_move_after_arrival(deeds: frozenset[str]) -> bool:
    """Whether a unit that came into play this turn may still move: not after a deep strike."""
    return Deed.DEEP_STRUCK not in deeds


@rule("3e.core.traits.terminator-armour")
def may_teleport(traits: Collection[str]) -> bool:
    """Whether a unit may arrive by deep strike for its Terminator armour, where the mission has deep strikes."""
    return bool({"TERMINATOR", "TERMINATOR ARMOUR"} & set(traits))


def strikes_deep(traits: Collection[str]) -> bool:
    """Whether a unit may arrive by deep strike: by a special rule of that name, or in Terminator armour."""
    return "DEEP STRIKE" in traits or may_teleport(traits)


# -- infiltrators -----------------------------------------------------------------------------------------------


@rule("3e.core.missions.infiltrators", "4e.infiltrate.deploy", "4e.infiltrate.otherwise-normal")
@rule("4e.infiltrate.lost-with-transport", "6e.core.special-rules.infiltrate")
def infiltrates(traits: Collection[str], *, mission_allows: bool, has_transport: bool = False) -> bool:
    """Whether a unit is set up after all others, away from its zone; without it, it is set up as every other unit is.

    Args:
        has_transport: whether it has been bought a transport, with which it loses the ability.
    """
    return bool(_INFILTRATORS & set(traits)) and mission_allows and not has_transport


@rule("3e.core.missions.infiltrators", "4e.infiltrate.deploy", "6e.core.special-rules.infiltrate")
def infiltrator_faults(
    places: Sequence[tuple[bool, float]], distance: float, *, all_others_set_up: bool
) -> list[Violation]:
    """Why infiltrators may not be set up so; nothing when they may.

    Args:
        places: for each model whether an enemy sees it, and inches to the nearest enemy.
        distance: inches that are too near.
        all_others_set_up: whether every other unit of both sides stands.
    """
    found = []
    if not all_others_set_up:
        found.append(Violation("3e.core.missions.infiltrators", "Infiltrators are set up last"))
    if seen := sum(visible for visible, _ in places):
        found.append(Violation("3e.core.missions.infiltrators", f"{seen} models are in sight of the enemy"))
    if near := sum(within(gap, distance) for _, gap in places):
        text = f'{near} models are {distance:g}" or less from the enemy'
        found.append(Violation("3e.core.missions.infiltrators", text))
    return found


@rule("6e.core.special-rules.infiltrate")
def infiltrators_too_near(places: Sequence[tuple[bool, float]], seen: float, unseen: float) -> list[Violation]:
    """Why infiltrators may not be set up so whom only distance protects in the enemy's sight.

    Args:
        places: for each model whether an enemy sees it, and inches to the nearest enemy.
        seen: inches that are too near in sight of an enemy; ``unseen`` out of it.
    """
    near = [(visible, gap) for visible, gap in places if within(gap, seen if visible else unseen)]
    if not near:
        return []
    text = f'{len(near)} models are {seen:g}" or less from an enemy, or {unseen:g}" where none sees them'
    return [Violation("6e.core.special-rules.infiltrate", text)]


# -- mines ------------------------------------------------------------------------------------------------------

MINE_STRENGTH = 6
"""Strength of a mine; its AP is "-"."""


@rule("3e.core.missions.minefield")
def mine_goes_off(face: int) -> bool:
    """Whether what crosses a minefield sets it off: on 4 and more."""
    return face >= 4
