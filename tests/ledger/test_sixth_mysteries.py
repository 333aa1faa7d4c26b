"""Mysterious objectives of the 6th edition: found out, held, blown up."""

from __future__ import annotations

from typing import Any

import pytest

import battlewright.report.classic  # noqa: F401  (registers the formatters)
from battlewright.attacks.description import RerollPermission, RerollWhich
from battlewright.core.decisions import Pick
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.events import ObjectiveExploded, ObjectiveIdentified
from battlewright.editions.classic.special_rules import Encounter
from battlewright.editions.classic.state import Phase
from battlewright.editions.sixth.charging import charge_range
from battlewright.editions.sixth.covering import covers_of
from battlewright.editions.sixth.identifying import blow_up, identify
from battlewright.editions.sixth.mysteries import NATURES, aims_again, halved
from battlewright.report.narrate import Names, Narrator
from support.classic import UnitSpec, model, printed_weapon, scene, unit, weapon

RULE = "6e.core.missions.mysterious-objectives"
HERE = ((30_000, 20_000),)
FOE = unit(1).at(60, 40)


def troops(models: int = 1, **more: Any) -> UnitSpec:
    return unit(models, "INFANTRY", "TROOPS", **more)


def battle_at(*sides: Any, mission: str = "crusade", **more: Any) -> Any:
    return scene(*sides, edition="6", mission=mission, **{"objectives": HERE, "alone": True} | more)


def holding(face: int, spec: UnitSpec) -> UnitSpec:
    """As a unit is that holds an objective of this nature."""
    return spec.having(powers=frozenset({(NATURES[face].lends, 10_000)}))


def lent(battle: Any, unit_index: int = 0) -> set[str]:
    return {name for name, _ in battle.state.units[unit_index].powers}


@pytest.mark.rule(RULE)
@pytest.mark.parametrize("face", range(1, 7))
def test_the_first_unit_within_three_inches_finds_out_what_it_is(face: int) -> None:
    battle = battle_at([troops().at(33.4, 20)], FOE, dice=[("mysterious-objective", [face])])
    identify(battle)
    identify(battle)  # only once
    assert battle.state.natures == (face,)
    assert lent(battle) == ({NATURES[face].lends} if face > 2 else set())
    (event,) = [each for each in battle.events if isinstance(each, ObjectiveIdentified)]
    assert (event.unit, event.face, event.rules) == ("a.1", face, (RULE,))
    (line,) = Narrator(Names.of_armies(battle.header.armies)).tell(event)
    assert NATURES[face].name in line.text
    assert '30", 20"' in line.text


@pytest.mark.rule(RULE)
def test_it_serves_those_who_hold_it_and_only_while_they_do() -> None:
    battle = battle_at([troops().at(31, 20), unit(1).at(30, 21)], unit(1).at(36, 20), natures=(5,))
    identify(battle)
    assert lent(battle) == {NATURES[5].lends}
    assert lent(battle, 1) == set(), "no scoring unit"
    battle.state.position[2, 0] = 33_000
    identify(battle)
    assert lent(battle) == set(), "an enemy keeps it off"


@pytest.mark.rule(RULE)
def test_nobody_near_nothing_found_out() -> None:
    for specs, mission in (([troops().at(34, 20)], "crusade"), ([troops().at(30, 20)], "the-relic")):
        battle = battle_at(specs, FOE, mission=mission, dice=[])
        identify(battle)
        assert battle.state.natures == ()


@pytest.mark.rule(RULE)
@pytest.mark.parametrize("value", ["on", "off"])
def test_a_phase_that_is_over_tells(value: str) -> None:
    dice = [("mysterious-objective", [2])] if value == "on" else []
    options = {"mysterious_objectives": value}
    battle = battle_at([troops().at(31, 20)], FOE, alone=False, options=options, dice=dice)
    battle.answer(Pick("end"))
    assert battle.state.phase != Phase.MOVEMENT
    assert battle.state.natures == ((2,) if value == "on" else ())


@pytest.mark.rule(RULE, "6e.core.turn.end")
def test_a_sabotaged_objective_explodes_on_a_one_at_the_end_of_a_turn() -> None:
    def played(dice: Any) -> Any:
        tank = unit(1, "VEHICLE", name="Tank", base="hull 4x3in", height=2.0, AV="10/10/10", HP=2).at(34, 20)
        return battle_at([troops(2, Sv="-").on((30, 20), (30, 26)), tank], FOE, natures=(1,), dice=dice)

    quiet = played([("sabotage", [2])])
    assert list(blow_up(quiet)) == []
    assert not [each for each in quiet.events if isinstance(each, ObjectiveExploded)]
    loud = played([("sabotage", [1]), ("wound", [4]), ("penetration", [6])])
    assert list(blow_up(loud)) == []
    (event,) = [each for each in loud.events if isinstance(each, ObjectiveExploded)]
    assert (event.point, event.hits) == ((30_000, 20_000), 2)
    assert [int(left) for left in loud.state.wounds[:3]] == [0, 1, 1], "Strength 4; 6 inches off nobody is hit"
    assert loud.state.natures == (1,), "and it lies there still"
    (line,) = Narrator(Names.of_armies(loud.header.armies)).tell(event)
    assert line.text == 'The objective at 30", 20" explodes, 2 models hit'


@pytest.mark.rule(RULE, "6e.flyer-skyfire.choice")
@pytest.mark.parametrize(("face", "up"), [(3, True), (3, False), (2, True)])
def test_who_holds_it_may_fire_at_the_sky(face: int, up: bool) -> None:
    gun = printed_weapon("Lascannon", "HEAVY 1", R='48"', S=9, AP=2)
    squad = holding(face, troops(weapons=[gun])) if face == 3 else troops(weapons=[gun])
    flyer = unit(1, "VEHICLE", "FLYER", name="Flyer", base="hull 4x3in", height=2.0, AV="14/14/14", HP=3)
    foes = [flyer.at(40, 20).having(aloft=up), FOE]
    battle = battle_at([squad.at(30, 20)], foes, phase=Phase.SHOOTING)
    assert (battle.decision.kind == "choose-skyfire") == (face == 3 and up)
    if battle.decision.kind == "choose-skyfire":
        battle.answer(Pick("sky"))
        battle.answer(Pick("a.1"))
        if battle.decision.kind == "select-target":
            battle.answer(Pick("b.1"))
        while battle.decision is not None and battle.decision.kind == "select-weapon":
            battle.answer(battle.decision.default())
        assert next(each.needed for each in battle.events if getattr(each, "stage", "") == "hit") == 3


@pytest.mark.rule(RULE)
def test_ones_to_hit_are_rolled_again_when_shooting() -> None:
    shot = Encounter(weapon=weapon(), target=model())
    again = aims_again(AttackContext(skill=4), shot).reroll_hits
    assert again == RerollPermission(RerollWhich.ONES, RULE)
    assert aims_again(AttackContext(skill=4), Encounter(weapon=weapon(), target=model(), close_combat=True)) == (
        AttackContext(skill=4)
    )
    dice = [("hit", [1]), ("hit-reroll", [5]), ("wound", [1])]
    squads = [holding(4, troops(weapons=[printed_weapon()])).at(30, 20), unit(1, weapons=[printed_weapon()]).at(2, 2)]
    battle = battle_at(squads, unit(1).at(40, 20), dice=dice, phase=Phase.SHOOTING)
    battle.answer(Pick("a.1"))
    if battle.decision.kind == "select-target":
        battle.answer(Pick("b.1"))
    while battle.decision.kind == "select-weapon":
        battle.answer(battle.decision.default())
    assert [dict(each.outcomes) for each in battle.events if getattr(each, "stage", "") == "hit"] == [
        {"miss": 0, "hit": 1}
    ]


@pytest.mark.rule(RULE, "6e.core.shooting.cover-bonuses")
def test_who_holds_it_has_stealth() -> None:
    for spec, cover in ((troops(), None), (holding(5, troops()), 6)):
        battle = battle_at([spec.at(30, 20)], FOE)
        assert covers_of(battle.scene, battle.state, 0, [0], [1]) == {0: cover}


@pytest.mark.rule(RULE, "6e.core.assault.declaring")
@pytest.mark.parametrize(("face", "inches"), [(6, 4.0), (5, 7.0)])
def test_charges_against_who_holds_it_go_half_as_far(face: int, inches: float) -> None:
    assert [halved(each) for each in (2, 7, 12)] == [1, 4, 6]
    battle = battle_at([unit(1).at(35, 20)], [holding(face, troops()).at(30, 20)], dice=[("charge", [3, 4])])
    charge = charge_range(battle, 0, [1], 12.0)
    with pytest.raises(StopIteration) as done:
        next(charge)
    assert done.value.value == inches
