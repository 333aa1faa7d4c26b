"""What abilities let units do at moments of their own beside attacks: further moves, going into reserves, forced tests.

What may be done once in a turn or in the battle stands in the state (``used_abilities``).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from battlewright.core.battle import Procedure
from battlewright.core.decisions import Decision, Place
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.eleventh import moves
from battlewright.editions.eleventh.abilities.in_force import at_moment
from battlewright.editions.eleventh.abilities.language import Effect, ExtraMove, ForceTest, Reposition, Until
from battlewright.editions.eleventh.abilities.sources import Source
from battlewright.editions.eleventh.engagement import engaged_units, is_engaged
from battlewright.editions.eleventh.events import AbilityUsed
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.moves import may_ever_move
from battlewright.editions.eleventh.reserves import is_held_at_edge, is_kept_from_moves, reposition
from battlewright.editions.eleventh.returning import rolled
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import EleventhState, MoveKind
from battlewright.editions.eleventh.transports import embark
from battlewright.editions.eleventh.triggers import Occasion, Trigger, while_moving

__all__ = ["reaction_triggers"]

_RULE = "11e.core.19.04-model-abilities"
_MOVE = "11e.core.09.05-normal-move"


def reaction_triggers(battle: Battle11, occasion: Occasion, subject: int) -> Iterator[Trigger]:
    """The abilities of this kind that are triggered at the occasion."""
    match occasion:
        case Occasion.HAS_SHOT:
            yield from _moves(battle, subject, None)
        case Occasion.ENEMY_MOVED:
            side = battle.state.units[subject].side
            for unit in battle.scene.units:
                if unit.side != side and standing(battle.state, unit.index):
                    yield from _moves(battle, unit.index, subject)
        case Occasion.TURN_ENDS:
            yield from _repositioning(battle)
        case Occasion.FIGHT_BEGINS:
            yield from _tests(battle)
        case _:
            pass


def _first(scene: Scene, state: EleventhState, unit: int, kind: type[Effect]) -> Source | None:
    return next(iter(at_moment(scene, state, unit, kind)), None)


def _is_used(state: EleventhState, unit: int, ability: str) -> bool:
    return any(each[:2] == (unit, ability) for each in state.used_abilities)


def _note(battle: Battle11, unit: int, ability: str, until: str) -> None:
    battle.state.used_abilities += ((unit, ability, until),)
    battle.happened(AbilityUsed(unit=battle.scene.units[unit].id, ability=ability, rules=(_RULE,)))


# -- further normal moves ------------------------------------------------------------------------------------------


def _moves(battle: Battle11, unit: int, enemy: int | None) -> Iterator[Trigger]:
    source = _first(battle.scene, battle.state, unit, ExtraMove)
    if source is None or not _may_move(battle, unit, source, enemy):
        return
    info, effect = battle.scene.units[unit], source.clause.effect
    assert isinstance(effect, ExtraMove), "it was asked for"
    yield Trigger(
        f"extra-move:{info.id}",
        f"{source.clause.ability}: {info.name} makes a normal move of up to {effect.distance} inches",
        _RULE,
        info.side,
        act=partial(_move, unit=unit, source=source),
        holds=lambda battle: _may_move(battle, unit, source, enemy),
    )


@rule(
    "11e.core.19.04-model-abilities",
    "11e.core.03.01-one-normal-move",
    "11e.core.01.04-within",
    "11e.core.03.02-oversized-deployment",
    "11e.core.20.04-after-ingress",
)
def _may_move(battle: Battle11, unit: int, source: Source, enemy: int | None) -> bool:
    """Whether the unit may make the further move: unengaged, none of it used up, near enough to who has moved; not if
    it is AIRCRAFT, has just arrived from reserves, or is held at its edge.

    RULING: 11e.core.03.01-one-normal-move in a phase in which the unit has made a normal move it makes no further one.
    """
    scene, state, effect = battle.scene, battle.state, source.clause.effect
    assert isinstance(effect, ExtraMove), "it was asked for"
    if (effect.within is None) is not (enemy is None) or is_engaged(scene, state, unit):
        return False
    if state.units[unit].moved_this_phase or _is_used(state, unit, source.clause.ability):
        return False
    if is_kept_from_moves(scene, state, unit) or is_held_at_edge(state, unit):
        return False
    if not any(may_ever_move(scene, row) for row in standing(state, unit)):
        return False
    if enemy is None or effect.within is None:
        return True
    if not standing(state, enemy) or (effect.kinds and state.units[enemy].moved_as not in effect.kinds):
        return False
    return within(unit_distance(scene, state, unit, enemy), effect.within)


@rule("11e.core.09.05-normal-move", "11e.core.18.02-embark")
def _move(battle: Battle11, *, unit: int, source: Source) -> Procedure[None]:
    """Roll the distance if it is random, then make the move with the unit's controller as the active player; after it,
    as after any normal move, the unit may embark (18.02)."""
    effect = source.clause.effect
    assert isinstance(effect, ExtraMove), "it was asked for"
    _note(battle, unit, source.clause.ability, str(effect.limit or Until.PHASE))
    inches = rolled(battle, effect.distance, "extra-move", unit, _MOVE)
    if (yield from while_moving(battle, unit, _make(battle, unit, inches))):
        if effect.no_charge:
            battle.state.units[unit].may_not_charge = True
        yield from embark(battle, unit)


def _make(battle: Battle11, unit: int, inches: int) -> Procedure[bool]:
    from battlewright.editions.eleventh.movement import normal_space  # which opens windows itself

    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    limits = {row: 1000 * inches for row in standing(state, unit) if may_ever_move(scene, row)}
    placement = yield Decision(
        info.side,
        "extra-move",
        f'Make a normal move of up to {inches}" with {info.name}',
        _MOVE,
        normal_space(scene, state, unit, limits),
        subject=info.index,
    )
    assert isinstance(placement, Place)
    if not placement.moves:
        return False
    moves.carry_out(battle, unit, placement, MoveKind.NORMAL, _MOVE)
    return True


# -- into reserves (20.02) -----------------------------------------------------------------------------------------


def _repositioning(battle: Battle11) -> Iterator[Trigger]:
    """Units of the player whose turn it is not that may be put into reserves at its end, once in the battle."""
    scene, state = battle.scene, battle.state
    for unit in scene.units:
        if unit.side == state.turn or not _may_reposition(battle, unit.index):
            continue
        source = _first(scene, state, unit.index, Reposition)
        assert source is not None, "it has one"
        yield Trigger(
            f"reposition:{unit.id}",
            f"{source.clause.ability}: put {unit.name} into reserves",
            "11e.core.20.02-repositioned",
            unit.side,
            act=partial(_reposition, unit=int(unit.index), ability=source.clause.ability),
            holds=lambda battle, index=unit.index: _may_reposition(battle, index),  # type: ignore[misc]
        )


def _may_reposition(battle: Battle11, unit: int) -> bool:
    source = _first(battle.scene, battle.state, unit, Reposition)
    if source is None or not standing(battle.state, unit):
        return False
    return not _is_used(battle.state, unit, source.clause.ability)


@rule("11e.core.20.02-repositioned")
def _reposition(battle: Battle11, *, unit: int, ability: str) -> Procedure[None]:
    _note(battle, unit, ability, "battle")
    reposition(battle, unit, ability)
    yield from ()


# -- forced battle-shock rolls (01.07) -------------------------------------------------------------------------------


def _tests(battle: Battle11) -> Iterator[Trigger]:
    scene, state = battle.scene, battle.state
    for unit in scene.units:
        source = _first(scene, state, unit.index, ForceTest) if standing(state, unit.index) else None
        if source is not None and engaged_units(scene, state, unit.index):
            yield Trigger(
                f"force-test:{unit.id}",
                f"{source.clause.ability}: enemies that {unit.name} is engaged with make battle-shock rolls",
                "11e.core.01.07-battle-shock-roll",
                unit.side,
                act=partial(_test, unit=int(unit.index), ability=source.clause.ability),
                is_optional=False,
            )


@rule("11e.core.01.07-battle-shock-roll")
def _test(battle: Battle11, *, unit: int, ability: str) -> Procedure[None]:
    """Each enemy unit that it is engaged with makes a battle-shock roll, in the order of the list.

    RULING: 11e.core.08.03-one-roll a unit that is battle-shocked already makes none: only its own player's step clears
    that.
    """
    from battlewright.editions.eleventh.command import battle_shock_roll  # whose steps open windows

    _note(battle, unit, ability, str(Until.PHASE))
    for foe in sorted(engaged_units(battle.scene, battle.state, unit)):
        if not battle.state.units[foe].battle_shocked:
            battle_shock_roll(battle, foe)
    yield from ()
