"""Chariots of the 6th edition: riders, sweeps, charges, fighting from the platform, what becomes of the rider."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.support.classic import UnitSpec, printed_weapon, scene, unit

from battlewright.core.decisions import ModelMove, Pick, Place
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.events import CombatResolved
from battlewright.editions.classic.kinds import move_allowance
from battlewright.editions.classic.procedures.aiming import targets_of
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.procedures.dashing import second_move_of
from battlewright.editions.classic.procedures.nerve import passes_without_roll
from battlewright.editions.classic.procedures.passengers import transports_for
from battlewright.editions.classic.procedures.vehicle_hits import harm_vehicle
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.special_rules import Guard, Saves, Test
from battlewright.editions.classic.state import Deed, MoveKind, Phase
from battlewright.editions.classic.transports import Boarding
from battlewright.editions.happenings import StageResolved
from battlewright.editions.sixth.charging import why_no_charge, why_not_this
from battlewright.editions.sixth.chariots import (
    better_save,
    hammer_blows,
    may_sweep,
    names_of_rider,
    riders_of,
    sweep_needs,
    why_no_rider,
)
from battlewright.editions.sixth.movement import KINDS
from battlewright.editions.sixth.vehicles import why_no_boarding

SCYTHE = printed_weapon("Scythe", melee=True, S="+2", AP="1")
WORDS = ("CHARIOT", "FAST", "SKIMMER", "OPEN-TOPPED")


def sixth(*sides: Any, **more: Any) -> ClassicBattle:
    return scene(*sides, edition="6", alone=True, **more)


def chariot(*words: str, name: str = "Barge", **more: Any) -> UnitSpec:
    features = {"HP": 3, "AV": "11/11/11", "base": "hull 4x3in", "abilities": ["TRANSPORT CAPACITY 1"], **more}
    return unit(1, "VEHICLE", *(words or WORDS), name=name, height=2.0, **features)


def rider(transport: int = 0, **more: Any) -> UnitSpec:
    features = {"S": 5, "A": 3, "W": 3, "T": 5, "I": 2, "Ld": 10, "WS": 4, "weapons": [SCYTHE], **more}
    return unit(1, "INFANTRY", "CHARACTER", name="Lord", **features).having(embarked=transport, deployed=True)


def fly(battle: ClassicBattle, *points: Sequence[float]) -> None:
    """The chariot a.1 flies to a point."""
    battle.answer(Pick("a.1"))
    if battle.decision.kind == "select-move":
        battle.answer(Pick("normal"))
    path = tuple((round(x * 1000), round(y * 1000), 0, 0) for x, y in points)
    battle.answer(Place((ModelMove(0, path),)))


def charge(battle: ClassicBattle, target: str = "b.1", **answers: str) -> list[str]:
    """The chariot a.1 charges, everything is fought; answers by kind of decision, else by default. What was asked."""
    kinds, gone = [], False
    while battle.decision is not None:
        decision, kind = battle.decision, battle.decision.kind.replace("-", "_")
        kinds.append(decision.kind)
        listed = [option.key for option in decision.options()]
        if kind == "select_unit_to_assault":
            battle.answer(Pick("end" if gone or "a.1" not in listed else "a.1"))
            gone = True
        elif kind == "select_unit_assaulted":
            battle.answer(Pick(target if target in listed else "none"))
        elif kind in answers and answers[kind] in listed:
            battle.answer(Pick(answers[kind]))
        else:
            battle.answer(decision.default())
    return kinds


def rolled(battle: ClassicBattle, stage: str) -> list[StageResolved]:
    return [event for event in battle.events if isinstance(event, StageResolved) and event.stage == stage]


# -- riders -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.chariots.single-rider")
def test_a_chariot_carries_one_character() -> None:
    assert why_no_boarding(Boarding(gaps=[1.0], capacity=1, character=True, chariot=True, one_character=True)) == []
    assert why_no_rider(Boarding(gaps=[1.0], capacity=1, chariot=True))[0][0] == "6e.chariots.single-rider"
    lord = unit(1, "INFANTRY", "CHARACTER", name="Lord").at(20, 22.6)
    trooper = unit(1, name="Trooper").at(22, 22.6)
    empty = sixth([chariot().at(20, 20), lord, trooper], unit(1).at(60, 40))
    assert transports_for(empty.scene, empty.state, 1) == [0]
    assert transports_for(empty.scene, empty.state, 2) == []
    manned = sixth([chariot(abilities=["TRANSPORT CAPACITY 2"]).at(20, 20), rider(), lord], unit(1).at(60, 40))
    assert transports_for(manned.scene, manned.state, 2) == [], "he would be the second"


@pytest.mark.rule("6e.chariot-shot-at.always-the-chariot", "6e.chariot-crew.part-of-chariot")
def test_nobody_shoots_at_the_rider_and_crew_is_no_model() -> None:
    gunner = unit(1, weapons=[printed_weapon("Lance", R='36"', S="8")])
    battle = sixth([chariot().at(20, 20), rider()], gunner.at(40, 20), phase=Phase.SHOOTING, turn=1,
                   dice=[("hit", [4]), ("penetration", [3])])  # fmt: skip
    assert riders_of(battle.scene, battle.state, 0) == [1]
    assert [aim.unit for aim in targets_of(battle.scene, battle.state, 2)] == [0]
    battle.answer(Pick("b.1"))
    assert "a.2" not in [option.key for option in battle.options()]
    while battle.decision is not None:
        battle.answer(Pick("a.1") if battle.decision.kind == "select-target" else battle.decision.default())
    assert battle.state.wounds[0] == 2, "11: a glancing hit on the chariot"
    assert battle.state.wounds[1] == 3


# -- moving -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.chariot-movement.by-type")
def test_a_chariot_moves_as_its_other_types_do() -> None:
    words = {"VEHICLE", *WORDS}
    assert move_allowance(KINDS, Kind.VEHICLE, words) == 12
    assert move_allowance(KINDS, Kind.VEHICLE, words, MoveKind.FLAT_OUT) == 18
    battle = sixth([chariot().at(20, 20), rider()], unit(1).at(60, 40), phase=Phase.SHOOTING)
    found = second_move_of(battle.scene, battle.state, 0)
    assert found is not None
    assert found.way is MoveKind.FLAT_OUT


@pytest.mark.rule("6e.chariot-movement.sweep-needs-skimmer", "6e.chariot-movement.sweep-target")
def test_the_rider_of_a_skimmer_sweeps_at_a_free_unit_below() -> None:
    assert may_sweep(frozenset({"VEHICLE", *WORDS}))
    assert not may_sweep(frozenset({"VEHICLE", "CHARIOT"}))
    below, beside = unit(1).at(26, 20), unit(1).at(26, 26)
    locked = unit(1).at(28, 20.5)
    friend = unit(1).at(28, 21.484)
    battle = sixth([chariot().at(20, 20), rider(), friend], [below, locked, beside], dice=[])
    fly(battle, (32, 20))
    assert battle.decision.kind == "sweep-attack"
    assert [option.key for option in battle.options()] == ["b.1", "none"]
    battle.answer(Pick("none"))
    assert battle.decision is None
    riderless = sixth([chariot().at(20, 20)], [below], dice=[])
    fly(riderless, (32, 20))
    assert riderless.decision is None or riderless.decision.kind != "sweep-attack"


@pytest.mark.rule("6e.chariot-movement.sweep-dice", "6e.chariot-movement.sweep-profile")
@pytest.mark.rule("6e.chariot-movement.sweep-no-cover")
def test_a_die_for_each_attack_needs_three_or_four_and_wounds_with_the_riders_weapon() -> None:
    assert (sweep_needs(5.0), sweep_needs(6.0), sweep_needs(11.0)) == (3, 3, 4)
    ruins = TerrainArea("ruins", ((20, 10), (50, 10), (50, 40), (20, 40)), tags=frozenset({"ruins"}))
    for to, hits, dice in ((30.0, 2, [3, 4, 2]), (34.0, 1, [3, 4, 2])):
        script = [("hit", dice), ("wound", [2] * hits)]
        battle = sixth(
            [chariot(base="60mm").at(24, 20), rider()], unit(1, Sv="3+", W=5, T=5).at(27, 20), dice=script,
            terrain=[ruins],
        )  # fmt: skip
        fly(battle, (to, 20))
        battle.answer(Pick("b.1"))
        assert rolled(battle, "hit")[0].needed == (3 if hits == 2 else 4)
        assert rolled(battle, "wound")[0].needed == 2, "Strength 5 + 2 against Toughness 5"
        assert battle.state.wounds[2] == 5 - hits, "AP 1 and no cover: nothing is saved"


@pytest.mark.rule("6e.chariot-movement.sweep-rear-armour")
@pytest.mark.rule("6e.chariot-movement.sweep-no-cover")
def test_a_sweep_strikes_the_rear_of_a_vehicle_and_no_cover_saves() -> None:
    tank = unit(1, "VEHICLE", "TANK", name="Tank", base="hull 2x2in", AV="14/13/10", HP=3).at(30, 20, facing=180)
    wood = TerrainArea("wood", ((28, 10), (50, 10), (50, 40), (28, 40)), tags=frozenset({"area"}))
    script = [("hit", [6, 1, 1]), ("penetration", [3])]
    battle = sixth([chariot().at(24, 20), rider()], tank, dice=script, terrain=[wood])
    fly(battle, (34.5, 20))
    battle.answer(Pick("b.1"))
    assert battle.state.wounds[2] == 2, "7 + 3 glances on 10"


@pytest.mark.rule("6e.chariot-movement.sweep-random-allocation", "6e.chariot-movement.sweep-precision")
@pytest.mark.rule("6e.core.fundamentals.random-allocation", "6e.outside.random-allocation")
def test_wounds_of_a_sweep_fall_by_chance_and_precise_ones_where_the_rider_wants() -> None:
    script = [("hit", [5, 6, 1]), ("wound", [4]), ("precise wound", [4]), ("random-allocation", [5])]
    script.append(("losses", [1, 1]))
    squad = unit(6, Sv="-").at(24, 19.5, apart=1.0, rank=3)
    battle = sixth([chariot().at(20, 20), rider(weapons=[])], squad, dice=script)
    fly(battle, (32, 20))
    battle.answer(Pick("b.1"))
    assert battle.state.wounds.tolist()[2:] == [1, 1, 1, 1, 0, 1], "the die shows the fifth of six"
    assert battle.decision.kind == "select-model"
    assert battle.decision.side == 0
    assert len(battle.options()) == 5
    battle.answer(Pick("model:2"))
    assert len(standing(battle.state, 2)) == 4


# -- charging ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.chariot-charge.may")
def test_a_chariot_charges_unless_it_went_flat_out() -> None:
    battle = sixth([chariot().at(20, 20), rider()], unit(1).at(20, 28), phase=Phase.ASSAULT)
    assert why_no_charge(battle.state.units[0]) == []
    assert "a.1" in [option.key for option in battle.options()]
    fast = chariot().at(20, 20).having(deeds=frozenset({Deed.FLAT_OUT, Deed.DASHED}), moved=True)
    after = sixth([fast, rider()], unit(1).at(20, 28), phase=Phase.ASSAULT)
    assert [rule for rule, _ in why_no_charge(after.state.units[0])] == ["6e.chariot-charge.may"]
    assert after.decision is None
    tank = unit(1, "VEHICLE", "TANK", AV="14/14/14", HP=4, base="hull 4x3in", name="Wall").at(20, 28)
    hopeless = sixth([chariot().at(20, 20), rider(S=3, weapons=[])], tank, phase=Phase.ASSAULT)
    assert why_not_this(hopeless.scene, hopeless.state, 0, 2), "6 + 6 is below 14"


@pytest.mark.rule("6e.chariot-charge.success")
def test_a_charge_succeeds_when_the_hull_reaches_the_enemy() -> None:
    for faces, arrives in (([4, 3], True), ([3, 3], False)):
        after = [("hammer-of-wrath", [1]), ("wound", [1]), ("hit", [1, 1, 1, 1]), ("hit", [1])] if arrives else []
        foe = unit(1, I=1, T=4).at(29.492, 20)
        battle = sixth([chariot().at(20, 20), rider(I=5)], foe, phase=Phase.ASSAULT, dice=[("charge", faces), *after])
        charge(battle, aim_attacks="aims:1")
        assert (battle.state.position[0, 0] > 26_000) == arrives


@pytest.mark.rule("6e.chariot-charge.dangerous-terrain", "6e.chariot-charge.failed-test")
def test_a_chariot_tests_for_difficult_terrain_and_stops_at_its_edge_when_it_fails() -> None:
    wood = TerrainArea("wood", ((25, 10), (27, 10), (27, 40), (25, 40)), tags=frozenset({"difficult"}))
    foe = unit(1, I=1).at(28.6, 20)
    wheels = chariot("CHARIOT", "OPEN-TOPPED").at(20, 20)
    script = [("charge", [4, 4]), ("vehicle-terrain", [1])]
    battle = sixth([wheels, rider()], foe, phase=Phase.ASSAULT, dice=script, terrain=[wood])
    charge(battle)
    assert battle.state.position[0, 0] == pytest.approx(23_000, abs=60), "its front is at the wood"
    assert battle.state.units[0].immobilised == {0}
    assert battle.state.wounds[0] == 2
    assert not [event for event in battle.events if isinstance(event, CombatResolved)]


# -- fighting ---------------------------------------------------------------------------------------------------


def fight(foes: UnitSpec, *script: tuple[str, list[int]], turn: int = 0, **more: Any) -> ClassicBattle:
    """The chariot at (20, 20) touches a unit that stands to the east of it, its hull ending at 22."""
    return sixth([chariot().at(20, 20), rider(**more)], foes, phase=Phase.ASSAULT, turn=turn, dice=list(script))


@pytest.mark.rule("6e.chariot-fighting.no-own-blows", "6e.chariot-fighting.rider-contact")
@pytest.mark.rule("6e.chariot-fighting.both-ways", "6e.chariot-fighting.never-locked")
def test_the_rider_strikes_all_who_touch_his_chariot_and_they_choose_whom_they_strike() -> None:
    foes = unit(4, I=4, A=1, S=4, Sv="-").on((22.492, 18.6), (22.492, 19.6), (22.492, 20.6), (22.492, 21.3))
    battle = fight(
        foes,
        ("hit", [4, 4, 4, 1]),
        ("wound", [6, 6, 6]),
        ("save", [2, 1, 1]),
        ("hit", [4, 4, 1]),
        ("wound", [2, 2]),
    )
    asked = []
    while battle.decision is not None:
        if battle.decision.kind == "aim-attacks":
            asked.append([option.label for option in battle.options()])
            battle.answer(Pick("aims:1"))
        else:
            battle.answer(battle.decision.default())
    assert asked[0] == ["1 at Barge", "1 at Lord"]
    assert len(asked) == 4, "the chariot itself is asked nothing"
    assert battle.state.wounds[1] == 1, "3+ becomes 2+: two of three wounds"
    assert len(standing(battle.state, 2)) == 2
    assert not in_combat(battle.scene, battle.state, 0)
    assert not in_combat(battle.scene, battle.state, 2)


@pytest.mark.rule("6e.chariot-fighting.never-locked", "6e.core.assault.result", "6e.core.assault.losers-test")
@pytest.mark.parametrize("faces", [[6, 6], [1, 1]])
def test_whoever_is_beaten_by_a_chariot_tests_and_may_run_and_nobody_is_held(faces: list[int]) -> None:
    foes = unit(3, I=1, A=1, Sv="-", Ld=8).on((22.492, 19.0), (22.492, 20.1), (22.492, 21.2))
    hits = ("hit", [4, 4, 1]), ("wound", [4, 4]), ("penetration", [1]), ("lost combat", faces)
    runs = [] if faces == [1, 1] else [("fall-back", [1, 1])]
    battle = fight(foes, *hits, *runs, I=5)
    while battle.decision is not None:
        battle.answer(battle.decision.default())
    done = [event for event in battle.events if isinstance(event, CombatResolved)]
    assert [(event.wounds, event.winner) for event in done] == [((2, 0), 0)]
    assert battle.state.units[2].falling_back == (faces == [6, 6])
    assert not in_combat(battle.scene, battle.state, 0)


@pytest.mark.rule("6e.chariot-save.plus-one")
def test_the_riders_armour_is_better_in_close_combat_only() -> None:
    assert better_save(Saves(3, None), Guard(close_combat=True)) == Saves(2, None)
    assert better_save(Saves(2, 4), Guard(close_combat=True)) == Saves(2, 4)
    assert better_save(Saves(3, None), Guard()) == Saves(3, None)
    assert "CHARIOT RIDER" in names_of_rider({"VEHICLE", "CHARIOT"})
    assert not names_of_rider({"VEHICLE", "TRANSPORT"})
    foe = unit(1, I=4, A=1, Sv="-").on((22.492, 20))
    battle = fight(foe, ("hit", [4]), ("wound", [6]), ("save", [2]), ("hit", [1, 1, 1]))
    while battle.decision is not None:
        battle.answer(Pick("aims:1") if battle.decision.kind == "aim-attacks" else battle.decision.default())
    assert battle.state.wounds[1] == 3


@pytest.mark.rule("6e.chariot-special.hammer-of-wrath", "6e.outside.hammer-of-wrath")
def test_a_chariot_crashes_in_with_a_die_of_hits() -> None:
    assert hammer_blows({"VEHICLE", "CHARIOT"}, 4) == (4, 6)
    assert hammer_blows({"VEHICLE", "TANK"}, 4) == (0, 0)
    foe = unit(5, I=1, T=4, Sv="3+", Ld=10).at(26, 19, apart=1.0)
    battle = sixth(
        [chariot().at(20, 20), rider(A=1, I=9, weapons=[])],
        foe,
        phase=Phase.ASSAULT,
        dice=[
            ("charge", [6, 6]), ("hammer-of-wrath", [4]), ("wound", [2, 2, 2, 1]), ("save", [3, 2, 2]),
            ("hit", [1, 1, 1]), ("lost combat", [1, 1]),
        ],
    )  # fmt: skip
    charge(battle, aim_attacks="aims:1")
    assert len(standing(battle.state, 2)) == 3, "whoever touched the chariot; its rider has nobody left in reach"


@pytest.mark.rule("6e.chariot-special.rider-fearless")
def test_the_rider_is_fearless_until_his_chariot_is_lost() -> None:
    battle = sixth(
        [chariot().at(20, 20), rider(Ld=7)], unit(1).at(60, 40), phase=Phase.SHOOTING, dice=[("pinning", [4, 4])]
    )
    assert passes_without_roll(battle.scene, battle.state, 1, Test.PINNING)
    doing = harm_vehicle(battle, 0, DamageResult.WRECKED)
    asked = next(doing)
    assert asked.kind == "bail-out"
    with pytest.raises(StopIteration):
        doing.send(asked.default())
    assert battle.state.units[1].pinned, "8 is more than his Leadership"
    assert not passes_without_roll(battle.scene, battle.state, 1, Test.PINNING)
    assert len(living(battle.state, 1)) == 1


def test_a_chariot_that_falls_in_combat_throws_its_rider_off_and_he_fights_no_more_in_it() -> None:
    foe = unit(1, I=4, A=1, S=10, AP="1", Sv="-").on((22.492, 20))
    battle = sixth(
        [chariot(HP=1).at(20, 20), rider(I=1)], foe, phase=Phase.ASSAULT,
        dice=[("penetration", [1]), ("pinning", [1, 1]), ("consolidation", [1])],
    )  # fmt: skip
    while battle.decision is not None:
        battle.answer(battle.decision.default())
    assert not standing(battle.state, 0)
    assert len(standing(battle.state, 1)) == 1
    assert len(standing(battle.state, 2)) == 1, "he struck nobody"


def test_a_rider_who_falls_is_gone_and_his_chariot_goes_on() -> None:
    foe = unit(1, I=4, A=1, S=10, Sv="-").on((22.492, 20))
    battle = fight(foe, ("hit", [4]), ("wound", [6]), ("save", [1]))
    while battle.decision is not None:
        battle.answer(Pick("aims:1") if battle.decision.kind == "aim-attacks" else battle.decision.default())
    assert battle.state.destroyed == (1,)
    assert standing(battle.state, 0) == [0]
