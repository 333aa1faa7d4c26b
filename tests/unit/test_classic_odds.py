"""The odds of classic attacks against dice counted out by hand, face by face, from the rules alone."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from battlewright.attacks.description import amount
from battlewright.attacks.distributions import Odds
from battlewright.attacks.exact import exact
from battlewright.attacks.simulated import SimulatedHost, simulate
from battlewright.core.dice import SeededDice
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.target import TargetView
from battlewright.editions.classic.weapons import WeaponProfile
from battlewright.editions.third.attack import ATTACK
from support.classic import model, squad, weapon

FACES = range(1, 7)


def odds(gun: WeaponProfile, target: TargetView, count: int = 1, skill: int = 4, **context: object) -> Odds:
    return exact(compile_volley(ATTACK, gun, count, AttackContext(skill=skill, **context), target))  # type: ignore[arg-type]


def binomial(n: int, p: Fraction) -> list[Fraction]:
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def assert_same(found: np.ndarray, expected: list[Fraction] | dict[int, Fraction]) -> None:
    listed = expected if isinstance(expected, list) else [expected.get(i, Fraction(0)) for i in range(len(found))]
    assert list(found) == pytest.approx([float(p) for p in listed], abs=1e-12)


def test_two_bolters_at_a_marine() -> None:
    each = Fraction(4, 6) * Fraction(3, 6) * Fraction(2, 6)
    found = odds(weapon(), squad(*[model()] * 10), count=2)
    assert_same(found.slain, binomial(2, each) + [Fraction(0)] * 8)
    assert found.mean_damage == pytest.approx(float(2 * each))


def test_a_twin_linked_gun_that_gets_hot() -> None:
    gun = weapon("TWIN-LINKED", "GETS HOT", S=7, AP=2)
    found = odds(gun, squad(model(InSv="5+")), skill=3)
    kills = Counter[bool]()
    burns = Counter[bool]()
    for first, second, wound, save in product(FACES, repeat=4):
        die = first if first >= 4 else second
        kills[die >= 4 and wound >= 2 and save < 5] += 1
        burns[die == 1] += 1
    assert found.p_destroyed == pytest.approx(kills[True] / 6**4)
    assert found.effects["gets hot"][1] == pytest.approx(burns[True] / 6**4)


def test_rending_claws() -> None:
    found = odds(weapon("RENDING", melee=True), squad(*[model()] * 5), count=3, skill=5, strength=4)
    kills = sum(hit == 6 or (hit >= 3 and wound >= 4 and save < 3) for hit, wound, save in product(FACES, repeat=3))
    assert_same(found.slain, [*binomial(3, Fraction(kills, 216)), Fraction(0), Fraction(0)])


def test_a_unit_partly_in_cover_bears_wounds_in_the_open_first() -> None:
    target = squad(*[model()] * 3, cover={2: 4})
    found = odds(weapon(AP=3), target, count=4, hits=amount(1))
    expected: Counter[int] = Counter()
    for dice in product(FACES, repeat=4):
        wounds = sum(die >= 4 for die in dice)
        in_the_open = min(wounds, 2) + max(0, wounds - 3)
        behind = wounds - in_the_open
        for saves in product(FACES, repeat=behind):
            failed = sum(save < 4 for save in saves)
            expected[min(in_the_open, 2) + min(failed, 1)] += 6 ** (4 - behind)
    assert_same(found.slain, {k: Fraction(n, 6**8) for k, n in expected.items()})


def test_instant_kills_spare_the_wounded_until_the_last() -> None:
    target = squad(*[model(W=2, Sv="-")] * 2, remaining={0: 1})
    found = odds(weapon(S=8), target, count=2, hits=amount(1))
    p = Fraction(5, 6)
    none, one, two = binomial(2, p)
    assert_same(found.damage, {0: none, 2: one, 3: two})


def test_a_lascannon_on_armour_thirteen() -> None:
    found = odds(weapon(S=9, AP=2, R='48"'), squad(model("VEHICLE", AV="13/11/10")))
    hit = Fraction(4, 6)
    glancing, penetrating = Fraction(1, 6), Fraction(2, 6)
    assert found.p_destroyed == pytest.approx(float(hit * (glancing * Fraction(1, 6) + penetrating * Fraction(3, 6))))
    stunned = hit * (glancing * Fraction(1, 6) + penetrating * Fraction(1, 6))
    assert found.effects["crew stunned"][1] == pytest.approx(float(stunned))


@pytest.mark.parametrize(("armour", "strength"), [(12, 8), (14, 8), (11, 10)])
def test_ordnance_counts_the_higher_die(armour: int, strength: int) -> None:
    target = squad(model("VEHICLE", "OPEN-TOPPED", AV=f"{armour}/10/10"))
    found = odds(weapon("ORDNANCE 1", S=strength), target, hits=amount(1))
    destroyed = 0
    for first, second, table in product(FACES, repeat=3):
        total = max(first, second) + strength
        destroyed += (total == armour and table + 1 >= 6) or (total > armour and table + 1 >= 3)
    assert found.p_destroyed == pytest.approx(destroyed / 216)


def test_melta_at_half_range() -> None:
    found = odds(weapon("MELTA", S=8), squad(model("VEHICLE", AV="14/14/14")), half_range=True, skill=5)
    destroyed = 0
    for hit, first, second, table in product(FACES, repeat=4):
        total = 8 + first + second
        destroyed += hit >= 2 and ((total == 14 and table == 6) or (total > 14 and table >= 4))
    assert found.p_destroyed == pytest.approx(destroyed / 6**4)


@pytest.mark.parametrize(
    ("gun", "target"),
    [
        (weapon("ASSAULT 2"), squad(*[model()] * 4, model(Sv="2+", W=2), cover={1: 5})),
        (weapon("RENDING", "TWIN-LINKED"), squad(*[model(Sv="4+")] * 3)),
        (weapon("HEAVY D6", S=6), squad(*[model(T=3, W=2)] * 3)),
        (weapon("HEAVY 2", S=7), squad(model("VEHICLE", AV="11/10/10"))),
    ],
)
def test_what_is_rolled_agrees_with_what_is_calculated(gun: WeaponProfile, target: TargetView) -> None:
    volley = compile_volley(ATTACK, gun, 2, AttackContext(skill=3, strength=4), target)
    found = exact(volley)
    dice, position, total, runs = SeededDice(5), 0, 0, 3000
    for _ in range(runs):
        host = SimulatedHost(volley, dice, position=position)
        total += simulate(volley, host).damage
        position = host.position
    spread = float(np.arange(len(found.damage)) ** 2 @ found.damage - found.mean_damage**2)
    assert abs(total / runs - found.mean_damage) < 4 * (spread / runs) ** 0.5 + 1e-9
