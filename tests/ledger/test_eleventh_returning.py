"""Healing, reviving, fighting on death, surging: abilities at moments of their own (01.08, 01.09, 02, 21.01)."""

from __future__ import annotations

from typing import Any

import pytest

from battlewright.core.dice import SeededDice, parse_dice
from battlewright.core.roster import Transport
from battlewright.editions.eleventh.abilities.in_force import combat_reach
from battlewright.editions.eleventh.events import ChargeDeclared, ModelReturned, UnitDestroyed, WoundsHealed
from battlewright.editions.eleventh.fight import may_pile_in
from battlewright.editions.eleventh.flying import surge
from battlewright.editions.eleventh.measuring import distances
from battlewright.editions.eleventh.returning import revive, rolled
from battlewright.editions.eleventh.scene import Battle11, living, standing
from battlewright.editions.eleventh.state import MoveKind, Phase
from support.abilities import ability, condition, effect, when, with_ability
from support.combat import aim, declare, events_of, no_dice_left, run, run_asking, wounds
from support.eleventh import UnitSpec, attached, box, decision, place, rules_broken, scene, unit, walk, weapon

FOE = unit(1, name="Foe", weapons=[weapon()])
C = "11e.core."
H = "11e.ds-healing."


def heals(amount: str | int, target: str = "unit", **more: Any) -> Any:
    return ability(effect("heal-wounds", target, amount=amount), "Balm", **more)


def revives(count: str | int, name: str = "Narthecium", **more: Any) -> Any:
    return ability(effect("resurrection", count=count, **more), name)


def command(spec: UnitSpec, *others: UnitSpec, dice: Any = None, foe: UnitSpec | None = None, **flags: Any) -> Battle11:
    """The Command phase of side a, run to the end of it, or to its first decision."""
    return scene([spec, *others], foe or FOE.at(10, 50), phase=Phase.COMMAND, dice=dice, **flags)


def until(battle: Battle11, kind: str) -> None:
    """Go on by defaults to the first decision of that kind."""
    while decision(battle).kind != kind:
        battle.answer(decision(battle).default())


# -- healing (02) -----------------------------------------------------------------------------------------------


@pytest.mark.rule(H + "unit-heals-up-to", H + "wounded-first", H + "full-wounds", C + "02-heal")
def test_a_unit_heals_in_its_command_phase_the_wounded_first() -> None:
    squad = with_ability(unit(3, W=3), heals(3)).at(10, 10).having(wounds=(1, 3, 3))
    battle = command(squad)
    assert wounds(battle, "a.1") == [3, 3, 3], "the third wound found nobody to heal"
    assert [(event.model, event.left) for event in events_of(battle, WoundsHealed)] == [(0, 2), (0, 3)]


@pytest.mark.rule(H + "revive-when-all-full", H + "revive-one-wound", H + "revived-then-heals", C + "02-heal")
def test_when_all_are_full_a_destroyed_model_comes_back_with_one_wound_and_is_healed() -> None:
    squad = with_ability(unit(3, W=3), heals(3)).at(10, 10).having(wounds=(3, 2, 0))
    battle = command(squad)
    assert decision(battle).kind == "place-revived"
    assert rules_broken(battle, place(walk(2, (20, 10)))) == {C + "01.09-revived-placement"}
    battle.answer(decision(battle).default())
    assert wounds(battle, "a.1") == [3, 3, 2]
    assert len(standing(battle.state, 0)) == 3


@pytest.mark.rule(H + "model-heals-only-itself", H + "model-heal-excess-lost", C + "02-heal-model", C + "01.05-d3")
def test_a_model_that_heals_itself_heals_nobody_else_and_no_more_than_it_lost() -> None:
    given = ability(effect("resurrection", "self", count="D3", type="wounds"), "Self Repair")
    tank, pal = with_ability(unit(1, "VEHICLE", W=9, name="Tank"), given), unit(1, W=9, name="Pal")
    battle = command(attached(pal, tank).at(10, 10).having(wounds=(4, 7)), dice=[("heal", [3])])
    assert wounds(battle, "a.1") == [4, 9], "two of the three wounds, and none for its friend"
    no_dice_left(battle)


@pytest.mark.rule(C + "01.05-d3")
def test_a_d3_is_a_d6_halved_and_rounded_up() -> None:
    dice = SeededDice(5)
    sixes, threes = dice.throw(0, 200, 6, "")[0], dice.throw(0, 200, 3, "")[0]
    assert threes == tuple(-(-face // 2) for face in sixes), "the same words of the stream"
    battle = scene(unit(1).at(10, 10), dice=[("heal", [2])])
    assert rolled(battle, parse_dice("D3+1"), "heal", 0, C + "02-heal") == 3


# -- reviving (01.09) -------------------------------------------------------------------------------------------


@pytest.mark.rule(C + "01.09-revived-limits")
def test_revived_models_are_whole_and_never_too_many() -> None:
    squad = with_ability(unit(3, W=2, weapons=[weapon()]), revives(3))
    leader = unit(1, "INFANTRY", "CHARACTER", name="Leader")
    battle = command(attached(squad, leader).at(10, 10).having(wounds=(2, 0, 0, 0)))
    until(battle, "select-unit-to-move")
    assert wounds(battle, "a.1") == [2, 2, 2, 0], "all their wounds; the CHARACTER stays dead"
    assert [weapon.name for weapon in battle.scene.models[1].weapons] == ["Rifle"]
    smaller = command(with_ability(unit(3), revives(3)).at(10, 10).having(wounds=(1, 0, 0), starting_strength=2))
    until(smaller, "select-unit-to-move")
    assert sum(wounds(smaller, "a.1")) == 2


@pytest.mark.rule(C + "01.09-revived-placement")
def test_revived_models_stand_with_their_unit_and_engage_only_whom_it_is_engaged_with() -> None:
    squad = with_ability(unit(3), revives(2)).on((10, 10), (12, 10), (14, 10)).having(wounds=(1, 0, 0))
    foes = [FOE.at(10, 13), FOE.at(13.6, 10)]
    battle = scene(squad, foes, phase=Phase.COMMAND)
    until(battle, "select-model")
    battle.answer("model:1")
    assert rules_broken(battle, place(walk(1, (10, 7)))) == set(), '1.74" from its unit'
    assert rules_broken(battle, place(walk(1, (10, 5)))) == {C + "01.09-revived-placement"}
    assert rules_broken(battle, place(walk(1, (11.8, 10)))) == {C + "01.09-revived-placement"}, "engaged with b.2"
    assert rules_broken(battle, place(walk(1, (8.7, 11.5)))) == set(), "engaged with b.1, as its unit is"
    battle.answer(place(walk(1, (10, 7))))
    assert rules_broken(battle, place(walk(2, (10, 4)))) == {C + "01.09-revived-placement"}, (
        "the model that came back just now is none that began the phase there"
    )
    assert rules_broken(battle, place(walk(2, (8, 8.5)))) == set()


@pytest.mark.rule(C + "01.09-revived-placement")
def test_a_support_model_goes_back_to_its_attached_unit() -> None:
    helper = unit(1, name="Medic")
    battle = command(attached(with_ability(unit(2), revives(1)), helper).at(10, 10).having(wounds=(1, 1, 0)))
    battle.answer(decision(battle).default())
    assert living(battle.state, 0) == [0, 1, 2]
    assert float(distances(battle.scene, battle.state, [2], [0, 1]).min()) <= 2.001


@pytest.mark.rule(C + "01.09-revived-embarked")
@pytest.mark.parametrize(("places", "back"), [(3, [1, 1, 1]), (2, [1, 1, 0])])
def test_a_model_of_a_unit_aboard_goes_aboard_if_there_is_a_place_left(places: int, back: list[int]) -> None:
    squad = with_ability(unit(3), revives(1)).having(wounds=(1, 1, 0), embarked_in=1, deployed=True)
    carrier = unit(1, "VEHICLE", name="Carrier", transport=Transport(places, ("INFANTRY",))).at(10, 10)
    battle = command(squad, carrier)
    assert wounds(battle, "a.1") == back
    (event,) = events_of(battle, ModelReturned)
    assert event.where == ("aboard" if back[2] else "nowhere")
    assert not events_of(battle, UnitDestroyed)
    assert battle.state.book.slain == ()


@pytest.mark.rule(C + "22.03-once-per-phase")
def test_a_psychic_ability_is_used_once_in_a_phase_by_the_same_unit() -> None:
    given = revives(1, "Tears (Psychic)")
    squad = with_ability(unit(4, "INFANTRY", "PSYKER"), given).at(10, 10).having(wounds=(1, 1, 0, 0))
    battle = command(squad)
    until(battle, "select-unit-to-move")
    assert sum(wounds(battle, "a.1")) == 3, "two PSYKER models bear it"
    used = scene(squad, FOE.at(10, 50), phase=Phase.COMMAND, psychic_used=((0, "Tears (Psychic)"),))
    until(used, "select-unit-to-move")
    assert wounds(used, "a.1") == [1, 1, 0, 0]


def test_a_model_for_which_there_is_no_room_stays_destroyed() -> None:
    ring = [unit(1, base="50mm").at(1 + 2.5 * x, 1 + 2.5 * y) for x, y in ((1, 0), (0, 1), (1, 1))]
    battle = scene([unit(2, base="50mm").at(1, 1).having(wounds=(1, 0)), *ring], FOE.at(10, 50), phase=Phase.SHOOTING)
    assert not run(revive(battle, 0, 1, 1, "test", C + "02-heal"))
    assert wounds(battle, "a.1") == [1, 0]


# -- fighting on (01.08) ----------------------------------------------------------------------------------------

SWORD = weapon("Sword", melee=True, A=1, S=9, AP="-6", WS="2+", D=3)
STUBBORN = ability(when(condition("phase-is", phase="fight"), effect("fight-on-death", "self")), "Stubborn")


@pytest.mark.rule(C + "01.08-fight-on-death")
def test_who_fights_on_death_stays_until_its_unit_has_attacked() -> None:
    mine = unit(1, weapons=[SWORD], W=3).at(10, 10)
    theirs = with_ability(
        unit(1, "VEHICLE", weapons=[SWORD], name="Engine", abilities=["Deadly Demise 1"]), STUBBORN
    ).at(10, 12.5)
    hit = [("hit", [5]), ("wound", [5]), ("save", [1])]
    battle = scene(mine, theirs, phase=Phase.FIGHT, dice=[*hit, *hit, ("deadly-demise", [1])])
    for _ in range(2):
        battle.answer("end")
    battle.answer("a.1")
    battle.answer(decision(battle).default())
    assert standing(battle.state, 1) == [1], "destroyed, and still in play"
    assert not events_of(battle, UnitDestroyed)
    assert decision(battle).kind == "select-unit-to-fight"
    battle.answer("b.1")
    battle.answer(decision(battle).default())
    assert wounds(battle, "a.1") == [0], "it has fought"
    assert standing(battle.state, 1) == [], "and goes, with its Deadly Demise after that"
    assert [event.unit for event in events_of(battle, UnitDestroyed)] == ["a.1", "b.1"]
    assert events_of(battle, UnitDestroyed)[1].by == "a.1"
    no_dice_left(battle)


@pytest.mark.rule(C + "01.08-fight-on-death")
def test_who_has_fought_or_falls_in_another_phase_does_not_stay() -> None:
    gun = weapon("Gun", A=1, S=9, AP="-6", BS="2+", D=3)
    shot = [("hit", [5]), ("wound", [5]), ("save", [1])]
    target = with_ability(unit(1, weapons=[SWORD]), STUBBORN).at(10, 20)
    battle = scene(unit(1, weapons=[gun]).at(10, 10), target, phase=Phase.SHOOTING, dice=shot)
    battle.answer("a.1")
    battle.answer(declare(aim("b.1", 0)))
    assert standing(battle.state, 1) == []


# -- surging (21.01) --------------------------------------------------------------------------------------------

FURY = ability(
    {
        "type": "conditional",
        "condition": {
            "operator": "and",
            "operands": [
                condition("phase-is", phase="shooting"),
                condition("player-turn-is", turn="opponent"),
                condition("destroyed-by-attack-type", attack_type="ranged"),
            ],
        },
        "effect": effect("movement-modifier", distance="D6+2", move_type="surge"),
    },
    "Fury",
    behavior="reactive",
    duration="phase",
)
BEASTS = with_ability(unit(3, base="25.4mm", name="Beasts"), FURY)


def fired(saves: int, *foes: UnitSpec, dice: Any = ()) -> Battle11:
    """Side a has shot one model of b.1 dead, or not."""
    gun = weapon("Gun", A=1, S=9, AP="-1", BS="2+")
    shots = [("hit", [5]), ("wound", [5]), ("save", [saves]), *dice]
    battle = scene(unit(1, weapons=[gun], base="25.4mm").at(10, 10), [BEASTS.at(8, 18), *foes], phase=Phase.SHOOTING,
                   dice=shots)  # fmt: skip
    battle.answer("a.1")
    battle.answer(declare(aim("b.1", 0)))
    while battle.decision is not None and battle.decision.kind == "select-model":
        battle.answer(battle.decision.default())
    return battle


@pytest.mark.rule(C + "21.01-surge-eligible", C + "21.01-surge-move", C + "01.04-as-close-as-possible")
def test_a_unit_that_lost_a_model_to_fire_may_surge_towards_the_closest_enemy() -> None:
    assert fired(6).decision is None or decision(fired(6)).kind != "use-rule", "nobody has died"
    battle = fired(1, dice=[("surge", [6])])
    assert (decision(battle).side, decision(battle).kind) == (1, "use-rule")
    battle.answer("surge:b.1")
    assert decision(battle).kind == "surge-move"
    rows = list(standing(battle.state, 1))
    short = place(*(walk(row, (8 + 2 * (row - rows[0]), 15)) for row in rows))
    assert rules_broken(battle, short) == {C + "21.01-surge-move"}, "they could be engaged"
    engaged = place(walk(rows[0], (9.2, 12.2)), walk(rows[1], (10.9, 12.2)))
    assert rules_broken(battle, engaged) == {C + "01.04-as-close-as-possible"}, "they could reach base contact"
    battle.answer(decision(battle).default())
    gaps = distances(battle.scene, battle.state, rows, [0])[:, 0]
    assert (gaps <= 0.03).all(), "base contact, which both can reach"
    assert battle.state.units[1].moved_as == MoveKind.SURGE
    no_dice_left(battle)


@pytest.mark.rule(C + "01.04-already-closest-stays")
def test_a_unit_none_of_whose_models_can_come_closer_counts_as_having_moved() -> None:
    closed = [box(0, 17.5, 44, 18.5, 5.0)]
    beasts = unit(1, "VEHICLE", base="25.4mm").at(10, 19.01)
    battle = scene(beasts, unit(1, base="25.4mm").at(10, 10), terrain=closed, dice=[])
    _, asked = run_asking(surge(battle, 0, 0.4))
    assert asked == [], "nobody may be moved"
    mine = battle.state.units[0]
    assert (mine.surged, mine.moved_this_phase) == (True, True)
    free = scene(beasts, unit(1, base="25.4mm").at(10, 10), dice=[])
    _, asked = run_asking(surge(free, 0, 0.4))
    assert [each.kind for each in asked] == ["surge-move"]


# -- longer reaches, shorter charges ----------------------------------------------------------------------------


@pytest.mark.rule(C + "12.03-bonus-distance")
def test_bonus_distance_lengthens_the_pile_in_but_not_its_search() -> None:
    given = ability(effect("movement-modifier", move_type="pile-in", distance=6), "Onslaught")
    squad = with_ability(unit(1, base="25.4mm"), given).at(10, 10).having(charged=True)
    near = scene(squad, unit(1, base="25.4mm").at(10, 15.9), phase=Phase.FIGHT)
    assert combat_reach(near.scene, near.state, 0, 3.0, consolidating=False) == 6.0
    assert combat_reach(near.scene, near.state, 0, 3.0, consolidating=True) == 3.0
    near.answer("a.1")
    near.answer("b.1")
    assert rules_broken(near, place(walk(0, (10, 14.5)))) == set(), "4.5 inches"
    far = scene(squad, unit(1, base="25.4mm").at(10, 16.1), phase=Phase.FIGHT)
    assert not may_pile_in(far.scene, far.state, 0), '5.1"'


@pytest.mark.rule(C + "11.04-choose-again")
def test_a_target_that_a_rule_of_its_own_takes_out_of_reach_is_chosen_anew() -> None:
    given = ability(effect("roll-modifier", "defender", operation="subtract", roll="charge", value=2), "Drone")
    drone = with_ability(unit(1, base="25.4mm", name="Drone"), given).at(10, 17.5)
    plain = unit(1, base="25.4mm").at(14, 16.5)
    battle = scene(unit(1, base="25.4mm").at(10, 10), [drone, plain], phase=Phase.CHARGE, dice=[("charge", [4, 4])])
    battle.answer("a.1")
    assert [option.key for option in battle.options()] == ["b.1", "b.2", "none"]
    battle.answer("b.1")
    battle.answer("done")
    assert decision(battle).kind == "choose-charge-targets", "8 - 2 inches do not reach it"
    assert [option.key for option in battle.options()] == ["b.2", "none"]
    battle.answer("b.2")
    assert decision(battle).kind == "charge-move"
    assert events_of(battle, ChargeDeclared)[0].distance == 8
