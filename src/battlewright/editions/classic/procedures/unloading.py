"""Putting those on the table who were in a vehicle."""

from __future__ import annotations

from battlewright.core.decisions import Place
from battlewright.editions.classic.procedures import joining
from battlewright.editions.classic.procedures.landing import put_on_table
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.state import NOWHERE, Deed
from battlewright.editions.happenings import UnitDisembarked

__all__ = ["get_out"]


def get_out(battle: ClassicBattle, unit: int, placement: Place, how: str, *rules: str) -> None:
    """Put a unit beside the vehicle that it was in."""
    state, units = battle.state, battle.scene.units
    mine = state.units[unit]
    transport, mine.embarked = mine.embarked, NOWHERE
    state.units[transport].did(Deed.UNLOADED)
    if state.units[transport].moved_distance:
        state.units[transport].did(Deed.FROZEN)
    for character in joining.joined_characters(state, unit):
        state.units[character].embarked = NOWHERE
    put_on_table(battle, unit, placement, *rules)
    battle.happened(UnitDisembarked(unit=units[unit].id, transport=units[transport].id, how=how, rules=rules))
