"""No seat is sent what its view forbids: every message of twenty battles is held against what its audience may know."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from battlewright.armies import load_army, sample_armies
from battlewright.core import roster
from battlewright.core.battle import Battle
from battlewright.core.decisions import SIDES, Side, answer_from_json, answer_to_json
from battlewright.core.events import Event
from battlewright.core.record import header_to_json
from battlewright.core.roster import Transport
from battlewright.core.state import plain
from battlewright.editions.edition import find_edition
from battlewright.report.narrate import Names, Narrator
from battlewright.server.messages import SERVER_MESSAGE, Role
from battlewright.server.table import Opening, Table
from battlewright.server.views import Audience, sides_of
from battlewright.start import Battle as Started
from support.eleventh import unit, weapon
from support.small_armies import write_armies

KEY = bytes(range(32))
BOLTER = weapon("Bolter", "RAPID FIRE 1", A=2)
SEED = 2**255 + 987654321987654321
ROLES: tuple[Role, ...] = ("a", "b", "watch", "both")
BUNDLED = {
    "3": ("third-orks-500", "third-marines-500"),
    "4": ("fourth-guard-500", "fourth-guard-500"),
    "6": ("sixth-orks-1500", "sixth-marines-1500"),
}


class Overhearing:
    """A table whose every message is held against the truth, which a battle beside it knows."""

    def __init__(self, battle: Battle[Any, Any]) -> None:
        self.truth = battle
        header = json.dumps(header_to_json(battle.header))
        opened = list(Table.open(Opening("battle", header, KEY)))
        assert isinstance(opened[-1], Table)
        self.table = opened[-1]
        self.told: dict[Role, int] = dict.fromkeys(ROLES, 0)
        self.before: dict[Role, Any] = {}
        for role in ROLES:
            reply = self.table.join(role, 0, 0)
            self._hold(role, reply.mine)

    def answer(self, data: dict[str, Any]) -> None:
        """Give an answer at the table and in truth; overhear what everybody is told."""
        decision = self.truth.decision
        assert decision is not None
        role = ROLES[decision.side]
        reply = self.table.answer(role, self.table.decision, data, ROLES)
        assert reply.store is not None, reply.mine
        self.truth.answer(answer_from_json(data))
        assert reply.store["checksum"] == self.truth.record[-1].checksum
        assert [json.loads(text)["type"] for text in reply.mine] == ["accepted"]
        for each in ROLES:
            self._hold(each, reply.news.get(each, []))

    def _hold(self, role: Role, messages: Sequence[str]) -> None:
        """What an audience has just been told."""
        may_see = self._may_see(role)
        if self.before.get(role) == may_see:
            assert not messages, f"{role} is told that something has happened which it may not know of"
        self.before[role] = may_see
        over = self.truth.decision is None
        for text in messages:
            self._holds_no_secret(text, over)
            message = json.loads(text)
            if message["type"] != "welcome":
                SERVER_MESSAGE.validate_python(message)
            match message["type"]:
                case "state":
                    assert _alike(message["view"], may_see["view"]), f"{role} is sent another view"
                    assert message["standing"] == may_see["standing"], f"{role} is told what is not in its view"
                case "events":
                    self._hold_events(role, message, may_see["events"])
                case "decision":
                    self._hold_decision(role, message)
                case "ended":
                    assert over
                case "welcome":
                    assert message["you"] == role
                    assert set(message) == _WELCOME
                case other:
                    raise AssertionError(f"{role} is sent a message of the type {other}")

    def _may_see(self, role: Role) -> dict[str, Any]:
        sides, truth = sides_of(role), self.truth
        events = [event.to_json() for event in truth.events if event.seen_by in (None, *sides)]
        side: Side | None = sides[0] if len(sides) == 1 else None
        if len(sides) == 2 and truth.decision is not None:
            side = truth.decision.side
        visible = truth.rules.visible_state(truth.scene, truth.state, side)
        view = plain(visible)
        assert view["dice"] == 0
        beside = find_edition(truth.header.edition).inquiries().standing(truth.scene, visible)
        standing = {
            "zones": dict(beside.zones),
            "counters": [{"name": name, "values": list(values)} for name, values in beside.counters],
            "cards": [{"side": side, "name": name, "rule": rule_id} for side, name, rule_id in beside.cards],
        }
        asked: Any = None
        if truth.decision is not None:
            mine = truth.decision.side in sides
            public = truth.decision.prompt if truth.state.round > 0 else ""
            asked = (truth.decision.side, len(truth.record) if mine else public)
        return {"view": view, "standing": standing, "events": events, "asked": asked}

    def _hold_events(self, role: Role, message: dict[str, Any], events: list[Any]) -> None:
        narrator = Narrator(Names.of_armies(self.truth.header.armies))
        visible = [event for event in self.truth.events if event.seen_by in (None, *sides_of(role))]
        assert message["since"] == self.told[role]
        for number, item in enumerate(message["items"], message["since"]):
            assert item["n"] == number
            assert item["event"] == json.loads(json.dumps(events[number]))
            assert [line["text"] for line in item["lines"]] == [line.text for line in narrator.tell(visible[number])]
        self.told[role] += len(message["items"])

    def _hold_decision(self, role: Role, message: dict[str, Any]) -> None:
        decision = self.truth.decision
        assert decision is not None
        assert message["side"] == decision.side
        assert message["yours"] == (decision.side in sides_of(role))
        if message["yours"]:
            described = json.loads(json.dumps(decision.to_json()))
            assert all(message["choices"][key] == described[key] for key in message["choices"])
        else:
            assert not any(message[key] for key in ("decision", "kind", "rule", "choices", "subject"))
            assert message["prompt"] == (decision.prompt if self.truth.state.round > 0 else "")

    def _holds_no_secret(self, text: str, over: bool) -> None:
        seed = self.truth.header.seed
        if not over:
            assert str(seed) not in text
            assert f"{seed:x}" not in text
        assert KEY.hex() not in text
        found = set(re.findall(r"\b[0-9a-f]{16}\b", text))
        assert not found & {recorded.checksum for recorded in self.truth.record}, "a checksum of the whole state"


_WELCOME = {
    *("type", "protocol", "battle", "you", "sides", "edition", "scene", "commitment", "era", "events"),
}


def _alike(one: Any, other: Any) -> bool:
    """Whether two values are equal as JSON; sets have no order there."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        if one == other:
            return True
        ordered = [sorted(json.dumps(each, sort_keys=True) for each in some) for some in (one, other)]
        return len(one) == len(other) and (
            ordered[0] == ordered[1] or all(_alike(left, right) for left, right in zip(one, other, strict=True))
        )
    return bool(one == other)


def started(edition: str, number: int, folder: Path) -> Battle[Any, Any]:
    if edition == "11":
        files = write_armies(folder)
        options = {"secondaries": ("choose", "tactical", "fixed", "none")[number % 4]}
    else:
        files, options = tuple(str(sample_armies()[name]) for name in BUNDLED[edition]), {}
    first, second = (load_army(file) for file in files)
    return Started.start((first, second), edition, seed=SEED + number, options=options)


BATTLES = [("11", number) for number in range(16)] + [("3", 0), ("3", 1), ("3", 2), ("4", 0)]


@pytest.mark.parametrize(("edition", "number"), BATTLES)
def test_no_message_of_a_whole_battle_tells_what_its_audience_may_not_know(
    edition: str, number: int, tmp_path: Path
) -> None:
    heard, rng = Overhearing(started(edition, number, tmp_path)), random.Random(number)
    while (decision := heard.truth.decision) is not None:
        heard.answer(answer_to_json(decision.sample(rng)))
    assert heard.truth.result is not None
    assert all(heard.told.values())


def test_nor_does_the_beginning_of_a_large_one(tmp_path: Path) -> None:
    heard, rng = Overhearing(started("6", 0, tmp_path)), random.Random(0)
    while heard.truth.state.round < 2 and len(heard.truth.record) < 150:
        assert heard.truth.decision is not None
        heard.answer(answer_to_json(heard.truth.decision.sample(rng)))


# -- secret choices ---------------------------------------------------------------------------------------------------

CHOOSING = ("choose-secondaries",)
FORMATIONS = ("declare-embarked", "declare-reserves")


def army(letter: str) -> roster.Army:
    specs = [
        *(unit(3, weapons=(BOLTER,), W=2, points=100, name=f"Squad {n}") for n in range(3)),
        unit(1, "VEHICLE", "TRANSPORT", weapons=(BOLTER,), base="80mm", W=8, points=100, transport=Transport(7)),
    ]
    units = tuple(roster.Unit(f"{letter}.{n}", s.name, s.components, s.models) for n, s in enumerate(specs, 1))
    return roster.Army(letter, "11", "", units)


def is_chosen(battle: Battle[Any, Any]) -> bool:
    return bool(battle.state.book.revealed)


def is_deployment(battle: Battle[Any, Any]) -> bool:
    return bool(battle.state.phase != "setup") or battle.state.step >= 4


def overheard(side: Side, kinds: tuple[str, ...], is_over: Any, seed: int, **options: str) -> list[Any]:
    """Everything that a side is told while the opponent chooses in secret; his choices are drawn with the seed."""
    battle = Started.start((army("a"), army("b")), seed=SEED, options=options)
    table = list(Table.open(Opening("battle", json.dumps(header_to_json(battle.header)), KEY)))[-1]
    assert table is not None
    role, rng = ROLES[side], random.Random(seed)
    told = list(table.join(role, 0, 0).mine)
    while not is_over(table.battle):
        decision = table.battle.decision
        assert decision is not None
        secret = decision.side != side and decision.kind in kinds
        data = answer_to_json(decision.sample(rng) if secret else decision.default())
        reply = table.answer(ROLES[decision.side], table.decision, data, (role,))
        if not is_over(table.battle):
            told += reply.news.get(role, [])
    return [re.sub(r'"decision":"[0-9a-f]{24}"', "", text) for text in told]


def all_alike(side: Side) -> None:
    stretches: tuple[tuple[tuple[str, ...], Any, dict[str, str]], ...] = (
        (CHOOSING, is_chosen, {}),
        (FORMATIONS, is_deployment, {"secondaries": "none"}),
    )
    for kinds, is_over, options in stretches:
        ways = [overheard(side, kinds, is_over, seed, **options) for seed in range(4)]
        assert len(ways[0]) > 2
        for other in ways[1:]:
            assert other == ways[0], "a seat is told what its opponent chooses in secret, or how often"


@pytest.mark.parametrize("side", SIDES)
def test_what_a_seat_is_told_does_not_depend_on_the_opponents_secret_choices(side: Side) -> None:
    all_alike(side)


# -- a leak is found --------------------------------------------------------------------------------------------------


def _everything(self: Audience, battle: Battle[Any, Any]) -> str:
    return json.dumps(plain(battle.state))


def _prompt(self: Audience, battle: Battle[Any, Any], id_: str) -> str:
    assert battle.decision is not None
    told = {"type": "decision", "side": battle.decision.side, "yours": battle.decision.side in self.sides}
    return json.dumps({**told, "prompt": battle.decision.prompt, "decision": id_})


def _all_events(self: Audience, events: Sequence[Event]) -> None:
    self._seen = list(range(len(events)))
    self._looked_at = len(events)


@pytest.mark.parametrize(("name", "leak"), [("view_of", _everything), ("decision_of", _prompt)])
def test_a_leak_is_found(name: str, leak: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Audience, name, leak)
    with pytest.raises((AssertionError, KeyError)):
        Overhearing(started("11", 0, tmp_path))


def test_an_event_of_another_side_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    heard = Overhearing(started("11", 0, tmp_path))
    assert heard.truth.decision is not None
    hidden = replace(heard.truth.events[0], seen_by=SIDES[1 - heard.truth.decision.side])
    for battle in (heard.truth, heard.table.battle):
        battle.events.append(hidden)
    data = answer_to_json(heard.truth.decision.default())
    heard.answer(data)
    monkeypatch.setattr(Audience, "look", _all_events)
    with pytest.raises((AssertionError, IndexError)):
        heard.answer(answer_to_json(heard.truth.decision.default()))


def test_the_editions_are_all_there() -> None:
    assert {edition for edition, _ in BATTLES} | {"6"} == {"3", "4", "6", "11"}
    assert all(find_edition(edition).inquiries().sight_rule for edition in ("3", "4", "6", "11"))
