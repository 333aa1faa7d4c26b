"""Special rules asked in battle: how models fight, what their attacks are like, what they shrug off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from battlewright.attacks.description import RerollPermission, RerollWhich
from battlewright.core.rulebook import rule
from battlewright.editions.classic.bearers import (
    armed,
    attacking,
    bout_of,
    causes_fear,
    endures,
    guarded,
    ignores_wound_on,
    rampage_dice,
    regains_on,
)
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.events import WoundIgnored
from battlewright.editions.classic.procedures.board import gaps
from battlewright.editions.classic.procedures.nerve import (
    names_of,
    passes_without_roll,
    take_leadership_test,
    traits_of,
)
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.scene import ClassicBattle, Scene, present_unit, standing
from battlewright.editions.classic.special_rules import Bout, Encounter, Guard, Harm, Occasion, Saves, Test
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.classic.weapon_rules import may_repeat_a_miss
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile, WeaponType

__all__ = [
    "MASTER_CRAFTED",
    "bout_in",
    "concussed",
    "context_against",
    "crafted",
    "frighten",
    "guarded_profile",
    "kills_at_once",
    "rampage_of",
    "recover",
    "shrugs_off",
    "weapon_in_hand",
]

MASTER_CRAFTED = "3e.core.traits.master-crafted"
"""The rule of the permission to repeat one miss of each weapon, as :func:`context_against` writes it down."""


def _occasion(scene: Scene, state: ClassicState, units: Sequence[int], unit: int, row: int) -> Occasion:
    mine = state.units[unit]
    sides = [0, 0]
    for each in units:
        sides[state.units[each].side == mine.side] += len(standing(state, each))
    profiles = [profile for weapon in scene.models[row].weapons for profile in weapon.profiles]
    return Occasion(
        charged=mine.charged,
        charged_at=mine.charged_free,
        outnumbered=sides[1] < sides[0],
        free_hand=any(each.has(AbilityName.ONE_HANDED) or each.type is WeaponType.PISTOL for each in profiles),
        guns=tuple(each for each in profiles if not each.melee),
        names=names_of(scene, state, row),
    )


def bout_in(scene: Scene, state: ClassicState, units: Sequence[int], unit: int, row: int, bout: Bout) -> Bout:
    """How a model fights this round of the combat of these units, its special rules included.

    Args:
        bout: how it fights without them.
    """
    found = bout_of(scene.rules.characters.special_rules, bout, _occasion(scene, state, units, unit, row))
    own = state.units[present_unit(scene, state, row)]
    return replace(found, initiative=1) if own.has(concussed(row)) else found


@rule("6e.core.weapons.concussive")
def concussed(row: int) -> str:
    """The deed of a model that has lost a wound to a concussive weapon: it strikes at Initiative 1 for this turn."""
    return f"concussed: {row}"


def context_against(
    scene: Scene,
    state: ClassicState,
    row: int,
    target: int,
    weapon: WeaponProfile,
    context: AttackContext,
    *,
    first_round: bool = False,
) -> AttackContext:
    """The circumstances of a model's attacks with a weapon on a model, the special rules of both included.

    Args:
        target: the row of the model, or one of the unit, that is attacked.
        first_round: whether they are blows of the first round of a combat.
    """
    encounter = Encounter(
        weapon=weapon,
        target=scene.models[target].profile,
        target_names=traits_of(scene, state, present_unit(scene, state, target)),
        close_combat=weapon.melee,
        first_round=first_round,
    )
    context = attacking(scene.rules.characters.special_rules, names_of(scene, state, row), context, encounter)
    used = state.units[present_unit(scene, state, row)].has(crafted(row))
    if context.reroll_hits is None and may_repeat_a_miss(weapon, missed=True, used_this_turn=used):
        context = replace(context, reroll_hits=RerollPermission(RerollWhich.FAILURES, MASTER_CRAFTED))
    return context


def crafted(row: int) -> str:
    """The deed of a model that has rolled a miss of its master-crafted weapon again."""
    return f"repeated a miss: {row}"


def guarded_profile(
    scene: Scene, state: ClassicState, row: int, *, close_combat: bool, opponents: int = 1
) -> ModelProfile:
    """A model's profile with the saves that it has against these attacks."""
    profile = scene.models[row].profile
    if profile.is_vehicle:
        return profile
    saves = guarded(
        scene.rules.characters.special_rules,
        names_of(scene, state, row),
        Saves(profile.save, _invulnerable(scene, state, row)),
        Guard(close_combat=close_combat, opponents=opponents),
    )
    if saves == (profile.save, profile.invulnerable):
        return profile
    return replace(profile, save=saves.armour, invulnerable=saves.invulnerable)


@rule("4e.turbo-boosters.invulnerable")
def _invulnerable(scene: Scene, state: ClassicState, row: int) -> int | None:
    """A model's invulnerable save; its armour save is one besides where turbo boosters make it so."""
    profile, unit = scene.models[row].profile, state.units[present_unit(scene, state, row)]
    protected = unit.side != state.turn and scene.rules.movement.boosters_protect(unit)
    own = (profile.invulnerable, profile.save if protected else None)
    return min((save for save in own if save is not None), default=None)


@rule("3e.core.traits.bionics")
def shrugs_off(
    battle: ClassicBattle, row: int, *, outright: bool, close_combat: bool = False, denies_armour: bool = False
) -> bool:
    """Whether a model ignores an unsaved wound: where a special rule lets it try, a D6 is rolled.

    Args:
        outright: whether the wound would kill it whatever it has left.
        denies_armour: whether the weapon leaves no armour save.
    """
    scene = battle.scene
    harm = Harm(outright=outright, close_combat=close_combat, denies_armour=denies_armour)
    found = ignores_wound_on(scene.rules.characters.special_rules, names_of(scene, battle.state, row), harm)
    if found is None:
        return False
    needed, rules = found
    face = battle.roll(1, 6, "ignore-wound").faces[0]
    unit = scene.units[present_unit(scene, battle.state, row)].id
    ignored = face >= needed
    battle.happened(WoundIgnored(unit=unit, model=row, face=face, needed=needed, ignored=ignored, rules=rules[:1]))
    return ignored


def weapon_in_hand(scene: Scene, state: ClassicState, row: int, weapon: WeaponProfile) -> WeaponProfile:
    """A weapon as a model's special rules make it."""
    return armed(scene.rules.characters.special_rules, names_of(scene, state, row), weapon)


def kills_at_once(scene: Scene, state: ClassicState, row: int, *, outright: bool) -> bool:
    """Whether a wound that kills outright does so to this model."""
    return outright and not endures(scene.rules.characters.special_rules, names_of(scene, state, row))


@rule("6e.core.special-rules.rampage")
def rampage_of(battle: ClassicBattle, units: Sequence[int], unit: int, row: int) -> int:
    """The attacks that a model has more for being outnumbered: rolled where a special rule gives some."""
    scene, state = battle.scene, battle.state
    occasion = _occasion(scene, state, units, unit, row)
    dice = rampage_dice(scene.rules.characters.special_rules, occasion.names, outnumbered=occasion.outnumbered)
    if dice is None:
        return 0
    info, rule_id = scene.units[unit], "6e.core.special-rules.rampage"
    return battle.rolled(battle.roll(dice.count, dice.sides, "rampage"), info.side, rule_id, unit=info.id).total


@rule("6e.core.special-rules.fear")
def frighten(battle: ClassicBattle, units: Sequence[int]) -> None:
    """Units of a combat that touch somebody who causes fear test before the first blow, or fight badly this phase."""
    scene, state, rule_id = battle.scene, battle.state, "6e.core.special-rules.fear"
    special = scene.rules.characters.special_rules
    for unit in units:
        rows, mine = standing(state, unit), state.units[unit]
        feared = [
            row
            for other in units
            if state.units[other].side != mine.side
            for row in standing(state, other)
            if causes_fear(special, names_of(scene, state, row))
        ]
        if not rows or not feared or float(gaps(scene, state, rows, feared).min()) > 0.0:
            continue
        if passes_without_roll(scene, state, unit, Test.FEAR):
            continue
        if not take_leadership_test(battle, unit, "fear", rule_id, test=Test.FEAR):
            mine.did(Deed.AFRAID)


@rule("6e.core.special-rules.it-will-not-die")
def recover(battle: ClassicBattle) -> None:
    """The end of a player's turn: his models that do not die regain what they have lost, a die for each."""
    scene, state, rule_id = battle.scene, battle.state, "6e.core.special-rules.it-will-not-die"
    for info in scene.units_of(state.turn):
        for row in standing(state, info.index):
            needed = regains_on(scene.rules.characters.special_rules, names_of(scene, state, row))
            if needed is None or state.wounds[row] >= scene.models[row].profile.wounds:
                continue
            roll = battle.roll(1, 6, "it-will-not-die")
            if battle.rolled(roll, info.side, rule_id, unit=info.id, needed=needed).total >= needed:
                state.wounds[row] += 1
