"""Passengers of the 6th edition: how they get out, and what becomes of them when their vehicle is shot or struck."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.classic import UnitSpec, mixed, printed_weapon, scene, unit

from battlewright.core.decisions import Decision, ModelMove, Pick, Place
from battlewright.core.errors import IllegalChoice
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.events import CombatResolved
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.procedures.passengers import hatches_of
from battlewright.editions.classic.procedures.vehicle_hits import harm_vehicle
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.state import Deed, Phase
from battlewright.editions.classic.transports import shot_out_of
from battlewright.editions.sixth.charging import OVERWATCHED, gunners_of, why_no_charge, why_not_this

LANCE = printed_weapon("Lance", "HEAVY 1", R='48"', S="9", AP="1")


def sixth(*sides: Any, **more: Any) -> ClassicBattle:
    return scene(*sides, edition="6", alone=True, **more)


def rhino(sides: str = "REAR", base: str = "hull 4x3in", **more: Any) -> UnitSpec:
    able = ["TRANSPORT CAPACITY 10", f"ACCESS POINTS {sides}"]
    features = {"HP": 3, "AV": "11/11/10", **more}
    return unit(1, "VEHICLE", "TANK", name="Rhino", base=base, height=2.0, abilities=able, **features)


def inside(spec: UnitSpec, transport: int = 0) -> UnitSpec:
    return spec.having(embarked=transport, deployed=True)


def put(*places: tuple[int, float, float]) -> Place:
    return Place(tuple(ModelMove(row, ((round(x * 1000), round(y * 1000), 0, 0),)) for row, x, y in places))


class Ending:
    """A vehicle that a result of the damage table ends, decision by decision."""

    def __init__(self, battle: ClassicBattle, result: DamageResult) -> None:
        self._doing = harm_vehicle(battle, 0, result)
        self.asked: Decision | None = next(self._doing, None)

    def answer(self, *answer: Any) -> None:
        """Go on with an answer, or with the default."""
        assert self.asked is not None
        given = answer[0] if answer else self.asked.default()
        assert not self.asked.check(given)
        try:
            self.asked = self._doing.send(given)
        except StopIteration:
            self.asked = None


# -- getting out ------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.disembark-placement.flying-stand")
def test_a_tall_stand_keeps_nobody_in() -> None:
    battle = sixth([rhino(base="hull 4x3in flying").at(20, 20), inside(unit(1))], unit(1).at(60, 40))
    battle.answer(Pick("a.2:disembark"))
    hatch = hatches_of(battle.scene, battle.state, 0)
    assert hatch is not None
    assert hatch[0] == (18, 20)
    battle.answer(put((1, 17.5, 20)))
    assert standing(battle.state, 1) == [1], "its body touches the ramp"


@pytest.mark.rule("6e.disembark-placement.terrain-tests")
def test_a_terrain_test_limits_how_far_models_come_out_of_a_hatch_in_the_woods() -> None:
    wood = TerrainArea("wood", ((8, 10), (30, 10), (30, 30), (8, 30)), tags=frozenset({"difficult"}))
    battle = sixth(
        [rhino().at(20, 20), inside(unit(2))],
        unit(1).at(60, 40),
        terrain=[wood],
        dice=[("terrain-test", [2, 4])],
    )
    battle.answer(Pick("a.2:disembark"))
    assert battle.decision.kind == "disembark", "every way out of the ramp leads through the wood"
    with pytest.raises(IllegalChoice, match=r"4\""):
        battle.answer(put((1, 13.3, 20), (2, 15.0, 20)))
    battle.answer(put((1, 13.6, 20), (2, 15.0, 20)))
    assert len(standing(battle.state, 1)) == 2


@pytest.mark.rule("6e.disembark-placement.terrain-tests")
def test_who_keeps_out_of_the_woods_takes_no_test_and_dangerous_ground_is_tested_per_model() -> None:
    tags = frozenset({"difficult", "dangerous"})
    wood = TerrainArea("wood", ((8, 21), (17.9, 21), (17.9, 30), (8, 30)), tags=tags)
    ready = [rhino().at(20, 20), inside(unit(2, Sv="2+"))]
    dry = sixth(ready, unit(1).at(60, 40), terrain=[wood], dice=[])
    dry.answer(Pick("a.2:disembark"))
    assert [option.key for option in dry.options()] == ["dry", "terrain"]
    dry.answer(Pick("dry"))
    with pytest.raises(IllegalChoice, match="without a terrain test"):
        dry.answer(put((1, 16, 22), (2, 16, 20)))
    dry.answer(put((1, 15, 20), (2, 16.5, 20)))
    wet = sixth(ready, unit(1).at(60, 40), terrain=[wood], dice=[("terrain-test", [6, 1]), ("terrain-accident", [1])])
    wet.answer(Pick("a.2:disembark"))
    wet.answer(Pick("terrain"))
    wet.answer(put((1, 16, 22), (2, 16, 20)))
    assert standing(wet.state, 1) == [2], "the one who went into the wood is lost"


# -- wrecks -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.passenger-damage.wrecked-exit", "6e.passenger-damage.wrecked-order")
@pytest.mark.rule("6e.passenger-damage.wrecked-pinning")
def test_they_leave_a_wreck_by_its_hatches_wholly_within_three_inches_and_then_it_is_a_wreck() -> None:
    battle = sixth([rhino().at(20, 20), inside(unit(1, Ld=8))], unit(1).at(60, 40), turn=1, dice=[("pinning", [4, 5])])
    ending = Ending(battle, DamageResult.WRECKED)
    assert ending.asked is not None
    assert ending.asked.kind == "bail-out"
    assert ending.asked.side == 0, "at once, in the enemy's turn"
    assert battle.state.wrecks == (), "it is no wreck while they leave"
    assert ending.asked.check(put((1, 18 - 2.92, 20))), "its far edge is 3.4 inches away"
    assert ending.asked.check(put((1, 20, 20))), "where the hull is"
    ending.answer(put((1, 18 - 2.5, 20)))
    assert battle.state.units[1].pinned
    assert [wreck.row for wreck in battle.state.wrecks] == [0]


@pytest.mark.rule("6e.passenger-damage.wrecked-cannot-exit")
def test_who_cannot_get_out_even_over_the_hull_is_a_casualty_and_holds_back_nobody() -> None:
    points = [(x, y) for x in range(9, 32, 3) for y in range(10, 32, 3) if abs(x - 20) > 3.3 or abs(y - 20) > 2.8]
    crowd = unit(len(points), base="60mm", name="Crowd").on(*points)
    battle = sixth([rhino().at(20, 20), inside(unit(10, Ld=10))], crowd, turn=1, dice=[("pinning", [1, 1])])
    ending = Ending(battle, DamageResult.WRECKED)
    while ending.asked is not None:
        ending.answer()
    left = standing(battle.state, 1)
    assert 0 < len(left) < 10
    assert len(living(battle.state, 1)) == len(left)


@pytest.mark.rule("6e.passenger-damage.explodes-owner-allocates", "6e.passenger-damage.explodes-hits")
def test_their_player_says_who_is_hurt_in_an_explosion() -> None:
    sergeant = unit(1, name_of_models="Sergeant", weapons=[printed_weapon("Blade", melee=True)])
    squad = mixed("Squad", sergeant, unit(1, name_of_models="Gunner", weapons=[LANCE]), unit(5, name_of_models="Man"))
    battle = sixth(
        [rhino().at(20, 20), inside(squad)],
        unit(1).at(60, 40),
        turn=1,
        dice=[
            ("explosion", [1]), ("wound", [4, 4, 4, 4, 3, 3, 3]), ("save", [1, 1, 3, 3]), ("pinning", [1, 1]),
        ],
    )  # fmt: skip
    ending = Ending(battle, DamageResult.EXPLODES)
    fell = []
    while ending.asked is not None and ending.asked.kind == "select-model":
        assert ending.asked.side == 0
        fell.append(len(ending.asked.options()))
        ending.answer(Pick(f"model:{8 - len(fell)}"))
    assert fell == [7, 6]
    while ending.asked is not None:
        ending.answer()
    assert standing(battle.state, 1) == [1, 2, 3, 4, 5], "sergeant and gunner live"


@pytest.mark.rule("6e.passenger-damage.explodes-placement", "6e.passenger-damage.explodes-pinning")
def test_survivors_stand_where_the_vehicle_was_as_far_as_they_fit() -> None:
    free = sixth(
        [rhino().at(20, 20), inside(unit(6, Ld=7))], unit(1).at(60, 40), turn=1,
        dice=[("explosion", [1]), ("wound", [1] * 6), ("pinning", [3, 4])],
    )  # fmt: skip
    ending = Ending(free, DamageResult.EXPLODES)
    assert ending.asked is not None
    assert ending.asked.check(put(*((row, 14 + row, 24.0) for row in range(1, 7))))
    ending.answer()
    there = free.state.position[standing(free.state, 1), :2] / 1000 - (20, 20)
    assert len(there) == 6
    assert (abs(there) <= (1.51, 1.01)).all(), "wholly on its footprint"
    assert not free.state.units[1].pinned
    pressed = unit(4, name="Crowd").on((22.5, 18.5), (22.5, 19.5), (22.5, 20.5), (22.5, 21.5))
    tight = sixth(
        [rhino().at(20, 20), inside(unit(10, Ld=7))], pressed, turn=1,
        dice=[("explosion", [1]), ("wound", [1] * 4), ("wound", [1] * 10), ("pinning", [3, 4])],
    )  # fmt: skip
    ending = Ending(tight, DamageResult.EXPLODES)
    while ending.asked is not None:
        ending.answer()
    assert 0 < len(standing(tight.state, 1)) < 10


@pytest.mark.rule("6e.passenger-damage.same-unit-cannot-shoot-passengers")
def test_the_unit_that_ends_a_transport_does_not_shoot_at_its_passengers() -> None:
    battle = sixth(
        [rhino(HP=1).at(20, 20), inside(unit(1, Ld=10))],
        unit(4, weapons=[LANCE]).at(40, 20),
        phase=Phase.SHOOTING,
        turn=1,
        dice=[("hit", [6, 6, 6, 6]), ("penetration", [2, 2, 2, 2]), ("pinning", [1, 1])],
    )
    battle.answer(Pick("b.1"))
    battle.answer(Pick("a.1"))
    kinds = []
    while battle.decision is not None:
        kinds.append(battle.decision.kind)
        battle.answer(battle.decision.default())
    assert kinds.count("bail-out") == 1
    assert "select-target" not in kinds
    assert standing(battle.state, 1) == [1]


@pytest.mark.rule("6e.passenger-damage.shooters-may-charge-passengers")
def test_who_fired_at_the_transport_may_charge_those_who_came_out_of_it() -> None:
    out = unit(2).at(20, 20).having(deeds=frozenset({shot_out_of(0)}))
    others = unit(2, name="Others").at(24, 20)
    shooters = unit(3).at(20, 26).having(target=0)
    gone = rhino().having(wounds=[0])
    battle = sixth([gone, out, others], shooters, phase=Phase.ASSAULT, turn=1)
    assert why_not_this(battle.scene, battle.state, 3, 1) == []
    assert [rule for rule, _ in why_not_this(battle.scene, battle.state, 3, 2)] == ["6e.core.assault.same-target"]
    battle.state.units[3].did(Deed.FIRED_HEAVY)
    assert why_no_charge(battle.state.units[3])
    shot = sixth(
        [rhino(HP=1).at(20, 20), inside(unit(1, Ld=10))], unit(1, weapons=[LANCE]).at(40, 20),
        phase=Phase.SHOOTING, turn=1, dice=[("hit", [6]), ("penetration", [2]), ("pinning", [1, 1])],
    )  # fmt: skip
    shot.answer(Pick("b.1"))
    shot.answer(Pick("a.1"))
    while shot.decision is not None:
        shot.answer(shot.decision.default())
    assert shot_out_of(0) in shot.state.units[1].deeds


# -- charged ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("6e.transport-charged.passenger-wounds-not-counted", "6e.transport-charged.passengers-not-locked")
def test_passengers_hurt_in_a_charged_transport_count_for_nobody_and_are_not_locked() -> None:
    orks = unit(1, A=1, S=10, I=4, name="Ork", weapons=[printed_weapon("Claw", melee=True, AP="1")])
    battle = sixth(
        [rhino().at(20, 20), inside(unit(3, Ld=10))],
        orks.at(22.492, 20),
        phase=Phase.ASSAULT,
        turn=1,
        dice=[
            ("penetration", [6]), ("damage table", [6]), ("explosion", [1]), ("wound", [1]), ("wound", [4, 4, 4]),
            ("save", [1, 1, 3]), ("pinning", [1, 1]), ("consolidation", [1]),
        ],
    )  # fmt: skip
    while battle.decision is not None:
        battle.answer(battle.decision.default())
    assert len(living(battle.state, 1)) == 1
    results = [event for event in battle.events if isinstance(event, CombatResolved)]
    assert [event.wounds for event in results] == [(0, 0)]
    assert not in_combat(battle.scene, battle.state, 1)


@pytest.mark.rule("6e.transport-charged.overwatch-from-fire-points", "6e.transport-charged.overwatch-once")
@pytest.mark.rule("6e.walker-shooting.overwatch")
def test_passengers_fire_overwatch_through_the_fire_points_and_once() -> None:
    gun = printed_weapon("Bolter", "RAPID FIRE")
    hatch = unit(
        1, "VEHICLE", "TANK", name="Rhino", base="hull 4x3in", height=2.0, AV="11/11/10", HP=3, weapons=[gun],
        abilities=["TRANSPORT CAPACITY 10", "FIRE POINTS 2"],
    ).at(20, 20)  # fmt: skip
    mobs = [unit(1, S=8, W=3, name="Mob").at(20, 28), unit(1, S=8, W=3, name="Mob").at(24, 28)]
    battle = sixth(
        [hatch, inside(unit(10, weapons=[gun]))], mobs, phase=Phase.ASSAULT, turn=1,
        dice=[("hit", [6, 5, 5, 5]), ("wound", [4]), ("save", [1]), ("charge", [1, 1]), ("charge", [1, 1])],
    )  # fmt: skip
    assert gunners_of(battle.scene, battle.state, 0) == [], "no vehicle but a walker fires overwatch"
    assert len(gunners_of(battle.scene, battle.state, 1)) == 10
    asked = []
    for mob in ("b.1", "b.2"):
        battle.answer(Pick(mob))
        battle.answer(Pick("a.1"))
        while battle.decision is not None and battle.decision.kind != "select-unit-to-assault":
            asked.append(battle.decision.kind)
            battle.answer(battle.decision.default())
    assert asked.count("overwatch") == 1, "at the first mob only"
    assert battle.state.wounds[11] == 2, "two fire, two shots each, and hit on sixes"
    assert battle.state.units[1].has(OVERWATCHED)
    walker = unit(1, "VEHICLE", "WALKER", WS=4, BS=4, S=6, I=4, A=2, AV="12/12/10", HP=3, weapons=[gun], name="Dread")
    dread = sixth([walker.at(20, 20)], mobs, phase=Phase.ASSAULT, turn=1)
    assert gunners_of(dread.scene, dread.state, 0) == [0]
    dread.answer(Pick("b.1"))
    dread.answer(Pick("a.1"))
    while dread.decision is not None and dread.decision.kind == "select-unit-assaulted":
        dread.answer(Pick("none"))
    assert dread.decision is not None
    assert dread.decision.kind == "overwatch"
