"""The Shooting phase of the 6th edition: snap shots, weapon types, sight and cover, markers, the nearest first."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.ledger.test_third_shooting_phase import answer, fire, losses
from tests.support.classic import UnitSpec, mixed, model, printed_weapon, scene, squad, unit, weapon

from battlewright.core.decisions import Pick
from battlewright.core.dice import DiceExpression
from battlewright.core.table import TerrainArea, TerrainFeature
from battlewright.editions.classic import charts
from battlewright.editions.classic.attack import compile_volley, draft_attack, effective_ap
from battlewright.editions.classic.cover import cover_save
from battlewright.editions.classic.draft import AttackContext, PenetrationDice
from battlewright.editions.classic.firing import Firing, assault_shots, bars_assault
from battlewright.editions.classic.markers import diameter_of
from battlewright.editions.classic.night import NightShot
from battlewright.editions.classic.procedures.arming import throwers
from battlewright.editions.classic.procedures.prowess import bout_in
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.special_rules import Bout
from battlewright.editions.classic.state import ClassicUnit, Deed, Phase
from battlewright.editions.classic.target import kills_outright, majority_or_highest_toughness
from battlewright.editions.classic.weapon_rules import may_repeat_a_miss
from battlewright.editions.classic.weapons import WeaponType
from battlewright.editions.sixth import allocating, covering, firing, laying
from battlewright.editions.sixth.attack import ATTACK, feel_no_pain, second_hit_on
from battlewright.editions.sixth.shooting import SHOOTING, always_measures, in_the_dark, no_target_faults, picks
from battlewright.editions.sixth.sight import sees_through_everything

ONE, TWO = DiceExpression(0, 0, 1), DiceExpression(0, 0, 2)
RIFLE = printed_weapon("Rifle", "RAPID FIRE", S=4, AP=5, R='24"')
CANNON = printed_weapon("Cannon", "HEAVY 1", S=4, AP=5, R='48"')
THREE = printed_weapon("Autocannon", "HEAVY 3", S=4, AP=5, R='48"')
MISSILE = printed_weapon("Missile", "HEAVY 1", "BLAST", S=4, AP=6, R='48"')
MORTAR = printed_weapon("Mortar", "HEAVY 1", "BLAST", "BARRAGE", S=4, AP=6, R='48"')
LOSSES = ("losses", [1, 1])
WOODS = ((0.0, 18.0), (60.0, 18.0), (60.0, 26.0), (0.0, 26.0))


def shooting(
    a: UnitSpec | Sequence[UnitSpec], b: UnitSpec | Sequence[UnitSpec], dice: object, **more: object
) -> ClassicBattle:
    return scene(a, b, phase=Phase.SHOOTING, alone=True, dice=dice, edition="6", **more)  # type: ignore[arg-type]


def offered(battle: ClassicBattle) -> list[str]:
    assert battle.decision is not None
    return [option.key for option in battle.decision.options()]


def some(*deeds: str, **flags: bool) -> ClassicUnit:
    found = ClassicUnit(side=0, models=(0,), **flags)  # type: ignore[arg-type]
    found.did(*deeds)
    return found


def woods() -> TerrainArea:
    return TerrainArea("woods", WOODS, tags=frozenset({"area", "woods"}))


def wall(height: float, y: float = 14.0) -> TerrainArea:
    strip = ((0.0, y), (60.0, y), (60.0, y + 0.5), (0.0, y + 0.5))
    feature = TerrainFeature("wall", strip, height=height, tags=frozenset({"obstacle", "wall"}))
    return TerrainArea("wall", strip, features=(feature,))


# -- charts -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.shooting.to-hit", "6e.outside.to-hit", "6e.core.shooting.to-wound", "6e.outside.to-wound")
@pytest.mark.rule("6e.core.shooting.saves", "6e.core.shooting.instant-death")
def test_charts() -> None:
    assert [charts.hit_on(skill) for skill in range(1, 7)] == [6, 5, 4, 3, 2, 2]
    assert [charts.wound_on(4, toughness) for toughness in (4, 3, 5, 6, 7, 8)] == [4, 3, 5, 6, 6, None]
    assert not charts.armour_stands(3, 3)
    assert charts.armour_stands(3, None)
    assert charts.best_save(4, 5, 3) == 3
    assert kills_outright(8, 4)


@pytest.mark.rule("6e.core.fundamentals.majority", "6e.outside.instant-death", "6e.core.fundamentals.dice")
@pytest.mark.rule("6e.core.fundamentals.leadership-test", "6e.core.fundamentals.profile")
def test_majority_dice_and_profiles() -> None:
    three, four = squad(model(T=3)).models[0], squad(model(T=4)).models[0]
    assert majority_or_highest_toughness([three, three, four]) == 3
    assert majority_or_highest_toughness([three, four]) == 4
    assert kills_outright(10, 5)
    assert charts.d3(5) == 3
    assert charts.passes_leadership_test(8, 8)
    assert (model().ballistic_skill, model().initiative) == (4, 4)


@pytest.mark.rule("6e.core.shooting.second-try")
def test_with_a_skill_beyond_five_a_miss_is_tried_again() -> None:
    assert [second_hit_on(skill) for skill in (5, 6, 8, 10)] == [None, 6, 4, 2]
    volley = compile_volley(ATTACK, weapon("ASSAULT 1"), 1, AttackContext(skill=6), squad(model()))
    assert [step.name for step in volley.steps] == ["hit", "second try", "wound"]
    twin = compile_volley(ATTACK, weapon("ASSAULT 1", "TWIN-LINKED"), 1, AttackContext(skill=6), squad(model()))
    assert "second try" not in [step.name for step in twin.steps], "there is no third try"
    ace = unit(1, BS=6, weapons=[CANNON]).at(10, 8)
    battle = shooting(ace, unit(1, T=4, Sv="-").at(10, 20), [("hit", [1]), ("second try", [6]), ("wound", [3])])
    fire(battle)


@pytest.mark.rule("6e.core.shooting.cover-table", "6e.outside.cover-values")
def test_cover_saves() -> None:
    assert [cover_save(kind) for kind in ("woods", "ruins", "trench", "bunker")] == [5, 4, 4, 3]


# -- weapons ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.weapons.assault", "6e.core.weapons.heavy", "6e.core.weapons.rapid-fire")
@pytest.mark.rule("6e.core.weapons.pistol", "6e.core.weapons.salvo", "6e.core.weapons.ordnance")
def test_weapon_types() -> None:
    man = model()

    def bars(text: str) -> bool:
        gun = weapon(text)
        return bool(bars_assault(firing.deeds_of(man, gun, Firing(), ONE)))

    assert assault_shots(weapon("ASSAULT 2"), Firing(moved=True)) == TWO
    assert not bars("ASSAULT 2")
    assert firing.heavy_shots(weapon("HEAVY 2"), Firing(moved=True)) == TWO
    assert firing.snaps(some(), weapon("HEAVY 2"), moved=True)
    assert not firing.snaps(some(), weapon("HEAVY 2"), moved=False)
    for moved in (False, True):
        assert firing.rapid_fire_shots(weapon("RAPID FIRE"), Firing(moved=moved, distance=12.0)) == TWO
        assert firing.rapid_fire_shots(weapon("RAPID FIRE"), Firing(moved=moved, distance=12.1)) == ONE
    assert firing.pistol_shots(weapon("PISTOL"), Firing()) == ONE
    assert not bars("PISTOL")
    salvo = weapon("SALVO 2/4")
    assert salvo.type is WeaponType.SALVO
    assert str(firing.salvo_shots(salvo, Firing())) == "4"
    assert str(firing.salvo_shots(salvo, Firing(moved=True))) == "2"
    assert firing.reach_of(salvo, Firing()) == 24.0
    assert firing.reach_of(salvo, Firing(moved=True)) == 12.0
    assert firing.ordnance_shots(weapon("ORDNANCE 1"), Firing(moved=True)) is None
    assert all(bars(text) for text in ("HEAVY 2", "RAPID FIRE", "SALVO 2/4", "ORDNANCE 1"))


@pytest.mark.rule("6e.core.weapons.relentless", "6e.core.units.bike", "6e.core.units.monstrous")
@pytest.mark.rule("6e.core.units.jet-pack", "6e.core.special-rules.slow-and-purposeful", "6e.core.weapons.one-weapon")
def test_the_relentless_fire_as_if_stationary_and_may_charge() -> None:
    heavy = weapon("HEAVY 1")
    relentless = [model(kind) for kind in ("BIKE", "JETBIKE", "MONSTROUS CREATURE")]
    relentless += [model("JUMP TROOPS", "JET PACK"), model(abilities=("Relentless",))]
    for each in relentless:
        assert not firing.fires_as_moved(each, heavy, moved=True)
        assert bars_assault(firing.deeds_of(each, heavy, Firing(), ONE)) == []
    slow = model(abilities=("Slow and Purposeful",))
    assert not firing.fires_as_moved(slow, heavy, moved=True)
    assert bars_assault(firing.deeds_of(slow, heavy, Firing(), ONE))
    assert firing.fires_as_moved(model(), heavy, moved=True)
    assert firing.weapons_allowed(model()) == 1
    assert firing.weapons_allowed(model("MONSTROUS CREATURE")) == 2
    assert firing.weapons_allowed(model(abilities=("Gunslinger",))) == 2


@pytest.mark.rule("6e.core.shooting.snap-shots", "6e.core.shooting.no-snap-shots", "6e.outside.snap-shots")
@pytest.mark.rule("6e.core.shooting.who-may-fire")
def test_who_makes_snap_shots_and_who_may_not() -> None:
    rifle = weapon("RAPID FIRE")
    for shaky in (some(falling_back=True), some(pinned=True), some(Deed.RALLIED)):
        assert firing.snaps(shaky, rifle, moved=False)
    assert not firing.snaps(some(), rifle, moved=True)
    assert firing.may_snap(rifle, 4)
    assert not firing.may_snap(rifle, 0)
    for text in (("HEAVY 1", "BLAST"), ("ASSAULT 1", "TEMPLATE"), ("ORDNANCE 1",), ("HEAVY 1", "LARGE BLAST")):
        assert not firing.may_snap(weapon(*text), 4)
    assert draft_attack(ATTACK, rifle, AttackContext(skill=5, snap=True), squad(model())).hit_on == 6
    assert firing.why_no_fire(some()) == []
    for barred in (some(Deed.RAN), some(Deed.BOOSTED), some(Deed.FIRED)):
        assert firing.why_no_fire(barred)
    assert firing.why_no_fire(some(), in_combat=True)


@pytest.mark.rule("6e.core.shooting.snap-shots", "6e.core.weapons.heavy")
def test_a_heavy_weapon_hits_on_six_after_a_move() -> None:
    gun = unit(1, weapons=[THREE]).at(10, 8).having(moved=True)
    battle = shooting(gun, unit(3, T=4, Sv="-").at(10, 20), [("hit", [5, 5, 6]), ("wound", [3])])
    fire(battle)
    blast = unit(1, weapons=[MISSILE]).at(10, 8).having(moved=True)
    assert "a.1" not in offered(shooting(blast, unit(1).at(10, 20), [])), "a blast makes no snap shots"


@pytest.mark.rule("6e.core.weapons.twin-linked", "6e.core.weapons.melta", "6e.core.weapons.lance")
@pytest.mark.rule("6e.core.weapons.poisoned", "6e.core.weapons.haywire", "6e.core.weapons.ignores-cover")
def test_properties_as_in_older_editions() -> None:
    man, tank = squad(model()), squad(model("VEHICLE", AV="14/12/10"))
    near = AttackContext(skill=4, half_range=True)
    assert draft_attack(ATTACK, weapon("TWIN-LINKED"), near, man).reroll_hits is not None
    assert draft_attack(ATTACK, weapon("MELTA"), near, tank).penetration is PenetrationDice.TWO
    assert draft_attack(ATTACK, weapon("LANCE"), near, tank).armour_limit == 12
    assert draft_attack(ATTACK, weapon("POISONED"), near, man).wound_on == 4
    assert draft_attack(ATTACK, weapon("HAYWIRE"), near, tank).fixed_penetration is not None
    assert draft_attack(ATTACK, weapon("IGNORES COVER"), near, man).ignores_cover


@pytest.mark.rule("6e.core.weapons.armourbane", "6e.core.weapons.fleshbane", "6e.core.weapons.shred")
@pytest.mark.rule("6e.core.weapons.rending", "6e.core.weapons.sniper", "6e.core.weapons.gets-hot")
def test_properties_of_this_edition() -> None:
    man, tank, context = squad(model(T=8)), squad(model("VEHICLE")), AttackContext(skill=4)
    assert draft_attack(ATTACK, weapon("ARMOURBANE"), context, tank).penetration is PenetrationDice.TWO
    assert draft_attack(ATTACK, weapon("FLESHBANE"), context, man).wound_on == 2
    assert draft_attack(ATTACK, weapon("SHRED"), context, man).reroll_wounds is not None
    rends = draft_attack(ATTACK, weapon("RENDING"), context, man)
    assert (rends.rends_on_hit, rends.rends_on_wound) == (None, 6)
    snipes = draft_attack(ATTACK, weapon("SNIPER"), context, man)
    assert (snipes.hit_on, snipes.wound_on, snipes.rends_on_wound, snipes.precise_on, snipes.pins) == (3, 4, 6, 6, True)
    assert draft_attack(ATTACK, weapon("SNIPER"), context, tank).strength == 3
    assert draft_attack(ATTACK, weapon("ASSAULT 3", "GETS HOT"), context, man).overheats_on == 1


@pytest.mark.rule("6e.core.weapons.power-weapons", "6e.core.weapons.power-fist", "6e.core.weapons.other-melee")
@pytest.mark.rule("6e.core.weapons.melee-strength")
def test_blows_have_an_ap() -> None:
    man, context = squad(model(Sv="2+")), AttackContext(skill=4, strength=6)
    for text, strength, ap in (("POWER WEAPON", 6, 3), ("POWER FIST", 10, 2), ("LIGHTNING CLAW", 6, 3)):
        drafted = draft_attack(ATTACK, weapon(text, melee=True), context, man)
        assert (drafted.strength, effective_ap(drafted)) == (strength, ap)
    assert draft_attack(ATTACK, weapon("LIGHTNING CLAW", melee=True), context, man).reroll_wounds is not None


@pytest.mark.rule("6e.core.weapons.gets-hot")
def test_a_blast_that_gets_hot_is_not_fired() -> None:
    plasma = printed_weapon("Plasma cannon", "HEAVY 1", "BLAST", "GETS HOT", S=7, AP=2, R='36"')
    battle = shooting(
        unit(1, weapons=[plasma]).at(10, 8), unit(1).at(10, 20), [("gets-hot", [1]), ("gets-hot-save", [2])]
    )
    fire(battle)
    assert losses(battle, 0) == 1
    assert "marker-laid" not in [event.kind for event in battle.events]


@pytest.mark.rule("6e.core.special-rules.feel-no-pain")
def test_feel_no_pain_on_five() -> None:
    tough = model(abilities=("Feel No Pain",))
    drafted = draft_attack(ATTACK, weapon("POWER WEAPON", melee=True), AttackContext(skill=4, strength=4), squad(tough))
    assert feel_no_pain(tough, drafted, outright=False) == 5
    assert feel_no_pain(tough, drafted, outright=True) is None
    assert feel_no_pain(model(), drafted, outright=False) is None


@pytest.mark.rule("6e.core.weapons.one-use")
def test_a_one_use_weapon_fires_once_a_game() -> None:
    missile = printed_weapon("Hunter-killer", "HEAVY 1", "ONE SHOT", S=8, AP=3, R='48"')
    battle = shooting(unit(1, weapons=[missile]).at(10, 8), unit(1).at(10, 20), [("hit", [1])])
    fire(battle)
    assert battle.state.units[0].weapons_lost == {(0, 0)}


# -- targets, sight, cover --------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.shooting.target", "6e.core.fundamentals.measuring")
def test_range_is_measured_first_and_nobody_in_reach_is_protected() -> None:
    assert always_measures(has_targeter=False)
    captain = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Captain").at(20, 20)
    battle = shooting(
        unit(1, weapons=[RIFLE]).at(10, 8), [unit(1).at(10, 34), unit(1, name="Near").at(10, 14), captain], []
    )
    battle.answer(Pick("a.1"))
    assert offered(battle) == ["b.2", "b.3", "none"], "b.1 is out of range, the captain no better off than others"
    assert no_target_faults is SHOOTING.target_faults


@pytest.mark.rule("6e.core.shooting.line-of-sight")
def test_true_sight_past_other_units() -> None:
    assert sees_through_everything(inside_shooter=False, inside_target=False, depth=20.0)
    for height, seen in ((0.8, True), (9.0, False)):
        battle = shooting(unit(1, weapons=[CANNON]).at(10, 8), unit(1).at(10, 20), [], terrain=[wall(height)])
        if seen:
            battle.answer(Pick("a.1"))
            assert offered(battle) == ["b.1", "none"]
        else:
            battle.answer(Pick("a.1"))
            assert battle.decision is None or battle.decision.kind != "select-target"


@pytest.mark.rule("6e.core.shooting.cover-per-model", "6e.outside.cover-obscured")
@pytest.mark.rule("6e.core.shooting.area-terrain-cover")
def test_a_quarter_hidden_gives_cover_and_area_terrain_always() -> None:
    assert covering.is_hidden_enough(0.75)
    assert not covering.is_hidden_enough(0.76)
    assert covering.cover_of(5, []) == 5
    assert covering.cover_of(5, [], vehicle=True) is None
    assert covering.cover_of(None, [(0.5, 4), (0.9, 3)]) == 4
    assert covering.cover_of(5, [(0.2, 4)]) == 4
    targets = unit(2, T=4, Sv="-").on((10, 16), (12, 20))
    dice = [("hit", [4, 4, 4]), ("wound", [4, 4, 1]), ("save", [5]), ("losses", [1, 1])]
    battle = shooting(unit(1, weapons=[THREE]).at(10, 8), targets, dice, terrain=[woods()])
    fire(battle)
    assert standing(battle.state, 1) == [2], "the one in the open falls first, the one in the woods saves on 5+"


@pytest.mark.rule("6e.core.shooting.cover-table", "6e.core.shooting.cover-per-model")
def test_models_in_between_give_cover() -> None:
    screen = unit(5, name="Screen", base="60mm").at(8, 14, apart=2.4)
    dice = [("hit", [4]), ("wound", [4]), ("save", [5])]
    battle = shooting([unit(1, weapons=[CANNON]).at(12, 8), screen], unit(1, T=4, Sv="-").at(12, 20), dice)
    fire(battle)
    assert losses(battle, 2) == 0


@pytest.mark.rule("6e.core.shooting.cover-bonuses", "6e.core.special-rules.stealth-and-shrouded", "6e.core.units.swarm")
def test_bonuses_add_up_to_two_at_best() -> None:
    assert covering.with_bonuses(5, {"STEALTH"}) == 4
    assert covering.with_bonuses(5, {"STEALTH", "SHROUDED"}) == 2
    assert covering.with_bonuses(4, {"STEALTH", "SHROUDED"}) == 2
    assert covering.with_bonuses(None, {"STEALTH"}) == 6
    assert covering.with_bonuses(None, {"SWARM"}) == 6
    assert covering.with_bonuses(None, set()) is None
    assert covering.with_bonuses(None, set(), gone_to_ground=True) == 6


@pytest.mark.rule("6e.outside.jink", "6e.core.special-rules.skilled-rider", "6e.core.units.bike")
def test_who_jinks_has_a_save_of_his_own() -> None:
    assert covering.jink_save({"JINK"}, Kind.INFANTRY, moved=True, boosted=False) == 5
    assert covering.jink_save({"SKIMMER"}, Kind.VEHICLE, moved=True, boosted=True) == 4
    assert covering.jink_save(set(), Kind.BIKE, moved=True, boosted=False) == 5
    assert covering.jink_save({"SKILLED RIDER"}, Kind.BIKE, moved=True, boosted=False) == 4
    assert covering.jink_save({"JINK"}, Kind.INFANTRY, moved=False, boosted=False) is None
    assert covering.jink_save(set(), Kind.INFANTRY, moved=True, boosted=False) is None


@pytest.mark.rule("6e.core.shooting.night-fighting", "6e.outside.night-fighting", "6e.core.special-rules.night-vision")
def test_night_by_bands() -> None:
    assert [covering.night_bonus(inches) for inches in (12.0, 12.1, 24.0, 24.1, 36.0)] == [0, 1, 1, 2, 2]
    assert covering.night_bonus(30.0, sees_at_night=True) == 0
    assert in_the_dark(weapon("HEAVY 1"), 36.0, 36.0) is NightShot.AIMED
    assert in_the_dark(weapon("HEAVY 1"), 36.1, 36.0) is NightShot.NONE
    dice = [("hit", [4]), ("wound", [4]), ("save", [5])]
    battle = shooting(unit(1, weapons=[CANNON]).at(10, 4), unit(1, T=4, Sv="-").at(10, 34), dice, dark=True)
    fire(battle)
    assert losses(battle, 1) == 0, "Shrouded gives 5+ in the open"


# -- allocation -------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.shooting.allocation", "6e.core.shooting.equal-saves", "6e.core.shooting.allocation-ties")
def test_the_nearest_fall_first() -> None:
    assert allocating.nearest_rows({3: 10.0, 4: 8.0, 5: 8.0}) == [4, 5]
    targets = unit(3, T=4, Sv="5+").on((10, 24), (10, 20), (10, 22))
    dice = [("hit", [4, 4, 4]), ("wound", [4, 4, 4]), ("save", [4, 4, 5]), ("losses", [1, 1])]
    battle = shooting(unit(1, weapons=[printed_weapon("Gun", "HEAVY 3", AP="-")]).at(10, 8), targets, dice)
    fire(battle)
    assert standing(battle.state, 1) == [1]
    pair = unit(2, T=4, Sv="-").on((9, 20), (11, 20))
    dice = [("hit", [4]), ("wound", [4]), ("nearest", [2]), ("losses", [1, 1])]
    battle = shooting(unit(1, weapons=[CANNON]).at(10, 8), pair, dice)
    fire(battle)
    assert standing(battle.state, 1) == [1], "chance decides between two who are equally near"


@pytest.mark.rule("6e.core.shooting.allocation", "6e.core.shooting.instant-death")
def test_a_model_takes_wounds_until_it_dies() -> None:
    targets = unit(2, T=4, W=2, Sv="-").on((10, 20), (10, 24))
    battle = shooting(unit(1, weapons=[THREE]).at(10, 8), targets, [("hit", [4] * 3), ("wound", [4] * 3), LOSSES])
    fire(battle)
    assert [int(battle.state.wounds[row]) for row in (1, 2)] == [0, 1]
    strong = printed_weapon("Lascannon", "HEAVY 1", S=9, AP=2, R='48"')
    battle = shooting(unit(1, weapons=[strong]).at(10, 8), targets, [("hit", [4]), ("wound", [4]), LOSSES])
    fire(battle)
    assert [int(battle.state.wounds[row]) for row in (1, 2)] == [0, 2]


@pytest.mark.rule("6e.core.shooting.out-of-sight")
def test_who_is_out_of_range_of_everybody_takes_no_wound() -> None:
    targets = unit(2, T=4, Sv="-").on((10, 20), (10, 45))
    dice = [("hit", [4] * 3), ("wound", [4] * 3), ("losses", [1, 1])]
    gun = printed_weapon("Gun", "HEAVY 3", R='24"')
    battle = shooting(unit(1, weapons=[gun]).at(10, 8), targets, dice)
    fire(battle)
    assert standing(battle.state, 1) == [2], "the pool is lost when nobody is left"


@pytest.mark.rule("6e.core.shooting.wound-pool", "6e.core.shooting.order")
def test_the_firer_orders_the_groups_of_wounds() -> None:
    strong = printed_weapon("Lascannon", "HEAVY 1", S=9, AP=2, R='48"')
    firers = mixed("Firers", unit(1, weapons=[CANNON]), unit(1, weapons=[strong])).at(10, 8)
    targets = mixed("Targets", unit(1, name="Front", T=4, Sv="3+"), unit(1, name="Back", T=4, Sv="3+")).on(
        (10, 20), (10, 24)
    )
    dice = [("hit", [4]), ("wound", [4]), ("hit", [4]), ("wound", [4]), ("save", [3]), LOSSES]
    battle = shooting(firers, targets, dice)
    battle.answer(Pick("a.1"))
    while battle.decision is not None and battle.decision.kind != "order-wounds":
        answer(battle, {"select-target": "b.1"})
    assert battle.decision is not None
    assert battle.decision.side == 0
    battle.answer(Pick("1-0"))
    assert standing(battle.state, 1) == [3], "the lascannon has taken the front one, the other has saved"


@pytest.mark.rule("6e.core.shooting.focus-fire")
def test_focus_fire_spares_those_in_better_cover() -> None:
    assert allocating.focused({1: None, 2: 5, 3: 4}, None) == [1, 2, 3]
    assert allocating.focused({1: None, 2: 5, 3: 4}, 5) == [1, 2]
    assert allocating.focused({1: None, 2: 5}, 7) == [1]
    targets = unit(3, T=4, Sv="-").on((10, 19), (10, 21), (14, 28))
    dice = [("hit", [4] * 3), ("wound", [4] * 3), ("losses", [1, 1])]
    battle = shooting(unit(1, weapons=[THREE]).at(10, 8), targets, dice, terrain=[woods()])
    fire(battle, focus_fire="focus:7")
    assert standing(battle.state, 1) == [1, 2], "only the one in the open can be lost, and the rest is"


@pytest.mark.rule("6e.core.shooting.look-out-sir", "6e.core.characters.abilities")
def test_a_comrade_takes_the_wound_of_a_character() -> None:
    assert allocating.look_out_sir_on(model("INFANTRY", "CHARACTER")) == 4
    assert allocating.look_out_sir_on(model("INFANTRY", "INDEPENDENT CHARACTER")) == 2
    assert allocating.look_out_sir_on(model()) is None
    targets = mixed("Targets", unit(1, "INFANTRY", "CHARACTER", name="Leader", T=4, Sv="-"), unit(2, T=4, Sv="-")).on(
        (10, 20), (10, 22), (10, 27)
    )
    for face, left in ((4, [1, 3]), (3, [2, 3])):
        dice = [("hit", [4]), ("wound", [4]), ("look-out-sir", [face]), ("losses", [1, 1])]
        battle = shooting(unit(1, weapons=[CANNON]).at(10, 8), targets, dice)
        fire(battle)
        assert standing(battle.state, 1) == left


@pytest.mark.rule("6e.core.shooting.look-out-sir")
def test_a_comrade_in_cover_who_steps_in_is_taken_away_though_fire_is_focused_on_the_open() -> None:
    leader = unit(1, "INFANTRY", "CHARACTER", name="Leader", T=4, Sv="-")
    targets = mixed("Targets", leader, unit(1, T=4, Sv="-")).on((10, 19), (10, 21))
    dice = [("hit", [4]), ("wound", [4]), ("look-out-sir", [4]), ("save", [1]), ("losses", [1, 1])]
    battle = shooting(unit(1, weapons=[CANNON]).at(10, 8), targets, dice, terrain=[woods()])
    fire(battle, focus_fire="focus:7")
    assert standing(battle.state, 1) == [1]
    assert not battle.state.on_table[2]


@pytest.mark.rule("6e.core.shooting.precision-wound", "6e.core.characters.abilities")
def test_the_six_of_a_character_picks_its_victim() -> None:
    assert picks(model("INFANTRY", "CHARACTER"))
    assert not picks(model())
    leader = unit(1, "INFANTRY", "CHARACTER", name="Leader", weapons=[CANNON]).at(10, 8)
    targets = unit(3, T=4, Sv="-").on((10, 20), (10, 22), (10, 24))
    dice = [("hit", [6]), ("precise wound", [4]), ("losses", [1, 1])]
    battle = shooting(leader, targets, dice)
    fire(battle, precision_shot="model:3")
    assert standing(battle.state, 1) == [1, 2]


@pytest.mark.rule("6e.core.special-rules.fearless", "6e.outside.fearless", "6e.core.units.monstrous")
def test_who_goes_to_ground() -> None:
    def may(*kinds: Kind, fearless: bool = False, down: bool = False, falls_back: bool = False) -> bool:
        return allocating.may_go_to_ground(kinds, fearless=fearless, down=down, falls_back=falls_back)

    assert may(Kind.INFANTRY)
    assert not any(may(kind) for kind in (Kind.MONSTROUS, Kind.BIKE, Kind.VEHICLE))
    assert not any(
        (may(Kind.INFANTRY, fearless=True), may(Kind.INFANTRY, down=True), may(Kind.INFANTRY, falls_back=True))
    )
    dice = [("hit", [4]), ("wound", [4]), ("save", [6])]
    battle = shooting(unit(1, weapons=[CANNON]).at(10, 8), unit(1, T=4, Sv="-").at(10, 20), dice)
    fire(battle, go_to_ground="go-to-ground")
    assert battle.state.units[1].pinned
    assert losses(battle, 1) == 0, "6+ in the open"


@pytest.mark.rule("6e.core.weapons.pinning", "6e.outside.pinning")
def test_a_failed_pinning_test_sends_a_unit_to_the_ground() -> None:
    rifle = printed_weapon("Rifle", "HEAVY 1", "PINNING", R='36"')
    dice = [("hit", [4]), ("wound", [4]), ("pinning", [6, 5])]
    battle = shooting(unit(1, weapons=[rifle]).at(10, 8), unit(9, T=4, Sv="-").at(10, 20), dice)
    fire(battle)
    assert battle.state.units[1].pinned


# -- markers ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.weapons.blast", "6e.outside.scatter-die", "6e.outside.blast-sizes")
def test_blasts_scatter_by_two_dice_less_the_skill_and_hit_whatever_they_touch() -> None:
    assert diameter_of(weapon("BLAST")) == 3.0
    assert diameter_of(weapon("LARGE BLAST")) == 5.0
    assert laying.scatter_inches((3, 4), 4, aimed=True) == 3.0
    assert laying.scatter_inches((1, 2), 4, aimed=True) == 0.0
    assert laying.scatter_inches((3, 4), 4, aimed=False) == 7.0
    targets = unit(3, T=4, Sv="-").on((10, 24), (11, 24), (12.6, 24))
    dice = [("scatter", [1, 1, 1]), ("scatter-distance", [2, 2]), ("wound", [1, 1, 1])]
    battle = shooting(unit(1, weapons=[MISSILE]).at(10, 8), targets, dice)
    fire(battle)
    laid = next(event for event in battle.events if event.kind == "marker-laid").to_json()
    assert laid["hits"] == 3, "four inches less a skill of 4 leave it there, and the third one is only touched"


@pytest.mark.rule("6e.core.weapons.twin-linked", "6e.core.weapons.blast")
def test_a_twin_linked_blast_throws_its_scatter_again() -> None:
    missile = printed_weapon("Missile", "HEAVY 1", "BLAST", "TWIN-LINKED", S=4, AP=6, R='48"')
    dice = [("scatter", [1, 1, 1]), ("scatter-distance", [6, 6]), ("scatter", [6, 1, 1]), ("wound", [1])]
    battle = shooting(unit(1, weapons=[missile]).at(10, 8), unit(1, T=4).at(10, 24), dice)
    fire(battle)


@pytest.mark.rule("6e.core.weapons.barrage", "6e.core.weapons.barrage-battery")
def test_barrages_fire_unseen_and_their_wounds_begin_at_the_marker() -> None:
    hill = wall(9.0)
    targets = unit(2, T=4, Sv="-").on((10, 20), (10, 24))
    dice = [
        ("scatter", [1, 2, 4]),
        ("scatter-distance", [2, 2]),
        ("scatter", [1, 2, 4]),
        ("wound", [4]),
        ("pinning", [1, 1]),
        ("losses", [1, 1]),
    ]
    battle = shooting(unit(2, weapons=[MORTAR]).at(9, 4), targets, dice, terrain=[hill])
    fire(battle)
    laid = [event.to_json()["centre"] for event in battle.events if event.kind == "marker-laid"]
    assert laid == [[10000, 24000], [10000, 27000]], "four inches north, the second touching it"
    assert standing(battle.state, 1) == [2]


@pytest.mark.rule("6e.core.weapons.blast-casualties")
def test_a_blast_that_ends_out_of_sight_takes_models_that_are_not_seen() -> None:
    targets = unit(2, T=4, Sv="-").on((10, 13), (10, 20))
    dice = [("scatter", [1, 2, 4]), ("scatter-distance", [5, 6]), ("wound", [4]), ("losses", [1, 1])]
    battle = shooting(unit(1, weapons=[MISSILE]).at(10, 8), targets, dice, terrain=[wall(9.0, 16.0)])
    fire(battle)
    assert losses(battle, 1) == 1


@pytest.mark.rule("6e.core.weapons.template", "6e.core.weapons.torrent", "6e.core.special-rules.swarms")
def test_templates_ignore_cover_and_torrents_reach_further() -> None:
    flamer = printed_weapon("Flamer", "ASSAULT 1", "TEMPLATE", "TORRENT", R='20"', S=4, AP=5)
    swarm = unit(1, "INFANTRY", "SWARM", base="40mm", W=3, T=4, Sv="-").at(10, 24)
    battle = shooting(unit(1, weapons=[flamer]).at(10, 8), swarm, [("wound", [4])], terrain=[woods()])
    fire(battle)
    assert int(battle.state.wounds[1]) == 1, "its wounds double, and the woods do not help"


@pytest.mark.rule("6e.core.weapons.ordnance-penetration", "6e.core.weapons.master-crafted")
def test_ordnance_penetrates_with_the_higher_of_two_and_craft_repeats_a_miss() -> None:
    tank = squad(model("VEHICLE"))
    heavy = draft_attack(ATTACK, weapon("ORDNANCE 1", S="8"), AttackContext(skill=4), tank)
    assert heavy.penetration is PenetrationDice.BEST_OF_TWO
    crafted = weapon("MASTER-CRAFTED")
    assert may_repeat_a_miss(crafted, missed=True, used_this_turn=False)
    assert not may_repeat_a_miss(crafted, missed=True, used_this_turn=True)
    assert not may_repeat_a_miss(weapon(), missed=True, used_this_turn=False)


@pytest.mark.rule("6e.core.weapons.skyfire", "6e.outside.skyfire")
def test_skyfire_is_for_what_flies_or_skims() -> None:
    gun, flak = weapon("HEAVY 1"), weapon("HEAVY 1", "SKYFIRE")
    assert firing.snaps_at(gun, (), {"FLYER"}, True)
    assert not firing.snaps_at(gun, (), {"FLYER"}, False)
    assert not firing.snaps_at(gun, (), {"SKIMMER"}, False)
    assert not firing.snaps_at(flak, (), {"FLYER"}, True)
    assert not firing.snaps_at(flak, (), {"SKIMMER"}, False)
    assert firing.snaps_at(flak, (), {"INFANTRY"}, False)
    assert firing.snaps_at(gun, {"SKYFIRE"}, {"INFANTRY"}, False)
    missile = printed_weapon("Flak", "HEAVY 1", "SKYFIRE", S=7, AP=4, R='48"')
    battle = shooting(unit(1, weapons=[missile]).at(10, 8), unit(1).at(10, 20), [("hit", [5])])
    fire(battle)
    assert losses(battle, 1) == 0, "5 does not hit troops, whatever the skill"


@pytest.mark.rule("6e.core.weapons.thrown-grenades")
def test_one_model_of_a_unit_throws_a_grenade() -> None:
    assert [throwers(count) for count in (0, 1, 5)] == [0, 1, 1]
    frag = printed_weapon("Frag grenade", "ASSAULT 1", "GRENADE", S=3, AP="-", R='8"')
    men = unit(3, weapons=[frag, printed_weapon("Rifle", "ASSAULT 1", R='24"')]).at(10, 8)
    battle = shooting(men, unit(5).at(10, 14), [("hit", [1]), ("hit", [1, 1])])
    battle.answer(Pick("a.1"))
    answer(battle, {"select-target": "b.1"})
    battle.answer(Pick("weapon:0"))
    assert offered(battle) == ["weapon:1", "hold"]
    battle.answer(Pick("weapon:1"))
    told = next(event for event in battle.events if event.kind == "attacks-declared").to_json()
    assert told["pools"] == [["Frag grenade", 1, "b.1"], ["Rifle", 2, "b.1"]]


@pytest.mark.rule("6e.core.weapons.concussive")
def test_who_loses_a_wound_to_a_concussive_weapon_strikes_at_initiative_one() -> None:
    gun = printed_weapon("Thunder gun", "HEAVY 1", "CONCUSSIVE", S=4, AP=5, R='48"')
    targets = unit(2, T=4, W=2, I=4, Sv="-").on((10, 20), (10, 24))
    battle = shooting(unit(1, weapons=[gun]).at(10, 8), targets, [("hit", [4]), ("wound", [4])])
    fire(battle)
    bout = Bout(strength=4, weapon_skill=4, initiative=4, attacks=1)
    fights = [bout_in(battle.scene, battle.state, [0, 1], 1, row, bout).initiative for row in (1, 2)]
    assert fights == [1, 4]
