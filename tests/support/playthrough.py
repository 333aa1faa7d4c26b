"""Playthroughs: whole battles written out line by line, so that every change of behaviour shows as a diff.

A playthrough names its edition, armies, mission, layout, players and seed in its first lines; the rest follows from
them. ``python tools/write_playthroughs.py`` writes them anew; read the diff as you would read code.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from battlewright.armies import load_army
from battlewright.core.decisions import format_answer
from battlewright.players import make_player
from battlewright.start import Battle

__all__ = ["FOLDER", "PLAYTHROUGHS", "lines"]

FOLDER = Path(__file__).resolve().parent.parent / "playthrough"

PLAYTHROUGHS: dict[str, dict[str, str]] = {
    "eleventh-battlefield-dominance": {
        "edition": "11",
        "armies": "eleventh-necrons-500,eleventh-tau-500",
        "mission": "battlefield-dominance",
        "layout": "battlefield_dominance_a",
        "options": "secondaries=none",
        "players": "heuristic,heuristic",
        "seed": "3",
    },
    "eleventh-gather-intel": {
        "edition": "11",
        "armies": "eleventh-marines-1000,eleventh-tyranids-1000",
        "mission": "gather-intel",
        "layout": "reconnaissance_vs_reconnaissance_b",
        "options": "secondaries=tactical",
        "players": "heuristic,heuristic",
        "seed": "4",
    },
    "eleventh-death-trap": {
        "edition": "11",
        "armies": "eleventh-tau-500,eleventh-necrons-500",
        "mission": "death-trap",
        "layout": "take_and_hold_vs_disruption_c",
        "options": "secondaries=fixed",
        "players": "heuristic,heuristic",
        "seed": "5",
    },
    "third-patrol": {
        "edition": "3",
        "armies": "third-orks-500,third-marines-500",
        "mission": "patrol",
        "layout": "village",
        "players": "random,random",
        "seed": "5",
    },
    "fourth-take-and-hold": {
        "edition": "4",
        "armies": "fourth-guard-500,fourth-guard-500",
        "mission": "take-and-hold-gamma",
        "layout": "village",
        "players": "heuristic,random",
        "seed": "6",
    },
    "sixth-crusade": {
        "edition": "6",
        "armies": "sixth-marines-1500,sixth-orks-1500",
        "mission": "crusade",
        "layout": "dawn_of_war",
        "players": "heuristic,heuristic",
        "seed": "7",
    },
}
"""By file name: the smallest mission, one with actions and tactical cards, one whose players have different cards."""

_MOST_OPTIONS = 16


def lines(settings: dict[str, str]) -> Iterator[str]:
    """The lines of a playthrough."""
    for name, value in settings.items():
        yield f"{name}: {value}"
    a, b = (load_army(name) for name in settings["armies"].split(","))
    edition, seed = settings["edition"], int(settings["seed"])
    options = dict(pair.split("=") for pair in settings.get("options", "").split(",") if pair)
    battle = Battle.start(
        (a, b), edition, seed=seed, mission=settings["mission"], layout=settings["layout"], options=options
    )
    players = [make_player(name, edition, seed=side) for side, name in enumerate(settings["players"].split(","))]
    seen = 0
    while battle.decision is not None:
        decision = battle.decision
        options = [option.key for option in decision.options()]
        listed = ", ".join(options[:_MOST_OPTIONS]) + (" ..." if len(options) > _MOST_OPTIONS else "")
        yield ""
        yield f"{battle.number}. {'ab'[decision.side]} {decision.kind} by {decision.rule}"
        yield f"   {listed or 'a space'}"
        answer = players[decision.side].decide(battle.seat(decision.side))
        battle.answer(answer)
        yield f"   > {format_answer(answer)}"
        for event in battle.events[seen:]:
            told = {key: value for key, value in event.to_json().items() if value not in (None, [], "", "kind")}
            yield f"   . {event.kind} {json.dumps({k: v for k, v in told.items() if k != 'kind'}, ensure_ascii=False)}"
        seen = len(battle.events)
        yield f"   = {battle.checksum()}"
    yield ""
    yield f"result: {battle.result}"
