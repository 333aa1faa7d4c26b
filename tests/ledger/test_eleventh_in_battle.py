"""Rules of the 11th edition where a battle applies them: at the right moment, to the right unit, with exceptions."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.core.roster import Transport
from battlewright.core.table import Objective
from battlewright.editions.eleventh import damage, flying, reacting
from battlewright.editions.eleventh.attacking import AttackKind, DeclareSpace
from battlewright.editions.eleventh.events import BattleShocked, UnitDestroyed
from battlewright.editions.eleventh.fight import may_consolidate, may_pile_in
from battlewright.editions.eleventh.flying import may_surge
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import NOBODY, MoveKind, Phase
from support.abilities import ability, effect, with_ability
from support.combat import aim, attack, broken, declare, events_of, run, wounds
from support.eleventh import decision, place, scene, shift, unit, walk, weapon

MARKER = Objective("centre", (22.0, 30.0))
TRUCK = Transport(6, ("INFANTRY",))
QUIET = {"offer_command_re_roll": "never"}


# -- the end of a phase (07, 15.07, 15.11) ------------------------------------------------------------------------


@pytest.mark.rule("11e.core.07-objectives-first", "11e.core.15.07-rapid-ingress")
def test_control_is_determined_before_anybody_arrives_at_the_end_of_the_movement_phase() -> None:
    late = unit(1, abilities=["Deep Strike"]).having(in_reserves=True)
    battle = scene(
        unit(1).at(40, 5), late, objectives=[MARKER], cp=(0, 1), battle_round=2, phase=Phase.MOVEMENT, options=QUIET
    )
    battle.answer("end")
    assert [option.key for option in battle.options()] == ["rapid-ingress:b.1", "none"]
    battle.answer("rapid-ingress:b.1")
    battle.answer(place(walk(1, (22, 30))))
    assert battle.state.phase == Phase.SHOOTING
    assert battle.state.control == (NOBODY,), "it was determined first"
    while battle.state.phase == Phase.SHOOTING:
        battle.answer(decision(battle).default())
    assert battle.state.control == (1,)


@pytest.mark.rule("11e.core.07-objectives-first", "11e.core.15.11-heroic-intervention")
def test_control_is_determined_before_anybody_intervenes_at_the_end_of_the_charge_phase() -> None:
    ours, theirs = unit(1).at(22, 26).having(charged=True, declared_charge=True), unit(1).at(22, 36)
    dice = [("charge", (5, 6))]
    battle = scene(ours, theirs, objectives=[MARKER], cp=(0, 1), phase=Phase.CHARGE, options=QUIET, dice=dice)
    assert battle.state.control == (0,), "before anybody is asked"
    battle.answer("heroic-intervention:b.1:leap-to-defend")
    battle.answer("a.1")
    battle.answer(place(walk(1, (22, 28))))
    assert battle.state.phase == Phase.FIGHT
    assert battle.state.control == (0,), "the levels are equal now, which the next phase's end will tell"


# -- who makes no other move (20.04, 23.01) -----------------------------------------------------------------------


@pytest.mark.rule("11e.core.20.04-after-ingress", "11e.core.21.01-surge-eligible")
@pytest.mark.parametrize(("phase", "may"), [(Phase.SHOOTING, False), (Phase.CHARGE, True)])
def test_who_has_just_arrived_does_not_surge_until_the_charge_phase(phase: Phase, may: bool) -> None:
    arrived = unit(1).at(10, 20).having(moved_as=MoveKind.INGRESS, set_up_this_turn=True)
    battle = scene(unit(1).at(10, 10), arrived, phase=phase)
    assert may_surge(battle.scene, battle.state, 1) is may


MOVES_ON = ability(
    {"type": "sequence", "steps": [
        effect("movement-modifier", move_type="normal", distance=6),
        effect("ability-grant", grant_type="charge-ineligible"),
    ]},
    behavior="reactive",
    trigger={"event": "after-unit-resolves-attacks", "subject": "self", "optional": True},
)  # fmt: skip


def has_shot(**flags: Any) -> Battle11:
    """A unit that may move on has shot at the enemy."""
    gun = weapon("Gun")
    shooter = with_ability(unit(1, weapons=[gun]), MOVES_ON).at(10, 10).having(**flags)
    truck = unit(1, "VEHICLE", "TRANSPORT", base="60mm", transport=TRUCK).at(14, 10)
    battle = scene([shooter, truck], unit(1, W=9).at(10, 30), phase=Phase.SHOOTING, options=QUIET)
    battle.answer("a.1")
    battle.answer(declare(aim("b.1", 0)))
    return battle


@pytest.mark.rule("11e.core.20.04-after-ingress")
@pytest.mark.parametrize("flags", [{"moved_as": MoveKind.INGRESS}, {"is_oversized": True}])
def test_who_has_just_arrived_makes_no_further_move_after_shooting(flags: dict[str, Any]) -> None:
    assert decision(has_shot()).kind == "use-rule"
    if "is_oversized" in flags:
        battle = has_shot(**flags)
        battle.state.round = 1
        (source,) = reacting.at_moment(battle.scene, battle.state, 0, reacting.ExtraMove)
        assert not reacting._may_move(battle, 0, source, None)
    else:
        assert decision(has_shot(**flags)).kind != "use-rule"


@pytest.mark.rule("11e.core.18.02-embark", "11e.core.09.05-normal-move")
def test_after_a_further_normal_move_a_unit_may_embark() -> None:
    battle = has_shot()
    battle.answer("extra-move:a.1")
    battle.answer(shift(battle, 0, 1, 0))
    assert decision(battle).kind == "embark"
    battle.answer("a.2")
    assert battle.state.units[0].embarked_in == 1


PLANE = unit(1, "VEHICLE", "AIRCRAFT", "FLY", M='20"', base="60mm")


@pytest.mark.rule("11e.core.23.01-reserves")
def test_aircraft_neither_pile_in_nor_consolidate_nor_surge() -> None:
    for spec, may in ((PLANE, False), (unit(1, "FLY", "INFANTRY", base="60mm"), True)):
        battle = scene(spec.at(20, 20), unit(1, "FLY", "INFANTRY").at(20, 23.5), phase=Phase.FIGHT)
        battle.state.units[0].eligible_fought = True
        assert may_pile_in(battle.scene, battle.state, 0) is may
        assert may_consolidate(battle.scene, battle.state, 0) is may
        far = scene(spec.at(20, 20), unit(1).at(20, 40), phase=Phase.SHOOTING, turn=1)
        assert may_surge(far.scene, far.state, 0) is may


# -- melee attacks that are divided (04.02) -----------------------------------------------------------------------

FURIOUS = ability(effect("stat-modifier", stat="A", operation="add", value=1, weapon_type="melee"))
BLADE = weapon("Blade", melee=True, A=3)


@pytest.mark.rule("11e.core.04.02-melee-targets")
def test_attacks_that_a_rule_adds_are_divided_with_the_others() -> None:
    ours = with_ability(unit(1, weapons=[BLADE], name="Furious"), FURIOUS).at(20, 20)
    battle = scene(ours, [unit(1, W=9).at(18, 22), unit(1, W=9).at(22, 22)], phase=Phase.FIGHT)
    space = DeclareSpace(battle, 0, AttackKind.FIGHT)
    assert [use["divides"] for use in space.describe()["uses"]] == [4]
    assert broken(battle, AttackKind.FIGHT, aim("b.1", 0, count=1), aim("b.2", 0, count=3)) == set()
    assert broken(battle, AttackKind.FIGHT, aim("b.1", 0, count=1), aim("b.2", 0, count=2)) == {
        "11e.core.04.02-melee-targets"
    }


# -- who is told to be battle-shocked (18.04, 18.05, 24.35) ---------------------------------------------------------


@pytest.mark.rule("11e.core.18.05-emergency", "11e.core.01.07-shocked-no-actions")
def test_who_is_battle_shocked_without_a_roll_is_told() -> None:
    carried = unit(1).having(embarked_in=0)
    battle = scene(
        [unit(1, "VEHICLE", "TRANSPORT", base="60mm", transport=TRUCK).at(20, 20), carried],
        dice=[("hazard", (6,))],
    )
    damage.lose_wounds(battle, 0, 1, "test")
    run(damage.resolve_destroyed(battle))
    (told,) = events_of(battle, BattleShocked)
    assert (told.unit, told.rules) == ("a.2", ("11e.core.18.05-emergency",))
    walker = scene(unit(1, "VEHICLE", abilities=["Super-Heavy Walker"]).at(20, 20), dice=[("super-heavy-walker", (1,))])
    flying.mobile_risk(walker, 0)
    assert [each.unit for each in events_of(walker, BattleShocked)] == ["a.1"]
    assert walker.state.units[0].battle_shocked


# -- who destroyed whom (01.08, 24.08) ------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.01.08-destroyed", "11e.core.24-deadly-demise")
def test_whoever_perishes_by_the_demise_of_another_was_destroyed_by_nobody() -> None:
    cannon = weapon("Cannon", S=16, AP="-6", D=9)
    bomb = unit(1, "VEHICLE", W=9, abilities=["Deadly Demise 1"]).at(20, 34)
    dice = [("hit", (5,)), ("wound", (5,)), ("save", (2,)), ("deadly-demise", (6,))]
    battle = scene(unit(1, weapons=[cannon]).at(20, 20), [bomb, unit(1).at(20, 38)], phase=Phase.SHOOTING, dice=dice)
    attack(battle, aim("b.1", 0))
    assert [(event.unit, event.by) for event in events_of(battle, UnitDestroyed)] == [("b.1", "a.1"), ("b.2", "")]
    assert [(kill.unit, kill.by) for kill in battle.state.book.kills] == [(1, 0), (2, NOBODY)]


@pytest.mark.rule("11e.core.24-hazardous", "11e.core.01.08-destroyed")
def test_a_unit_that_perishes_by_its_own_weapons_was_destroyed_by_nobody() -> None:
    gun = weapon("Plasma", "HAZARDOUS")
    dice = [("hit", (1,)), ("hazard", (1,))]
    battle = scene(unit(1, weapons=[gun]).at(20, 20), unit(1).at(20, 30), phase=Phase.SHOOTING, dice=dice)
    attack(battle, aim("b.1", 0))
    assert [(event.unit, event.by) for event in events_of(battle, UnitDestroyed)] == [("a.1", "")]
    assert [(kill.unit, kill.by) for kill in battle.state.book.kills] == [(0, NOBODY)]


@pytest.mark.rule("11e.core.15.05-explosives")
def test_who_throws_explosives_destroys_whom_they_kill() -> None:
    throwers = unit(1, "INFANTRY", "GRENADES", weapons=[weapon("Gun")]).at(20, 20)
    dice = [("explosives", (4, 1, 1, 1, 1, 1))]
    battle = scene(throwers, unit(1).at(20, 26), phase=Phase.SHOOTING, cp=(1, 0), dice=dice, options=QUIET)
    battle.answer("explosives:a.1")
    assert [(event.unit, event.by) for event in events_of(battle, UnitDestroyed)] == [("b.1", "a.1")]


# -- shooting (10, 15.08, 24.14) ------------------------------------------------------------------------------------

CARBINE, RIFLE = weapon("Carbine", "ASSAULT"), weapon("Rifle")


@pytest.mark.rule("11e.core.10-eligible-to-shoot", "11e.24.14-firing-deck.trigger", "11e.24.14-firing-deck.order")
@pytest.mark.parametrize(("gun", "may"), [(CARBINE, True), (RIFLE, False)])
def test_a_transport_that_advanced_shoots_with_the_assault_weapons_that_passengers_lend(gun: Any, may: bool) -> None:
    carrier = unit(1, "VEHICLE", "TRANSPORT", base="60mm", transport=TRUCK, abilities=["Firing Deck 2"])
    carried = unit(2, weapons=[gun]).having(embarked_in=0)
    battle = scene([carrier.at(20, 20).having(advanced=True), carried], unit(1, W=9).at(20, 34), phase=Phase.SHOOTING)
    if not may:
        assert battle.state.phase != Phase.SHOOTING, "there is nobody to select"
        return
    battle.answer("a.1")
    assert decision(battle).kind == "firing-deck"
    battle.answer("all")
    assert decision(battle).kind == "declare-attacks"
    assert broken(battle, AttackKind.ASSAULT, aim("b.1", 0, weapon=0), aim("b.1", 0, weapon=1)) == set()


@pytest.mark.rule("11e.core.10-eligible-to-shoot", "11e.24.14-firing-deck.step1-up-to-x")
def test_a_transport_that_nobody_lends_an_assault_weapon_has_not_shot() -> None:
    carrier = unit(1, "VEHICLE", "TRANSPORT", base="60mm", transport=TRUCK, abilities=["Firing Deck 2"])
    carried = unit(2, weapons=[CARBINE]).having(embarked_in=0)
    battle = scene([carrier.at(20, 20).having(advanced=True), carried], unit(1, W=9).at(20, 34), phase=Phase.SHOOTING)
    battle.answer("a.1")
    battle.answer("done")
    assert battle.state.phase != Phase.SHOOTING
    assert battle.state.units[0].last_shot == 0


@pytest.mark.rule("11e.core.15.09-snap-shooting", "11e.core.03.02-oversized-reserves")
@pytest.mark.parametrize(("flags", "may"), [({}, True), ({"may_not_shoot": True}, False)])
def test_who_makes_no_ranged_attacks_this_turn_does_not_overwatch(flags: dict[str, Any], may: bool) -> None:
    guard = unit(1, weapons=[RIFLE]).at(20, 34).having(**flags)
    battle = scene(unit(1).at(20, 20), guard, cp=(0, 1), phase=Phase.MOVEMENT, options=QUIET)
    battle.answer("end")
    assert (decision(battle).kind == "use-rule") is may


@pytest.mark.rule("11e.core.17.03-no-blast", "11e.core.10.06-blast")
def test_blast_that_a_rule_gives_is_not_aimed_at_an_engaged_unit_either() -> None:
    blasting = ability(effect("keyword-grant", keywords=["BLAST"]))
    ours = with_ability(unit(1, "VEHICLE", weapons=[RIFLE], base="60mm"), blasting).at(20, 20)
    battle = scene([ours, unit(1).at(20, 32)], unit(1, "VEHICLE", W=9, base="60mm").at(20, 35), phase=Phase.SHOOTING)
    assert broken(battle, AttackKind.NORMAL, aim("b.1", 0)) == {"11e.core.17.03-no-blast"}


# -- stratagems (15.06, 15.11) --------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.15.11-into-the-fray", "11e.core.11-aircraft-targets")
@pytest.mark.parametrize(("spec", "may"), [(unit(1), False), (unit(1, "INFANTRY", "FLY"), True)])
def test_nobody_intervenes_against_aircraft_that_it_could_not_charge(spec: Any, may: bool) -> None:
    near = unit(1).at(20, 31)
    battle = scene([PLANE.at(20, 24), near], spec.at(20, 20), cp=(0, 2), phase=Phase.CHARGE, options=QUIET, turn=0)
    while battle.state.phase == Phase.CHARGE and decision(battle).kind == "select-unit-to-charge":
        battle.answer("end")
    offered = battle.state.phase == Phase.CHARGE and [option.key for option in battle.options()]
    assert (offered == ["heroic-intervention:b.1:into-the-fray", "none"]) is may


@pytest.mark.rule("11e.core.15.06-crushing-impact")
def test_a_crushing_impact_rolls_as_many_dice_as_the_model_has_toughness_now() -> None:
    beast = with_ability(unit(1, "MONSTER", T=3, W=9, name="Beast"), ability(
        {"type": "conditional", "condition": {"type": "charged-this-turn", "parameters": {}},
         "effect": effect("stat-modifier", stat="T", operation="add", value=1)}
    ))  # fmt: skip
    dice = [("charge", (6, 6)), ("crushing-impact", (5, 2, 2, 2))]
    battle = scene(beast.at(20, 20), unit(1, W=9).at(20, 28), cp=(1, 0), phase=Phase.CHARGE, options=QUIET, dice=dice)
    battle.answer("a.1")
    battle.answer("b.1")
    battle.answer(decision(battle).default())
    battle.answer("crushing-impact:a.1")
    assert wounds(battle, "b.1") == [8]
