"""What the 4th edition decides about shooting."""

from __future__ import annotations

from dataclasses import replace

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Violation
from battlewright.core.rulebook import rule
from battlewright.editions.classic.artillery import range_counted
from battlewright.editions.classic.procedures.spotting import spot_by_dice
from battlewright.editions.classic.scene import ClassicBattle, living, traits_of_model
from battlewright.editions.classic.state import ClassicUnit, Deed
from battlewright.editions.classic.weapons import WeaponType
from battlewright.editions.fourth import covering, firing, laying, sight, targets
from battlewright.editions.third.shooting import SHOOTING as BEFORE

__all__ = ["SHOOTING", "spot_with_night_vision", "why_no_fire"]

NIGHT_VISION = "NIGHT VISION"


@rule("4e.core.shooting.who-may-fire")
def why_no_fire(unit: ClassicUnit, in_combat: bool = False) -> list[tuple[str, str]]:
    """Why a unit may not fire, its weapons apart: rule and clause for each reason; one that falls back may."""
    reasons = [
        (in_combat, "is locked in combat"),
        (unit.pinned, "is pinned"),
        (unit.has(Deed.FIRED), "has fired already"),
    ]
    return [("4e.core.shooting.who-may-fire", clause) for holds, clause in reasons if holds]


@rule("4e.core.shooting.who-may-fire")
def never_into_combat(*, target_swept_into_us: bool, own_turn: bool) -> bool:
    """Whether enemies in close combat may be fired at: never."""
    return False


def nothing_guessed(measured_this_phase: bool) -> list[Violation]:
    """Nothing is guessed in this edition, so that measuring bars no weapon."""
    return []


@rule("4e.night-vision.reroll", "4e.night-vision.second-stands", "4e.night-vision.character-gives")
@rule("4e.night-vision.unit-gives")
def spot_with_night_vision(battle: ClassicBattle, unit: int) -> Procedure[float | None]:
    """How far the firers see in the dark: those with night vision may throw again, and the second throw stands.

    A character has it from the unit that he has joined, and gives it to the unit.
    """
    distance = yield from spot_by_dice(battle, unit)
    if distance is None or not has_night_vision(battle, unit):
        return distance
    info, rule_id = battle.scene.units[unit], "4e.night-vision.reroll"
    options = [Option("keep", f'keep {distance:g}"', False), Option("again", "throw again", True)]
    again: bool = yield from choose(
        Decision(
            info.side,
            "reroll-sight",
            f'{info.name} sees {distance:g}" far: throw again?',
            rule_id,
            Options(options, rule=rule_id, default="keep"),
            subject=info.index,
        )
    )
    return (yield from spot_by_dice(battle, unit)) if again else distance


def has_night_vision(battle: ClassicBattle, unit: int) -> bool:
    """Whether a unit has night vision: all models that are its own, or a character who has joined it."""
    scene, state = battle.scene, battle.state
    rows = living(state, unit)
    own = [NIGHT_VISION in traits_of_model(scene, row) for row in rows if scene.models[row].unit == unit]
    joined = [NIGHT_VISION in traits_of_model(scene, row) for row in rows if scene.models[row].unit != unit]
    return (bool(own) and all(own)) or any(joined)


SHOOTING = replace(
    BEFORE,
    shots={**BEFORE.shots, WeaponType.RAPID_FIRE: firing.rapid_fire_shots},
    fires_as_moved=firing.fires_as_moved,
    deeds=firing.deeds_of,
    why_no_fire=why_no_fire,
    fires_back=never_into_combat,
    target_faults=targets.target_faults,
    commit=targets.hold_priority,
    weapons_allowed=firing.weapons_allowed,
    bars_guess=nothing_guessed,
    guess=laying.guess_nothing,
    spot=spot_with_night_vision,
    size_of=sight.size_of,
    over_area=sight.is_taller,
    visible=sight.visible_rows,
    cover_of=covering.cover_of_model,
    covers=covering.covers_by_majority,
    wounds_stay_under_template=False,
    charge_ends_pinning=True,
    torrent=True,
    combat_hides=sight.combat_hides,
    battery_range=range_counted,
    lay=laying.lay_markers,
)
