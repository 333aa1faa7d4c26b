"""How far a unit sees when it fires at night."""

from __future__ import annotations

from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.editions.classic.night import spotting_distance
from battlewright.editions.classic.scene import ClassicBattle

__all__ = ["spot_by_dice"]


@rule("3e.core.missions.night-fighting", "4e.core.missions.night-fighting")
def spot_by_dice(battle: ClassicBattle, unit: int) -> Procedure[float | None]:
    """How far the firers see in the dark; None by day.

    RULING: 3e.core.missions.night-fighting we read each firer as each firing unit: two dice are rolled for all of it.
    """
    if not battle.state.dark:
        return None
    info, rule_id = battle.scene.units[unit], "3e.core.missions.night-fighting"
    return spotting_distance(battle.rolled(battle.roll(2, 6, "night"), info.side, rule_id, unit=info.id).faces)
    yield
