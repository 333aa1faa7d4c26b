"""Wounds and models that come back (01.09, 02): healing a unit or a model, reviving, and where revived models stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from battlewright.core.bases import to_inches
from battlewright.core.battle import Procedure
from battlewright.core.decisions import Decision, Place
from battlewright.core.dice import DiceExpression
from battlewright.core.events import ModelsMoved
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.eleventh.beside import BesideSpace
from battlewright.editions.eleventh.coherency import NEAR, SPREAD, UPRIGHT
from battlewright.editions.eleventh.conditions import Coherent, Condition, Unengaged, gaps_to_rows
from battlewright.editions.eleventh.damage import select_model
from battlewright.editions.eleventh.engagement import engaged_units
from battlewright.editions.eleventh.events import ModelReturned, WoundsHealed
from battlewright.editions.eleventh.healing import Healable, heal_choices, heal_model, heal_unit
from battlewright.editions.eleventh.passengers import capacity, is_aboard, models_aboard
from battlewright.editions.eleventh.placed import Booleans, Placed
from battlewright.editions.eleventh.scene import Battle11, Scene, living, standing
from battlewright.editions.eleventh.state import EleventhState, MoveKind

__all__ = ["can_be_healed", "heal_one", "heal_whole", "return_space", "revivable", "revive", "revive_models", "rolled"]

_PLACEMENT = "11e.core.01.09-revived-placement"


@rule("11e.core.01.05-d3")
def rolled(battle: Battle11, amount: DiceExpression, purpose: str, unit: int, *rules: str) -> int:
    """An amount that may have to be rolled; a D3 is a D6 halved and rounded up, which is what a die of three sides of
    the battle's stream is."""
    if not amount.is_random:
        return amount.bonus
    info = battle.scene.units[unit]
    roll = battle.rolled(battle.roll(amount.count, amount.sides, purpose), info.side, *rules, unit=info.id)
    return roll.total + amount.bonus


# -- healing (02) -----------------------------------------------------------------------------------------------


def _healable(scene: Scene, state: EleventhState, row: int) -> Healable:
    """A model as healing sees it; W of a profile never changes in a battle, so that it is what the model began with."""
    profile = scene.models[row].profile
    return Healable(int(state.wounds[row]), profile.wounds, profile.wounds, profile.is_character)


def can_be_healed(
    scene: Scene, state: EleventhState, unit: int, *, whole: bool = True, bearers: Sequence[int] = ()
) -> bool:
    """Whether there is anything to heal: in the unit, dead models included, or on one of its models alone."""
    if not living(state, unit):
        return False
    if whole:
        return bool(heal_choices([_healable(scene, state, row) for row in state.units[unit].models]))
    return any(0 < int(state.wounds[row]) < scene.models[row].profile.wounds for row in bearers)


@rule("11e.ds-healing.unit-heals-up-to", "11e.ds-healing.revive-one-wound", "11e.ds-healing.revived-then-heals")
def heal_whole(battle: Battle11, unit: int, wounds: int, why: str, *rules: str) -> Procedure[int]:
    """Heal a unit, one wound at a time: a wounded model while there is one, else a destroyed one comes back with one
    wound, which may then be healed (02). Its player selects the models. Returns the wounds healed."""
    scene, state = battle.scene, battle.state
    rows = list(state.units[unit].models)
    gone: set[int] = set()
    for healed in range(wounds):
        models = [_healable(scene, state, row) for row in rows]
        places = [place for place in heal_choices(models) if rows[place] not in gone]
        if not places:
            return healed
        row = yield from select_model(battle, [rows[place] for place in places], "select a model to heal", rules[0])
        place = rows.index(row)
        after = heal_unit(models, 1, partial(_this, place))[place]
        if int(state.wounds[row]):
            _regain(battle, row, after, why, *rules)
        elif not (yield from revive(battle, unit, row, after, why, *rules)):
            gone.add(row)  # there is no room for it
    return wounds


def _this(place: int, choices: Sequence[int]) -> int:
    return place


@rule("11e.ds-healing.model-heals-only-itself", "11e.ds-healing.model-heal-excess-lost", "11e.core.02-heal-model")
def heal_one(battle: Battle11, row: int, wounds: int, why: str, *rules: str) -> int:
    """Heal one model alone, up to the wounds that it began with; returns how many it has regained (02)."""
    before = int(battle.state.wounds[row])
    after = heal_model(_healable(battle.scene, battle.state, row), wounds)
    if after > before:
        _regain(battle, row, after, why, *rules)
    return after - before


def _regain(battle: Battle11, row: int, left: int, why: str, *rules: str) -> None:
    healed = left - int(battle.state.wounds[row])
    battle.state.wounds[row] = left
    unit = battle.scene.unit_of(row).id
    battle.happened(WoundsHealed(unit=unit, model=row, healed=healed, left=left, why=why, rules=rules))


# -- reviving (01.09) -------------------------------------------------------------------------------------------


@rule("11e.core.01.09-revived-limits")
def revivable(scene: Scene, state: EleventhState, unit: int, *, bodyguard: bool = False) -> list[int]:
    """The destroyed models of a unit of which some live that a rule may bring back: no CHARACTER, and none beyond its
    starting strength (01.09).

    RULING: 11e.core.01.09-revived-limits rules that bring back "models" mean models that are no CHARACTER, as healing
    does; others name whom they mean.
    """
    alive = living(state, unit)
    if not alive or len(alive) >= state.units[unit].starting_strength:
        return []
    return [
        row
        for row in state.units[unit].models
        if not state.wounds[row]
        and row not in state.fallen
        and not scene.models[row].profile.is_character
        and (not bodyguard or scene.models[row].role == "unit")
    ]


@rule("11e.core.01.09-revived-limits")
def revive_models(
    battle: Battle11, unit: int, count: int, why: str, *rules: str, bodyguard: bool = False
) -> Procedure[int]:
    """Bring back up to so many destroyed models of a unit, with all their wounds and the wargear that they began with;
    its player selects them. Returns how many came back."""
    scene, state = battle.scene, battle.state
    back, gone = 0, set[int]()
    while back < count:
        rows = [row for row in revivable(scene, state, unit, bodyguard=bodyguard) if row not in gone]
        if not rows:
            break
        row = yield from select_model(battle, rows, "select a model to revive", rules[0])
        if (yield from revive(battle, unit, row, scene.models[row].profile.wounds, why, *rules)):
            back += 1
        else:
            gone.add(row)
    return back


@rule("11e.core.01.09-revived-placement", "11e.core.01.09-revived-embarked", "11e.core.01.09-revived-limits")
def revive(battle: Battle11, unit: int, row: int, wounds: int, why: str, *rules: str) -> Procedure[bool]:
    """Bring one destroyed model back to its unit, whatever component of it it belonged to (01.09).

    It is set up with models of the unit that began the phase on the battlefield; with a unit aboard of a transport it
    goes aboard if there is a place left, else it stays destroyed and triggers nothing. Returns whether it is back.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    if len(living(state, unit)) >= state.units[unit].starting_strength:
        return False
    there = bool(standing(state, unit))
    state.wounds[row] = wounds
    where = "reserves"
    if is_aboard(state, unit):
        carrier = state.units[unit].embarked_in
        where = "aboard" if len(models_aboard(state, carrier)) <= capacity(scene, state, carrier) else "nowhere"
    elif there:
        space = return_space(scene, state, unit, row)
        placement = yield Decision(
            info.side,
            "place-revived",
            f"Set up {scene.models[row].name} of {info.name}, which comes back",
            _PLACEMENT,
            space,
            subject=info.index,
        )
        assert isinstance(placement, Place)
        where = "battlefield" if placement.moves else "nowhere"
        for move in placement.moves:
            x, y, z, facing = move.path[-1]
            state.position[row] = (x, y, z, facing % 360_000)
            state.on_table[row] = True
            state.units[unit].revived += (row,)
            paths = ((row, ((x, y, z, facing % 360_000),)),)
            battle.happened(ModelsMoved(unit=info.id, how=MoveKind.SET_UP.value, paths=paths, rules=(_PLACEMENT,)))
    if where == "nowhere":
        state.wounds[row] = 0
    battle.happened(
        ModelReturned(unit=info.id, model=row, left=int(state.wounds[row]), where=where, why=why, rules=rules)
    )
    return where != "nowhere"


@dataclass(frozen=True)
class AmongItsUnit(Condition):
    """A revived model stands in coherency with models of its unit, and on none of them.

    Attributes:
        rows: the unit's models on the battlefield; ``anchors`` those of them that began the phase there.
    """

    rows: tuple[int, ...]
    anchors: tuple[int, ...]
    rule_id: str = _PLACEMENT

    @rule("11e.core.01.09-revived-placement")
    def met(self, placed: Placed) -> Booleans:
        """See :meth:`Condition.met`."""
        gaps = gaps_to_rows(placed, self.rows)
        z = to_inches(placed.around.state.position[list(self.rows)])[:, 2]
        level = (np.abs(placed.poses[:, 2][:, None] - z[None, :]) <= UPRIGHT + TOLERANCE).all(axis=1)
        near = gaps[:, [row in self.anchors for row in self.rows]].min(axis=1) <= NEAR + TOLERANCE
        apart = (gaps >= -TOLERANCE).all(axis=1) & (gaps <= SPREAD + TOLERANCE).all(axis=1)
        return np.asarray(level & near & apart, dtype=np.bool_)

    def fault(self, placed: Placed, index: int) -> str:
        """See :meth:`Condition.fault`."""
        gap = float(gaps_to_rows(placed.take([index]), self.anchors).min())
        return f'is {gap:.2f}" from the models of its unit that began the phase on the battlefield'


@rule("11e.core.01.09-revived-placement")
def return_space(scene: Scene, state: EleventhState, unit: int, row: int) -> BesideSpace:
    """Where a revived model may be set up: with its unit, engaged only with enemies that the unit is engaged with."""
    rows = tuple(standing(state, unit))
    anchors = tuple(each for each in rows if each not in state.units[unit].revived) or rows
    space = BesideSpace(
        scene,
        state,
        unit,
        rule=_PLACEMENT,
        hubs=anchors,
        distance=NEAR,
        after=(AmongItsUnit(rows, anchors), Unengaged(_PLACEMENT, but_for=engaged_units(scene, state, unit))),
        rows=(row,),
    )
    space.conditions = tuple(each for each in space.conditions if not isinstance(each, Coherent))
    return space
