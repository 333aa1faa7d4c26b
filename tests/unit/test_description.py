"""The four written examples that prove the description: each is built by hand and read by two of its readers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from attack_scenes import group, script
from battlewright.attacks.choices import deal_evenly
from battlewright.attacks.description import (
    D6,
    ONE,
    Allocation,
    Alternative,
    Amount,
    AttackDice,
    ChoicePoint,
    Emit,
    Group,
    Outcome,
    Packet,
    Policy,
    RerollWhich,
    SaveTable,
    Step,
    Target,
    Volley,
    amount,
)
from battlewright.attacks.exact import exact
from battlewright.attacks.simulated import SimulatedHost, simulate
from battlewright.core.dice import DiceExpression, parse_dice

F = Fraction


def stops(needed: int) -> SaveTable:
    a, b, c, d, e, f = (face >= needed for face in range(1, 7))
    return SaveTable((a, b, c, d, e, f), f"{needed}+")


# -- an 11th edition volley -------------------------------------------------------------------------------------------


def volley_of_the_eleventh(attacks: int) -> Volley:
    """BS 3+, wounds on 4+, [LETHAL HITS, SUSTAINED HITS 1, DEVASTATING WOUNDS], D 2, against Sv 4+ and W 3."""
    lethal = ChoicePoint("lethal", (Alternative("take", (Emit("damage"),)), Alternative("decline", (Emit("wound"),))))
    hit = Step(
        "hit",
        (
            Outcome("miss"),
            Outcome("hit", (Emit("wound"),), success=True),
            Outcome("critical-hit", (Emit("wound", amount(1)),), lethal, success=True, critical=True),
        ),
        (0, 0, 1, 1, 1, 2),
        needed=3,
    )
    wound = Step(
        "wound",
        (
            Outcome("no-wound"),
            Outcome("wound", (Emit("damage"),), success=True),
            Outcome("critical-wound", (Emit("devastating"),), success=True, critical=True),
        ),
        (0, 0, 0, 1, 1, 2),
        needed=4,
    )
    packets = (Packet("damage", amount(2)), Packet("devastating", amount(2), saved=False, stage=1))
    target = Target((group(2, 3),))
    dice = (AttackDice(1, amount(attacks)),)
    return Volley("rifle", dice, (Emit("hit"),), (hit, wound), packets, (stops(4),), target)


def test_the_eleventh_editions_volley_read_exactly() -> None:
    # One attack: a wound token is nothing 1/2, a saved packet 1/3 (unsaved 1/6), a mortal packet 1/6: hurts 1/3.
    token = F(1, 3)
    plain, critical = F(1, 2), F(1, 6)
    # Taken, the critical itself is a packet that hurts 1/2, beside the token of the extra hit.
    hurts = [
        F(1, 3) + plain * (1 - token) + critical * (1 - token) * F(1, 2),
        plain * token + critical * (token * F(1, 2) + (1 - token) * F(1, 2)),
        critical * token * F(1, 2),
    ]
    odds = exact(volley_of_the_eleventh(1), Policy(choices={"lethal": "take"}))
    np.testing.assert_allclose(odds.damage, [float(p) for p in (hurts[0], 0, hurts[1], hurts[2], 0, 0, 0)], atol=1e-15)
    # Declined, both hits of a critical are tokens.
    both = [(1 - token) ** 2, 2 * token * (1 - token), token**2]
    declined = [
        F(1, 3) + plain * (1 - token) + critical * both[0],
        plain * token + critical * both[1],
        critical * both[2],
    ]
    odds = exact(volley_of_the_eleventh(1), Policy(choices={"lethal": "decline"}))
    np.testing.assert_allclose(odds.damage[[0, 2, 3]], [float(p) for p in declined], atol=1e-15)
    # An automatic wound (1/2 through the save) beats a wound roll (1/3 in all).
    assert exact(volley_of_the_eleventh(1)).choices == {"rifle: lethal": "take"}


def test_the_eleventh_editions_volley_resolved() -> None:
    attack = volley_of_the_eleventh(3)
    dice = script(("hit", [6, 3, 1]), ("wound", [6, 4]), ("save", [2, 4]))
    host = SimulatedHost(attack, dice, choices={"lethal": "take"})
    done = simulate(attack, host)
    dice.finish(host.position)
    assert done.packets == {"damage": 2, "devastating": 1}
    assert host.wounds == [[0, 3]]  # 2 of normal damage, then the mortal packet of 2, of which 1 is lost


# -- a lascannon on armour 13 -----------------------------------------------------------------------------------------


def lascannon() -> Volley:
    """BS 4, S 9 against AV 13: D6 + 9; 13 glances, more penetrates; then a table of damage for each."""

    def table(name: str, results: tuple[str, ...]) -> Step:
        names = tuple(dict.fromkeys(results))
        outcomes = tuple(Outcome(result, (Emit(result),), success=True) for result in names)
        return Step(name, outcomes, tuple(names.index(result) for result in results))

    hit = Step("hit", (Outcome("miss"), Outcome("hit", (Emit("penetration"),), success=True)), (0, 0, 1, 1, 1, 1))
    penetration = Step(
        "penetration",
        (
            Outcome("nothing"),
            Outcome("glancing", (Emit("glancing"),), success=True),
            Outcome("penetrating", (Emit("penetrating"),), success=True),
        ),
        (0, 0, 0, 1, 2, 2),
        dice=DiceExpression(1, 6, 9),
    )
    glancing = table("glancing", ("shaken", "stunned", "stunned", "weapon", "immobilised", "destroyed"))
    penetrating = table("penetrating", ("stunned", "weapon", "immobilised", "destroyed", "destroyed", "destroyed"))
    effects = ("shaken", "stunned", "weapon", "immobilised", "destroyed")
    packets = tuple(Packet(name, saved=False, effect=name) for name in effects)
    return Volley(
        "lascannon",
        (AttackDice(1, ONE),),
        (Emit("hit"),),
        (hit, penetration, glancing, penetrating),
        packets,
        (),
        Target((Group("tank", 1, (1,)),)),
    )


def test_a_lascannon_and_its_table_read_exactly() -> None:
    odds = exact(lascannon())
    glance, pierce = F(2, 3) * F(1, 6), F(2, 3) * F(2, 6)
    expected = {
        "shaken": glance / 6,
        "stunned": glance * F(2, 6) + pierce / 6,
        "weapon": glance / 6 + pierce / 6,
        "immobilised": glance / 6 + pierce / 6,
        "destroyed": glance / 6 + pierce * F(3, 6),
    }
    for name, p in expected.items():
        assert odds.effects[name] == pytest.approx([float(1 - p), float(p)], abs=1e-15), name
    assert odds.mean_damage == 0.0
    found = {stage.name: stage.rolled for stage in odds.stages}
    assert found["glancing"] == pytest.approx(float(glance))
    assert found["penetrating"] == pytest.approx(float(pierce))


def test_a_lascannon_and_its_table_resolved() -> None:
    attack = lascannon()
    dice = script(("hit", [4]), ("penetration", [5]), ("penetrating", [3]))
    host = SimulatedHost(attack, dice)
    done = simulate(attack, host)
    dice.finish(host.position)
    assert done.effects == {"immobilised": 1}
    assert host.suffered == [(0, "immobilised")]


# -- a blast of n hits ------------------------------------------------------------------------------------------------


def blast(hits: int) -> Volley:
    """So many models under the marker: tokens enter at the wound step; wounds on 3+, no save."""
    wound = Step("wound", (Outcome("no-wound"), Outcome("wound", (Emit("damage"),), success=True)), (0, 0, 1, 1, 1, 1))
    entry = (Emit("wound", amount(hits)),)
    packets = (Packet("damage", saved=False),)
    return Volley("battle cannon", (AttackDice(1, ONE),), entry, (wound,), packets, (), Target((group(8),)))


def test_a_blast_enters_at_the_wound_step() -> None:
    odds = exact(blast(3))
    assert odds.slain[:4] == pytest.approx([1 / 27, 6 / 27, 12 / 27, 8 / 27], abs=1e-15)
    attack = blast(3)
    host = SimulatedHost(attack, script(("wound", [2, 3, 6])))
    assert simulate(attack, host).attacks == 1
    assert host.slain == 2


# -- mixed armour -----------------------------------------------------------------------------------------------------


def mixed_armour(wounds: int) -> Volley:
    """Six models of 3+ and five of 4+, wounds dealt out majority first, one each before any takes a second."""
    target = Target((Group("Initiates", 1, (1,) * 6), Group("Neophytes", 1, (1,) * 5)), Allocation.EVEN)
    dice = (AttackDice(1, amount(wounds)),)
    return Volley("bolters", dice, (Emit("wound"),), (), (Packet("wound"),), (stops(3), stops(4)), target)


def test_mixed_armour_read_exactly() -> None:
    # Seven wounds: six on the 3+, one on the 4+.
    odds = exact(mixed_armour(7))
    front = [float(F(1, 3) ** n * F(2, 3) ** (6 - n) * comb) for n, comb in enumerate((1, 6, 15, 20, 15, 6, 1))]
    assert odds.slain[:8] == pytest.approx(np.convolve(front, [0.5, 0.5]), abs=1e-15)


@pytest.mark.parametrize(("wounds", "shares"), [(4, (4, 0)), (8, (6, 2)), (11, (6, 5)), (20, (12, 8))])
def test_mixed_armour_is_dealt_in_rounds(wounds: int, shares: tuple[int, int]) -> None:
    assert deal_evenly([wounds], [6, 5]) == (shares,)
    attack = mixed_armour(wounds)
    dice = script(*(("save", [6] * share) for share in shares if share))
    host = SimulatedHost(attack, dice)
    simulate(attack, host)
    dice.finish(host.position)


# -- small parts ------------------------------------------------------------------------------------------------------


def test_an_amount_gives_a_number_for_each_total() -> None:
    halved = Amount(parse_dice("D6+1"), (1, 2, 2, 3, 3, 4), "D6+1")
    assert [halved.value(total) for total in range(2, 8)] == [1, 2, 2, 3, 3, 4]
    assert halved.weights() == {1: 1, 2: 2, 3: 2, 4: 1}
    assert halved.maximum == 4
    assert amount(3).weights() == {3: 1}
    assert amount(parse_dice("2D6")).weights()[7] == 6


def test_a_step_says_what_is_thrown_again() -> None:
    step = volley_of_the_eleventh(1).steps[0]
    again = {which: [face for face in range(1, 7) if step.is_rerolled(face, which)] for which in RerollWhich}
    assert again == {
        RerollWhich.NONE: [],
        RerollWhich.ONES: [1],
        RerollWhich.FAILURES: [1, 2],
        RerollWhich.NONCRITICAL: [1, 2, 3, 4, 5],
        RerollWhich.ALL: [1, 2, 3, 4, 5, 6],
    }


def test_a_volley_finds_its_steps_by_name() -> None:
    attack = volley_of_the_eleventh(1)
    assert attack.step("wound").dice == D6
    with pytest.raises(KeyError):
        attack.step("penetration")
    assert attack.target.models == 2
