"""Rules of the 6th edition that a test of their judgements alone had missed: each as it comes up in a battle."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.classic import UnitSpec, mixed, printed_weapon, scene, unit

from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.dice import SeededDice
from battlewright.core.table import TerrainArea, TerrainFeature
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.events import LeadershipTested
from battlewright.editions.classic.procedures import charging, retreat
from battlewright.editions.classic.procedures.board import in_combat, pose_of
from battlewright.editions.classic.procedures.damaging import damage_vehicle
from battlewright.editions.classic.procedures.shooting_phase import may_fire
from battlewright.editions.classic.procedures.vehicle_hits import harm_vehicle
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.happenings import StageResolved
from battlewright.editions.sixth.assault import cannot_harm
from battlewright.editions.sixth.charging import why_no_charge, why_not_this

RIFLE = printed_weapon("Rifle", "ASSAULT 1", R='24"')


def sixth(*sides: Any, **more: Any) -> ClassicBattle:
    return scene(*sides, edition="6", alone=True, **more)


def hull(*words: str, AV: str = "11/11/10", **more: Any) -> UnitSpec:
    features = {"HP": 3, "name": "Hull", "base": "hull 4x3in", **more}
    return unit(1, "VEHICLE", *words, height=2.0, AV=AV, **features)


def walker(**more: Any) -> UnitSpec:
    features = {"AV": "12/12/10", "WS": 4, "BS": 4, "S": 6, "I": 4, "A": 2, "HP": 3, **more}
    return unit(1, "VEHICLE", "WALKER", name="Dreadnought", base="60mm", height=2.5, **features)


def ends(procedure: Any) -> Any:
    """What a procedure comes to that asks nothing."""
    try:
        next(procedure)
    except StopIteration as done:
        return done.value
    raise AssertionError("something is asked")


def while_default(procedure: Any) -> None:
    """A procedure to its end, everything that it asks answered by default."""
    try:
        asked = next(procedure)
        while True:
            asked = procedure.send(asked.default())
    except StopIteration:
        pass


def rolled(battle: ClassicBattle, stage: str) -> list[StageResolved]:
    return [event for event in battle.events if isinstance(event, StageResolved) and event.stage == stage]


def play(battle: ClassicBattle, **answers: str) -> list[str]:
    """To the end, answers by kind of decision, else by default; the kinds that were asked."""
    kinds = []
    while battle.decision is not None:
        kind = battle.decision.kind.replace("-", "_")
        kinds.append(battle.decision.kind)
        listed = [option.key for option in battle.decision.options()]
        wanted = answers.get(kind)
        battle.answer(Pick(wanted) if wanted in listed else battle.decision.default())
    return kinds


# -- damage -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.skimmer-damage.immobilised-at-speed", "6e.skimmer-damage.immobilised-otherwise")
@pytest.mark.parametrize(("turn", "before"), [(1, True), (0, True), (1, False)])
def test_a_skimmer_that_went_flat_out_in_its_last_turn_crashes_when_it_is_immobilised(turn: int, before: bool) -> None:
    deeds = frozenset({str(Deed.FLAT_OUT)}) if before else frozenset()
    skimmer = hull("SKIMMER", "FAST").at(20, 20).having(deeds_before=deeds, moved_before=12_000)
    battle = sixth([skimmer], unit(1).at(60, 40), turn=turn)
    ends(harm_vehicle(battle, 0, DamageResult.IMMOBILISED))
    assert bool(standing(battle.state, 0)) is not before
    assert bool(battle.state.wrecks) is before


@pytest.mark.rule("6e.core.weapons.rending")
def test_a_six_to_penetrate_with_a_rending_weapon_adds_a_d3() -> None:
    claws = printed_weapon("Assault cannon", "HEAVY 1", "RENDING", R='24"', S=6, AP=4)
    dice = [("hit", [3]), ("penetration", [6]), ("penetration-burst-6", [2])]
    battle = sixth(
        [unit(1, weapons=[claws]).at(20, 20)], hull(AV="14/14/14", HP=4).at(35, 20), phase=Phase.SHOOTING, dice=dice
    )
    play(battle, select_unit_to_shoot="a.1", select_target="b.1")
    assert battle.state.wounds[1] == 3, "6 and 6 and 2 of a D3 glance on 14"


@pytest.mark.rule("6e.core.weapons.gets-hot")
@pytest.mark.parametrize(("face", "left"), [(3, 2), (4, 3)])
def test_a_weapon_that_gets_hot_glances_its_own_vehicle_on_three_or_less(face: int, left: int) -> None:
    plasma = printed_weapon("Plasma cannon", "HEAVY 1", "GETS HOT", "TURRET", R='36"', S=7, AP=2)
    dice = [("hit", [1]), ("gets-hot-vehicle", [face])]
    battle = sixth([hull(weapons=[plasma]).at(20, 20)], unit(1).at(40, 20), phase=Phase.SHOOTING, dice=dice)
    play(battle, select_unit_to_shoot="a.1", select_target="b.1")
    assert battle.state.wounds[0] == left


# -- passengers -------------------------------------------------------------------------------------------------


def carrier(**more: Any) -> UnitSpec:
    return hull("TANK", abilities=["TRANSPORT CAPACITY 10", "FIRE POINTS 2", *more.pop("abilities", [])], **more)


@pytest.mark.rule("6e.passenger-damage.shaken", "6e.passenger-damage.stunned")
@pytest.mark.parametrize(
    ("result", "abilities", "needed"),
    [
        (DamageResult.SHAKEN, (), 6),
        (DamageResult.STUNNED, (), None),
        (DamageResult.STUNNED, ("EXTRA ARMOUR",), 6),
        (DamageResult.IMMOBILISED, (), 3),
    ],
)
def test_what_befell_the_crew_stays_with_passengers_who_get_out(
    result: DamageResult, abilities: tuple[str, ...], needed: int | None
) -> None:
    riders = unit(1, weapons=[RIFLE]).having(embarked=0, deployed=True)
    battle = scene(
        [carrier(abilities=list(abilities)).at(20, 20), riders], unit(1, T=8).at(36, 20), turn=1, phase=Phase.ASSAULT,
        edition="6", dice=SeededDice(1),
    )  # fmt: skip
    ends(damage_vehicle(battle, 0, result))
    while battle.decision is not None and battle.decision.kind != "select-unit-to-move":
        battle.answer(battle.decision.default())
    battle.answer(Pick("a.2:disembark"))
    battle.answer(battle.decision.default())
    while battle.state.phase != Phase.SHOOTING:
        battle.answer(battle.decision.default())
    assert may_fire(battle.scene, battle.state, 1) is (needed is not None)
    if needed is not None:
        battle.answer(Pick("a.2"))
        battle.answer(Pick("b.1"))
        while not rolled(battle, "hit"):
            battle.answer(battle.decision.default())
        assert rolled(battle, "hit")[-1].needed == needed


@pytest.mark.rule("6e.ram.snap-shots")
def test_passengers_of_a_rammer_make_snap_shots_however_short_its_way_was() -> None:
    rammer = (
        carrier().at(20, 20).having(moved_distance=4000, moved=True, deeds=frozenset({Deed.TANK_SHOCKED, Deed.RAMMED}))
    )
    riders = unit(1, weapons=[RIFLE]).having(embarked=0, deployed=True)
    battle = sixth([rammer, riders], unit(1, T=8).at(36, 20), phase=Phase.SHOOTING, dice=[("hit", [5])])
    play(battle, select_unit_to_shoot="a.2", select_target="b.1")
    assert rolled(battle, "hit")[0].needed == 6


@pytest.mark.rule("6e.passenger-damage.wrecked-cannot-exit")
def test_their_owner_says_who_is_trapped_in_a_wreck() -> None:
    points = [(x, y) for x in range(9, 32, 3) for y in range(10, 32, 3) if abs(x - 20) > 3.3 or abs(y - 20) > 2.8]
    crowd = unit(len(points), base="60mm", name="Crowd").on(*points)
    squad = mixed("Squad", unit(1, name_of_models="Sergeant"), unit(9, Ld=10)).having(embarked=0, deployed=True)
    battle = sixth([carrier().at(20, 20), squad], crowd, turn=1, dice=[("pinning", [1, 1])])
    doing = harm_vehicle(battle, 0, DamageResult.WRECKED)
    asked = next(doing)
    assert asked.kind == "select-model"
    assert asked.side == 0
    asked = doing.send(Pick("model:1"))
    while asked.kind == "select-model":
        asked = doing.send(asked.default())
    with pytest.raises(StopIteration):
        doing.send(asked.default())
    left = living(battle.state, 1)
    assert 0 < len(left) < 9
    assert 1 not in left, "the sergeant, whom he named"


# -- morale -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.tank-shock.morale")
def test_half_a_squad_tests_against_a_tank_at_its_full_leadership() -> None:
    squad = unit(2, Ld=8).on((26, 20), (26, 22)).having(starting_strength=10)
    battle = sixth([hull("TANK").at(20, 20)], squad, dice=[("tank shock", [4, 4])])
    battle.answer(Pick("a.1"))
    battle.answer(Pick("tank-shock"))
    battle.answer(Place((ModelMove(0, ((32_000, 20_000, 0, 0),)),)))
    tested = next(event for event in battle.events if isinstance(event, LeadershipTested))
    assert (tested.needed, tested.passed) == (8, True)


@pytest.mark.rule("6e.core.morale.quarter-losses")
@pytest.mark.parametrize("flags", [{"spared": 3}, {"pinned": True}])
def test_losses_in_a_transport_count_and_who_lies_on_the_ground_tests(flags: dict[str, Any]) -> None:
    squad = unit(7, Ld=8).at(20, 20).having(phase_strength=10, **flags)
    battle = sixth([squad], unit(1).at(60, 40), phase=Phase.SHOOTING, dice=[("losses", [6, 6]), ("fall-back", [3, 3])])
    while_default(retreat.tests_for_losses(battle))
    assert battle.state.units[0].falling_back
    assert not battle.state.units[0].pinned, "on its feet again"


@pytest.mark.rule("6e.core.special-rules.know-no-fear")
def test_troops_that_know_no_fear_regroup_in_their_own_turn_and_then_act_freely() -> None:
    squad = unit(2, Ld=8, abilities=["And They Shall Know No Fear"]).at(20, 20).having(phase_strength=10)
    dice = [("losses", [6, 6]), ("fall-back", [3, 3])]
    battle = scene([unit(1).at(60, 40)], [squad], phase=Phase.SHOOTING, edition="6", dice=dice)
    while battle.decision.side == 0:
        battle.answer(battle.decision.default())
        if battle.state.phase != Phase.SHOOTING and battle.state.turn == 0:
            assert battle.state.units[1].falling_back, "not before its own turn"
    assert battle.state.turn == 1
    assert not battle.state.units[1].falling_back
    assert "b.1" in [option.key for option in battle.decision.options()], "it moves as it likes"


@pytest.mark.rule("6e.core.morale.charged-while-falling-back")
@pytest.mark.parametrize(("left", "faces", "stands"), [(3, [4, 4], True), (2, [4, 4], False), (2, [1, 1], True)])
def test_who_is_charged_while_falling_back_tests_as_to_regroup(left: int, faces: list[int], stands: bool) -> None:
    fleeing = unit(left, Ld=8).at(40, 20, apart=1.2, rank=1).having(falling_back=True, starting_strength=10)
    battle = sixth([unit(1).at(20, 20)], fleeing, phase=Phase.SHOOTING, dice=[("rally", faces)])
    charging.stand_or_fall(battle, 1)
    assert bool(standing(battle.state, 1)) is stands
    assert not battle.state.units[1].falling_back or not stands


# -- tank shock and ramming -------------------------------------------------------------------------------------


@pytest.mark.rule("6e.tank-shock-falling-back.auto-fail")
def test_even_the_fearless_fail_against_a_tank_when_they_fall_back() -> None:
    fleeing = unit(2, abilities=["FEARLESS"]).on((26, 20), (26, 21.5)).having(falling_back=True)
    battle = sixth([hull("TANK").at(20, 20)], fleeing, dice=[("fall-back", [3, 4])])
    battle.answer(Pick("a.1"))
    battle.answer(Pick("tank-shock"))
    battle.answer(Place((ModelMove(0, ((27_000, 20_000, 0, 0),)),)))
    assert pose_of(battle.state, 1).y == 27


@pytest.mark.rule("6e.death-or-glory.stopped", "6e.extra-armour.stunned-to-shaken")
@pytest.mark.parametrize(("abilities", "stops"), [((), True), (("EXTRA ARMOUR",), False)])
def test_extra_armour_keeps_a_stunning_hero_from_stopping_the_tank(abilities: tuple[str, ...], stops: bool) -> None:
    gun = printed_weapon("Gun", "ASSAULT 1", S=8, AP=4)
    dice = [("tank shock", [4, 4]), ("penetration", [6]), ("damage table", [3])]
    battle = sixth(
        [hull("TANK", AV="13/11/10", abilities=list(abilities)).at(20, 20)],
        unit(5, Ld=8, weapons=[gun]).on((26, 20), *((26, 23 + 1.2 * n) for n in range(4))),
        dice=dice,
    )
    battle.answer(Pick("a.1"))
    battle.answer(Pick("tank-shock"))
    battle.answer(Place((ModelMove(0, ((32_000, 20_000, 0, 0),)),)))
    battle.answer(Pick("model:1:0"))
    assert (len(standing(battle.state, 1)) == 5) is stops
    assert (pose_of(battle.state, 0).x == pytest.approx(32, abs=0.06)) is not stops


def ram(mine: UnitSpec, others: Any, *dice: tuple[str, list[int]], inches: float = 12.0) -> ClassicBattle:
    battle = sixth([mine.at(20, 20)], others, dice=list(dice))
    battle.answer(Pick("a.1"))
    battle.answer(Pick("ram"))
    battle.answer(Place((ModelMove(0, ((round(1000 * (20 + inches)), 20_000, 0, 0),)),)))
    return battle


def trukk(x: float, **more: Any) -> UnitSpec:
    features = {"AV": "10/10/10", "name": "Trukk", **more}
    return hull("FAST", "OPEN-TOPPED", **features).on((x, 20, 0, 90))


@pytest.mark.rule("6e.ram.example-land-raider", "6e.ram.both-hit", "6e.ram.strength")
@pytest.mark.parametrize(("face", "left"), [(1, 3), (2, 2)])
def test_ram_example_a_land_raider_strikes_a_trukk_with_eight_and_suffers_three(face: int, left: int) -> None:
    """Ten inches to the Trukk's side, whose hull is 3" broad."""
    raider = hull("TANK", AV="14/14/14", HP=4, name="Land Raider")
    battle = ram(raider, trukk(20 + 2 + 10 + 1.5), ("penetration", [face]), ("penetration", [6]))
    strengths = [dict(event.modifiers) for event in rolled(battle, "penetration")]
    assert [sum(each.values()) for each in strengths] == [8, 3]
    assert battle.state.wounds[1] == left, "8 and 2 glance on 10"
    assert battle.state.wounds[0] == 4, "3 cannot hurt 14"


@pytest.mark.rule("6e.ram.example-rhino", "6e.ram.both-hit", "6e.ram.strength")
@pytest.mark.parametrize(("face", "left"), [(4, 3), (5, 2)])
def test_ram_example_a_rhino_strikes_a_trukk_with_five_and_suffers_three(face: int, left: int) -> None:
    battle = ram(hull("TANK", name="Rhino"), trukk(33.5), ("penetration", [face]), ("penetration", [6]))
    strengths = [dict(event.modifiers) for event in rolled(battle, "penetration")]
    assert [sum(each.values()) for each in strengths] == [5, 3]
    assert battle.state.wounds[1] == left
    assert battle.state.wounds[0] == 3, "3 cannot hurt 11"


@pytest.mark.rule("6e.ram.target-explodes", "6e.ram.resolve", "6e.ram.target-remains")
def test_a_rammer_drives_on_through_a_trukk_that_explodes_into_the_next() -> None:
    battle = ram(
        hull("TANK", AV="14/14/14", HP=4), [trukk(29.5), trukk(33.5)],
        ("penetration", [4]), ("damage table", [5]), ("penetration", [1]), ("explosion", [1]),
        ("penetration", [1]), ("penetration", [1]),
    )  # fmt: skip
    strengths = [sum(dict(event.modifiers).values()) for event in rolled(battle, "penetration")]
    assert strengths == [7, 2, 8, 3], "after 6 inches, and after 10"
    assert standing(battle.state, 1) == []
    assert pose_of(battle.state, 0).x == pytest.approx(30, abs=0.06), "there it stops"


# -- charges ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.outside.only-charge-what-you-can-hurt", "6e.walker-assault.immobilised-rear-armour")
def test_what_may_be_charged_goes_by_the_side_that_is_struck_and_by_what_weapons_do() -> None:
    def charged(target: UnitSpec, **more: Any) -> bool:
        battle = sixth([unit(1, **more).at(20, 20)], target, phase=Phase.ASSAULT)
        return not why_not_this(battle.scene, battle.state, 0, 1)

    claws = [printed_weapon("Claws", "RENDING", melee=True)]
    assert not charged(walker().at(26, 20))
    assert charged(walker().at(26, 20).having(immobilised=True)), "its rear is 10"
    assert charged(walker().at(26, 20), weapons=claws), "4 and 6 and a D3"
    assert not charged(walker(AV="14/12/10").at(26, 20), weapons=claws)
    assert charged(walker(AV="14/12/10").at(26, 20), abilities=["MELTA BOMBS"])
    assert charged(walker(AV="11/12/10").at(26, 20), abilities=["FURIOUS CHARGE"])
    held = sixth([unit(1, weapons=claws).at(20, 20)], walker().at(21.673, 20), phase=Phase.ASSAULT)
    assert not cannot_harm(held.scene, held.state, 0, [1])


@pytest.mark.rule("6e.outside.stunned", "6e.walker-shooting.pivot-to-target")
@pytest.mark.parametrize(("flags", "turns"), [({}, True), ({"stunned": True}, False), ({"immobilised": True}, False)])
def test_a_walker_that_cannot_pivot_does_not_turn_to_fire(flags: dict[str, Any], turns: bool) -> None:
    guns = [printed_weapon("Cannon", "HEAVY 1", R='48"'), printed_weapon("Bolter", "HEAVY 1", R='48"')]
    mine = walker(weapons=guns).on((20, 20, 0, 180)).having(**flags)
    battle = sixth([mine], unit(1, T=8).at(40, 20), phase=Phase.SHOOTING, dice=SeededDice(1))
    assert ("turn-to-fire" in play(battle, select_unit_to_shoot="a.1", select_target="b.1")) is turns


@pytest.mark.rule("6e.core.weapons.relentless")
def test_a_walker_charges_after_firing_heavy_weapons() -> None:
    cannon = printed_weapon("Cannon", "HEAVY 1", R='24"')
    battle = sixth([walker(weapons=[cannon]).at(20, 20)], unit(1).at(30, 20), phase=Phase.SHOOTING, dice=[("hit", [1])])
    play(battle, select_unit_to_shoot="a.1", select_target="b.1")
    assert battle.state.units[0].has(Deed.FIRED)
    assert why_no_charge(battle.state.units[0]) == []


@pytest.mark.rule("6e.outside.vehicle-close-combat")
@pytest.mark.parametrize(("skill", "needed"), [(1, 4), (2, 3), (4, 3)])
def test_who_has_a_weapon_skill_of_one_needs_a_four_against_a_vehicle_that_moved(skill: int, needed: int) -> None:
    tank = hull().at(20, 20).having(moved_before=12_000, displaced_before=12_000)
    battle = sixth([tank], unit(1, WS=skill, S=4).at(22.492, 20), phase=Phase.ASSAULT, turn=1, dice=[("hit", [1])])
    play(battle)
    assert rolled(battle, "hit")[0].needed == needed


# -- overwatch --------------------------------------------------------------------------------------------------


def charge(battle: ClassicBattle, **answers: str) -> list[str]:
    return play(battle, select_unit_to_assault="a.1", select_unit_assaulted="b.1", **answers)


@pytest.mark.rule("6e.core.assault.overwatch", "6e.core.shooting.cover-per-model")
def test_overwatch_is_fire_like_any_other_with_cover_saves() -> None:
    ruins = TerrainArea("ruins", ((0, 0), (24, 0), (24, 48), (0, 48)), tags=frozenset({"area", "ruins"}))
    dice = [("hit", [6]), ("wound", [6]), ("save", [4]), ("charge", [1, 1])]
    battle = sixth(
        [unit(1, Sv="-").at(20, 20)], unit(1, weapons=[RIFLE]).at(28, 20), phase=Phase.ASSAULT, dice=dice,
        terrain=[ruins],
    )  # fmt: skip
    charge(battle)
    assert standing(battle.state, 0) == [0]


@pytest.mark.rule("6e.core.movement.ground-in-a-charge")
def test_who_goes_to_ground_for_overwatch_does_not_charge() -> None:
    dice = [("hit", [6]), ("wound", [6]), ("save", [6])]
    battle = sixth([unit(1, Sv="-").at(20, 20)], unit(1, weapons=[RIFLE]).at(28, 20), phase=Phase.ASSAULT, dice=dice)
    kinds = charge(battle, go_to_ground="go-to-ground")
    assert "go-to-ground" in kinds
    assert battle.state.units[0].pinned
    assert standing(battle.state, 0) == [0], "saved by 6+ on the ground"
    assert not in_combat(battle.scene, battle.state, 0)


@pytest.mark.rule("6e.core.weapons.template")
def test_a_template_makes_d3_hits_in_overwatch() -> None:
    flamer = printed_weapon("Flamer", "ASSAULT 1", "TEMPLATE", R='8"', S=4, AP=5)
    dice = [("wall-of-fire", [2]), ("wound", [4, 4]), ("charge", [1, 1])]
    battle = sixth(
        [unit(3, Sv="5+").on((20, 20), (20, 21.5), (20, 18.4))], unit(1, weapons=[flamer]).at(26, 20),
        phase=Phase.ASSAULT, dice=dice,
    )  # fmt: skip
    charge(battle)
    assert len(standing(battle.state, 0)) == 1
    far = sixth(
        [unit(1).at(16, 20)], unit(1, weapons=[flamer]).at(26, 20), phase=Phase.ASSAULT, dice=[("charge", [1, 1])]
    )
    assert "overwatch" not in charge(far)


# -- blows ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.outside.melta-bomb", "6e.core.weapons.unwieldy", "6e.core.weapons.grenades-in-combat")
def test_a_melta_bomb_is_used_at_initiative_one() -> None:
    bomber = unit(1, I=5, A=2, Sv="-", abilities=["MELTA BOMBS"]).at(21.673, 20)
    dice = [("hit", [4, 4]), ("wound", [2, 1])]
    battle = sixth([bomber], walker(I=4).at(20, 20), phase=Phase.ASSAULT, dice=[*dice, ("consolidation", [1])])
    play(battle)
    assert standing(battle.state, 0) == [], "the walker was quicker"
    lucky = sixth(
        [bomber], walker(I=4).at(20, 20), phase=Phase.ASSAULT,
        dice=[("hit", [1, 1]), ("hit", [4]), ("penetration", [1, 3])],
    )  # fmt: skip
    play(lucky)
    assert lucky.state.wounds[1] == 2, "8 and 2D6 of 4 glance on its front"


@pytest.mark.rule("6e.core.units.monstrous", "6e.core.weapons.choosing-melee")
def test_a_monster_with_a_weapon_strikes_with_it_and_with_one_die_against_armour() -> None:
    blade = printed_weapon("Blade", melee=True, S="+1", AP="2")
    monster = unit(1, "MONSTROUS CREATURE", name="Monster", base="60mm", S=6, A=1, I=5, W=4, weapons=[blade])
    foe = unit(1, T=5, I=1, Sv="2+").at(21.673, 20)
    dice = [("fear", [1, 1]), ("hit", [4]), ("wound", [2]), ("consolidation", [1])]
    battle = sixth([monster.at(20, 20)], foe, phase=Phase.ASSAULT, dice=dice)
    play(battle)
    assert rolled(battle, "wound")[0].needed == 2, "7 against 5"
    assert standing(battle.state, 1) == [], "AP 2"
    bare = unit(1, "MONSTROUS CREATURE", name="Monster", base="60mm", S=6, A=1, I=5, W=4)
    dice = [("hit", [4]), ("penetration", [3]), ("hit", [1, 1])]
    against = sixth([bare.at(20, 20)], walker(AV="10/10/10").at(22.362, 20), phase=Phase.ASSAULT, dice=dice)
    play(against)
    assert len(rolled(against, "penetration")[0].faces) == 1


@pytest.mark.rule("6e.core.special-rules.smash")
@pytest.mark.parametrize(
    ("how", "hits", "needed"),
    [("weapon:0", [1, 1, 4], 5), ("smash:0", [1, 4], 2)],
)
def test_a_monster_may_halve_its_attacks_to_strike_with_double_strength(how: str, hits: list[int], needed: int) -> None:
    monster = unit(1, "MONSTROUS CREATURE", name="Monster", base="60mm", WS=4, S=5, A=3, I=5, W=4)
    foe = unit(1, T=6, I=1, Sv="2+").at(21.673, 20)
    dice = [("fear", [1, 1]), ("hit", hits), ("wound", [6]), ("consolidation", [1])]
    battle = sixth([monster.at(20, 20)], foe, phase=Phase.ASSAULT, dice=dice)
    assert "select-close-combat-weapon" in play(battle, select_close_combat_weapon=how)
    assert rolled(battle, "wound")[0].needed == needed
    assert standing(battle.state, 1) == [], "AP 2"


@pytest.mark.rule("6e.core.units.jump", "6e.core.special-rules.fleet")
@pytest.mark.parametrize(
    ("words", "abilities", "flags", "again"),
    [
        (("INFANTRY",), ["FLEET"], {}, True),
        (("JUMP TROOPS",), [], {}, True),
        (("JUMP TROOPS",), [], {"moved": True, "last_way": "normal"}, False),
        (("INFANTRY",), [], {}, False),
    ],
)
def test_fleet_and_jump_troops_throw_their_charge_again(
    words: tuple[str, ...], abilities: list[str], flags: dict[str, Any], again: bool
) -> None:
    charger = unit(1, *words, abilities=abilities).at(20, 20).having(**flags)
    dice = [("charge", [1, 1]), *([("charge", [1, 2])] if again else [])]
    battle = sixth([charger], unit(1).at(28, 20), phase=Phase.ASSAULT, dice=dice)
    assert ("reroll-charge" in charge(battle)) is again


@pytest.mark.rule("6e.core.units.jump", "6e.core.movement.jump")
def test_jump_troops_without_packs_are_slowed_in_a_charge_and_safe_when_they_pile_in() -> None:
    wood = TerrainArea("wood", ((22, 0), (40, 0), (40, 48), (22, 48)), tags=frozenset({"difficult"}))
    tired = unit(1, "JUMP TROOPS").at(20, 20).having(moved=True, last_way="normal")
    battle = sixth([tired], unit(1).at(28, 20), phase=Phase.ASSAULT, terrain=[wood], dice=[("charge", [6, 1, 1])])
    charge(battle)
    assert not in_combat(battle.scene, battle.state, 0), "of three dice the two lowest"
    jumpers = unit(2, "JUMP TROOPS", W=3, I=4).on((30, 20), (32.5, 20))
    held = sixth(
        [jumpers], unit(1, W=3, I=1).at(29.016, 20), phase=Phase.ASSAULT, terrain=[wood],
        dice=[("hit", [1, 1]), ("hit", [1])],
    )  # fmt: skip
    assert "move-pile-in" in play(held), "without a die for the ground"


# -- cover ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.outside.cover-obscured", "6e.outside.facing")
def test_where_all_of_a_side_is_hidden_another_is_fired_at_with_better_cover() -> None:
    outline = ((32.4, 17.5), (32.6, 17.5), (32.6, 21.9), (32.4, 21.9))
    wall = TerrainFeature("wall", outline, 8.0, solid=True, tags=frozenset({"obstacle", "ruins"}))
    yard = TerrainArea("yard", outline, features=(wall,))
    lance = printed_weapon("Lance", "HEAVY 1", R='48"', S=8, AP=4)
    dice = [("hit", [6]), ("penetration", [2]), ("cover save against a glance", [2])]
    for terrain, script, left in (([yard], dice, 2), ([], dice[:2], 3)):
        target = hull(AV="14/10/10").on((30, 20, 0, 0))
        battle = sixth(
            [unit(1, weapons=[lance]).at(40, 26)], target, phase=Phase.SHOOTING, terrain=terrain, dice=script
        )
        play(battle, select_unit_to_shoot="a.1", select_target="b.1")
        assert battle.state.wounds[1] == left, "10 glances on the side, does nothing to the front"
        if terrain:
            assert rolled(battle, "cover save against a glance")[0].needed == 3


@pytest.mark.rule("6e.outside.night-fighting", "6e.core.shooting.night-fighting", "6e.searchlight.effect")
@pytest.mark.parametrize(("x", "lit", "needed"), [(30, 0, None), (40, 0, 6), (50, 0, 5), (50, 99, None)])
def test_darkness_hides_vehicles_as_it_hides_troops(x: int, lit: int, needed: int | None) -> None:
    lance = printed_weapon("Lance", "HEAVY 1", R='48"', S=8, AP=4)
    dice = [("hit", [6]), ("penetration", [3]), *([("cover save against a glance", [1])] if needed else [])]
    target = hull(AV="11/11/10").at(x, 20, facing=180).having(lit=lit)
    battle = sixth(
        [unit(1, weapons=[lance]).at(20, 20)], target, phase=Phase.SHOOTING, dark=True, nights="first", dice=dice
    )
    play(battle, select_unit_to_shoot="a.1", select_target="b.1")
    assert battle.state.wounds[1] == 2
    assert [each.needed for each in rolled(battle, "cover save against a glance")] == ([needed] if needed else [])


# -- flyers -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.outside.stunned", "6e.zoom.single-pivot")
def test_a_stunned_crew_flies_eighteen_inches_straight_on() -> None:
    flyer = unit(1, "VEHICLE", "FLYER", name="Flyer", AV="11/11/10", HP=3, base="hull 6x5in flying", height=2.0)
    battle = sixth([flyer.at(20, 20).having(aloft=True, stunned=True)], unit(1).at(70, 46))
    battle.answer(Pick("a.1"))

    def to(x: float, y: float = 20.0, facing: float = 0.0) -> Place:
        return Place((ModelMove(0, ((round(1000 * x), round(1000 * y), 0, round(1000 * facing)),)),))

    space = battle.decision.choices
    assert space.check(to(38)) == []
    assert space.check(to(39)) != []
    assert space.check(to(20, 38, 90)) != []
