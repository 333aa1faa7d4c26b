"""Mixed armour in the 4th edition, with the worked examples of the source document."""

from __future__ import annotations

import pytest
from tests.ledger.test_fourth_shooting import shooting
from tests.ledger.test_third_shooting_phase import fire, losses
from tests.support.classic import mixed, model, printed_weapon, squad, unit

from battlewright.attacks.choices import deal_evenly
from battlewright.editions.classic import charts
from battlewright.editions.classic.casualties import one_each_faults
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.scene import standing
from battlewright.editions.classic.target import TargetView
from battlewright.editions.fourth.attack import groups_majority_first, is_legal_order, majority_armour

INITIATE, NEOPHYTE = model(name="Initiate", Sv="3+"), model(name="Neophyte", Sv="4+")
TEMPLARS = squad(*[INITIATE] * 6, *[NEOPHYTE] * 5)


def shares(target: TargetView, *wounds: int) -> list[list[int]]:
    """For each kind of wound how many go to each group, the majority first."""
    groups = groups_majority_first(target)
    return [list(row) for row in deal_evenly(list(wounds), [len(group.models) for group in groups])]


def names(target: TargetView) -> list[str]:
    return [target.models[group.models[0]].profile.name for group in groups_majority_first(target)]


def several(*parts: tuple[int, ModelProfile]) -> TargetView:
    return squad(*(profile for count, profile in parts for _ in range(count)))


@pytest.mark.rule("4e.mixed-armour.scope", "4e.mixed-armour.before-saves-normal")
@pytest.mark.rule("4e.mixed-armour.step-count", "4e.mixed-armour.step-majority")
def test_the_majority_is_counted_among_those_who_can_fall() -> None:
    assert majority_armour(several((5, INITIATE), (3, NEOPHYTE)).models) == 3
    assert majority_armour(several((4, INITIATE), (4, NEOPHYTE)).models) == 4, "in a tie the worse save"
    assert majority_armour(several((1, INITIATE), (2, model(Sv="-"))).models) is None
    assert len(groups_majority_first(several((3, INITIATE)))) == 1
    assert sum(map(sum, shares(TEMPLARS, 7))) == 7, "all of them are given out before any save"


@pytest.mark.rule("4e.mixed-armour.step-allocate", "4e.mixed-armour.step-remaining")
def test_the_majority_comes_first_and_the_rest_is_the_owners_affair() -> None:
    target = several((5, NEOPHYTE), (6, INITIATE))
    assert names(target) == ["Initiate", "Neophyte"]
    assert shares(target, 4) == [[4, 0]]
    three = several((6, INITIATE), (2, NEOPHYTE), (2, model(name="Scout", Sv="5+")))
    groups = groups_majority_first(three)
    legal = [order for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 1, 0)) if is_legal_order(groups, order)]
    assert legal == [(0, 1, 2), (0, 2, 1)]
    assert shares(three, 9) == [[6, 2, 1]]


@pytest.mark.rule("4e.mixed-armour.example-templars-11", "4e.mixed-armour.step-allocate")
def test_example_templars_11() -> None:
    assert names(TEMPLARS) == ["Initiate", "Neophyte"]
    assert shares(TEMPLARS, 8) == [[6, 2]]


@pytest.mark.rule("4e.mixed-armour.example-tzeentch", "4e.mixed-armour.step-remaining")
def test_example_tzeentch() -> None:
    sorcerer, marine, acolyte = model(name="Sorcerer", Sv="2+"), model(name="Marine"), model(name="Acolyte", Sv="-")
    target = several((1, sorcerer), (8, marine), (3, acolyte))
    groups = groups_majority_first(target)
    assert names(target) == ["Marine", "Sorcerer", "Acolyte"]
    sizes = [len(group.models) for group in groups]
    assert [list(row) for row in deal_evenly([9], sizes)] == [[8, 1, 0]]
    assert is_legal_order(groups, (0, 2, 1)), "the owner may give the ninth to an acolyte instead"
    assert [list(row) for row in deal_evenly([9], [sizes[0], sizes[2], sizes[1]])] == [[8, 1, 0]]


@pytest.mark.rule("4e.mixed-armour.step-second-round", "4e.mixed-armour.restart")
def test_every_model_takes_one_before_any_takes_two() -> None:
    assert one_each_faults([(2,), (2,), (1,), (1,), (1,)], range(5)) == []
    assert one_each_faults([(3,), (1,), (1,), (1,), (1,)], range(5))
    assert shares(TEMPLARS, 20) == [[12, 8]]
    assert shares(TEMPLARS, 22) == [[12, 10]]


@pytest.mark.rule("4e.mixed-armour.example-templars-20", "4e.mixed-armour.restart")
def test_example_templars_20() -> None:
    assert shares(TEMPLARS, 20) == [[12, 8]]


@pytest.mark.rule("4e.mixed-armour.example-templars-power", "4e.mixed-armour.special-weapons-choice")
def test_example_templars_power() -> None:
    ordinary, power = shares(TEMPLARS, 4, 4)
    assert ordinary == [4, 0]
    assert power == [2, 2], "two Initiates and two Neophytes fall outright"
    assert [row[0] for row in shares(TEMPLARS, 4, 2)] == [4, 2], "or four of power weapons to them, if the owner likes"
    assert is_legal_order(groups_majority_first(TEMPLARS), (0, 1))
    assert not is_legal_order(groups_majority_first(TEMPLARS), (1, 0))


@pytest.mark.rule("4e.mixed-armour.invulnerable-choice")
def test_of_an_armour_and_an_invulnerable_save_the_owner_uses_the_better() -> None:
    assert charts.best_save(4, 5, None) == 4
    assert charts.best_save(None, 5, None) == 5


@pytest.mark.rule("4e.mixed-armour.unsaved-to-saver", "4e.mixed-armour.step-allocate")
def test_an_unsaved_wound_falls_on_the_armour_that_failed_it() -> None:
    gun = printed_weapon("Gun", "HEAVY 1", S=4, AP="-")
    targets = mixed("Templars", unit(2, name="Initiate", Sv="3+"), unit(1, name="Neophyte", Sv="4+")).at(10, 20)
    dice = [("hit", [4] * 3), ("wound", [4] * 3), ("save", [3, 3]), ("save", [3]), ("losses", [1, 1])]
    battle = shooting(unit(3, weapons=[gun]).at(10, 8), targets, dice)
    fire(battle, name_model="none")
    assert losses(battle, 1) == 1
    assert standing(battle.state, 1) == [3, 4], "both Initiates have saved, the Neophyte has not"
