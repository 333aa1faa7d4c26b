"""Resolve Pre-battle Abilities (mission sequence, step 11): Scouts and scout moves (24.31, 24.32)."""

from __future__ import annotations

from battlewright.core.bases import to_inches
from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import Decision, Option, Options, Place, Side, opponent
from battlewright.core.footprints import Polygons
from battlewright.core.rulebook import rule
from battlewright.core.shapes import wholly_within_matrix
from battlewright.editions.eleventh import moves
from battlewright.editions.eleventh.abilities.in_force import profile_in_force
from battlewright.editions.eleventh.battle_formations import end_part
from battlewright.editions.eleventh.conditions import FarFromEnemies
from battlewright.editions.eleventh.core_abilities import ENEMY_DISTANCE, every_model_has, scouts_distances
from battlewright.editions.eleventh.datasheet import CoreAbilityName
from battlewright.editions.eleventh.moves import MoveSpace, may_ever_move
from battlewright.editions.eleventh.passengers import aboard, is_aboard, is_dedicated, models_aboard
from battlewright.editions.eleventh.scene import Battle11, Scene, living, standing
from battlewright.editions.eleventh.setting_up import SetUpSpace, zone_space, zones_of
from battlewright.editions.eleventh.state import EleventhState, MoveKind, Phase

__all__ = ["may_scout", "pre_battle_abilities", "scout_reserves_space", "scout_space", "scouting_units"]

_SCOUTS = "11e.24.31-scouts.one-option"


@resumable
@rule("11e.core.mission.pre-battle-rules", "11e.core.24-scouts")
def pre_battle_abilities(battle: Battle11) -> Procedure[None]:
    """The players use one pre-battle rule each in turn, who has the first turn first; each may end (step 11)."""
    state = battle.state
    while any(_is_going_on(battle, side) for side in (state.first, opponent(state.first))):
        if _is_going_on(battle, state.chooser):
            yield from _one_rule(battle, state.chooser)
        state.chooser = opponent(state.chooser)


def _is_going_on(battle: Battle11, side: Side) -> bool:
    return not battle.state.finished[side] and bool(scouting_units(battle.scene, battle.state, side))


@resumable
def _one_rule(battle: Battle11, side: Side) -> Procedure[None]:
    """Pick a unit and use its Scouts; the go is over when it is done.

    The turn to choose passes on in :func:`pre_battle_abilities`, which is entered anew with the same chooser.
    """
    scene, state = battle.scene, battle.state
    choices = Options(
        lambda: [
            *(
                Option(scene.units[unit].id, f"{scene.units[unit].name}: {_label(scene, state, unit)}", unit)
                for unit in scouting_units(scene, state, side)
            ),
            Option("end", "no further unit", None),
        ],
        rule=_SCOUTS,
    )
    answer = yield Decision(
        side, "select-unit-to-scout", "Which unit uses Scouts?", _SCOUTS, choices, is_checkpoint=True
    )
    unit: int | None = choices.value_of(answer)
    if unit is None:
        end_part(state, side)
    elif state.units[unit].in_reserves:
        yield from _set_up_from_reserves(battle, unit)
    else:
        yield from _scout_move(battle, unit)


def _label(scene: Scene, state: EleventhState, unit: int) -> str:
    return "set up from reserves" if state.units[unit].in_reserves else "scout move"


# -- who may (24.31) ---------------------------------------------------------------------------------------------


@rule("11e.24.31-scouts.one-option", "11e.24.32-scout-move.eligibility")
def scouting_units(scene: Scene, state: EleventhState, side: Side) -> list[int]:
    """The units of a side that may be set up or make a scout move by Scouts now, DEDICATED TRANSPORTS included."""
    return [unit.index for unit in scene.units_of(side) if may_scout(scene, state, unit.index)]


@rule(
    "11e.24.31-scouts.every-model",
    "11e.24.31-scouts.one-option",
    "11e.24.31-scouts.option-reserves",
    "11e.24.31-scouts.option-scout-move",
    "11e.24.31-scouts.option-transport",
    "11e.24.31-scouts.option-transport-all-aboard",
    "11e.24.32-scout-move.eligibility",
)
def may_scout(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether Scouts lets the unit be set up from reserves or make a scout move (24.31).

    A DEDICATED TRANSPORT makes one while each model aboard has Scouts. Once for each unit, and before the battle only.
    """
    mine = state.units[unit]
    if state.phase != Phase.SETUP or mine.scouted or is_aboard(state, unit) or not living(state, unit):
        return False
    if not _scouts(scene, state, unit):
        return False
    if mine.in_reserves:
        return _has_scouts(scene, state, unit)
    return (
        bool(standing(state, unit))
        and any(may_ever_move(scene, row) for row in standing(state, unit))
        and _is_in_own_zone(scene, state, unit)
    )


def _has_scouts(scene: Scene, state: EleventhState, unit: int) -> bool:
    return every_model_has((profile_in_force(scene, state, row) for row in living(state, unit)), CoreAbilityName.SCOUTS)


def _scouts(scene: Scene, state: EleventhState, unit: int) -> tuple[float, ...]:
    """The distances that the unit may scout, its own or, for a DEDICATED TRANSPORT, of those aboard; none without.

    RULING: 11e.24.31-scouts.option-transport the lowest distance of those aboard counts, and the transport makes one
    scout move in all.
    """
    if _has_scouts(scene, state, unit):
        return scouts_distances(profile_in_force(scene, state, row) for row in living(state, unit))
    if not is_dedicated(scene, unit):
        return ()
    models = [profile_in_force(scene, state, row) for row in models_aboard(state, unit)]
    if not every_model_has(models, CoreAbilityName.SCOUTS):
        return ()
    return scouts_distances(models)[:1]


def _is_in_own_zone(scene: Scene, state: EleventhState, unit: int) -> bool:
    zone, _ = zones_of(scene, state, state.units[unit].side)
    rows = standing(state, unit)
    placed = scene.bases.some_at(rows, to_inches(state.position[rows]))
    return bool(wholly_within_matrix(placed, Polygons.of((zone,))).all())


# -- what they do (24.31, 24.32) ---------------------------------------------------------------------------------


@rule("11e.24.31-scouts.option-reserves")
def scout_reserves_space(scene: Scene, state: EleventhState, unit: int) -> SetUpSpace:
    """Where a Scouts unit in reserves may be set up: wholly in its own zone (24.31)."""
    return zone_space(scene, state, unit, "11e.24.31-scouts.option-reserves")


@rule("11e.24.31-scouts.option-reserves")
def _set_up_from_reserves(battle: Battle11, unit: int) -> Procedure[None]:
    state, info = battle.state, battle.scene.units[unit]
    mine = state.units[unit]
    mine.scouted = True
    rule_id = "11e.24.31-scouts.option-reserves"
    placement = yield Decision(
        info.side,
        "scout-set-up",
        f"Set up {info.name} wholly within your deployment zone",
        rule_id,
        scout_reserves_space(battle.scene, state, unit),
        subject=info.index,
    )
    assert isinstance(placement, Place)
    if placement.moves:
        moves.carry_out(battle, unit, placement, MoveKind.SET_UP, rule_id)
        mine.in_reserves, mine.deployed = False, True


@rule(
    "11e.24.32-scout-move.moves-as-moving",
    "11e.24.32-scout-move.after-move-distance",
    "11e.24.32-scout-move.maximum-distance",
)
def scout_space(scene: Scene, state: EleventhState, unit: int, distance: float) -> MoveSpace:
    """A scout move: up to X", ending more than 8" from each enemy unit (24.32)."""
    return MoveSpace(
        scene,
        state,
        unit,
        MoveKind.SCOUT,
        rule="11e.24.32-scout-move.maximum-distance",
        limits={row: round(1000 * distance) for row in standing(state, unit) if may_ever_move(scene, row)},
        after=(FarFromEnemies(ENEMY_DISTANCE, "11e.24.32-scout-move.after-move-distance"),),
    )


@rule("11e.24.31-scouts.option-scout-move", "11e.24.31-scouts.option-transport", "11e.core.18.02-not-after-scouting")
def _scout_move(battle: Battle11, unit: int) -> Procedure[None]:
    """One scout move; nobody embarks after it."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    distances = _scouts(scene, state, unit)
    distance = distances[-1]
    if len(distances) > 1:
        rule_id = "11e.24.02-duplicated-abilities.scouts-lowest"
        choices = Options(
            [Option(f"{each:g}", f'Scouts {each:g}"', each) for each in distances],
            rule=rule_id,
            default=f"{distance:g}",
        )
        distance = yield from choose(
            Decision(info.side, "select-scouts", f"{info.name}: how far?", rule_id, choices, subject=info.index)
        )
    for each in (unit, *aboard(state, unit)):
        state.units[each].scouted = True
    placement = yield Decision(
        info.side,
        "scout-move",
        f'Make a scout move of up to {distance:g}" with {info.name}',
        "11e.24.31-scouts.option-scout-move",
        scout_space(scene, state, unit, distance),
        subject=info.index,
    )
    assert isinstance(placement, Place)
    if placement.moves:
        moves.carry_out(battle, unit, placement, MoveKind.SCOUT, "11e.24.31-scouts.option-scout-move")
