"""The odds of attacks of the 4th and 6th edition against dice counted out by hand, and questions in text."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

import battlewright as bw
from battlewright.attacks.description import amount
from battlewright.attacks.distributions import Odds
from battlewright.attacks.exact import exact
from battlewright.core.errors import BadInput, CannotAttack
from battlewright.editions.classic.attack import AttackRules, compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.target import TargetView
from battlewright.editions.classic.weapons import WeaponProfile
from battlewright.editions.fourth.attack import ATTACK as FOURTH
from battlewright.editions.sixth.attack import ATTACK as SIXTH
from support.classic import model, squad, weapon

FACES = range(1, 7)


def odds(
    rules: AttackRules, gun: WeaponProfile, target: TargetView, count: int = 1, skill: int = 4, **context: object
) -> Odds:
    return exact(compile_volley(rules, gun, count, AttackContext(skill=skill, **context), target))  # type: ignore[arg-type]


def share(hits: int, dice: int) -> float:
    return hits / 6**dice


# -- 4th --------------------------------------------------------------------------------------------------------


def test_mixed_armour_gives_the_majority_its_wounds_first() -> None:
    target = squad(*[model(Sv="3+")] * 2, model(Sv="6+"))
    found = odds(FOURTH, weapon(AP="-"), target, count=3, hits=amount(1))
    expected: Counter[int] = Counter()
    for dice in product(FACES, repeat=3):
        wounds = sum(die >= 4 for die in dice)
        for saves in product(FACES, repeat=wounds):
            failed = [save < (3 if place < 2 else 6) for place, save in enumerate(saves)]
            expected[min(sum(failed[:2]), 2) + sum(failed[2:])] += 6 ** (3 - wounds)
    assert list(found.slain) == pytest.approx([share(expected[n], 6) for n in range(4)])


def test_feel_no_pain_of_the_4th() -> None:
    found = odds(FOURTH, weapon(S=4, AP=2), squad(model(abilities=("Feel No Pain",))), hits=amount(1))
    assert found.p_destroyed == pytest.approx(float(Fraction(1, 2) * Fraction(1, 2)))
    sure = odds(FOURTH, weapon(S=8, AP=2), squad(model(abilities=("Feel No Pain",), W=2)), hits=amount(1))
    assert sure.p_destroyed == pytest.approx(5 / 6), "it is of no use against what kills outright"


def test_a_gun_that_fires_twice_gets_hot_on_one_or_two() -> None:
    gun = weapon("ASSAULT 2", "GETS HOT", S=7, AP=2)
    found = odds(FOURTH, gun, squad(*[model()] * 5), attacks=amount(2))
    burns = Counter(sum(die <= 2 for die in dice) for dice in product(FACES, repeat=2))
    assert list(found.effects["gets hot"][:3]) == pytest.approx([share(burns[n], 2) for n in range(3)])
    kills = Counter(sum(dice[i] >= 3 and dice[i + 1] >= 2 for i in (0, 2)) for dice in product(FACES, repeat=4))
    assert list(found.slain[:3]) == pytest.approx([share(kills[n], 4) for n in range(3)])


def test_an_unsaved_wound_of_a_blast_takes_two_of_a_swarm() -> None:
    swarm = squad(model("INFANTRY", "SWARM", W=3, Sv="-"))
    found = odds(FOURTH, weapon("HEAVY 1", "BLAST"), swarm, hits=amount(2))
    one = Fraction(1, 2)
    assert list(found.damage) == pytest.approx([float(one**2), 0.0, float(2 * one**2), float(one**2)])


def test_a_sniper_of_the_4th_on_armour_ten() -> None:
    found = odds(FOURTH, weapon("SNIPER", S="3"), squad(model("VEHICLE", AV="10/10/10")), skill=2)
    harm = sum(hit >= 2 and first + second >= 10 for hit, first, second in product(FACES, repeat=3))
    some = 1 - found.p_destroyed - sum(float(times[1:].sum()) for times in found.effects.values())
    assert 1 - some == pytest.approx(share(harm, 3), abs=1e-9)


# -- 6th --------------------------------------------------------------------------------------------------------


def test_a_second_try() -> None:
    found = odds(SIXTH, weapon(S=4, AP=2), squad(*[model()] * 2), skill=6)
    kills = sum((first >= 2 or again >= 6) and wound >= 4 for first, again, wound in product(FACES, repeat=3))
    assert found.slain[1] == pytest.approx(share(kills, 3))


def test_rending_on_the_roll_to_wound() -> None:
    found = odds(SIXTH, weapon("RENDING", S=4, AP="-"), squad(*[model(T=8)] * 2), skill=4)
    kills = sum(hit >= 3 and wound == 6 for hit, wound in product(FACES, repeat=2))
    assert found.slain[1] == pytest.approx(share(kills, 2)), "only a 6 wounds, and leaves no armour save"
    soft = odds(SIXTH, weapon("RENDING", S=4, AP="-"), squad(*[model()] * 2), hits=amount(1))
    dead = sum(wound == 6 or (wound >= 4 and save < 3) for wound, save in product(FACES, repeat=2))
    assert soft.slain[1] == pytest.approx(share(dead, 2))


def test_a_sniper_of_the_6th() -> None:
    found = odds(SIXTH, weapon("SNIPER", S="3", AP=6), squad(*[model(T=6)] * 3), skill=4)
    kills = sum(hit >= 3 and (wound == 6 or (wound >= 4 and save < 3)) for hit, wound, save in product(FACES, repeat=3))
    assert found.slain[1] == pytest.approx(share(kills, 3)), "a 6 to hit changes who falls, not how many"


def test_feel_no_pain_of_the_6th_and_fleshbane_and_shred() -> None:
    found = odds(SIXTH, weapon(S=4, AP=2), squad(model(abilities=("Feel No Pain",))), hits=amount(1))
    assert found.p_destroyed == pytest.approx(float(Fraction(1, 2) * Fraction(4, 6)))
    flesh = odds(SIXTH, weapon("FLESHBANE", S=1, AP=2), squad(model(T=8)), hits=amount(1))
    assert flesh.p_destroyed == pytest.approx(5 / 6)
    shred = odds(SIXTH, weapon("SHRED", S=4, AP=2), squad(model()), hits=amount(1))
    assert shred.p_destroyed == pytest.approx(3 / 4)


def test_each_one_gets_hot_by_itself() -> None:
    found = odds(SIXTH, weapon("GETS HOT", S=7, AP=2), squad(*[model()] * 5), attacks=amount(2))
    burns = Counter(sum(die == 1 for die in dice) for dice in product(FACES, repeat=2))
    assert list(found.effects["gets hot"][:3]) == pytest.approx([share(burns[n], 2) for n in range(3)])


def test_snap_shots_hit_on_six() -> None:
    found = odds(SIXTH, weapon(S=4, AP=2), squad(model()), skill=8, snap=True)
    assert found.p_destroyed == pytest.approx(1 / 6 * 1 / 2)


# -- questions --------------------------------------------------------------------------------------------------


def test_questions_in_text() -> None:
    heavy, man = "A1 BS4 S4 AP2 [HEAVY 1]", "T4 Sv- W1"
    standing = bw.odds.volley(heavy, man, edition="6")
    moved = bw.odds.volley(heavy, man, edition="6", moved=True)
    assert standing.p_destroyed == pytest.approx(4 / 6 * 1 / 2)
    assert moved.p_destroyed == pytest.approx(1 / 6 * 1 / 2), "after a move it makes snap shots"
    assert bw.odds.volley(heavy, man, edition="6", snap=True).p_destroyed == pytest.approx(1 / 12)
    with pytest.raises(CannotAttack):
        bw.odds.volley("BS4 S4 AP2 [HEAVY 1, BLAST]", man, edition="6", moved=True)
    with pytest.raises(BadInput):
        bw.odds.volley(heavy, man, edition="4", snap=True)
    tough = bw.odds.volley("A1 BS4 S4 AP2", "T4 Sv- W1 {FEEL NO PAIN}", edition="4")
    assert tough.p_destroyed == pytest.approx(4 / 6 * 1 / 2 * 1 / 2)
    salvo = bw.odds.volley('BS4 S4 AP2 R24" [SALVO 2/4]', "T4 Sv- W1 x10", edition="6")
    assert salvo.mean_slain == pytest.approx(4 * 4 / 6 * 1 / 2)
    assert bw.odds.volley(
        'BS4 S4 AP2 R24" [SALVO 2/4]', "T4 Sv- W1 x10", edition="6", moved=True
    ).mean_slain == pytest.approx(2 * 4 / 6 * 1 / 2)
