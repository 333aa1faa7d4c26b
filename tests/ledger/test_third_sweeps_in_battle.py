"""Sweeping advances of the 3rd edition where something is different: who is swept into, and what lies on the way."""

from __future__ import annotations

import pytest
from tests.ledger.test_third_assault_phase import fight, play
from tests.support.classic import scene, unit

from battlewright.core.table import TerrainArea, TerrainFeature
from battlewright.editions.classic.procedures.board import in_combat
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import Phase

WINS = (("hit", [4]), ("wound", [4]), ("save", [1]))


def block(x0: float, y0: float, x1: float, y1: float, *tags: str) -> TerrainArea:
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return TerrainArea(f"{x0:g}-{y0:g}", outline, tags=frozenset(tags or ("difficult",)))


def wall(x0: float, y0: float, x1: float, y1: float) -> TerrainArea:
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    feature = TerrainFeature("wall", outline, 1.0, tags=frozenset({"obstacle", "wall"}))
    return TerrainArea("ground", outline, features=(feature,))


def kinds_of(battle: ClassicBattle) -> list[str]:
    return [event.kind for event in battle.events]


def swept(
    *terrain: TerrainArea, words: tuple[str, ...] = (), roll: tuple[int, ...] = (3, 3), further: float = 12.0
) -> float:
    """A winner wipes out his enemy and sweeps north towards another, some inches beyond; how far he came."""
    battle = fight(
        unit(1, I=5).at(10, 20), [unit(1).at(10, 20.984), unit(1, name="Next").at(10, 33)],
        *WINS, ("sweep", [3, 3]), terrain=terrain,
    )  # fmt: skip
    play(battle, select_reaction="sweep")
    return round(int(battle.state.position[0][1]) / 1000 - 20.0, 2)


@pytest.mark.rule("3e.sweep.halved", "3e.core.movement.obstacles")
def test_terrain_halves_a_sweep_that_would_lead_into_it_and_no_other() -> None:
    assert swept() == 6.0
    assert swept(block(0, 24, 60, 28)) == 3.0
    assert swept(block(0, 28, 60, 31)) == 6.0, "six inches do not lead so far"
    assert swept(wall(0, 23, 60, 23.3)) == 3.0, "an obstacle that is crossed counts as difficult"


@pytest.mark.rule("3e.sweep.types-override", "3e.cavalry.not-slowed")
def test_whom_difficult_terrain_does_not_slow_sweeps_in_full() -> None:
    battle = fight(
        unit(1, "CAVALRY", I=5).at(10, 20), [unit(1).at(10, 20.984), unit(1, name="Next").at(10, 40)],
        *WINS, ("sweep", [3, 3, 3]), ("terrain-accident", [4]), terrain=[block(0, 24, 60, 28)],
    )  # fmt: skip
    play(battle, select_reaction="sweep")
    assert battle.state.position[0].tolist()[:2] == [10000, 29000]


@pytest.mark.rule("3e.sweep.types-override", "3e.sweep.halved", "3e.jump.ignore-terrain")
@pytest.mark.parametrize(("beyond", "to"), [(27.0, 29.0), (32.0, 24.5)])
def test_jump_troops_are_halved_by_terrain_that_they_would_end_in_alone(beyond: float, to: float) -> None:
    battle = fight(
        unit(1, "JUMP TROOPS", I=5).at(10, 20), [unit(1).at(10, 20.984), unit(1, name="Next").at(10, 44)],
        *WINS, ("sweep", [3, 3, 3]), terrain=[block(0, 25.5, 60, beyond)],
    )  # fmt: skip
    play(battle, select_reaction="sweep")
    assert int(battle.state.position[0][1]) / 1000 == pytest.approx(to, abs=0.01)


@pytest.mark.rule("3e.fall-back.charged-test", "3e.fall-back.charged-fail", "3e.sweep.new-combat")
@pytest.mark.parametrize(("faces", "stands"), [([4, 4], False), ([3, 4], True)])
def test_a_unit_that_is_swept_into_while_it_falls_back_tests_at_once(faces: list[int], stands: bool) -> None:
    battle = fight(
        unit(1, I=5).at(10, 20),
        [unit(1).at(10, 20.984), unit(1, name="Runner", Ld=7).at(10, 25).having(falling_back=True)],
        *WINS, ("sweep", [3, 3]), ("assaulted while falling back", faces),
    )  # fmt: skip
    play(battle, select_reaction="sweep")
    assert bool(standing(battle.state, 2)) == stands
    assert in_combat(battle.scene, battle.state, 0) == stands
    assert not battle.state.units[2].falling_back or not stands
    assert battle.state.units[0].charged == stands


@pytest.mark.rule("3e.core.assault.advance-into-fresh-enemy", "3e.outside.who-fights")
def test_a_combat_that_waits_to_be_fought_is_fought_though_somebody_sweeps_into_it() -> None:
    battle = fight(
        [unit(1, I=5, name="Sweepers").at(10, 20), unit(1, I=5, name="Others").at(12, 25.984)],
        [unit(1).at(10, 20.984), unit(2, I=1, name="Next").on((10, 25), (12, 25))],
        *WINS, ("sweep", [3, 3]), ("hit", [4]), ("wound", [4]), ("save", [1]), ("hit", [1]), ("lost combat", [1, 1]),
        ("who moves first", [6, 1]),
    )  # fmt: skip
    play(battle, select_combat="a.1", select_reaction="sweep", select_sweep="b.2")
    assert kinds_of(battle).count("combat-resolved") == 2
    assert len(standing(battle.state, 3)) == 1


@pytest.mark.rule("3e.fight-order.cover-first", "3e.sweep.new-combat")
def test_who_is_swept_into_in_cover_strikes_first_when_it_comes_to_blows() -> None:
    battle = scene(
        unit(1, I=5, Sv="-").at(10, 20),
        [unit(1, Sv="-").at(10, 20.984), unit(1, name="Next", I=2).at(10, 26)],
        phase=Phase.ASSAULT,
        dice=[("hit", [4]), ("wound", [4]), ("sweep", [3, 3]), ("hit", [4]), ("wound", [4])],
        terrain=[block(0, 25, 60, 30, "area", "ruins")],
    )
    for _ in range(40):
        decision = battle.decision
        if decision is None or not standing(battle.state, 0):
            break
        wanted = {"select-reaction": "sweep", "select-unit-to-assault": "end"}.get(decision.kind)
        end = decision.kind in ("select-unit-to-move", "select-unit-to-shoot")
        battle.answer("end" if end else wanted if wanted else decision.default())
    assert standing(battle.state, 0) == [], "Initiative 2 in cover has struck before Initiative 5"
