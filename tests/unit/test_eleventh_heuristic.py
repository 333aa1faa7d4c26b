"""What the planning player sees and does beside stratagems: abilities in its estimates, transports, reserves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.core.decisions import Pick
from battlewright.core.roster import Transport
from battlewright.core.table import Objective
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from battlewright.players import make_player
from battlewright.players.eleventh.estimates import Estimates
from support.abilities import ability, condition, effect, when, with_ability
from support.eleventh import UnitSpec, decision, place, scene, unit, walk, weapon

GUN = weapon("Gun", A=2)
BLADE = weapon("Blade", melee=True)


def worth(points: int, spec: UnitSpec) -> UnitSpec:
    return replace(spec, components=tuple(replace(each, points=points) for each in spec.components))


ARMED = worth(100, unit(5, weapons=(GUN, BLADE)))
TARGET = worth(100, unit(5, W=9, name="Target"))


def shooting(attacker: UnitSpec, target: UnitSpec) -> float:
    battle = scene(attacker.at(10, 10), target.at(10, 20), phase=Phase.SHOOTING)
    return Estimates(battle.scene).shooting(battle.state, 0, 1, 10.0).damage


def test_abilities_of_both_units_are_seen_in_the_estimates() -> None:
    plain = shooting(ARMED, TARGET)
    better = ability(effect("roll-modifier", operation="add", roll="hit", value=1))
    warded = ability(effect("roll-modifier", "attacker", operation="subtract", roll="wound", value=1))
    shielded = ability(when(condition("phase-is", phase="shooting"), effect("invulnerable-save", invuln_sv=2)))
    assert shooting(with_ability(ARMED, better), TARGET) == pytest.approx(plain * 5 / 4)
    assert shooting(ARMED, with_ability(TARGET, warded)) < plain
    assert shooting(ARMED, with_ability(TARGET, shielded)) < plain


def answer(battle: Battle11) -> str:
    given = make_player("heuristic", "11").decide(battle.seat(decision(battle).side))
    assert isinstance(given, Pick)
    return given.option


FAR = (Objective("far", (22.0, 54.0)),)


def boarding(objectives: tuple[Objective, ...]) -> Battle11:
    """A unit on foot has moved to its transport, which has still to move."""
    carrier = unit(1, "VEHICLE", "TRANSPORT", base="101.6mm", M='12"', W=10, name="Truck", transport=Transport(12))
    walkers = unit(3, weapons=(BLADE,), name="Walkers")
    battle = scene(
        (walkers.at(20, 5), carrier.at(22, 10)), TARGET.at(5, 58), phase=Phase.MOVEMENT, objectives=objectives
    )
    battle.answer("a.1")
    battle.answer("normal")
    battle.answer(place(*(walk(row, (20 + 2 * row, 6.5)) for row in range(3))))
    assert decision(battle).kind == "embark"
    return battle


def test_a_unit_with_far_to_go_gets_into_a_transport_that_has_still_to_move() -> None:
    assert answer(boarding(FAR)) == "a.2"
    assert answer(boarding((Objective("near", (22.0, 8.0)),))) == "stay"


def ingress(points: tuple[float, float]) -> Battle11:
    """The end of side b's Movement phase, side a's unit in reserves."""
    waiting = worth(100, unit(3, weapons=(GUN,), name="Waiting")).having(in_reserves=True)
    battle = scene(
        waiting,
        TARGET.at(30, 40),
        phase=Phase.MOVEMENT,
        turn=1,
        battle_round=2,
        cp=(1, 0),
        objectives=(Objective("goal", points),),
    )
    while decision(battle).side == 1:
        battle.answer(decision(battle).default())
    return battle


def test_rapid_ingress_is_used_where_an_objective_waits_for_the_unit() -> None:
    battle = ingress((5.0, 25.0))
    assert decision(battle).kind == "use-rule"
    assert answer(battle) == "rapid-ingress:a.1"
