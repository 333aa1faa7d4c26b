"""Fire at vehicles in the 4th edition: which side is struck, penetration, and the tables that follow."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.support.classic import UnitSpec, model, scene, squad, unit, weapon
from tests.support.gunfire import asked, fire, gun, gunner, keys, results, tank

from battlewright.attacks.exact import exact
from battlewright.core.bases import Base, Pose
from battlewright.core.decisions import Pick
from battlewright.core.table import TerrainArea, TerrainFeature
from battlewright.editions.classic.armour import Verdict, verdict
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.state import Phase
from battlewright.editions.classic.vehicles import facing_of
from battlewright.editions.fourth.attack import ATTACK

Dice = Sequence[tuple[str, Sequence[int]]]


def shooting(
    a: UnitSpec | Sequence[UnitSpec], b: UnitSpec | Sequence[UnitSpec], *dice: tuple[str, Sequence[int]]
) -> ClassicBattle:
    return scene(a, b, phase=Phase.SHOOTING, alone=True, edition="4", dice=dice)


# -- whom -------------------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "4e.vehicle-shooting.one-target", "4e.vehicle-shooting.crew-bs", "4e.vehicles-as-targets.to-hit-normal"
)
def test_all_weapons_of_a_vehicle_fire_at_one_unit_with_the_skill_of_its_crew() -> None:
    guns = [gun("Turret gun", "HEAVY 1", "TURRET"), gun("Side gun", "HEAVY 1", "SPONSON")]
    firer = tank(BS=3, weapons=guns).at(30, 10, facing=90)
    battle = shooting(firer, [tank(name="A").at(28, 30), tank(name="B").at(33, 30)], ("hit", [3]), ("hit", [3]))
    fire(battle, target="b.1")
    shots = [event for event in battle.events if event.kind == "stage-resolved"]
    assert [(each.target, each.needed) for each in shots] == [("b.1", 4)] * 2  # type: ignore[attr-defined]
    assert results(battle) == [], "a 3 misses with a BS of 3"
    marksman = shooting(gunner().at(30, 10), tank("SKIMMER").at(30, 30), ("hit", [3]), ("penetration", [1]))
    fire(marksman)
    assert results(marksman) == [], "a BS of 4 hits a skimmer on 3, as it hits infantry"


@pytest.mark.rule("4e.vehicles-as-targets.all-shots")
def test_riflemen_may_not_hold_their_fire_for_a_better_target() -> None:
    squad_ = [unit(1, weapons=[gun("Rifle", "ASSAULT 1", S=3)], name="Rifles"), gunner()]
    together = UnitSpec(
        tuple(each for spec in squad_ for each in spec.models), "Squad", components=squad_[0].components
    )
    firers, foes = together.on((30, 10), (32, 10)), [tank(AV="14/14/14").at(30, 30), unit(3, name="Foot").at(40, 30)]
    battle = shooting(firers, foes, ("hit", [1]), ("hit", [1]))
    battle.answer(Pick("a.1"))
    battle.answer(Pick("b.1"))
    while asked(battle) == "select-weapon":
        assert "hold" not in keys(battle), "every weapon fires at the tank"
        assert battle.decision is not None
        battle.answer(battle.decision.default())
    assert battle.decision is None


@pytest.mark.rule("4e.vehicles-as-targets.engaged-walkers")
def test_a_walker_in_close_combat_is_no_target() -> None:
    walker = tank("WALKER", WS=4, S=6, I=3, A=2).at(30, 30)
    friend = unit(1, name="Friend").at(31.673, 30)
    battle = shooting([gunner().at(30, 10), friend], [walker, tank(name="Other").at(40, 30)])
    battle.answer(Pick("a.1"))
    assert keys(battle) == ["b.2", "none"]


@pytest.mark.rule("4e.vehicles-as-targets.bailed-out-targets")
def test_passengers_who_were_put_out_are_a_target_for_whoever_fires_later() -> None:
    carrier = tank(abilities=("Transport Capacity 10",)).at(30, 30)
    riders = unit(2, Sv="2+", name="Riders").having(embarked=1)
    firers = [gunner(name="First").at(28, 8), gunner(name="Second").at(32, 8)]
    dice = [("hit", [4]), ("penetration", [6]), ("penetrating table", [4]), ("passengers", [1, 1])]
    battle = scene(
        firers, [carrier, riders.having(embarked=2)], phase=Phase.SHOOTING, alone=True, edition="4", dice=dice
    )
    fire(battle, "a.1", "b.1")
    assert battle.state.units[3].embarked == -1
    battle.answer(Pick("a.2"))
    assert keys(battle) == ["b.2", "none"]


@pytest.mark.rule("4e.vehicle-los.los-needed")
def test_a_tank_fires_at_nothing_behind_a_hill() -> None:
    outline = ((20.0, 18.0), (40.0, 18.0), (40.0, 20.0), (20.0, 20.0))
    hill = TerrainArea(id="hill", polygon=outline, features=(TerrainFeature("hill", outline, 6.0),))
    firer = tank(weapons=[gun()]).at(30, 10, facing=90)
    foes = [unit(1, name="Hidden").at(30, 30), unit(1, name="Open").at(55, 12)]
    battle = scene(firer, foes, phase=Phase.SHOOTING, alone=True, edition="4", terrain=[hill])
    battle.answer(Pick("a.1"))
    assert keys(battle) == ["b.2", "none"]


@pytest.mark.rule("4e.vehicle-los.from-weapon")
def test_a_low_wreck_blocks_the_gun_in_the_hull_and_not_the_turret() -> None:
    # 1.2" of wreckage just before the hull, whose gun is 1" above the ground; the turret's is at almost 2".
    outline = ((28.5, 12.0), (31.5, 12.0), (31.5, 13.0), (28.5, 13.0))
    wreckage = TerrainArea(id="wreck", polygon=outline, features=(TerrainFeature("wreck", outline, 1.2),))
    guns = [gun("Turret gun", "HEAVY 1", "TURRET"), gun("Hull gun", "HEAVY 1", "HULL")]
    firer = tank(weapons=guns).at(30, 10, facing=90).having(immobilised=True)
    battle = scene(
        firer, tank().at(30, 30), phase=Phase.SHOOTING, alone=True, edition="4", terrain=[wreckage], dice=[("hit", [1])]
    )
    fire(battle)
    declared = [event for event in battle.events if event.kind == "attacks-declared"]
    assert declared[0].pools == (("Turret gun", 1, "b.1"),)  # type: ignore[attr-defined]
    free = scene(firer, tank().at(30, 30), phase=Phase.SHOOTING, alone=True, edition="4", dice=[("hit", [1])] * 2)
    fire(free)


# -- how --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.vehicle-main-defensive.as-infantry")
def test_three_shots_hit_wound_and_are_saved_against() -> None:
    firer = tank(BS=4, weapons=[gun("Heavy bolter", "HEAVY 3", S=5, AP=6)]).at(30, 10, facing=90)
    battle = shooting(firer, unit(5, name="Foot").at(28, 30), ("hit", [3, 4, 2]), ("wound", [3, 2]), ("save", [2]))
    fire(battle)
    assert int((battle.state.wounds[1:] > 0).sum()) == 4


@pytest.mark.rule("4e.vehicle-weapons.no-infantry-limits")
def test_a_heavy_weapon_of_a_tank_that_moved_fires_all_its_shots_at_full_range() -> None:
    firer = (
        tank(weapons=[gun("Autocannon", "HEAVY 2", S=7)]).at(30, 0.5, facing=90).having(moved=True, moved_distance=5000)
    )
    battle = shooting(firer, unit(5, name="Foot").at(28, 45), ("hit", [1, 1]))
    fire(battle)
    rifle = tank(weapons=[gun("Rifle", "RAPID FIRE", S=4, R='24"')]).at(30, 10, facing=90)
    moving = shooting(rifle.having(moved=True, moved_distance=5000), unit(5, name="Foot").at(28, 30), ("hit", [1]))
    fire(moving)


@pytest.mark.rule("4e.vehicle-weapons.walker-charge-after-fire")
def test_a_walker_charges_after_it_has_fired_heavy_weapons() -> None:
    walker = tank("WALKER", WS=4, S=6, I=3, A=2, weapons=[gun("Autocannon", "HEAVY 2", S=4, AP=6)]).at(
        30, 20, facing=90
    )
    foot = gunner(gun("Bolter", "HEAVY 1", S=4), name="Foot").at(40, 20)
    foes = unit(5, name="Foes", Sv="2+").at(30, 26)
    dice = [("hit", [1, 1]), ("hit", [1])]
    battle = scene([walker, foot], foes, phase=Phase.SHOOTING, edition="4", dice=dice)
    fire(battle, "a.1")
    fire(battle, "a.2")
    while battle.state.phase == Phase.SHOOTING:
        assert battle.decision is not None
        battle.answer(battle.decision.default())
    assert battle.state.phase == Phase.ASSAULT
    assert keys(battle) == ["a.1", "end"], "the man with the heavy weapon may not"


# -- which side -------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.vehicle-armour.facing")
def test_from_behind_the_rear_armour_is_struck() -> None:
    assert facing_of(Base.parse("60mm"), Pose(30, 20, 0, 90), (30, 5)) is Facing.REAR
    behind = shooting(
        gunner(gun(S=4)).at(30, 5),
        tank(AV="14/12/10").at(30, 20, facing=90),
        ("hit", [4]),
        ("penetration", [6]),
        ("glancing table", [1]),
    )
    fire(behind)
    assert results(behind) == ["crew shaken"]


BIG = "hull 8x5in"


@pytest.mark.rule("4e.vehicle-armour.partial-blast", "4e.vehicle-armour.direct-template-side")
def test_the_rim_of_a_blast_has_half_its_strength_and_strikes_from_the_firer() -> None:
    # The hole lies over the man beside the tank; the rim clips its side, but the shot came from the front: 8.
    blast = gun("Plasma cannon", "HEAVY 1", "BLAST", S=9, AP=2)
    foes = [unit(1, name="Man").at(33.3, 29), tank(base=BIG, AV="8/6/5").at(30, 26.5, facing=270)]
    battle = shooting(
        gunner(blast).at(30, 5),
        foes,
        ("target priority", [1, 1]),
        ("hit", [4]),
        ("wound", [1]),
        ("penetration", [4]),
        ("glancing table", [1]),
    )
    fire(battle, "a.1", "b.1")
    assert results(battle) == ["crew shaken"], "4 and a die of 4 glance off armour 8; nothing is rolled for touching it"


@pytest.mark.rule("4e.vehicle-armour.partial-blast", "4e.vehicle-armour.barrage-hole-off")
def test_a_barrage_that_bursts_behind_a_tank_hits_its_rear_at_half_strength() -> None:
    shell = gun("Earthshaker", "ORDNANCE 1", "BARRAGE", S=9, AP=3, R='120"')
    firer = tank(weapons=[shell]).at(30, 3, facing=90)
    target = tank(base=BIG, AV="13/12/10").at(30, 26.5, facing=270)
    # Scattered by 5" straight up: 1" behind a hull of 8" whose middle it was aimed at.
    battle = shooting(
        firer,
        target,
        ("scatter", [1, 2, 4]),
        ("scatter-distance", [5]),
        ("penetration", [6]),
        ("penetration-second-glancing", [6]),
        ("glancing table", [1]),
    )
    fire(battle)
    assert results(battle) == ["crew shaken"]


@pytest.mark.rule("4e.vehicle-armour.barrage-hole-over")
def test_a_barrage_with_its_hole_over_a_tank_strikes_the_side_towards_the_firer() -> None:
    shell = gun("Earthshaker", "ORDNANCE 1", "BARRAGE", S=9, AP=3, R='120"')
    firer = tank(weapons=[shell]).at(5, 26.5, facing=0)
    target = tank(base=BIG, AV="14/12/14").at(40, 26.5, facing=270)
    battle = shooting(
        firer,
        target,
        ("scatter", [6, 1, 1]),
        ("penetration", [3]),
        ("penetration-second-glancing", [3]),
        ("glancing table", [1]),
    )
    fire(battle)
    assert results(battle) == ["crew shaken"], "9 and 3 glance off the 12 of its side"


# -- penetration and tables -------------------------------------------------------------------------------------


@pytest.mark.rule("4e.armour-penetration.bounce", "4e.armour-penetration.glance", "4e.armour-penetration.penetrate")
@pytest.mark.rule("4e.armour-penetration.example-predator")
def test_totals_against_armour() -> None:
    assert [verdict(7 + 4, armour) for armour in (12, 11, 10)] == [Verdict.NONE, Verdict.GLANCING, Verdict.PENETRATING]
    assert verdict(9 + 4, 13) is Verdict.GLANCING
    predator = shooting(
        gunner().at(30, 10),
        tank(AV="13/11/10").at(30, 30, facing=270),
        ("hit", [4]),
        ("penetration", [4]),
        ("glancing table", [1]),
    )
    fire(predator)
    assert results(predator) == ["crew shaken"]


@pytest.mark.rule("4e.armour-penetration.roll", "4e.vehicles-as-targets.penetration-per-hit", "4e.damage-rolls.roll")
def test_every_hit_is_rolled_for_and_every_glance_and_penetration() -> None:
    cannon = gun("Assault cannon", "HEAVY 3", S=7, AP=4)
    dice = [("hit", [4, 4, 4]), ("penetration", [5, 5, 6]), ("glancing table", [1, 2]), ("penetrating table", [1])]
    battle = shooting(gunner(cannon).at(30, 10), tank().at(30, 30, facing=270), *dice)
    fire(battle)
    assert results(battle) == ["crew shaken", "crew shaken", "crew stunned"]


@pytest.mark.rule("4e.ordnance.two-dice", "4e.damage-rolls.three-tables")
def test_ordnance_takes_the_higher_of_two_dice_and_has_its_own_table() -> None:
    tank_, context = squad(model("VEHICLE", AV="14/12/10")), AttackContext(skill=4, automatic=True)
    shell = compile_volley(ATTACK, weapon("ORDNANCE 1", S=8, AP=3), 1, context, tank_)
    # 8 and a 6 glance off 14: unless both dice fail; a glance of ordnance is rolled for on the glancing table.
    assert exact(shell).p_destroyed == pytest.approx(11 / 36 / 6)
    weaker = squad(model("VEHICLE", AV="9/9/9"))
    names = [step.name for step in compile_volley(ATTACK, weapon("ORDNANCE 1", S=8, AP=3), 1, context, weaker).steps]
    assert names[-2:] == ["glancing table", "ordnance table"]
    names = [step.name for step in compile_volley(ATTACK, weapon("HEAVY 1", S=8, AP=3), 1, context, weaker).steps]
    assert names[-2:] == ["glancing table", "penetrating table"]
    firer = tank(weapons=[gun("Shell", "ORDNANCE 1", S=8, AP=3)]).at(30, 10, facing=90)
    dice = [("scatter", [6, 1, 1]), ("penetration", [3]), ("penetration-second", [6]), ("glancing table", [1])]
    battle = shooting(firer, tank(AV="14/12/10", base=BIG).at(30, 30, facing=270), *dice)
    fire(battle)
    assert results(battle) == ["crew shaken"]
