"""A saved battle as frames for the page."""

from __future__ import annotations

import json
from typing import Any

from battlewright.core.battle import Battle
from battlewright.report.film import Film
from battlewright.report.narrate import Names, Narrator
from battlewright.server.scenes import make_scene
from battlewright.server.views import as_json

__all__ = ["told_film"]


def told_film(battle: Battle[Any, Any], film: Film, first: Any) -> dict[str, Any]:
    """The film in its JSON form; ``first`` is the state before any answer."""
    narrator = Narrator(Names.of_armies(battle.header.armies))
    result = battle.result
    return {
        "scene": make_scene(battle).model_dump(mode="json"),
        "first": json.loads(as_json(first)),
        "frames": [
            {
                "number": moment.number,
                "side": moment.side,
                "choice": moment.choice,
                "round": moment.round,
                "turn": moment.turn,
                "phase": moment.phase,
                "vp": list(moment.vp),
                "changed": [list(each) for each in moment.changed],
                "lines": [
                    {"text": line.text, "level": line.level.value, "side": line.side, "heading": line.heading}
                    | {"rules": list(line.rules)}
                    for event in moment.events
                    for line in narrator.tell(event)
                ],
            }
            for moment in film.moments
        ],
        "result": None
        if result is None
        else {"winner": result.winner, "score": list(result.score), "rounds": result.rounds},
        "seed": str(battle.header.seed),
    }
