"""What a worker does beside battles: setting them up."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from battlewright.armies import army_from_json
from battlewright.core.errors import ArmyError
from battlewright.core.record import header_to_json
from battlewright.core.roster import Army
from battlewright.editions.edition import find_edition
from battlewright.players import best_player, make_player
from battlewright.start import Battle

__all__ = ["SettingUp", "set_up"]


@dataclass(frozen=True, slots=True)
class SettingUp:
    """A battle to be set up; the armies in their JSON form, each with whether it is played as it is."""

    edition: str
    mission: str | None
    layout: str | None
    options: dict[str, str]
    armies: tuple[tuple[dict[str, Any], bool], ...]
    players: tuple[str | None, str | None]
    seed: int


def set_up(wanted: SettingUp) -> tuple[str, dict[str, Any]]:
    """The header of the battle as text, and what the lobby tells of it.

    Raises:
        BadInput: when the edition, mission, layout, an option, player or army is not usable.
    """
    edition = find_edition(wanted.edition)
    players = [player or best_player(edition.id) for player in wanted.players]
    for player in players:
        make_player(player, edition.id)
    first, second = (_playable(army_from_json(data), as_is) for data, as_is in wanted.armies)
    battle = Battle.start(
        (first, second),
        edition.id,
        seed=wanted.seed,
        mission=wanted.mission,
        layout=wanted.layout,
        options=wanted.options,
    )
    header = battle.header
    about = {
        "edition": edition.id,
        "mission": header.mission,
        "armies": [army.name or army.faction for army in header.armies],
        "points": [army.points for army in header.armies],
        "players": players,
    }
    return json.dumps(header_to_json(header)), about


def _playable(army: Army, as_is: bool) -> Army:
    fatal = [each for each in army.unresolved if each.fatal]
    if fatal and not as_is:
        raise ArmyError(f"the list does not add up: {fatal[0].text}", where=army.name, expected="as_is, to play it so")
    return army
