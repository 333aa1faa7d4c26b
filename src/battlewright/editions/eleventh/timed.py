"""Abilities that are used at a moment and last for a time, and the stratagems of detachments.

What was used stands in the state (``timed``), with the unit that it works for; the hooks of
:mod:`~battlewright.editions.eleventh.abilities.in_force` find it there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side, UnitId
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.abilities.clauses import Moment
from battlewright.editions.eleventh.abilities.conditions import hold
from battlewright.editions.eleventh.abilities.facts import situation
from battlewright.editions.eleventh.abilities.language import Until
from battlewright.editions.eleventh.abilities.sources import TimedSource
from battlewright.editions.eleventh.events import AbilityUsed
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import NOBODY, EleventhState
from battlewright.editions.eleventh.stratagems import Stratagem, Use, Whose
from battlewright.editions.eleventh.triggers import Occasion, Trigger

__all__ = ["detachment_stratagems", "timed_triggers"]

_RULE = "11e.core.19.04-model-abilities"
_STRATAGEM = "11e.core.15.01-sequence"
_WHOSE = {"your-turn": Whose.OWN, "opponent-turn": Whose.OPPONENTS}


# -- abilities of units --------------------------------------------------------------------------------------------


def timed_triggers(battle: Battle11, occasion: Occasion, subject: int) -> Iterator[Trigger]:
    """The abilities of units that can be used at the occasion, of the subject or, where there is none, of everybody."""
    scene = battle.scene
    marking: set[tuple[int, str]] = set()
    for number, source in enumerate(scene.sources.timed):
        if source.unit == NOBODY or str(occasion) not in source.timing.moments or subject not in (NOBODY, source.unit):
            continue
        if not _may_use(battle, number):
            continue
        info = scene.units[UnitId(source.unit)]
        if subject == NOBODY and source.timing.marks:
            if (info.side, source.ability) in marking or info.side != battle.state.turn:
                continue  # a rule of the army, which every unit of it has
            marking.add((info.side, source.ability))
        yield Trigger(
            f"ability:{info.id}:{number}",
            f"{info.name} uses {source.ability}",
            _RULE,
            info.side,
            act=partial(_mark if source.timing.marks else _use, number=number),
            is_optional=source.timing.is_optional,
            holds=partial(_may_use, number=number),
        )


@rule("11e.core.19.04-model-abilities")
def _may_use(battle: Battle11, number: int) -> bool:
    """Whether a bearer stands, the ability is not in force already, is not used up, and its conditions hold."""
    scene, state = battle.scene, battle.state
    source = scene.sources.timed[number]
    alive = standing(state, source.unit)
    if not any(row in alive for row in source.rows) or (source.unit, number) in state.timed_once:
        return False
    if any(each[:2] == (source.unit, number) for each in state.timed):
        return False
    if source.timing.marks and not _markable(battle, number):
        return False
    return _holds(scene, state, source, source.unit)


def _holds(scene: Scene, state: EleventhState, source: TimedSource, unit: int) -> bool:
    return all(hold(condition, situation(scene, state, unit)) for condition in source.timing.conditions)


def _use(battle: Battle11, *, number: int) -> Procedure[None]:
    """Put it in force and note it."""
    source = battle.scene.sources.timed[number]
    if source.timing.once:
        battle.state.timed_once += ((source.unit, number),)
    _put_in_force(battle, source.unit, number)
    info = battle.scene.units[UnitId(source.unit)]
    battle.happened(AbilityUsed(unit=info.id, ability=source.ability, rules=(_RULE,)))
    yield from ()


@rule("11e.core.19.04-model-abilities")
def _markable(battle: Battle11, number: int) -> list[int]:
    """The enemy units that an ability may mark: those hit by the attacks just made, or any on the battlefield."""
    scene, state, source = battle.scene, battle.state, battle.scene.sources.timed[number]
    side = scene.units[UnitId(source.unit)].side
    key = (-1 - side, source.ability)
    if any(each[:2] == key for each in state.used_abilities):
        return []
    foes = [int(each.index) for each in scene.units if each.side != side and standing(state, each.index)]
    return [foe for foe in foes if foe in state.hit] if Moment.HAS_SHOT in source.timing.moments else foes


def _mark(battle: Battle11, *, number: int) -> Procedure[None]:
    """Its player picks the unit that it marks."""
    scene, source = battle.scene, battle.scene.sources.timed[number]
    info = scene.units[UnitId(source.unit)]
    named = [scene.units[UnitId(each)] for each in _markable(battle, number)]
    choices = Options([Option(each.id, each.name, int(each.index)) for each in named], rule=_RULE)
    picked: int = yield from choose(
        Decision(info.side, "mark-unit", f"{source.ability}: which unit?", _RULE, choices, subject=info.index)
    )
    if Moment.HAS_SHOT not in source.timing.moments:
        battle.state.used_abilities += ((-1 - info.side, source.ability, str(Until.PHASE)),)
    _put_in_force(battle, picked, number)
    battle.happened(AbilityUsed(unit=info.id, ability=source.ability, rules=(_RULE,)))


def _put_in_force(battle: Battle11, unit: int, number: int) -> None:
    battle.state.timed += ((unit, number, str(battle.scene.sources.timed[number].timing.until)),)


# -- stratagems of detachments -------------------------------------------------------------------------------------


def detachment_stratagems(scene: Scene) -> tuple[Stratagem, ...]:
    """The stratagems of both sides' detachments that are understood, each once for every moment of its use."""
    return tuple(
        Stratagem(
            f"detachment-{re.sub('[^a-z0-9]+', '-', source.ability.lower()).strip('-')}",
            source.ability,
            _STRATAGEM,
            source.timing.cost,
            Occasion(moment),
            _WHOSE.get(source.timing.turn, Whose.ANY),
            partial(_targets, source=source),
            partial(_take_effect, number=number),
            is_once_in_battle=source.timing.once,
        )
        for number, source in enumerate(scene.sources.timed)
        if source.unit == NOBODY
        for moment in source.timing.moments
    )


@rule("11e.core.15.01-sequence")
def _targets(
    scene: Scene, state: EleventhState, side: Side, subject: int, mode: str, *, source: TimedSource
) -> list[int]:
    """The unit that the occasion is about, if it is one of the player's own, of the right keywords, in the phase."""
    if side != source.side or state.units[subject].side != side or state.phase not in source.timing.phases:
        return []
    return [subject] if standing(state, subject) and _holds(scene, state, source, subject) else []


def _take_effect(battle: Battle11, used: Use, *, number: int) -> Procedure[None]:
    _put_in_force(battle, used.unit, number)
    yield from ()
