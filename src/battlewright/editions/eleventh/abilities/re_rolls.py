"""Re-rolls of charge and advance rolls that an ability allows: the roll as a whole, before anybody pays for one."""

from __future__ import annotations

from typing import Final

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.dice import Reroll, Roll
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.abilities import language
from battlewright.editions.eleventh.abilities.in_force import re_roll_by_ability
from battlewright.editions.eleventh.scene import Battle11

__all__ = ["with_ability_re_roll"]

_RULE: Final = "11e.core.01.05-reroll-once"
_LOW: Final = {"charge": 6, "advance": 2}
"""Totals up to which the default throws again."""


@rule("11e.core.01.05-reroll-once", "11e.core.01.05-reroll-whole-roll")
def with_ability_re_roll(battle: Battle11, unit: int, roll: Roll) -> Procedure[Roll]:
    """The charge or advance roll just made, thrown again if an ability allows it and the unit's player wishes."""
    if roll.purpose not in _LOW:
        return roll
    ability = re_roll_by_ability(battle.scene, battle.state, unit, language.Roll(roll.purpose))
    if ability is None:
        return roll
    info = battle.scene.units[unit]
    shown = " and ".join(map(str, roll.faces))
    choices = Options(
        [Option("keep", f"keep {shown}", False), Option("re-roll", f"re-roll {shown}", True)],
        rule=_RULE,
        default="re-roll" if roll.total <= _LOW[roll.purpose] else "keep",
    )
    again: bool = yield from choose(
        Decision(info.side, "re-roll-by-ability", f"{info.name}: {ability}?", _RULE, choices, subject=info.index)
    )
    if not again:
        return roll
    thrown = battle.roll(len(roll.faces), roll.sides, f"{roll.purpose}-reroll")
    return roll.with_rerolls([Reroll(place, roll.faces[place], now, ability) for place, now in enumerate(thrown.faces)])
