"""The Shooting phase (10): which units shoot, in which way, and which start actions (16)."""

from __future__ import annotations

from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import Decision, Option, Options, Side, UnitId
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.eleventh.abilities.in_force import is_granted, permits
from battlewright.editions.eleventh.abilities.language import Permit
from battlewright.editions.eleventh.acting import action_of, forbids_shooting, start_action, startable
from battlewright.editions.eleventh.attacking import AttackKind, make_attacks
from battlewright.editions.eleventh.datasheet import WeaponAbilityName, WeaponProfile
from battlewright.editions.eleventh.engagement import is_engaged
from battlewright.editions.eleventh.events import UnitSelected
from battlewright.editions.eleventh.firing_deck import bar_passengers, lend_weapons, may_be_lent
from battlewright.editions.eleventh.keywords import keywords_match
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.passengers import aboard
from battlewright.editions.eleventh.reserves import is_held_at_edge
from battlewright.editions.eleventh.scene import Battle11, Scene, living, standing, weapons_of
from battlewright.editions.eleventh.state import EleventhState
from battlewright.editions.eleventh.stratagems import Use, key_of, text_of, use, uses
from battlewright.editions.eleventh.targeting import Targeting, unit_keywords
from battlewright.editions.eleventh.triggers import Occasion
from battlewright.editions.eleventh.windows import window

__all__ = [
    "SNAP_RANGE",
    "eligible_to_shoot",
    "foes_nearby",
    "is_eligible_to_shoot",
    "may_snap_shoot_at",
    "shoot",
    "shooting_phase",
    "shooting_types",
    "snap_shoot",
]

SNAP_RANGE = 24.0
"""Inches within which the target of snap shooting is (15.09)."""
_ELIGIBLE = "11e.core.10-eligible-to-shoot"


@resumable
@rule("11e.core.10-eligible-to-shoot")
def shooting_phase(battle: Battle11) -> Procedure[None]:
    """What is triggered as the phase begins; then the turn player selects eligible units one after the other, each
    shoots in one way or starts an action, or uses stratagems, until they end the phase."""
    if battle.state.begin():
        yield from window(battle, Occasion.SHOOTING_BEGINS)
    while _things_to_do(battle):
        picked = yield from _select(battle)
        match picked:
            case None:
                return
            case Use():
                yield from use(battle, picked)
            case (unit, action):
                yield from start_action(battle, unit, action_of(battle.scene, action))
            case unit:
                yield from shoot(battle, unit)


def _things_to_do(battle: Battle11) -> list[Option]:
    """What the turn player may select: a unit to shoot, a unit and an action, or a stratagem with its target."""
    side, scene, state = battle.state.turn, battle.scene, battle.state
    units = [scene.units[UnitId(unit)] for unit in eligible_to_shoot(scene, state, side)]
    found = [Option(unit.id, unit.name, int(unit.index)) for unit in units]
    for index, action in startable(scene, state, side):
        unit = scene.units[UnitId(index)]
        found.append(Option(f"{unit.id}:{action.id}", f"{unit.name} starts {action.name}", (index, action.id)))
    found += [
        Option(key_of(scene, each), text_of(scene, each), each) for each in uses(scene, state, side, Occasion.SHOOTING)
    ]
    return found


@resumable
def _select(battle: Battle11) -> Procedure[int | tuple[int, str] | Use | None]:
    """The next unit to shoot, a unit with an action, a stratagem, or None to end the phase."""
    side = battle.state.turn

    def options() -> list[Option]:
        return [*_things_to_do(battle), Option("end", "end the phase", None)]

    picked: int | tuple[int, str] | Use | None = yield from choose(
        Decision(
            side,
            "select-unit-to-shoot",
            "Select a unit to shoot, or to start an action",
            _ELIGIBLE,
            Options(options, rule=_ELIGIBLE),
            is_checkpoint=True,
        )
    )
    return picked


# -- who may shoot, and how (10.04 to 10.07) --------------------------------------------------------------------


@rule(
    "11e.core.10-eligible-to-shoot",
    "11e.core.10-fell-back-or-acting",
    "11e.core.17.03-not-eligibility",
    "11e.core.01.07-shocked-may-still-act",
    "11e.core.09.07-after-falling-back",
)
def is_eligible_to_shoot(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether the unit may be selected to shoot: on the battlefield, not selected before, did not fall back or start an
    action.

    It may have no guns at all, but has to qualify for a shooting type.
    """
    mine = state.units[unit]
    if mine.selected_to_shoot or mine.may_not_shoot or not standing(state, unit):
        return False
    if mine.fell_back and not permits(scene, state, unit, Permit.SHOOT_AFTER_FALL_BACK):
        return False
    if forbids_shooting(scene, state, unit) or is_held_at_edge(state, unit):
        return False
    return bool(shooting_types(scene, state, unit)) or _may_be_lent_assault(scene, state, unit)


@rule("11e.core.10-eligible-to-shoot", "11e.24.14-firing-deck.trigger")
def _may_be_lent_assault(scene: Scene, state: EleventhState, unit: int) -> bool:
    """Whether a unit that advanced would have an ASSAULT weapon once passengers have lent theirs: it may be selected
    first, and chooses its type after that (10, 24.14)."""
    advanced = state.units[unit].advanced and not is_engaged(scene, state, unit)
    return advanced and may_be_lent(scene, state, unit, WeaponAbilityName.ASSAULT)


def eligible_to_shoot(scene: Scene, state: EleventhState, side: Side) -> list[int]:
    """The units of a side that may be selected to shoot, in the order of its list."""
    return [int(unit.index) for unit in scene.units_of(side) if is_eligible_to_shoot(scene, state, unit.index)]


@rule(
    "11e.core.10.04-normal",
    "11e.core.10.05-assault",
    "11e.core.10.06-close-quarters",
    "11e.core.10.07-indirect",
    "11e.24.04-assault.unit-permission",
    "11e.24.07-close-quarters.unit-permission",
    "11e.24.19-indirect-fire.unit-permission",
    "11e.core.09.06-after-advancing",
)
def shooting_types(scene: Scene, state: EleventhState, unit: int) -> tuple[AttackKind, ...]:
    """The shooting types that the unit qualifies for (10); none for an engaged unit without means, and so on.

    One model with an ASSAULT, CLOSE-QUARTERS or INDIRECT FIRE weapon is enough for the type that asks for it.
    """
    mine = state.units[unit]
    advanced = mine.advanced and not permits(scene, state, unit, Permit.SHOOT_AFTER_ADVANCE)
    if is_engaged(scene, state, unit):
        is_big = keywords_match("MONSTER/VEHICLE", unit_keywords(scene, state, unit))
        if not advanced and (is_big or _has(scene, state, unit, WeaponAbilityName.CLOSE_QUARTERS)):
            return (AttackKind.CLOSE_QUARTERS,)
        return ()
    if advanced:
        return (AttackKind.ASSAULT,) if _has(scene, state, unit, WeaponAbilityName.ASSAULT) else ()
    if _has(scene, state, unit, WeaponAbilityName.INDIRECT_FIRE):
        return (AttackKind.NORMAL, AttackKind.INDIRECT)
    return (AttackKind.NORMAL,)


def _has(scene: Scene, state: EleventhState, unit: int, name: WeaponAbilityName) -> bool:
    profiles: list[tuple[int, WeaponProfile]] = [
        (row, profile)
        for row in standing(state, unit)
        for weapon in weapons_of(scene, state, row)
        for profile in weapon.profiles
        if not profile.melee
    ]
    return any(profile.has(name) or is_granted(scene, state, row, profile, name) for row, profile in profiles)


# -- one unit shoots --------------------------------------------------------------------------------------------


@rule(
    "11e.core.10-eligible-to-shoot",
    "11e.core.13.09-previous-turn",
    "11e.core.04-no-attacks-made",
    "11e.24.14-firing-deck.order",
)
def shoot(battle: Battle11, unit: int) -> Procedure[None]:
    """One unit is selected to shoot: its type, its attacks; it has shot only if it made any (10, 04)."""
    state, info = battle.state, battle.scene.units[unit]
    state.units[unit].selected_to_shoot = True
    yield from window(battle, Occasion.SELECTED_TO_SHOOT, unit)
    has_lent = yield from lend_weapons(battle, unit)
    passengers = aboard(state, unit)
    kind = yield from _select_type(battle, unit)
    battle.happened(UnitSelected(unit=info.id, to="shoot", how=str(kind or ""), rules=(_ELIGIBLE,)))
    has_shot = kind is not None and (yield from make_attacks(battle, unit, kind))
    if has_shot and living(state, unit):
        state.units[unit].last_shot = state.turns
    if has_lent:
        state.lent = ()
        bar_passengers(state, passengers)
    if has_shot:
        yield from window(battle, Occasion.HAS_SHOT, unit)


def _select_type(battle: Battle11, unit: int) -> Procedure[AttackKind | None]:
    """One of the types that the unit qualifies for; a single one needs no question. None for one that nobody has lent
    the weapon that it needed."""
    info = battle.scene.units[unit]
    types = shooting_types(battle.scene, battle.state, unit)
    if len(types) < 2:
        return types[0] if types else None
    choices = Options(
        [Option(str(kind), f"{kind} shooting", kind) for kind in types], rule=_ELIGIBLE, default=str(types[0])
    )
    picked: AttackKind = yield from choose(
        Decision(
            info.side,
            "select-shooting-type",
            f"{info.name}: how does it shoot?",
            _ELIGIBLE,
            choices,
            subject=info.index,
        )
    )
    return picked


# -- snap shooting (15.09) --------------------------------------------------------------------------------------


def foes_nearby(scene: Scene, state: EleventhState, unit: int) -> list[int]:
    """Enemy units within the range of snap shooting, the nearest first."""
    side = state.units[unit].side
    gaps = {
        int(foe.index): unit_distance(scene, state, unit, foe.index)
        for foe in scene.units
        if foe.side != side and standing(state, foe.index)
    }
    return sorted((foe for foe, gap in gaps.items() if within(gap, SNAP_RANGE)), key=lambda foe: (gaps[foe], foe))


@rule("11e.core.15.09-snap-shooting", "11e.core.03.02-oversized-reserves", "11e.core.03.02-oversized-deployment")
def may_snap_shoot_at(scene: Scene, state: EleventhState, unit: int, foe: int) -> bool:
    """Whether the unit can snap shoot at an enemy unit: unengaged, within 24", visible to it, and an eligible target of
    one of its weapons at least (15.09). A unit that makes no ranged attacks this turn does not (03.02)."""
    if state.units[unit].may_not_shoot or is_held_at_edge(state, unit):
        return False
    if not within(unit_distance(scene, state, unit, foe), SNAP_RANGE) or is_engaged(scene, state, foe):
        return False
    reach = max(
        (
            profile.range or 0.0
            for row in standing(state, unit)
            for weapon in scene.models[row].weapons
            for profile in weapon.profiles
            if not profile.melee
        ),
        default=0.0,
    )
    if not within(unit_distance(scene, state, unit, foe), reach):
        return False
    targeting = Targeting(scene, state, unit, AttackKind.SNAP, foe)
    return any(
        targeting.eligible(row, profile)
        for row in targeting.rows
        for weapon in scene.models[row].weapons
        for profile in weapon.profiles
        if not profile.melee
    )


@rule("11e.core.15.09-snap-shooting")
def snap_shoot(battle: Battle11, unit: int, target: int) -> Procedure[None]:
    """One unit shoots at the picked target by snap shooting; afterwards it starts no action this phase (15.09)."""
    state, info = battle.state, battle.scene.units[unit]
    mine = state.units[unit]
    mine.snap_target, mine.snap_shot = target, True
    battle.happened(
        UnitSelected(unit=info.id, to="shoot", how=str(AttackKind.SNAP), rules=("11e.core.15.09-snap-shooting",))
    )
    if (yield from make_attacks(battle, unit, AttackKind.SNAP)) and living(state, unit):
        mine.last_shot = state.turns
