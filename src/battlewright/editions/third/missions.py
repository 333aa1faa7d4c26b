"""The missions of the 3rd edition, and what it decides about all of them."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.core.rulebook import rule
from battlewright.editions.classic.cleanse import APART
from battlewright.editions.classic.mission_rules import MissionRules
from battlewright.editions.classic.missions import Mission, always_night
from battlewright.editions.classic.procedures.counting import for_losses, quarters, quarters_of
from battlewright.editions.classic.procedures.setting_out import higher_roll_is_first, winner_takes_his_zone
from battlewright.editions.classic.scene import Scene
from battlewright.editions.classic.scoring import points_for_losses
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.third.forces import chart_of

__all__ = ["MISSIONS", "MISSION_RULES", "TURNS"]

TURNS = 6
"""Game turns, unless a mission says otherwise."""

_LONG = ("village", "open_table")
_QUARTERS = ("quarters",)


@rule("3e.core.missions.cleanse")
def scores(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit holds ground.

    RULING: 3e.core.missions.cleanse one that does not fall back.
    """
    return not state.units[unit].falling_back


MISSION_RULES = MissionRules(
    chart_of=chart_of,
    zones=winner_takes_his_zone,
    deploys_in_turns=True,
    first_turn=higher_roll_is_first,
    most_in_reserve=lambda units: units,
    worth_of_losses=points_for_losses,
    scores=scores,
    denies=scores,
    holding_distance=6.0,
)

MISSIONS: Mapping[str, Mission] = {
    "patrol": Mission("patrol", TURNS, _LONG, scores=(for_losses,), chart="standard", reserves=True),
    "cleanse": Mission(
        "cleanse",
        TURNS,
        _QUARTERS,
        scores=(for_losses,),
        decided_by=quarters_of,
        places=quarters,
        chart="standard",
        apart=APART,
    ),
    "night-fight": Mission(
        "night-fight", TURNS, _QUARTERS, scores=(for_losses,), chart="standard", is_dark=always_night
    ),
}
