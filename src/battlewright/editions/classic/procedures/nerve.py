"""Tests on Leadership of the 3rd edition as they are taken: for losses, being pinned, the last man, lost combats."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.artillery import is_gun, takes_morale_tests
from battlewright.editions.classic.bearers import (
    Bearer,
    may_rally_below_half,
    may_repeat,
    names_of_model,
    names_of_unit,
    nerve_modifiers,
    passes,
)
from battlewright.editions.classic.charts import passes_leadership_test
from battlewright.editions.classic.events import LeadershipTested
from battlewright.editions.classic.formation import in_formation
from battlewright.editions.classic.morale import (
    LeadershipSource,
    RallyConditions,
    best_leadership,
    is_pinned_by,
    last_man_acts,
    leadership_used,
    must_test_for_losses,
    passes_morale_test,
)
from battlewright.editions.classic.procedures.board import gaps, in_combat, nearest_enemy
from battlewright.editions.classic.procedures.seeing import target_units
from battlewright.editions.classic.psychic import name_upon
from battlewright.editions.classic.scene import (
    ClassicBattle,
    Scene,
    living,
    own_rows,
    own_unit,
    present_unit,
    standing,
    traits_of_model,
)
from battlewright.editions.classic.special_rules import Test
from battlewright.editions.classic.state import NOWHERE, ClassicState, Phase, next_own_turn

__all__ = [
    "bearer_of",
    "get_up",
    "go_down",
    "last_man_stands",
    "leadership_of",
    "losses_call_for_a_test",
    "losses_modifiers",
    "names_of",
    "passes_without_roll",
    "pinning_test",
    "rally_conditions",
    "strength_of",
    "take_leadership_test",
    "take_morale_test",
    "traits_of",
]

LENDS, PRESENCE = "command 1", 12.0
"""The trait of a warlord who lends his Leadership, and how far it reaches in inches."""


def traits_of(scene: Scene, state: ClassicState, unit: int) -> frozenset[str]:
    """Keywords, special rules and wargear that a unit has: what every living model has, or as the rule says."""
    bearers = [bearer_of(scene, state, row, unit) for row in living(state, unit)]
    return names_of_unit(scene.rules.characters.special_rules, bearers)


def bearer_of(scene: Scene, state: ClassicState, row: int, unit: int) -> Bearer:
    """A model as the bearer of its names, and of the psychic powers upon its unit, among the models of a unit."""
    under = frozenset(name_upon(name) for name, _ in state.units[unit].powers)
    if state.units[unit].embarked != NOWHERE:
        carrier = scene.models[scene.units[state.units[unit].embarked].rows[0]].profile
        under |= scene.rules.characters.aboard | scene.rules.characters.riding(carrier.keywords)
    return Bearer(traits_of_model(scene, row) | under, joined=own_unit(scene, state, row) != unit)


def names_of(scene: Scene, state: ClassicState, row: int) -> frozenset[str]:
    """What one model has where it is: its own names, changed by the unit that it is with."""
    unit = present_unit(scene, state, row)
    special = scene.rules.characters.special_rules
    return names_of_model(special, bearer_of(scene, state, row, unit), traits_of(scene, state, unit))


def passes_without_roll(scene: Scene, state: ClassicState, unit: int, test: Test) -> bool:
    """Whether a unit's special rules pass a test for it."""
    return passes(scene.rules.characters.special_rules, traits_of(scene, state, unit), test)


def leadership_of(scene: Scene, state: ClassicState, unit: int) -> int:
    """The Leadership of a unit: the best of its living models."""
    rows = living(state, unit)
    counted = [row for row in rows if row not in state.holding_back] or rows
    sources = [LeadershipSource(scene.models[row].profile.leadership) for row in counted]
    return best_leadership([*sources, *_lent(scene, state, unit)])


@rule("6e.core.characters.warlord-trait")
def _lent(scene: Scene, state: ClassicState, unit: int) -> list[LeadershipSource]:
    """The Leadership of a warlord near by whose trait lends it to his friends."""
    rows = standing(state, unit)
    return [
        LeadershipSource(scene.models[row].profile.leadership, borrowed=True)
        for row, trait in state.warlords
        if trait == LENDS
        and rows
        and scene.models[row].side == state.units[unit].side
        and state.on_table[row]
        and state.wounds[row] > 0
        and within(float(gaps(scene, state, [row], rows).min()), PRESENCE)
    ]


@rule("3e.outside.half-strength", "3e.outside.rally-conditions", "3e.core.fundamentals.below-half")
def strength_of(scene: Scene, state: ClassicState, unit: int) -> tuple[int, int]:
    """How many models are left and how many the battle began with; of a single model its wounds.

    RULING: 3e.outside.half-strength a character who has joined is none of the models that the unit began with.
    """
    begun = state.units[unit].starting_strength
    alive = [row for row in own_rows(scene, state, unit) if state.wounds[row] > 0]
    if begun == 1 and alive:
        return int(state.wounds[alive[0]]), scene.models[alive[0]].profile.wounds
    return len(alive), begun


@rule("3e.last-man.pass", "3e.last-man.fail", "3e.core.morale.lone-survivor")
def last_man_stands(battle: ClassicBattle, unit: int, modifiers: Sequence[Modifier]) -> bool:
    """The test of a unit's last survivor: whether it acts normally this turn."""
    return _tested(battle, unit, Test.LAST_MAN, "last man", modifiers, last_man_acts, ("3e.last-man.each-turn",))


def take_leadership_test(
    battle: ClassicBattle,
    unit: int,
    why: str,
    *rules: str,
    test: Test = Test.OTHER,
    modifiers: Sequence[Modifier] = (),
) -> bool:
    """A test on Leadership, unmodified unless it is said: 2D6 of it or less."""
    return _tested(
        battle, unit, test, why, modifiers, lambda faces, needed: passes_leadership_test(sum(faces), needed), rules
    )


def take_morale_test(
    battle: ClassicBattle,
    unit: int,
    why: str,
    modifiers: Sequence[Modifier],
    *rules: str,
    test: Test = Test.LOSSES,
) -> bool:
    """A morale test: 2D6 of the modified Leadership or less; a natural 2 passes always."""
    return _tested(battle, unit, test, why, modifiers, passes_morale_test, rules)


def _tested(
    battle: ClassicBattle,
    unit: int,
    test: Test,
    why: str,
    modifiers: Sequence[Modifier],
    judge: Callable[[Sequence[int], int], bool],
    rules: Sequence[str],
) -> bool:
    """Roll a test and say what it came to; a failed one again where a special rule lets the unit: no reason not to."""
    scene, state, special = battle.scene, battle.state, battle.scene.rules.characters.special_rules
    traits = traits_of(scene, state, unit)
    modifiers = nerve_modifiers(special, traits, modifiers)
    needed = leadership_used(leadership_of(scene, state, unit), modifiers)
    passed, rerolled = False, False
    while True:
        faces = battle.roll(2, 6, why).faces
        passed = judge(faces, needed)
        _told(battle, unit, why, faces, needed, modifiers, passed, rules)
        if not may_repeat(special, traits, test, passed=passed, rerolled=rerolled):
            return passed
        rerolled = True


def _told(
    battle: ClassicBattle,
    unit: int,
    why: str,
    faces: tuple[int, ...],
    needed: int,
    modifiers: Sequence[Modifier],
    passed: bool,
    rules: Sequence[str],
) -> None:
    battle.happened(
        LeadershipTested(
            unit=battle.scene.units[unit].id,
            why=why,
            faces=faces,
            needed=needed,
            modifiers=tuple((modifier.rule, modifier.amount) for modifier in modifiers),
            passed=passed,
            rules=tuple(rules),
        )
    )


@rule("4e.core.shooting.pinning-details")
@rule("6e.outside.pinning", "6e.core.weapons.pinning")
@rule("4e.core.shooting.pinning")
@rule("3e.core.shooting.pinning-test", "3e.core.shooting.pinning-immunity", "3e.outside.pinning-sources")
def pinning_test(battle: ClassicBattle, unit: int, lost: int, *, pins: bool) -> None:
    """What the fire of one enemy unit makes of its target: after losses to a weapon that pins it tests, or is pinned.

    Args:
        lost: wounds that weapons which pin have caused.
    """
    scene, state = battle.scene, battle.state
    mine = state.units[unit]
    if not is_pinned_by(lost, pins=pins) or not standing(state, unit) or mine.pinned or in_combat(scene, state, unit):
        return
    if passes_without_roll(scene, state, unit, Test.PINNING):
        return
    if not take_leadership_test(battle, unit, "pinning", "3e.core.shooting.pinning-test", test=Test.PINNING):
        go_down(scene, state, unit)


STILL_DOWN = "still on the ground"
"""What lies on a unit that is pinned in its owner's turn and stays so through his next one."""


@rule("6e.core.movement.gone-to-ground")
def go_down(scene: Scene, state: ClassicState, unit: int, *, entangled: bool = False) -> None:
    """A unit is pinned, or goes to ground; who is put out of a wreck in its own turn stays so through the next."""
    mine = state.units[unit]
    mine.pinned = True
    if (scene.rules.morale.stays_down or entangled) and mine.side == state.turn:
        mine.powers = mine.powers | {(STILL_DOWN, next_own_turn(state, unit))}


@rule("6e.core.movement.gone-to-ground", "3e.outside.pinned", "3e.core.shooting.pinned")
def get_up(state: ClassicState, unit: int) -> None:
    """The end of a player's turn: his pinned units may act again, but for those whom that befell in this very turn."""
    mine = state.units[unit]
    mine.pinned = mine.pinned and any(name == STILL_DOWN and last > state.turns for name, last in mine.powers)


@rule("4e.core.shooting.pinning-details")
@rule("3e.fire-morale.test-at-end", "3e.core.morale.quarter-losses", "3e.core.morale.pinned-skip")
def losses_call_for_a_test(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether what a unit has lost in this phase calls for a morale test; one that falls back already takes none.

    RULING: 3e.fire-morale.quarter we read it as losses by enemy fire, which nobody suffers in his own Shooting phase:
    neither by a weapon of his that gets hot nor by a marker of his that goes astray.
    """
    mine = state.units[unit]
    if state.phase is Phase.SHOOTING and mine.side == state.turn and not scene.rules.morale.own_losses_count:
        return False
    if mine.falling_back or not standing(state, unit) or in_combat(scene, state, unit):
        return False
    lost = scene.rules.morale.losses_that_count(mine.phase_strength - len(living(state, unit)), mine.spared)
    profiles = [scene.models[row].profile for row in standing(state, unit)]
    crew = sum(not is_gun(profile) for profile in profiles)
    vehicle = profiles[0].is_vehicle and not (crew < len(profiles) and takes_morale_tests(crew))
    skips = mine.pinned and scene.rules.morale.pinned_skip
    testing = must_test_for_losses(mine.phase_strength, lost, pinned=skips, vehicle=vehicle)
    return testing and not passes_without_roll(scene, state, unit, Test.LOSSES)


def losses_modifiers(scene: Scene, state: ClassicState, unit: int) -> tuple[Modifier, ...]:
    """The modifiers of a morale test for losses."""
    return scene.rules.morale.losses_modifiers(*strength_of(scene, state, unit))


def rally_conditions(scene: Scene, state: ClassicState, unit: int) -> RallyConditions:
    """What is asked of a unit that would rally, as it stands."""
    rows = standing(state, unit)
    left, begun = strength_of(scene, state, unit)
    traits = traits_of(scene, state, unit)
    return RallyConditions(
        left=left,
        begun=begun,
        in_formation=in_formation(gaps(scene, state, rows, rows)),
        nearest_enemy=nearest_enemy(scene, state, unit),
        has_leader=any(scene.models[row].profile.is_independent for row in rows),
        sees_enemies=lambda: bool(target_units(scene, state, rows)),
        may_below_half=may_rally_below_half(scene.rules.characters.special_rules, traits),
    )
