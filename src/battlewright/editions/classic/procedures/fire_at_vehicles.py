"""Fire at vehicles: the side that each shot strikes, what shelters it, and the hits on squadrons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from battlewright.attacks.description import amount
from battlewright.attacks.resolve import roll_to_packets
from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.editions.classic.attack import HIT, compile_hits, compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.gunnery import StruckFrom
from battlewright.editions.classic.procedures.arming import Shot
from battlewright.editions.classic.procedures.board import facing_towards, gaps, pose_of, unit_in
from battlewright.editions.classic.procedures.contexts import context_of
from battlewright.editions.classic.procedures.fire_points import counts_as
from battlewright.editions.classic.procedures.laying import UnitHits
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.procedures.shelter import seen_of
from battlewright.editions.classic.procedures.vehicle_hits import attack_vehicle
from battlewright.editions.classic.procedures.volleys import OVERHEATED, Batch, Host
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.target import TargetModel, TargetView

__all__ = ["Overheated", "fire_at_vehicles", "hits_of", "view_of"]

Overheated: TypeAlias = list[tuple[Batch, int]]


@rule("4e.obscured.own-cover-rule", "4e.obscured.check-each-shot")
def view_of(scene: Scene, state: ClassicState, row: int, firer: int, face: Facing) -> TargetView:
    """A vehicle as the target of a shot: its side, and what shelters it from the firer."""
    rules, seen = scene.rules.vehicles.fire, seen_of(scene, state, row, firer)
    shelter = rules.shelter(seen)
    return TargetView(
        (TargetModel(scene.models[row].profile, int(state.wounds[row]), shelter.save, row),),
        facing=seen.instead or face,
        hull_down=shelter.glances_only,
        obscured_on=shelter.downgrade_on,
        immobilised=row in state.units[unit_in(state, row)].immobilised,
        besides=counts_as(state, row),
    )


@rule("3e.core.vehicles.armour-face", "3e.core.vehicles.squadrons", "3e.core.weapons.ordnance-rim")
@rule("3e.outside.vehicle-target", "3e.core.vehicles.hull-down")
@rule("6e.passenger-damage.same-unit-cannot-shoot-passengers")
def fire_at_vehicles(
    battle: ClassicBattle, unit: int, target: int, shots: Sequence[Shot], under: Sequence[tuple[Shot, UnitHits]]
) -> Procedure[Overheated]:
    """Everything that a unit fires at a unit of vehicles; the attacks that hit their own bearers.

    Shots alike in weapon, side and shelter are one volley. Those at a squadron are rolled as far as their hits, which
    are then shared out over its vehicles, wherever each of them is seen.
    """
    scene, state = battle.scene, battle.state
    overheated: Overheated = []
    if len(standing(state, target)) > 1 or state.units[target].aloft:
        overheated += yield from _at_squadron(battle, unit, target, shots)
    else:
        for row in standing(state, target):
            overheated += yield from _at_one(battle, unit, target, row, shots)
    for shot, hits in under:
        for row in (each for each in hits.rows if each not in hits.missed):
            if hits.hits and state.wounds[row]:
                face, half = _under(scene, state, shot, hits, row)
                context = context_of(scene, state, shot, row, hits=amount(hits.on_each), half_strength=half)
                view = view_of(scene, state, row, shot.arm.place, face)
                overheated += yield from _resolve(battle, unit, target, row, view, [shot], context)
    return overheated


@rule("4e.vehicle-armour.partial-blast", "4e.vehicle-armour.direct-template-side")
@rule("4e.vehicle-armour.barrage-hole-over", "4e.vehicle-armour.barrage-hole-off", "6e.core.weapons.blast-vehicles")
def _under(scene: Scene, state: ClassicState, shot: Shot, hits: UnitHits, row: int) -> tuple[Facing, bool]:
    """The side of a vehicle that a marker or template strikes, and whether with half its Strength."""
    firer = facing_towards(scene, state, row, pose_of(state, shot.arm.place)[:2])
    if hits.centre is None:
        return firer, False
    arrives = scene.rules.vehicles.fire.under_marker(shot.arm.profile, row in hits.under_hole)
    match arrives.struck:
        case StruckFrom.FLANK:
            return Facing.SIDE, arrives.half
        case StruckFrom.HOLE:
            return facing_towards(scene, state, row, hits.centre), arrives.half
        case _:
            return firer, arrives.half


def _alike(scene: Scene, state: ClassicState, shot: Shot, at: int) -> tuple[object, ...]:
    return shot.arm.profile, shot.shots, context_of(scene, state, shot, at)


def _sheltered(view: TargetView) -> tuple[object, ...]:
    return view.facing, view.hull_down, view.obscured_on, view.models[0].cover


def _at_one(battle: ClassicBattle, unit: int, target: int, row: int, shots: Sequence[Shot]) -> Procedure[Overheated]:
    """Every weapon that sees a vehicle fires at the side that it stands on."""
    scene, state = battle.scene, battle.state
    pools: dict[tuple[object, ...], tuple[TargetView, list[Shot]]] = {}
    for shot in shots:
        if row in seen_by(scene, state, shot.arm.place):
            face = facing_towards(scene, state, row, pose_of(state, shot.arm.place)[:2])
            view = view_of(scene, state, row, shot.arm.place, face)
            pools.setdefault((*_sheltered(view), *_alike(scene, state, shot, row)), (view, []))[1].append(shot)
    found: Overheated = []
    for view, pool in pools.values():
        assert pool[0].shots is not None, "it has been measured that it may fire"
        context = context_of(scene, state, pool[0], row, attacks=amount(pool[0].shots))
        found += yield from _resolve(battle, unit, target, row, view, pool, context)
    return found


@rule("3e.core.vehicles.squadrons")
@rule(
    "4e.squadron-shooting.distribute-hits",
    "4e.squadron-shooting.roll-separately",
    "4e.squadron-shooting.example-vypers",
)
def _at_squadron(battle: ClassicBattle, unit: int, target: int, shots: Sequence[Shot]) -> Procedure[Overheated]:
    """The hits on a squadron are shared out over its vehicles; then each of them is damaged on its own.

    RULING: 3e.core.vehicles.squadrons the hits of all weapons are shared out together, those of like weapons in a row.
    """
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.vehicles.fire
    overheated: Overheated = []
    pools: dict[tuple[object, ...], list[Shot]] = {}
    first = standing(state, target)[0]
    for shot in shots:
        pools.setdefault(_alike(scene, state, shot, first), []).append(shot)
    hits: list[Shot] = []
    for pool in pools.values():
        scored, hot = yield from hits_of(battle, unit, target, pool)
        hits += [pool[number % len(pool)] for number in range(scored)]
        overheated += hot
    if not hits:
        return overheated
    yield from scene.rules.flight.under_fire(battle, target)
    firers = [shot.arm.place for shot in shots]
    if rules.one_by_one:
        for hit in hits:
            left = standing(state, target)
            if left:
                apart = gaps(scene, state, firers, left).min(axis=0)
                row = left[int(apart.argmin())]
                yield from _strike(battle, unit, target, row, _sorted(scene, state, row, [hit]))
        return overheated
    rows = standing(state, target)
    each = rules.spread(len(hits), [float(gap) for gap in gaps(scene, state, firers, rows).min(axis=0)])
    struck = []
    for row, number in zip(rows, each, strict=True):
        struck.append((row, _sorted(scene, state, row, hits[:number])))
        hits = hits[number:]
    for row, alike in struck:
        yield from _strike(battle, unit, target, row, alike)
    return overheated


def hits_of(battle: ClassicBattle, unit: int, target: int, pool: Sequence[Shot]) -> Procedure[tuple[int, Overheated]]:
    """How many shots hit a squadron, and how many their own bearers."""
    scene, state, first = battle.scene, battle.state, pool[0]
    assert first.shots is not None, "it has been measured that it may fire"
    row = standing(state, target)[0]
    view = TargetView((TargetModel(scene.models[row].profile, int(state.wounds[row]), None, row),))
    context = context_of(scene, state, first, row, attacks=amount(first.shots))
    volley = compile_hits(scene.rules.attack, first.arm.profile, len(pool), context, view)
    batch = Batch(volley, tuple(shot.arm.row for shot in pool))
    done = yield from roll_to_packets(volley, Host(battle, unit, target, batch))
    return done.packets[HIT], [(batch, done.packets[OVERHEATED])] if done.packets.get(OVERHEATED) else []


def _sorted(scene: Scene, state: ClassicState, row: int, hits: Sequence[Shot]) -> list[tuple[TargetView, list[Shot]]]:
    """Hits on one vehicle of a squadron, those alike in weapon, side and shelter together; the shelter is what it has
    when the shots are fired, whatever they make of its comrades."""
    alike: dict[tuple[object, ...], tuple[TargetView, list[Shot]]] = {}
    for shot in hits:
        face = facing_towards(scene, state, row, pose_of(state, shot.arm.place)[:2])
        view = view_of(scene, state, row, shot.arm.place, face)
        alike.setdefault((*_sheltered(view), *_alike(scene, state, shot, row)), (view, []))[1].append(shot)
    return list(alike.values())


def _strike(
    battle: ClassicBattle, unit: int, target: int, row: int, alike: Sequence[tuple[TargetView, list[Shot]]]
) -> Procedure[None]:
    """Hits on one vehicle of a squadron, sorted already."""
    scene, state = battle.scene, battle.state
    for view, pool in alike:
        context = context_of(scene, state, pool[0], row, hits=amount(len(pool)))
        yield from _resolve(battle, unit, target, row, view, pool[:1], context)


def _resolve(
    battle: ClassicBattle,
    unit: int,
    target: int,
    row: int,
    view: TargetView,
    pool: Sequence[Shot],
    context: AttackContext,
) -> Procedure[Overheated]:
    """Attacks of identical weapons on one vehicle."""
    if not battle.state.wounds[row]:
        return []
    volley = compile_volley(battle.scene.rules.attack, pool[0].arm.profile, len(pool), context, view)
    batch = Batch(volley, tuple(shot.arm.row for shot in pool))
    count = yield from attack_vehicle(battle, unit, target, row, batch)
    return [(batch, count)] if count else []
