"""Wounds of fire in the 6th edition: focus fire, going to ground, the nearest first, Look Out, Sir, precision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from battlewright.attacks.choices import save_tables
from battlewright.attacks.description import Packet
from battlewright.core.bases import Point
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE, distance_edge_to_point, within
from battlewright.editions.classic.procedures.aiming import Aim
from battlewright.editions.classic.procedures.arming import Shot, is_barrage
from battlewright.editions.classic.procedures.batteries import guns_and_crew
from battlewright.editions.classic.procedures.board import gaps, pose_of, unit_in
from battlewright.editions.classic.procedures.fire_points import places_of
from battlewright.editions.classic.procedures.laying import UnitHits
from battlewright.editions.classic.procedures.nerve import go_down, passes_without_roll, pinning_test
from battlewright.editions.classic.procedures.prowess import concussed
from battlewright.editions.classic.procedures.resolving_fire import (
    batches_of,
    overheat,
    rows_reached,
    sources_of,
    view_of,
)
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.procedures.volleys import (
    Arrived,
    Batch,
    clear_away,
    failed_saves,
    suffer,
    wound_of,
    wounding_hits,
)
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.special_rules import Test
from battlewright.editions.classic.target import TargetView
from battlewright.editions.sixth.afflictions import afflict

__all__ = [
    "allocate_fire",
    "focused",
    "look_out_sir",
    "look_out_sir_on",
    "may_go_to_ground",
    "nearest_rows",
    "resolve_nearest_first",
]

LOOK_OUT, FOCUS, POOL = (
    "6e.core.shooting.look-out-sir",
    "6e.core.shooting.focus-fire",
    "6e.core.shooting.wound-pool",
)
_NEAR = 6.0
_OPEN = 7
_MOST = 4
_UPRIGHT = (Kind.MONSTROUS, Kind.BIKE, Kind.JETBIKE, Kind.VEHICLE)


# -- judgements -------------------------------------------------------------------------------------------------


@rule("6e.core.shooting.focus-fire")
def focused(covers: Mapping[int, int | None], value: int | None) -> list[int]:
    """The models that may take wounds when fire is focused at a cover value: those whose cover is that or worse.

    Args:
        covers: of each model, None in the open; ``value`` the number declared, None when fire is not focused.
    """
    return [row for row, cover in covers.items() if value is None or (cover or _OPEN) >= value]


@rule("6e.core.shooting.allocation", "6e.core.shooting.allocation-ties")
def nearest_rows(distances: Mapping[int, float]) -> list[int]:
    """The models nearest of all; several that are equally near.

    Args:
        distances: of each model that may take the wound, in inches.
    """
    least = min(distances.values())
    return [row for row, distance in distances.items() if distance <= least + TOLERANCE]


@rule("6e.core.shooting.look-out-sir", "6e.core.characters.abilities")
def look_out_sir_on(profile: ModelProfile) -> int | None:
    """The lowest D6 by which a wound on a model is passed on: 4, of an independent character 2; None if it is none."""
    if profile.is_independent:
        return 2
    return 4 if profile.is_character else None


@rule("6e.core.special-rules.fearless", "6e.outside.fearless", "6e.core.units.monstrous", "6e.core.movement.no-ground")
def may_go_to_ground(kinds: Sequence[Kind], *, fearless: bool, down: bool, falls_back: bool) -> bool:
    """Whether a unit may go to ground: no vehicle, monster, bike or fearless unit, nobody who flees or is down."""
    return not (fearless or down or falls_back or any(kind in _UPRIGHT for kind in kinds))


# -- the fire of a unit -----------------------------------------------------------------------------------------


@rule("6e.core.shooting.order", "6e.core.shooting.wound-pool", "6e.core.shooting.focus-fire")
@rule("6e.core.shooting.out-of-sight", "6e.core.weapons.blast-casualties")
def resolve_nearest_first(
    battle: ClassicBattle, unit: int, aim: Aim, shots: Sequence[Shot], under: Sequence[tuple[Shot, UnitHits]]
) -> Procedure[None]:
    """The fire of a unit at living models: hits and wounds, then each sort of wound in the firer's order, one at a time
    on the model nearest to him that he sees."""
    pinned = yield from allocate_fire(battle, unit, aim, shots, under)
    pinning_test(battle, aim.unit, pinned, pins=pinned > 0)


def allocate_fire(
    battle: ClassicBattle, unit: int, aim: Aim, shots: Sequence[Shot], under: Sequence[tuple[Shot, UnitHits]]
) -> Procedure[int]:
    """The same as far as its casualties; how many wounds weapons that pin have caused."""
    scene, state, target = battle.scene, battle.state, aim.unit
    reached = _open_to(battle, target, shots, under)
    if not reached:
        return 0
    sources = sources_of(shots, under)
    covers = scene.rules.shooting.covers(scene, state, target, reached, sources)
    value = yield from _focus(battle, unit, target, covers)
    rows = focused(covers, value)
    view = view_of(scene, state, rows, covers)
    batches = batches_of(scene, state, shots, under, view)
    told = len(battle.events)
    arrived, overheated = yield from wounding_hits(battle, unit, target, batches)
    if arrived and (yield from _goes_to_ground(battle, target)):
        covers = scene.rules.shooting.covers(scene, state, target, rows, sources)
        view = view_of(scene, state, rows, covers)
        again = batches_of(scene, state, shots, under, view)
        arrived = [(again[batches.index(batch)], packet, count) for batch, packet, count in arrived]
    pinned = 0
    for place in (yield from _order(battle, unit, target, arrived)):
        batch, packet, count = arrived[place]
        pinned += yield from _allocate(battle, unit, target, batch, packet, count, view, _centre(batch, batches, under))
    profiles = [shot.arm.profile for shot in (*shots, *(shot for shot, _ in under))]
    afflict(battle, target, profiles, told, {shot.arm.profile.name for shot, hits in under if hits.hits})
    fallen = [row for row in state.units[target].models if not state.wounds[row]]  # a friend may have stepped in
    clear_away(battle, fallen, scene.units[unit].id)
    yield from overheat(battle, overheated)
    return pinned


def _centre(batch: Batch, batches: Sequence[Batch], under: Sequence[tuple[Shot, UnitHits]]) -> Point | None:
    """The middle of the barrage's marker that a batch of hits comes from; None for anything else."""
    for shot, hits in under:
        if is_barrage(shot.arm.profile) and shot.arm.row in batch.rows and batch.volley.name == shot.arm.profile.name:
            return hits.centre
    return None


def _open_to(
    battle: ClassicBattle, target: int, shots: Sequence[Shot], under: Sequence[tuple[Shot, UnitHits]]
) -> list[int]:
    """The models that may take wounds: those that a firer sees and reaches; all of them where a marker has ended beyond
    what its firer sees."""
    scene, state = battle.scene, battle.state
    rows = guns_and_crew(scene, state, target)[1]
    found = rows_reached(scene, state, rows, shots)
    for shot, hits in under:
        seen = set(rows) & seen_by(scene, state, shot.arm.place)
        found |= seen if seen & set(hits.rows) and not is_barrage(shot.arm.profile) else set(rows)
    return [row for row in rows if row in found]


def _focus(battle: ClassicBattle, unit: int, target: int, covers: Mapping[int, int | None]) -> Procedure[int | None]:
    """The cover value that fire is focused at; asked only where covers differ."""
    values = sorted({cover or _OPEN for cover in covers.values()})
    if len(values) < 2:
        return None
    options = [Option("all", "fire at all of them", None)]
    for value in values[1:]:
        label = "those in the open" if value == _OPEN else f"those with cover of {value}+ or worse"
        options.append(Option(f"focus:{value}", label, value))
    picked = yield from _ask(battle, battle.scene.units[unit].side, target, "focus-fire", FOCUS, options)
    assert picked is None or isinstance(picked, int)
    return picked


_PROMPTS = {
    "focus-fire": "whom of it is the fire focused on?",
    "go-to-ground": "does it go to ground?",
    "order-wounds": "which wounds are allocated first?",
    "precision-shot": "who takes the precise wound?",
    "look-out-sir": "does a comrade take the wound for him (Look Out, Sir)?",
}


def _ask(
    battle: ClassicBattle, side: Side, target: int, kind: str, rule_id: str, options: Sequence[Option]
) -> Procedure[object]:
    info = battle.scene.units[target]
    picked: object = yield from choose(
        Decision(
            side,
            kind,
            f"{info.name}: {_PROMPTS[kind]}",
            rule_id,
            Options(options, rule=rule_id, default=options[0].key),
            subject=info.index,
        )
    )
    return picked


def _goes_to_ground(battle: ClassicBattle, target: int) -> Procedure[bool]:
    """The owner says whether his unit goes to ground, after wounds are known and before saves."""
    scene, state = battle.scene, battle.state
    mine = state.units[target]
    able = may_go_to_ground(
        [scene.models[row].profile.kind for row in standing(state, target)],
        fearless=passes_without_roll(scene, state, target, Test.PINNING),
        down=mine.pinned,
        falls_back=mine.falling_back,
    )
    if not able:
        return False
    options = [Option("stand", "stand", False), Option("go-to-ground", "go to ground", True)]
    side = scene.units[target].side
    down: object = yield from _ask(battle, side, target, "go-to-ground", "6e.outside.pinning", options)
    if down:
        go_down(scene, state, target)
    return bool(down)


@rule("6e.core.shooting.wound-pool")
def _order(battle: ClassicBattle, unit: int, target: int, arrived: Arrived) -> Procedure[tuple[int, ...]]:
    """The firer's order of the groups of wounds."""
    plain = tuple(range(len(arrived)))
    if not 1 < len(arrived) <= _MOST:
        return plain
    names = [f"{count} × {wound_of(batch.volley.name, packet.name)}" for batch, packet, count in arrived]
    options = [
        Option("-".join(map(str, order)), ", then ".join(names[n] for n in order), order)
        for order in permutations(plain)
    ]
    side = battle.scene.units[unit].side
    picked: object = yield from _ask(battle, side, target, "order-wounds", POOL, options)
    assert isinstance(picked, tuple)
    return picked


# -- one group of wounds ----------------------------------------------------------------------------------------


@rule("6e.core.shooting.allocation", "6e.core.shooting.equal-saves", "6e.core.shooting.precision-wound")
@rule("6e.core.shooting.instant-death", "6e.core.weapons.barrage")
def _allocate(
    battle: ClassicBattle,
    unit: int,
    target: int,
    batch: Batch,
    packet: Packet,
    count: int,
    view: TargetView,
    centre: Point | None,
) -> Procedure[int]:
    """Wounds of one sort: saved all at once where saves are equal and nobody can be covered for, else one at a time."""
    scene, state = battle.scene, battle.state
    groups = {
        view.models[index].id: number
        for number, group in enumerate(scene.rules.attack.groups(view))
        for index in group.models
    }
    tables = save_tables(batch.volley, packet)
    precise = packet.name.startswith("precise")
    alive = [row for row in groups if state.wounds[row]]
    alike = len({tables[groups[row]].stops for row in alive}) <= 1 if tables else True
    special = precise or any(look_out_sir_on(scene.models[row].profile) is not None for row in alive)
    pinned = 0
    if alike and not special and alive:
        failed = yield from failed_saves(battle, unit, target, batch, packet, groups[alive[0]], count)
        current = None
        for _ in range(failed):
            current = _next(battle, unit, groups, centre, current)
            if current is None:
                break
            pinned += _suffer(battle, batch, packet, current)
        return pinned
    current = None
    for _ in range(count):
        open_to = [row for row in groups if state.wounds[row]]
        if precise and open_to:
            current = yield from _picked(battle, unit, target, open_to)
        else:
            current = _next(battle, unit, groups, centre, current)
        if current is None:
            break
        victim = yield from look_out_sir(battle, target, current)
        group = groups.get(victim, groups[current])
        failed = yield from failed_saves(battle, unit, target, batch, packet, group, 1)
        if failed:
            pinned += _suffer(battle, batch, packet, victim)
    return pinned


def _suffer(battle: ClassicBattle, batch: Batch, packet: Packet, row: int) -> int:
    wounds = packet.damage.values[0]
    cites = "6e.core.shooting.allocation"
    lost = suffer(battle, row, wounds >= 10, batch.volley.name, cites, wounds=wounds)
    if batch.concusses and lost and battle.state.wounds[row]:
        battle.state.units[unit_in(battle.state, row)].did(concussed(row))
    return lost if batch.pins else 0


def _next(
    battle: ClassicBattle, unit: int, rows: Mapping[int, int], centre: Point | None, current: int | None
) -> int | None:
    """Who takes the next wound: the one who took the last while he lives, else the nearest; chance among equals."""
    scene, state = battle.scene, battle.state
    if current is not None and state.wounds[current]:
        return current
    alive = [row for row in rows if state.wounds[row]]
    if not alive:
        return None
    if centre is not None:
        apart = [distance_edge_to_point(scene.models[row].base, pose_of(state, row), centre) for row in alive]
    else:
        apart = [
            float(gap) for gap in gaps(scene, state, places_of(state, unit, living(state, unit)), alive).min(axis=0)
        ]
    nearest = nearest_rows(dict(zip(alive, apart, strict=True)))
    if len(nearest) == 1:
        return nearest[0]
    info = scene.units[unit]
    roll = battle.roll(1, len(nearest), "nearest")
    return nearest[battle.rolled(roll, info.side, "6e.core.shooting.allocation-ties", unit=info.id).total - 1]


def _picked(battle: ClassicBattle, unit: int, target: int, rows: Sequence[int]) -> Procedure[int]:
    options = [Option(f"model:{row}", battle.scene.models[row].name, row) for row in rows]
    if len(options) == 1:
        return rows[0]
    side, rule_id = battle.scene.units[unit].side, "6e.core.shooting.precision-wound"
    picked: object = yield from _ask(battle, side, target, "precision-shot", rule_id, options)
    assert isinstance(picked, int)
    return picked


@rule("6e.core.shooting.look-out-sir")
def look_out_sir(battle: ClassicBattle, target: int, row: int) -> Procedure[int]:
    """Who really takes a wound allocated to a model: of a character perhaps the nearest comrade within 6"."""
    scene, state = battle.scene, battle.state
    needed = look_out_sir_on(scene.models[row].profile)
    duel = {each for pair in state.challenges for each in pair}
    mates = [each for each in standing(state, target) if each not in {row, *duel} and state.wounds[each]]
    if needed is None or not mates:
        return row
    apart = gaps(scene, state, [row], mates)[0]
    place = int(apart.argmin())
    if not within(float(apart[place]), _NEAR):
        return row
    side = scene.units[target].side
    options = [Option("yes", "a comrade takes it", True), Option("no", "he takes it himself", False)]
    tries: object = yield from _ask(battle, side, target, "look-out-sir", LOOK_OUT, options)
    if not tries:
        return row
    roll = battle.rolled(battle.roll(1, 6, "look-out-sir"), side, LOOK_OUT, unit=scene.units[target].id, needed=needed)
    return mates[place] if roll.total >= needed else row
