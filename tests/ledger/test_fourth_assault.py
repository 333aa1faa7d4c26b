"""The Assault phase of the 4th edition as it is played: charges, who is engaged, results, pursuit."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.test_third_assault_phase import play
from tests.support.classic import UnitSpec, mixed, model, printed_weapon, scene, unit

from battlewright.core.decisions import Pick, Place
from battlewright.core.dice import SeededDice
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.assault import assault_through_difficult
from battlewright.editions.classic.charts import strike_on
from battlewright.editions.classic.morale import half_strength_modifier, outnumbered_modifier
from battlewright.editions.classic.procedures.board import gaps, in_combat
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.splitting import Opponent
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.classic.striking import Fighter, Footing, Reach, attacks_of, strike_step
from battlewright.editions.fourth.assault import (
    needed,
    next_to_fall,
    only_its_target,
    reach_of,
    struck_alike,
    weight,
    wounds_of_losing,
)
from battlewright.editions.fourth.movement import KINDS

FIST = printed_weapon("Power fist", "POWER FIST", melee=True)
WOOD = TerrainArea("wood", ((0, 5), (60, 5), (60, 30), (0, 30)), tags=frozenset({"difficult"}))
RUIN = TerrainArea("ruin", ((0, 13), (60, 13), (60, 30), (0, 30)), tags=frozenset({"area", "ruins"}))


def fight(
    a: UnitSpec | list[UnitSpec], b: UnitSpec | list[UnitSpec], *dice: tuple[str, list[int]], **more: Any
) -> ClassicBattle:
    seed = more.pop("seed", None)
    source = list(dice) if seed is None else SeededDice(seed)
    return scene(a, b, phase=Phase.ASSAULT, alone=True, dice=source, edition="4", **more)


@pytest.mark.rule("4e.core.assault.charge-reach", "4e.core.assault.declare-then-measure")
def test_a_charge_reaches_six_inches_and_nobody_moves_when_it_cannot() -> None:
    battle = fight(unit(1).at(10, 10), unit(1).at(10, 15.984), ("terrain", [3, 1]), terrain=[WOOD])
    play(battle, ("a.1", "b.1"))
    assert battle.state.position[0].tolist()[:2] == [10000, 10000]
    assert assault_through_difficult(KINDS.of(Kind.BEAST), (2, 5)) == 10.0
    assert assault_through_difficult(KINDS.of(Kind.CAVALRY), (2, 5)) == 10.0


@pytest.mark.rule("4e.core.assault.may-not-charge", "4e.core.morale.falling-back-acts")
def test_who_may_not_charge() -> None:
    for flags in ({"falling_back": True}, {"pinned": True}, {"deeds": frozenset({Deed.FIRED_HEAVY})}):
        battle = fight(unit(1).at(10, 10).having(**flags), unit(1).at(10, 14))
        assert battle.decision is None, flags


@pytest.mark.rule("4e.core.assault.same-target")
def test_who_shot_may_charge_its_target_only() -> None:
    battle = fight(unit(1).at(10, 10).having(target=1), [unit(1).at(10, 14), unit(1, name="Other").at(12, 13)])
    assert only_its_target(battle.scene, battle.state, 0, 2)
    assert not only_its_target(battle.scene, battle.state, 0, 1)
    battle.answer(Pick("a.1"))
    assert [option.key for option in battle.decision.options()] == ["b.1", "none"]  # type: ignore[union-attr]


@pytest.mark.rule("4e.core.assault.charge-moves")
def test_models_make_contact_where_they_can_and_a_worse_place_is_refused_with_a_better_one() -> None:
    battle = fight(
        unit(2, I=1).on((10, 10), (13, 10)),
        unit(2, I=2).on((10, 14), (13, 14)),
        ("hit", [1, 1]),
        ("hit", [1, 1, 1, 1]),
    )
    battle.answer(Pick("a.1"))
    battle.answer(Pick("b.1"))
    decision = battle.decision
    assert decision is not None
    assert decision.kind == "move-assault"
    assert "could do better" in decision.check(Place(()))[0].text
    battle.answer(decision.default())
    play(battle)
    assert [int(battle.state.position[row, 1]) for row in (0, 1)] == [13016, 13016]


@pytest.mark.rule("4e.core.assault.engaged", "4e.assault-hits.attacks")
def test_a_model_within_two_inches_of_a_comrade_in_contact_makes_all_its_attacks() -> None:
    assert reach_of(0.0, 9.0, True) is Reach.CONTACT
    assert reach_of(3.0, 2.0, False) is Reach.ENGAGED
    assert reach_of(1.5, 2.5, True) is Reach.NONE
    charging = [Fighter(row=row, initiative=4, attacks=1, reach=Reach.CONTACT, charging=True) for row in range(5)]
    beside = [Fighter(row=row, initiative=4, attacks=1, reach=Reach.ENGAGED, charging=True) for row in range(3)]
    assert sum(map(attacks_of, (*charging, *beside))) == 16


@pytest.mark.rule("4e.core.assault.engaged", "4e.core.assault.attacks")
def test_in_a_battle_the_comrade_behind_strikes_with_all_he_has() -> None:
    battle = fight(
        unit(2, I=5, A=3).on((10, 10), (10, 8.5)), unit(1, W=9).at(10, 10.984), ("hit", [1] * 6), ("hit", [1])
    )
    play(battle)
    assert int(battle.state.wounds[2]) == 9


@pytest.mark.rule("4e.core.assault.initiative", "4e.core.assault.fists-last", "4e.core.assault.cover-initiative")
def test_by_initiative_in_cover_at_ten_and_fists_last() -> None:
    even, covered, levelled = Footing.EVEN, Footing.COVERED, Footing.LEVELLED
    slow, fist = Fighter(row=0, initiative=2, attacks=1), Fighter(row=1, initiative=6, attacks=1, strikes_last=True)
    assert strike_step(slow, covered, even, 10) == 10
    assert strike_step(fist, covered, even, 10) == 0
    assert strike_step(slow, even, levelled, 10) == strike_step(slow, levelled, even, 10) == 10
    assert strike_step(Fighter(row=2, initiative=10, attacks=1), even, covered, 10) == 10, "Initiative 10 is not later"


@pytest.mark.rule("4e.core.assault.cover-initiative")
def test_defenders_of_cover_strike_before_quicker_attackers() -> None:
    battle = fight(
        unit(1, I=5, Sv="-").at(10, 10), unit(1, I=2).at(10, 14), ("hit", [4]), ("wound", [4]),
        ("consolidation", [3]), terrain=[RUIN],
    )  # fmt: skip
    play(battle, ("a.1", "b.1"))
    assert standing(battle.state, 0) == []


@pytest.mark.rule("4e.core.assault.to-hit")
def test_the_chart_of_weapon_skills() -> None:
    assert [strike_on(*pair) for pair in ((5, 4), (4, 4), (4, 8), (4, 9), (1, 3))] == [3, 4, 4, 5, 5]


def foe(row: int, skill: int = 4, toughness: int = 4, near: bool = True) -> Opponent:
    return Opponent(row=row, unit=1, weapon_skill=skill, toughness=toughness, in_contact=near, within_two=near)


@pytest.mark.rule("4e.core.assault.majority", "4e.core.assault.casualties")
def test_most_of_the_engaged_decide_and_only_they_fall() -> None:
    alike = struck_alike([foe(0, 3), foe(1, 3), foe(2, 5), foe(3, 5, near=False), foe(4, 5, near=False)])
    assert {each.weapon_skill for each in alike} == {3}
    assert {each.weapon_skill for each in struck_alike([foe(0, 3), foe(1, 5)])} == {5}, "in a tie the higher"
    assert next_to_fall(alike[0].kind, alike) == (0, 1, 2)


@pytest.mark.rule("4e.core.assault.result", "4e.core.assault.passed-test", "4e.core.assault.draw")
def test_losers_who_pass_stay_and_everybody_piles_in() -> None:
    battle = fight(
        unit(1, I=5).at(10, 20),
        unit(3, I=4).on((10, 20.984), (12, 24.5), (14, 24)),
        ("hit", [4]),
        ("wound", [4]),
        ("save", [1]),
        ("lost combat", [1, 2]),
    )
    play(battle)
    state = battle.state
    assert in_combat(battle.scene, state, 1)
    assert gaps(battle.scene, state, [0], [2, 3]).tolist() == [[0.0, 0.0]]


@pytest.mark.rule("4e.core.assault.draw")
def test_equal_wounds_are_a_draw_without_dice() -> None:
    battle = fight(unit(1).at(10, 20), unit(1).at(10, 20.984), ("hit", [1, 1][:1]), ("hit", [1]))
    play(battle)
    assert in_combat(battle.scene, battle.state, 0)


@pytest.mark.rule("4e.core.assault.below-half-modifier", "4e.core.assault.outnumbered-modifier")
@pytest.mark.rule("4e.core.assault.counting-models")
def test_modifiers_of_the_losers_test() -> None:
    assert sum(each.amount for each in half_strength_modifier(4, 10)) == -1
    amounts = [sum(each.amount for each in outnumbered_modifier(5, enemies)) for enemies in (5, 6, 10, 15, 20, 40)]
    assert amounts == [0, -1, -2, -3, -4, -4]
    assert weight(model("MONSTROUS CREATURE")) == 10
    assert weight(model()) == 1


@pytest.mark.rule("4e.core.assault.no-retreat")
def test_who_never_runs_suffers_as_it_is_outnumbered() -> None:
    assert [wounds_of_losing(5, enemies, 3) for enemies in (4, 6, 10, 15, 25)] == [0, 1, 2, 3, 4]
    battle = fight(
        unit(4, I=5).on((10, 20), (11.2, 20), (8.8, 20), (10, 18.9)),
        unit(2, I=4, abilities=("Fearless",)).on((10, 20.984), (9, 21)),
        ("hit", [4, 4, 4, 4]),
        ("wound", [4, 1, 1, 1]),
        ("save", [1]),
        ("hit", [1]),
        ("save", [2]),
    )
    play(battle)
    assert standing(battle.state, 1) == [], "one fell, and the other to not running"


def broken(*dice: tuple[str, list[int]], **loser: Any) -> ClassicBattle:
    """One of two beaten fails its test; Initiative 5 goes after Initiative 4."""
    return fight(
        unit(1, I=5).at(10, 20),
        unit(2, I=4, **loser).on((10, 20.984), (12, 20.984)),
        ("hit", [4]),
        ("wound", [4]),
        ("save", [1]),
        ("hit", [1]),
        ("lost combat", [6, 6]),
        *dice,
    )


@pytest.mark.rule("4e.core.assault.sweeping-advance")
def test_an_equal_or_higher_roll_with_initiative_destroys_who_runs() -> None:
    battle = broken(("escape", [4]), ("sweeping advance", [3]))
    play(battle, select_model="model:2")
    assert standing(battle.state, 1) == []
    told = next(event for event in battle.events if event.kind == "pursued").to_json()
    assert (told["unit"], told["by"], told["caught"]) == ("b.1", "a.1", True)
    assert (told["escape"], told["sweep"], told["initiative"]) == (4, 3, [4, 5])


@pytest.mark.rule("4e.core.assault.sweeping-advance", "4e.core.assault.consolidation", "4e.core.morale.fall-back")
def test_a_lower_one_lets_it_fall_back_and_the_winner_consolidates() -> None:
    battle = broken(("escape", [5]), ("sweeping advance", [3]), ("fall-back", [2, 3]))
    play(battle, select_model="model:2")
    assert len(standing(battle.state, 1)) == 1
    assert battle.state.units[1].falling_back
    moved = [event for event in battle.events if event.kind == "models-moved" and event.to_json()["unit"] == "a.1"]
    assert moved
    assert int(battle.state.position[0, 1]) <= 23000 + 1


@pytest.mark.rule("4e.core.assault.sweep-know-no-fear")
def test_troops_that_know_no_fear_are_not_destroyed() -> None:
    battle = broken(("escape", [1]), ("sweeping advance", [6]), abilities=("And They Shall Know No Fear",))
    play(battle, select_model="model:2")
    assert len(standing(battle.state, 1)) == 1
    assert not battle.state.units[1].falling_back


@pytest.mark.rule("4e.core.assault.sweep-locked")
def test_a_winner_locked_with_others_goes_after_nobody() -> None:
    battle = fight(
        unit(1, I=5, A=1).at(10, 20),
        [unit(2, I=4).on((10, 20.984), (12, 20.984)), unit(1, I=3, name="Other", W=5).at(10, 19.016)],
        ("hit", [4]),
        ("wound", [4]),
        ("save", [1]),
        ("hit", [1]),
        ("hit", [1]),
        ("lost combat", [6, 6]),
        ("lost combat", [1, 1]),
        ("fall-back", [1, 1]),
    )
    play(battle, select_model="model:2")
    assert len(standing(battle.state, 1)) == 1, "nobody caught it"


@pytest.mark.rule("4e.core.assault.massacre")
def test_after_a_massacre_the_consolidation_is_a_die() -> None:
    battle = fight(unit(1, I=5).at(10, 20), unit(1, I=4).at(10, 20.984), ("hit", [4]), ("wound", [4]), ("save", [1]),
                   ("consolidation", [5]))  # fmt: skip
    play(battle)
    assert standing(battle.state, 1) == []


@pytest.mark.rule("4e.core.assault.consolidation")
def test_a_consolidation_may_reach_a_new_enemy_without_the_bonus_of_a_charge() -> None:
    battle = fight(
        unit(1, I=5).at(10, 20),
        [unit(1, I=4).at(10, 20.984), unit(1, name="Fresh").at(10, 23)],
        ("hit", [4]), ("wound", [4]), ("save", [1]), ("consolidation", [3]),
    )  # fmt: skip
    play(battle)
    assert in_combat(battle.scene, battle.state, 0)
    assert not battle.state.units[0].charged


@pytest.mark.rule("4e.core.assault.counter-charge")
def test_only_units_with_counter_attack_move_when_they_are_charged() -> None:
    for abilities, moves in (((), False), (("Counter-attack",), True)):
        target = mixed("Target", unit(2, abilities=abilities, W=5)).on((10, 14), (13.5, 14))
        battle = fight(unit(1, W=5).at(10, 10), target, seed=1)
        battle.answer(Pick("a.1"))
        battle.answer(Pick("b.1"))
        if battle.decision is not None and battle.decision.kind == "select-unit-assaulted":
            battle.answer(Pick("none"))
        battle.answer(battle.decision.default())  # type: ignore[union-attr]
        asked = battle.decision is not None and battle.decision.prompt.endswith("counter-attacks")
        assert asked == moves


@pytest.mark.rule("4e.core.assault.characters-apart", "4e.character-assault.separate-unit")
@pytest.mark.rule("4e.character-assault.base-contact", "4e.character-assault.wounds-do-not-carry")
def test_a_character_stands_apart_fights_in_contact_only_and_outlives_his_squad() -> None:
    squad = mixed(
        "Squad",
        unit(2, Sv="-", I=1),
        unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Captain", A=5, I=9, W=2),
    ).on((10, 20.984), (11, 21.2), (12.5, 22))
    battle = fight(unit(1, A=5, I=5).at(10, 20), squad, ("hit", [4] * 5), ("wound", [4] * 5), ("lost combat", [1, 1]))
    play(battle)
    assert standing(battle.state, 1) == [3], "he touches nobody, does not strike, and takes none of the wounds left"


@pytest.mark.rule("4e.character-assault.attacks-on-character", "4e.character-assault.character-attacks-contact")
def test_who_touches_him_may_strike_him() -> None:
    squad = mixed(
        "Squad", unit(1, I=1), unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Captain", A=3, I=1, W=2)
    ).on((9.3, 20.692), (10.7, 20.692))
    battle = fight(unit(1, A=2, I=5, W=9).at(10, 20), squad, ("hit", [1, 1]), ("hit", [1] * 4))
    while battle.decision is not None and battle.decision.kind != "aim-attacks":
        battle.answer(Pick("end") if battle.decision.kind == "select-unit-to-assault" else battle.decision.default())
    assert battle.decision is not None
    labels = {option.label for option in battle.decision.options()}
    assert labels == {"2 at Captain", "2 at Squad", "1 at Squad and 1 at Captain"}


@pytest.mark.rule("4e.squadron-assault.separate-targets", "4e.squadron-assault.individual-speed")
def test_vehicles_of_a_squadron_are_struck_each_by_its_own_speed() -> None:
    buggy = model("VEHICLE", AV="10/10/10")
    assert needed(buggy, True, 8.0) == 1
    assert needed(buggy, False, 8.0) == 6
    buggies = unit(2, "VEHICLE", name="Buggy", AV="10/10/10", base="40mm").on((9, 21.0, 0, 270), (11, 21.0, 0, 270))
    battle = fight(unit(1, A=2).at(10, 20.202), buggies, seed=1)
    kinds = []
    while battle.decision is not None:
        kinds.append(battle.decision.kind)
        ends = battle.decision.kind == "select-unit-to-assault"
        battle.answer(Pick("end") if ends else battle.decision.default())
    assert "aim-attacks" in kinds, "each of the two that are touched may be named"
    assert living(battle.state, 0)
