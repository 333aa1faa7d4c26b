"""Abilities that work at moments of their own: what restores in the Command phase, who surges after enemy fire."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.abilities.in_force import at_moment
from battlewright.editions.eleventh.abilities.language import Restore, Surge, Whose
from battlewright.editions.eleventh.abilities.sources import Source
from battlewright.editions.eleventh.flying import may_surge, surge
from battlewright.editions.eleventh.returning import (
    can_be_healed,
    heal_one,
    heal_whole,
    revivable,
    revive_models,
    rolled,
)
from battlewright.editions.eleventh.scene import Battle11, Scene, living
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.triggers import Occasion, Trigger, while_moving

__all__ = ["is_psychic", "moment_triggers"]

_HEAL, _REVIVE = "11e.core.02-heal", "11e.core.01.09-revived-limits"
_SURGE = "11e.core.21.01-surge-move"


def moment_triggers(battle: Battle11, occasion: Occasion, subject: int) -> Iterator[Trigger]:
    """The abilities that are triggered at the occasion."""
    match occasion:
        case Occasion.COMMAND_ABILITIES:
            if any(True for _ in _restoring(battle.scene, battle.state)):
                yield Trigger(
                    "restore", "heal and revive", _HEAL, battle.state.turn, act=_restore_all, is_optional=False
                )
        case Occasion.HAS_SHOT:
            yield from _surging(battle, subject)
        case _:
            pass


# -- healing and reviving (08, 01.09, 02) -----------------------------------------------------------------------


@rule("11e.core.22.03-once-per-phase")
def _restoring(scene: Scene, state: EleventhState) -> Iterator[tuple[int, Source]]:
    """The turn player's units with each ability that has something to restore in them; a psychic one only where the
    unit has not used it in this phase (22.03)."""
    for unit in scene.units_of(state.turn):
        for source in at_moment(scene, state, unit.index, Restore):
            effect, name = source.clause.effect, source.clause.ability
            assert isinstance(effect, Restore), "it was asked for"
            if is_psychic(name) and (int(unit.index), name) in state.psychic_used:
                continue
            if effect.models:
                worth = bool(revivable(scene, state, unit.index, bodyguard=effect.bodyguard))
            else:
                whole = source.clause.whose is not Whose.BEARER
                worth = can_be_healed(scene, state, unit.index, whole=whole, bearers=source.rows)
            if worth:
                yield int(unit.index), source


def is_psychic(name: str) -> bool:
    """Whether an ability is a psychic one, which stands behind its name."""
    return "psychic" in name.partition("(")[2].lower()


@rule("11e.core.08-steps", "11e.core.02-heal", "11e.core.22.03-once-per-phase")
def _restore_all(battle: Battle11) -> Procedure[None]:
    """Every ability of the turn player that restores wounds or models, unit by unit in the order of the list.

    RULING: 11e.core.01.03.02-simultaneous-order their player orders them; since they work on units of their own we take
    the order of the list, and nobody declines what only helps.
    """
    for unit, source in list(_restoring(battle.scene, battle.state)):
        if is_psychic(source.clause.ability):
            if (unit, source.clause.ability) in battle.state.psychic_used:
                continue
            battle.state.psychic_used += ((unit, source.clause.ability),)
        yield from _restore(battle, unit, source)


def _restore(battle: Battle11, unit: int, source: Source) -> Procedure[None]:
    effect, name = source.clause.effect, source.clause.ability
    assert isinstance(effect, Restore), "it was asked for"
    if effect.models:
        count = rolled(battle, effect.amount, "revive", unit, _REVIVE)
        yield from revive_models(battle, unit, count, name, _REVIVE, bodyguard=effect.bodyguard)
    elif source.clause.whose is Whose.BEARER:
        bearers = [row for row in source.rows if row in living(battle.state, unit)]
        for row in bearers[:1] if is_psychic(name) else bearers:
            if can_be_healed(battle.scene, battle.state, unit, whole=False, bearers=(row,)):
                wounds = rolled(battle, effect.amount, "heal", unit, _HEAL)
                heal_one(battle, row, wounds, name, "11e.core.02-heal-model")
    else:
        yield from heal_whole(battle, unit, rolled(battle, effect.amount, "heal", unit, _HEAL), name, _HEAL)


# -- surge moves (21.01) ----------------------------------------------------------------------------------------


@rule("11e.core.21.01-surge-eligible")
def _surging(battle: Battle11, shooter: int) -> Iterator[Trigger]:
    """Units that lost wounds or models to the fire of an enemy unit, and may surge for it."""
    scene, state = battle.scene, battle.state
    for unit, lost, slain in state.struck:
        info = scene.units[unit]
        if info.side == scene.units[shooter].side or not may_surge(scene, state, unit):
            continue
        for source in at_moment(scene, state, unit, Surge):
            effect = source.clause.effect
            assert isinstance(effect, Surge), "it was asked for"
            if slain if effect.slain else lost:
                yield Trigger(
                    f"surge:{info.id}",
                    f"{source.clause.ability}: {info.name} makes a surge move of up to {effect.distance} inches",
                    _SURGE,
                    info.side,
                    act=partial(_surge, unit=unit, effect=effect),
                    holds=lambda battle, unit=unit: may_surge(battle.scene, battle.state, unit),  # type: ignore[misc]
                )
                break


def _surge(battle: Battle11, *, unit: int, effect: Surge) -> Procedure[None]:
    """Roll the distance, then surge with the unit's controller as the active player."""
    distance = rolled(battle, effect.distance, "surge", unit, _SURGE)
    yield from while_moving(battle, unit, surge(battle, unit, float(distance)))
