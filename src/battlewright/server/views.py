"""What each audience of a battle is shown: built from views and events that it may see, and nothing else.

An audience is what a link is for: a side, both sides at one screen, or looking on. Everything that leaves a battle for
a browser or a bot is made here, before it is sent.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic_core import to_json

import battlewright.report.classic
import battlewright.report.eleventh  # noqa: F401  (registers its formatters)
from battlewright.core.battle import Battle
from battlewright.core.decisions import SIDES, Side
from battlewright.core.events import Event
from battlewright.editions.edition import find_edition
from battlewright.report.narrate import Names, Narrator
from battlewright.server.formalities import is_formality
from battlewright.server.messages import Role

__all__ = ["Audience", "answered", "as_json", "decision_id", "sides_of"]


def as_json(value: Any) -> str:
    """A value as JSON text: states, events and messages alike."""
    return to_json(value, fallback=_plain, inf_nan_mode="null").decode()


def answered(ref: str, kind: str) -> dict[str, Any]:
    """The message that answers a question of a kind, with nothing in it yet."""
    empty = dict.fromkeys(("answer", "reach", "sight", "range", "odds"))
    return {"type": "answered", "ref": ref, "kind": kind, "fault": "", **empty}


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def sides_of(role: Role) -> tuple[Side, ...]:
    """The sides that a link plays."""
    match role:
        case "a":
            return SIDES[:1]
        case "b":
            return SIDES[1:]
        case "both":
            return SIDES
        case "watch":
            return ()


def decision_id(key: bytes, era: int, number: int) -> str:
    """The id of a decision: it tells neither how many there were nor, after an undo, passes for the earlier one."""
    return hmac.new(key, f"{era}:{number}".encode(), hashlib.sha256).hexdigest()[:24]


class Audience:
    """What one audience of a battle has been told, and what is new to it.

    Args:
        names: what to call units and sides.
    """

    def __init__(self, role: Role, names: Names) -> None:
        self.role = role
        self.sides = sides_of(role)
        self._may_see = (None, *self.sides)
        self._narrator = Narrator(names)
        self._seen: list[int] = []
        self._looked_at = 0
        self._told = 0
        self._number = 0
        self._view = self._decision = self._standing = ""

    # -- events -------------------------------------------------------------------------------------------------

    def look(self, events: Sequence[Event]) -> None:
        """Note which of the battle's events it may see."""
        for index in range(self._looked_at, len(events)):
            if events[index].seen_by in self._may_see:
                self._seen.append(index)
        self._looked_at = len(events)

    def forget(self, events: int) -> None:
        """After an undo: only so many of the battle's events are left."""
        self._seen = [index for index in self._seen if index < events]
        self._looked_at = min(self._looked_at, events)

    @property
    def count(self) -> int:
        """How many events it may see."""
        return len(self._seen)

    def place_of(self, count: int) -> int:
        """How many of the battle's events had happened when it had seen so many."""
        if count >= len(self._seen):
            return self._looked_at
        return self._seen[count]

    def events_from(self, battle: Battle[Any, Any], since: int, era: int) -> str:
        """The message with the events from a number on."""
        items = []
        for number, index in enumerate(self._seen[since:], since):
            event = battle.events[index]
            lines = [
                {
                    "text": line.text,
                    "level": line.level.value,
                    "side": line.side,
                    "heading": line.heading,
                    "rules": line.rules,
                }
                for line in self._narrator.tell(event)
            ]
            items.append({"n": number, "event": event.to_json(), "lines": lines})
        return as_json({"type": "events", "since": since, "era": era, "items": items})

    # -- state and decision -------------------------------------------------------------------------------------

    def view_of(self, battle: Battle[Any, Any]) -> str:
        """The JSON of the view of a battle, the state without what this audience may not know."""
        return as_json(self._visible(battle))

    def _visible(self, battle: Battle[Any, Any]) -> Any:
        if len(self.sides) == 1:
            return battle.seat(self.sides[0]).view()
        side = None
        if self.sides and battle.decision is not None:
            side = battle.decision.side
        return battle.rules.visible_state(battle.scene, battle.state, side)

    def standing_of(self, battle: Battle[Any, Any]) -> str:
        """The JSON of what players keep beside the table, made of the view alone."""
        standing = find_edition(battle.header.edition).inquiries().standing(battle.scene, self._visible(battle))
        told = {
            "zones": standing.zones,
            "counters": [{"name": name, "values": values} for name, values in standing.counters],
            "cards": [{"side": side, "name": name, "rule": rule} for side, name, rule in standing.cards],
        }
        return as_json(told)

    def decision_of(self, battle: Battle[Any, Any], id_: str) -> str:
        """The message about the present decision: to others than the one who chooses it tells no more than who does."""
        decision = battle.decision
        if decision is None:
            return ""
        told: dict[str, Any] = {"type": "decision", "side": decision.side, "yours": decision.side in self.sides}
        if told["yours"]:
            described = decision.choices.describe()
            subject = None if decision.subject is None else battle.scene.units[decision.subject].id
            told |= {"prompt": decision.prompt, "decision": id_, "kind": decision.kind, "rule": decision.rule}
            target = None if decision.target is None else battle.scene.units[decision.target].id
            told |= {"subject": subject, "target": target, "choices": described, "formality": is_formality(battle)}
        else:
            told |= {"prompt": decision.prompt if _is_public(battle) else "", "decision": "", "kind": "", "rule": ""}
            told |= {"subject": None, "target": None, "choices": {}, "formality": False}
        return as_json(told)

    def catch_up(self, battle: Battle[Any, Any], id_: str, since: int, era: int) -> list[str]:
        """Everything for somebody who has just come, who knows the events before ``since``."""
        self.look(battle.events)
        self._told = self.count
        self._view, self._decision = self.view_of(battle), self.decision_of(battle, id_)
        self._standing = self.standing_of(battle)
        self._number += 1
        found = [self.events_from(battle, min(since, self.count), era), self._state()]
        return [*found, self._decision] if self._decision else found

    def news(self, battle: Battle[Any, Any], id_: str, era: int) -> list[str]:
        """What has changed for this audience since it was told last; nothing where it may not know of it."""
        self.look(battle.events)
        found = []
        if self.count != self._told:
            since = min(self._told, self.count)
            found.append(self.events_from(battle, since, era))
            self._told = self.count
        view = self.view_of(battle)
        if view != self._view:
            self._view, self._standing = view, self.standing_of(battle)
            self._number += 1
            found.append(self._state())
        decision = self.decision_of(battle, id_)
        if decision != self._decision:
            self._decision = decision
            found += [decision] if decision else []
        return found

    def anew(self, battle: Battle[Any, Any], id_: str, era: int) -> list[str]:
        """What there is after an undo: every event is told again, as what was told before may no longer hold."""
        return self.catch_up(battle, id_, 0, era)

    def _state(self) -> str:
        return f'{{"type":"state","number":{self._number},"view":{self._view},"standing":{self._standing}}}'


def _is_public(battle: Battle[Any, Any]) -> bool:
    """Whether everybody may know what is being chosen: before the first round choices can be secret."""
    return int(battle.state.round) > 0
