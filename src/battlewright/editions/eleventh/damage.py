"""Losing wounds, being destroyed, leaving the table (01.08, 05.04, 06.02, 06.03)."""

from __future__ import annotations

from battlewright.core.battle import Procedure
from battlewright.core.events import ModelsRemoved
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.events import UnitDestroyed
from battlewright.editions.eleventh.scene import Battle11, living

__all__ = ["hazard_rolls", "remove_incoherent"]


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


@rule("11e.core.06.03-hazard-roll")
def hazard_rolls(battle: Battle11, unit: int, count: int, why: str = "hazard") -> Procedure[int]:
    """Make so many hazard rolls for a unit at the same time and inflict what they bring (06.03): wounds lost."""
    state, scene, info = battle.state, battle.scene, battle.scene.units[unit]
    roll = battle.rolled(battle.roll(count, 6, "hazard"), info.side, "11e.core.06.03-hazard-roll", unit=info.id)
    large = all(scene.models[row].has("MONSTER") or scene.models[row].has("VEHICLE") for row in living(state, unit))
    wounds = sum(face <= 2 for face in roll.unmodified) * (3 if large else 1)
    for lost in range(wounds):
        rows = living(state, unit)
        if not rows:
            return lost
        row = min(rows, key=lambda each: (scene.models[each].profile.is_character, int(state.wounds[each])))
        state.wounds[row] -= 1
        if not state.wounds[row]:
            state.on_table[row] = False
            battle.happened(ModelsRemoved(unit=info.id, models=(row,), why=why, rules=("11e.core.01.08-destroyed",)))
    yield from ()
    return wounds
