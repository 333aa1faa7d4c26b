"""The Movement phase (09): each unit is selected once and makes a move or remains stationary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import Decision, Option, Options, Place
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh import command, damage, formations, moves, objectives
from battlewright.editions.eleventh.abilities.in_force import characteristic_in_force, roll_modifiers
from battlewright.editions.eleventh.abilities.language import Roll
from battlewright.editions.eleventh.command_re_roll import with_re_roll
from battlewright.editions.eleventh.conditions import Unengaged
from battlewright.editions.eleventh.engagement import engaged_units
from battlewright.editions.eleventh.events import UnitSelected
from battlewright.editions.eleventh.flying import aloft_limits, mobile_risk, take_mobile, take_to_the_skies
from battlewright.editions.eleventh.modifiers import Characteristic, modified_roll
from battlewright.editions.eleventh.moves import MoveSpace, may_ever_move
from battlewright.editions.eleventh.reserves import ingress, is_aircraft, is_held_at_edge, may_ingress
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import EleventhState, MoveKind
from battlewright.editions.eleventh.transports import Mode, disembark, embark, may_disembark
from battlewright.editions.eleventh.triggers import Occasion, while_moving
from battlewright.editions.eleventh.windows import window

__all__ = [
    "advance_space",
    "eligible_moves",
    "fall_back_modes",
    "fall_back_space",
    "may_be_selected_to_move",
    "movement_phase",
    "normal_space",
]

END: Final = "end"
ORDERED_RETREAT: Final = "ordered-retreat"
DESPERATE_ESCAPE: Final = "desperate-escape"


@resumable
@rule("11e.core.09-select-each-unit", "11e.core.07-objectives-first")
def movement_phase(battle: Battle11) -> Procedure[None]:
    """Units of the turn player are selected one after another; those that are not remain stationary; then control of
    objectives is determined, before anything that is triggered at the end of the phase (09, 07)."""
    state = battle.state
    state.begin()
    while state.step == 1:
        if not _selectable(battle):
            state.step = 2
            break
        yield from _move_one(battle)
    objectives.determine_control(battle)
    yield from window(battle, Occasion.MOVEMENT_ENDS)


def _selectable(battle: Battle11) -> list[int]:
    return [
        unit.index
        for unit in battle.scene.units_of(battle.state.turn)
        if may_be_selected_to_move(battle.scene, battle.state, unit.index)
    ]


@rule("11e.core.09-select-each-unit")
def may_be_selected_to_move(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit may be selected: the turn player's, not yet selected this phase, on the battlefield or able to
    come onto it (09).

    A unit for which there was no room may be selected again once another has moved (03.02).
    """
    mine = state.units[unit]
    if mine.side != state.turn or mine.selected_to_move or mine.found_no_room or mine.surged:
        return False
    return bool(standing(state, unit)) or may_ingress(state, unit) or may_disembark(scene, state, unit)


@resumable
def _move_one(battle: Battle11) -> Procedure[None]:
    state = battle.state
    choices = Options(
        lambda: [
            *(Option(battle.scene.units[unit].id, battle.scene.units[unit].name, unit) for unit in _selectable(battle)),
            Option(END, "end the phase; all others remain stationary", None),
        ],
        rule="11e.core.09-select-each-unit",
    )
    answer = yield Decision(
        state.turn,
        "select-unit-to-move",
        "Select a unit to move",
        "11e.core.09-select-each-unit",
        choices,
        is_checkpoint=True,
    )
    unit = choices.value_of(answer)
    if unit is None:
        state.step = 2
        return
    state.units[unit].selected_to_move = True
    yield from while_moving(battle, unit, _move(battle, unit))
    if standing(state, unit) and state.units[unit].has_moved:
        yield from window(battle, Occasion.ENEMY_MOVED, unit)


# -- one unit ----------------------------------------------------------------------------------------------------


@rule("11e.core.09-engaged-with-aircraft-only")
def holding_units(scene: Scene, state: EleventhState, unit: int) -> frozenset[int]:
    """The enemy units that keep it from normal and advance moves: those it is engaged with, but for AIRCRAFT."""
    return frozenset(
        foe
        for foe in engaged_units(scene, state, unit)
        if not all(scene.models[row].has("AIRCRAFT") for row in standing(state, foe))
    )


@rule(
    "11e.core.03.01-move-types",
    "11e.core.09.04-remain-stationary",
    "11e.core.09.05-normal-move",
    "11e.core.09.06-advance-move",
    "11e.core.09.07-fall-back-move",
    "11e.core.18.04-disembark",
    "11e.core.20.03-arriving",
    "11e.core.23.01-reserves",
)
def eligible_moves(scene: Scene, state: EleventhState, unit: int) -> tuple[MoveKind, ...]:
    """The types of move that the unit may make in its Movement phase, remaining stationary last."""
    kinds: list[MoveKind] = []
    if may_ingress(state, unit):
        return (MoveKind.INGRESS, MoveKind.STATIONARY)
    if may_disembark(scene, state, unit):
        return (MoveKind.DISEMBARK, MoveKind.STATIONARY)
    if is_aircraft(scene, state, unit) or is_held_at_edge(state, unit):
        return (MoveKind.STATIONARY,)
    if any(moves.may_ever_move(scene, row) for row in standing(state, unit)):
        if not engaged_units(scene, state, unit):
            kinds += [MoveKind.NORMAL, MoveKind.ADVANCE]
        elif not holding_units(scene, state, unit):
            kinds += [MoveKind.NORMAL, MoveKind.ADVANCE, MoveKind.FALL_BACK]
        else:
            kinds += [MoveKind.FALL_BACK]
    return (*kinds, MoveKind.STATIONARY)


_LABELS: Final[Mapping[MoveKind, str]] = {
    MoveKind.NORMAL: "make a normal move",
    MoveKind.ADVANCE: "make an advance move",
    MoveKind.FALL_BACK: "make a fall-back move",
    MoveKind.INGRESS: "arrive from reserves",
    MoveKind.DISEMBARK: "disembark",
    MoveKind.STATIONARY: "remain stationary",
}


def _move(battle: Battle11, unit: int) -> Procedure[None]:
    """Choose the type of move and make it."""
    scene, state = battle.scene, battle.state
    yield from window(battle, Occasion.SELECTED_TO_MOVE, unit)
    limits = move_distances(battle, unit)
    kind = yield from _select_move(battle, unit, eligible_moves(scene, state, unit))
    if kind is MoveKind.STATIONARY:
        state.units[unit].moved_as = kind.value
    elif kind is MoveKind.INGRESS:
        if not (yield from ingress(battle, unit)):
            _found_no_room(battle, unit)
    elif kind is MoveKind.DISEMBARK:
        mode = yield from disembark(battle, unit)
        if mode is None:
            _found_no_room(battle, unit)
        elif mode is Mode.TACTICAL and any(may_ever_move(scene, row) for row in standing(state, unit)):
            limits = move_distances(battle, unit)
            kind = yield from _select_move(battle, unit, (MoveKind.NORMAL, MoveKind.ADVANCE))
            yield from _make(battle, unit, kind, limits)
    else:
        yield from _make(battle, unit, kind, limits)


@rule("11e.core.03.02-set-up-whole")
def _found_no_room(battle: Battle11, unit: int) -> None:
    """The unit has not been selected for the move; it can be again once another unit has moved (03.02)."""
    mine = battle.state.units[unit]
    mine.selected_to_move, mine.found_no_room = False, True


@rule("11e.core.21.03-take-to-the-skies", "11e.24.35-super-heavy-walker.no-mobile-no-roll")
def _make(battle: Battle11, unit: int, kind: MoveKind, limits: dict[int, int]) -> Procedure[None]:
    """Make a normal, advance or fall-back move, through the skies or not; afterwards the unit may embark."""
    aloft = yield from take_to_the_skies(battle, unit)
    if aloft:
        limits = aloft_limits(battle.scene, battle.state, unit, limits)
    mobile = yield from take_mobile(battle, unit, kind)
    act = {MoveKind.NORMAL: _normal, MoveKind.ADVANCE: _advance, MoveKind.FALL_BACK: _fall_back}[kind]
    made = yield from act(battle, unit, limits, aloft=aloft, mobile=mobile)
    if made and mobile:
        mobile_risk(battle, unit)
    if made:
        yield from embark(battle, unit)


def _select_move(battle: Battle11, unit: int, kinds: Sequence[MoveKind]) -> Procedure[MoveKind]:
    info = battle.scene.units[unit]
    kind = kinds[0] if len(kinds) == 1 else (yield from _ask_for_move(battle, unit, kinds))
    battle.happened(UnitSelected(unit=info.id, to="move", how=kind.value, rules=("11e.core.09-select-each-unit",)))
    return kind


def _ask_for_move(battle: Battle11, unit: int, kinds: Sequence[MoveKind]) -> Procedure[MoveKind]:
    info = battle.scene.units[unit]
    kind: MoveKind = yield from choose(
        Decision(
            info.side,
            "select-move",
            f"How does {info.name} move?",
            "11e.core.03.01-move-types",
            Options([Option(each.value, _LABELS[each], each) for each in kinds], rule="11e.core.03.01-move-types"),
            subject=info.index,
        )
    )
    return kind


@rule("11e.core.02-random-move", "11e.ds-random.move-once-per-unit", "11e.core.03.01-own-maximum")
def move_distances(battle: Battle11, unit: int) -> dict[int, int]:
    """How far each model of the unit that may move at all may go, in thousandths of an inch.

    A random M is rolled once for the unit (02); models with different M use their own.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    rolled: dict[str, int] = {}
    distances: dict[int, int] = {}
    for row in standing(state, unit):
        printed = scene.models[row].profile.move
        if printed is None:
            continue
        if not printed.is_random:
            move = characteristic_in_force(scene, state, row, Characteristic.M, printed.bonus)
            distances[row] = 1000 * max(1, move or 0)
            continue
        if str(printed) not in rolled:
            roll = battle.rolled(battle.roll(printed.count, printed.sides, "move"), info.side, unit=info.id)
            rolled[str(printed)] = max(1, roll.total + printed.bonus)
        distances[row] = 1000 * rolled[str(printed)]
    return distances


@rule("11e.core.09.05-normal-move", "11e.core.03.01-one-normal-move")
def normal_space(
    scene: Scene,
    state: EleventhState,
    unit: int,
    limits: Mapping[int, int],
    *,
    aloft: bool = False,
    mobile: bool = False,
) -> MoveSpace:
    """A normal move: up to M, ending unengaged (09.05)."""
    return MoveSpace(
        scene,
        state,
        unit,
        MoveKind.NORMAL,
        rule="11e.core.09.05-normal-move",
        limits=limits,
        aloft=aloft,
        mobile=mobile,
        after=(Unengaged(),),
    )


@rule("11e.core.09.06-advance-move")
def advance_space(
    scene: Scene,
    state: EleventhState,
    unit: int,
    limits: Mapping[int, int],
    *,
    aloft: bool = False,
    mobile: bool = False,
) -> MoveSpace:
    """An advance move: up to M and the advance roll, which the limits hold, ending unengaged (09.06)."""
    return MoveSpace(
        scene,
        state,
        unit,
        MoveKind.ADVANCE,
        rule="11e.core.09.06-advance-move",
        limits=limits,
        aloft=aloft,
        mobile=mobile,
        after=(Unengaged(),),
    )


@rule("11e.core.09.07-fall-back-move", "11e.core.09.07-desperate-escape")
def fall_back_space(
    scene: Scene,
    state: EleventhState,
    unit: int,
    limits: Mapping[int, int],
    *,
    desperate: bool,
    aloft: bool = False,
    mobile: bool = False,
) -> MoveSpace:
    """A fall-back move: up to M, ending unengaged, through enemy models in a desperate escape (09.07)."""
    return MoveSpace(
        scene,
        state,
        unit,
        MoveKind.FALL_BACK,
        rule="11e.core.09.07-fall-back-move",
        limits=limits,
        through_enemies=desperate,
        aloft=aloft,
        mobile=mobile,
        after=(Unengaged("11e.core.09.07-fall-back-move"),),
        suggest=formations.away_from_enemies,
    )


def _place(battle: Battle11, space: MoveSpace, prompt: str) -> Procedure[bool]:
    """Ask for the placement and carry it out; returns whether the move was made (03.01)."""
    info = battle.scene.units[space.unit]
    placement = yield Decision(info.side, f"move-{space.kind}", prompt, space.rule, space, subject=info.index)
    assert isinstance(placement, Place)
    if not space.is_made(placement):
        battle.state.units[space.unit].moved_as = MoveKind.STATIONARY.value
        return False
    moves.carry_out(battle, space.unit, placement, space.kind, space.rule)
    return True


@rule("11e.core.09.05-normal-move")
def _normal(battle: Battle11, unit: int, limits: dict[int, int], *, aloft: bool, mobile: bool) -> Procedure[bool]:
    space = normal_space(battle.scene, battle.state, unit, limits, aloft=aloft, mobile=mobile)
    return (yield from _place(battle, space, f"Move {battle.scene.units[unit].name}"))


@rule("11e.core.09.06-advance-move")
def _advance(battle: Battle11, unit: int, limits: dict[int, int], *, aloft: bool, mobile: bool) -> Procedure[bool]:
    """The advance roll, then the move; a unit that has advanced is marked so (09.06)."""
    info = battle.scene.units[unit]
    roll = yield from with_re_roll(battle, unit, battle.roll(1, 6, "advance"))
    battle.rolled(roll, info.side, "11e.core.09.06-advance-move", unit=info.id)
    further = modified_roll(roll.total, roll_modifiers(battle.scene, battle.state, unit, Roll.ADVANCE)).modified
    limits = {row: limit + 1000 * further for row, limit in limits.items()}
    space = advance_space(battle.scene, battle.state, unit, limits, aloft=aloft, mobile=mobile)
    made = yield from _place(battle, space, f"Advance {info.name}, {further} rolled")
    battle.state.units[unit].advanced = made
    return made


# -- falling back (09.07) ----------------------------------------------------------------------------------------


@rule("11e.core.09.07-ordered-retreat", "11e.core.09.07-desperate-escape", "11e.core.09-modes-in-order")
def fall_back_modes(state: EleventhState, unit: int) -> tuple[str, ...]:
    """The modes in their printed order: ordered retreat for a unit that is not battle-shocked, desperate escape."""
    return (DESPERATE_ESCAPE,) if state.units[unit].battle_shocked else (ORDERED_RETREAT, DESPERATE_ESCAPE)


@rule(
    "11e.core.09.07-fall-back-move",
    "11e.core.09.07-desperate-escape",
    "11e.core.09.07-desperate-escape-shock",
    "11e.core.09.07-desperate-escape-test",
)
def _fall_back(battle: Battle11, unit: int, limits: dict[int, int], *, aloft: bool, mobile: bool) -> Procedure[bool]:
    """Pick the mode; a desperate escape begins with a hazard roll for each model and ends with a battle-shock roll.

    RULING: 11e.core.09.07-desperate-escape-shock we read "afterwards" as after a move that was made: models that
    cannot get away return to where they stood, and the unit has not fallen back.
    """
    state, info = battle.state, battle.scene.units[unit]
    mode = yield from _fall_back_mode(battle, unit)
    desperate = mode == DESPERATE_ESCAPE
    if desperate:
        yield from damage.hazard_rolls(battle, unit, len(standing(state, unit)))
        alive = set(standing(state, unit))
        limits = {row: limit for row, limit in limits.items() if row in alive}
        if not alive:
            return False
    space = fall_back_space(battle.scene, state, unit, limits, desperate=desperate, aloft=aloft, mobile=mobile)
    made = yield from _place(battle, space, f"Fall back with {info.name}")
    state.units[unit].fell_back = made
    if made and desperate and not state.units[unit].battle_shocked:
        command.battle_shock_roll(battle, unit)
    return made


def _fall_back_mode(battle: Battle11, unit: int) -> Procedure[str]:
    modes = fall_back_modes(battle.state, unit)
    if len(modes) == 1:
        return modes[0]
    info = battle.scene.units[unit]
    choices = Options(
        [
            Option(ORDERED_RETREAT, "ordered retreat", ORDERED_RETREAT),
            Option(DESPERATE_ESCAPE, "desperate escape: hazard rolls, then through enemy models", DESPERATE_ESCAPE),
        ],
        rule="11e.core.09.07-ordered-retreat",
        default=ORDERED_RETREAT,
    )
    mode: str = yield from choose(
        Decision(
            info.side,
            "select-fall-back-mode",
            f"How does {info.name} fall back?",
            "11e.core.09.07-ordered-retreat",
            choices,
            subject=info.index,
        )
    )
    return mode
