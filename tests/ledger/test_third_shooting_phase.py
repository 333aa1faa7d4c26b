"""The Shooting phase of the 3rd edition as it is played: targets, range, sharing out, casualties, vehicles, markers."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.support.classic import UnitSpec, mixed, printed_weapon, scene, unit

from battlewright.core.decisions import Pick
from battlewright.core.errors import IllegalChoice
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.procedures.phases import PHASES
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Deed, Phase

BOLTER = printed_weapon("Boltgun", "RAPID FIRE")
LASCANNON = printed_weapon("Lascannon", "HEAVY 1", S=9, AP=2, R='48"')
WOODS = ((0.0, 18.0), (60.0, 18.0), (60.0, 26.0), (0.0, 26.0))


def answer(battle: ClassicBattle, answers: Mapping[str, str] | None = None) -> None:
    """Answer the present decision: by its kind as written down, else by default."""
    assert battle.decision is not None
    key = (answers or {}).get(battle.decision.kind)
    battle.answer(Pick(key) if key else battle.decision.default())


def fire(battle: ClassicBattle, unit_id: str = "a.1", target: str = "b.1", **answers: str) -> None:
    """One unit fires at another, to the next choice of a unit or the end of the phase."""
    battle.answer(Pick(unit_id))
    wanted = {"select-target": target, **{kind.replace("_", "-"): key for kind, key in answers.items()}}
    while battle.decision is not None and battle.state.phase == Phase.SHOOTING:
        if battle.decision.kind == "select-unit-to-shoot":
            return
        answer(battle, wanted)


def end(battle: ClassicBattle) -> None:
    """End the shooting phase, and stop."""
    if battle.decision is not None and battle.decision.kind == "select-unit-to-shoot":
        battle.answer(Pick("end"))


def losses(battle: ClassicBattle, number: int) -> int:
    return len(battle.state.units[number].models) - len(living(battle.state, number))


def shooters(count: int = 1, **features: object) -> UnitSpec:
    return unit(count, weapons=[BOLTER], **features)


def test_the_phase_has_a_procedure() -> None:
    assert [phase.name for phase in PHASES][2] == Phase.SHOOTING


@pytest.mark.rule("3e.shooting.target-first", "3e.core.shooting.out-of-range")
def test_shots_at_a_target_that_turns_out_to_be_too_far_are_lost() -> None:
    battle = scene(shooters().at(10, 5), unit().at(10, 31), phase=Phase.SHOOTING, alone=True, dice=[])
    fire(battle)
    assert "attacks-lost" in [event.kind for event in battle.events]
    assert battle.state.units[0].acted
    assert losses(battle, 1) == 0


@pytest.mark.rule("3e.shooting.special-premeasure", "3e.core.traits.targeter")
def test_a_unit_that_may_measure_first_is_not_offered_what_is_out_of_range() -> None:
    targeting = unit(1, weapons=[BOLTER], abilities=("Targeter",)).at(10, 5)
    battle = scene(
        [targeting, shooters(name="Others").at(20, 5)], unit().at(10, 31), phase=Phase.SHOOTING, alone=True, dice=[]
    )
    battle.answer(Pick("a.1"))
    assert battle.decision is not None
    assert battle.decision.kind == "select-unit-to-shoot", "there is nobody in range to fire at"
    battle.answer(Pick("a.2"))
    assert [option.key for option in battle.decision.options()] == ["b.1", "none"]


@pytest.mark.rule("3e.casualties.owner-chooses", "3e.casualties.in-range-only", "3e.casualties.surplus-lost")
def test_only_models_in_range_fall_and_their_owner_says_which() -> None:
    # Three of the five stand within 24" of the two boltguns.
    targets = unit(5, name="Targets", T=3, Sv="-").on((10, 30), (12, 30), (14, 30), (10, 35), (12, 35))
    dice = [("hit", [4, 4]), ("wound", [4, 4]), ("losses", [1, 1])]
    battle = scene(shooters(2).at(10, 8), targets, phase=Phase.SHOOTING, alone=True, dice=dice)
    battle.answer(Pick("a.1"))
    answer(battle, {"select-target": "b.1"})
    answer(battle)
    decision = battle.decision
    assert decision is not None
    assert decision.side == 1
    assert [option.key for option in decision.options()] == ["model:2", "model:3", "model:4"]
    with pytest.raises(IllegalChoice, match="Model 5 is out of range"):
        battle.answer(Pick("model:5"))
    battle.answer(Pick("model:3"))
    battle.answer(Pick("model:4"))
    assert standing(battle.state, 1) == [2, 5, 6]


@pytest.mark.rule("3e.outside.hits-open-first", "3e.casualties.open-first", "3e.core.shooting.partly-in-cover")
def test_three_in_the_open_and_five_in_cover_share_out_four_wounds() -> None:
    targets = unit(8, name="Targets", T=3, Sv="-").on(
        *((10 + 2 * i, 16.5) for i in range(3)), *((10 + 2 * i, 20) for i in range(5))
    )
    area = TerrainArea("woods", WOODS, tags=frozenset({"area", "woods"}))
    dice = [("hit", [4, 4, 4, 4]), ("wound", [4, 4, 4, 4]), ("save", [5]), ("losses", [1, 1])]
    battle = scene(shooters(4).at(10, 2), targets, phase=Phase.SHOOTING, alone=True, dice=dice, terrain=[area])
    battle.state.units[0].moved = False
    fire(battle)
    assert standing(battle.state, 1) == [7, 8, 9, 10, 11], "the one in cover has made its save of 5+"


@pytest.mark.rule("3e.mixed.ex-incubi", "3e.mixed.one-each", "3e.mixed.armour-ignored")
def test_good_armour_takes_the_weak_hits_of_a_unit_with_two_sorts_of_weapons() -> None:
    # Two Incubi (3+) and three warriors (5+); three lasgun hits and two of lascannons, all of which wound.
    lasgun = printed_weapon("Lasgun", "HEAVY 1", S=3, AP="-", R='24"')
    firers = mixed("Firers", unit(3, weapons=[lasgun]), unit(2, weapons=[LASCANNON])).at(10, 8)
    targets = mixed("Targets", unit(2, name="Incubi", T=3), unit(3, name="Warriors", T=3, Sv="5+")).at(10, 20)
    dice = [
        ("hit", [4, 4, 4]),
        ("wound", [4, 4, 4]),
        ("hit", [4, 4]),
        ("wound", [4, 4]),
        ("save", [3, 3]),
        ("save", [5]),
        ("losses", [1, 1]),
    ]
    battle = scene(firers, targets, phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle, order_groups="0-1", order_hits="0-1")
    assert standing(battle.state, 1)[:2] == [5, 6], "both Incubi have saved against lasguns"
    assert losses(battle, 1) == 2, "two warriors have fallen to lascannons, the third has saved"


@pytest.mark.rule("3e.multi-wound.whole-models", "3e.multi-wound.no-spreading", "3e.multi-wound.pool")
def test_seven_wounds_on_models_of_three_take_two_whole_models() -> None:
    targets = unit(4, name="Beasts", W=3, T=3, Sv="-").at(10, 20)
    gun = printed_weapon("Cannon", "HEAVY 7", S=4, AP=5)
    battle = scene(
        unit(1, weapons=[gun]).at(10, 8),
        targets,
        phase=Phase.SHOOTING,
        alone=True,
        dice=[("hit", [4] * 7), ("wound", [4] * 7), ("losses", [1, 2])],
    )
    fire(battle)
    assert sorted(int(battle.state.wounds[row]) for row in battle.state.units[1].models) == [0, 0, 2, 3]


@pytest.mark.rule("3e.instant-kill.trigger", "3e.instant-kill.unwounded-first", "3e.core.shooting.instant-death")
def test_a_wound_that_kills_outright_goes_to_an_unhurt_model() -> None:
    targets = unit(3, name="Ogryns", W=3, T=4, Sv="-").at(10, 20).having(wounds=[1, 3, 3])
    battle = scene(
        unit(1, weapons=[LASCANNON]).at(10, 8),
        targets,
        phase=Phase.SHOOTING,
        alone=True,
        dice=[("hit", [3]), ("wound", [2]), ("losses", [1, 1])],
    )
    battle.answer(Pick("a.1"))
    answer(battle, {"select-target": "b.1"})
    answer(battle)
    with pytest.raises(IllegalChoice, match="hurt already"):
        battle.answer(Pick("model:1"))
    battle.answer(Pick("model:3"))
    assert [int(battle.state.wounds[row]) for row in battle.state.units[1].models] == [1, 3, 0]


@pytest.mark.rule("3e.outside.vehicle-penetration", "3e.core.vehicles.glancing-table", "3e.core.vehicles.armour-face")
def test_a_glancing_hit_immobilises_a_vehicle_and_a_second_takes_its_weapon() -> None:
    tank = unit(1, "VEHICLE", name="Tank", AV="14/12/10", base="hull 6x4in", weapons=[LASCANNON]).on((30, 24, 0, 180))
    guns = unit(2, weapons=[LASCANNON]).on((9, 20), (9, 28))
    dice = [("hit", [3, 3]), ("penetration", [5, 5]), ("glancing table", [4, 4])]
    battle = scene(guns, tank, phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle)
    state = battle.state.units[1]
    assert state.immobilised
    assert state.weapons_lost == {(2, 0)}
    assert living(battle.state, 1) == [2]


@pytest.mark.rule("3e.core.vehicles.penetrating-table", "3e.core.vehicles.armour-face", "3e.core.vehicles.penetration")
def test_a_penetrating_hit_from_the_rear_destroys_the_vehicle() -> None:
    tank = unit(1, "VEHICLE", name="Tank", AV="14/12/10", base="hull 6x4in").on((30, 24, 0, 0))
    battle = scene(
        unit(1, weapons=[LASCANNON]).at(9, 24),
        tank,
        phase=Phase.SHOOTING,
        alone=True,
        dice=[("hit", [3]), ("penetration", [2]), ("penetrating table", [4])],
    )
    fire(battle)
    assert living(battle.state, 1) == []
    assert "unit-destroyed" in [event.kind for event in battle.events]


def test_a_crew_that_was_shaken_in_the_enemys_turn_does_not_fire_in_its_own() -> None:
    tank = unit(1, "VEHICLE", name="Tank", weapons=[LASCANNON]).at(30, 24).having(shaken=1)
    battle = scene(tank, unit().at(30, 40), phase=Phase.SHOOTING, alone=True, dice=[])
    assert battle.decision is None, "nobody can be selected to fire"
    assert not battle.state.units[0].has(Deed.FIRED)


@pytest.mark.rule("3e.outside.several-markers", "3e.outside.partial-hit", "3e.outside.marker-sizes")
def test_the_hits_of_several_blasts_are_those_of_one_marker_times_the_shots_that_hit() -> None:
    missiles = printed_weapon("Frag missile", "HEAVY 1", "BLAST", S=4, AP=6, R='48"')
    targets = unit(3, name="Targets", T=4, Sv="-").on((10, 24), (11, 24), (10.5, 24.9))
    dice = [("hit", [4, 4, 4, 1]), ("wound", [1] * 9)]
    battle = scene(unit(4, weapons=[missiles]).at(10, 8), targets, phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle)
    laid = [event for event in battle.events if event.kind == "marker-laid"]
    assert [event.to_json()["hits"] for event in laid] == [3]


@pytest.mark.rule("3e.outside.flamer-maximum", "3e.core.weapons.template", "3e.outside.flamer-no-reposition")
def test_a_flamer_hits_whatever_it_touches_and_leaves_no_cover() -> None:
    flamer = printed_weapon("Flamer", "ASSAULT 1", "TEMPLATE", R='8"', S=4, AP=5)
    targets = unit(3, name="Targets", T=4, Sv="-").on((10, 13), (10, 15), (20, 15))
    area = TerrainArea("woods", ((0, 10), (60, 10), (60, 30), (0, 30)), tags=frozenset({"area", "woods"}))
    battle = scene(
        unit(1, weapons=[flamer]).at(10, 9),
        targets,
        phase=Phase.SHOOTING,
        alone=True,
        dice=[("wound", [4, 4]), ("losses", [1, 1])],
        terrain=[area],
    )
    fire(battle)
    assert losses(battle, 1) == 2


@pytest.mark.rule("3e.core.weapons.barrage", "3e.core.weapons.barrage-scatter", "3e.core.weapons.barrage-pins")
def test_a_guessed_barrage_stays_on_a_hit_and_pins_those_who_lose_somebody() -> None:
    mortar = printed_weapon("Mortar", "HEAVY 1", "BLAST", "BARRAGE", "GUESS", R='48"', S=4, AP=6)
    targets = unit(5, name="Targets", T=4, Sv="-", Ld=7).at(10, 28)
    dice = [("scatter", [5, 1, 1]), ("wound", [4]), ("pinning", [4, 4])]
    battle = scene(unit(1, weapons=[mortar]).at(10, 8), targets, phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle, guess_range="inches:20")
    assert losses(battle, 1) == 1
    assert battle.state.units[1].pinned


@pytest.mark.rule("3e.core.weapons.barrage")
def test_a_guess_beyond_the_range_is_wasted() -> None:
    mortar = printed_weapon("Mortar", "HEAVY 1", "BLAST", "BARRAGE", "GUESS", R='24"', S=4, AP=6)
    battle = scene(unit(1, weapons=[mortar]).at(10, 8), unit(3).at(10, 28), phase=Phase.SHOOTING, alone=True, dice=[])
    fire(battle, guess_range="inches:25")
    assert not [event for event in battle.events if event.kind == "marker-laid"]


@pytest.mark.rule(
    "3e.fire-morale.quarter", "3e.fire-morale.test-at-end", "3e.fall-back.distance", "3e.fall-back.direction"
)
def test_a_unit_that_lost_a_quarter_tests_once_at_the_end_and_falls_back() -> None:
    targets = unit(8, name="Targets", T=3, Sv="-").at(10, 30, apart=1.2)
    dice = [("hit", [4]), ("wound", [4]), ("hit", [4]), ("wound", [4]), ("losses", [5, 4]), ("fall-back", [2, 3])]
    battle = scene(
        [shooters().at(10, 8), shooters(name="Second").at(20, 8)], targets, phase=Phase.SHOOTING, alone=True, dice=dice
    )
    fire(battle)
    fire(battle, "a.2")
    end(battle)
    assert battle.state.units[2].falling_back
    assert {int(battle.state.position[row, 1]) for row in standing(battle.state, 2)} == {35000}


@pytest.mark.rule("3e.crossfire.destroyed", "3e.crossfire.corridor", "3e.outside.corridor")
def test_a_unit_that_falls_back_into_an_enemy_in_its_corridor_is_destroyed() -> None:
    targets = unit(4, name="Targets", T=3, Sv="-").at(10, 30)
    behind = unit(1, name="Behind").at(11, 37)
    dice = [("hit", [4]), ("wound", [4]), ("losses", [5, 4]), ("fall-back", [4, 4])]
    battle = scene([shooters().at(10, 8), behind], targets, phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle)
    end(battle)
    assert standing(battle.state, 2) == []


@pytest.mark.rule("3e.last-chance.one-model", "3e.last-chance.pass", "3e.last-chance.same-turn")
def test_a_unit_that_reaches_the_edge_has_a_last_chance_to_rally() -> None:
    targets = unit(4, name="Targets", T=3, Sv="-").at(10, 44)
    dice = [("hit", [4]), ("wound", [4]), ("losses", [5, 4]), ("fall-back", [4, 4]), ("last chance", [4, 4])]
    battle = scene(shooters().at(10, 22), targets, phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle)
    end(battle)
    assert not battle.state.units[1].falling_back
    assert len(standing(battle.state, 1)) == 3


@pytest.mark.rule("3e.char-shooting.otherwise-not", "3e.char-shooting.possible-target")
def test_a_lone_character_near_another_target_is_not_offered() -> None:
    captain = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Captain").at(10, 22)
    battle = scene(
        shooters().at(10, 8), [captain, unit(3, name="Squad").at(13, 22)], phase=Phase.SHOOTING, alone=True, dice=[]
    )
    battle.answer(Pick("a.1"))
    assert battle.decision is not None
    assert [option.key for option in battle.decision.options()] == ["b.2", "none"]


@pytest.mark.rule("3e.fall-back.may-shoot", "3e.fall-back.no-heavy")
def test_a_unit_that_falls_back_fires_as_if_it_had_moved() -> None:
    battle = scene(
        [
            unit(1, weapons=[LASCANNON]).at(10, 8).having(falling_back=True),
            shooters(name="Riflemen").at(20, 8).having(falling_back=True),
        ],
        unit(1, T=3, Sv="-").at(20, 19),
        phase=Phase.SHOOTING,
        alone=True,
        dice=[("hit", [1])],
    )
    assert battle.decision is not None
    assert [option.key for option in battle.decision.options()] == ["a.2", "end"], "a.1 has nothing that it may fire"
    fire(battle, "a.2")
    assert battle.state.units[1].has(Deed.FIRED)


@pytest.mark.rule("3e.last-man.each-turn", "3e.last-man.fail", "3e.last-man.no-minus", "3e.last-man.never-rally")
def test_the_last_survivor_tests_at_the_start_of_its_turn_and_falls_back() -> None:
    last = unit(8, name="Last").at(10, 20).having(wounds=[1, 0, 0, 0, 0, 0, 0, 0])
    battle = scene(
        last,
        unit().at(50, 40),
        phase=Phase.START_OF_TURN,
        alone=True,
        dice=[("last man", [5, 4]), ("fall-back", [3, 4])],
    )
    assert battle.state.units[0].falling_back
    assert battle.state.position[0].tolist()[:2] == [10000, 13000]


@pytest.mark.rule("3e.outside.rally-time", "3e.core.morale.regroup", "3e.outside.rally-conditions")
def test_a_unit_rallies_at_the_start_of_its_turn_in_place_of_its_move() -> None:
    squad = unit(6, name="Squad").at(10, 20).having(falling_back=True)
    battle = scene(squad, unit().at(50, 40), phase=Phase.START_OF_TURN, alone=True, dice=[("rally", [4, 4])])
    assert not battle.state.units[0].falling_back
    assert battle.state.units[0].has(Deed.RALLIED)
    assert battle.state.units[0].moved


def test_what_a_unit_has_done_to_its_target_is_told() -> None:
    dice = [("hit", [4, 4]), ("wound", [4, 4])]
    battle = scene(shooters(2).at(10, 8), unit(9, T=3, Sv="-").at(10, 28), phase=Phase.SHOOTING, alone=True, dice=dice)
    fire(battle)
    told = next(event for event in battle.events if event.kind == "attacks-made").to_json()
    assert (told["wounds_lost"], told["slain"]) == (2, 2)
