"""Who fights in a round of close combat, within whose reach, and when: settled when the fighting begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.artillery import is_gun, strikes_back
from battlewright.editions.classic.procedures.board import furthest_part, gaps
from battlewright.editions.classic.scene import Scene, standing
from battlewright.editions.classic.special_rules import Bout
from battlewright.editions.classic.splitting import (
    Aim,
    Opponent,
    TargetKind,
)
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.striking import (
    SUPPORT,
    Approach,
    Fighter,
    Footing,
    Reach,
    character_fights,
    has_charge_bonus,
    may_strike_character,
    strike_step,
)
from battlewright.editions.classic.weapons import WeaponProfile

__all__ = ["Round", "Target", "begin_round", "look_again", "steps_of", "still_alive"]

Target = TargetKind | int
_PLASMA = frozenset({"PLASMA GRENADES"})
_FRAG = _PLASMA | {"FRAG GRENADES"}
_DEFENSIVE = "DEFENSIVE GRENADES"


@dataclass
class Round:
    """A round of one combat, as it was when the fighting began.

    Attributes:
        units: in the combat.
        near: for each model the enemies that it touches, or is within 2" of; ``contact`` those that touch somebody.
        arms: what each model fights with.
        caused: wounds that each unit caused.
        bouts: how each model fights, its special rules included.
        first: whether it is the first round.
        dazed: models that a thunder hammer has struck in the round before.
        shields: how many opponents each model has used its shield against.
        shape: of each vehicle that strikes whether damage hampers it, and how many weapons it has lost.
        late: aims of models that strike with something slow only in a later step than their own.
        grenades: the grenade that each model uses against a target, None for its own weapon; ``agreed`` what has been
            said of models armed alike.
        cheered: how many dice each model has thrown again for those who watch it.
    """

    units: Sequence[int]
    fighters: dict[int, Fighter] = field(default_factory=dict)
    owner: dict[int, int] = field(default_factory=dict)
    near: dict[int, tuple[int, ...]] = field(default_factory=dict)
    arms: dict[int, WeaponProfile] = field(default_factory=dict)
    opponents: dict[int, Opponent] = field(default_factory=dict)
    caused: dict[int, int] = field(default_factory=dict)
    bouts: dict[int, Bout] = field(default_factory=dict)
    first: bool = False
    dazed: frozenset[int] = frozenset()
    shields: dict[int, int] = field(default_factory=dict)
    shape: dict[int, tuple[bool, int]] = field(default_factory=dict)
    late: dict[int, tuple[Aim, ...]] = field(default_factory=dict)
    grenades: dict[tuple[int, Target], WeaponProfile | None] = field(default_factory=dict)
    agreed: dict[tuple[object, Target], WeaponProfile | None] = field(default_factory=dict)
    cheered: dict[int, int] = field(default_factory=dict)


@rule("3e.support.beyond-two", "3e.core.assault.engaged", "3e.core.assault.supporting", "3e.core.characters.contact")
@rule("3e.split.character-is-unit", "3e.cc-casualties.contact-first")
def begin_round(scene: Scene, state: ClassicState, units: Sequence[int]) -> Round:
    """Who touches whom and who supports: settled when the fighting begins, it holds for the round."""
    found = Round(units, first=any(state.units[unit].charged for unit in units))
    for unit in units:
        _enter(scene, state, found, unit)
    groups: dict[int, list[Opponent]] = {}
    for each in found.opponents.values():
        groups.setdefault(each.unit, []).append(each)
    for group in groups.values():
        found.opponents.update({each.row: each for each in scene.rules.assault.alike(group)})
    scene.rules.assault.arrange(scene, state, found)
    return found


@rule("6e.core.assault.initiative-steps", "6e.core.assault.engaged")
def look_again(scene: Scene, state: ClassicState, fought: Round) -> None:
    """Who is within whose reach after models have moved in the middle of a round."""
    now = begin_round(scene, state, [unit for unit in fought.units if standing(state, unit)])
    fought.near.update(now.near)
    for row, each in now.opponents.items():
        before = fought.opponents[row]
        fought.opponents[row] = replace(before, in_contact=each.in_contact, within_two=each.within_two)
    for row, fighter in now.fighters.items():
        fought.fighters[row] = replace(fought.fighters[row], reach=fighter.reach)
    for row in fought.fighters.keys() - now.opponents.keys():
        fought.near[row] = ()


def _enter(scene: Scene, state: ClassicState, found: Round, unit: int) -> None:
    """What one unit brings into a round: who of it touches whom, who supports, who fights."""
    rules, rows = scene.rules.assault, standing(state, unit)
    foes = [
        row
        for other in found.units
        if state.units[other].side != state.units[unit].side
        for row in standing(state, other)
    ]
    if not rows or not foes:
        return
    apart = gaps(scene, state, rows, foes)
    nearest = apart.min(axis=1)
    apart_own = gaps(scene, state, rows, rows)
    touching = nearest <= TOLERANCE
    comrades = touching & ~np.array([rules.must_touch(scene.models[row].profile) for row in rows])
    near_foe = apart <= SUPPORT + TOLERANCE
    for place, row in enumerate(rows):
        profile, gap = scene.models[row].profile, float(nearest[place])
        within = False
        if gap <= SUPPORT + 0.01:
            foe = foes[int(apart[place].argmin())]
            within = rules.is_within(gap, furthest_part(scene, state, row, foe), SUPPORT)
        comrade = float(apart_own[place][comrades].min()) if comrades.any() else np.inf
        reach = rules.reach_of(gap, comrade, within)
        if rules.must_touch(profile) and not character_fights(gap):
            reach = Reach.NONE
        touched = apart[place] <= TOLERANCE
        if reach is Reach.ENGAGED:
            mates = comrades & (apart_own[place] <= SUPPORT + TOLERANCE)
            touched = (apart[mates] <= TOLERANCE).any(axis=0)
        elif reach is not Reach.CONTACT:
            touched = near_foe[place]
        found.near[row] = tuple(
            foe
            for foe, gap_to, close in zip(foes, apart[place], touched, strict=True)
            if close and (not rules.must_touch(scene.models[foe].profile) or may_strike_character(float(gap_to)))
        )
        found.opponents[row] = Opponent(
            row=row,
            unit=rules.split_unit(unit, row, profile),
            weapon_skill=profile.weapon_skill,
            toughness=profile.toughness,
            in_contact=gap <= TOLERANCE,
            within_two=reach is not Reach.NONE,
        )
        found.owner[row] = unit
        if (profile.weapon_skill or not profile.is_vehicle) and strikes_back(gun=is_gun(profile), engaged=True):
            found.fighters[row] = Fighter(
                row=row,
                initiative=profile.initiative,
                attacks=profile.attacks,
                reach=reach,
                charging=has_charge_bonus(state.units[unit].charged, defended=_defended(scene, found.near[row])),
            )


def _defended(scene: Scene, foes: Sequence[int]) -> bool:
    """Whether any of the enemies within a model's reach has defensive grenades."""
    return any(scene.models[foe].profile.has(_DEFENSIVE) for foe in foes)


def still_alive(state: ClassicState, fought: Round, target: Target) -> list[int]:
    """The models that attacks are aimed at which live."""
    rows = [target] if isinstance(target, int) else [r for r, each in fought.opponents.items() if each.kind == target]
    return [row for row in rows if state.wounds[row] > 0]


@rule("3e.fight-order.cover-first", "3e.special-attacks.frag-effect", "3e.special-attacks.frag-users")
@rule("3e.fight-order.fist-last-in-cover", "3e.fight-order.later-rounds")
def steps_of(scene: Scene, state: ClassicState, fought: Round) -> list[tuple[int, int]]:
    """The step in which each model strikes that fights."""
    rules = scene.rules.assault
    footings: dict[int, Footing] = {}
    for unit in fought.units:
        mine = state.units[unit]
        foes = [other for other in fought.units if state.units[other].side != mine.side]
        cancelled = any(
            rules.frag_cancels(state.units[other].charged) for other in foes if _has_grenades(scene, state, other)
        )
        allies = [other for other in fought.units if other not in foes]
        approach = Approach(
            assaulted_in_cover=mine.charged_in_cover,
            first_round=mine.charged_in_cover or mine.charged_through,
            cancelled=cancelled,
            evened=_charge_with(scene, state, foes, _PLASMA),
            into_cover=any(state.units[other].charged_in_cover for other in foes)
            and not _charge_with(scene, state, allies, _PLASMA),
            frag=_charge_with(scene, state, [unit], _FRAG),
            through_difficult=mine.charged_through,
            grenades=_has_grenades(scene, state, unit),
        )
        footings[unit] = rules.footing_of(approach)
    found = []
    for row, fighter in fought.fighters.items():
        if fighter.reach is Reach.NONE and not rules.steps_move:
            continue
        own = fought.owner[row]
        footing = footings[own]
        if rules.covers_each and footing is Footing.COVERED and row not in state.units[own].covered:
            footing = Footing.EVEN
        theirs = [footings[unit] for unit in fought.units if state.units[unit].side != state.units[own].side]
        opposing = Footing.LEVELLED if Footing.LEVELLED in theirs else Footing.EVEN
        found.append((row, strike_step(fighter, footing, opposing, rules.cover_step)))
    return found


def _charge_with(scene: Scene, state: ClassicState, units: Sequence[int], grenades: frozenset[str]) -> bool:
    """Whether any of these units has charged this turn and has such grenades."""
    rows = [row for unit in units if state.units[unit].charged for row in standing(state, unit)]
    return any(grenades & scene.models[row].profile.abilities for row in rows)


def _has_grenades(scene: Scene, state: ClassicState, unit: int) -> bool:
    return any(_FRAG & scene.models[row].profile.abilities for row in standing(state, unit))
