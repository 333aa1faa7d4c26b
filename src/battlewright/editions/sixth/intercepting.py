"""Interceptor: fire at units that have come on from reserve, at the end of their player's Movement phase."""

from __future__ import annotations

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, opponent
from battlewright.core.rulebook import rule
from battlewright.editions.classic.procedures.aiming import Aim
from battlewright.editions.classic.procedures.arming import Arm, arms_of
from battlewright.editions.classic.procedures.board import gaps, in_combat
from battlewright.editions.classic.procedures.seeing import target_units
from battlewright.editions.classic.procedures.shooting_phase import discharge
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.classic.weapons import AbilityName

__all__ = ["intercept", "interceptors_of", "may_be_intercepted"]

_RULE = "6e.core.weapons.interceptor"


@rule("6e.core.weapons.interceptor")
def may_be_intercepted(deeds: frozenset[str]) -> bool:
    """Whether interceptors may fire at a unit that has done this in the turn: one that has arrived from reserve."""
    return bool({Deed.ARRIVED, Deed.DEEP_STRUCK} & deeds)


@rule("6e.core.weapons.interceptor")
def interceptors_of(scene: Scene, state: ClassicState, unit: int) -> list[Arm]:
    """The weapons with which a unit may intercept now, one way of firing each."""
    if in_combat(scene, state, unit):
        return []
    found: dict[tuple[int, int], Arm] = {}
    for row in standing(state, unit):
        for arm in arms_of(scene, state, unit, row):
            if arm.profile.has(AbilityName.INTERCEPTOR):
                found.setdefault((row, arm.weapon), arm)
    return list(found.values())


@rule("6e.core.weapons.interceptor")
def intercept(battle: ClassicBattle) -> Procedure[None]:
    """The other player's interceptors may fire, each unit at one unit that has arrived this turn.

    RULING: 6e.core.weapons.interceptor every weapon with it that a unit has is fired at once.
    """
    scene, state = battle.scene, battle.state
    for info in scene.units_of(opponent(state.turn)):
        arms = interceptors_of(scene, state, info.index) if standing(state, info.index) else []
        if not arms:
            continue
        seen = target_units(scene, state, {arm.row for arm in arms})
        targets = [
            unit
            for unit in seen
            if may_be_intercepted(state.units[unit].deeds)
            and not in_combat(scene, state, unit)
            and _reaches(scene, state, arms, unit)
        ]
        if not targets:
            continue
        options = [Option(scene.units[unit].id, scene.units[unit].name, unit) for unit in targets]
        target: int | None = yield from choose(
            Decision(
                info.side,
                "intercept",
                f"{info.name}: at whom of those who have arrived does it fire?",
                _RULE,
                Options([*options, Option("none", "hold fire", None)], rule=_RULE, default=options[0].key),
                subject=info.index,
            )
        )
        if target is None:
            continue
        mine = state.units[info.index]
        before = mine.deeds
        yield from discharge(battle, info.index, Aim(target), arms)
        mine.deeds = before
        mine.intercepted = mine.intercepted | {(arm.row, arm.weapon) for arm in arms}


def _reaches(scene: Scene, state: ClassicState, arms: list[Arm], unit: int) -> bool:
    rows = standing(state, unit)
    return any(float(gaps(scene, state, [arm.row], rows).min()) <= arm.profile.range for arm in arms)
