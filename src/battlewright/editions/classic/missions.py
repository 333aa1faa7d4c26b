"""Missions of the classic editions: what they are played on, how long, by day or night, and what decides them.

A mission is data: functions that say what it is about. What side has what from it stands in lines of points
(:class:`Line`), so that the score and its explanation are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from battlewright.core.battle import Procedure
from battlewright.core.decisions import SIDES, Side
from battlewright.core.rulebook import rule
from battlewright.editions.classic import scene as classic
from battlewright.editions.classic.state import ClassicState

__all__ = [
    "Count",
    "Line",
    "Mission",
    "Scorer",
    "always_day",
    "always_night",
    "mission_of",
    "until_the_last_turn",
]


@dataclass(frozen=True, slots=True)
class Line:
    """Points of a side: what for, how many, and the rule that gives them."""

    what: str
    points: int
    rule: str


Scorer = Callable[[classic.Scene, ClassicState, Side], Iterable[Line]]
"""What a side has as things stand."""
Count = Callable[[classic.Scene, ClassicState], tuple[int, int]]
"""What each side has of what the mission is about, before any points."""


def until_the_last_turn(battle: classic.ClassicBattle) -> bool:
    """Whether another game turn follows: until the mission's last."""
    return battle.state.round < battle.scene.mission.turns


def always_day(battle: classic.ClassicBattle) -> bool:
    """It is day in every game turn."""
    return False


@rule("3e.core.missions.night-fighting")
def always_night(battle: classic.ClassicBattle) -> bool:
    """It is night in every game turn."""
    return True


def nothing_to_lay(battle: classic.ClassicBattle) -> Procedure[None]:
    """No counters are laid before the armies are set up."""
    yield from ()


def nothing_to_settle(battle: classic.ClassicBattle) -> None:
    """The mission has nothing to do when a phase is over."""


@dataclass(frozen=True, slots=True)
class Mission(classic.Mission):
    """A mission of a classic edition.

    Attributes:
        scores: what gives points.
        decided_by: what decides the battle before points do, None where points alone do.
        margin: a side has won by points when it leads by so many hundredths of the larger army's points; 0: by any.
        places: points of the table that a side does well to hold, in inches; None: the counters.
        chart: what an army may be made of, the name of a force chart; "" where that is free.
        reserves: whether units may be held back.
        deep_strike: whether units may arrive by deep strike.
        late: which units have to be, by scene and unit.
        infiltrators: whether troops that infiltrate may be set up last, anywhere out of the enemy's reach.
        apart: inches that units are set up from the enemy, besides what the zones say.
        mysterious: whether counters are things that are to be identified, where the players play with that.
        lay: how counters are laid before the armies are set up.
        after_phase: what the mission has to settle when a phase is over; asks nothing.
        goes_on: whether another game turn follows the one that ends.
        is_dark: whether the game turn that begins is played at night.
        scoring_slots: slots whose units hold objectives, besides those that the edition names.
        wiped_out_loses: whether a side with nothing on the table at the end of a game turn has lost.
        printed: what it is called, where its name does not spell that.
    """

    scores: tuple[Scorer, ...] = ()
    decided_by: Count | None = None
    margin: int = 0
    places: Callable[[classic.Scene, ClassicState, Side], Sequence[tuple[float, float]]] | None = None
    chart: str = ""
    printed: str = ""
    reserves: bool = False
    deep_strike: bool = True
    late: Callable[[classic.Scene, int], bool] | None = None
    infiltrators: bool = True
    apart: float = 0.0
    lay: Callable[[classic.ClassicBattle], Procedure[None]] = nothing_to_lay
    after_phase: Callable[[classic.ClassicBattle], None] = nothing_to_settle
    goes_on: Callable[[classic.ClassicBattle], bool] = until_the_last_turn
    is_dark: Callable[[classic.ClassicBattle], bool] = always_day
    mysterious: bool = False
    scoring_slots: frozenset[str] = frozenset()
    wiped_out_loses: bool = False

    @property
    def title(self) -> str:
        """What it is called."""
        return self.printed or self.name.replace("-", " ").capitalize()

    @property
    def night(self) -> bool:
        """Whether some of it may be played at night."""
        return self.is_dark is not always_day


def mission_of(scene: classic.Scene) -> Mission:
    """The mission of a scene as the classic editions know it."""
    mission = scene.mission
    assert isinstance(mission, Mission)
    return mission


@rule("3e.core.missions.higher-total", "3e.core.missions.cleanse", "4e.core.missions.victory-points")
@rule("6e.core.missions.wiped-out")
def winner(scene: classic.Scene, state: ClassicState) -> Side | None:
    """Who has won: by what the mission is about, else by the higher total of points; None for a draw."""
    mission = mission_of(scene)
    if mission.wiped_out_loses:
        left = [any(classic.standing(state, info.index) for info in scene.units_of(side)) for side in SIDES]
        if left[0] != left[1]:
            return SIDES[left[1]]
    if mission.decided_by is not None:
        a, b = mission.decided_by(scene, state)
        if a != b:
            return SIDES[b > a]
    a, b = state.vp
    limit = max(sum(info.roster.points for info in scene.listed(side)) for side in SIDES)
    return None if a == b or 100 * abs(a - b) < mission.margin * limit else SIDES[b > a]
