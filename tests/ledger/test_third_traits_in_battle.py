"""Special rules and wargear of the 3rd edition at work in close combat, under fire and when nerves fail."""

from __future__ import annotations

import pytest
from tests.ledger.test_third_assault_phase import FIST, fight, play
from tests.support.classic import mixed, printed_weapon, scene, unit

from battlewright.editions.classic.bearers import break_off
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.procedures.nerve import take_morale_test
from battlewright.editions.classic.scene import standing
from battlewright.editions.classic.special_rules import Test
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.third.special_rules import SPECIAL_RULES

RIFLE = printed_weapon("Rifle", "RAPID FIRE")
BLADE = printed_weapon("Blade", "ONE-HANDED", melee=True)
CRAFTED = printed_weapon("Relic blade", "MASTER-CRAFTED", melee=True)
TOUCHING = 10.984


@pytest.mark.rule("3e.core.traits.furious-charge")
def test_furious_chargers_strike_first_and_harder() -> None:
    battle = fight(
        unit(1, I=4, S=4, abilities=("Furious Charge",)).at(10, 10),
        unit(1, I=4, T=5, Sv="-").at(10, 14),
        ("hit", [4, 1]),
        ("wound", [4]),
    )
    play(battle, ("a.1", "b.1"), consolidate="stay")
    assert standing(battle.state, 1) == [], "Strength 5 wounds Toughness 5 on 4+, before Initiative 4 strikes"


@pytest.mark.rule("3e.core.traits.true-grit")
def test_true_grit_gives_no_third_attack_in_a_charge() -> None:
    battle = fight(
        unit(1, I=5, weapons=[RIFLE, BLADE], abilities=("True Grit",)).at(10, 10),
        unit(1, W=3).at(10, 14),
        ("hit", [1, 1]),
        ("hit", [1]),
        ("tied combat", [2, 2]),
    )
    play(battle, ("a.1", "b.1"))
    assert in_combat(battle.scene, battle.state, 0)


@pytest.mark.rule("3e.core.traits.storm-shield")
def test_a_storm_shield_stops_blows_that_armour_does_not() -> None:
    def struck(attackers: int) -> list[int]:
        places = [(10, 10), (9.016, TOUCHING), (10.984, TOUCHING)][:attackers]
        battle = fight(
            unit(attackers, I=1, S=4, weapons=[FIST]).on(*places),
            unit(1, W=3, T=5, I=2, abilities=("Storm Shield",)).at(10, TOUCHING),
            ("hit", [1]),
            ("hit", [4, *[1] * (attackers - 1)]),
            ("wound", [4]),
            *([("save", [4]), ("tied combat", [1, 1])] if attackers == 1 else [("lost combat", [1, 1])]),
        )
        play(battle, aim_attacks="aims:0")
        return [int(wounds) for wounds in battle.state.wounds[attackers:]]

    assert struck(1) == [3]
    assert struck(2) == [2], "one opponent only"


@pytest.mark.rule("3e.core.traits.bionics", "3e.result.regained-counts")
@pytest.mark.parametrize(("face", "left"), [(5, 1), (6, 2)])
def test_bionics_are_rolled_for_each_unsaved_wound_which_counts_all_the_same(face: int, left: int) -> None:
    battle = fight(
        unit(1, I=5).at(10, 10),
        unit(1, W=2, Sv="-", I=1, abilities=("Bionics",)).at(10, TOUCHING),
        ("hit", [4]),
        ("wound", [4]),
        ("ignore-wound", [face]),
        ("hit", [1]),
        ("lost combat", [1, 1]),
    )
    play(battle)
    assert int(battle.state.wounds[1]) == left
    result = next(event for event in battle.events if event.kind == "combat-resolved")
    assert result.to_json()["wounds"] == [1, 0]


@pytest.mark.rule("3e.core.traits.counter-attack")
def test_troops_that_counter_attack_win_a_tie_without_a_die() -> None:
    battle = fight(
        unit(1, I=5).at(10, 10),
        unit(1, I=1, abilities=("Counter-Attack",)).at(10, TOUCHING),
        ("hit", [1]),
        ("hit", [1]),
        ("lost combat", [1, 1]),
    )
    play(battle)
    assert in_combat(battle.scene, battle.state, 0)


@pytest.mark.rule("3e.core.traits.master-crafted")
def test_one_miss_of_a_master_crafted_weapon_is_rolled_again_in_a_turn() -> None:
    battle = fight(
        unit(1, I=5, A=3, weapons=[CRAFTED]).at(10, 10),
        unit(1, I=1).at(10, TOUCHING),
        ("hit", [1, 2, 3]),
        ("hit-reroll", [3]),
        ("hit", [1]),
        ("tied combat", [1, 1]),
    )
    play(battle)
    assert battle.decision is None, "one of three misses has been rolled again"


@pytest.mark.rule("3e.core.traits.terminator-armour")
def test_a_unit_with_one_terminator_does_not_sweep() -> None:
    squad = mixed("Squad", unit(1, I=5), unit(1, I=5, abilities=("Terminator Armour",)))
    battle = fight(
        squad.on((10, 10), (9.5, 8)),
        unit(1, I=1, Sv="-").at(10, TOUCHING),
        ("hit", [4]),
        ("wound", [4]),
    )
    play(battle, consolidate="stay")
    assert standing(battle.state, 1) == [], "nobody was asked whether to sweep, and nothing was rolled for it"


@pytest.mark.rule("3e.core.morale.know-no-fear")
def test_who_knows_no_fear_stays_in_the_combat_when_he_is_caught() -> None:
    brave = unit(3, I=1, abilities=("And They Shall Know No Fear",))
    battle = fight(
        unit(1, I=5).at(10, 10),
        brave.on((10, TOUCHING), (12, 12), (13, 14)),
        ("hit", [4]),
        ("wound", [4]),
        ("save", [1]),
        ("hit", [1]),
        ("lost combat", [6, 6]),
        ("fall-back", [1, 1]),
        ("sweep", [6, 6]),
    )
    play(battle, select_reaction="sweep", select_model="model:2")
    assert len(standing(battle.state, 1)) == 2
    assert not battle.state.units[1].falling_back
    held = next(event.to_json() for event in battle.events if event.kind == "held-fast")
    assert (held["unit"], held["by"]) == ("b.1", ["a.1"])
    assert battle.state.units[0].charged, "who caught it counts as charging in the next round"


@pytest.mark.rule("3e.core.traits.resolute")
def test_resolute_troops_roll_a_failed_morale_test_again() -> None:
    battle = scene(
        unit(5, abilities=("Resolute",)).at(10, 10),
        unit(1).at(60, 40),
        phase=Phase.SHOOTING,
        dice=[("losses", [6, 6]), ("losses", [1, 2])],
    )
    assert take_morale_test(battle, 0, "losses", (), "3e.fire-morale.quarter", test=Test.LOSSES)


@pytest.mark.rule("3e.core.units.hit-and-run")
def test_hit_and_run_troops_leave_at_the_end_of_the_round_and_the_enemy_only_consolidates() -> None:
    battle = fight(
        unit(1, I=5, abilities=("Hit & Run",)).at(10, 20),
        unit(1, I=1).at(10, 20.984),
        ("hit", [1]),
        ("hit", [1]),
        ("tied combat", [2, 2]),
        ("break-off", [2, 4, 5]),
    )
    play(battle, break_off="south")
    assert battle.state.position[0].tolist()[:2] == [10000, 9000]
    assert not battle.state.units[0].falling_back
    assert battle.state.units[1].has(Deed.CONSOLIDATED)


@pytest.mark.rule("3e.core.units.hit-and-run")
def test_troops_without_the_rule_are_not_asked_to_leave() -> None:
    battle = fight(
        unit(1, I=5).at(10, 20), unit(1, I=1).at(10, 20.984), ("hit", [1]), ("hit", [1]), ("tied combat", [2, 2])
    )
    play(battle)
    assert in_combat(battle.scene, battle.state, 0)
    assert break_off(SPECIAL_RULES, {"INFANTRY"}, in_combat=True, fought=True) is None
    assert break_off(SPECIAL_RULES, {"HIT AND RUN"}, in_combat=False, fought=True) is None


@pytest.mark.rule("3e.core.morale.know-no-fear")
def test_who_knows_no_fear_acts_freely_once_he_has_rallied() -> None:
    brave = unit(2, abilities=("And They Shall Know No Fear",)).at(30, 30).having(falling_back=True)
    battle = scene(brave, unit(1).at(60, 5), phase=Phase.START_OF_TURN, alone=True, dice=[("rally", [1, 2])])
    assert not battle.state.units[0].falling_back
    assert not battle.state.units[0].has(Deed.RALLIED)
