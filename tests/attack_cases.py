"""Attacks that the three readers are held together by: small ones for every mechanism, and larger ones."""

from __future__ import annotations

from dataclasses import replace

from attack_scenes import group, number, save, volley
from battlewright.attacks.description import (
    Allocation,
    AttackDice,
    Emit,
    Packet,
    Policy,
    RerollWhich,
    SaveTable,
    Target,
    Volley,
)

SQUAD = group(3, 2)
TOUGH = group(3, 2, fnp=5)
LEADER = group(1, 3, character=True)
ATTACHED = (group(2, 2), LEADER)
ATTACHED_SAVES = (save(5), save(3))
PICKED = Target(ATTACHED, precision_group=1)
EVEN = Target((group(2), group(1, 2), group(2)), Allocation.EVEN)
IN_ORDER = Target((group(2, 2, fnp=6), group(2)), Allocation.IN_ORDER)
TAKE, DECLINE = {"lethal": "take"}, {"lethal": "decline"}


def policy(choices: dict[str, str] | None = None, **rerolls: str) -> Policy:
    return Policy({name: RerollWhich(which) for name, which in rerolls.items()}, choices or {})


def rending(tables: tuple[SaveTable, ...], target: Target, attacks: int = 2, stage: int = 0) -> Volley:
    """Critical wounds are packets with saves of their own."""
    plain = volley(attacks, 3, 4, target=target, saves=tables, devastating=True)
    packets = (Packet("damage", number("D3")), Packet("devastating", saves=(save(None),) * len(tables), stage=stage))
    return Volley(plain.name, plain.dice, plain.entry, plain.steps, packets, tables, target)


def mortals(count: int | str, target: Target, *, keeps_group: bool = True, saved: bool = False) -> Volley:
    """Besides each hit's damage, mortal wounds that spill."""
    plain = volley(2, 4, None, target=target, saves=(save(4),) * len(target.groups))
    packets = (
        Packet("damage", number(2)),
        Packet("mortal", number(count), saved=saved, spills=True, stage=1, keeps_group=keeps_group),
    )
    return Volley(
        plain.name, plain.dice, (*plain.entry, Emit("mortal")), plain.steps, packets, plain.saves, plain.target
    )


SMALL: dict[str, tuple[Volley, Policy]] = {
    name: case if isinstance(case, tuple) else (case, Policy())
    for name, case in {
        # one mechanism at a time
        "plain": volley(3, 3, 4, target=SQUAD, saves=4),
        "no hit roll": volley(3, None, 4, target=SQUAD, saves=4),
        "no wound roll": volley(3, 3, None, target=SQUAD, saves=4),
        "only saves": volley(4, None, None, target=SQUAD, saves=4),
        "no saves": volley(3, 3, 4, target=SQUAD),
        "critical hit 5": volley(3, 6, 4, critical_hit=5, target=SQUAD, sustained=1),
        "critical wound 4": volley(3, 3, 6, critical_wound=4, target=SQUAD, devastating=True),
        "random attacks": volley("D3", 3, 4, target=SQUAD, saves=4),
        "random attacks of two weapons": volley([AttackDice(2, number("D3")), AttackDice(1, number(1))], 4, None),
        "D6 attacks": volley("D6-1", 5, None, target=SQUAD),
        "damage 2": volley(3, 3, 4, target=SQUAD, saves=4, damage=2),
        "damage 3": volley(3, 3, 4, target=SQUAD, saves=4, damage=3),
        "damage D3": volley(3, 3, 4, target=SQUAD, saves=4, damage="D3"),
        "damage D6+1": volley(2, 3, 4, target=group(2, 5), saves=4, damage="D6+1"),
        "damage 2D6": volley(2, 3, None, target=group(1, 9), damage="2D6"),
        "damage 0": volley(2, 3, 4, target=SQUAD, damage=0),
        "wounded first": volley(3, 3, None, target=group([1, 2, 3], 3), damage=2),
        "feel no pain 5": volley(3, 3, 4, target=TOUGH, saves=4),
        "feel no pain 2": volley(3, 3, None, target=group(2, 2, fnp=2), damage=3),
        "sustained 1": volley(2, 3, 4, target=SQUAD, saves=4, sustained=1),
        "sustained 2": volley(2, 3, 4, target=SQUAD, saves=4, sustained=2),
        "sustained D3": volley(2, 3, 4, target=SQUAD, saves=4, sustained="D3"),
        "lethal taken": (volley(3, 3, 5, target=SQUAD, saves=4, lethal=True), policy(TAKE)),
        "lethal declined": (volley(3, 3, 5, target=SQUAD, saves=4, lethal=True), policy(DECLINE)),
        "devastating": volley(3, 3, 4, target=SQUAD, saves=4, devastating=True, damage=3),
        "reroll ones to hit": volley(2, 3, 4, target=SQUAD, reroll_hit="ones"),
        "reroll hits": volley(2, 4, 4, target=SQUAD, reroll_hit="failures"),
        "reroll wounds": volley(3, 4, 4, target=SQUAD, reroll_wound="all"),
        "fish for criticals": (
            volley(2, 3, 4, target=SQUAD, reroll_hit="noncritical", sustained=1),
            policy(hit="noncritical"),
        ),
        "reroll all to wound": (volley(2, 4, 4, target=SQUAD, reroll_wound="all"), policy(wound="all")),
        "reroll damage": volley(2, 3, None, target=group(1, 9), damage="D6", reroll_damage="all"),
        "reroll damage ones": volley(2, 3, None, target=group(1, 9), damage="D6", reroll_damage="ones"),
        "reroll saves": volley(3, None, None, target=SQUAD, saves=save(4, "failures")),
        "reroll save ones": volley(3, None, None, target=SQUAD, saves=save(5, "ones")),
        "mortal wounds": mortals(3, Target((SQUAD,))),
        "D3 mortal wounds": mortals("D3", Target((TOUGH,))),
        "saved mortal wounds": mortals("D3", Target(ATTACHED), saved=True),
        # pairs on one group
        "sustained lethal": (volley(2, 3, 4, target=SQUAD, saves=4, sustained=1, lethal=True), policy(TAKE)),
        "sustained D3 lethal": (volley(2, 3, 4, target=SQUAD, saves=4, sustained="D3", lethal=True), policy(TAKE)),
        "sustained devastating": volley(2, 3, 4, target=SQUAD, saves=4, sustained=2, devastating=True, damage=2),
        "lethal devastating taken": (
            volley(3, 3, 5, target=SQUAD, saves=4, lethal=True, devastating=True, damage=2),
            policy(TAKE),
        ),
        "lethal devastating declined": (
            volley(3, 3, 5, target=SQUAD, saves=4, lethal=True, devastating=True, damage=2),
            policy(DECLINE),
        ),
        "all three": (
            volley(2, 3, 5, target=TOUGH, saves=4, sustained=1, lethal=True, devastating=True, damage=2),
            policy(TAKE),
        ),
        "devastating feel no pain": volley(3, 3, 4, target=TOUGH, saves=4, devastating=True, damage=3),
        "devastating D3": volley(3, 3, 4, target=TOUGH, saves=4, devastating=True, damage="D3"),
        "devastating rerolled": volley(2, 4, 4, target=SQUAD, saves=3, devastating=True, reroll_wound="failures"),
        "devastating fished": (
            volley(2, 4, 4, target=SQUAD, saves=3, devastating=True, damage=2, reroll_wound="noncritical"),
            policy(wound="noncritical"),
        ),
        "lethal rerolled": (volley(2, 4, 5, target=SQUAD, lethal=True, reroll_hit="failures"), policy(TAKE)),
        "sustained rerolled ones": volley(2, 4, 4, target=SQUAD, sustained="D3", reroll_hit="ones"),
        "random everything": volley("D2", 3, 4, target=TOUGH, saves=4, damage="D2", sustained=1, devastating=True),
        "damage rerolled, feel no pain": volley(
            2, None, 3, target=group(1, 6, fnp=5), damage="D6", reroll_damage="all"
        ),
        "rending": rending((save(3),), Target((SQUAD,))),
        "rending later": rending((save(3),), Target((TOUGH,)), 3, stage=1),
        # several groups
        "two groups, same save": volley(4, 3, None, target=ATTACHED, saves=4),
        "two groups, sorted": volley(5, None, None, target=ATTACHED, saves=ATTACHED_SAVES),
        "two groups, worse behind": volley(5, None, None, target=ATTACHED, saves=(save(3), save(6))),
        "three groups, sorted": volley(
            5, None, None, target=[group(1), group(1), group(1, 2)], saves=[save(6), save(4), save(2)]
        ),
        "sorted, wounded leader": volley(
            4, 3, None, target=[group(1, 2), group([1], 3, character=True)], saves=ATTACHED_SAVES
        ),
        "sorted D3": volley(4, 3, None, target=ATTACHED, saves=ATTACHED_SAVES, damage="D3"),
        "sorted, feel no pain in front": volley(
            4, 3, None, target=[group(2, 2, fnp=4), LEADER], saves=ATTACHED_SAVES, damage=2
        ),
        "sorted, feel no pain behind": volley(
            4, 3, None, target=[group(2, 2), group(1, 3, fnp=4)], saves=ATTACHED_SAVES, damage=2
        ),
        "sorted devastating": volley(3, 3, 3, target=ATTACHED, saves=ATTACHED_SAVES, damage=2, devastating=True),
        "sorted devastating sustained": volley(
            2, 3, 3, target=ATTACHED, saves=ATTACHED_SAVES, damage="D3", devastating=True, sustained=1
        ),
        "sorted odd table": volley(
            4, None, None, target=ATTACHED, saves=[SaveTable((True, False, True, False, True, False)), save(3)]
        ),
        "sorted, front rerolls": volley(4, None, None, target=ATTACHED, saves=(save(5, "failures"), save(3))),
        "sorted, leader rerolls": volley(4, None, None, target=ATTACHED, saves=(save(5), save(3, "ones"))),
        "picked leader": volley(4, None, None, target=PICKED, saves=ATTACHED_SAVES, precision=1),
        "picked leader devastating": volley(3, 3, 3, target=PICKED, saves=ATTACHED_SAVES, damage=2, devastating=True),
        "picked leader, loose mortals": mortals(2, PICKED, keeps_group=False),
        "picked leader, mortals follow": mortals(4, PICKED),
        "picked leader rerolls": volley(4, None, None, target=PICKED, saves=(save(5), save(3, "failures"))),
        "rending sorted": rending(ATTACHED_SAVES, Target(ATTACHED), 3),
        "rending sorted, leader rerolls": rending((save(5), save(3, "failures")), Target(ATTACHED), 3, stage=1),
        "mortals across groups": mortals("D6", Target((group(2, 2, fnp=5), group(1, 3)))),
        # other allocations
        "even": volley(5, 3, None, target=EVEN, saves=[save(3), save(5), save(None)]),
        "even D3": volley(4, 3, None, target=EVEN, saves=[save(3), save(5), save(6)], damage="D3"),
        "even twice": rending((save(3), save(5), save(6)), EVEN, 3),
        "even, later": rending((save(3), save(5), save(6)), EVEN, 3, stage=1),
        "even spilling": mortals(3, EVEN),
        "in order": volley(5, 3, None, target=IN_ORDER, saves=[save(3), save(5)]),
        "in order devastating": volley(
            3, 3, 4, target=IN_ORDER, saves=[save(3), save(5, "failures")], devastating=True, damage=2
        ),
    }.items()
}


MOB = group(10, 2)
GUARD = (group(8, 2, fnp=6), group(1, 5, fnp=6, character=True))
GUARD_SAVES = (save(5), save(3))
LARGE: dict[str, tuple[Volley, Policy]] = {
    name: case if isinstance(case, tuple) else (case, Policy())
    for name, case in {
        "twenty": volley(20, 3, 4, target=MOB, saves=4),
        "sixty": volley(60, 4, 5, target=group(20), saves=5),
        "sustained": volley(20, 3, 4, target=MOB, saves=4, sustained=2),
        "sustained D3": volley(20, 3, 4, target=MOB, saves=4, sustained="D3"),
        "lethal": volley(20, 4, 5, target=MOB, saves=3, lethal=True),
        "lethal sustained": volley(20, 4, 5, target=MOB, saves=3, lethal=True, sustained=1, critical_hit=5),
        "devastating": volley(20, 3, 4, target=MOB, saves=3, devastating=True, damage=2),
        "devastating 3": volley(20, 3, 4, target=MOB, saves=3, devastating=True, damage=3),
        "all three": volley(20, 3, 5, target=MOB, saves=3, devastating=True, damage=2, lethal=True, sustained=1),
        "twin-linked devastating": (
            volley(12, 3, 4, target=MOB, saves=3, devastating=True, damage="D3", reroll_wound="all"),
            policy(wound="noncritical"),
        ),
        "feel no pain": volley(20, 3, 3, target=group(10, 2, fnp=5), saves=5, damage=2),
        "feel no pain, D6": volley(10, 3, 3, target=group(5, 4, fnp=5), saves=5, damage="D6"),
        "feel no pain, devastating": volley(20, 3, 3, target=group(10, 3, fnp=5), saves=5, damage=2, devastating=True),
        "monster": volley(12, 3, 3, target=group(1, 24), saves=3, damage="D6+1"),
        "monster rerolled": volley(8, 3, 3, target=group(1, 24, fnp=5), saves=3, damage="D6", reroll_damage="all"),
        "random attacks": volley("6D6", 4, 4, target=group(20), saves=5),
        "many weapons": volley([AttackDice(4, number("D3+1")), AttackDice(3, number(2))], 3, 3, target=MOB, saves=5),
        "rerolls": volley(16, 4, 4, target=MOB, saves=4, reroll_hit="failures", reroll_wound="ones"),
        "defender rerolls": volley(16, 3, 3, target=MOB, saves=save(4, "ones")),
        "attached": volley(20, 3, 4, target=GUARD, saves=GUARD_SAVES),
        "attached devastating": volley(20, 3, 4, target=GUARD, saves=GUARD_SAVES, damage=2, devastating=True),
        "attached D3": volley(24, 3, 3, target=GUARD, saves=GUARD_SAVES, damage="D3", sustained=1),
        "attached rerolls": volley(24, 3, 3, target=GUARD, saves=(save(5), save(3, "failures")), damage=2),
        "picked": volley(12, 3, 3, target=Target(GUARD, precision_group=1), saves=GUARD_SAVES, devastating=True),
        "three groups": volley(
            30, 3, 3, target=[group(4, 2), group(4, 1), group(1, 4)], saves=[save(6), save(4), save(2)], damage=2
        ),
        "rending": rending(GUARD_SAVES, Target(GUARD), 20),
        "mortals": replace(mortals("D3", Target(GUARD)), dice=(AttackDice(1, number(6)),)),
        "mixed armour": volley(
            24, 3, 4, target=Target((group(6), group(5)), Allocation.EVEN), saves=[save(3), save(4)]
        ),
        "nearest first": volley(
            20, 3, 3, target=Target((group(3, 2), group(6)), Allocation.IN_ORDER), saves=[save(3), save(5)]
        ),
        "a whole phase": volley(40, 3, 4, target=MOB, saves=3, damage="D3", sustained=1, lethal=True),
    }.items()
}
