"""Abilities of the data package as it has them, each in a scene that shows what it does."""

from __future__ import annotations

import json
import math
from functools import lru_cache

import pytest

from battlewright.armies import split_units
from battlewright.armies.dataset import data_set
from battlewright.core import roster
from battlewright.core.errors import ArmyError
from battlewright.core.roster import Ability, AbilitySource
from battlewright.core.table import Objective
from battlewright.editions.eleventh import command, damage, setup
from battlewright.editions.eleventh.abilities import read_ability
from battlewright.editions.eleventh.abilities.in_force import characteristic_in_force
from battlewright.editions.eleventh.acting import may_start_actions
from battlewright.editions.eleventh.attack import compile_volley
from battlewright.editions.eleventh.attacking import resolve_attacks
from battlewright.editions.eleventh.engagement import is_engaged
from battlewright.editions.eleventh.events import BattleShockTested, ModelReturned, StratagemUsed
from battlewright.editions.eleventh.modifiers import Characteristic
from battlewright.editions.eleventh.muster import breaches
from battlewright.editions.eleventh.pools import Circumstances, target_view
from battlewright.editions.eleventh.reserves import ingress_space
from battlewright.editions.eleventh.scene import Battle11, standing
from battlewright.editions.eleventh.state import NOBODY, MoveKind, Phase
from battlewright.editions.eleventh.targeting import AttackKind, Targeting
from battlewright.editions.eleventh.timed import detachment_stratagems
from battlewright.editions.eleventh.transports import Mode, disembark_mode, may_disembark
from battlewright.start import Battle
from support.abilities import ability, effect, faces, volley, with_ability
from support.combat import aim, attack, broken, declare, events_of, no_dice_left, run, stages, wounds
from support.eleventh import UnitSpec, attached, decision, place, rules_broken, scene, shift, unit, walk, weapon

SOURCES = {
    "detachment": AbilitySource.DETACHMENT,
    "enhancement": AbilitySource.ENHANCEMENT,
    "stratagem": AbilitySource.STRATAGEM,
}
GUN, BLADE = weapon("Gun"), weapon("Blade", melee=True)


@lru_cache
def real(name: str, number: int = 0) -> Ability:
    """An ability of the data package that is enforced, by name; of several of that name one by its number."""
    found = [
        Ability(name, SOURCES.get(each["ability_type"], AbilitySource.DATASHEET), data_set().encoding(each))
        for each in data_set().ability_records()
        if each["name"] == name
    ]
    enforced = [each for each in dict.fromkeys(found) if read_ability(each).is_enforced]
    assert enforced, f"{name} is not enforced: {[read_ability(each).missing for each in found]}"
    return enforced[number]


def squad(*abilities: str, models: int = 1, keywords: tuple[str, ...] = ("INFANTRY",), **more: object) -> UnitSpec:
    """Models with these abilities of the data package, a gun and a blade."""
    made = unit(models, *keywords, weapons=[GUN, BLADE], **more)  # type: ignore[arg-type]
    return with_ability(made, *(real(each) for each in abilities))


def shooting(mine: UnitSpec, theirs: UnitSpec, **more: object) -> Battle11:
    return scene(mine.at(10, 10), theirs.at(10, 20), phase=Phase.SHOOTING, **more)  # type: ignore[arg-type]


# -- attacks ----------------------------------------------------------------------------------------------------------


def worse_to_hit(spec: UnitSpec) -> UnitSpec:
    return with_ability(spec, ability(effect("roll-modifier", "attacker", operation="subtract", roll="hit", value=1)))


def test_multicog_targeting_ignores_modifiers_of_hit_rolls_in_the_shooting_phase() -> None:
    foe = worse_to_hit(squad())
    assert faces(volley(shooting(squad(), foe), 0, 1), "hit") == (4, 5, 6)
    assert faces(volley(shooting(squad("MultiCOG Targeting"), foe), 0, 1), "hit") == (3, 4, 5, 6)


def test_null_rod_keeps_wounds_of_psychic_attacks_alone() -> None:
    psychic = weapon("Bolt", "PSYCHIC")
    for gun, kept in ((psychic, 4), (GUN, None)):
        battle = shooting(unit(1, weapons=[gun]), squad("Null Rod", W=3))
        assert volley(battle, 0, 1).target.groups[0].feel_no_pain == kept
    battle = scene(squad("Null Rod", W=3).at(10, 10), dice=[])
    run(damage.mortal_wounds(battle, 0, 1, "test"))
    assert wounds(battle, "a.1") == [2], "no die for mortal wounds that are not psychic"


def test_divine_protection_keeps_mortal_wounds_alone_those_of_devastating_wounds_too() -> None:
    battle = scene(squad("Divine Protection", W=3).at(10, 10), dice=[("feel-no-pain", (4,)), ("feel-no-pain", (3,))])
    run(damage.mortal_wounds(battle, 0, 2, "test"))
    assert wounds(battle, "a.1") == [2]
    gun = weapon("Gun", "DEVASTATING WOUNDS", A=2)
    battle = shooting(
        unit(1, weapons=[gun]),
        squad("Divine Protection", W=3),
        dice=[("hit", (4, 4)), ("wound", (6, 5)), ("save", (1,)), ("feel-no-pain", (4,))],
    )
    attack(battle, aim("b.1", 0))
    assert wounds(battle, "b.1") == [2], "the normal wound is lost, the mortal one kept"
    assert [packet.keeps for packet in volley(battle, 0, 1).packets] == [None, (4,)]


def test_covering_fire_hits_on_fives_in_snap_shooting() -> None:
    battle = shooting(squad("Covering Fire"), squad())
    battle.state.units[0].snap_target = 1
    profile = battle.scene.models[0].weapons[0].profiles[0]
    context = Circumstances(Targeting(battle.scene, battle.state, 0, AttackKind.SNAP)).context(0, profile, 1)
    made = compile_volley(profile, 1, context, target_view(battle.scene, battle.state, 1))
    assert faces(made, "hit") == (5, 6)


def test_furious_onslaught_asks_for_the_closest_target_within_eighteen_inches() -> None:
    for near, again in ((10, True), (20, False)):
        mine = squad("Furious Onslaught").at(10, 10)
        battle = scene(mine, [squad().at(10, 10 + near), squad().at(30, 40)], phase=Phase.SHOOTING)
        assert (volley(battle, 0, 1).step("hit").reroll is not None) is again
    battle = scene(
        squad("Furious Onslaught").at(10, 10), [squad().at(10, 25), squad().at(10, 20)], phase=Phase.SHOOTING
    )
    assert volley(battle, 0, 1).step("hit").reroll is None, "another is closer"


def test_walking_bastion_shoots_without_the_penalty_of_an_engaged_vehicle() -> None:
    big = ("VEHICLE",)
    for abilities, needs in (((), (4, 5, 6)), (("Walking Bastion",), (3, 4, 5, 6))):
        battle = scene(
            squad(*abilities, keywords=big).at(10, 10),
            [squad().at(10, 12.5), squad().at(10, 25)],
            phase=Phase.SHOOTING,
            dice=[("hit", (needs[0] - 1,))],
        )
        attack(battle, aim("b.1", 0), kind=AttackKind.CLOSE_QUARTERS)
        assert stages(battle, "hit")[0].modifiers == (
            () if abilities else (("11e.core.10.06-monsters-and-vehicles", -1),)
        )


def test_rejuvenating_swarm_makes_wounds_worse_where_s_exceeds_t() -> None:
    for strength, needs in ((5, (4, 5, 6)), (4, (4, 5, 6))):
        gun = weapon("Gun", S=strength)
        battle = shooting(unit(1, weapons=[gun]), squad("Rejuvenating Swarm"))
        assert faces(volley(battle, 0, 1), "wound") == needs


# -- before and beside the battle -------------------------------------------------------------------------------------


def test_veteran_of_the_vanguard_gives_its_unit_scouts() -> None:
    enhanced = with_ability(unit(1, "CHARACTER", "INFANTRY"), real("Veteran of the Vanguard"))
    battle = scene(enhanced.at(10, 8), unit(1).at(40, 58), phase=Phase.SETUP, step=setup.PRE_BATTLE, dice=[])
    battle.answer("a.1")
    assert not rules_broken(battle, shift(battle, 0, 0, 6))
    assert rules_broken(battle, shift(battle, 0, 0, 6.1))


def test_supreme_commander_has_to_be_the_warlord() -> None:
    def broken_by(warlord: int) -> bool:
        units = []
        for number in range(2):
            commander = number == 0
            model = roster.Model(
                "Somebody",
                "40mm",
                2.0,
                {},
                ("CHARACTER", "ADEPTUS CUSTODES"),
                abilities=(real("Supreme Commander"),) if commander else (),
            )
            component = roster.Component("Somebody", warlord=number == warlord)
            units.append(roster.Unit(f"a.{number}", "Somebody", (component,), (model,)))
        army = roster.Army("Mine", "11", "Adeptus Custodes", tuple(units), 500)
        return any("must be the WARLORD" in each.text for each in breaches(army))

    assert not broken_by(0)
    assert broken_by(1)


def test_chaff_launcher_lets_a_model_use_smokescreen() -> None:
    for abilities, may in (((), False), (("Chaff Launcher",), True)):
        plane = squad(*abilities, keywords=("VEHICLE",))
        battle = scene(plane.at(10, 10), squad().at(10, 30), phase=Phase.SHOOTING, turn=1, cp=(1, 0))
        offered = [option.key for option in decision(battle).options()]
        assert ("smokescreen:a.1" in offered) is may


# -- objectives, leadership -------------------------------------------------------------------------------------------


def test_defenders_of_the_faith_keep_an_objective_that_they_held_in_their_command_phase() -> None:
    goal = Objective("o", (22.0, 30.0))
    for abilities, phase, holder in (
        ((), Phase.COMMAND, NOBODY),
        (("Defenders of the Faith",), Phase.COMMAND, 0),
        (("Defenders of the Faith",), Phase.MOVEMENT, NOBODY),
    ):
        battle = scene(squad(*abilities).at(22, 30), squad().at(5, 58), phase=phase, objectives=[goal])
        while battle.state.phase in (Phase.COMMAND, Phase.MOVEMENT):
            battle.answer("end")
        assert battle.state.control == (0,)
        battle.state.position[0, :2] = 2000, 2000
        while battle.state.phase == Phase.SHOOTING:
            battle.answer(decision(battle).default())
        assert battle.state.control == (holder,)


def test_unflinching_makes_a_failed_battle_shock_roll_again() -> None:
    battle = scene(squad("Unflinching").at(10, 10), dice=[("battle-shock", (1, 2)), ("battle-shock-reroll", (6, 6))])
    assert not command.battle_shock_roll(battle, 0)
    assert events_of(battle, BattleShockTested)[0].faces == (6, 6)
    battle = scene(squad("Unflinching").at(10, 10), dice=[("battle-shock", (4, 4))])
    assert not command.battle_shock_roll(battle, 0)
    no_dice_left(battle)


def test_techmarine_is_a_lone_operative_near_a_vehicle_of_its_chapter_only() -> None:
    techmarine = squad("Techmarine", keywords=("INFANTRY", "CHARACTER")).at(10, 30)
    for near, protected in ((12, True), (20, False)):
        tank = unit(1, "VEHICLE", "GREY KNIGHTS").at(near, 30)
        battle = scene(squad().at(10, 10), [techmarine, tank], phase=Phase.SHOOTING)
        assert bool(broken(battle, AttackKind.NORMAL, aim("b.1", 0))) is protected


# -- transports -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.18.06-assault-disembark", "11e.core.18.07-shock-disembark", "11e.core.18.04-rapid")
def test_assault_ramp_and_assault_vehicle_let_their_passengers_out() -> None:
    def aboard(moved: MoveKind, *abilities: str) -> Battle11:
        truck = with_ability(
            unit(1, "VEHICLE", "TRANSPORT", base="60mm", transport=roster.Transport(6)),
            *(real(each) for each in abilities),
        )
        carrier = truck.at(20, 20).having(moved_as=moved.value, advanced=moved is MoveKind.ADVANCE)
        return scene([carrier, unit(2).having(embarked_in=0)], squad().at(40, 55))

    for abilities, mode in (((), Mode.RAPID), (("Assault Ramp",), Mode.ASSAULT), (("Assault Vehicle",), Mode.RAPID)):
        battle = aboard(MoveKind.NORMAL, *abilities)
        assert disembark_mode(battle.scene, battle.state, 1) is mode
    for abilities, may in (((), False), (("Assault Ramp",), False), (("Assault Vehicle",), True)):
        battle = aboard(MoveKind.ADVANCE, *abilities)
        assert may_disembark(battle.scene, battle.state, 1) is may


# -- stratagems -------------------------------------------------------------------------------------------------------


def test_unrelenting_aggression_lets_a_unit_shoot_and_charge_after_falling_back() -> None:
    stratagem = real("Unrelenting Aggression")
    mine = squad(keywords=("INFANTRY", "ADEPTUS MECHANICUS"), models=2)
    for used in (True, False):
        battle = scene(
            [mine.at(10, 10), squad().at(30, 5)],
            [squad().at(10, 12.5), squad().at(10, 30)],
            stratagems=[stratagem],
            cp=(1, 0),
            options={"offer_command_re_roll": "never"},
        )
        assert len(detachment_stratagems(battle.scene)) == 2, "one for each side"
        battle.answer("a.1")
        keys = [option.key for option in decision(battle).options()]
        assert keys == ["detachment-unrelenting-aggression:a.1", "none"]
        battle.answer(keys[0] if used else "none")
        battle.answer("fall-back")
        while not decision(battle).kind.startswith("move-"):
            battle.answer(decision(battle).default())
        battle.answer(shift(battle, 0, 0, -6))
        assert battle.state.units[0].fell_back
        while battle.state.phase == Phase.MOVEMENT:
            battle.answer("end")
        while decision(battle).kind == "use-rule":
            battle.answer("none")
        assert ("a.1" in [option.key for option in decision(battle).options()]) is used


def test_empyric_dislocation_worsens_the_ap_of_attacks_on_the_unit() -> None:
    theirs = squad(keywords=("INFANTRY", "HERETIC ASTARTES"), W=3)
    gun = weapon("Gun", AP=-1)
    battle = scene(
        [unit(1, weapons=[gun]).at(10, 10), squad().at(20, 10)],
        theirs.at(10, 20),
        phase=Phase.SHOOTING,
        stratagems=[real("Empyric Dislocation")],
        cp=(0, 1),
        options={"offer_command_re_roll": "never"},
        dice=[("hit", (3,)), ("wound", (4,)), ("save", (3,))],
    )
    battle.answer("a.1")
    battle.answer(declare(aim("b.1", 0)))
    battle.answer("detachment-empyric-dislocation:b.1")
    assert wounds(battle, "b.1") == [3], "a save of 3 at AP 0"


def test_vox_cast_proclamations_make_stratagems_nearby_dearer() -> None:
    for near, cost in ((20, 2), (30, 1)):
        battle = scene(
            squad("Vox-cast Proclamations (Aura)").at(10, 10),
            squad(keywords=("INFANTRY", "SMOKE")).at(10, near),
            phase=Phase.SHOOTING,
            cp=(0, 2),
        )
        battle.answer("smokescreen:b.1")
        assert [each.cost for each in events_of(battle, StratagemUsed)] == [cost]


@pytest.mark.rule("11e.core.22.01-aura", "11e.core.20.04-ingress")
def test_nobody_arrives_within_twelve_inches_of_an_explorator_augury_web() -> None:
    striker = unit(1, base="25.4mm", abilities=["Deep Strike"]).having(in_reserves=True)
    for foe, near in ((squad("Explorator Augury Web", base="25.4mm"), False), (squad(base="25.4mm"), True)):
        battle = scene([striker], [foe.at(20, 43), squad("Explorator Augury Web").having(in_reserves=True)])
        space = ingress_space(battle.scene, battle.state, 0)
        found = [space.check(place(walk(0, (20.0, y)))) for y in (30.0, 29.99)]
        assert [[each.rule for each in faults] for faults in found] == [[] if near else ["11e.core.22.01-aura"], []]
        assert near or "Explorator Augury Web" in found[0][0].text


# -- marks ------------------------------------------------------------------------------------------------------------


def marking(name: str, hit: int, **keywords: tuple[str, ...]) -> Battle11:
    """A unit with the ability has shot at b.1, with this die to hit; a second unit is near, a foe besides."""
    first = with_ability(unit(1, weapons=[GUN]), real(name)).at(10, 10)
    second = unit(1, *keywords.get("friends", ("INFANTRY",)), weapons=[GUN]).at(14, 10)
    battle = scene(
        [first, second],
        [squad(W=3).at(10, 20), squad(W=3).at(14, 20)],
        phase=Phase.SHOOTING,
        options={"offer_command_re_roll": "never"},
        dice=[("hit", (hit,)), *([("wound", (1,))] if hit > 2 else [])],
    )
    battle.answer("a.1")
    battle.answer(declare(aim("b.1", 0)))
    return battle


def pick_mark(battle: Battle11) -> None:
    """Mark the unit that was hit, asked or not."""
    while decision(battle).kind in ("use-rule", "mark-unit"):
        battle.answer(decision(battle).options()[0].key)


def test_guidance_of_the_ancients_marks_a_unit_that_was_hit_for_its_friends() -> None:
    battle = marking("Guidance of the Ancients (Psychic)", 3, friends=("INFANTRY", "GREY KNIGHTS"))
    pick_mark(battle)
    assert faces(volley(battle, 1, 2), "hit") == (2, 3, 4, 5, 6)
    assert faces(volley(battle, 1, 3), "hit") == (3, 4, 5, 6), "another unit"
    battle = marking("Guidance of the Ancients (Psychic)", 3)
    pick_mark(battle)
    assert faces(volley(battle, 1, 2), "hit") == (3, 4, 5, 6), "not of the chapter"
    battle = marking("Guidance of the Ancients (Psychic)", 2, friends=("INFANTRY", "GREY KNIGHTS"))
    assert decision(battle).kind != "use-rule", "nobody was hit"
    assert faces(volley(battle, 1, 2), "hit") == (3, 4, 5, 6)


def test_disruption_bombardment_slows_the_unit_that_was_hit_until_the_next_command_phase() -> None:
    battle = marking("Disruption Bombardment", 3)
    pick_mark(battle)
    assert characteristic_in_force(battle.scene, battle.state, 2, Characteristic.M, 6) == 4
    seen = []
    while battle.state.turn == 0 or battle.state.phase != Phase.MOVEMENT:
        battle.answer(decision(battle).default())
    seen.append(characteristic_in_force(battle.scene, battle.state, 2, Characteristic.M, 6))
    while battle.state.turn == 1:
        battle.answer(decision(battle).default())
    seen.append(characteristic_in_force(battle.scene, battle.state, 2, Characteristic.M, 6))
    assert seen == [4, 6]


def test_assemblage_of_might_marks_one_unit_at_the_start_of_the_command_phase() -> None:
    champion = unit(1, "CHARACTER", "INFANTRY", "ADEPTUS CUSTODES", weapons=[GUN])
    mine = [with_ability(each, real("Assemblage of Might")) for each in (champion, unit(1, "INFANTRY", weapons=[GUN]))]
    battle = scene(
        [mine[0].at(10, 10), mine[1].at(14, 10)], [squad().at(10, 20), squad().at(14, 20)], phase=Phase.COMMAND
    )
    keys = [option.key for option in decision(battle).options()]
    assert len(keys) == 2, "one mark for the army, or none"
    battle.answer(keys[0])
    battle.answer("b.2")
    assert battle.state.phase != Phase.COMMAND, "and no second one"
    assert faces(volley(battle, 0, 3), "wound") == (3, 4, 5, 6)
    assert faces(volley(battle, 0, 2), "wound") == (4, 5, 6)
    assert faces(volley(battle, 1, 3), "wound") == (4, 5, 6), "no CHARACTER"


# -- reactions --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.09.05-normal-move", "11e.core.03.01-one-normal-move")
def test_master_outrider_moves_after_shooting_and_does_not_charge_then() -> None:
    battle = marking("Master Outrider", 2)
    battle.answer("extra-move:a.1")
    assert rules_broken(battle, shift(battle, 0, 0, -6.1))
    battle.answer(shift(battle, 0, -6, 0))
    assert battle.state.position[0].tolist()[:2] == [4_000, 10_000]
    assert battle.state.units[0].may_not_charge


def test_loping_speed_moves_when_an_enemy_has_ended_a_move_within_nine_inches() -> None:
    for away, reacts in ((15, True), (30, False)):
        battle = scene(
            [squad().at(10, 10), squad().at(40, 5)],
            squad("Loping Speed").at(10, 10 + away),
            dice=[("extra-move", (4,))] if reacts else [],
        )
        battle.answer("a.1")
        battle.answer("normal")
        battle.answer(shift(battle, 0, 0, 6))
        if not reacts:
            assert decision(battle).kind == "select-unit-to-move"
            continue
        assert (decision(battle).side, decision(battle).kind) == (1, "use-rule")
        battle.answer("extra-move:b.1")
        assert rules_broken(battle, shift(battle, 2, 0, 4.1))
        battle.answer(shift(battle, 2, 0, 4))
        assert battle.state.position[2].tolist()[1] == 29_000
        assert decision(battle).kind == "select-unit-to-move"


@pytest.mark.rule("11e.core.20.02-repositioned")
def test_from_golden_light_goes_into_reserves_at_the_end_of_the_opponents_turn_once() -> None:
    battle = scene(squad().at(10, 50), squad("From Golden Light").at(10, 10), phase=Phase.FIGHT)
    while decision(battle).kind != "use-rule":
        battle.answer(decision(battle).default())
    assert (decision(battle).side, battle.state.turn, battle.state.phase) == (1, 0, Phase.END_OF_TURN)
    battle.answer("reposition:b.1")
    assert battle.state.units[1].in_reserves
    assert standing(battle.state, 1) == []


@pytest.mark.rule("11e.core.20.02-repositioned", "11e.core.03.03-end-of-turn-removal")
def test_who_goes_into_reserves_as_the_turn_ends_loses_nobody_for_want_of_coherency() -> None:
    torn = squad("From Golden Light", models=2).on((5, 10), (25, 10))
    battle = scene(squad().at(10, 50), torn, phase=Phase.FIGHT)
    while decision(battle).kind != "use-rule":
        battle.answer(decision(battle).default())
    battle.answer("reposition:b.1")
    assert battle.state.units[1].in_reserves
    assert battle.state.wounds.tolist() == [1, 1, 1]


def test_tormentors_force_battle_shock_rolls_of_whom_they_are_engaged_with() -> None:
    battle = scene(
        [squad().at(10, 12), squad().at(30, 30)],
        squad("Tormentors").at(10, 10),
        phase=Phase.FIGHT,
        dice=[("battle-shock", (1, 1))],
    )
    assert [(event.unit, event.battle_shocked) for event in events_of(battle, BattleShockTested)] == [("a.1", True)]
    assert battle.state.units[0].battle_shocked


# -- who fights on although destroyed (01.08) -------------------------------------------------------------------------


@pytest.mark.rule("11e.core.01.08-fight-on-death")
def test_a_model_that_fights_on_death_is_not_destroyed_a_second_time() -> None:
    sword = weapon("Sword", melee=True, S=9, AP=-6, D=3)
    stubborn = with_ability(unit(1, weapons=[sword], W=3), real("Heroic Last Stand"))
    hit = [("hit", (5,)), ("wound", (5,)), ("save", (1,))]
    battle = scene(
        [unit(1, weapons=[sword], W=3).at(10, 10), unit(1, weapons=[sword], W=3).at(8, 10)],
        stubborn.at(10, 12),
        phase=Phase.FIGHT,
        dice=[*hit, *hit],
        options={"offer_command_re_roll": "never"},
    )
    run(resolve_attacks(battle, 0, declare(aim("b.1", 0)), AttackKind.FIGHT))
    assert standing(battle.state, 2) == [2], "destroyed, and still in play"
    run(resolve_attacks(battle, 1, declare(aim("b.1", 1)), AttackKind.FIGHT))
    assert standing(battle.state, 2) == [2], "it cannot be destroyed once more"
    assert battle.state.struck == ((2, 0, 0),)
    assert battle.state.book.kills == ()
    run(damage.let_go(battle, [2]))
    assert [(kill.unit, kill.by) for kill in battle.state.book.kills] == [(2, 0)], "by whoever destroyed it"


@pytest.mark.rule("11e.core.01.08-fight-on-death")
def test_wounds_go_to_the_others_of_a_unit_in_which_somebody_fights_on_death() -> None:
    battle = scene(
        unit(1).at(10, 10),
        with_ability(unit(2, W=3), real("Heroic Last Stand")).at(10, 12),
        phase=Phase.FIGHT,
    )
    damage.lose_wounds(battle, 1, 3, "test")
    run(damage.resolve_destroyed(battle))
    assert standing(battle.state, 1) == [1, 2]
    assert damage.mortal_wound_candidates(battle.scene, battle.state, 1) == (2,)


# -- coming back, splitting, values that are set -----------------------------------------------------------------------


@pytest.mark.rule("11e.core.01.09-returned-character")
def test_berzerker_frenzy_sets_its_bearer_up_again_where_it_fell_as_the_phase_ends() -> None:
    lord = with_ability(unit(1, "CHARACTER", "INFANTRY", W=9), real("Berzerker Frenzy"))
    for die, back in ((2, True), (1, False)):
        battle = scene(
            unit(1).at(5, 5), [lord.at(30, 40), unit(1).at(5, 50)], phase=Phase.MOVEMENT, dice=[("return", (die,))]
        )
        battle.state.position[0, :2] = 30_000, 43_000  # an enemy near the place
        damage.lose_wounds(battle, 1, 9, "test")
        run(damage.resolve_destroyed(battle))
        assert standing(battle.state, 1) == []
        assert not events_of(battle, ModelReturned), "not before the phase ends"
        battle.answer("end")
        assert standing(battle.state, 1) == ([1] if back else [])
        if back:
            assert wounds(battle, "b.1") == [3]
            assert battle.state.units[1].starting_strength == 1
            assert not is_engaged(battle.scene, battle.state, 1)
            x, y = battle.state.position[1, :2] / 1000
            assert math.dist((x, y), (30, 40)) < 1.5, "as close as it can be"
        battle.state.position[0, :2] = 5_000, 5_000
        damage.lose_wounds(battle, 1, 9, "test")
        run(damage.resolve_destroyed(battle))
        no_dice_left(battle)  # once in the battle


@pytest.mark.rule("11e.core.01.11-splitting")
def test_combat_squad_splits_a_unit_of_ten_into_two_of_five_once() -> None:
    whole = with_ability(unit(10, name="Tacticals", points=151), real("Combat Squad"))
    army = scene(whole.at(10, 10), unit(1).at(5, 50)).header.armies[0]
    made = split_units(army, ["Tacticals"])
    assert [(each.id, len(each.models), each.points) for each in made.units] == [("a.1", 5, 76), ("a.2", 5, 75)]
    battle = Battle.start((made, made), "11", seed=1)
    while battle.state.phase == Phase.SETUP:
        battle.answer(decision(battle).default())
    assert [each.starting_strength for each in battle.state.units] == [5, 5, 5, 5]
    with pytest.raises(ArmyError, match="cannot be split"):
        split_units(made, ["a.1"])
    with pytest.raises(ArmyError, match="cannot be split"):
        split_units(scene(with_ability(unit(9), real("Combat Squad")).at(1, 1)).header.armies[0], ["a.1"])


@pytest.mark.rule("11e.core.01.05-treated-as", "11e.core.16-eligible")
def test_oc_that_is_set_to_0_is_0_for_whatever_asks_for_it() -> None:
    lost = ability(effect("objective-control-modifier", operation="set", value=0))
    goal = Objective("o", (22.0, 30.0))
    for abilities, may, holder in (((), True, 0), ((lost,), False, NOBODY)):
        battle = scene(
            with_ability(unit(1), *abilities).at(22, 30), squad().at(5, 58), phase=Phase.MOVEMENT, objectives=[goal]
        )
        assert may_start_actions(battle.scene, battle.state, 0) is may
        battle.answer("end")
        assert battle.state.control == (holder,)


def test_ride_hard_ride_fast_is_for_the_units_that_its_note_tells() -> None:
    asked = json.loads(real("Ride Hard, Ride Fast").encoding)["applies_to"]["required_keywords"]
    assert "Mounted/Fly Vehicle" in asked
    for keywords, may in ((("MOUNTED",), True), (("VEHICLE", "FLY"), True), (("VEHICLE",), False)):
        theirs = squad(keywords=(*keywords, *(each.upper() for each in asked if "/" not in each)))
        battle = scene(
            [squad().at(10, 10), squad().at(20, 10)],
            theirs.at(10, 20),
            phase=Phase.SHOOTING,
            stratagems=[real("Ride Hard, Ride Fast")],
            cp=(0, 1),
            options={"offer_command_re_roll": "never"},
        )
        battle.answer("a.1")
        battle.answer(declare(aim("b.1", 0)))
        assert (decision(battle).kind == "use-rule") is may


@pytest.mark.rule("11e.core.15.01-protection-range", "11e.core.04.03.03-new-target")
def test_hidden_hunters_takes_its_unit_out_of_reach_of_models_beyond_18_inches() -> None:
    words = json.loads(real("Hidden Hunters").encoding).get("applies_to", {}).get("required_keywords", [])
    theirs = squad(keywords=("INFANTRY", *(each.upper() for each in words)))
    battle = scene(
        [unit(2, weapons=[weapon("Gun", R='30"')]).on((10, 10), (10, 8)), squad().at(20, 10)],
        [theirs.at(10, 28), squad().at(14, 30)],
        phase=Phase.SHOOTING,
        stratagems=[real("Hidden Hunters")],
        cp=(0, 1),
        options={"offer_command_re_roll": "never"},
        dice=[("hit", (1,)), ("hit", (1,))],
    )
    battle.answer("a.1")
    battle.answer(declare(aim("b.1", 0, 1)))
    battle.answer("detachment-hidden-hunters:b.1")
    while decision(battle).kind in ("select-target", "select-new-target", "select-pool"):
        battle.answer(decision(battle).default())
    assert [event.target for event in stages(battle, "hit")] == ["b.1", "b.2"], "the one beyond aims anew"


def test_illusions_of_tzeentch_protect_a_led_unit_beyond_18_inches() -> None:
    led = attached(unit(1), with_ability(unit(1, "CHARACTER", "INFANTRY"), real("Illusions of Tzeentch (Psychic)")))
    gun = weapon("Gun", R='30"')
    for y, refused in ((28.9, False), (29.5, True)):
        battle = scene(unit(1, weapons=[gun]).at(10, 10), led.at(10, y, apart=1.5), phase=Phase.SHOOTING)
        assert bool(broken(battle, AttackKind.NORMAL, aim("b.1", 0))) is refused
