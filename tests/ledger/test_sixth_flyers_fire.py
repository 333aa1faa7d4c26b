"""Flyers of the 6th edition that fire and are fired at: Skyfire, evading, missiles, bombs, interceptors, crashes."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.test_sixth_flyers import ahead, aloft, flyer, keys, sixth
from tests.support.classic import UnitSpec, printed_weapon, unit, weapon

from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.events import ModelsRemoved, Rolled
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.gunnery import Driven, Gun
from battlewright.editions.classic.procedures.arming import arms_of
from battlewright.editions.classic.procedures.board import touched_units
from battlewright.editions.classic.procedures.laying import hits_under, lay_template
from battlewright.editions.classic.procedures.shelter import seen_of
from battlewright.editions.classic.procedures.vehicle_hits import harm_vehicle
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.classic.weapons import is_dropped
from battlewright.editions.sixth import flyers
from battlewright.editions.sixth.bombing import bombs_of, passed_over
from battlewright.editions.sixth.gunnery import jink_save, salvos
from battlewright.editions.sixth.intercepting import interceptors_of, may_be_intercepted

LASCANNON = printed_weapon("Lascannon", "HEAVY 1", R='48"', S=9, AP=2)
FLAK = printed_weapon("Flak", "HEAVY 1", "SKYFIRE", R='48"', S=7, AP=4)
FLAMER = printed_weapon("Flamer", "ASSAULT 1", "TEMPLATE", R='8"', S=4, AP=5)
CANNON = printed_weapon("Cannon", "HEAVY 1", "LARGE BLAST", R='48"', S=8, AP=3)
MISSILE = printed_weapon("Bloodstrike missile", "HEAVY 1", R='72"', S=8, AP=1)
BOMB = printed_weapon("Bomb", "BOMB", "LARGE BLAST", "ONE SHOT", R='0"', S=6, AP=4)
IDLE = unit(1).at(2, 2)


def shooting(a: Any, b: Any = (), dice: Any = None, **more: Any) -> ClassicBattle:
    return sixth(a, b, phase=Phase.SHOOTING, dice=dice, **more)


def at(battle: ClassicBattle, kind: str) -> ClassicBattle:
    """Answered by the defaults until that is asked."""
    for _ in range(40):
        if battle.decision.kind == kind:
            return battle
        battle.answer(battle.decision.default())
    raise AssertionError(f"{kind} is not asked")


def stages(battle: ClassicBattle, stage: str) -> list[Any]:
    return [event for event in battle.events if getattr(event, "stage", "") == stage]


def fire_at_b1(battle: ClassicBattle) -> None:
    battle.answer(Pick("a.1"))
    if battle.decision.kind == "select-target":
        battle.answer(Pick("b.1"))
    while battle.decision is not None and battle.decision.kind == "select-weapon":
        battle.answer(battle.decision.default())


# -- fired at ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.hard-to-hit.snap-shots-only")
@pytest.mark.parametrize(("gun", "needed"), [(LASCANNON, 6), (FLAK, 3)])
def test_only_snap_shots_at_a_zooming_flyer_but_with_skyfire(gun: Any, needed: int) -> None:
    target = aloft(flyer(AV="14/14/14")).at(30, 20)
    battle = shooting([unit(1, weapons=[gun]).at(20, 20), IDLE], target, dice=[("hit", [needed - 1])])
    fire_at_b1(battle)
    found = stages(battle, "hit")[0]
    assert found.needed == needed
    assert dict(found.outcomes)["miss"] == 1


@pytest.mark.rule("6e.hard-to-hit.no-template-or-blast")
def test_markers_and_templates_do_not_reach_a_zooming_flyer() -> None:
    squad = unit(1).at(30, 20)
    for up in (True, False):
        firer = unit(1, weapons=[FLAMER, CANNON]).at(24, 20)
        battle = shooting([firer, IDLE], [squad, flyer("HOVER").at(31, 20).having(aloft=up)])
        under = hits_under(battle, 0, "cannon", (30.0, 20.0), 5.0, any_touch=True)
        assert (3 in {hits.unit for hits in under}) is not up
        assert 2 in {hits.unit for hits in under}
        burnt = lay_template(battle.scene, battle.state, 0, 2)
        assert (3 in {hits.unit for hits in burnt}) is not up


@pytest.mark.rule("6e.evade.when", "6e.evade.effect")
def test_a_flyer_that_is_hit_may_evade_before_penetration_is_rolled() -> None:
    target = aloft(flyer(AV="10/10/10"), moved_last=True, moved_before=20_000).at(30, 20)
    dice = [("hit", [4]), ("penetration", [6]), ("cover save", [5])]
    battle = shooting([unit(1, weapons=[FLAK]).at(20, 20), IDLE], target, dice=dice)
    fire_at_b1(battle)
    at(battle, "evade")
    assert stages(battle, "hit")
    assert not stages(battle, "penetration"), "asked in between"
    assert battle.decision.side == 1
    battle.answer(Pick("evade"))
    assert battle.state.units[2].evading == 1
    assert int(battle.state.wounds[2]) == 3, "its cover save of 5+ has stopped the hit"
    seen = seen_of(battle.scene, battle.state, 2, 0)
    assert jink_save(seen) == 5


@pytest.mark.rule("6e.evade.effect", "6e.evade.when")
def test_while_it_evades_it_fires_snap_shots_through_its_owner_s_next_turn() -> None:
    gunship = aloft(flyer(weapons=[LASCANNON]), evading=1, moved=True, moved_distance=20_000).at(20, 20)
    battle = shooting([gunship, IDLE], unit(1).at(40, 20), dice=None)
    at(battle, "select-unit-to-shoot")
    fire_at_b1(battle)
    assert stages(battle, "hit")[0].needed == 6
    assert battle.state.units[0].evading == 1
    while battle.state.turn == 0:
        battle.answer(battle.decision.default())
    assert battle.state.units[0].evading == 0
    assert not flyers.may_evade(battle.state.units[0], flyers=False)


@pytest.mark.rule("6e.evade.when", "6e.locked-velocity.no-evade-no-flat-out")
def test_nobody_evades_who_hovers_or_whose_speed_is_locked() -> None:
    for target in (flyer("HOVER").at(30, 20), aloft(flyer(), locked=frozenset({(2, 18_000)})).at(30, 20)):
        firer = [unit(1, weapons=[FLAK]).at(20, 20), IDLE]
        battle = shooting(firer, target, dice=[("hit", [4]), ("penetration", [1])])
        fire_at_b1(battle)
        assert battle.decision.kind != "evade"
        assert stages(battle, "hit")


# -- firing -----------------------------------------------------------------------------------------------------


def guns(*weapons: Any) -> list[Gun]:
    return [Gun(place, each) for place, each in enumerate(weapons)]


@pytest.mark.rule("6e.zoom-shooting.four-weapons", "6e.missiles.count-as-weapons", "6e.bombs.counts-as-one-weapon")
def test_a_zooming_flyer_fires_four_weapons_with_missiles_and_bombs_among_them() -> None:
    words = {"VEHICLE", "FLYER"}
    six = guns(*(weapon("HEAVY 1", name=f"Gun {place}") for place in range(6)))
    ways = salvos(words, Driven(moved=36.0, aloft=True), six)
    assert {len(way) for way in ways} == {4}, "a fifth does not even make snap shots"
    assert not any(snap for way in ways for _, snap in way)
    bombed = salvos(words, Driven(moved=36.0, aloft=True, bombed=True), six)
    assert {len(way) for way in bombed} == {3}
    missiles = [weapon("HEAVY 1", name="Hellstrike missile")] * 2
    armed = guns(*missiles, *(weapon("HEAVY 1", name=f"Gun {place}") for place in range(4)))
    both = [way for way in salvos(words, Driven(moved=20.0, aloft=True), armed) if _missiles(way) == 2]
    assert {len(way) for way in both} == {4}, "two missiles and two guns"
    assert salvos(words, Driven(moved=20.0, aloft=True, flat_out=True), six) == []


def _missiles(way: Any) -> int:
    return sum(flyers.is_missile(gun.profile.name) for gun, _ in way)


@pytest.mark.rule("6e.missiles.identified-by-name", "6e.missiles.two-per-phase", "6e.flyer-weapons.missiles-any-mode")
def test_two_missiles_in_a_phase_hovering_or_zooming() -> None:
    names = ("Bloodstrike missile", "implosion missile", "lascannon")
    assert [flyers.is_missile(name) for name in names] == [True, True, False]
    four = guns(*[weapon("HEAVY 1", name="Bloodstrike missile")] * 4)
    for words, driven in (
        ({"VEHICLE", "FLYER"}, Driven(moved=20.0, aloft=True)),
        ({"VEHICLE", "FLYER", "HOVER", "FAST", "SKIMMER"}, Driven(moved=0.0)),
    ):
        assert {_missiles(way) for way in salvos(words, driven, four)} == {1, 2}


@pytest.mark.rule("6e.missiles.one-use")
def test_each_missile_is_launched_once() -> None:
    gunship = aloft(flyer(weapons=[MISSILE] * 2), moved=True, moved_distance=20_000).at(20, 20)
    battle = shooting([gunship, IDLE], unit(1, T=10, base="60mm").at(40, 20), dice=None)
    at(battle, "select-unit-to-shoot")
    battle.answer(Pick("a.1"))
    battle.answer(Pick("b.1"))
    assert keys(battle) == ["way:0", "way:1"], "both, or one of them"
    battle.answer(Pick("way:0"))
    assert battle.state.units[0].weapons_lost == {(0, 0), (0, 1)}
    assert arms_of(battle.scene, battle.state, 0, 0) == []
    assert not flyers.launched_once({"VEHICLE"}, weapon(name="Hunter missile")), "of a flyer alone"


@pytest.mark.rule("6e.flyer-skyfire.choice", "6e.flyer-skyfire.all-weapons")
@pytest.mark.parametrize(("choice", "needed"), [("ground", (3, 6)), ("sky", (6, 3))])
def test_each_flyer_chooses_at_the_start_of_the_phase_for_all_its_weapons(choice: str, needed: tuple[int, int]) -> None:
    hunter = aloft(flyer(weapons=[LASCANNON, LASCANNON]), moved=True, moved_distance=20_000).at(20, 20)
    for target, face in (("b.1", needed[0]), ("b.2", needed[1])):
        foes = [unit(1, T=10, W=3, Sv="2+").at(40, 20), aloft(flyer(AV="14/14/14")).at(40, 30)]
        battle = shooting([hunter, IDLE], foes, dice=None)
        assert battle.decision.kind == "choose-skyfire", "before anybody fires"
        assert keys(battle) == ["ground", "sky"]
        battle.answer(Pick(choice))
        battle.answer(Pick("a.1"))
        battle.answer(Pick(target))
        at(battle, "select-unit-to-shoot")
        assert {found.needed for found in stages(battle, "hit")} == {face}, "both weapons alike"


# -- bombs ------------------------------------------------------------------------------------------------------


def bomber(*keywords: str, bombs: int = 2, **features: Any) -> UnitSpec:
    return flyer(*keywords, weapons=[BOMB] * bombs + [LASCANNON] * 5, **features)


@pytest.mark.rule("6e.bombs.placement-and-scatter", "6e.bombs.hits", "6e.bombs.one-per-phase")
@pytest.mark.rule("6e.bombs.movement-phase")
def test_a_bomb_scatters_from_a_model_that_was_flown_over_and_hits_all_beneath() -> None:
    squad = unit(3, T=4, Sv="5+", name="Squad").on((30, 20), (31.5, 20), (28.5, 20))
    away = unit(1).at(30, 40)
    dice = [("scatter", [6, 1, 1]), ("wound", [2, 2, 1])]
    battle = sixth([aloft(bomber()).at(20, 20), IDLE], [squad, away], dice=dice)
    battle.answer(Pick("a.1"))
    battle.answer(ahead(battle, 0, 24))
    assert battle.decision.kind == "drop-bomb"
    named = {key.rpartition(":")[2] for key in keys(battle)}
    assert named == {"2", "3", "4", "none"}, "not model 5, which it did not pass over"
    battle.answer(Pick("bomb:0:2"))
    at(battle, "select-unit-to-move")
    assert len(standing(battle.state, 2)) == 1, "three hits of S 6 AP 4: no armour save of 5+"
    assert battle.state.units[0].has(Deed.BOMBED)
    assert [arm.weapon for arm in bombs_of(battle.scene, battle.state, 0)] == [1], "one bomb in a phase, and it is gone"


@pytest.mark.rule("6e.bombs.placement-and-scatter")
def test_a_bomb_scatters_a_d6() -> None:
    battle = sixth([aloft(bomber()).at(20, 20), IDLE], [unit(1).at(30, 20)], dice=None)
    assert flyers.flew_over((20, 20), (44, 20), 6.0, 5.0, (30, 22.9), 0.492)
    assert not flyers.flew_over((20, 20), (44, 20), 6.0, 5.0, (30, 23.1), 0.492)
    battle.state.position[0, 0] = 44_000
    assert passed_over(battle.scene, battle.state, 0, (20.0, 20.0)) == [2]
    battle.state.position[0, 0] = 20_000
    battle.answer(Pick("a.1"))
    battle.answer(ahead(battle, 0, 24))
    battle.answer(Pick("bomb:0:2"))
    rolls = [event.roll for event in battle.events if isinstance(event, Rolled)]
    rolls = [roll for roll in rolls if roll.purpose == "scatter-distance"]
    assert all(len(roll.faces) == 1 for roll in rolls)
    laid = next(event for event in battle.events if event.kind == "marker-laid")
    apart = ((laid.centre[0] - 30_000) ** 2 + (laid.centre[1] - 20_000) ** 2) ** 0.5 / 1000
    assert apart == pytest.approx(sum(roll.faces[0] for roll in rolls), abs=0.01)


@pytest.mark.rule("6e.bombs.must-zoom", "6e.flyer-weapons.bombs-zoom-only", "6e.bombs.movement-phase")
def test_no_bombs_hovering_and_none_in_the_shooting_phase() -> None:
    battle = sixth([bomber("HOVER").at(20, 20), IDLE], [unit(1).at(30, 20)], dice=None)
    battle.answer(Pick("a.1"))
    battle.answer(Pick("hover"))
    battle.answer(Place((ModelMove(0, ((20_000, 30_000, 0, 0),)),)))
    assert battle.decision.kind == "select-unit-to-move"
    assert not flyers.may_bomb(battle.state.units[0])
    assert all(not is_dropped(arm.profile) for arm in arms_of(battle.scene, battle.state, 0, 0))
    assert is_dropped(weapon("BOMB"))


@pytest.mark.rule("6e.bombs.free-target", "6e.bombs.counts-as-one-weapon", "6e.bombs.no-flat-out")
def test_after_a_bomb_three_weapons_fire_at_whom_they_like() -> None:
    bombed = aloft(bomber(), moved=True, moved_distance=24_000, deeds=frozenset({Deed.BOMBED})).at(20, 20)
    battle = shooting([bombed, IDLE], [unit(1).at(30, 20), flyer("HOVER", AV="14/14/14").at(50, 20)], dice=None)
    at(battle, "select-unit-to-shoot")
    assert "a.1:flat-out" not in keys(battle)
    battle.answer(Pick("a.1"))
    assert keys(battle) == ["b.1", "b.2", "none"], "the squad that was bombed, or another"
    battle.answer(Pick("b.2"))
    at(battle, "select-weapon")
    assert {option.weapons.count("Lascannon") for option in battle.decision.options()} == {3}


# -- crashes ----------------------------------------------------------------------------------------------------


def down(battle: ClassicBattle, unit_number: int, result: DamageResult = DamageResult.WRECKED) -> Any:
    """A result that ends a flyer, played until something is asked or all is done; the decision, None for none."""
    row = living(battle.state, unit_number)[0]
    going = harm_vehicle(battle, row, result)
    return next(going, None), going


@pytest.mark.rule("6e.crash-and-burn.marker", "6e.crash-and-burn.hits", "6e.crash-and-burn.removed")
@pytest.mark.parametrize("result", [DamageResult.WRECKED, DamageResult.EXPLODES])
def test_debris_falls_two_dice_away_and_hits_friend_and_foe(result: DamageResult) -> None:
    friends = unit(2, name="Friends").on((38, 20), (38, 21.5))
    foes = unit(2, name="Foes").on((38, 18.5), (36.5, 20))
    dice = [
        ("scatter", [1, 6, 6]),
        ("scatter-distance", [3, 5]),
        *(("wound", [2]), ("save", [3])),
        *(("wound", [2]), ("save", [2])),
        *(("wound", [1]), ("wound", [6]), ("save", [2])),
    ]
    battle = sixth([aloft(flyer()).at(30, 20), friends], foes, dice=dice)
    decision, _ = down(battle, 0, result)
    laid = next(event for event in battle.events if event.kind == "marker-laid")
    centre = laid.centre
    assert ((centre[0] - 30_000) ** 2 + (centre[1] - 20_000) ** 2) ** 0.5 == pytest.approx(8000, abs=2)
    assert decision is None
    assert standing(battle.state, 0) == []
    assert battle.state.wrecks == (), "it leaves no wreck"
    assert laid.diameter == 5.0


@pytest.mark.rule("6e.crash-and-burn.passengers-hit", "6e.crash-and-burn.survivors-placed")
def test_everybody_aboard_takes_a_hit_that_no_armour_stops() -> None:
    riders = unit(5, T=4, Sv="2+", InSv="5+", name="Riders").having(embarked=0)
    carrier = aloft(flyer(abilities=["TRANSPORT CAPACITY 10"])).at(30, 20)
    dice = [
        ("scatter", [6, 1, 1]),
        *[("wound", [2]), ("save", [5])] * 2,
        *[("wound", [2]), ("save", [4])] * 2,
        ("wound", [1]),
    ]
    battle = sixth([carrier, riders], unit(1).at(60, 40), dice=dice)
    decision, _ = down(battle, 0)
    assert len(living(battle.state, 1)) == 3
    assert decision.kind == "bail-out"
    space = decision.choices
    alive = living(battle.state, 1)

    def placed(x: float) -> Place:
        points = zip(alive, (19.0, 20.2, 21.4), strict=True)
        return Place(tuple(ModelMove(row, ((round(x * 1000), round(y * 1000), 0, 0),)) for row, y in points))

    assert space.check(placed(30 + 2.5 + 3.2)) == [], "nearest parts within 3 inches of the marker"
    assert space.check(placed(30 + 2.5 + 4.5)) != []


@pytest.mark.rule("6e.crash-and-burn.unplaceable")
def test_survivors_for_whom_there_is_no_room_are_lost() -> None:
    riders = unit(2, T=4, base="60mm", name="Riders").having(embarked=0)
    carrier = aloft(flyer(abilities=["TRANSPORT CAPACITY 10"])).at(2.6, 2.6)
    grid = [(0.6 + 2.0 * i, 0.6 + 2.0 * j) for i in range(6) for j in range(6)]
    crowd = [(x, y) for x, y in grid if (x, y) != (4.6, 4.6)]
    wall = unit(len(crowd), "INFANTRY", T=10, W=3, name="Wall").on(*crowd)
    dice = [("scatter", [6, 1, 1]), *[("wound", [1])] * 40]
    battle = sixth([carrier, riders, wall], unit(1).at(60, 40), dice=dice)
    decision, going = down(battle, 0)
    assert decision is not None
    assert decision.kind == "select-model", "their owner says who is lost"
    decision = going.send(decision.default())
    assert len(living(battle.state, 1)) == 1
    assert decision.kind == "bail-out"


# -- winged monsters --------------------------------------------------------------------------------------------


def winged(**features: Any) -> UnitSpec:
    features = {"T": 6, "W": 4, "Sv": "3+", "BS": 4, "base": "60mm", "height": 3.0, **features}
    return unit(1, "MONSTROUS CREATURE", "FLYING MONSTROUS CREATURE", name="Dragon", **features)


@pytest.mark.rule("6e.core.movement.swooping", "6e.core.units.flying-monstrous")
def test_a_winged_monster_swoops_twelve_to_twenty_four_inches_or_glides() -> None:
    battle = sixth([winged().at(20, 20), IDLE], unit(2).at(60, 40))
    battle.answer(Pick("a.1"))
    assert keys(battle) == ["glide", "swoop"]
    battle.answer(Pick("swoop"))
    space = battle.decision.choices
    for inches, fine in ((11.0, False), (12.0, True), (24.0, True), (24.1, False)):
        assert (space.check(ahead(battle, 0, inches, 90)) == []) == fine, inches
    assert space.check(ahead(battle, 0, 14.0, 95)) != []
    battle.answer(ahead(battle, 0, 24))
    assert battle.state.units[0].aloft
    assert flyers.swoop_span().most == 24.0
    run = shooting([winged().at(20, 20).having(aloft=True), IDLE], unit(2).at(60, 40), dice=[("run", [3, 4])])
    run.answer(Pick("a.1:run"))
    assert run.decision.choices.limits[0] == 7000, "2D6 inches"
    charge = sixth([winged().at(20, 20).having(aloft=True), IDLE], unit(2).at(25, 20), phase=Phase.ASSAULT)
    assert charge.decision is None or "a.1" not in keys(charge), "it does not charge"


@pytest.mark.rule("6e.core.units.flying-monstrous")
def test_a_swooping_monster_is_shot_at_by_snap_shots_jinks_and_is_not_charged() -> None:
    target = winged().at(30, 20).having(aloft=True, moved_last=True)
    dice = [("hit", [6]), ("wound", [6]), ("save", [5]), ("grounding", [3])]
    battle = shooting([unit(1, weapons=[LASCANNON]).at(20, 20), IDLE], target, dice=dice)
    fire_at_b1(battle)
    assert stages(battle, "hit")[0].needed == 6
    assert int(battle.state.wounds[2]) == 4, "it jinks at 5+"
    assert battle.state.units[2].aloft
    for up in (True, False):
        charge = sixth([unit(1).at(27, 20)], winged().at(30, 20).having(aloft=up), phase=Phase.ASSAULT)
        found = charge.scene.rules.assault.why_not_this(charge.scene, charge.state, 0, 1)
        assert bool(found) is up


@pytest.mark.rule("6e.core.units.grounding")
@pytest.mark.parametrize(("face", "falls"), [(2, True), (3, False)])
def test_one_that_is_hit_falls_on_a_one_or_two_and_may_then_be_charged(face: int, falls: bool) -> None:
    target = winged(Sv="2+").at(30, 20).having(aloft=True)
    dice = [("hit", [6]), ("wound", [1]), ("grounding", [face])]
    dice += [("wound", [3])] if falls else []
    battle = shooting([unit(1, weapons=[LASCANNON]).at(20, 20), IDLE], target, dice=dice)
    fire_at_b1(battle)
    assert battle.state.units[2].aloft is not falls
    assert int(battle.state.wounds[2]) == (3 if falls else 4), "S 9 against T 6, and no armour save"
    assert [flyers.falls_from_the_sky(each) for each in (1, 2, 3)] == [True, True, False]
    missed = shooting([unit(1, weapons=[LASCANNON]).at(20, 20), IDLE], target, dice=[("hit", [5])])
    fire_at_b1(missed)
    assert missed.state.units[2].aloft


# -- interceptors -----------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.weapons.interceptor")
def test_an_interceptor_fires_at_whoever_has_arrived_and_is_silent_in_its_next_turn() -> None:
    quad = printed_weapon("Quad-gun", "HEAVY 4", "INTERCEPTOR", "SKYFIRE", R='48"', S=7, AP=4)
    coming = flyer(AV="14/14/14").having(in_reserves=True, arriving=True)
    battle = sixth([coming, unit(1).at(40, 4)], [unit(1, weapons=[quad]).at(36, 30), unit(1).at(70, 46)], dice=None)
    battle.answer(battle.decision.default())
    assert battle.state.units[0].aloft
    at(battle, "intercept")
    assert battle.decision.side == 1
    assert battle.state.phase == Phase.MOVEMENT
    assert keys(battle) == ["a.1", "none"], "not at those who were there"
    battle.answer(Pick("a.1"))
    assert len(stages(battle, "hit")[0].faces) == 4
    assert may_be_intercepted(frozenset({Deed.ARRIVED}))
    assert not may_be_intercepted(frozenset())
    while not (battle.state.turn == 1 and battle.state.phase == Phase.SHOOTING):
        battle.answer(battle.decision.default())
    assert battle.state.units[2].intercepted == {(2, 0)}
    assert arms_of(battle.scene, battle.state, 2, 2) == []
    assert interceptors_of(battle.scene, battle.state, 2) == []
    while battle.state.turn == 1:
        battle.answer(battle.decision.default())
    assert battle.state.units[2].intercepted == frozenset()


@pytest.mark.rule("6e.leaving-airspace.ongoing-reserves")
def test_what_flies_off_is_no_loss() -> None:
    battle = sixth([aloft(flyer()).at(60, 20), IDLE], unit(1).at(60, 40), dice=None)
    battle.answer(Pick("a.1"))
    battle.answer(ahead(battle, 0, 30))
    gone = [event for event in battle.events if isinstance(event, ModelsRemoved)]
    assert [event.why for event in gone] == ["flew off the table"]
    assert living(battle.state, 0) == [0]


# -- measuring --------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.flyer-measuring.weapons-and-fire-points")
@pytest.mark.parametrize(("reach", "hits"), [(9, False), (10, True)])
def test_range_runs_from_the_weapon_not_from_the_nearest_part_of_the_hull(reach: int, hits: bool) -> None:
    """The wing is 9.7" away, the hull 6.5"."""
    wing = printed_weapon("Wing lascannon", "HEAVY 1", "LEFT SPONSON", R=f'{reach}"', S=9, AP=2)
    for words in (("FLYER", "HOVER"), ("SKIMMER",)):
        firer = unit(1, "VEHICLE", *words, base="hull 6x5in flying", HP=3, weapons=[wing]).at(20, 20)
        battle = shooting([firer, IDLE], [unit(1).at(30, 20.5)], dice=None)
        at(battle, "select-unit-to-shoot")
        battle.answer(Pick("a.1"))
        battle.answer(Pick("b.1"))
        at(battle, "select-unit-to-shoot")
        assert bool(stages(battle, "hit")) is hits


# -- the assault ------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.flyer-measuring.charge-contact", "6e.hover.as-fast-skimmer")
def test_chargers_come_into_contact_with_the_hull_of_a_hovering_flyer() -> None:
    chargers = unit(3, S=6, A=1).on((28, 20), (28, 21.2), (28, 18.8))
    battle = sixth([chargers], [flyer("HOVER", AV="10/10/10").at(20, 20)], phase=Phase.ASSAULT, dice=None)
    battle.answer(Pick("a.1"))
    battle.answer(Pick("b.1"))
    moved = at(battle, "move-assault")
    moved.answer(moved.decision.default())
    assert touched_units(battle.scene, battle.state, 0, locked=False) == [1]
    at(battle, "move-pile-in").answer(battle.decision.default())
    assert stages(battle, "penetration"), "and strike it"
