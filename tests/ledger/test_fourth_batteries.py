"""Fire at batteries of the 4th edition: hits shared out by dice between guns and crew."""

from __future__ import annotations

import pytest

from battlewright.editions.classic.state import Phase
from support.classic import mixed, printed_weapon, scene, unit

CANNON = printed_weapon("Cannon", "HEAVY 4", S=6, AP=4, R='48"')


@pytest.mark.rule("4e.artillery.random-hits", "4e.artillery.hit-table", "4e.artillery.gun-destroyed")
@pytest.mark.rule("3e.core.units.artillery-hits")
@pytest.mark.parametrize("edition", ["3", "4"])
def test_each_hit_strikes_a_gun_on_five_or_six_and_the_crew_otherwise(edition: str) -> None:
    gun = unit(1, "VEHICLE", "ARTILLERY", AV="10/10/10", name="Gun")
    battery = mixed("Battery", gun, unit(2, T=4, Sv="-", name="Gunner")).on((30, 20), (31.5, 20), (33, 20))
    dice = [
        ("hit", [4, 4, 4, 1]),
        ("artillery-hits", [5, 4, 1]),
        ("penetration", [4]),
        ("wound", [2, 1]),
        ("losses", [1, 1]),
    ]
    firer = unit(1, weapons=[CANNON]).at(30, 8)
    battle = scene(firer, battery, phase=Phase.SHOOTING, alone=True, dice=dice, edition=edition, mission=None)
    while battle.decision is not None and battle.state.phase == Phase.SHOOTING:
        decision = battle.decision
        if decision.kind == "select-unit-to-shoot":
            battle.answer("a.1")
        elif decision.kind == "select-target":
            battle.answer("b.1")
        else:
            battle.answer(decision.default())
    left = [bool(battle.state.wounds[row] > 0) for row in (1, 2, 3)]
    assert left[0] is False, "6 and 4 make 10: the gun is gone"
    assert sum(left[1:]) == 1, "one of two hits on the crew wounds"
