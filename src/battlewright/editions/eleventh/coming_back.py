"""CHARACTERS that a rule of their own brings back after they were destroyed (01.09).

The die is thrown when the model is destroyed; whoever comes back is set up when the phase ends.
"""

from __future__ import annotations

from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.abilities.in_force import at_moment
from battlewright.editions.eleventh.abilities.language import Return
from battlewright.editions.eleventh.conditions import Unengaged
from battlewright.editions.eleventh.events import ModelReturned
from battlewright.editions.eleventh.moves import carry_out
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.setting_up import SetUpSpace
from battlewright.editions.eleventh.state import MoveKind

__all__ = ["return_roll", "return_the_destroyed"]

_RULE = "11e.core.01.09-returned-character"


@rule("11e.core.01.09-returned-character")
def return_roll(battle: Battle11, row: int) -> Procedure[None]:
    """Throw the D6 of a destroyed model that an ability may bring back, once in the battle."""
    scene, state, unit = battle.scene, battle.state, battle.scene.unit_of(row)
    for source in at_moment(scene, state, unit.index, Return):
        effect, key = source.clause.effect, (row, source.clause.ability)
        assert isinstance(effect, Return), "it was asked for"
        if row not in source.rows or any(each[:2] == key for each in state.used_abilities):
            continue
        state.used_abilities += ((*key, "battle"),)
        die = battle.rolled(battle.roll(1, 6, "return"), unit.side, _RULE, unit=unit.id, needed=effect.least).total
        if die >= effect.least:
            whole = scene.models[row].profile.wounds
            state.returning += ((row, min(effect.wounds or whole, whole), source.clause.ability),)
        return
    yield from ()


@rule("11e.core.01.09-returned-character", "11e.core.01.06-starting-strength")
def return_the_destroyed(battle: Battle11) -> Procedure[None]:
    """As the phase ends, set up everybody who comes back: as close as can be to where he fell, unengaged, his unit one
    that began with one model.

    RULING: 11e.core.01.09-returned-character since the place is given, nobody is asked for it; who finds none at all
    stays destroyed. DEVIATION: abilities of this kind work for units of one model; an attached unit cannot be divided
    while the battle goes on.
    """
    state = battle.state
    coming, state.returning = state.returning, ()
    for row, wounds, why in coming:
        unit = battle.scene.unit_of(row)
        state.wounds[row] = wounds
        table, (x, y) = battle.scene.battlefield, (float(each) / 1000 for each in state.position[row, :2])
        space = SetUpSpace(
            battle.scene,
            state,
            unit.index,
            rule=_RULE,
            region=(0.0, 0.0, table.width, table.height),
            near=(x, y),
            after=(Unengaged(_RULE),),
            rows=(row,),
        )
        if not space.found.moves:
            state.wounds[row] = 0
            continue
        carry_out(battle, unit.index, space.found, MoveKind.SET_UP, _RULE)
        state.units[unit.index].starting_strength = 1
        battle.happened(
            ModelReturned(unit=unit.id, model=row, left=wounds, where="battlefield", why=why, rules=(_RULE,))
        )
    yield from ()
