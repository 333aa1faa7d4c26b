"""The Charge phase (11): declare, roll, choose targets, move."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from battlewright.core.battle import Procedure, resumable
from battlewright.core.decisions import Decision, Option, Options, Place
from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.edition import Arrival
from battlewright.editions.eleventh import close_moves, moves, objectives
from battlewright.editions.eleventh.abilities.in_force import charged_at_modifiers, permits, roll_modifiers
from battlewright.editions.eleventh.abilities.language import Permit, Roll
from battlewright.editions.eleventh.acting import forbids_charging
from battlewright.editions.eleventh.command_re_roll import with_re_roll
from battlewright.editions.eleventh.engagement import is_engaged
from battlewright.editions.eleventh.events import ChargeDeclared, ChargeFailed, UnitSelected
from battlewright.editions.eleventh.flying import loss_aloft, take_to_the_skies
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.modifiers import charge_roll
from battlewright.editions.eleventh.reserves import is_aircraft, is_held_at_edge
from battlewright.editions.eleventh.scene import Battle11, Scene, standing
from battlewright.editions.eleventh.state import EleventhState, MoveKind
from battlewright.editions.eleventh.targeting import unit_keywords
from battlewright.editions.eleventh.triggers import Occasion, while_moving
from battlewright.editions.eleventh.windows import window

__all__ = [
    "CHARGE_RANGE",
    "ChargeLimits",
    "charge",
    "charge_distance",
    "charge_phase",
    "charge_targets",
    "choose_units",
    "foresee_charge",
    "limited_targets",
    "may_declare_charge",
]

CHARGE_RANGE = 12.0
"""Inches within which an enemy has to be for a charge to be declared, and for a target to be chosen (11)."""


@resumable
@rule("11e.core.11-sequence", "11e.core.07-objectives-first")
def charge_phase(battle: Battle11) -> Procedure[None]:
    """Select units to charge with, one after the other, until the turn player has had enough; then control of
    objectives is determined, before anything that is triggered at the end of the phase (11, 07)."""
    battle.state.begin()
    while any(True for _ in _able(battle)):
        unit = yield from _select(battle)
        if unit is None:
            break
        yield from while_moving(battle, unit, charge(battle, unit))
    objectives.determine_control(battle)
    yield from window(battle, Occasion.CHARGES_END)


@rule(
    "11e.core.11-eligible-to-charge",
    "11e.core.23.03-no-charges",
    "11e.core.09.06-after-advancing",
    "11e.core.09.07-after-falling-back",
)
def may_declare_charge(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit may declare a charge: on the battlefield, not declared yet, an enemy within 12", unengaged,
    neither advanced nor fell back nor started an action this turn (11, 16), not barred by another rule, and no AIRCRAFT
    (23.03)."""
    own = state.units[unit]
    if own.declared_charge or own.may_not_charge or not standing(state, unit):
        return False
    if own.advanced and not permits(scene, state, unit, Permit.CHARGE_AFTER_ADVANCE):
        return False
    if own.fell_back and not permits(scene, state, unit, Permit.CHARGE_AFTER_FALL_BACK):
        return False
    if own.surged or is_aircraft(scene, state, unit) or is_held_at_edge(state, unit):
        return False
    if forbids_charging(state, unit):
        return False
    if is_engaged(scene, state, unit):
        return False
    return bool(_near(scene, state, unit, CHARGE_RANGE))


@rule("11e.core.23.03-no-charges", "11e.core.11-aircraft-targets")
def _near(scene: Scene, state: EleventhState, unit: int, limit: float) -> list[int]:
    """Enemy units within so many inches, in order; AIRCRAFT only for a unit that can FLY (23.03)."""
    side = state.units[unit].side
    flies = "FLY" in unit_keywords(scene, state, unit)
    return [
        foe.index
        for foe in scene.units
        if foe.side != side
        and standing(state, foe.index)
        and (flies or not is_aircraft(scene, state, foe.index))
        and within(unit_distance(scene, state, unit, foe.index), limit)
    ]


def _able(battle: Battle11) -> list[int]:
    state = battle.state
    return [
        unit.index for unit in battle.scene.units_of(state.turn) if may_declare_charge(battle.scene, state, unit.index)
    ]


@resumable
def _select(battle: Battle11) -> Procedure[int | None]:
    scene, side = battle.scene, battle.state.turn
    choices = Options(
        lambda: [
            *(Option(scene.units[unit].id, _with_its_chance(battle, unit), unit) for unit in _able(battle)),
            Option("end", "End the Charge phase"),
        ],
        rule="11e.core.11-eligible-to-charge",
    )
    answer = yield Decision(
        side,
        "select-unit-to-charge",
        "Select a unit to declare a charge with",
        "11e.core.11-sequence",
        choices,
        is_checkpoint=True,
    )
    unit: int | None = choices.value_of(answer)
    return unit


def _with_its_chance(battle: Battle11, unit: int) -> str:
    """A unit by name, with how far the nearest enemy is that it may charge, and how likely its roll reaches him."""
    scene, state = battle.scene, battle.state
    foes = _near(scene, state, unit, CHARGE_RANGE)
    if not foes:
        return scene.units[unit].name
    nearest = min(foes, key=lambda foe: unit_distance(scene, state, unit, foe))
    chance = foresee_charge(scene, state, unit, nearest).chance or 0.0
    away = unit_distance(scene, state, unit, nearest)
    return f'{scene.units[unit].name} ({scene.units[nearest].name} at {away:.1f}": {chance:.0%})'


@rule("11e.core.11-double-one")
def charge_distance(dice: Sequence[int], modifiers: Sequence[Modifier] = ()) -> int:
    """The maximum distance in inches that a charge roll allows: the dice with all modifiers, 12 at the most.

    Two ones are never enough: a charge begins more than 2" away, so there is nothing to forbid.
    """
    return charge_roll(dice, modifiers).modified


@rule("11e.core.11.04-targets")
def charge_targets(scene: Scene, state: EleventhState, unit: int, distance: float) -> list[int]:
    """Enemy units that may be chosen as targets: within 12" and within the maximum distance (11.04)."""
    return _near(scene, state, unit, min(CHARGE_RANGE, distance))


@rule("11e.core.11.04-targets", "11e.core.11-double-one")
def foresee_charge(scene: Scene, state: EleventhState, unit: int, target: int) -> Arrival:
    """How likely a charge roll lets a unit choose an enemy as its target; the way there may still bar it."""
    away = unit_distance(scene, state, unit, target)
    modifiers = (*roll_modifiers(scene, state, unit, Roll.CHARGE), *charged_at_modifiers(scene, state, [target]))
    throws = list(itertools.product(range(1, 7), repeat=2))
    enough = sum(within(away, min(CHARGE_RANGE, charge_distance(faces, modifiers))) for faces in throws)
    added = sum(modifier.amount for modifier in modifiers)
    return Arrival(enough / len(throws), f'2D6{f"{added:+d}" if added else ""} against {away:.1f}"')


@dataclass(frozen=True, slots=True)
class ChargeLimits:
    """What a rule that lets a unit charge asks of the charge.

    Attributes:
        targets: the enemy units that may be chosen; None for any.
        most: inches that the modified result counts as at the most, and within which targets lie; None for no limit.
    """

    targets: frozenset[int] | None = None
    most: int | None = None


@rule("11e.core.15.11-leap-to-defend", "11e.core.15.11-into-the-fray")
def limited_targets(targets: Sequence[int], limits: ChargeLimits) -> list[int]:
    """Those of the possible targets that a rule allows."""
    return [target for target in targets if limits.targets is None or target in limits.targets]


@rule("11e.core.11-take-to-the-skies")
def charge(battle: Battle11, unit: int, limits: ChargeLimits = ChargeLimits()) -> Procedure[None]:
    """Declare, roll 2D6, choose targets, make the charge move if it can be made and is wanted (11)."""
    state, info = battle.state, battle.scene.units[unit]
    state.units[unit].declared_charge = True
    battle.happened(UnitSelected(unit=info.id, to="charge", rules=("11e.core.11-sequence",)))
    aloft = yield from take_to_the_skies(battle, unit)
    roll = yield from with_re_roll(battle, unit, battle.roll(2, 6, "charge"))
    distance = _maximum(battle, unit, roll.unmodified, (), limits, aloft=aloft)
    battle.happened(
        ChargeDeclared(
            unit=info.id,
            faces=roll.unmodified,
            distance=distance,
            rerolls=tuple((one.index, one.was, one.now) for one in roll.rerolls),
            rules=("11e.core.11-sequence",),
        )
    )
    targets, distance = yield from _choose_targets(battle, unit, roll.unmodified, limits, aloft=aloft)
    if targets and (yield from _move(battle, unit, targets, distance, aloft=aloft)):
        return
    battle.happened(ChargeFailed(unit=info.id, rules=("11e.core.11-sequence",)))


def _maximum(
    battle: Battle11, unit: int, faces: Sequence[int], targets: Sequence[int], limits: ChargeLimits, *, aloft: bool
) -> int:
    """The maximum distance of a charge at these targets, in inches: the roll with all modifiers, those of rules of the
    targets included, then what limits and taking to the skies take off."""
    scene, state = battle.scene, battle.state
    modifiers = (*roll_modifiers(scene, state, unit, Roll.CHARGE), *charged_at_modifiers(scene, state, targets))
    distance = charge_distance(faces, modifiers)
    distance = distance if limits.most is None else min(distance, limits.most)
    return max(0, distance - round(loss_aloft(scene, state, unit))) if aloft else distance


@rule("11e.core.11.04-choose-again", "11e.core.11.04-targets")
def _choose_targets(
    battle: Battle11, unit: int, faces: Sequence[int], limits: ChargeLimits, *, aloft: bool
) -> Procedure[tuple[list[int], int]]:
    """The targets of the charge and its maximum distance; where rules of the targets change it so that one of them is
    out of reach, targets are chosen anew, without that one (11.04)."""
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    dropped: set[int] = set()
    while True:
        distance = _maximum(battle, unit, faces, (), limits, aloft=aloft)
        within_reach = limited_targets(charge_targets(scene, state, unit, distance), limits)
        targets = yield from choose_units(
            battle,
            unit,
            [target for target in within_reach if target not in dropped],
            kind="choose-charge-targets",
            prompt=f"Choose a target for the charge of {info.name} ({distance} inches)",
            rule_id="11e.core.11.04-targets",
            none="make no charge move",
        )
        distance = _maximum(battle, unit, faces, targets, limits, aloft=aloft)
        lost = set(targets) - set(charge_targets(scene, state, unit, distance))
        if not lost:
            return targets, distance
        dropped |= lost


@rule("11e.core.11.04-fights-first", "11e.core.11.04-after")
def _move(battle: Battle11, unit: int, targets: Sequence[int], distance: int, *, aloft: bool) -> Procedure[bool]:
    """Make the charge move; returns whether one was made, which gives the unit Fights First until the turn ends."""
    info = battle.scene.units[unit]
    names = ", ".join(battle.scene.units[target].name for target in targets)
    placement = yield Decision(
        info.side,
        "charge-move",
        f"Move {info.name} up to {distance} inches so that it is engaged with {names}",
        "11e.core.11.04-model-conditions",
        close_moves.charge_space(battle, unit, targets, distance, aloft=aloft),
        subject=info.index,
    )
    assert isinstance(placement, Place)
    if not placement.moves:
        return False
    moves.carry_out(battle, unit, placement, MoveKind.CHARGE, "11e.core.11.04-model-conditions")
    battle.state.units[unit].charged = True
    yield from window(battle, Occasion.CHARGE_MOVE_ENDS, unit)
    return True


def choose_units(
    battle: Battle11,
    unit: int,
    candidates: Sequence[int],
    *,
    kind: str,
    prompt: str,
    rule_id: str,
    none: str,
) -> Procedure[list[int]]:
    """Let the unit's controller choose one or more of the units, one at a time, or none of them.

    Nothing is asked when there is no candidate.
    """
    scene, info = battle.scene, battle.scene.units[unit]
    chosen: list[int] = []
    left = list(candidates)
    while left:
        stop = Option("done" if chosen else "none", "no further unit" if chosen else none)
        choices = Options(
            [*(Option(scene.units[each].id, scene.units[each].name, each) for each in left), stop], rule=rule_id
        )
        answer = yield Decision(info.side, kind, prompt, rule_id, choices, subject=info.index)
        picked: int | None = choices.value_of(answer)
        if picked is None:
            break
        chosen.append(picked)
        left.remove(picked)
    return chosen
