"""What the log of a battle of the classic editions says of its dice, and which rule it names."""

from __future__ import annotations

from typing import Any

import pytest

import battlewright as bw
import battlewright.report.classic
import battlewright.report.eleventh
from battlewright.core.decisions import Side
from battlewright.editions.classic.armour import DamageResult
from battlewright.editions.classic.events import CombatResolved, ModelNamed, Pursued
from battlewright.editions.classic.procedures.damaging import damage_vehicle
from battlewright.editions.classic.state import Phase
from battlewright.editions.eleventh.events import StageResolved
from battlewright.report.narrate import Names, Narrator
from battlewright.report.page import battle_picture, laid_out
from support.classic import scene, unit
from support.gunfire import gun, tank
from support.small_armies import GOLD, GREEN


@pytest.fixture(scope="module")
def names() -> Names:
    return Names.of_armies((bw.load_army(GREEN).for_side("a"), bw.load_army(GOLD).for_side("b")))


def told(names: Names, event: Any) -> str:
    return next(line.text for line in Narrator(names).tell(event))


@pytest.mark.parametrize(
    ("needed", "faces", "outcomes", "text"),
    [
        (10, (6, 6, 2, 6), (("no effect", 1), ("penetrating hit", 1)), "10+ needed of two dice together"),
        (7, (3, 3), (("no effect", 1), ("penetrating hit", 0)), "7+ needed of two dice together"),
        (13, (6, 6), (("no effect", 1),), "none can succeed"),
        (13, (6,), (("no effect", 1),), "none can succeed"),
        (7, (6,), (("fail", 1),), "none can succeed"),
        (6, (6, 5), (("fail", 1), ("wound", 1)), "6+ needed →"),
    ],
)
def test_the_number_needed_is_told_of_all_the_dice_of_a_hit(
    names: Names, needed: int, faces: tuple[int, ...], outcomes: tuple[tuple[str, int], ...], text: str
) -> None:
    event = StageResolved(
        unit="a.1",
        target="b.1",
        weapon="Sniper rifle",
        stage="penetration",
        faces=faces,
        needed=needed,
        outcomes=outcomes,
    )
    assert text in told(names, event)


@pytest.mark.parametrize(
    ("wounds", "tie", "winner", "text"),
    [
        ((1, 1), (2, 5), Side(1), "Combat of Boyz: 1 wound to 1, tied, then 2 against 5, won by Adeptus Custodes"),
        ((2, 2), (4, 4), None, "Combat of Boyz: 2 wounds to 2, tied, then 4 against 4, drawn"),
        ((2, 0), (0, 0), Side(0), "Combat of Boyz: 2 wounds to 0, won by Orks & [red]friends[/red]"),
    ],
)
def test_a_combat_that_dice_decided_shows_them(
    names: Names, wounds: tuple[int, int], tie: tuple[int, int], winner: Side | None, text: str
) -> None:
    assert told(names, CombatResolved(units=("a.1",), wounds=wounds, tie=tie, winner=winner)) == text


def test_a_pursuit_shows_the_dice_and_the_initiative_of_both(names: Names) -> None:
    event = Pursued(unit="a.1", by="b.1", escape=4, sweep=3, initiative=(4, 5), caught=True)
    assert told(names, event).endswith(" goes after Boyz: 3 and Initiative 5 against 4 and 4, caught")


def test_a_torrent_of_fire_shows_who_had_to_save_against_what(names: Names) -> None:
    event = ModelNamed(unit="b.1", target="a.1", model=0, wound="Bolter", saved=False)
    text = told(names, event)
    assert text.startswith("Torrent of fire by ")
    assert text.endswith(" does not save against Bolter")


@pytest.mark.parametrize(
    ("edition", "result", "rule"),
    [
        ("3", DamageResult.STUNNED, "3e.core.vehicles.shaken-and-stunned"),
        ("3", DamageResult.DESTROYED, "3e.core.vehicles.penetrating-table"),
        ("4", DamageResult.SHAKEN, "4e.crew-stunned.no-move-no-shoot"),
        ("4", DamageResult.ARMAMENT, "4e.damage-rolls.penetrating-table"),
        ("6", DamageResult.DESTROYED, "6e.outside.damage-table"),
    ],
)
def test_damage_names_the_rule_of_its_result_and_not_that_of_a_stunned_crew(
    edition: str, result: DamageResult, rule: str
) -> None:
    battle = scene(unit(1).at(10, 10), tank(weapons=[gun()]).at(30, 30), phase=Phase.SHOOTING, edition=edition)
    for _ in damage_vehicle(battle, battle.scene.units[1].rows[0], result):
        pass
    event = next(event for event in battle.events if event.kind == "vehicle-damaged")
    assert event.rules == (rule,)


def test_the_counters_that_players_laid_are_drawn_where_they_lie() -> None:
    army = bw.load_army("sixth-orks-500")
    battle = bw.Battle.start((army, army), "6", seed=1, mission="crusade")
    while battle.decision is not None and battle.state.round == 0:
        battle.answer(battle.decision.default())
    laid = [(x / 1000, y / 1000) for x, y in battle.state.objectives]
    drawn = laid_out(battle.header, battle.events).objectives
    assert len(laid) >= 3
    assert [each.point for each in drawn if each.id.startswith("laid-")] == laid
    assert battle_picture(battle).count('data-objective="laid-') == len(laid)
