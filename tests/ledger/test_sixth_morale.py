"""Morale in the 6th edition; walkers and other vehicles in its close combat."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.classic import UnitSpec, model, printed_weapon, scene, squad, unit, weapon

from battlewright.core.decisions import Pick
from battlewright.core.dice import SeededDice
from battlewright.core.table import Edge
from battlewright.editions.classic.attack import draft_attack, save_needed
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.falling_back import Outcome, rally_when_assaulted, retreat_edge
from battlewright.editions.classic.morale import (
    RallyConditions,
    deeds_of_regrouping,
    leadership_used,
    passes_morale_test,
    quarter_lost,
)
from battlewright.editions.classic.procedures.aftermath import may_advance
from battlewright.editions.classic.procedures.aiming import targets_of
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.classic.vehicles import AUTOMATIC, may_be_locked
from battlewright.editions.fourth.morale import is_trapped
from battlewright.editions.sixth.assault import by_the_skills, facing, hampered, needed, points_count, spare_weapons
from battlewright.editions.sixth.charging import why_no_charge
from battlewright.editions.sixth.morale import any_may_try, full_distance, only_double_one, unmodified

DREAD = printed_weapon("Dreadnought close combat weapon", "POWER WEAPON", melee=True, S=10)
WALKER = model("VEHICLE", "WALKER", WS=4, S=6, I=4, A=2, AV="12/12/10")
TANK = model("VEHICLE", AV="12/10/10")


def begin_turn(a: UnitSpec, b: UnitSpec, *dice: tuple[str, list[int]], **more: Any) -> ClassicBattle:
    seed = more.pop("seed", None)
    source = list(dice) if seed is None else SeededDice(seed)
    return scene(a, b, phase=Phase.MOVEMENT, alone=True, dice=source, edition="6", **more)


def to_the_end(battle: ClassicBattle) -> list[str]:
    kinds = []
    while battle.decision is not None:
        kinds.append(battle.decision.kind)
        ends = battle.decision.kind in ("select-unit-to-assault", "select-unit-to-move")
        battle.answer(Pick("end") if ends else battle.decision.default())
    return kinds


# -- morale -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.morale.quarter-losses", "6e.outside.morale")
def test_a_quarter_lost_calls_for_an_unmodified_test() -> None:
    assert quarter_lost(8, 2)
    assert not quarter_lost(9, 2)
    assert unmodified(2, 10) == ()
    assert passes_morale_test((3, 4), 7)
    assert not passes_morale_test((4, 4), 7)


@pytest.mark.rule("6e.core.morale.fall-back", "6e.core.morale.blocked")
def test_falling_back_is_never_halved_and_ends_at_the_edge_or_between_enemies() -> None:
    assert full_distance(9, True) == 9.0
    assert retreat_edge(Edge.SOUTH, "") is Edge.SOUTH
    wall = unit(7, name="Wall").on(*((8.5 + 0.5 * i, 18.4) for i in range(7)))
    battle = begin_turn(unit(1).at(10, 20), wall, seed=1)
    assert is_trapped(battle.scene, battle.state, 0, Edge.SOUTH, 2.0)
    fled = begin_turn(
        unit(2, Ld=7).on((10, 3), (12, 3)).having(falling_back=True), unit(1).at(10, 40),
        ("rally", [6, 6]), ("fall-back", [3, 3]),
    )  # fmt: skip
    to_the_end(fled)
    assert standing(fled.state, 0) == []


@pytest.mark.rule("6e.core.morale.regroup", "6e.core.morale.regroup-conditions")
def test_regrouping_with_a_quarter_left_whatever_is_near() -> None:
    few = RallyConditions(left=2, begun=10, in_formation=False, nearest_enemy=3.0)
    assert any_may_try(few) == []
    assert leadership_used(8, only_double_one(few, 8)) == 2
    led = RallyConditions(left=2, begun=10, in_formation=True, nearest_enemy=None, has_leader=True)
    assert only_double_one(led, 8) == ()
    assert only_double_one(RallyConditions(left=3, begun=10, in_formation=True, nearest_enemy=None), 8) == ()


@pytest.mark.rule("6e.core.morale.after-regrouping", "6e.core.morale.falling-back-acts")
def test_a_regrouped_unit_moves_three_inches_and_does_not_charge() -> None:
    battle = begin_turn(unit(3).at(10, 20).having(falling_back=True), unit(1).at(10, 24), ("rally", [4, 4]))
    assert "move-rally" in to_the_end(battle)
    mine = battle.state.units[0]
    assert mine.moved
    assert mine.has(Deed.RALLIED)
    assert deeds_of_regrouping() == {Deed.RALLIED}
    assert why_no_charge(mine)


@pytest.mark.rule("6e.core.morale.charged-while-falling-back")
def test_charged_while_falling_back() -> None:
    assert rally_when_assaulted((4, 4), 8) is Outcome.RALLIED
    assert rally_when_assaulted((5, 4), 8) is Outcome.DESTROYED


# -- vehicles ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.outside.vehicle-close-combat")
def test_other_vehicles_are_hit_by_how_they_moved_and_in_the_rear() -> None:
    assert needed(TANK, False, 0.0, 4) == needed(TANK, True, 12.0, 4) == AUTOMATIC
    assert [needed(TANK, False, 12.0, skill) for skill in (1, 2, 4)] == [4, 3, 3]
    assert facing(TANK, Facing.FRONT, Facing.FRONT, False) is Facing.REAR


@pytest.mark.rule("6e.walker-assault.charge-and-locked", "6e.walker-assault.hits-use-armour")
@pytest.mark.rule("6e.walker-assault.front-armour", "6e.walker-assault.immobilised-rear-armour")
def test_walkers_fight_by_their_skill_and_are_struck_in_front_or_helpless_in_the_rear() -> None:
    assert may_be_locked({"VEHICLE", "WALKER"})
    assert needed(WALKER, False, 6.0, 4) is None
    assert facing(WALKER, Facing.REAR, Facing.REAR, False) is Facing.FRONT
    assert facing(WALKER, Facing.FRONT, Facing.FRONT, True) is Facing.REAR
    assert points_count(WALKER, 3, 2) == 2
    assert points_count(TANK, 3, 2) == 0


@pytest.mark.rule("6e.walker-assault.bonus-attacks", "6e.walker-assault.lost-weapon", "6e.walker-assault.lost-dccw")
@pytest.mark.rule("6e.outside.dreadnought-ccw")
def test_each_spare_weapon_is_an_attack_and_a_lost_one_no_more() -> None:
    assert [spare_weapons(count) for count in (0, 1, 2, 3)] == [0, 0, 1, 2]
    for lost, hits in ((frozenset(), 4), (frozenset({(0, 0)}), 3)):
        walker = unit(
            1, "VEHICLE", "WALKER", name="Walker", WS=4, S=6, I=5, A=2, AV="12/12/10", base="60mm",
            weapons=[DREAD, DREAD, DREAD],
        )  # fmt: skip
        battle = scene(
            walker.at(10, 21.673).having(weapons_lost=lost), unit(1, I=1, W=9).at(10, 20),
            phase=Phase.ASSAULT, alone=True, edition="6", dice=[("hit", [1] * hits), ("hit", [1])],
        )  # fmt: skip
        to_the_end(battle)
        assert standing(battle.state, 1)


@pytest.mark.rule("6e.walker-assault.stunned-or-immobilised", "6e.walker-assault.shaken-no-effect")
def test_stunned_or_immobilised_it_has_one_attack_fewer_and_one_at_least() -> None:
    assert hampered(2, True, True, False) == 1
    assert hampered(1, True, False, False) == 1
    assert hampered(2, False, False, True) == 2


@pytest.mark.rule("6e.walker-assault.sweep-pile-consolidate")
def test_walkers_advance_unless_they_cannot_move() -> None:
    for flags, may in (({}, True), ({"stunned": frozenset({0})}, False), ({"immobilised": frozenset({0})}, False)):
        walker = unit(1, "VEHICLE", "WALKER", name="Walker", WS=4, S=6, I=4, A=2, AV="12/12/10", base="60mm")
        battle = begin_turn(walker.at(10, 20).having(**flags), unit(1).at(10, 40), seed=1)
        assert may_advance(battle, 0) == may


@pytest.mark.rule("6e.walker-assault.not-shot-while-locked", "6e.outside.no-cover-in-melee")
def test_a_locked_walker_is_no_target_and_no_cover_helps_in_close_combat() -> None:
    walker = unit(1, "VEHICLE", "WALKER", name="Walker", WS=4, S=6, I=4, A=2, AV="12/12/10", base="60mm")
    gun = printed_weapon("Gun", "HEAVY 1")
    battle = scene(
        [unit(1).at(10, 20), unit(1, name="Gunner", weapons=[gun]).at(30, 20)], walker.at(10, 21.673),
        phase=Phase.SHOOTING, alone=True, edition="6", dice=SeededDice(1),
    )  # fmt: skip
    assert in_combat(battle.scene, battle.state, 2)
    assert [aim.unit for aim in targets_of(battle.scene, battle.state, 1)] == []
    blade = weapon("ONE-HANDED", name="Blade", melee=True)
    rules = battle.scene.rules.attack
    hidden = squad(model(Sv="-"), cover=4)
    draft = draft_attack(rules, blade, AttackContext(skill=4, strength=4), hidden)
    assert save_needed(rules, draft, rules.groups(hidden)[0]) is None


@pytest.mark.rule("6e.core.weapons.grenades-in-combat")
def test_a_grenade_on_a_walker_hits_by_the_skills() -> None:
    assert by_the_skills(False) == 0
