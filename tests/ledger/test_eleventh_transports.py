"""Transports: capacity, embarking, the ways out, emergency disembarks, Firing Deck (18, 24.08, 24.14)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from battlewright.core.decisions import Pick, Place
from battlewright.core.roster import Transport
from battlewright.editions.eleventh import shooting
from battlewright.editions.eleventh.battle_formations import boardings
from battlewright.editions.eleventh.command import must_test
from battlewright.editions.eleventh.damage import lose_wounds, resolve_destroyed
from battlewright.editions.eleventh.events import AttacksDeclared, UnitDestroyed, UnitDisembarked
from battlewright.editions.eleventh.passengers import has_room_for
from battlewright.editions.eleventh.scene import Battle11, weapons_of
from battlewright.editions.eleventh.shooting import is_eligible_to_shoot, shoot
from battlewright.editions.eleventh.state import NOBODY, MoveKind, Phase
from battlewright.editions.eleventh.targeting import AttackKind, Targeting
from battlewright.editions.eleventh.transports import (
    Mode,
    disembark_mode,
    disembark_space,
    embarkable,
    may_disembark,
)
from support.combat import aim, broken, events_of, run_asking, wounds
from support.eleventh import UnitSpec, attached, decision, place, rules_broken, scene, unit, walk, weapon

ROLES = [("attacker-roll-off", (6, 1)), ("first-turn-roll-off", (6, 1))]
RADIUS = 2.0


def truck(
    capacity: int = 12, *keywords: str, only: tuple[str, ...] = (), not_for: tuple[str, ...] = (), **more: Any
) -> UnitSpec:
    """A transport on a round base of 2" radius."""
    words = ("VEHICLE", "TRANSPORT", *keywords)
    carried = Transport(capacity, only, not_for)
    return unit(1, *words, base="101.6mm", name="Truck", height=2, transport=carried, W="10", M='12"', **more)


def squad(models: int = 1, **more: Any) -> UnitSpec:
    return unit(models, base="25.4mm", **more)


def aboard(spec: UnitSpec | None = None, *others: UnitSpec, b: Any = (), carrier: Any = None, **flags: Any) -> Battle11:
    """Side a's Movement phase: a transport at (20, 20), and these units in it."""
    carried = [(spec or squad()).having(embarked_in=0), *(each.having(embarked_in=0) for each in others)]
    return scene([(carrier or truck()).at(20, 20), *carried], b, **flags)


# -- capacity and passengers (18.01) ----------------------------------------------------------------------------


@pytest.mark.rule("11e.core.18.01-capacity")
def test_several_units_share_a_transport_up_to_its_capacity() -> None:
    battle = scene([truck(12).at(20, 20), squad(5).having(embarked_in=0), squad(5), squad(7), squad(8)])
    assert [has_room_for(battle.scene, battle.state, 0, each) for each in (2, 3, 4)] == [True, True, False]


@pytest.mark.rule("11e.core.18.01-capacity")
def test_only_allowed_passengers_of_the_own_side_board() -> None:
    carrier = truck(12, only=("INFANTRY",), not_for=("JUMP PACK",))
    others = [unit(1, "INFANTRY"), unit(1, "MOUNTED"), unit(1, "INFANTRY", "JUMP PACK"), truck(), unit(1, "INFANTRY")]
    battle = scene([carrier, *others[:4]], others[4])
    found = [has_room_for(battle.scene, battle.state, 0, each) for each in range(1, 6)]
    assert found == [True, False, False, False, False]
    led = scene([carrier, attached(unit(2, "INFANTRY"), unit(1, "INFANTRY", "JUMP PACK", name="Captain"))])
    assert not has_room_for(led.scene, led.state, 0, 1), "each model has to be allowed"


@pytest.mark.rule("11e.core.mission.battle-formations", "11e.core.18.01-capacity")
def test_units_may_begin_embarked() -> None:
    battle = scene([truck(5), squad(3), squad(3)], squad(), phase=Phase.SETUP, dice=ROLES)
    battle.answer("attacker")
    assert [option.key for option in battle.options()] == ["a.2:a.1", "a.3:a.1", "end"]
    battle.answer("a.2:a.1")
    assert decision(battle).kind == "declare-reserves", "there is no room for the other"
    battle.answer("end")
    battle.answer("end")
    while battle.state.phase == Phase.SETUP:
        battle.answer(decision(battle).default())
    assert not battle.state.on_table[list(battle.state.units[1].models)].any()


@pytest.mark.rule("11e.core.18.01-dedicated-transports")
@pytest.mark.parametrize("boards", [True, False])
def test_an_empty_dedicated_transport_is_destroyed(boards: bool) -> None:
    carrier = truck(5, "DEDICATED TRANSPORT", abilities=["Deadly Demise 3"])
    battle = scene([carrier, squad(3)], squad(), phase=Phase.SETUP, dice=ROLES)
    battle.answer("attacker")
    assert boardings(battle.scene, battle.state, 0) == [(1, 0)]  # type: ignore[arg-type]
    assert decision(battle).default() == Pick("a.2:a.1")
    battle.answer("a.2:a.1" if boards else "end")
    battle.answer("end")
    battle.answer("end")
    assert [event.unit for event in events_of(battle, UnitDestroyed)] == ([] if boards else ["a.1"])


@pytest.mark.rule("11e.core.20.01-declaring")
def test_passengers_count_with_their_transport_in_reserves() -> None:
    keys = {}
    for riders in (100, 400):
        spec = [truck(3, points=300), squad(3, points=riders), squad(points=900 - riders)]
        battle = scene(spec, squad(), phase=Phase.SETUP, dice=ROLES)
        battle.answer("attacker")
        battle.answer("a.2:a.1")
        keys[riders] = [option.key for option in battle.options()]
    assert keys[100] == ["a.1", "end"], "the limit is 750: 300 + 100, but not 800"
    assert keys[400] == ["a.1", "a.3", "end"], "300 + 400, and 500"


# -- embarking (18.02) ------------------------------------------------------------------------------------------

INSIDE, OUTSIDE = 20 - RADIUS - 3 - 0.5, 20 - RADIUS - 3.1 - 0.5


@pytest.mark.rule("11e.core.18.02-embark")
@pytest.mark.parametrize(("x", "near"), [(INSIDE, True), (OUTSIDE, False)])
@pytest.mark.parametrize("moved", ["normal", "advance", "fall-back"])
def test_a_unit_embarks_after_a_move_if_every_model_is_near(moved: str, x: float, near: bool) -> None:
    pair = squad(2).on((16, 20), (x, 20)).having(moved_as=moved)
    battle = scene([truck().at(20, 20), pair])
    assert embarkable(battle.scene, battle.state, 1) == ([0] if near else [])


@pytest.mark.rule("11e.core.18.02-embark", "11e.core.18.02-not-after-scouting")
@pytest.mark.parametrize("flags", [{"moved_as": "stationary"}, {"moved_as": "scout"}, {"moved_as": "charge"},
                                   {"moved_as": "normal", "set_up_this_turn": True}], ids=str)  # fmt: skip
def test_a_unit_does_not_embark_otherwise(flags: dict[str, Any]) -> None:
    battle = scene([truck().at(20, 20), squad().at(16, 20).having(**flags)])
    assert embarkable(battle.scene, battle.state, 1) == []


@pytest.mark.rule("11e.core.18.02-embark", "11e.core.mission.leaving-the-battlefield", "11e.core.18.04-disembark")
def test_who_embarks_leaves_the_battlefield_and_stays_aboard_this_phase() -> None:
    battle = scene([truck().at(20, 20), squad(2).at(10, 20)], squad().at(40, 50))
    battle.answer("a.2")
    battle.answer("normal")
    battle.answer(place(walk(2, (16, 20)), walk(1, (15, 20))))
    assert [option.key for option in battle.options()] == ["a.1", "stay"]
    battle.answer("a.1")
    mine = battle.state.units[1]
    assert (mine.embarked_in, battle.state.on_table[[1, 2]].any()) == (0, False)
    assert not may_disembark(battle.scene, battle.state, 1)
    assert [option.key for option in battle.options()] == ["a.1", "end"]


@pytest.mark.rule("11e.core.01.10-off-the-battlefield", "11e.core.01.10-off-battlefield-shock")
def test_passengers_are_out_of_sight_but_take_battle_shock_rolls() -> None:
    battle = aboard(squad(4).having(wounds=(1, 1, 0, 0)), b=squad(weapons=[weapon()]).at(20, 30))
    assert Targeting(battle.scene, battle.state, 2, AttackKind.NORMAL).foes == (0,)
    assert broken(battle, AttackKind.NORMAL, aim("a.2", 5), unit="b.1") == {"11e.core.04-steps"}
    assert broken(battle, AttackKind.NORMAL, aim("a.1", 5), unit="b.1") == set()
    battle.state.units[1].starting_strength = 4
    assert must_test(battle, 0) == [1]  # type: ignore[arg-type]


# -- disembarking (18.04) ---------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.18.04-disembark", "11e.core.18.07-shock-disembark")
@pytest.mark.parametrize(
    ("flags", "may"),
    [({}, True), ({"moved_as": "normal"}, True), ({"moved_as": "stationary"}, True), ({"moved_as": "ingress"}, True),
     ({"moved_as": "advance"}, False), ({"moved_as": "fall-back"}, False),
     ({"moved_as": "advance", "shock_disembark": True}, True)],
)  # fmt: skip
def test_passengers_stay_in_after_an_advance_or_a_fall_back(flags: dict[str, Any], may: bool) -> None:
    battle = aboard(carrier=truck().having(**flags))
    assert may_disembark(battle.scene, battle.state, 1) is may
    waiting = scene([truck().having(in_reserves=True), squad().having(embarked_in=0)])
    assert not may_disembark(waiting.scene, waiting.state, 1)


def spots(battle: Battle11, mode: Mode, *points: tuple[float, ...]) -> list[set[str]]:
    """What setting up the one model of a.2 at each point by a mode would break."""
    space = disembark_space(battle.scene, battle.state, 1, mode)
    return [{each.rule for each in space.check(place(walk(1, point)))} for point in points]


@pytest.mark.rule("11e.core.18.04-rapid", "11e.core.18.04-disembark")
def test_a_rapid_disembark_follows_the_transports_move_and_forbids_charging() -> None:
    battle = aboard(squad(), b=squad().at(20, 28))
    battle.answer("a.1")
    battle.answer("normal")
    battle.answer(Place(()))
    battle.answer("a.2")
    battle.answer("disembark")
    rule_id = "11e.core.18.04-rapid"
    assert rules_broken(battle, place(walk(1, (20, 24.6)))) == {rule_id}, "partly beyond 3 inches"
    assert rule_id in rules_broken(battle, place(walk(1, (20, 21)))), "on the transport"
    battle.answer(place(walk(1, (20, 24.5))))
    mine = battle.state.units[1]
    assert (mine.may_not_charge, mine.battle_shocked, mine.embarked_in) == (True, False, NOBODY)
    assert (mine.moved_as, mine.set_up_this_turn) == (MoveKind.DISEMBARK, True)
    assert [event.how for event in events_of(battle, UnitDisembarked)] == ["rapid"]
    while battle.state.phase not in (Phase.CHARGE, Phase.FIGHT):
        battle.answer("end")
    assert "a.2" not in {option.key for option in battle.options()}


@pytest.mark.rule("11e.core.18.04-rapid")
def test_passengers_of_an_arriving_transport_obey_its_limits() -> None:
    carrier = truck().having(moved_as="ingress")
    battle = scene([carrier.at(2, 30), squad().having(embarked_in=0)], squad().at(1, 41.6), battle_round=3)
    assert disembark_mode(battle.scene, battle.state, 1) is Mode.RAPID
    assert spots(battle, Mode.RAPID, (5.5, 30), (5.6, 30), (1, 33)) == [
        set(), {"11e.core.20.04-ingress"}, {"11e.core.20.04-ingress"},
    ]  # fmt: skip


@pytest.mark.rule("11e.core.18.04-tactical", "11e.core.09-modes-in-order")
@pytest.mark.parametrize("flags", [{}, {"moved_as": "stationary", "selected_to_move": True}], ids=str)
def test_a_tactical_disembark_is_followed_by_a_move_and_allows_charging(flags: dict[str, Any]) -> None:
    battle = aboard(carrier=truck().having(**flags), b=squad().at(20, 34))
    battle.answer("a.2")
    battle.answer("disembark")
    battle.answer(place(walk(1, (20, 24.5))))
    assert [option.key for option in battle.options()] == ["normal", "advance"]
    battle.answer("normal")
    battle.answer(place(walk(1, (20, 30.5))))
    mine = battle.state.units[1]
    assert (mine.moved_as, mine.may_not_charge, mine.battle_shocked) == ("normal", False, False)
    assert embarkable(battle.scene, battle.state, 1) == [], "it was set up this turn"


@pytest.mark.rule("11e.core.18.04-combat", "11e.core.18.04-tactical", "11e.core.09-modes-in-order")
def test_a_combat_disembark_where_a_tactical_one_finds_no_room() -> None:
    around = [(1, 0), (0.707, 0.707), (0, 1), (-0.707, 0.707), (-1, 0), (-0.707, -0.707), (0, -1), (0.707, -0.707)]
    ring = [(20 + 4.6 * dx, 20 + 4.6 * dy) for dx, dy in around]
    foes = unit(8, base="50.8mm", name="Ring").on(*ring)
    battle = aboard(squad(2), b=foes, dice=[("hazard", (1, 6))])
    assert disembark_mode(battle.scene, battle.state, 1) is Mode.COMBAT
    battle.answer("a.2")
    battle.answer("disembark")
    while decision(battle).kind == "select-model":
        battle.answer(decision(battle).default())
    assert sum(wounds(battle, "a.2")) == 1, "one hazard roll for each model"
    battle.answer(decision(battle).default())
    mine = battle.state.units[1]
    assert (mine.battle_shocked, mine.may_not_charge, mine.moved_as) == (True, True, "disembark")


@pytest.mark.rule("11e.core.18.04-combat")
def test_in_a_combat_disembark_models_may_be_engaged_with_those_that_the_transport_is_engaged_with() -> None:
    near, far = squad().at(24, 20), squad().at(20, 28)
    battle = aboard(b=[near, far])
    assert spots(battle, Mode.COMBAT, (23.9, 22.0), (20, 26.0), (20, 25.4)) == [
        set(), {"11e.core.03.02-set-up"}, {"11e.core.03.02-set-up"},
    ]  # fmt: skip
    assert spots(battle, Mode.TACTICAL, (23.9, 22.0)) == [{"11e.core.03.02-set-up"}]


@pytest.mark.rule("11e.core.03.02-oversized-disembark")
def test_a_model_too_large_for_the_distance_stands_beside_the_transport() -> None:
    battle = aboard(unit(1, base="101.6mm"))
    assert spots(battle, Mode.RAPID, (20, 25), (20, 25.1)) == [set(), {"11e.core.18.04-rapid"}]


@pytest.mark.rule("11e.core.18.06-assault-disembark", "11e.core.18.07-shock-disembark")
@pytest.mark.parametrize(
    ("flags", "mode", "may_charge"),
    [({"moved_as": "normal", "assault_disembark": True}, Mode.ASSAULT, True),
     ({"moved_as": "advance", "shock_disembark": True}, Mode.SHOCK, False)],
)  # fmt: skip
def test_where_a_rule_lets_passengers_out(flags: dict[str, Any], mode: Mode, may_charge: bool) -> None:
    battle = aboard(carrier=truck().having(selected_to_move=True, **flags), b=squad().at(40, 50))
    assert disembark_mode(battle.scene, battle.state, 1) is mode
    assert spots(battle, mode, (20, 24.5), (20, 24.6)) == [set(), {mode.rule_id}]
    battle.answer("a.2")
    battle.answer("disembark")
    assert decision(battle).rule == mode.rule_id
    again = aboard(squad(), squad(), carrier=truck().having(selected_to_move=True, **flags))
    again.answer("a.2")
    again.answer("disembark")
    again.answer(place(walk(1, (20, 24.5))))
    assert again.state.units[1].may_not_charge is not may_charge


@pytest.mark.parametrize("models", [1, 5, 10, 20])
def test_a_place_beside_the_transport_is_found_and_sampled(models: int) -> None:
    battle = aboard(unit(models))
    space = disembark_space(battle.scene, battle.state, 1, Mode.RAPID)
    assert len(space.default().moves) == models or models == 20
    assert space.check(space.default()) == []
    assert all(space.check(space.sample(random.Random(seed))) == [] for seed in range(5))


# -- destroyed transports (18.05, 24.08) ------------------------------------------------------------------------


def wreck(battle: Battle11, *answers: Any) -> list[Any]:
    """Destroy the transport outside of attacks; the decisions that came up."""
    lose_wounds(battle, 0, 10, "test")
    return run_asking(resolve_destroyed(battle), *answers)[1]


@pytest.mark.rule("11e.core.18.05-emergency")
def test_passengers_of_a_destroyed_transport_get_out_shaken() -> None:
    battle = aboard(squad(3), b=squad().at(40, 50), dice=[("hazard", (3, 4, 5))])
    (asked,) = wreck(battle)
    assert (asked.kind, asked.side) == ("emergency-disembark", 0)
    mine = battle.state.units[1]
    assert (mine.battle_shocked, mine.may_not_charge, mine.embarked_in) == (True, True, NOBODY)
    assert battle.state.on_table.tolist() == [False, True, True, True, True]
    assert [event.how for event in events_of(battle, UnitDisembarked)] == ["emergency"]


@pytest.mark.rule("11e.core.18.05-emergency")
def test_an_emergency_disembark_makes_hazard_rolls_first() -> None:
    battle = aboard(squad(3), b=squad().at(40, 50), dice=[("hazard", (1, 2, 5))])
    wreck(battle)
    assert sum(wounds(battle, "a.2")) == 1
    assert battle.state.on_table[1:4].sum() == 1
    everybody = aboard(squad(2), b=squad().at(40, 50), dice=[("hazard", (1, 1))])
    wreck(everybody)
    assert [event.unit for event in events_of(everybody, UnitDestroyed)] == ["a.1", "a.2"]


@pytest.mark.rule("11e.core.18.05-emergency", "11e.core.18.05-no-room")
def test_an_emergency_disembark_is_close_whole_and_unengaged_where_it_can_be() -> None:
    battle = aboard(squad(2), b=squad().at(20, 25.5), dice=[("hazard", (6, 6))])
    lose_wounds(battle, 0, 10, "test")
    procedure = resolve_destroyed(battle)
    space = next(procedure).choices

    def faults(*points: tuple[float, float]) -> set[str]:
        return {each.rule for each in space.check(place(*(walk(1 + k, each) for k, each in enumerate(points))))}

    assert faults((17.45, 20), (17.69, 21.08)) == set()
    assert faults((15, 20), (15, 21.1)) == {"11e.core.18.05-emergency"}, "further away than it has to be"
    assert faults((17.45, 20)) == {"11e.core.18.05-no-room"}, "there is room for the other"
    assert faults((17.45, 20), (22.55, 20)) == {"11e.core.03.03-coherency"}
    assert faults((20, 22.55), (18.92, 22.33)) == {"11e.core.18.05-no-room"}, "engaged without need"


@pytest.mark.rule("11e.core.18.05-no-room")
def test_who_finds_no_place_is_destroyed() -> None:
    crowd = [unit(1, base="101.6mm", name=f"Crowd {dx} {dy}").at(20 + 4.1 * dx, 20 + 4.1 * dy)
             for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]  # fmt: skip
    battle = scene([truck().at(20, 20), squad(3, W="2").having(embarked_in=0)], crowd, dice=[("hazard", (6, 6, 6))])
    wreck(battle)
    assert wounds(battle, "a.2").count(0) > 0
    assert all(battle.state.on_table[row] == (battle.state.wounds[row] > 0) for row in battle.state.units[1].models)


@pytest.mark.rule("11e.24.08-deadly-demise.after-disembark", "11e.core.18-deadly-demise-after")
def test_deadly_demise_comes_after_the_passengers_got_out() -> None:
    carrier = truck(abilities=["Deadly Demise 2"])
    battle = aboard(squad(4), carrier=carrier, b=squad().at(40, 50), dice=[
        ("hazard", (6, 6, 6, 6)), ("deadly-demise", (6,)),
    ])  # fmt: skip
    wreck(battle)
    assert sum(wounds(battle, "a.2")) == 2


# -- Firing Deck (24.14) ----------------------------------------------------------------------------------------

RIFLE, GUN = weapon("Rifle"), weapon("Plasma gun", S="7")
GUNNERS = squad(3, weapons=[RIFLE, GUN])


def deck(*specs: UnitSpec, turn: int = 0, x: int = 2) -> Battle11:
    carrier = truck(12, abilities=[f"Firing Deck {x}"], weapons=[weapon("Heavy bolter", A="3")])
    carried = [each.having(embarked_in=0, **each.flags) for each in specs]
    return scene([carrier.at(20, 20), *carried], unit(5, T="3", W="9").at(18, 32), phase=Phase.SHOOTING, turn=turn)


def kinds(asked: list[Any]) -> list[str]:
    return [each.kind for each in asked]


@pytest.mark.rule("11e.24.14-firing-deck.trigger")
def test_firing_deck_runs_in_the_own_shooting_phase_with_somebody_aboard() -> None:
    for specs, turn, runs in (((), 0, False), ((GUNNERS,), 0, True), ((GUNNERS,), 1, False)):
        battle = deck(*specs, turn=turn)
        assert ("firing-deck" in kinds(run_asking(shoot(battle, 0))[1])) is runs


@pytest.mark.rule("11e.24.14-firing-deck.step1-up-to-x", "11e.24.14-firing-deck.step2-one-weapon")
@pytest.mark.parametrize(("answers", "lent"), [(["done"], 0), (["1:0", "done"], 1), (["1:0", "2:1"], 2), (["all"], 2)])
def test_up_to_x_models_lend_one_weapon_each(answers: list[str], lent: int) -> None:
    battle = deck(GUNNERS)
    _, asked = run_asking(shoot(battle, 0), *answers)
    declared = events_of(battle, AttacksDeclared)[0]
    assert sum(count for _, count, _ in declared.pools) == 1 + lent
    picks = [each for each in asked if each.kind == "firing-deck"]
    assert len(picks) == len(answers), "after the second model nobody is asked"
    if len(answers) == 2:
        assert all(not option.key.startswith("1:") for option in picks[1].options()), "one weapon of each model"


@pytest.mark.rule("11e.24.14-firing-deck.step2-no-one-shot", "11e.24.14-firing-deck.step1-already-selected")
def test_no_one_shot_weapons_and_no_models_of_units_selected_before() -> None:
    battle = deck(squad(1, weapons=[weapon("Missile", "ONE SHOT"), RIFLE]), GUNNERS.having(selected_to_shoot=True))
    _, asked = run_asking(shoot(battle, 0))
    first = next(each for each in asked if each.kind == "firing-deck")
    assert [option.key for option in first.options()] == ["1:1", "all", "done"]


@pytest.mark.rule(
    "11e.24.14-firing-deck.step3-transport-has-weapons",
    "11e.24.14-firing-deck.step4-embarked-cannot-shoot",
    "11e.24.14-firing-deck.order",
)
def test_the_transport_has_the_weapons_until_its_attacks_are_resolved_and_passengers_do_not_shoot() -> None:
    battle = deck(GUNNERS, GUNNERS)
    procedure = shoot(battle, 0)
    asked = next(procedure)
    names = []
    try:
        while True:
            if asked.kind == "declare-attacks":
                names = [each.name for each in weapons_of(battle.scene, battle.state, 0)]
                assert not battle.state.units[1].may_not_shoot, "step 4 comes last"
            answer = asked.default() if asked.kind != "firing-deck" else Pick("all")
            asked = procedure.send(answer)
    except StopIteration:
        pass
    assert names == ["Heavy bolter", "Rifle", "Rifle"]
    assert [each.name for each in weapons_of(battle.scene, battle.state, 0)] == ["Heavy bolter"]
    battle.state.position[1] = (10_000, 10_000, 0, 0)
    for index in (1, 2):  # both units, though models of the first alone were picked; even after getting out
        rows = list(battle.state.units[index].models)
        battle.state.on_table[rows] = True
        assert not is_eligible_to_shoot(battle.scene, battle.state, index)
    assert shooting.eligible_to_shoot(battle.scene, battle.state, 0) == []  # type: ignore[arg-type]
