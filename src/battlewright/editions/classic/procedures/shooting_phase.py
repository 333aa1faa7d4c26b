"""The Shooting phase of the 3rd edition: which units fire, at whom, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.battle import Procedure, choose, resumable
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.markers import marker_size
from battlewright.editions.classic.measuring import RangeFrom, is_in_range, may_measure_first, shots_are_lost
from battlewright.editions.classic.procedures.arming import Arm, Shot, is_barrage, is_blast, pick_arms, shot_of
from battlewright.editions.classic.procedures.board import (
    enemies_on_table,
    gaps,
    in_combat,
    seen_by,
    target_units,
    touched_units,
    unit_gap,
)
from battlewright.editions.classic.procedures.laying import (
    UnitHits,
    aimed_hits,
    guess_marker,
    hits_under,
    lay_marker,
    lay_template,
    salvo_marker,
    scatter_marker,
)
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.procedures.psychic import psychic_shots
from battlewright.editions.classic.procedures.resolving_fire import fire_at
from battlewright.editions.classic.procedures.retreat import tests_for_losses
from battlewright.editions.classic.scene import ClassicBattle, Scene, living, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.targets import Candidate
from battlewright.editions.classic.weapons import AbilityName, WeaponType
from battlewright.editions.happenings import AttacksDeclared, AttacksLost, AttacksMade, UnitSelected
from battlewright.editions.third.formation import why_no_shooting
from battlewright.editions.third.markers import hits_of_several
from battlewright.editions.third.pursuit import may_shoot_into_combat
from battlewright.editions.third.targets import lone_character_faults

__all__ = ["shoot", "shooting_phase", "targets_of"]

_SELECT, _TARGET = "3e.core.shooting.who-may-fire", "3e.shooting.unit-at-unit"


@resumable
@rule("3e.core.shooting.who-may-fire", "3e.fire-morale.test-at-end")
def shooting_phase(battle: ClassicBattle) -> Procedure[None]:
    """The player's units fire one after the other; when he has ended, whoever lost a quarter tests."""
    battle.state.begin()
    while battle.state.step == 1 and (able := _able(battle)):
        unit = yield from _select(battle, able)
        if unit is None:
            break
        yield from shoot(battle, unit)
    if battle.state.begin(2):
        tests_for_losses(battle)


def _able(battle: ClassicBattle) -> list[int]:
    return [unit for unit in range(len(battle.state.units)) if may_fire(battle.scene, battle.state, unit)]


@rule("3e.core.shooting.who-may-fire", "3e.partial-contact.free-shoot", "3e.partial-contact.reply")
def may_fire(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit may be selected to fire: one that has not, is not kept from it, and is not locked in combat.

    A unit that enemies swept into may, with its models that touch nobody, and back at those enemies.
    """
    mine = state.units[unit]
    if mine.side != state.turn or mine.acted or not standing(state, unit) or why_no_shooting(mine):
        return False
    if in_combat(scene, state, unit) and not _swept_into(scene, state, unit):
        return False
    return any(not weapon.melee for row in standing(state, unit) for weapon in scene.models[row].weapons)


def _swept_into(scene: Scene, state: ClassicState, unit: int) -> list[int]:
    """The enemy units that have swept into a unit and have not fought it yet."""
    return [
        enemy
        for enemy in touched_units(scene, state, unit)
        if state.units[enemy].charged and not state.units[unit].charged
    ]


@resumable
def _select(battle: ClassicBattle, able: Sequence[int]) -> Procedure[int | None]:
    def options() -> list[Option]:
        units = [battle.scene.units[unit] for unit in _able(battle)]
        return [*(Option(unit.id, unit.name, int(unit.index)) for unit in units), Option("end", "end the phase", None)]

    picked: int | None = yield from choose(
        Decision(
            battle.state.turn,
            "select-unit-to-shoot",
            "Select a unit to fire",
            _SELECT,
            Options(options, rule=_SELECT),
            is_checkpoint=True,
        )
    )
    return picked


# -- the target -------------------------------------------------------------------------------------------------


@rule("3e.shooting.unit-at-unit", "3e.core.shooting.one-target", "3e.core.shooting.not-into-combat")
@rule("3e.shooting.special-premeasure", "3e.partial-contact.not-into-combat", "3e.sweep.shoot-at-sweepers")
def targets_of(scene: Scene, state: ClassicState, unit: int) -> list[int]:
    """The enemy units that a unit may choose as its target: seen (barrages see everybody), in no close combat, and no
    character who is protected. Nothing is measured, unless a special rule lets the unit do so.
    """
    rows = standing(state, unit)
    if any(is_barrage(profile) for row in rows for each in scene.models[row].weapons for profile in each.profiles):
        seen = enemies_on_table(scene, state, scene.units[unit].side)
    else:
        seen = target_units(scene, state, rows)
    back = _swept_into(scene, state, unit)
    candidates = {enemy: _candidate(scene, state, unit, enemy) for enemy in seen}
    found = []
    for enemy, candidate in candidates.items():
        reply = may_shoot_into_combat(target_swept_into_us=enemy in back, own_turn=True)
        if in_combat(scene, state, enemy) and not reply:
            continue
        others = [(each, unit_gap(scene, state, enemy, other)) for other, each in candidates.items() if other != enemy]
        counts = scene.rules.shooting.is_possible_target
        if candidate.lone_character and lone_character_faults(candidate, others, counts):
            continue
        if may_measure_first("TARGETER" in traits_of(scene, state, unit)) and not candidate.in_range:
            continue
        found.append(enemy)
    return found


def _candidate(scene: Scene, state: ClassicState, unit: int, enemy: int) -> Candidate:
    rows, theirs = standing(state, unit), standing(state, enemy)
    apart = gaps(scene, state, rows, theirs)
    profiles = [
        profile
        for row in rows
        for weapon in scene.models[row].weapons
        for profile in weapon.profiles
        if not profile.melee
    ]
    model = scene.models[theirs[0]].profile
    attack = scene.rules.attack
    return Candidate(
        unit=enemy,
        distance=float(apart.min()),
        lone_character=len(theirs) == 1 and model.is_independent,
        in_range=is_in_range(float(apart.min()), max((profile.range for profile in profiles), default=0.0)),
        damageable=any(
            profile.strength.of(0) + 6 >= model.armour.rear
            if model.armour is not None
            else attack.wound_on(max(profile.strength.of(0), 1), model.toughness) is not None
            for profile in profiles
        ),
        nearest_is_joined=scene.models[theirs[int(apart.min(axis=0).argmin())]].unit != enemy,
    )


def _select_target(battle: ClassicBattle, unit: int, found: Sequence[int]) -> Procedure[int | None]:
    info = battle.scene.units[unit]
    options = [Option(battle.scene.units[each].id, battle.scene.units[each].name, each) for each in found]
    options.append(Option("none", "do not fire", None))
    picked: int | None = yield from choose(
        Decision(
            info.side,
            "select-target",
            f"{info.name}: at whom?",
            _TARGET,
            Options(options, rule=_TARGET),
            subject=info.index,
        )
    )
    return picked


# -- firing -----------------------------------------------------------------------------------------------------


@rule("3e.shooting.target-first", "3e.core.shooting.order", "3e.core.shooting.out-of-range", "3e.outside.who-fights")
def shoot(battle: ClassicBattle, unit: int) -> Procedure[None]:
    """One unit fires: its target, its weapons, then range and sight are measured; shots that cannot reach are lost."""
    scene, state = battle.scene, battle.state
    mine, info = state.units[unit], scene.units[unit]
    mine.acted = True
    found = targets_of(scene, state, unit)
    target = (yield from _select_target(battle, unit, found)) if found else None
    if target is None:
        return
    arms = yield from pick_arms(battle, unit)
    battle.happened(UnitSelected(unit=info.id, to="shoot", rules=(_SELECT,)))
    fired, lost = _measure(battle, unit, target, arms)
    if lost:
        names = tuple(shot.arm.profile.name for shot in lost)
        battle.happened(AttacksLost(unit=info.id, weapons=names, rules=("3e.shooting.target-first",)))
    fired, failed = yield from psychic_shots(battle, target, fired)
    if failed:
        names = tuple(shot.arm.profile.name for shot in failed)
        battle.happened(AttacksLost(unit=info.id, weapons=names, rules=("3e.core.characters.psychic-test",)))
    if not fired or not standing(state, unit):
        return
    mine.target = target
    pools: dict[str, int] = {}
    for shot in fired:
        pools[shot.arm.profile.name] = pools.get(shot.arm.profile.name, 0) + 1
        if shot.arm.profile.has(AbilityName.ONE_SHOT):
            mine.weapons_lost = mine.weapons_lost | {(shot.arm.row, shot.arm.weapon)}
    name = scene.units[target].id
    battle.happened(
        AttacksDeclared(unit=info.id, pools=tuple((gun, count, name) for gun, count in pools.items()), rules=(_TARGET,))
    )
    yield from _resolve(battle, unit, target, fired)


def _measure(battle: ClassicBattle, unit: int, target: int, arms: Sequence[Arm]) -> tuple[list[Shot], list[Shot]]:
    """The shots that can be fired, and those that are lost for range, for sight or for having moved."""
    scene, state = battle.scene, battle.state
    rows = standing(state, target)
    touching = touched_units(scene, state, unit)
    fired: list[Shot] = []
    lost: list[Shot] = []
    for arm in arms:
        apart = gaps(scene, state, [arm.row], rows)[0]
        nearest = float(apart.min())
        distance = scene.rules.shooting.range_from(RangeFrom(base=nearest, mount=nearest, muzzle=nearest))
        shot = shot_of(scene, state.units[unit], arm, distance)
        seen = is_barrage(shot.arm.profile) or any(row in seen_by(scene, state, shot.arm.row) for row in rows)
        reaches = is_barrage(shot.arm.profile) or not shots_are_lost(distance, shot.arm.profile.range)
        engaged = bool(touching) and target not in touching and _touches(scene, state, shot.arm.row, touching)
        (fired if shot.shots is not None and seen and reaches and not engaged else lost).append(shot)
    return fired, lost


def _touches(scene: Scene, state: ClassicState, row: int, units: Sequence[int]) -> bool:
    return any(float(gaps(scene, state, [row], standing(state, unit)).min()) == 0.0 for unit in units)


def _resolve(battle: ClassicBattle, unit: int, target: int, fired: Sequence[Shot]) -> Procedure[None]:
    """Markers and templates are laid first, then everything that hits the target is resolved together."""
    scene, state = battle.scene, battle.state
    plain = [shot for shot in fired if not _lays(shot)]
    under = yield from _laid(battle, unit, target, [shot for shot in fired if _lays(shot)])
    before = {each: int(state.wounds[list(state.units[each].models)].sum()) for each in range(len(state.units))}
    alive = {each: len(living(state, each)) for each in before}
    units = dict.fromkeys([target, *(hits.unit for _, hits in under)])
    for each in units:
        if standing(state, each):
            mine = [(shot, hits) for shot, hits in under if hits.unit == each]
            shots = plain if each == target else []
            if mine or shots:
                yield from fire_at(battle, unit, each, shots, mine)
    for each in units:
        lost = before[each] - int(state.wounds[list(state.units[each].models)].sum())
        battle.happened(
            AttacksMade(
                unit=scene.units[unit].id,
                target=scene.units[each].id,
                wounds_lost=lost,
                slain=alive[each] - len(living(state, each)),
                rules=("3e.core.shooting.order",),
            )
        )


def _lays(shot: Shot) -> bool:
    profile = shot.arm.profile
    return (
        is_blast(profile)
        or is_barrage(profile)
        or profile.type is WeaponType.ORDNANCE
        or profile.has(AbilityName.TEMPLATE)
    )


@rule("3e.outside.several-markers", "3e.core.weapons.several-blasts", "3e.core.weapons.ordnance")
@rule("3e.outside.marker-sizes", "3e.barrage.contact-ranging")
def _laid(
    battle: ClassicBattle, unit: int, target: int, shots: Sequence[Shot]
) -> Procedure[list[tuple[Shot, UnitHits]]]:
    """Everybody hit by markers and templates: one marker for all blasts of a sort, one after the other for barrages."""
    found: list[tuple[Shot, UnitHits]] = []
    by_name: dict[str, list[Shot]] = {}
    for shot in shots:
        by_name.setdefault(shot.arm.profile.name, []).append(shot)
    for name, group in by_name.items():
        profile = group[0].arm.profile
        diameter = marker_size(ordnance=profile.type is WeaponType.ORDNANCE)
        if profile.has(AbilityName.TEMPLATE):
            for shot in group:
                found += [(shot, hits) for hits in lay_template(battle.scene, battle.state, shot.arm.row, target)]
            continue
        times = 1
        if is_barrage(profile):
            centres = yield from _salvo(battle, unit, target, group, diameter)
        else:
            if is_blast(profile):
                assert group[0].shots is not None, "it has been measured that it may fire"
                times = aimed_hits(battle, group, len(group) * group[0].shots.minimum)
            centres = []
            for shot in group[:1] if is_blast(profile) else group:
                laid = (yield from lay_marker(battle, unit, target, [shot], diameter)) if times else None
                if laid is not None and not is_blast(profile):
                    moved = battle.state.units[unit].moved
                    laid = scatter_marker(battle, unit, laid, dice=2 if moved else 1)
                centres += [laid] if laid is not None else []
        for centre in centres:
            for hits in hits_under(battle, unit, name, centre, diameter):
                total = hits_of_several(hits.hits, times)
                found.append((group[0], UnitHits(hits.unit, hits.rows, total, hits.under_hole)))
    return found


def _salvo(
    battle: ClassicBattle, unit: int, target: int, group: Sequence[Shot], diameter: float
) -> Procedure[list[tuple[float, float]]]:
    first = yield from guess_marker(battle, unit, target, group[0])
    if first is None:
        return []
    centres = [first]
    for _ in group[1:]:
        centres.append((yield from salvo_marker(battle, unit, centres, diameter)))
    return centres
