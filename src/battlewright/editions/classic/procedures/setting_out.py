"""Who takes which zone, who goes first, where counters are laid, how long a battle lasts, and when it is night."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from battlewright.core.bases import holds_point
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import SIDES, Decision, Option, Options, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.editions.classic.events import BattleGoesOn, ObjectiveLaid
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.happenings import Settled
from battlewright.editions.rolling_off import roll_off

__all__ = [
    "a_counter_in_each_zone",
    "a_counter_in_the_middle",
    "choose_zone",
    "counters_in_turn",
    "higher_roll_chooses_who_is_first",
    "higher_roll_is_first",
    "rolls_after",
    "winner_takes_his_zone",
]

_RULE = "3e.core.missions.set-up"
_GRID = 3.0
"""Inches between the places that are offered for a counter."""


# -- zones --------------------------------------------------------------------------------------------------------


def choose_zone(battle: ClassicBattle, side: Side, rule_id: str) -> Procedure[None]:
    """A player takes the zone that he likes; the other is his opponent's."""
    names = [zone.name for zone in battle.scene.battlefield.zones]
    choices = Options([Option(name, f"the {name} zone", name) for name in names], rule=rule_id, default=names[0])
    mine: str = yield from choose(Decision(side, "choose-zone", "Which deployment zone is yours?", rule_id, choices))
    other = next(name for name in names if name != mine)
    battle.state.zones = (mine, other) if side == SIDES[0] else (other, mine)
    battle.happened(Settled(side=side, what="zone", name=mine, rules=(rule_id,)))


@rule("3e.core.missions.set-up", "4e.core.missions.deployment")
def winner_takes_his_zone(battle: ClassicBattle) -> Procedure[None]:
    """The winner of a roll-off takes the zone that he likes; his opponent deploys first.

    RULING: 3e.core.missions.set-up who deploys first is not said; we read it as the one who did not choose.
    """
    winner = roll_off(battle, "choose-zone", _RULE)
    yield from choose_zone(battle, winner, _RULE)
    battle.state.chooser = opponent(winner)


# -- the first turn -----------------------------------------------------------------------------------------------


@rule("3e.core.missions.set-up")
def higher_roll_is_first(battle: ClassicBattle) -> Procedure[None]:
    """The winner of a roll-off has the first turn."""
    battle.state.first = roll_off(battle, "first-turn", _RULE)
    yield from ()


@rule("4e.core.missions.deployment")
def higher_roll_chooses_who_is_first(battle: ClassicBattle) -> Procedure[None]:
    """The winner of a roll-off says who has the first turn."""
    rule_id = "4e.core.missions.deployment"
    winner = roll_off(battle, "first-turn", rule_id)
    choices = Options(
        [Option("first", "take the first turn", winner), Option("second", "let the enemy go first", opponent(winner))],
        rule=rule_id,
    )
    first: Side = yield from choose(Decision(winner, "choose-first-turn", "Who goes first?", rule_id, choices))
    battle.state.first = first


# -- counters -----------------------------------------------------------------------------------------------------


def _lay(battle: ClassicBattle, side: Side | None, point: tuple[float, float], rule_id: str) -> None:
    laid = (round(point[0] * 1000), round(point[1] * 1000))
    battle.state.objectives = (*battle.state.objectives, laid)
    battle.happened(ObjectiveLaid(side=side, point=point, rules=(rule_id,)))


@rule("4e.core.missions.secure-and-control", "6e.core.missions.objectives")
def places_for_a_counter(
    laid: Sequence[tuple[float, float]], width: float, height: float, *, edge: float, apart: float
) -> list[tuple[float, float]]:
    """Where a counter may be laid, on a grid of 3": far enough from the edges and from those that lie there.

    The middle of the table comes first, then what is furthest from the others.
    """
    found = []
    for column in range(math.ceil(edge / _GRID), math.floor((width - edge) / _GRID) + 1):
        for line in range(math.ceil(edge / _GRID), math.floor((height - edge) / _GRID) + 1):
            point = (column * _GRID, line * _GRID)
            if all(math.dist(point, other) >= apart for other in laid):
                found.append(point)
    middle = (width / 2, height / 2)
    return sorted(found, key=lambda point: (math.dist(point, middle), point))


def _lay_one(
    battle: ClassicBattle, side: Side, found: Sequence[tuple[float, float]], rule_id: str, which: str = "your objective"
) -> Procedure[None]:
    options = [Option(f"at:{x:g},{y:g}", f"at {x:g}, {y:g}", (x, y), point=(x, y)) for x, y in found]
    point: tuple[float, float] = yield from choose(
        Decision(side, "lay-objective", f"Where does {which} lie?", rule_id, Options(options, rule=rule_id))
    )
    _lay(battle, side, point, rule_id)


def counters_in_turn(
    rule_id: str, *, edge: float, apart: float, number: int | None = None
) -> Callable[[ClassicBattle], Procedure[None]]:
    """The players lay D3+2 counters in turn, or so many, in inches from the edges and from one another.

    RULING: 4e.core.missions.secure-and-control who begins is not said; we read it as the one who sets up first.
    """

    @rule(rule_id)
    def lay(battle: ClassicBattle) -> Procedure[None]:
        table, side = battle.scene.battlefield, battle.state.chooser
        wanted = number
        if wanted is None:
            roll = battle.roll(1, 6, "objectives")
            wanted = (roll.total + 1) // 2 + 2
            battle.rolled(roll, side, rule_id, result=wanted)
        for count in range(1, wanted + 1):
            laid = [(x / 1000.0, y / 1000.0) for x, y in battle.state.objectives]
            found = places_for_a_counter(laid, table.width, table.height, edge=edge, apart=apart)
            if not found:
                break
            which = "the objective" if wanted == 1 else f"objective {count} of {wanted}"
            yield from _lay_one(battle, side, found, rule_id, which)
            side = opponent(side)

    return lay


def a_counter_in_each_zone(rule_id: str) -> Callable[[ClassicBattle], Procedure[None]]:
    """Each player lays one counter in his own deployment zone, 6" from the edges."""

    @rule(rule_id)
    def lay(battle: ClassicBattle) -> Procedure[None]:
        table = battle.scene.battlefield
        for side in (battle.state.chooser, opponent(battle.state.chooser)):
            zone = table.zone(battle.state.zones[side]).polygon
            found = places_for_a_counter((), table.width, table.height, edge=6.0, apart=12.0)
            yield from _lay_one(battle, side, [point for point in found if holds_point(zone, point)], rule_id)

    return lay


def a_counter_in_the_middle(rule_id: str) -> Callable[[ClassicBattle], Procedure[None]]:
    """One counter lies in the middle of the table."""

    @rule(rule_id)
    def lay(battle: ClassicBattle) -> Procedure[None]:
        table = battle.scene.battlefield
        _lay(battle, None, (table.width / 2, table.height / 2), rule_id)
        yield from ()

    return lay


# -- how long -----------------------------------------------------------------------------------------------------


def rolls_after(needed: dict[int, int], rule_id: str) -> Callable[[ClassicBattle], bool]:
    """Whether the battle goes on: until the first turn named without a roll, then on so much or more.

    Args:
        needed: what a D6 has to show after a game turn; the battle is over after the last of these and one more.
    """

    @rule(rule_id)
    def goes_on(battle: ClassicBattle) -> bool:
        turn = battle.state.round
        if turn < min(needed):
            return True
        if turn not in needed:
            return False
        face = battle.rolled(battle.roll(1, 6, "game-length"), battle.state.first, rule_id, needed=needed[turn]).faces[
            0
        ]
        battle.happened(BattleGoesOn(face=face, goes_on=face >= needed[turn], rules=(rule_id,)))
        return face >= needed[turn]

    return goes_on
