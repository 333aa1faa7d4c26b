"""Blasts, barrages and templates of the 6th edition as they are laid: every marker scatters."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.bases import Point
from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.editions.classic.markers import diameter_of, scattered
from battlewright.editions.classic.procedures.arming import Shot, is_barrage
from battlewright.editions.classic.procedures.board import pose_of
from battlewright.editions.classic.procedures.laying import (
    UnitHits,
    hits_under,
    lay_marker,
    roll_scatter,
    salvo_marker,
    template_hits,
)
from battlewright.editions.classic.procedures.resolving_fire import burn
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile

__all__ = ["is_marker", "lay_markers", "scatter_inches"]

_BLAST, _BARRAGE = "6e.core.weapons.blast", "6e.core.weapons.barrage"


def is_marker(weapon: WeaponProfile) -> bool:
    """Whether a weapon lays a marker."""
    return weapon.has(AbilityName.BLAST) or weapon.has(AbilityName.LARGE_BLAST) or is_barrage(weapon)


@rule("6e.core.weapons.blast", "6e.core.weapons.barrage", "6e.core.fundamentals.dice", "6e.outside.scatter-die")
def scatter_inches(faces: Sequence[int], ballistic_skill: int, *, aimed: bool) -> float:
    """How far an arrow moves a marker, in inches: 2D6 less the firer's BS, or the whole of it where he does not see.

    Args:
        faces: of the two dice.
    """
    return float(max(sum(faces) - (ballistic_skill if aimed else 0), 0))


@rule("6e.core.weapons.blast", "6e.core.weapons.template", "6e.core.weapons.barrage", "6e.core.weapons.barrage-battery")
def lay_markers(
    battle: ClassicBattle, unit: int, target: int, shots: Sequence[Shot]
) -> Procedure[list[tuple[Shot, UnitHits]]]:
    """Everybody hit by markers and templates, one after the other; every model that one so much as touches is hit."""
    found: list[tuple[Shot, UnitHits]] = []
    salvos: dict[str, list[Point]] = {}
    for shot in shots:
        profile = shot.arm.profile
        if profile.has(AbilityName.TEMPLATE):
            within = 12.0 if profile.has(AbilityName.TORRENT) else 0.0
            found += template_hits(battle, unit, shot, target, within=within)
            continue
        assert shot.shots is not None, "it has been measured that it may fire"
        for _ in range(shot.shots.minimum):
            if (yield from _overheats(battle, unit, shot)):
                continue
            before = salvos.get(profile.name, [])
            if is_barrage(profile) and before:
                laid: Point | None = yield from salvo_marker(battle, unit, before, diameter_of(profile))
            else:
                laid = yield from _scattered(battle, unit, target, shot)
            if laid is None:
                continue
            salvos.setdefault(profile.name, []).append(laid)
            under = hits_under(battle, unit, profile.name, laid, diameter_of(profile), any_touch=True)
            found += [(shot, each) for each in under]
    return found


@rule("6e.core.weapons.gets-hot")
def _overheats(battle: ClassicBattle, unit: int, shot: Shot) -> Procedure[bool]:
    """Whether a blast weapon gets hot before it is fired: on a D6 of 1 it is not, and its firer may be wounded."""
    if not shot.arm.profile.has(AbilityName.GETS_HOT):
        return False
    info = battle.scene.units[unit]
    rule_id = "6e.core.weapons.gets-hot"
    roll = battle.rolled(battle.roll(1, 6, "gets-hot"), info.side, rule_id, unit=info.id, needed=2)
    if roll.total > 1:
        return False
    yield from burn(battle, shot.arm.row, shot.arm.profile.name)
    return True


@rule("6e.core.weapons.twin-linked", "6e.core.weapons.blast", "6e.core.weapons.barrage")
def _scattered(battle: ClassicBattle, unit: int, target: int, shot: Shot) -> Procedure[Point | None]:
    """Where a marker comes to lie.

    RULING: 6e.core.weapons.twin-linked a twin-linked scatter is thrown again whenever it moves the marker.
    """
    scene, state, profile = battle.scene, battle.state, shot.arm.profile
    rows = standing(state, target)
    barrage = is_barrage(profile)
    seen = any(row in seen_by(scene, state, shot.arm.place) for row in rows)
    if barrage and not seen:
        here = pose_of(state, shot.arm.place)
        goals = [pose_of(state, row)[:2] for row in rows]
        aimed: Point | None = min(goals, key=lambda goal: (goal[0] - here.x) ** 2 + (goal[1] - here.y) ** 2)
    else:
        aimed = yield from lay_marker(battle, unit, target, [shot], diameter_of(profile), on_model=True)
    if aimed is None:
        return None
    firer = scene.models[shot.arm.row]
    skill = profile.skill if profile.skill is not None else firer.profile.ballistic_skill
    rule_id = _BARRAGE if barrage else _BLAST
    end = aimed
    for _ in range(2 if profile.has(AbilityName.TWIN_LINKED) else 1):
        arrow = roll_scatter(battle, unit, rule_id)
        end = aimed
        if not arrow.hit:
            roll = battle.rolled(battle.roll(2, 6, "scatter-distance"), firer.side, rule_id, unit=scene.units[unit].id)
            end = scattered(aimed, arrow, scatter_inches(roll.faces, skill, aimed=seen or not barrage))
        if end == aimed:
            break
    return end
