"""Vehicles, walkers, grenades and monstrous creatures in the close combat of the 4th edition."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.test_third_assault_phase import play
from tests.support.classic import UnitSpec, model, printed_weapon, scene, unit

from battlewright.core.decisions import Pick
from battlewright.core.dice import SeededDice
from battlewright.editions.classic.armour import Verdict, verdict
from battlewright.editions.classic.procedures.aftermath import may_advance
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.procedures.vehicle_blows import facing_struck
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Phase
from battlewright.editions.classic.vehicles import may_be_locked
from battlewright.editions.fourth.assault import (
    facing,
    grenade_on_walker,
    hampered,
    needed,
    results_count,
    spare_weapons,
    wounds_of_losing,
)

TANK = unit(1, "VEHICLE", name="Tank", AV="12/10/10", base="hull 6x4in")
SKIMMER = model("VEHICLE", "SKIMMER", AV="10/10/10")
DREAD = printed_weapon("Dreadnought close combat weapon", "POWER WEAPON", melee=True, S=10)


def walker(**more: Any) -> UnitSpec:
    values = {"WS": 4, "S": 6, "I": 4, "A": 2, "AV": "12/12/10", **more}
    return unit(1, "VEHICLE", "WALKER", name="Walker", base="60mm", **values)


def fight(
    a: UnitSpec | list[UnitSpec], b: UnitSpec | list[UnitSpec], *dice: tuple[str, list[int]], **more: Any
) -> ClassicBattle:
    seed = more.pop("seed", None)
    source = list(dice) if seed is None else SeededDice(seed)
    return scene(a, b, phase=Phase.ASSAULT, alone=True, dice=source, edition="4", **more)


@pytest.mark.rule("4e.skimmers-assault.can-be-assaulted", "4e.assault-launch.charge")
@pytest.mark.rule("4e.assaulting-vehicles.not-locked", "4e.assault-results.both-free", "4e.assault-results.can-be-shot")
def test_a_vehicle_is_charged_like_a_unit_and_locks_nobody() -> None:
    skimmer = unit(1, "VEHICLE", "SKIMMER", name="Skimmer", AV="10/10/10", base="60mm").at(10, 16)
    battle = fight(unit(1).at(10, 10), skimmer, seed=3)
    play(battle, ("a.1", "b.1"))
    if living(battle.state, 1):
        assert not in_combat(battle.scene, battle.state, 0)
    assert not may_be_locked({"VEHICLE", "SKIMMER"})


@pytest.mark.rule("4e.assault-launch.facing")
def test_the_side_that_faced_the_striker_when_he_charged_is_struck() -> None:
    assert facing(model("VEHICLE", AV="12/10/10"), Facing.SIDE, Facing.FRONT, False) is Facing.FRONT
    battle = fight(unit(1).at(20, 27), TANK.on((20, 24, 0, 0)), seed=1)
    begun = battle.state.units[0]
    assert facing_struck(battle.scene, battle.state, 0, 1) is Facing.SIDE
    begun.charged_from = ((0, 30000, 24000),)
    assert facing_struck(battle.scene, battle.state, 0, 1) is Facing.FRONT


@pytest.mark.rule("4e.assault-hits.table", "4e.assault-hits.skimmers", "4e.assault-hits.displacement")
def test_what_a_blow_needs_goes_by_how_far_the_vehicle_came() -> None:
    tank = model("VEHICLE", AV="12/10/10")
    assert [needed(tank, False, inches) for inches in (0.0, 3.0, 5.0, 6.0, 7.0)] == [1, 4, 4, 4, 6]
    assert needed(tank, True, 12.0) == 1
    assert needed(SKIMMER, False, 0.0) == 6
    assert needed(SKIMMER, True, 0.0) == 1


@pytest.mark.rule("4e.assault-hits.displacement")
def test_driving_back_and_forth_does_not_count() -> None:
    tank = TANK.on((20, 24, 0, 180)).having(moved_before=13000, displaced_before=3000)
    battle = fight(unit(1, S=8).at(14, 24), tank, ("hit", [4, 3]), ("penetration", [1]))
    play(battle, ("a.1", "b.1"))
    assert living(battle.state, 1)


@pytest.mark.rule("4e.assault-penetration.roll")
def test_penetration_is_a_die_and_the_strength() -> None:
    assert verdict(4 + 6, 10) is Verdict.GLANCING
    tank = TANK.on((20, 24, 0, 180)).having(displaced_before=5000)
    battle = fight(unit(1, S=4).at(14, 24), tank, ("hit", [4, 3]), ("penetration", [5]))
    play(battle, ("a.1", "b.1"))
    assert living(battle.state, 1), "4 and 5 are less than 10"


@pytest.mark.rule("4e.assault-results.no-sweep-consolidate")
def test_nobody_consolidates_after_destroying_a_tank() -> None:
    battle = fight(
        unit(1, A=3, abilities=("Krak Grenades",)).at(14, 24),
        TANK.on((20, 24, 0, 0)),
        ("penetration", [6]),
        ("penetrating table", [4]),
    )
    kinds = []
    while battle.decision is not None:
        kinds.append(battle.decision.kind)
        options = [option.key for option in battle.decision.options()]
        battle.answer(Pick("a.1") if "a.1" in options else battle.decision.default())
    assert living(battle.state, 1) == []
    assert "move-consolidate" not in kinds


@pytest.mark.rule("4e.grenades.kinds", "4e.grenades.one-attack", "4e.grenades.table")
def test_a_grenade_is_one_attack_in_place_of_all() -> None:
    tank = TANK.on((20, 24, 0, 180)).having(displaced_before=5000)
    battle = fight(unit(1, A=2, abilities=("Melta Bombs",)).at(14, 24), tank, ("hit", [4]), ("penetration", [1, 2]))
    play(battle, ("a.1", "b.1"))
    assert living(battle.state, 1), "8 and 3 are less than 12"


@pytest.mark.rule("4e.walker-assault.as-infantry", "4e.walker-assault.hits-penetrate", "4e.walker-assault.front-armour")
def test_a_walker_fights_as_infantry_and_is_struck_in_front() -> None:
    dread = model("VEHICLE", "WALKER", WS=4, S=6, I=4, A=2, AV="12/12/10")
    assert needed(dread, False, 6.0) is None, "the skills decide"
    assert facing(dread, Facing.REAR, Facing.REAR, False) is Facing.FRONT
    battle = fight(
        unit(1, I=5, W=4).at(10, 20), walker().at(10, 21.673),
        ("hit", [4]), ("penetration", [6]), ("hit", [4, 1]), ("wound", [2]), ("save", [6]),
    )  # fmt: skip
    play(battle)
    assert living(battle.state, 1), "4 and 6 are less than 12"


@pytest.mark.rule("4e.walker-assault.reduced-attacks")
def test_a_hampered_walker_has_one_attack_fewer_whatever_it_has_suffered() -> None:
    assert hampered(3, True, True, False) == 2
    assert hampered(3, False, False, True) == 2
    assert hampered(3, False, False, False) == 3


@pytest.mark.rule("4e.walker-assault.damage-counts-wound")
def test_every_result_on_a_damage_table_counts_as_a_wound() -> None:
    dread = model("VEHICLE", "WALKER", WS=4, S=6, I=4, A=2, AV="12/12/10")
    assert results_count(dread, 2, 0) == 2
    assert results_count(model("VEHICLE", AV="10/10/10"), 2, 0) == 0


@pytest.mark.rule("4e.walker-assault.no-morale", "4e.walker-assault.loss-is-draw")
@pytest.mark.rule("4e.walker-assault.only-destruction", "4e.walker-assault.no-retreat")
def test_a_walker_that_loses_takes_no_test_and_stays_locked() -> None:
    battle = fight(
        unit(1, I=5, S=8, W=9).at(10, 20), walker(A=1).at(10, 21.673),
        ("hit", [4]), ("penetration", [4]), ("glancing table", [1]),
    )  # fmt: skip
    play(battle)
    assert in_combat(battle.scene, battle.state, 1)
    resolved = next(event for event in battle.events if event.kind == "combat-resolved").to_json()
    assert resolved["wounds"] == [1, 0]
    assert not [event for event in battle.events if event.kind == "leadership-tested"]
    assert wounds_of_losing(1, 10, 1) == 4, "heavily outnumbered it suffers for not running"


@pytest.mark.rule("4e.walker-grenades.allowed", "4e.walker-grenades.six-to-hit", "4e.walker-grenades.one-attack")
@pytest.mark.rule("4e.walker-grenades.helpless-walker")
def test_a_grenade_on_a_walker_needs_a_six_unless_it_is_helpless() -> None:
    assert grenade_on_walker(False) == 6
    assert grenade_on_walker(True) == 0
    for flags, face, hits in (({}, 5, False), ({"stunned": frozenset({1})}, 4, True)):
        dice: list[tuple[str, list[int]]] = [("hit", [face])]
        dice += [("penetration", [1])] if hits else []
        battle = fight(
            unit(1, I=5, A=3, S=3, W=9, abilities=("Krak Grenades",)).at(10, 20),
            walker(A=2).at(10, 21.673).having(**flags),
            *dice,
            ("hit", [1] if flags else [1, 1]),
        )
        play(battle)
        assert living(battle.state, 1)


@pytest.mark.rule("4e.walker-grenades.allowed", "4e.walker-grenades.one-attack", "4e.walker-grenades.six-to-hit")
def test_the_owner_says_whether_a_walker_is_struck_with_grenades() -> None:
    def struck(answer: str, *dice: tuple[str, list[int]]) -> list[str]:
        bomber = unit(1, I=5, A=3, S=6, W=9, abilities=("Krak Grenades", "Melta Bombs")).at(10, 20)
        battle = fight(bomber, walker(A=2).at(10, 21.673), *dice, ("hit", [1, 1]))
        keys: list[str] = []
        while battle.decision is not None:
            grenade = battle.decision.kind == "select-grenade"
            keys += [option.key for option in battle.decision.options()] if grenade else []
            battle.answer(Pick(answer) if grenade else battle.decision.default())
        return keys

    assert struck("own", ("hit", [1, 1, 1])) == ["own", "grenade:0", "grenade:1"], "three attacks of its own"
    assert struck("grenade:0", ("hit", [6]), ("penetration", [1, 2]))
    assert struck("grenade:1", ("hit", [5])), "5 is no 6"


@pytest.mark.rule("4e.core.weapons.thunder-hammer")
@pytest.mark.parametrize(("face", "shaken"), [(4, True), (3, False)])
def test_a_thunder_hammer_shakes_the_crew_that_it_damages(face: int, shaken: bool) -> None:
    hammer = printed_weapon("Thunder hammer", "THUNDER HAMMER", melee=True)
    told = [("glancing table", [5])] if shaken else []
    battle = fight(
        unit(1, W=9, weapons=[hammer]).at(10, 20), walker(A=1).at(10, 21.673),
        ("hit", [1]), ("hit", [4]), ("penetration", [face]), *told,
    )  # fmt: skip
    play(battle)
    mine = battle.state.units[1]
    assert (mine.immobilised == {1}) == shaken, "the result of the table"
    assert (mine.shaken == {1}) == shaken


@pytest.mark.rule("4e.walker-pile-in.pile-in")
def test_a_walker_piles_in_unless_it_is_immobilised() -> None:
    for immobile in (False, True):
        flags = {"immobilised": frozenset({2})} if immobile else {}
        battle = fight(
            unit(2, I=1, Sv="-").on((10, 20), (10, 17.5)),
            walker(I=5, A=2).at(10, 21.673).having(**flags),
            ("hit", [4] if immobile else [4, 1]),
            ("wound", [4]),
            ("hit", [1]),
            ("lost combat", [1, 1]),
            turn=1,
        )
        prompts = []
        while battle.decision is not None:
            prompts.append(battle.decision.prompt)
            ends = battle.decision.kind == "select-unit-to-assault"
            battle.answer(Pick("end") if ends else Pick("model:0") if battle.decision.kind == "select-model" else
                          battle.decision.default())  # fmt: skip
        assert ("Walker closes in" in prompts) != immobile
        assert in_combat(battle.scene, battle.state, 1), "who can move does"


@pytest.mark.rule("4e.walker-advance.condition")
def test_a_stunned_or_immobilised_walker_neither_sweeps_nor_consolidates() -> None:
    for flags, may in (({}, True), ({"stunned": frozenset({0})}, False), ({"immobilised": frozenset({0})}, False)):
        others = unit(1, name="Others").at(50, 20)
        battle = fight([walker().at(10, 20).having(**flags), others], unit(1).at(10, 40), seed=1)
        assert may_advance(battle, 0) == may


@pytest.mark.rule("4e.dreadnought-weapons.double-strength", "4e.dreadnought-weapons.no-armour-save")
def test_a_dreadnoughts_weapon_doubles_its_strength_and_allows_no_armour_save() -> None:
    battle = fight(
        walker(I=5, A=1, weapons=[DREAD]).at(10, 21.673), unit(1, I=1, T=6, Sv="2+").at(10, 20),
        ("hit", [4]), ("wound", [2]), ("consolidation", [1]),
    )  # fmt: skip
    play(battle)
    assert standing(battle.state, 1) == []


@pytest.mark.rule("4e.dreadnought-weapons.two-weapons", "4e.dreadnought-weapons.arm-lost")
@pytest.mark.rule("4e.dreadnought-weapons.weapon-lost")
def test_two_weapons_give_an_attack_that_is_lost_with_an_arm() -> None:
    assert [spare_weapons(count) for count in (0, 1, 2, 3)] == [0, 0, 1, 1]
    for lost, hits in ((frozenset(), 3), (frozenset({(0, 0)}), 2), (frozenset({(0, 0), (0, 1)}), 2)):
        battle = fight(
            walker(I=5, A=2, weapons=[DREAD, DREAD]).at(10, 21.673).having(weapons_lost=lost),
            unit(1, I=1, W=9).at(10, 20),
            ("hit", [1] * hits),
            ("hit", [1]),
        )
        play(battle)
        assert standing(battle.state, 1)


@pytest.mark.rule("4e.monstrous.no-armour-save", "4e.monstrous.vehicle-penetration", "4e.monstrous.special-weapon")
def test_a_monstrous_creature_allows_no_armour_save_and_penetrates_with_two_dice() -> None:
    monster = unit(1, "MONSTROUS CREATURE", name="Monster", I=5, A=1, S=6, W=4, base="60mm")
    battle = fight(
        monster.at(10, 21.673), unit(1, I=1, Sv="2+").at(10, 20), ("hit", [4]), ("wound", [4]), ("consolidation", [1])
    )
    play(battle)
    assert standing(battle.state, 1) == [], "no save against it"
    tank = TANK.on((20, 24, 0, 180)).having(displaced_before=5000)
    battle = fight(monster.at(14, 24), tank, ("hit", [4, 1]), ("penetration", [1, 3]))
    play(battle, ("a.1", "b.1"))
    assert living(battle.state, 1), "6 and 4 are less than 12"
