"""Fire and falling back in the 3rd edition where an exception holds: whose losses count, shared markers, riders."""

from __future__ import annotations

import pytest
from tests.ledger.test_third_sweeps_in_battle import block
from tests.ledger.test_third_vehicle_fire import fire
from tests.support.classic import mixed, printed_weapon, scene, unit

from battlewright.core.decisions import Pick
from battlewright.core.dice import SeededDice
from battlewright.editions.classic.procedures.retreat import fall_back
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Phase

PLASMA = printed_weapon("Plasma gun", "ASSAULT 1", "GETS HOT", S=7, AP=2)
CANNON = printed_weapon("Plasma cannon", "HEAVY 1", "BLAST", "GETS HOT", S=7, AP=2, R='36"')
MISSILE = printed_weapon("Frag missile", "HEAVY 1", "BLAST", S=8, AP=6, R='48"')


def end(battle: ClassicBattle) -> None:
    if battle.decision is not None and battle.decision.kind == "select-unit-to-shoot":
        battle.answer(Pick("end"))


# -- whose losses count -----------------------------------------------------------------------------------------


@pytest.mark.rule("3e.fire-morale.quarter", "3e.core.weapons.gets-hot", "3e.core.morale.quarter-losses")
def test_what_a_units_own_weapons_cost_it_calls_for_no_test() -> None:
    squad = mixed("Squad", unit(1, weapons=[PLASMA]), unit(1)).on((10, 5), (12, 5))
    battle = scene(
        squad, unit(9).at(10, 15), phase=Phase.SHOOTING, alone=True, dice=[("hit", [1]), ("gets-hot-save", [1])]
    )
    fire(battle)
    assert len(living(battle.state, 0)) == 1
    end(battle)
    assert battle.decision is None, "half of it is gone, none of it by enemy fire"


@pytest.mark.rule("3e.core.weapons.gets-hot", "3e.core.weapons.blast")
def test_a_blast_weapon_that_gets_hot_burns_its_firer_on_a_one() -> None:
    battle = scene(
        unit(1, weapons=[CANNON], W=2).at(10, 5), unit(9).at(10, 15),
        phase=Phase.SHOOTING, alone=True, dice=[("hit", [1]), ("gets-hot-save", [2])],
    )  # fmt: skip
    fire(battle)
    assert int(battle.state.wounds[0]) == 1


@pytest.mark.rule("3e.char-leaders.orphan", "3e.fire-morale.test-at-end")
@pytest.mark.parametrize(("agreed", "tests"), [("bound", 1), ("released", 0)])
def test_a_character_left_alone_of_his_unit_tests_for_it_unless_he_is_released(agreed: str, tests: int) -> None:
    gun = printed_weapon("Gun", "HEAVY 1", S=8, AP=2, R='48"')
    lord = unit(1, "INFANTRY", "CHARACTER", "INDEPENDENT CHARACTER", name="Lord", Ld=10)
    battle = scene(
        unit(1, weapons=[gun]).at(10, 5), [unit(1).at(10, 20), lord.at(12, 20)],
        phase=Phase.SHOOTING, alone=True, options={"orphaned_character": agreed},
        dice=[("hit", [4]), ("wound", [4]), *[("losses", [1, 1])] * tests],
    )  # fmt: skip
    state = battle.state
    state.units[2].joined, state.units[1].models, state.units[2].models = 1, (1, 2), ()
    state.units[1].phase_strength = 2
    fire(battle, select_model="model:1")
    end(battle)
    assert battle.decision is None
    assert battle.dice.finish(state.dice) is None  # type: ignore[attr-defined]
    assert (state.units[2].joined < 0) == (agreed == "released")


# -- markers on vehicles ----------------------------------------------------------------------------------------


@pytest.mark.rule("3e.outside.several-markers", "3e.core.weapons.several-blasts")
def test_each_blast_that_hits_strikes_the_vehicle_under_the_marker_they_share() -> None:
    tank = unit(1, "VEHICLE", "TANK", name="Tank", base="60mm", AV="14/14/14")
    battle = scene(
        unit(3, weapons=[MISSILE]).at(10, 5), tank.at(12, 20),
        phase=Phase.SHOOTING, alone=True, dice=[("hit", [4, 4, 1]), ("penetration", [1, 2])],
    )  # fmt: skip
    fire(battle)
    end(battle)
    assert battle.decision is None


@pytest.mark.rule("3e.outside.partial-hit", "3e.core.weapons.blast", "3e.core.vehicles.squadrons")
def test_a_vehicle_that_a_marker_covers_in_part_and_misses_suffers_nothing() -> None:
    walker = ("VEHICLE", "WALKER")
    squadron = unit(2, *walker, name="Walkers", WS=3, S=5, I=3, A=1, base="60mm", AV="14/14/14")
    battle = scene(
        unit(1, weapons=[MISSILE]).at(20, 5), squadron.on((20, 20), (22.6, 20)),
        phase=Phase.SHOOTING, alone=True,
        dice=[("hit", [4]), ("partly-covered", [6, 1]), ("penetration", [1])],
    )  # fmt: skip
    battle.answer(Pick("a.1"))
    while battle.decision is not None and battle.decision.kind != "select-unit-to-shoot":
        decision = battle.decision
        if decision.kind == "lay-marker":
            both = [each.key for each in decision.options() if each.label.startswith("0 fully, 2 partly")]
            battle.answer(Pick(both[0]))
        else:
            battle.answer(Pick("b.1") if decision.kind == "select-target" else decision.default())
    end(battle)
    assert battle.decision is None


# -- falling back -----------------------------------------------------------------------------------------------


def flight(battle: ClassicBattle, unit_number: int, total: int) -> None:
    for _ in fall_back(battle, unit_number, total):
        raise AssertionError("nobody has anything to choose")


@pytest.mark.rule("3e.fall-back.types-override", "3e.fall-back.halved", "3e.bikes.test", "3e.cavalry.each-move")
def test_bikes_fall_back_through_a_wood_in_full_with_one_die_for_each() -> None:
    battle = scene(
        unit(4, "BIKE").having(wounds=(1, 0, 0, 0)).on((10, 30), (12, 30), (14, 30), (16, 30)), unit(1).at(60, 40),
        phase=Phase.SHOOTING, turn=1, dice=[("terrain-accident", [4])],
        terrain=[block(0, 24, 60, 27, "difficult", "area", "woods")],
    )  # fmt: skip
    flight(battle, 0, 10)
    assert battle.state.position[0].tolist()[:2] == [10000, 20000]


@pytest.mark.rule("3e.rally.in-cover", "3e.rally.whole-unit", "3e.bikes.only-own-models")
def test_bikes_that_try_to_rally_in_cover_throw_no_second_die_for_it() -> None:
    battle = scene(
        unit(2, "BIKE").on((10, 30), (12, 30)), unit(1).at(60, 40),
        phase=Phase.SHOOTING, turn=1, dice=[("terrain-accident", [4, 4]), ("rally in cover", [6, 6])],
        terrain=[block(0, 24, 60, 27, "difficult", "area", "woods")],
    )  # fmt: skip
    flight(battle, 0, 10)
    assert battle.state.position[0].tolist()[:2] == [10000, 20000]


@pytest.mark.rule("3e.outside.crossfire-official", "3e.core.morale.crossfire-exceptions", "3e.crossfire.destroyed")
@pytest.mark.parametrize("walled", [True, False])
def test_enemies_beyond_impassable_terrain_set_no_crossfire(walled: bool) -> None:
    terrain = [block(8, 18, 12, 18.5, "impassable")] if walled else []
    battle = scene(unit(1).at(10, 24), unit(1).at(10, 15), phase=Phase.SHOOTING, turn=1, terrain=terrain, dice=[])
    flight(battle, 0, 12)
    assert bool(standing(battle.state, 0)) == walled


# -- nerve, and what is told ------------------------------------------------------------------------------------


@pytest.mark.rule("3e.immunity.morale-not-leadership", "3e.last-man.each-turn")
def test_who_ignores_morale_tests_tests_as_the_last_man_all_the_same() -> None:
    squad = unit(2, abilities=("Ignores Morale Tests",)).on((10, 20), (12, 20)).having(wounds=(1, 0))
    battle = scene(
        squad,
        unit(1).at(60, 40),
        phase=Phase.START_OF_TURN,
        alone=True,
        dice=[("last man", [6, 6]), ("fall-back", [1, 1])],
    )
    assert battle.decision is None
    assert battle.state.units[0].falling_back


@pytest.mark.rule("3e.outside.bike-move", "3e.outside.jump-move", "3e.core.vehicles.movement", "3e.movement.six")
def test_a_move_is_told_by_the_rule_of_its_kind() -> None:
    cites = {
        "INFANTRY": "3e.movement.six",
        "BIKE": "3e.outside.bike-move",
        "JUMP TROOPS": "3e.outside.jump-move",
        "VEHICLE": "3e.core.vehicles.movement",
    }
    for word, rule_id in cites.items():
        battle = scene(unit(1, word, base="25mm").at(10, 10), unit(1).at(60, 40))
        battle.answer(Pick("a.1"))
        while battle.decision is not None and battle.decision.kind == "select-move":
            battle.answer(battle.decision.default())
        assert battle.decision is not None
        assert battle.decision.rule == rule_id


# -- where weapons are, and where markers lie -------------------------------------------------------------------


@pytest.mark.rule("3e.range.mount", "3e.shooting.target-first")
@pytest.mark.parametrize(("mounting", "reaches"), [("TURRET", False), ("HULL", True)])
def test_the_range_of_a_vehicle_is_measured_from_where_its_weapon_is_mounted(mounting: str, reaches: bool) -> None:
    gun = printed_weapon("Gun", "HEAVY 1", mounting, R='12"')
    tank = unit(1, "VEHICLE", "TANK", name="Tank", base="hull 6x4in", AV="12/12/10", weapons=[gun])
    battle = scene(
        tank.on((20, 20, 0, 0)), unit(1).at(34, 20),
        phase=Phase.SHOOTING, alone=True, dice=[("hit", [1])] if reaches else [],
    )  # fmt: skip
    fire(battle)
    assert ("attacks-lost" in [event.kind for event in battle.events]) is not reaches


@pytest.mark.rule("3e.core.weapons.blast-other-units", "3e.core.weapons.blast")
def test_no_marker_is_laid_over_a_close_combat() -> None:
    battle = scene(
        [unit(1, weapons=[MISSILE]).at(20, 5), unit(1, name="Friend").at(22, 21.9)],
        [unit(1).at(20, 20), unit(1, name="Locked").at(22, 20.916)],
        phase=Phase.SHOOTING, alone=True, dice=[("hit", [4]), ("wound", [1])],
    )  # fmt: skip
    fire(battle)
    laid = next(event for event in battle.events if event.kind == "marker-laid")
    assert laid.to_json()["hits"] == 1
    x, y = (value / 1000 for value in laid.to_json()["centre"])
    assert ((x - 22) ** 2 + (y - 20.916) ** 2) ** 0.5 >= 1.5 + 0.492 - 0.01


@pytest.mark.rule("3e.core.weapons.ordnance", "3e.blast.reposition")
def test_the_opponent_lays_no_ordnance_anew() -> None:
    gun = printed_weapon("Great gun", "ORDNANCE 1", S=8, AP=3, R='48"')
    tank = unit(1, "VEHICLE", "TANK", name="Tank", base="60mm", AV="12/12/10", weapons=[gun])
    battle = scene(
        tank.at(20, 5), unit(3).on((20, 25), (22, 25), (24, 25)), phase=Phase.SHOOTING, alone=True, dice=SeededDice(3)
    )
    battle.answer(Pick("a.1"))
    asked = []
    while battle.decision is not None and battle.decision.kind != "select-unit-to-shoot":
        asked.append((battle.decision.kind, battle.decision.side))
        battle.answer(Pick("b.1") if battle.decision.kind == "select-target" else battle.decision.default())
    assert ("lay-marker", 1) not in asked
    assert ("lay-marker", 0) in asked


# -- half strength ----------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.outside.half-strength", "3e.outside.rally-conditions", "3e.core.fundamentals.below-half")
@pytest.mark.parametrize(("left", "rallies"), [(4, False), (5, True)])
def test_a_character_who_has_joined_makes_no_unit_stronger_than_half(left: int, rallies: bool) -> None:
    squad = (
        unit(10, Ld=8)
        .at(10, 40)
        .having(wounds=(1,) * left + (0,) * (10 - left), falling_back=True, models=tuple(range(11)))
    )
    lord = unit(1, "INFANTRY", "CHARACTER", "INDEPENDENT CHARACTER", name="Lord", Ld=10)
    battle = scene(
        [squad, lord.at(12, 42).having(joined=0, models=())],
        unit(1).at(60, 5),
        phase=Phase.START_OF_TURN,
        alone=True,
        dice=[("rally", [1, 1])] if rallies else [("fall-back", [1, 1])],
    )
    assert battle.state.units[0].falling_back != rallies


# -- templates --------------------------------------------------------------------------------------------------

FLAMER = printed_weapon("Flamer", "ASSAULT 1", "TEMPLATE", R='8"', S=4, AP=5)


@pytest.mark.rule("3e.core.weapons.template", "3e.outside.flamer-maximum")
def test_it_is_told_that_a_template_cannot_be_laid_past_friends() -> None:
    battle = scene(
        [unit(1, weapons=[FLAMER]).at(10, 10), unit(1).at(10, 12)], unit(1).at(10, 15),
        phase=Phase.SHOOTING, alone=True, dice=[],
    )  # fmt: skip
    fire(battle)
    lost = next(event.to_json() for event in battle.events if event.kind == "attacks-lost")
    assert lost["weapons"] == ["Flamer"]
    assert lost["why"] == "the template cannot be laid over the target without touching others"


@pytest.mark.rule("3e.core.weapons.template")
@pytest.mark.parametrize("walled", [True, False])
def test_no_flame_goes_through_a_wall(walled: bool) -> None:
    battle = scene(
        unit(1, weapons=[FLAMER]).at(10, 10), unit(2, Sv="-").on((10, 13), (12, 15)),
        phase=Phase.SHOOTING, alone=True,
        terrain=[block(10.9, 13.2, 13, 14, "impassable")] if walled else [],
        dice=[("wound", [4]), ("losses", [1, 1])] if walled else [("wound", [4, 4])],
    )  # fmt: skip
    fire(battle)
    assert len(standing(battle.state, 1)) == int(walled)


# -- what bears -------------------------------------------------------------------------------------------------


@pytest.mark.rule("3e.core.vehicles.one-target", "3e.range.mount", "3e.core.vehicles.fire-slow")
def test_a_vehicle_is_offered_only_targets_that_a_weapon_bears_on() -> None:
    hull = printed_weapon("Cannon", "HEAVY 1", "HULL", R='48"', S=8, AP=3)
    tank = unit(1, "VEHICLE", "TANK", base="hull 4x3in", weapons=[hull]).at(30, 10, facing=90.0)
    battle = scene(tank, [unit(1).at(30, 30), unit(1).at(30, 2)], phase=Phase.SHOOTING)
    battle.answer("a.1")
    assert battle.decision is not None
    assert [option.key for option in battle.decision.options()] == ["b.1", "none"]


@pytest.mark.rule("3e.core.weapons.barrage", "3e.core.shooting.guess-first")
@pytest.mark.parametrize(("away", "guess"), [(49.6, "inches:48"), (30.0, "inches:30")])
def test_nobody_is_advised_to_guess_beyond_the_range(away: float, guess: str) -> None:
    mortar = printed_weapon("Mortar", "HEAVY 1", "GUESS", "BARRAGE", "BLAST", R='48"', S=4, AP=6)
    battle = scene(
        unit(1, weapons=[mortar]).at(10, 10), unit(1).at(10 + away, 10), phase=Phase.SHOOTING,
    )  # fmt: skip
    battle.answer("a.1")
    battle.answer("b.1")
    while battle.decision is not None and battle.decision.kind != "guess-range":
        battle.answer(battle.decision.default())
    assert battle.decision is not None
    assert battle.decision.default() == Pick(guess)
