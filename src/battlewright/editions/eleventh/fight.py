"""The Fight phase (12): pile in, fight in turns, consolidate.

The steps of the phase: start, the turn player's pile-ins, the opponent's, the fights, the turn player's
consolidations, the opponent's, end.
"""

from __future__ import annotations

from collections.abc import Callable

from battlewright.core.battle import Procedure, resumable
from battlewright.core.decisions import Decision, Option, Options, Place, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.eleventh import close_moves, moves
from battlewright.editions.eleventh.abilities.in_force import combat_reach, profile_in_force
from battlewright.editions.eleventh.attacking import AttackKind, make_attacks
from battlewright.editions.eleventh.charge import choose_units
from battlewright.editions.eleventh.core_abilities import is_fights_first_unit
from battlewright.editions.eleventh.damage import let_go
from battlewright.editions.eleventh.engagement import engaged_units, is_engaged
from battlewright.editions.eleventh.events import UnitSelected
from battlewright.editions.eleventh.flying import without_aircraft
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.moves import MoveSpace
from battlewright.editions.eleventh.objective_moves import objective_space, objectives_within
from battlewright.editions.eleventh.reserves import is_kept_from_moves
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import NOBODY, EleventhState, EleventhUnit, MoveKind
from battlewright.editions.eleventh.triggers import Occasion, while_moving
from battlewright.editions.eleventh.windows import window

__all__ = [
    "consolidation_mode",
    "fight_phase",
    "has_fights_first",
    "is_eligible_to_fight",
    "may_consolidate",
    "may_pass",
    "may_pile_in",
]

PILE_IN = 3.0
"""Inches that a model piles in or consolidates at the most (12.03, 12.08)."""
SEARCH = 5.0
"""Inches within which an unengaged unit looks for pile-in targets (12.03), and beyond which a player may pass."""

_PILE_IN, _ANSWERING_PILE_IN, _FIGHTS, _CONSOLIDATE, _ANSWERING_CONSOLIDATE = 1, 2, 3, 4, 5


@resumable
@rule("11e.core.12-steps", "11e.core.12.02-pile-in-order", "11e.core.12.07-consolidation-order")
def fight_phase(battle: Battle11) -> Procedure[None]:
    """Pile in, fight, consolidate; in the first and last the turn player makes all wanted moves first (12)."""
    state = battle.state
    while state.step <= _ANSWERING_CONSOLIDATE:
        match state.step:
            case 0:
                state.step = _PILE_IN
                yield from window(battle, Occasion.FIGHT_BEGINS)
            case 1 | 2:
                yield from _moves_of_side(battle, state.step == _PILE_IN, may_pile_in, pile_in, "pile-in")
                _next_step(battle)
            case 3:
                yield from fights(battle)
                _next_step(battle)
            case _:
                first = state.step == _CONSOLIDATE
                yield from _moves_of_side(battle, first, may_consolidate, consolidate, "consolidate")
                _next_step(battle)
    yield from let_go(battle, range(len(state.units)))


def _next_step(battle: Battle11) -> None:
    state = battle.state
    state.step += 1
    if state.step == _FIGHTS:
        _begin_fights(battle)


@resumable
def _moves_of_side(
    battle: Battle11,
    is_turn_players: bool,
    may: Callable[[Scene, EleventhState, int], bool],
    act: Callable[[Battle11, int], Procedure[None]],
    kind: str,
) -> Procedure[None]:
    """One side's pile-ins or consolidations: units are selected one after the other, at most once, none has to."""
    state, scene = battle.state, battle.scene
    side = state.turn if is_turn_players else opponent(state.turn)
    while any(may(scene, state, unit.index) for unit in scene.units_of(side)):
        unit = yield from _select_mover(battle, side, may, kind)
        if unit is None:
            return
        yield from while_moving(battle, unit, act(battle, unit))


@resumable
def _select_mover(
    battle: Battle11, side: Side, may: Callable[[Scene, EleventhState, int], bool], kind: str
) -> Procedure[int | None]:
    scene, state = battle.scene, battle.state
    rule_id = "11e.core.12.02-pile-in-order" if kind == "pile-in" else "11e.core.12.07-consolidation-order"
    choices = Options(
        lambda: [
            *(Option(unit.id, unit.name, unit.index) for unit in scene.units_of(side) if may(scene, state, unit.index)),
            Option("end", "No further unit"),
        ],
        rule=rule_id,
    )
    answer = yield Decision(
        side,
        f"select-unit-to-{kind}",
        f"Select a unit to {kind.replace('-', ' ')}",
        rule_id,
        choices,
        is_checkpoint=True,
    )
    unit: int | None = choices.value_of(answer)
    return unit


# -- pile in (12.02-12.03) --------------------------------------------------------------------------------------


@rule("11e.core.12.03-pile-in-eligible", "11e.core.23.01-reserves")
def may_pile_in(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit may be selected to pile in: engaged, or charged this turn, or picked for an overrun fight;
    once in the step (12.03). AIRCRAFT make no such move (23.01)."""
    own = state.units[unit]
    if own.piled_in or own.surged or not standing(state, unit) or is_kept_from_moves(scene, state, unit):
        return False
    if own.charged or own.overrun or is_engaged(scene, state, unit):
        return bool(_pile_in_candidates(scene, state, unit))
    return False


def _pile_in_candidates(scene: Scene, state: EleventhState, unit: int) -> list[int]:
    """The units it piles in towards: all it is engaged with, else those within 5" (of which it chooses)."""
    engaged = without_aircraft(scene, state, unit, sorted(engaged_units(scene, state, unit)))
    return engaged or without_aircraft(scene, state, unit, _enemies_within(scene, state, unit, SEARCH))


def _enemies_within(scene: Scene, state: EleventhState, unit: int, limit: float) -> list[int]:
    side = state.units[unit].side
    return [
        foe.index
        for foe in scene.units
        if foe.side != side
        and standing(state, foe.index)
        and within(unit_distance(scene, state, unit, foe.index), limit)
    ]


@rule("11e.core.12.03-pile-in-targets", "11e.core.12.03-bonus-distance")
def pile_in(battle: Battle11, unit: int) -> Procedure[None]:
    """Choose the targets, where there is a choice, and move up to 3" (12.03)."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    state.units[unit].piled_in = True
    targets = _pile_in_candidates(scene, state, unit)
    if not engaged_units(scene, state, unit) & set(targets):
        targets = yield from choose_units(
            battle,
            unit,
            targets,
            kind="choose-pile-in-targets",
            prompt=f"Choose a unit for {info.name} to pile in towards",
            rule_id="11e.core.12.03-pile-in-targets",
            none="do not pile in",
        )
    if not targets:
        return
    reach = combat_reach(scene, state, unit, PILE_IN, consolidating=False)
    placement = yield Decision(
        info.side,
        "pile-in-move",
        f"Pile {info.name} in, up to {reach:g} inches",
        "11e.core.12.03-pile-in-models",
        close_moves.pile_in_space(battle, unit, targets, reach),
        subject=info.index,
    )
    assert isinstance(placement, Place)
    moves.carry_out(battle, unit, placement, MoveKind.PILE_IN, "11e.core.12.03-pile-in-models")


# -- who fights (12.04) -----------------------------------------------------------------------------------------


def _begin_fights(battle: Battle11) -> None:
    """Note who is engaged as the Fight step begins; the turn player picks first."""
    scene, state = battle.scene, battle.state
    for unit in scene.units:
        if standing(state, unit.index):
            engaged = is_engaged(scene, state, unit.index)
            state.units[unit.index].engaged_at_fights = engaged
            state.units[unit.index].unengaged_at_fights = not engaged
    state.chooser = state.turn
    state.passes = 0
    _note_eligible(battle)


@rule("11e.core.12.04-eligible-to-fight")
def is_eligible_to_fight(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit may be selected to fight: not selected yet this phase, and engaged now, or engaged when the
    Fight step began, or it has charged this turn (12.04)."""
    own = state.units[unit]
    if own.selected_to_fight or not standing(state, unit):
        return False
    return own.engaged_at_fights or own.charged or own.forced_to_fight or is_engaged(scene, state, unit)


@rule("11e.core.11.04-fights-first", "11e.core.15.12-counteroffensive")
def has_fights_first(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether each of its models has Fights First, by ability, by another rule this phase, or because the unit charged
    this turn (24.13, 15.12, 11.04)."""
    if state.units[unit].charged or state.units[unit].fights_first:
        return True
    return is_fights_first_unit(profile_in_force(scene, state, row) for row in standing(state, unit))


def _eligible(battle: Battle11, side: Side, *, first: bool) -> list[int]:
    scene, state = battle.scene, battle.state
    return [
        unit.index
        for unit in scene.units_of(side)
        if is_eligible_to_fight(scene, state, unit.index) and (not first or has_fights_first(scene, state, unit.index))
    ]


def _note_eligible(battle: Battle11) -> None:
    """Keep who is eligible at some time of the phase, for consolidating (12.07)."""
    scene, state = battle.scene, battle.state
    for unit in scene.units:
        if is_eligible_to_fight(scene, state, unit.index):
            state.units[unit.index].eligible_fought = True


@rule("11e.core.15.12-counteroffensive")
def _pool(battle: Battle11) -> list[int]:
    """The units among which the next is picked, after the picking player has been settled; empty ends the step.

    A unit that its player has to select next is the only one, while it is eligible.
    """
    state = battle.state
    for first in (True, False):
        mine = _eligible(battle, state.chooser, first=first)
        if not mine:
            mine = _eligible(battle, opponent(state.chooser), first=first)
            if mine:
                state.chooser = opponent(state.chooser)
        if mine:
            following = state.next_to_fight[state.chooser]
            return [following] if following in mine else mine
    return []


@resumable
@rule(
    "11e.24.13-fights-first.resolution-step",
    "11e.core.12.04-fights-first-combats",
    "11e.core.12.04-remaining-combats",
    "11e.core.12.04-back-to-fights-first",
    "11e.core.12.04-compulsory",
)
def fights(battle: Battle11) -> Procedure[None]:
    """Alternate from the turn player: units with Fights First while there are any, then the rest, and back as soon as
    one with Fights First becomes eligible. Who has none to pick is skipped; fighting is compulsory (12.04)."""
    state = battle.state
    while state.passes < 2 and _pool(battle):
        unit = yield from _select_fighter(battle)
        if unit is None:
            state.passes = 2 if not _eligible(battle, opponent(state.chooser), first=False) else state.passes + 1
        else:
            state.passes = 0
            yield from fight(battle, unit)
        state.chooser = opponent(state.chooser)
        _note_eligible(battle)


@rule("11e.core.12.04-passing")
def may_pass(battle: Battle11, side: Side) -> bool:
    """Whether a player may pass: all of its eligible units are more than 5" from every enemy (12.04)."""
    return not any(
        _enemies_within(battle.scene, battle.state, unit, SEARCH) for unit in _eligible(battle, side, first=False)
    )


@resumable
def _select_fighter(battle: Battle11) -> Procedure[int | None]:
    scene, state = battle.scene, battle.state
    pool = _pool(battle)
    choices = Options(
        lambda: [
            *(Option(scene.units[unit].id, scene.units[unit].name, unit) for unit in pool),
            *([Option("pass", "Pass")] if may_pass(battle, state.chooser) else []),
        ],
        rule="11e.core.12.04-eligible-to-fight",
    )
    answer = yield Decision(
        state.chooser,
        "select-unit-to-fight",
        "Select a unit to fight",
        "11e.core.12.04-fights-first-combats",
        choices,
        is_checkpoint=True,
    )
    unit: int | None = choices.value_of(answer)
    return unit


# -- fighting (12.05-12.06) -------------------------------------------------------------------------------------


@rule("11e.core.12.05-normal-fight", "11e.core.12.06-overrun-fight")
def fight(battle: Battle11, unit: int) -> Procedure[None]:
    """Fight where the unit stands if it is engaged; one that was or is unengaged may pile in once more (12.06)."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    own = state.units[unit]
    own.selected_to_fight = True
    if state.next_to_fight[info.side] == unit:
        state.next_to_fight = (NOBODY, state.next_to_fight[1]) if info.side == 0 else (state.next_to_fight[0], NOBODY)
    yield from window(battle, Occasion.SELECTED_TO_FIGHT, unit)
    engaged = is_engaged(scene, state, unit)
    kinds = [
        *([Option("normal", "Fight", "normal")] if engaged else []),
        *(
            [Option("overrun", "Overrun: pile in once more, then fight", "overrun")]
            if _may_overrun(own, engaged)
            else []
        ),
    ]
    kind = kinds[0].value
    if len(kinds) > 1:
        choices = Options(kinds, rule="11e.core.12.06-overrun-fight", default="normal")
        answer = yield Decision(
            info.side,
            "choose-fight-type",
            f"How does {info.name} fight?",
            "11e.core.12.06-overrun-fight",
            choices,
            subject=info.index,
        )
        kind = choices.value_of(answer)
    battle.happened(
        UnitSelected(
            unit=info.id, to="fight", how=kind, rules=(f"11e.core.12.0{5 if kind == 'normal' else 6}-{kind}-fight",)
        )
    )
    if kind == "overrun":
        own.overrun, own.piled_in = True, False
        if may_pile_in(scene, state, unit):
            yield from pile_in(battle, unit)
    if is_engaged(scene, state, unit) and (yield from make_attacks(battle, unit, AttackKind.FIGHT)):
        yield from window(battle, Occasion.HAS_FOUGHT, unit)
    yield from let_go(battle, (unit,))


def _may_overrun(own: EleventhUnit, engaged: bool) -> bool:
    return not engaged or own.unengaged_at_fights


# -- consolidate (12.07-12.08) ----------------------------------------------------------------------------------


@rule("11e.core.12.07-consolidation-eligible", "11e.core.23.01-reserves")
def may_consolidate(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit may be selected to consolidate: it was eligible to fight this phase; once (12.07). AIRCRAFT make
    no such move (23.01)."""
    own = state.units[unit]
    return (
        own.eligible_fought
        and not own.consolidated
        and not own.surged
        and not is_kept_from_moves(scene, state, unit)
        and bool(standing(state, unit))
        and consolidation_mode(scene, state, unit) != ""
    )


@rule("11e.core.12.08-modes", "11e.core.09-modes-in-order")
def consolidation_mode(scene: Scene, state: EleventhState, unit: int) -> str:
    """The one mode that it has to use: "ongoing" if engaged, else "engaging" with an enemy within 3", else "objective"
    with one within 3"; "" when none fits (12.08)."""
    if without_aircraft(scene, state, unit, engaged_units(scene, state, unit)):
        return "ongoing"
    if without_aircraft(scene, state, unit, _enemies_within(scene, state, unit, PILE_IN)):
        return "engaging"
    if objectives_within(scene, state, unit, PILE_IN):
        return "objective"
    return ""


@rule("11e.core.12.08-ongoing", "11e.core.12.08-engaging", "11e.core.12.08-objective")
def consolidate(battle: Battle11, unit: int) -> Procedure[None]:
    """Move up to 3" by the mode that fits (12.08)."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    state.units[unit].consolidated = True
    mode = consolidation_mode(scene, state, unit)
    reach = combat_reach(scene, state, unit, PILE_IN, consolidating=True)
    match mode:
        case "ongoing":
            space: MoveSpace = close_moves.pile_in_space(
                battle,
                unit,
                without_aircraft(scene, state, unit, sorted(engaged_units(scene, state, unit))),
                reach,
                kind=MoveKind.CONSOLIDATE,
                rule_id="11e.core.12.08-ongoing",
            )
        case "engaging":
            targets = yield from choose_units(
                battle,
                unit,
                without_aircraft(scene, state, unit, _enemies_within(scene, state, unit, PILE_IN)),
                kind="choose-consolidation-targets",
                prompt=f"Choose a unit for {info.name} to engage",
                rule_id="11e.core.12.08-engaging",
                none="do not consolidate",
            )
            if not targets:
                return
            space = close_moves.engaging_space(battle, unit, targets, reach)
        case _:
            goal = yield from _choose_objective(battle, unit)
            if goal is None:
                return
            space = objective_space(battle, unit, goal, reach)
    placement = yield Decision(
        info.side,
        "consolidate-move",
        f"Consolidate {info.name} ({mode}), up to {reach:g} inches",
        f"11e.core.12.08-{mode}",
        space,
        subject=info.index,
    )
    assert isinstance(placement, Place)
    moves.carry_out(battle, unit, placement, MoveKind.CONSOLIDATE, f"11e.core.12.08-{mode}")
    forces = mode == "engaging" or (mode == "ongoing" and scene.options["ongoing_forces_fights"] == "yes")
    if forces and placement.moves:
        yield from _forced_fights(battle, unit)


def _choose_objective(battle: Battle11, unit: int) -> Procedure[int | None]:
    scene, info = battle.scene, battle.scene.units[unit]
    near = objectives_within(scene, battle.state, unit, PILE_IN)
    choices = Options(
        [
            *(
                Option(
                    scene.battlefield.objectives[goal].id, scene.battlefield.objectives[goal].id.replace("-", " "), goal
                )
                for goal in near
            ),
            Option("none", "do not consolidate"),
        ],
        rule="11e.core.12.08-objective",
    )
    answer = yield Decision(
        info.side,
        "choose-objective",
        f"Choose an objective for {info.name} to consolidate towards",
        "11e.core.12.08-objective",
        choices,
        subject=info.index,
    )
    goal: int | None = choices.value_of(answer)
    return goal


@rule("11e.core.12.08-engaging-forces-fights", "11e.core.12.08-ongoing-forces-fights")
def _forced_fights(battle: Battle11, unit: int) -> Procedure[None]:
    """Each enemy unit now engaged with it that was not selected to fight this phase fights, in its player's order."""
    scene, state = battle.scene, battle.state
    while True:
        waiting = [foe for foe in sorted(engaged_units(scene, state, unit)) if not state.units[foe].selected_to_fight]
        if not waiting:
            return
        foe = waiting[0]
        if len(waiting) > 1:
            choices = Options(
                [Option(scene.units[each].id, scene.units[each].name, each) for each in waiting],
                rule="11e.core.12.08-engaging-forces-fights",
            )
            answer = yield Decision(
                scene.units[foe].side,
                "select-unit-to-fight-back",
                "Select the next unit to fight back",
                "11e.core.12.08-engaging-forces-fights",
                choices,
            )
            foe = choices.value_of(answer)
        state.units[foe].forced_to_fight = state.units[foe].eligible_fought = True
        yield from fight(battle, foe)
