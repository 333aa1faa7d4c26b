"""One model of a unit that fires at another target than its comrades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.procedures.aiming import Aim
from battlewright.editions.classic.procedures.arming import Arm
from battlewright.editions.classic.procedures.nerve import take_leadership_test, traits_of
from battlewright.editions.classic.scene import ClassicBattle

__all__ = ["Apart", "split_fire"]

_RULE = "6e.core.special-rules.split-fire"


@dataclass(frozen=True, slots=True)
class Apart:
    """A model with a target of its own."""

    row: int
    aim: Aim


@rule("6e.core.special-rules.split-fire")
def split_fire(
    battle: ClassicBattle, unit: int, aim: Aim, found: Sequence[Aim], arms: Sequence[Arm]
) -> Procedure[Apart | None]:
    """Whether a model of a unit with split fire fires at another target: its owner names both, then the unit tests.

    Args:
        aim: the target of the others; ``found`` those that the unit may fire at; ``arms`` what its models fire.
    """
    others = [each for each in found if each.unit != aim.unit]
    rows = list(dict.fromkeys(arm.row for arm in arms))
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    if "SPLIT FIRE" not in traits_of(scene, state, unit) or not others or len(rows) < 2:
        return None
    options = [
        Option(f"{row}:{scene.units[each.unit].id}", f"model {row} at {scene.units[each.unit].name}", Apart(row, each))
        for row in rows
        for each in others
    ]
    choices = Options([Option("none", "all at one target", None), *options], rule=_RULE, default="none")
    prompt = f"{info.name}: does a model fire at another target?"
    apart: Apart | None = yield from choose(
        Decision(info.side, "split-fire", prompt, _RULE, choices, subject=info.index)
    )
    if apart is None or not take_leadership_test(battle, unit, "split fire", _RULE):
        return None
    return apart
