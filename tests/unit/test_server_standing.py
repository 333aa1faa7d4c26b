"""What players keep beside the table is told to each audience as far as it may know, and what a page draws by it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battlewright.armies import load_army
from battlewright.core.battle import Battle
from battlewright.core.decisions import Decision, Pick
from battlewright.report.narrate import Names
from battlewright.server.messages import Role, StateNow
from battlewright.server.scenes import make_scene
from battlewright.server.views import Audience
from battlewright.start import Battle as Started

ARMIES = {"4": ("fourth-orks-500", "fourth-marines-500"), "11": ("eleventh-necrons-500", "eleventh-tau-500")}


def started(edition: str) -> Battle[Any, Any]:
    first, second = ARMIES[edition]
    return Started.start((load_army(first), load_army(second)), edition, seed=7)


def told(battle: Battle[Any, Any], role: Role) -> dict[str, Any]:
    """What an audience that has just come is told of the table."""
    audience = Audience(role, Names.of_armies(battle.header.armies))
    states = [text for text in audience.catch_up(battle, "", 0, 0) if json.loads(text)["type"] == "state"]
    StateNow.model_validate_json(states[0])
    standing: dict[str, Any] = json.loads(states[0])["standing"]
    return standing


def asked(battle: Battle[Any, Any]) -> Decision:
    assert battle.decision is not None
    return battle.decision


def answer_until(battle: Battle[Any, Any], kind: str) -> None:
    while asked(battle).kind != kind:
        battle.answer(asked(battle).default())


def test_zones_have_no_owner_before_they_are_taken() -> None:
    for edition, kind in (("4", "choose-zone"), ("11", "choose-role")):
        battle = started(edition)
        answer_until(battle, kind)
        assert told(battle, "a")["zones"] == {}
        battle.answer(asked(battle).default())
        answer_until(battle, "select-unit-to-deploy")
        zones = told(battle, "watch")["zones"]
        assert sorted(zones.values()) == [0, 1]
        assert set(zones) <= {zone.name for zone in battle.scene.battlefield.zones}


def test_cards_are_told_to_whoever_may_know_them() -> None:
    battle = started("11")
    answer_until(battle, "choose-secondaries")
    first = asked(battle).side
    fixed = next(option for option in asked(battle).options() if option.value)
    battle.answer(Pick(fixed.key))
    cards = {role: told(battle, role)["cards"] for role in ("a", "b", "watch")}
    mine = "b" if first else "a"
    assert [card["name"] for card in cards[mine]] == fixed.label.split(" and ")
    assert all(card["rule"].startswith("11e.") for card in cards[mine])
    assert [cards[role] for role in cards if role != mine] == [[], []]
    battle.answer(asked(battle).default())
    assert {card["side"] for card in told(battle, "watch")["cards"]} >= {int(first)}
    assert told(battle, "watch")["counters"] == [{"name": "command points", "values": [0, 0]}]


@pytest.mark.parametrize(("edition", "inches"), [("4", None), ("11", 2.0)])
def test_the_scene_tells_how_near_is_engaged(edition: str, inches: float | None) -> None:
    battle = started(edition)
    assert make_scene(battle.header, battle).engagement == inches
