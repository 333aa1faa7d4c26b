"""Fire out of vehicles in the 3rd and the 6th edition."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.classic import UnitSpec, scene, unit
from tests.support.gunfire import fire, gun, keys, tank

from battlewright.editions.classic.gunnery import Readiness
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.classic.transports import Riding
from battlewright.editions.classic.vehicles import Condition
from battlewright.editions.sixth.damage import RATTLED, SILENCED
from battlewright.editions.sixth.vehicles import fires_aboard
from battlewright.editions.third.vehicles import fires_aboard as fires_aboard_in_the_third

FOE = unit(10, name="Foes", Sv="2+", T=8).at(20, 30)


def carrier(*words: str, points: int = 0, **flags: Any) -> UnitSpec:
    abilities = ["Transport Capacity 12", f"Fire Points {points}"]
    return tank(*words, abilities=abilities, name="Carrier", HP=3).at(30, 15, facing=90).having(**flags)


def aboard(edition: str, vehicle: UnitSpec, *needed: int, lying: str = "") -> ClassicBattle:
    """Ten men of BS 4 with heavy bolters; ``needed`` is a die for each hit roll, which all miss, ``lying`` what lies on
    them."""
    men = unit(10, weapons=[gun("Heavy bolter", "HEAVY 1", S=5)], name="Riders")
    men = men.having(embarked=0, powers=frozenset({(lying, 99)} if lying else ()))
    dice = [("hit", list(needed))] if needed else []
    return scene([vehicle, men], FOE, phase=Phase.SHOOTING, alone=True, edition=edition, dice=dice)


def needed(battle: ClassicBattle) -> list[tuple[int, int]]:
    """What each roll to hit needed, and how many dice were thrown."""
    stages = [event for event in battle.events if event.kind == "stage-resolved"]
    return [(each.needed, len(each.faces)) for each in stages if each.stage == "hit"]  # type: ignore[attr-defined]


@pytest.mark.rule("3e.core.vehicles.open-topped-fire")
def test_in_the_third_everybody_aboard_of_an_open_vehicle_fires() -> None:
    open_ = aboard("3", carrier("OPEN-TOPPED"), *[1] * 10)
    fire(open_, "a.2")
    assert needed(open_) == [(3, 10)]
    assert fires_aboard_in_the_third(Riding(condition=Condition(shaken=True))) is Readiness.FULL
    moved = aboard("3", carrier("OPEN-TOPPED", moved=True, moved_distance=4000))
    assert moved.decision is None, "a heavy weapon is not fired out of a vehicle that moved"
    closed = aboard("3", carrier())
    assert closed.decision is None


@pytest.mark.rule("6e.outside.fire-points", "6e.passenger-damage.shaken", "6e.passenger-damage.stunned")
@pytest.mark.rule("6e.open-topped.fire-anywhere")
def test_in_the_sixth_by_the_speed_of_the_vehicle_and_what_befell_its_crew() -> None:
    riding = [Riding(), Riding(moved=6.0), Riding(moved=12.0), Riding(flat_out=True), Riding(smoked=True)]
    full, snap, none = Readiness.FULL, Readiness.SNAP_SHOTS, Readiness.NONE
    assert [fires_aboard(each) for each in riding] == [full, full, snap, none, none]
    assert fires_aboard(Riding(rammed=True)) is snap
    still = aboard("6", carrier(points=2), 1, 1)
    fire(still, "a.2")
    assert needed(still) == [(3, 2)]
    shaken = aboard("6", carrier(points=2), 1, 1, lying=RATTLED)
    fire(shaken, "a.2")
    assert needed(shaken) == [(6, 2)]
    at_speed = aboard("6", carrier("OPEN-TOPPED", moved=True, moved_distance=12_000), *[1] * 10)
    fire(at_speed, "a.2")
    assert needed(at_speed) == [(6, 10)], "all of them, each with a snap shot"
    assert "a.2" not in keys(aboard("6", carrier(points=2), lying=SILENCED))
    gone = carrier("OPEN-TOPPED", deeds=frozenset({str(Deed.FLAT_OUT)}))
    assert "a.2" not in keys(aboard("6", gone))
    free = aboard("6", carrier("OPEN-TOPPED"), *[1] * 10)
    assert "a.1:flat-out" in keys(free)
    fire(free, "a.2")
    assert "a.1:flat-out" not in keys(free), "its passengers have fired"
