"""Blasts, barrages and templates of the 4th edition as they are laid: one after the other, nothing guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from battlewright.core.bases import Point
from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.editions.classic.markers import diameter_of
from battlewright.editions.classic.procedures.arming import Arm, Shot, is_barrage, is_blast
from battlewright.editions.classic.procedures.board import pose_of
from battlewright.editions.classic.procedures.laying import (
    UnitHits,
    aimed_hits,
    hits_under,
    lay_marker,
    salvo_marker,
    scatter_marker,
    template_hits,
)
from battlewright.editions.classic.procedures.resolving_fire import burn
from battlewright.editions.classic.procedures.seeing import seen_by
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.weapons import AbilityName
from battlewright.editions.fourth.attack import hot_rolls

__all__ = ["guess_nothing", "lay_markers", "scatter_dice"]


def guess_nothing(
    battle: ClassicBattle, unit: int, target: int, arms: Sequence[Arm]
) -> Procedure[Mapping[Arm, float | None]]:
    """No range is guessed in this edition."""
    return {}
    yield


@rule("4e.core.weapons.blast", "4e.core.weapons.template", "4e.core.weapons.ordnance", "4e.core.weapons.barrage")
def lay_markers(
    battle: ClassicBattle, unit: int, target: int, shots: Sequence[Shot]
) -> Procedure[list[tuple[Shot, UnitHits]]]:
    """Everybody hit by markers and templates, one after the other; barrages of a sort lie touching the first."""
    found: list[tuple[Shot, UnitHits]] = []
    salvos: dict[str, list[Point]] = {}
    for shot in shots:
        profile = shot.arm.profile
        if profile.has(AbilityName.TEMPLATE):
            found += template_hits(battle, unit, shot, target)
            continue
        diameter = diameter_of(profile)
        assert shot.shots is not None, "it has been measured that it may fire"
        count = shot.shots.minimum
        if is_blast(profile):
            faces: list[int] = []
            count = aimed_hits(battle, [shot], count, faces.extend)
            yield from _overheat(battle, shot, faces)
        for _ in range(count):
            before = salvos.get(profile.name, [])
            if is_barrage(profile) and before:
                laid: Point | None = yield from salvo_marker(battle, unit, before, diameter)
            else:
                laid = yield from _aimed(battle, unit, target, shot, diameter)
            if laid is None:
                continue
            salvos.setdefault(profile.name, []).append(laid)
            found += [(shot, hits) for hits in hits_under(battle, unit, profile.name, laid, diameter)]
    return found


@rule("4e.core.weapons.gets-hot")
def _overheat(battle: ClassicBattle, shot: Shot, faces: Sequence[int]) -> Procedure[None]:
    """What the hit rolls of a blast weapon that gets hot do to its firer."""
    if shot.arm.profile.has(AbilityName.GETS_HOT):
        for _ in range(sum(face <= hot_rolls(len(faces)) for face in faces)):
            yield from burn(battle, shot.arm.row, shot.arm.profile.name)


@rule("4e.core.weapons.ordnance", "4e.core.weapons.barrage", "4e.core.missions.night-fighting")
def scatter_dice(*, barrage: bool, seen: bool, moved: bool) -> int:
    """How many D6, of which the highest counts, say how far a marker scatters: one, or two for a barrage at what its
    firer does not see and for ordnance after a move."""
    return 2 if (barrage and not seen) or (not barrage and moved) else 1


def _aimed(battle: ClassicBattle, unit: int, target: int, shot: Shot, diameter: float) -> Procedure[Point | None]:
    """Where a marker lies at last: blasts where they are aimed, ordnance and barrages after scattering.

    RULING: 4e.core.weapons.barrage the rule does not say where a barrage is aimed; we read it as at the target's
    model that is nearest to the firer.
    """
    state, profile = battle.state, shot.arm.profile
    rows = standing(state, target)
    if is_barrage(profile):
        here = pose_of(state, shot.arm.place)
        goals = [pose_of(state, row)[:2] for row in rows]
        aimed: Point | None = min(goals, key=lambda goal: (goal[0] - here.x) ** 2 + (goal[1] - here.y) ** 2)
    else:
        aimed = yield from lay_marker(battle, unit, target, [shot], diameter, on_model=True)
    if aimed is None or is_blast(profile):
        return aimed
    seen = not shot.blind and any(row in seen_by(battle.scene, state, shot.arm.place) for row in rows)
    dice = scatter_dice(barrage=is_barrage(profile), seen=seen, moved=state.units[unit].moved)
    more = int(shot.blind)
    return scatter_marker(
        battle,
        unit,
        aimed,
        dice=dice + more,
        inches=lambda faces: float(max(faces[:dice]) + sum(faces[dice:])),
        rule_id="4e.core.weapons.barrage" if is_barrage(profile) else "4e.core.weapons.ordnance",
    )
