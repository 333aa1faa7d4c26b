"""Bombing runs of the 6th edition: at the end of its zooming move a flyer drops a bomb on whom it has passed over."""

from __future__ import annotations

from collections.abc import Mapping

from battlewright.core.bases import Point
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.markers import diameter_of
from battlewright.editions.classic.procedures.aiming import Aim
from battlewright.editions.classic.procedures.arming import Arm, Shot
from battlewright.editions.classic.procedures.board import pose_of, unit_in
from battlewright.editions.classic.procedures.laying import hits_under, scatter_marker
from battlewright.editions.classic.procedures.resolving_fire import fire_at
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile, is_dropped
from battlewright.editions.sixth.flyers import flew_over, may_bomb, under_markers

__all__ = ["bombing_run", "bombs_of", "passed_over"]

_RULE, _WHERE = "6e.bombs.movement-phase", "6e.bombs.placement-and-scatter"


@rule("6e.bombs.movement-phase")
def bombs_of(scene: Scene, state: ClassicState, row: int) -> list[Arm]:
    """The bombs that a flyer still carries, one of each sort."""
    lost = state.units[unit_in(state, row)].weapons_lost
    found: dict[WeaponProfile, Arm] = {}
    for place, weapon in enumerate(scene.models[row].weapons):
        for profile in weapon.profiles:
            if is_dropped(profile) and (row, place) not in lost:
                found.setdefault(profile, Arm(row, place, profile))
    return list(found.values())


@rule("6e.bombs.placement-and-scatter")
def passed_over(scene: Scene, state: ClassicState, row: int, start: Point) -> list[int]:
    """The models, of either side, that a flyer has flown over since it stood there: none of those that are aloft."""
    base, end = scene.models[row].base, pose_of(state, row)[:2]
    return [
        other
        for unit, mine in enumerate(state.units)
        if under_markers(mine.aloft)
        for other in standing(state, unit)
        if flew_over(start, end, base.length, base.width, pose_of(state, other)[:2], float(scene.reach[other]))
    ]


@rule("6e.bombs.movement-phase", "6e.bombs.one-per-phase", "6e.bombs.must-zoom", "6e.flyer-weapons.bombs-zoom-only")
def bombing_run(battle: ClassicBattle, unit: int, starts: Mapping[int, Point]) -> Procedure[None]:
    """After its move each flyer of a unit may drop one bomb on a model that it has passed over.

    RULING: 6e.bombs.movement-phase one that has flown off the table drops none.

    Args:
        starts: by row, where they set out.
    """
    state = battle.state
    if not may_bomb(state.units[unit]):
        return
    dropped = False
    for row in [each for each in starts if state.on_table[each] and state.wounds[each] > 0]:
        dropped = (yield from _drop(battle, unit, row, starts[row])) or dropped
    if dropped:
        state.units[unit].did(Deed.BOMBED)


def _drop(battle: ClassicBattle, unit: int, row: int, start: Point) -> Procedure[bool]:
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    bombs, models = bombs_of(scene, state, row), passed_over(scene, state, row, start)
    if not bombs or not models:
        return False
    models.sort(key=lambda other: (scene.models[other].side == info.side, other))
    options = [
        Option(f"bomb:{bomb.weapon}:{other}", f"{bomb.profile.name} on {_called(scene, state, other)}", (bomb, other))
        for bomb in bombs
        for other in models
    ]
    enemies = scene.models[models[0]].side != info.side
    picked: tuple[Arm, int] | None = yield from choose(
        Decision(
            info.side,
            "drop-bomb",
            f"{info.name}: on whom is a bomb dropped?",
            _RULE,
            Options(
                [*options, Option("none", "drop none", None)],
                rule=_RULE,
                default=options[0].key if enemies else "none",
            ),
            subject=info.index,
        )
    )
    if picked is None:
        return False
    yield from _goes_off(battle, unit, *picked)
    return True


def _called(scene: Scene, state: ClassicState, row: int) -> str:
    return f"{scene.models[row].name} (model {row}) of {scene.units[unit_in(state, row)].name}"


@rule("6e.bombs.placement-and-scatter", "6e.bombs.hits", "6e.hard-to-hit.no-template-or-blast")
def _goes_off(battle: ClassicBattle, unit: int, bomb: Arm, at: int) -> Procedure[None]:
    """The marker is laid on a model and scatters D6"; everybody under it takes a hit of the bomb's profile.

    RULING: 6e.bombs.hits a model that the marker so much as touches is under it.
    """
    state, profile = battle.state, bomb.profile
    if profile.has(AbilityName.ONE_SHOT):
        mine = state.units[unit]
        mine.weapons_lost = mine.weapons_lost | {(bomb.row, bomb.weapon)}
    aim = pose_of(state, at)
    centre = scatter_marker(battle, unit, (aim.x, aim.y), rule_id=_WHERE)
    under = hits_under(battle, unit, profile.name, centre, diameter_of(profile), any_touch=True)
    shot = Shot(bomb, 0.0, profile.shots, half_range=False)
    for hits in under:
        if standing(state, hits.unit):
            yield from fire_at(battle, unit, Aim(hits.unit), [], [(shot, hits)])
