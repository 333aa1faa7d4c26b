"""Losing wounds, being destroyed, leaving the table (01.08, 05.04, 06.02, 06.03)."""

from __future__ import annotations

from battlewright.core.events import ModelsRemoved
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.events import UnitDestroyed
from battlewright.editions.eleventh.scene import Battle11, living

__all__ = ["remove_incoherent"]


@rule("11e.core.03.03-removal-triggers-nothing")
def remove_incoherent(battle: Battle11, row: int) -> None:
    """Take a model off the table because its unit is out of coherency; it counts as destroyed, triggers nothing."""
    state, scene = battle.state, battle.scene
    unit = scene.unit_of(row)
    state.wounds[row] = 0
    state.on_table[row] = False
    battle.happened(
        ModelsRemoved(unit=unit.id, models=(row,), why="incoherent", rules=("11e.core.03.03-end-of-turn-removal",))
    )
    if not living(state, unit.index):
        battle.happened(UnitDestroyed(unit=unit.id, by="", rules=("11e.core.01.08-destroyed",)))
