"""Blasts, barrages and templates of the 3rd edition as they are laid: one marker for all blasts, guessed ranges."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from battlewright.core.bases import Point
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.markers import diameter_of
from battlewright.editions.classic.night import NightShot
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
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.weapons import AbilityName
from battlewright.editions.third.falling_back import is_walled_off
from battlewright.editions.third.markers import (
    hits_of_several,
    is_wasted,
    may_reposition,
    night_scatter,
    reposition_faults,
)
from battlewright.editions.third.troops import hits_on_swarms

__all__ = ["guess_ranges", "lay_markers"]


@rule("3e.core.weapons.barrage", "3e.core.shooting.guess-first")
def guess_ranges(
    battle: ClassicBattle, unit: int, target: int, arms: Sequence[Arm]
) -> Procedure[Mapping[Arm, float | None]]:
    """The player guesses how far his target is, for every salvo of barrages; None: the shots are wasted."""
    scene = battle.scene
    found: dict[Arm, float | None] = {}
    by_name: dict[str, list[Arm]] = {}
    for arm in (arm for arm in arms if is_barrage(arm.profile)):
        by_name.setdefault(arm.profile.name, []).append(arm)
    for group in by_name.values():
        profile = group[0].profile
        least = profile.ability(AbilityName.MINIMUM)
        minimum = float(least.number or 0) if least else 0.0
        here, goal = _line(battle, group[0].row, target)
        far = math.ceil(math.hypot(scene.battlefield.width, scene.battlefield.height))
        rule_id = "3e.core.weapons.barrage"
        options = [Option(f"inches:{inches}", f'{inches}"', inches) for inches in range(1, far + 1)]
        most = min(far, math.floor(profile.range))
        default = f"inches:{min(max(round(math.dist(here, goal)), math.ceil(minimum), 1), most)}"
        guessed: int = yield from choose(
            Decision(
                scene.units[unit].side,
                "guess-range",
                f"{profile.name}: how far is it?",
                rule_id,
                Options(options, rule=rule_id, default=default),
                subject=scene.units[unit].index,
            )
        )
        wasted = is_wasted(float(guessed), minimum, profile.range)
        found.update(dict.fromkeys(group, None if wasted else float(guessed)))
    return found


def _line(battle: ClassicBattle, row: int, target: int) -> tuple[Point, Point]:
    """From a firer to the nearest model of his target, centre to centre."""
    state = battle.state
    here = pose_of(state, row)[:2]
    goals = [pose_of(state, other)[:2] for other in standing(state, target)]
    return here, min(goals, key=lambda goal: math.dist(here, goal))


@rule("3e.outside.several-markers", "3e.core.weapons.several-blasts", "3e.core.weapons.ordnance")
@rule("3e.outside.marker-sizes", "3e.barrage.contact-ranging", "3e.core.units.swarms")
def lay_markers(
    battle: ClassicBattle, unit: int, target: int, shots: Sequence[Shot]
) -> Procedure[list[tuple[Shot, UnitHits]]]:
    """Everybody hit by markers and templates: one marker for all blasts of a sort, one after the other for barrages."""
    found: list[tuple[Shot, UnitHits]] = []
    by_name: dict[str, list[Shot]] = {}
    for shot in shots:
        by_name.setdefault(shot.arm.profile.name, []).append(shot)
    for name, group in by_name.items():
        profile = group[0].arm.profile
        if profile.has(AbilityName.TEMPLATE):
            for shot in group:
                sheltered = _behind_walls(battle, shot.arm.place)
                found += template_hits(battle, unit, shot, target, spares=True, is_sheltered=sheltered)
            continue
        diameter, times = diameter_of(profile), 1
        if is_barrage(profile):
            centres = yield from _salvo(battle, unit, target, group, diameter)
        elif is_blast(profile):
            assert group[0].shots is not None, "it has been measured that it may fire"
            faces: list[int] = []
            times = aimed_hits(battle, group, len(group) * group[0].shots.minimum, faces.extend)
            yield from _overheat(battle, group, faces)
            centres = (yield from _aimed(battle, unit, target, group, diameter)) if times else []
        else:
            centres = []
            for shot in group:
                laid = yield from _aimed(battle, unit, target, [shot], diameter)
                dice = 2 if battle.state.units[unit].moved else 1
                centres += [_scattered(battle, unit, shot, centre, dice) for centre in laid]
        for centre in centres:
            for hits in hits_under(battle, unit, name, centre, diameter):
                keywords = battle.scene.models[hits.rows[0]].profile.keywords
                total = hits_on_swarms(keywords, hits_of_several(hits.hits, times))
                found.append((group[0], UnitHits(hits.unit, hits.rows, total, hits.under_hole, centre, hits.missed)))
    return found


@rule("3e.core.weapons.gets-hot")
def _overheat(battle: ClassicBattle, shots: Sequence[Shot], faces: Sequence[int]) -> Procedure[None]:
    """What the hit rolls of blast weapons that get hot do to their firers, one after another."""
    if shots[0].arm.profile.has(AbilityName.GETS_HOT):
        for number in range(list(faces).count(1)):
            yield from burn(battle, shots[number % len(shots)].arm.row, shots[0].arm.profile.name)


@rule("3e.core.weapons.blast-other-units", "3e.core.weapons.ordnance")
def _aimed(
    battle: ClassicBattle, unit: int, target: int, shots: Sequence[Shot], diameter: float
) -> Procedure[list[Point]]:
    """Where the marker of blasts, or of ordnance before it scatters, is laid.

    RULING: 3e.blast.reposition we read it as holding for blasts alone: ordnance scatters from where it was laid.
    """
    again = reposition_faults if may_reposition(template=False) and is_blast(shots[0].arm.profile) else None
    laid = yield from lay_marker(battle, unit, target, shots, diameter, again=again, spares=True)
    return [laid] if laid is not None else []


def _scattered(battle: ClassicBattle, unit: int, shot: Shot, centre: Point, dice: int) -> Point:
    how = NightShot.BLIND if shot.blind else NightShot.AIMED
    return scatter_marker(battle, unit, centre, dice=dice, inches=lambda faces: night_scatter(float(max(faces)), how))


@rule("3e.core.weapons.barrage", "3e.core.weapons.barrage-scatter")
def _salvo(
    battle: ClassicBattle, unit: int, target: int, group: Sequence[Shot], diameter: float
) -> Procedure[list[Point]]:
    """The ranging shot lies where its distance was guessed and scatters; the others touch it."""
    here, goal = _line(battle, group[0].arm.place, target)
    apart, guessed = math.dist(here, goal), group[0].guessed
    assert guessed is not None, "a wasted shot has been left out"
    part = guessed / apart if apart else 0.0
    aimed = (here[0] + (goal[0] - here[0]) * part, here[1] + (goal[1] - here[1]) * part)
    centres = [_scattered(battle, unit, group[0], aimed, 1)]
    for _ in group[1:]:
        centres.append((yield from salvo_marker(battle, unit, centres, diameter)))
    return centres


@rule("3e.core.weapons.template")
def _behind_walls(battle: ClassicBattle, firer: int) -> Callable[[int], bool]:
    """Whether a template does nothing to a model: walls of impassable terrain lie between its firer and it."""
    return lambda row: is_walled_off(battle.scene, battle.state, [firer], row)
