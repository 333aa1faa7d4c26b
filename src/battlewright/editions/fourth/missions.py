"""The missions of the 4th edition on their three levels, and what it decides about all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import partial

from battlewright.core.rulebook import rule
from battlewright.editions.classic.missions import Count, Mission
from battlewright.editions.classic.procedures.counting import (
    centre,
    counters_held,
    enemy_zone,
    for_losses,
    in_enemy_zone,
    near_the_centre,
    points_each,
    quarters,
    quarters_of,
    scoring_left,
)
from battlewright.editions.classic.procedures.setting_out import (
    counters_in_turn,
    higher_roll_chooses_who_is_first,
    rolls_after,
)
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle, Scene, living
from battlewright.editions.classic.scoring import points_for_losses
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.third.missions import MISSION_RULES as THIRD_RULES

__all__ = ["MISSIONS", "MISSION_RULES", "TURNS", "Level", "roll_mission", "rolled_mission"]

TURNS = 6
"""Game turns, unless a mission says otherwise."""


class Level(StrEnum):
    """The level of a mission: how many rules it adds."""

    ALPHA = "alpha"
    GAMMA = "gamma"
    OMEGA = "omega"


@rule("4e.core.missions.scoring-unit")
def scores(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit holds ground: at least half of its models are left, it does not fall back, and it can move."""
    mine = state.units[unit]
    left, begun = len(living(state, unit)), len(scene.units[unit].rows)
    return 2 * left >= begun and not mine.falling_back and not mine.immobilised


MISSION_RULES = replace(
    THIRD_RULES,
    first_turn=higher_roll_chooses_who_is_first,
    worth_of_losses=partial(points_for_losses, at_half=False),
    scores=scores,
    denies=scores,
)

_NIGHT = "4e.core.missions.dusk-and-dawn"


@rule("4e.core.missions.dusk-and-dawn")
def dusk_and_dawn(battle: ClassicBattle) -> bool:
    """Whether it is night: a die before the first turn says whether in that one or from the fifth on.

    RULING: 4e.core.missions.dusk-and-dawn the roll is not told; we read it as 4 or more for the first turn.
    """
    state = battle.state
    if state.round <= 1 and not state.nights:
        face = battle.rolled(battle.roll(1, 6, "dusk-and-dawn"), state.first, _NIGHT, needed=4).faces[0]
        state.nights = "first" if face >= 4 else "late"
    return state.round <= 1 if state.nights == "first" else state.round >= 5


@rule("4e.core.missions.concealment")
def concealed(battle: ClassicBattle) -> bool:
    """Whether one sees no further than at night: in the first turn always, else as dusk and dawn have it.

    DEVIATION: 4e.core.missions.concealment that units are set up hidden is not played; what it does to sight is.
    """
    return dusk_and_dawn(battle) or battle.state.round <= 1


@rule("4e.core.missions.levels", "4e.scouts.always-deploy")
def comes_late(scene: Scene, unit: int) -> bool:
    """Whether escalation keeps a unit in reserve: whoever is faster than men on foot, and every vehicle, but no scouts.

    RULING: 4e.core.missions.levels escalation is only named; we read it so.
    """
    models = [scene.models[row] for row in scene.units[unit].rows]
    on_foot = all(model.profile.kind in (Kind.INFANTRY, Kind.MONSTROUS, Kind.ARTILLERY) for model in models)
    return not on_foot and not all(model.has("SCOUTS") for model in models)


def _mission(name: str, layouts: tuple[str, ...], count: Count, what: str, rule_id: str) -> Mission:
    return Mission(
        name,
        TURNS,
        layouts,
        scores=(points_each(count, what, 0, rule_id),),
        chart="standard",
        infiltrators=False,
    )


_LONG = ("village", "open_table")
_ALPHA = (
    replace(
        _mission("cleanse", ("quarters",), quarters_of, "quarters held", "4e.core.missions.cleanse"),
        apart=18.0,
        places=quarters,
    ),
    replace(
        _mission("secure-and-control", _LONG, counters_held, "counters held", "4e.core.missions.secure-and-control"),
        lay=counters_in_turn("4e.core.missions.secure-and-control", edge=12.0, apart=12.0),
    ),
    replace(
        _mission("seek-and-destroy", _LONG, scoring_left, "scoring units left", "4e.core.missions.seek-and-destroy"),
        apart=24.0,
    ),
    replace(
        _mission("recon", _LONG, in_enemy_zone, "units in the enemy's zone", "4e.core.missions.recon"),
        places=enemy_zone,
    ),
    replace(
        _mission("take-and-hold", _LONG, near_the_centre, "units at the centre", "4e.core.missions.take-and-hold"),
        places=centre,
    ),
)
_COUNTED: tuple[tuple[Count, str], ...] = (
    (quarters_of, "quarters held"),
    (counters_held, "counters held"),
    (scoring_left, "scoring units left"),
    (in_enemy_zone, "units in the enemy's zone"),
    (near_the_centre, "units at the centre"),
)
_SHARE, _MARGIN = 10, 10
"""Hundredths of the points of the larger army: for each that a mission counts, and by which one has to lead to win."""


@rule("4e.core.missions.levels", "4e.core.missions.victory-points")
def at_level(alpha: Mission, count: Count, what: str, level: Level) -> Mission:
    """A mission with the rules that its level adds.

    Args:
        alpha: without any. ``count``: what it is about, in words ``what``.

    RULING: 4e.core.missions.levels we read what a mission counts as worth a tenth of the points of the larger army in
    games that are decided by victory points, and a lead of less than a tenth as a draw.
    """
    if level is Level.ALPHA:
        return alpha
    gamma = replace(
        alpha,
        name=f"{alpha.name}-{level}",
        scores=(for_losses, points_each(count, what, _SHARE, "4e.core.missions.victory-points")),
        margin=_MARGIN,
        reserves=True,
        infiltrators=True,
        is_dark=dusk_and_dawn,
    )
    if level is Level.GAMMA:
        return gamma
    return replace(
        gamma,
        turns=7,
        late=comes_late,
        is_dark=concealed,
        goes_on=rolls_after({5: 3, 6: 4}, "4e.core.missions.levels"),
    )


MISSIONS: Mapping[str, Mission] = {
    mission.name: mission
    for level in Level
    for alpha, (count, what) in zip(_ALPHA, _COUNTED, strict=True)
    for mission in (at_level(alpha, count, what, level),)
}


@rule("4e.core.missions.mission-roll")
def rolled_mission(kind: int, level: int, chosen: str = "") -> str:
    """The name of the mission that two dice give.

    Args:
        kind: face of the first die; on a 6 the higher strategy roll chooses.
        chosen: what it chooses.

    >>> rolled_mission(2, 1), rolled_mission(5, 4)
    ('secure-and-control', 'take-and-hold-gamma')
    """
    name = chosen if kind == 6 else _ALPHA[kind - 1].name
    at = Level.ALPHA if level <= 2 else Level.GAMMA if level <= 4 else Level.OMEGA
    return name if at is Level.ALPHA else f"{name}-{at}"


@rule("4e.core.missions.mission-roll")
def roll_mission(die: Callable[[str], int]) -> tuple[str, str | None]:
    """The mission that dice give, on the first of its layouts.

    Args:
        die: throws a D6 for something.

    RULING: 4e.core.missions.mission-roll before a battle nobody can be asked; where the higher strategy roll would
    choose, another die does.
    """
    kind, tries = die("mission"), 0
    while kind == 6:
        tries += 1
        kind = die(f"mission {tries}")
    return rolled_mission(kind, die("level")), None
