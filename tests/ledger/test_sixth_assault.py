"""The Assault phase of the 6th edition as it is played: charges, overwatch, challenges, steps, results."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.support.classic import UnitSpec, mixed, model, printed_weapon, scene, unit

from battlewright.core.decisions import Pick
from battlewright.core.dice import SeededDice
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.arrivals import why_no_charge_ahead
from battlewright.editions.classic.assault import enemies_to_contact
from battlewright.editions.classic.charts import strike_on
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.pursuit import is_overtaken, winner_by_wounds
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.splitting import Opponent
from battlewright.editions.classic.state import ClassicUnit, Deed, Phase
from battlewright.editions.classic.striking import Approach, Fighter, Footing, Reach, attacks_of, strike_step
from battlewright.editions.fourth.assault import reach_of
from battlewright.editions.sixth.assault import by_how_much, cannot_harm, footing_of, next_to_fall, no_wounds
from battlewright.editions.sixth.challenges import may_challenge, may_take_over, rerolls_of_support
from battlewright.editions.sixth.charging import (
    can_hurt,
    charge_distance,
    has_bonus,
    may_fire_overwatch,
    reaches,
    why_no_charge,
    why_not_this,
)
from battlewright.editions.sixth.fighting import crashes_in

GUN = printed_weapon("Rifle", "RAPID FIRE")
BLADE = printed_weapon("Blade", "ONE-HANDED", melee=True)
PISTOL = printed_weapon("Pistol", "PISTOL", R='12"')
WOOD = TerrainArea("wood", ((0, 12), (60, 12), (60, 18), (0, 18)), tags=frozenset({"difficult"}))


def fight(
    a: UnitSpec | list[UnitSpec], b: UnitSpec | list[UnitSpec], *dice: tuple[str, list[int]], **more: Any
) -> ClassicBattle:
    seed = more.pop("seed", None)
    source = list(dice) if seed is None else SeededDice(seed)
    return scene(a, b, phase=Phase.ASSAULT, alone=True, dice=source, edition="6", **more)


def play(battle: ClassicBattle, *charges: tuple[str, str], **answers: str) -> list[str]:
    """Charge, then fight everything; answers by kind of decision, else by default. The kinds that were asked."""
    waiting, kinds, who = list(charges), [], ""
    while battle.decision is not None:
        decision, kind = battle.decision, battle.decision.kind.replace("-", "_")
        kinds.append(decision.kind)
        listed = [option.key for option in decision.options()]
        if kind == "select_unit_to_assault":
            who = waiting[0][0] if waiting and waiting[0][0] in listed else "end"
            battle.answer(Pick(who))
        elif kind == "select_unit_assaulted":
            goes = waiting and waiting[0][0] == who and waiting[0][1] in listed
            battle.answer(Pick(waiting.pop(0)[1] if goes else "none"))
        elif kind in answers and answers[kind] in listed:
            battle.answer(Pick(answers[kind]))
        else:
            battle.answer(decision.default())
    return kinds


# -- charging ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.assault.may-not-charge", "6e.core.assault.disembarked", "6e.core.morale.falling-back-acts")
def test_who_may_not_charge() -> None:
    def having(*deeds: str, **flags: Any) -> ClassicUnit:
        found = ClassicUnit(side=0, models=(0,), **flags)  # type: ignore[arg-type]
        found.did(*deeds)
        return found

    assert why_no_charge(having()) == []
    for deed in (Deed.FIRED_HEAVY, Deed.FIRED_RAPID, Deed.FIRED_SALVO, Deed.RAN, Deed.ARRIVED, Deed.RALLIED):
        assert why_no_charge(having(deed)), deed
    assert why_no_charge(having(Deed.DISEMBARKED, Deed.LEFT_CLOSED))
    assert why_no_charge(having(Deed.DISEMBARKED)) == [], "out of an open-topped vehicle"
    assert why_no_charge(having(falling_back=True))
    assert why_no_charge(having(), True)


@pytest.mark.rule("6e.core.assault.declaring", "6e.outside.charge-distance")
def test_a_charge_is_declared_within_twelve_inches_and_its_range_rolled() -> None:
    assert reaches(12.0, 6.0)
    assert not reaches(12.1, 6.0)
    for faces, arrives in (([4, 3], True), ([3, 3], False)):
        after = [("hit", [1, 1]), ("hit", [1])] if arrives else []
        battle = fight(unit(1, I=5).at(10, 10), unit(1).at(10, 17.984), ("charge", faces), *after)
        play(battle, ("a.1", "b.1"))
        assert in_combat(battle.scene, battle.state, 0) == arrives
        if not arrives:
            assert battle.state.position[0].tolist()[:2] == [10000, 10000]


def test_nobody_is_asked_about_a_charge_that_is_too_far_to_declare() -> None:
    battle = fight(unit(1).at(10, 10), [unit(1).at(10, 14), unit(1).at(10, 40)], seed=1)
    battle.answer(Pick("a.1"))
    assert battle.decision is not None
    assert [option.key for option in battle.decision.options()] == ["b.1", "none"]
    assert "select-unit-to-assault" not in play(fight(unit(1).at(10, 10), unit(1).at(10, 40), seed=1))


@pytest.mark.rule("6e.core.assault.same-target", "6e.core.assault.declaring")
def test_who_fired_charges_its_target_only() -> None:
    battle = fight(unit(1).at(10, 10).having(target=1), [unit(1).at(10, 14), unit(1).at(12, 13)], seed=1)
    assert [rule for rule, _ in why_not_this(battle.scene, battle.state, 0, 2)] == ["6e.core.assault.same-target"]
    assert why_not_this(battle.scene, battle.state, 0, 1) == []


@pytest.mark.rule("6e.core.assault.difficult-terrain", "6e.core.weapons.assault-grenades")
def test_difficult_terrain_takes_the_highest_of_three_dice_and_the_initiative() -> None:
    assert charge_distance((6, 3, 2), difficult=True) == 5
    assert charge_distance((6, 3), difficult=False) == 9
    assert footing_of(Approach(through_difficult=True)) is Footing.SLOWED
    assert footing_of(Approach(through_difficult=True, grenades=True)) is Footing.EVEN
    assert footing_of(Approach(assaulted_in_cover=True)) is Footing.EVEN
    assert strike_step(Fighter(row=0, initiative=6, attacks=1), Footing.SLOWED, Footing.EVEN, 10) == 1
    battle = fight(
        unit(1, I=6, Sv="-").at(10, 10), unit(1, I=2, Sv="-").at(10, 20),
        ("charge", [6, 6, 5]), ("hit", [4]), ("wound", [4]), ("consolidation", [1]), terrain=[WOOD],
    )  # fmt: skip
    play(battle, ("a.1", "b.1"))
    assert standing(battle.state, 0) == [], "Initiative 2 was quicker"


@pytest.mark.rule("6e.core.assault.overwatch", "6e.outside.overwatch")
def test_overwatch_hits_on_sixes_kills_the_nearest_and_can_make_a_charge_fall_short() -> None:
    battle = fight(
        unit(2, I=5, Sv="-").on((10, 12), (10, 9)),
        unit(2, weapons=[GUN]).on((10, 17), (12, 17)),
        ("hit", [6, 5, 5, 5]), ("wound", [6]), ("charge", [2, 2]),
    )  # fmt: skip
    kinds = play(battle, ("a.1", "b.1"))
    assert "overwatch" in kinds
    assert standing(battle.state, 0) == [1], "the nearest has fallen"
    assert not in_combat(battle.scene, battle.state, 0)
    free = ClassicUnit(side=0, models=(0,))
    assert may_fire_overwatch(free, locked=False)
    assert not may_fire_overwatch(free, locked=True)
    free.falling_back = True
    assert not may_fire_overwatch(free, locked=False)


@pytest.mark.rule("6e.core.assault.one-at-a-time", "6e.core.assault.active-orders-combats")
def test_all_charges_come_before_fights_and_the_active_player_orders_these() -> None:
    battle = fight(
        [unit(1, W=3).at(10, 10), unit(1, W=3).at(30, 10)],
        [unit(1, W=3).at(10, 13), unit(1, W=3).at(30, 13)],
        ("charge", [6, 6]),
        ("charge", [6, 6]),
        *[("hit", [1, 1]), ("hit", [1])] * 2,
    )
    kinds = play(battle, ("a.1", "b.1"), ("a.2", "b.2"))
    moves = [place for place, kind in enumerate(kinds) if kind == "move-assault"]
    assert kinds.index("select-combat") > max(moves)


@pytest.mark.rule("6e.core.assault.charge-moves", "6e.core.assault.disordered", "6e.core.assault.attacks")
def test_a_charge_at_two_units_is_disordered_and_gives_no_attack() -> None:
    assert has_bonus(1)
    assert not has_bonus(2)
    assert attacks_of(Fighter(row=0, initiative=4, attacks=2, charging=True, two_weapons=True)) == 4
    assert enemies_to_contact([], 6.0) == []
    battle = fight(
        unit(2, W=9, I=5).on((10, 10), (13, 10)), [unit(1, W=9).at(10, 13), unit(1, W=9).at(13, 13)],
        ("charge", [4, 4]), ("hit", [1]), ("hit", [1]), ("hit", [1]), ("hit", [1]),
    )  # fmt: skip
    battle.answer(Pick("a.1"))
    battle.answer(Pick("b.1"))
    battle.answer(Pick("b.2"))
    play(battle)
    assert len([event for event in battle.events if event.kind == "combat-resolved"]) == 1


@pytest.mark.rule("6e.outside.only-charge-what-you-can-hurt")
def test_nobody_charges_a_vehicle_that_he_cannot_harm() -> None:
    assert not can_hurt([3], 10)
    assert can_hurt([4], 10)
    tank = unit(1, "VEHICLE", name="Tank", AV="12/10/10", base="hull 6x4in").on((20, 24, 0, 180))
    battle = fight(unit(1, S=3).at(14, 24), tank, seed=1)
    assert [rule for rule, _ in why_not_this(battle.scene, battle.state, 0, 1)] == [
        "6e.outside.only-charge-what-you-can-hurt"
    ]


@pytest.mark.rule("6e.core.assault.hammer-of-wrath", "6e.core.assault.result")
def test_a_monstrous_creature_crashes_in_before_anybody_strikes_and_it_counts() -> None:
    assert crashes_in(model("MONSTROUS CREATURE"), charged=True, in_contact=True)
    assert crashes_in(model("JUMP TROOPS"), charged=True, in_contact=True)
    assert not crashes_in(model(), charged=True, in_contact=True)
    monster = unit(1, "MONSTROUS CREATURE", name="Monster", I=1, A=1, S=6, W=4, base="60mm")
    battle = fight(
        monster.at(10, 10), unit(2, I=5, Sv="-").on((10, 14), (11.5, 14)),
        ("charge", [4, 4]), ("fear", [1, 1]), ("wound", [4]), ("hit", [1]), ("hit", [1, 1]), ("lost combat", [1, 1]),
    )  # fmt: skip
    play(battle, ("a.1", "b.1"))
    resolved = next(event for event in battle.events if event.kind == "combat-resolved").to_json()
    assert resolved["wounds"] == [1, 0]
    assert resolved["winner"] == 0


# -- fighting ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.assault.engaged", "6e.core.assault.initiative-steps")
def test_models_pile_in_at_their_step() -> None:
    assert reach_of(3.0, 2.0, False) is Reach.ENGAGED
    battle = fight(
        unit(2, I=5, W=9).on((10, 20), (12, 18)), unit(1, I=4, W=9).at(10, 20.984),
        ("hit", [1, 1]), ("hit", [1]),
    )  # fmt: skip
    kinds = play(battle)
    assert kinds.count("move-pile-in") == 1, "the one who was too far off moved up and struck"


@pytest.mark.rule("6e.core.assault.to-hit")
def test_the_chart() -> None:
    assert [strike_on(*pair) for pair in ((5, 4), (4, 4), (4, 9))] == [3, 4, 5]


@pytest.mark.rule("6e.core.assault.allocation")
def test_wounds_go_to_those_in_contact_first() -> None:
    def foe(row: int, contact: bool, near: bool = True) -> Opponent:
        return Opponent(row=row, unit=1, weapon_skill=4, toughness=4, in_contact=contact, within_two=near)

    foes = [foe(0, False), foe(1, True), foe(2, False, False)]
    assert next_to_fall(foes[0].kind, foes) == (1,)
    assert next_to_fall(foes[0].kind, [foes[0], foes[2]]) == (0,)
    assert next_to_fall(foes[0].kind, [foes[2]]) == (2,)


def champion(name: str, **more: Any) -> UnitSpec:
    return unit(1, "INFANTRY", "CHARACTER", name=name, **more)


def duel(*dice: tuple[str, list[int]], **more: Any) -> ClassicBattle:
    ours = mixed("Ours", unit(1, I=3, W=9), champion("Hero", I=6, A=2, W=more.get("left", 1))).on((10, 20), (11.2, 20))
    theirs = mixed("Theirs", unit(1, I=2, W=9), champion("Foe", I=5, A=1, W=3)).on((10, 20.984), (11.2, 20.984))
    return fight(ours, theirs, *dice)


@pytest.mark.rule("6e.core.assault.challenge", "6e.core.assault.challengers")
@pytest.mark.rule("6e.core.assault.challenge-continues", "6e.core.assault.result")
def test_an_accepted_challenge_is_fought_by_the_two_and_their_wounds_count() -> None:
    battle = duel(
        ("hit", [4, 4]), ("wound", [4, 4]), ("save", [1, 1]), ("hit", [1]), ("hit", [1]), ("hit", [1]),
        ("lost combat", [1, 1]),
    )  # fmt: skip
    while battle.decision is not None and battle.decision.kind != "challenge":
        battle.answer(Pick("end") if battle.decision.kind == "select-unit-to-assault" else battle.decision.default())
    battle.answer(Pick("model:1"))
    battle.answer(Pick("model:3"))
    play(battle)
    assert int(battle.state.wounds[3]) == 1
    assert int(battle.state.wounds[2]) == 9
    assert battle.state.challenges == ((1, 3),), "it goes on"
    resolved = next(event for event in battle.events if event.kind == "combat-resolved").to_json()
    assert resolved["wounds"] == [2, 0]


@pytest.mark.rule("6e.core.assault.refusing")
def test_who_refuses_does_not_fight_that_round() -> None:
    battle = duel(("hit", [1, 1]), ("hit", [1]), ("hit", [1]))
    while battle.decision is not None and battle.decision.kind != "challenge":
        battle.answer(Pick("end") if battle.decision.kind == "select-unit-to-assault" else battle.decision.default())
    battle.answer(Pick("model:1"))
    battle.answer(Pick("none"))
    play(battle)
    assert battle.state.holding_back == frozenset({3})


@pytest.mark.rule("6e.core.assault.moral-support", "6e.core.assault.intervention", "6e.chariot-challenge.none")
def test_spectators_give_re_rolls_and_may_take_over() -> None:
    assert [rerolls_of_support(count) for count in (4, 5, 11)] == [0, 1, 2]
    hero = model("INFANTRY", "CHARACTER", I=4)
    assert may_take_over(hero, 4)
    assert not may_take_over(hero, 5)
    assert may_challenge(hero)
    assert not may_challenge(model("INFANTRY", "CHARACTER", "CHARIOT"))
    assert not may_challenge(model())


# -- the result -------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.assault.losers-test", "6e.core.assault.result")
def test_losers_test_at_leadership_less_the_difference() -> None:
    assert [each.amount for each in by_how_much(5, 10, 5, 10, 3)] == [-3]
    assert no_wounds(1, 10, 5) == 0
    assert winner_by_wounds([(0, 2), (1, 2)]) is None  # type: ignore[list-item]


@pytest.mark.rule("6e.core.assault.weapons-useless")
def test_a_unit_that_can_do_nothing_may_run_without_a_test() -> None:
    walker = unit(1, "VEHICLE", "WALKER", name="Walker", WS=4, S=6, I=5, A=1, AV="12/12/10", base="60mm")
    battle = fight(unit(2, I=1, S=3, Sv="-").on((10, 20), (11.2, 20)), walker.at(10, 21.673), seed=1)
    assert cannot_harm(battle.scene, battle.state, 0, [1])
    strong = fight(unit(1, I=1, S=6).at(10, 20), walker.at(10, 21.673), seed=1)
    assert not cannot_harm(strong.scene, strong.state, 0, [1])


@pytest.mark.rule("6e.core.assault.sweeping-advance", "6e.core.assault.consolidation")
def test_a_winner_may_go_after_those_who_run_and_consolidates_a_die() -> None:
    assert is_overtaken(8, 8)
    assert not is_overtaken(9, 8)
    for answer, left in (("sweep", 0), ("stay", 1)):
        after = [("escape", [3]), ("sweeping advance", [2])] if answer == "sweep" else [("fall-back", [3, 3])]
        battle = fight(
            unit(1, I=5).at(10, 20), unit(2, I=4).on((10, 20.984), (12, 20.984)),
            ("hit", [4]), ("wound", [4]), ("save", [1]), ("hit", [1]), ("lost combat", [6, 6]),
            *after, ("consolidation", [4]),
        )  # fmt: skip
        kinds = play(battle, select_reaction=answer, select_model="model:2")
        assert len(standing(battle.state, 1)) == left
        assert "move-consolidate" in kinds


@pytest.mark.rule("6e.core.assault.sweep-know-no-fear")
def test_troops_that_know_no_fear_stay_locked() -> None:
    battle = fight(
        unit(1, I=5).at(10, 20),
        unit(2, I=4, abilities=("And They Shall Know No Fear",)).on((10, 20.984), (12, 20.984)),
        ("hit", [4]), ("wound", [4]), ("save", [1]), ("hit", [1]), ("lost combat", [6, 6]),
        ("escape", [1]), ("sweeping advance", [6]),
    )  # fmt: skip
    play(battle, select_model="model:2")
    assert len(standing(battle.state, 1)) == 1


@pytest.mark.rule("6e.core.assault.pile-in")
def test_who_is_still_locked_piles_in_three_inches() -> None:
    battle = fight(
        unit(1, I=5).at(10, 20), unit(3, I=4, Sv="-").on((10, 20.984), (12, 26), (14, 26)),
        ("hit", [4]), ("wound", [4]), ("lost combat", [1, 2]),
    )  # fmt: skip
    play(battle, select_model="model:1")
    moves = [event.to_json() for event in battle.events if event.kind == "models-moved"]
    assert moves
    for move in moves:
        for _, way in move["paths"]:
            assert math.dist(way[0][:2], way[-1][:2]) <= 3001


@pytest.mark.rule("6e.core.special-rules.fear", "6e.core.assault.active-orders-combats")
def test_who_touches_what_he_fears_tests_or_fights_with_weapon_skill_one() -> None:
    for faces, needs in (([6, 6], 5), ([1, 1], 4)):
        battle = fight(
            unit(1, I=5, W=9, abilities=("Fear",)).at(10, 20), unit(1, I=4, W=9).at(10, 20.984),
            ("fear", faces), ("hit", [3]), *([("wound", [1])] if needs == 5 else []), ("hit", [4]),
            *([] if needs == 5 else [("wound", [1])]),
        )  # fmt: skip
        play(battle)
        assert battle.state.units[1].has(Deed.AFRAID) == (needs == 5)


@pytest.mark.rule("6e.core.assault.intervention")
def test_another_character_takes_over_on_an_initiative_test() -> None:
    ours = mixed("Ours", unit(1, I=3, W=9), champion("Hero", I=6, W=3), champion("Friend", I=5, W=3))
    theirs = mixed("Theirs", unit(1, I=2, W=9), champion("Foe", I=4, W=3))
    found = set()
    for seed in range(6):
        battle = fight(
            ours.on((10, 20), (11.2, 20), (8.8, 20)),
            theirs.on((10, 20.984), (11.2, 20.984)),
            seed=seed,
            challenges=((1, 4),),
        )
        while battle.decision is not None and battle.decision.kind != "challenge":
            ends = battle.decision.kind == "select-unit-to-assault"
            battle.answer(Pick("end") if ends else battle.decision.default())
        battle.answer(Pick("model:2"))
        taken = battle.state.challenges == ((2, 4),)
        found.add(taken)
    assert may_take_over(model("INFANTRY", "CHARACTER", I=5), 5)
    assert True in found, "a 5 or less"


@pytest.mark.rule("6e.core.assault.redeployed")
def test_who_was_ahead_of_its_army_does_not_charge_in_the_first_turn() -> None:
    rules = fight(unit(1).at(10, 10), unit(1).at(10, 40), seed=1).scene.rules.movement.arrivals
    assert why_no_charge_ahead(rules, 1, ahead=True)
    assert not why_no_charge_ahead(rules, 2, ahead=True)
    assert not why_no_charge_ahead(rules, 1, ahead=False)
