"""Odds of whole units of a list: which weapons they use, and who stands in the target."""

from __future__ import annotations

import pytest

from battlewright import odds
from battlewright.core.errors import BadInput
from battlewright.core.roster import Component, Model, Role, Unit, Weapon, WeaponProfile
from battlewright.editions.eleventh.unit_questions import target_of_unit


def profile(name: str = "", melee: bool = False, abilities: tuple[str, ...] = (), **printed: str) -> WeaponProfile:
    skill = "WS" if melee else "BS"
    known = {"R": "Melee" if melee else '24"', "A": "1", skill: "3+", "S": "4", "AP": "0", "D": "1"}
    return WeaponProfile(name, melee, {**known, **printed}, abilities)


RIFLE = Weapon("Rifle", (profile(A="2"),))
PISTOL = Weapon("Pistol", (profile(abilities=("PISTOL",), R='12"'),))
CLAW = Weapon("Claw", (profile(melee=True, A="4", AP="-2"),))
KNIFE = Weapon("Knife", (profile(melee=True),))
TAIL = Weapon("Tail", (profile(melee=True, abilities=("EXTRA ATTACKS",), S="5"),))
LAUNCHER = Weapon("Launcher", (profile("Frag", A="6", S="3"), profile("Krak", S="9", AP="-2", D="3")))
LANCE = Weapon("Lance", (profile("Hunter", abilities=("HUNTER-VEHICLE",), S="12", D="6"),))


def soldier(*weapons: Weapon, component: int = 0, keywords: tuple[str, ...] = ("INFANTRY",), **printed: str) -> Model:
    known = {"M": '6"', "T": "4", "Sv": "4+", "W": "1", "Ld": "7+", "OC": "1"}
    return Model("Soldier", "32mm", 1.5, {**known, **printed}, keywords, weapons, component=component)


def unit(*models: Model, roles: tuple[Role, ...] = (Role.UNIT,), points: int = 100) -> Unit:
    return Unit("a.1", "Soldiers", tuple(Component("Soldiers", role, points) for role in roles), models)


SQUAD = unit(*[soldier(RIFLE, PISTOL, KNIFE)] * 5)
TARGET = "T4 Sv- W9"


def used(*asked: object, **settings: object) -> list[tuple[str, float]]:
    answer = odds.volley(*asked, **settings)  # type: ignore[arg-type]
    return [(volley.name, sum(d.weapons * d.each.values[0] for d in volley.dice)) for volley in answer.volleys]


@pytest.mark.rule("11e.core.04.01-close-quarters-or-others", "11e.core.04.01-ranged-weapons")
def test_a_unit_shoots_with_its_rifles_or_its_pistols() -> None:
    assert used(SQUAD, TARGET) == [("Rifle", 10)]
    assert used(SQUAD, TARGET, weapon="pistol") == [("Pistol", 5)]
    assert used(unit(soldier(RIFLE, PISTOL, keywords=("VEHICLE",))), TARGET) == [("Rifle", 2), ("Pistol", 1)]
    assert used(SQUAD, TARGET, models=7) == [("Rifle", 14)]


@pytest.mark.rule("11e.core.04.01-melee-weapons")
def test_a_unit_fights_with_its_best_weapon_and_every_extra_one() -> None:
    beast = unit(soldier(RIFLE, KNIFE, CLAW, TAIL))
    assert used(beast, TARGET, melee=True) == [("Tail", 1), ("Claw", 4)]
    assert used(unit(soldier(KNIFE)), TARGET) == [("Knife", 1)]


def test_the_profile_that_is_worth_most_is_used() -> None:
    bearer = unit(soldier(LAUNCHER))
    assert used(bearer, "T3 Sv6+ W1 x20") == [("Launcher (Frag)", 6)]
    assert used(bearer, "T10 Sv3+ W12") == [("Launcher (Krak)", 1)]


@pytest.mark.rule("11e.core.04.01-hunter")
def test_a_hunter_attacks_only_what_it_hunts() -> None:
    assert used(unit(soldier(LANCE, RIFLE)), "T10 Sv3+ W12 {VEHICLE}") == [("Lance (Hunter)", 1), ("Rifle", 2)]
    assert used(unit(soldier(LANCE, RIFLE)), "T4 Sv3+ W2 {INFANTRY}") == [("Rifle", 2)]


def test_weapons_that_do_not_reach_are_left_out() -> None:
    assert used(unit(soldier(RIFLE, PISTOL, keywords=("VEHICLE",))), TARGET, range=18) == [("Rifle", 2)]
    with pytest.raises(BadInput, match="no weapon that it could use"):
        used(SQUAD, TARGET, range=30)


def test_a_weapon_that_nobody_carries_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match='did you mean "Rifle"'):
        odds.volley(SQUAD, TARGET, weapon="Rifel")


def test_a_unit_as_a_target_keeps_its_bodyguard_and_its_points() -> None:
    led = unit(
        *[soldier(RIFLE, W="2")] * 4,
        soldier(CLAW, component=1, keywords=("INFANTRY", "CHARACTER"), T="5", W="4"),
        roles=(Role.UNIT, Role.LEADER),
    )
    view = target_of_unit(led)
    assert view.attached
    assert [model.bodyguard for model in view.models] == [True] * 4 + [False]
    answer = odds.volley("A4 BS3+ S4 AP-3 D2", led)
    assert [group.remaining for group in answer.odds.target.groups] == [(2, 2, 2, 2), (4,)]
    assert answer.odds.target.groups[0].points == 25
    assert len(target_of_unit(SQUAD, 8).models) == 8


@pytest.mark.rule("11e.core.06.03-hazard-roll")
def test_a_hazard_costs_three_wounds_only_where_every_model_is_a_monster_or_vehicle() -> None:
    plasma = Weapon("Plasma", (profile(abilities=("HAZARDOUS",)),))
    walker = soldier(plasma, keywords=("VEHICLE",))
    suffered = [
        [*odds.volley(each, TARGET).odds.effects["mortal wounds to the attacker"]]
        for each in (unit(walker), unit(walker, soldier(RIFLE)))
    ]
    assert suffered[0] == pytest.approx([2 / 3, 0, 0, 1 / 3])
    assert suffered[1] == pytest.approx([2 / 3, 1 / 3])
