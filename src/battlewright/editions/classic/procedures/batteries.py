"""Fire at a battery: its hits are shared out by dice between the guns and the crew."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.attacks.description import amount
from battlewright.attacks.resolve import roll_to_packets
from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.editions.classic.artillery import hits_a_gun, hits_by_blast, split_by_dice
from battlewright.editions.classic.attack import GUN_LOST, compile_piercing
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.procedures.aiming import Aim
from battlewright.editions.classic.procedures.arming import Shot
from battlewright.editions.classic.procedures.contexts import context_of
from battlewright.editions.classic.procedures.fire_at_vehicles import Overheated, hits_of
from battlewright.editions.classic.procedures.harm import bury
from battlewright.editions.classic.procedures.laying import UnitHits
from battlewright.editions.classic.procedures.volleys import Batch, Host
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import WeaponProfile

__all__ = ["fire_at_battery", "guns_and_crew", "pierce_guns"]

_HITS = "3e.core.units.artillery-hits"


def guns_and_crew(scene: Scene, state: ClassicState, unit: int) -> tuple[list[int], list[int]]:
    """The rows of a unit that have armour, and those that do not."""
    guns = [row for row in standing(state, unit) if scene.models[row].profile.is_vehicle]
    return guns, [row for row in standing(state, unit) if row not in guns]


@rule("3e.core.units.artillery-hits", "4e.artillery.random-hits", "4e.artillery.hit-table", "4e.artillery.blast-hits")
def fire_at_battery(
    battle: ClassicBattle, unit: int, aim: Aim, shots: Sequence[Shot], under: Sequence[tuple[Shot, UnitHits]]
) -> Procedure[Overheated]:
    """Everything that a unit fires at a battery: shots are rolled as far as their hits, each of which strikes a gun or
    the crew by a die; a marker strikes whoever lies under it."""
    scene, state, target = battle.scene, battle.state, aim.unit
    guns, crew = guns_and_crew(scene, state, target)
    overheated: Overheated = []
    struck: list[Shot] = []
    wounding: list[tuple[Shot, int]] = []
    pools: dict[object, list[Shot]] = {}
    for shot in shots:
        pools.setdefault((shot.arm.profile, shot.shots, shot.snap), []).append(shot)
    for pool in pools.values():
        scored, hot = yield from hits_of(battle, unit, target, pool)
        overheated += hot
        if not scored:
            continue
        roll = battle.roll(scored, 6, "artillery-hits")
        faces = battle.rolled(roll, scene.units[target].side, _HITS, unit=scene.units[target].id).faces
        at_guns, at_crew = split_by_dice(faces, len(guns), len(crew))
        assert at_guns == sum(hits_a_gun(face) for face in faces) or not (guns and crew)
        struck += [pool[0]] * at_guns
        wounding.append((pool[0], at_crew))
    for shot, hits in under:
        hit = [row for row in hits.rows if row not in hits.missed] if hits.hits else []
        times = hits.hits // max(1, len(hit))  # one marker may stand for several hits
        below = times * sum(row in guns for row in hit), times * sum(row in crew for row in hit)
        at_guns, at_crew = hits_by_blast(*below)
        struck += [shot] * at_guns
        wounding.append((shot, at_crew))
    for shot in struck:
        yield from _penetrate(battle, unit, target, shot)
    dealt = [(shot, UnitHits(target, tuple(crew), number, ())) for shot, number in wounding if number]
    if dealt:
        yield from scene.rules.shooting.resolve(battle, unit, aim, [], dealt)
    return overheated


@rule("3e.core.units.artillery-hits", "4e.artillery.gun-destroyed", "4e.artillery.gun-av")
def _penetrate(battle: ClassicBattle, unit: int, target: int, shot: Shot) -> Procedure[None]:
    """A hit on a gun: a glancing or penetrating hit destroys it."""
    scene = battle.scene
    guns, _ = guns_and_crew(scene, battle.state, target)
    if guns:
        context = context_of(scene, battle.state, shot, guns[0], hits=amount(1))
        yield from pierce_guns(battle, unit, target, shot.arm.profile, context, (shot.arm.row,))


@rule("4e.artillery.gun-destroyed", "4e.artillery.gun-av", "4e.artillery.assaulted-random")
def pierce_guns(
    battle: ClassicBattle,
    unit: int,
    target: int,
    weapon: WeaponProfile,
    context: AttackContext,
    rows: tuple[int, ...],
) -> Procedure[None]:
    """Hits on the guns of a battery, each penetrating as the weapon does; one gun is destroyed for each that does.

    Args:
        rows: the models that have scored them.
    """
    scene, state = battle.scene, battle.state
    guns, _ = guns_and_crew(scene, state, target)
    view = TargetView((TargetModel(scene.models[guns[0]].profile, int(state.wounds[guns[0]]), None, guns[0]),))
    volley = compile_piercing(scene.rules.attack, weapon, context, view)
    done = yield from roll_to_packets(volley, Host(battle, unit, target, Batch(volley, rows), guns[0]))
    lost = done.packets[GUN_LOST]
    if lost:
        bury(battle, guns[:lost], "destroyed", _HITS, by=scene.units[unit].id)
