"""When the planning player uses stratagems, and on whom."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from battlewright.core.decisions import Pick
from battlewright.core.roster import Ability, AbilitySource
from battlewright.core.table import Objective
from battlewright.editions.eleventh.events import StratagemUsed
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from battlewright.players import make_player
from support.abilities import ability, with_ability
from support.combat import events_of
from support.eleventh import UnitSpec, decision, scene, unit, weapon

GUN = weapon("Gun", A=6, S=6, AP=-2, D=2)
BLADE = weapon("Blade", melee=True, A=5, S=8, AP=-3, D=3)


def worth(points: int, spec: UnitSpec) -> UnitSpec:
    """The unit at so many points."""
    return replace(spec, components=tuple(replace(each, points=points) for each in spec.components))


WEAK = worth(120, unit(4, T=3, Sv="6+", W=2, weapons=(weapon("Stick", melee=True, S=2),), name="Weak"))
STRONG = worth(200, unit(3, W=3, weapons=(GUN, BLADE), name="Strong"))


def answer(battle: Battle11) -> str:
    """What the player picks, which is also answered."""
    player = make_player("heuristic", "11")
    given = player.decide(battle.seat(decision(battle).side))
    battle.answer(given)
    return given.option if isinstance(given, Pick) else ""


def used(battle: Battle11) -> list[str]:
    return [event.stratagem for event in events_of(battle, StratagemUsed)]


def charging(faces: tuple[int, int], distance: float, **settings: Any) -> Battle11:
    battle = scene(
        STRONG.at(10, 10),
        WEAK.at(10, 10 + distance + 1.26),
        phase=Phase.CHARGE,
        dice=[("charge", faces), ("charge-reroll", (6, 6))],
        cp=(1, 0),
        **settings,
    )
    battle.answer("a.1")
    return battle


def test_a_charge_that_falls_short_is_rolled_again_where_there_is_hope():
    assert answer(charging((1, 2), 6.0)) == "total:3"
    assert answer(charging((6, 2), 6.0)) == "none", "it reaches"
    assert answer(charging((1, 2), 11.0)) == "none", "hardly ever reached"


def test_nerves_are_steadied_on_an_objective_only():
    half = WEAK.at(22, 30).having(wounds=(2, 2, 0, 0))
    for point, key in (((22.0, 30.0), "insane-bravery:a.1"), ((5.0, 55.0), "none")):
        battle = scene(
            [half, worth(50, unit(1)).at(2, 2)],
            phase=Phase.COMMAND,
            objectives=[Objective("one", point)],
            dice=[("battle-shock", (6, 6))],
        )
        assert answer(battle) == key


def test_overwatch_is_fired_by_who_shoots_well_and_at_whom_it_pays():
    cheap = worth(10, unit(1, T=12, Sv="2+", W=12, name="Wall"))
    battle = scene(
        [WEAK.at(10, 20), cheap.at(20, 20)], [STRONG.at(10, 30), WEAK.at(30, 40)], phase=Phase.MOVEMENT, cp=(0, 2)
    )
    battle.answer("end")
    assert answer(battle) == "fire-overwatch:b.1"
    assert answer(battle) == "a.1"
    assert used(battle) == ["Fire Overwatch"]


def test_explosives_are_thrown_at_a_dear_unit_and_not_at_a_cheap_one():
    grenadiers = worth(100, unit(2, "GRENADES", weapons=(weapon("Rifle"),), name="Grenadiers"))
    for points, is_thrown in ((200, True), (8, False)):
        foe = worth(points, unit(5, name="Foe")).at(10, 16)
        battle = scene(
            [grenadiers.at(10, 10), STRONG.at(40, 2)],
            foe,
            phase=Phase.SHOOTING,
            cp=(1, 0),
            dice=[("explosives", (1,) * 6)],
        )
        assert (answer(battle) == "explosives:a.1") is is_thrown


def test_no_stratagem_is_used_that_gains_nothing():
    options = {"offer_command_re_roll": "never"}
    battle = scene(WEAK.at(10, 20), WEAK.at(10, 40), phase=Phase.MOVEMENT, cp=(5, 5), options=options)
    while battle.decision is not None and battle.state.turns < 5:
        answer(battle)
    assert used(battle) == []


def test_an_ability_that_costs_nothing_is_used_and_a_stratagem_of_the_detachment_on_a_dear_unit_alone():
    boost = {"type": "roll-modifier", "target": "unit", "modifier": {"operation": "add", "roll": "hit", "value": 1}}
    trigger = {"event": "selected-to-shoot", "subject": "self", "optional": True}
    free = ability(boost, behavior="activated", duration="phase", trigger=trigger)
    card = {"phases": ["shooting"], "turn": "your-turn", "cost": 1}
    bought = ability(
        boost,
        "Bright Idea",
        behavior="activated",
        duration="phase",
        stratagem=True,
        card=card,
        source=AbilitySource.STRATAGEM,
    )

    def asked(spec: UnitSpec, *stratagems: Ability) -> str:
        battle = scene(spec.at(10, 10), WEAK.at(10, 20), phase=Phase.SHOOTING, cp=(1, 0), stratagems=stratagems)
        battle.answer("a.1")
        return answer(battle)

    assert asked(with_ability(STRONG, free)) == "ability:a.1:0"
    assert asked(STRONG, bought) == "detachment-bright-idea:a.1"
    assert asked(worth(50, STRONG), bought) == "none"
