"""The Assault phase of the 3rd edition as it is played: moves into contact, striking, results, what follows."""

from __future__ import annotations

import pytest
from tests.support.classic import UnitSpec, mixed, printed_weapon, scene, unit

from battlewright.core.decisions import Pick
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.procedures.board import gaps, in_combat
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Phase

FIST = printed_weapon("Power fist", "POWER FIST", melee=True)
POWER = printed_weapon("Power weapon", "POWER WEAPON", "ONE-HANDED", melee=True)


def play(battle: ClassicBattle, *assaults: tuple[str, str], **answers: str) -> None:
    """Units assault others, then everything is fought; answers by kind of decision, else by default."""
    waiting = list(assaults)
    for _ in range(200):
        decision = battle.decision
        if decision is None:
            return
        kind = decision.kind.replace("-", "_")
        if kind == "select_unit_to_assault":
            battle.answer(Pick(waiting[0][0] if waiting else "end"))
        elif kind == "select_unit_assaulted":
            listed = [option.key for option in decision.options()]
            battle.answer(Pick(waiting.pop(0)[1] if waiting and waiting[0][1] in listed else "none"))
        else:
            battle.answer(Pick(answers[kind]) if kind in answers else decision.default())
    raise AssertionError("the phase does not end")


def fight(
    a: UnitSpec | list[UnitSpec], b: UnitSpec | list[UnitSpec], *dice: tuple[str, list[int]], **more: object
) -> ClassicBattle:
    return scene(a, b, phase=Phase.ASSAULT, alone=True, dice=list(dice), **more)  # type: ignore[arg-type]


@pytest.mark.rule("3e.assault-move.within-six", "3e.assault-move.reach-counts", "3e.outside.charge-bonus")
def test_a_unit_six_inches_away_is_assaulted_and_the_attackers_have_an_extra_attack() -> None:
    battle = fight(
        unit(1, I=5).at(10, 10),
        unit(1, W=3).at(10, 16.984),
        ("hit", [4, 4]),
        ("wound", [4, 1]),
        ("save", [1]),
        ("hit", [1]),
        ("lost combat", [1, 1]),
    )
    play(battle, ("a.1", "b.1"))
    assert in_combat(battle.scene, battle.state, 0)
    assert int(battle.state.wounds[1]) == 2


@pytest.mark.rule("3e.assault-move.out-of-range-no-move", "3e.core.assault.must-reach")
def test_a_unit_out_of_range_makes_no_assault_move() -> None:
    battle = fight(unit(1).at(10, 10), unit(1).at(10, 18))
    play(battle, ("a.1", "b.1"))
    assert battle.state.position[0].tolist()[:2] == [10000, 10000]


@pytest.mark.rule("3e.assault-move.short-move", "3e.assault-move.short-move-no-attacks", "3e.outside.contact-required")
def test_a_unit_stopped_by_a_wood_moves_towards_the_enemy_and_makes_no_attacks() -> None:
    wood = TerrainArea("wood", ((0, 5), (60, 5), (60, 30), (0, 30)), tags=frozenset({"difficult"}))
    battle = fight(unit(1).at(10, 10), unit(1).at(10, 15.984), ("terrain", [3, 1]), terrain=[wood])
    play(battle, ("a.1", "b.1"))
    assert battle.state.position[0].tolist()[:2] == [10000, 13000]


@pytest.mark.rule("3e.assault-move.nearest-first", "3e.assault-move.unengaged-first", "3e.core.assault.charge-moves")
def test_every_model_makes_for_an_enemy_that_is_free() -> None:
    battle = fight(
        unit(2, I=1).on((10, 10), (13, 10)),
        unit(2, I=2).on((10, 14), (13, 14)),
        ("hit", [1, 1]),
        ("hit", [1, 1, 1, 1]),
        ("tied combat", [3, 3]),
    )
    play(battle, ("a.1", "b.1"))
    state = battle.state
    assert [round(float(state.position[row, 0]) / 1000) for row in (0, 1)] == [10, 13]
    assert [int(state.position[row, 1]) for row in (0, 1)] == [13016, 13016]


@pytest.mark.rule("3e.fight-order.cover-first", "3e.core.assault.cover-strikes-first", "3e.outside.initiative")
def test_defenders_of_cover_strike_first_and_the_slain_do_not_strike_back() -> None:
    ruin = TerrainArea("ruin", ((0, 13), (60, 13), (60, 30), (0, 30)), tags=frozenset({"area", "ruins"}))
    battle = fight(
        unit(1, I=5, Sv="-").at(10, 10),
        unit(1, I=2).at(10, 14),
        ("hit", [4]),
        ("wound", [4]),
        terrain=[ruin],
    )
    play(battle, ("a.1", "b.1"), consolidate="stay")
    assert standing(battle.state, 0) == []


@pytest.mark.rule("3e.special-attacks.frag-effect", "3e.special-attacks.frag-users", "3e.core.traits.frag-grenades")
def test_frag_grenades_let_both_sides_strike_at_the_same_time() -> None:
    ruin = TerrainArea("ruin", ((0, 13), (60, 13), (60, 30), (0, 30)), tags=frozenset({"area", "ruins"}))
    battle = fight(
        unit(1, I=5, Sv="-", abilities=("Frag Grenades",)).at(10, 10),
        unit(1, I=2, Sv="-").at(10, 14),
        ("hit", [4, 1]),
        ("wound", [4]),
        ("hit", [4]),
        ("wound", [4]),
        terrain=[ruin],
    )
    play(battle, ("a.1", "b.1"))
    assert standing(battle.state, 0) == []
    assert standing(battle.state, 1) == []


@pytest.mark.rule("3e.outside.power-fist-last", "3e.core.assault.strikes-last")
def test_a_power_fist_strikes_last() -> None:
    battle = fight(
        unit(1, I=6, Sv="-", weapons=[FIST]).at(10, 10),
        unit(1, I=1).at(10, 14),
        ("hit", [4]),
        ("wound", [4]),
    )
    play(battle, ("a.1", "b.1"), consolidate="stay")
    assert standing(battle.state, 0) == [], "Initiative 1 has struck before the fist"


@pytest.mark.rule("3e.support.one-attack", "3e.support.regardless", "3e.special-attacks.contact-only")
def test_a_supporter_makes_one_ordinary_attack() -> None:
    battle = fight(
        unit(2, I=5, A=3, weapons=[POWER]).on((10, 10), (10, 8.5)).having(),
        unit(1, W=3).at(10, 10.984),
        ("hit", [1, 1, 1]),
        ("hit", [4]),
        ("wound", [4]),
        ("save", [3]),
        ("hit", [1]),
        ("tied combat", [2, 2]),
    )
    play(battle)
    assert int(battle.state.wounds[2]) == 3


@pytest.mark.rule(
    "3e.result.tie-roll", "3e.sweep.tie-roll-only-consolidate", "3e.loser-morale.fail", "3e.core.assault.draw"
)
def test_who_wins_by_the_dice_of_a_tie_alone_may_not_sweep() -> None:
    battle = fight(
        unit(1, I=4).at(10, 20),
        unit(1, I=4).at(10, 20.984),
        ("hit", [1]),
        ("hit", [1]),
        ("tied combat", [5, 3]),
        ("lost combat", [6, 6]),
        ("fall-back", [3, 3]),
    )
    play(battle, consolidate="stay")
    assert battle.state.units[1].falling_back
    assert battle.state.position[1].tolist()[:2] == [10000, 26984]


@pytest.mark.rule("3e.sweep.catch", "3e.outside.sweep-distance", "3e.core.assault.caught", "3e.fall-back.not-a-sweep")
def test_pursuers_with_the_higher_roll_destroy_those_who_flee() -> None:
    battle = fight(
        unit(1, I=5).at(10, 20),
        unit(2, I=4).on((10, 20.984), (12, 20.984)),
        ("hit", [4]),
        ("wound", [4]),
        ("save", [1]),
        ("hit", [1]),
        ("lost combat", [6, 6]),
        ("fall-back", [3, 4]),
        ("sweep", [4, 4]),
    )
    play(battle, select_reaction="sweep", select_model="model:2")
    assert standing(battle.state, 1) == []


@pytest.mark.rule("3e.sweep.equal-escapes", "3e.sweep.reaches-anyway", "3e.sweep.roll-not-distance")
def test_an_equal_roll_does_not_catch_them() -> None:
    battle = fight(
        unit(1, I=5).at(10, 20),
        unit(2, I=4).on((10, 20.984), (12, 20.984)),
        ("hit", [4]),
        ("wound", [4]),
        ("save", [1]),
        ("hit", [1]),
        ("lost combat", [6, 6]),
        ("fall-back", [3, 4]),
        ("sweep", [4, 3]),
    )
    play(battle, select_reaction="sweep", select_model="model:2")
    assert len(standing(battle.state, 1)) == 1
    assert battle.state.units[1].falling_back
    gap = float(gaps(battle.scene, battle.state, [0], [2])[0, 0])
    assert gap >= 0.999


@pytest.mark.rule("3e.drawn.pile-in", "3e.drawn.contact-stay", "3e.loser-morale.pass", "3e.drawn.when")
def test_after_a_passed_test_models_that_touch_nobody_move_in() -> None:
    battle = fight(
        unit(1, I=5).at(10, 20),
        unit(3, I=4).on((10, 20.984), (12, 24.5), (14, 24)),
        ("hit", [4]),
        ("wound", [4]),
        ("save", [1]),
        ("lost combat", [1, 2]),
        ("who moves first", [6, 2]),
    )
    play(battle, select_model="model:1")
    state = battle.state
    assert in_combat(battle.scene, state, 1)
    assert gaps(battle.scene, state, [0], [2, 3]).tolist() == [[0.0, 0.0]]


@pytest.mark.rule("3e.fall-back.charged-test", "3e.fall-back.charged-fail", "3e.fall-back.charged-no-modifiers")
def test_a_unit_assaulted_while_it_falls_back_is_destroyed_if_it_fails_its_test() -> None:
    battle = fight(
        unit(1).at(10, 20),
        unit(2, Ld=7).at(10, 24).having(falling_back=True),
        ("assaulted while falling back", [4, 4]),
    )
    play(battle, ("a.1", "b.1"))
    assert standing(battle.state, 1) == []


@pytest.mark.rule("3e.core.vehicles.hitting-in-assault", "3e.core.vehicles.grenades", "3e.core.vehicles.not-locked")
def test_a_vehicle_that_stood_is_hit_by_a_krak_grenade_without_a_roll() -> None:
    tank = unit(1, "VEHICLE", name="Tank", AV="12/10/10", base="hull 6x4in").on((20, 24, 0, 0))
    battle = fight(
        unit(1, A=3, abilities=("Krak Grenades",)).at(14, 24),
        tank,
        ("penetration", [5]),
        ("penetrating table", [4]),
    )
    play(battle, ("a.1", "b.1"), consolidate="stay")
    assert living(battle.state, 1) == []


# -- the big worked example -------------------------------------------------------------------------------------
# Striking Scorpions with their Exarch against Black Templars: Neophytes (WS 3), Paladins (WS 4), two of these with
# power fists, and their Marshal.


def templars(*models: str) -> UnitSpec:
    sorts = {
        "neophyte": unit(1, name="Neophyte", WS=3, T=4, Sv="-", I=1),
        "paladin": unit(1, name="Paladin", WS=4, T=4, Sv="-", I=1),
        "fist": unit(1, name="Fist Paladin", WS=4, T=4, Sv="-", I=1, weapons=[FIST]),
    }
    return mixed("Templars", *(sorts[each] for each in models))


def scorpion(attacks: int = 2) -> UnitSpec:
    return unit(1, name="Scorpion", WS=4, A=attacks, I=5)


def exarch(attacks: int = 4) -> UnitSpec:
    return unit(1, "INFANTRY", "CHARACTER", name="Exarch", WS=5, A=attacks, I=6)


@pytest.mark.rule("3e.cc-example.types-split", "3e.cc-example.type-overflow", "3e.split.must-different")
def test_example_scorpions_split_between_neophytes_and_paladins_and_surplus_losses_carry_over() -> None:
    # One Neophyte and one Paladin touched, four Neophytes behind; three wounds on Neophytes.
    foes = templars("neophyte", "paladin", *["neophyte"] * 4).on(
        (9.3, 20.692), (10.7, 20.692), (9, 24), (11, 24), (13, 24), (15, 24)
    )
    battle = fight(
        scorpion(4).at(10, 20),
        foes,
        ("hit", [4, 4, 4, 1]),
        ("wound", [4, 4, 4]),
        ("hit", [1]),
        ("lost combat", [1, 1]),
    )
    kinds = []
    while battle.decision is not None:
        kinds.append(battle.decision.kind)
        if battle.decision.kind == "aim-attacks":
            assert [option.label for option in battle.decision.options()][:2] == ["4 at Neophyte", "4 at Paladin"]
            battle.answer(Pick("aims:0"))
        elif battle.decision.kind == "select-unit-to-assault":
            battle.answer(Pick("end"))
        else:
            battle.answer(battle.decision.default())
    assert "aim-attacks" in kinds
    names = [battle.scene.models[row].name for row in standing(battle.state, 1)]
    assert sorted(names) == ["Neophyte", "Neophyte", "Paladin"]


@pytest.mark.rule("3e.cc-example.type-stays", "3e.split.carries-over")
def test_example_losses_of_one_type_never_carry_on_to_the_other() -> None:
    foes = templars("neophyte", "paladin", "neophyte").on((9.3, 20.692), (10.7, 20.692), (9, 24))
    battle = fight(
        scorpion(3).at(10, 20), foes, ("hit", [4, 4, 4]), ("wound", [4, 4, 4]), ("hit", [1]), ("lost combat", [1, 1])
    )
    play(battle, aim_attacks="aims:0")
    assert [battle.scene.models[row].name for row in standing(battle.state, 1)] == ["Paladin"]


@pytest.mark.rule("3e.cc-example.exarch-pick", "3e.cc-example.exarch-no-overflow", "3e.cc-example.exarch-result")
def test_example_the_exarch_singles_out_the_fist_and_nobody_else_suffers() -> None:
    foes = templars("paladin", "fist", "paladin", "fist").on((9.3, 20.692), (10.7, 20.692), (9, 24), (11, 24))
    battle = fight(
        exarch().at(10, 20), foes, ("hit", [4] * 4), ("wound", [4, 4, 4, 1]), ("hit", [1]), ("lost combat", [1, 1])
    )
    while battle.decision is not None:
        if battle.decision.kind == "aim-attacks":
            wanted = next(o.key for o in battle.decision.options() if o.label == "4 at Fist Paladin (model 2)")
            battle.answer(Pick(wanted))
        else:
            battle.answer(
                battle.decision.default() if battle.decision.kind != "select-unit-to-assault" else Pick("end")
            )
    assert standing(battle.state, 1) == [1, 3, 4]
    result = next(event for event in battle.events if event.kind == "combat-resolved")
    assert result.to_json()["wounds"] == [1, 0]


@pytest.mark.rule("3e.cc-example.exarch-mixed", "3e.char-combat.mix", "3e.cc-example.trooper-no-pick")
def test_example_what_the_exarch_does_not_direct_carries_over() -> None:
    foes = templars("fist", "paladin", "paladin", "paladin").on((9.3, 20.692), (10.7, 20.692), (9, 24), (11, 24))
    battle = fight(
        exarch().at(10, 20),
        foes,
        ("hit", [4, 4]),
        ("wound", [4, 4]),
        ("hit", [4, 4]),
        ("wound", [4, 4]),
        ("lost combat", [1, 1]),
        ("who moves first", [6, 2]),
    )
    while battle.decision is not None:
        decision = battle.decision
        if decision.kind == "aim-attacks":
            wanted = next(
                o.key for o in decision.options() if o.label == "2 at Fist Paladin and 2 at Fist Paladin (model 1)"
            )
            battle.answer(Pick(wanted))
        else:
            battle.answer(decision.default() if decision.kind != "select-unit-to-assault" else Pick("end"))
    result = next(event for event in battle.events if event.kind == "combat-resolved")
    assert result.to_json()["wounds"] == [3, 0]
    assert len(standing(battle.state, 1)) == 1
    assert 1 not in standing(battle.state, 1)
