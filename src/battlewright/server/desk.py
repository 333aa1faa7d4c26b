"""What a worker does beside battles: reading lists, setting battles up, odds, the rulebook, films of saved battles.

Every function takes and gives plain values. None of them changes anything.
"""

from __future__ import annotations

import base64
import binascii
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from battlewright.core.errors import ArmyError, BadInput

__all__ = ["SettingUp", "editions", "make_film", "odds_keys", "read_list", "search_rules", "set_up", "tell_odds"]

_MOST_RULES = 200
_MOST_ANSWERS = 10_000


def editions() -> list[dict[str, Any]]:
    """Every edition with its missions, layouts, options and bundled armies."""
    from battlewright.editions.edition import EDITIONS

    return [_edition(name) for name in EDITIONS]


@cache
def _edition(name: str) -> dict[str, Any]:
    from battlewright.editions.edition import find_edition

    edition = find_edition(name)
    board = edition.switchboard()
    return {
        "id": edition.id,
        "title": edition.title,
        "missions": [{"name": each, "layouts": list(board.layouts(each))} for each in board.missions()],
        "options": [
            {"name": each.name, "values": list(each.values), "default": each.values[0], "text": each.text}
            | {"rule": each.rule}
            for each in board.options()
        ],
        "armies": [
            {"name": each, "title": army.name or army.faction, "faction": army.faction, "points": army.points}
            | {"units": len(army.units)}
            for each, army in _bundled(name).items()
        ],
    }


@cache
def _bundled(edition: str) -> dict[str, Any]:
    from battlewright.armies import load_army, sample_armies

    return {name: load_army(path) for name, path in sample_armies(edition).items()}


# --- armies ----------------------------------------------------------------------------------------------------------


def read_list(
    edition: str | None, name: str, text: str | None, packed: str | None, bundled: str | None
) -> tuple[str, str, dict[str, Any]]:
    """Read a list: its edition, the army in its JSON form, and the report of it.

    Raises:
        ArmyError: when it cannot be read.
    """
    from battlewright.armies import army_report, army_to_json
    from battlewright.editions.edition import find_edition

    army = _read(edition, name, text, packed, bundled)
    board = find_edition(army.edition).switchboard()
    report = army_report(army, board.enforcement, board.breaches(army), board.remarks(army))
    return army.edition, json.dumps(army_to_json(army)), report


def _read(edition: str | None, name: str, text: str | None, packed: str | None, bundled: str | None) -> Any:
    from battlewright.armies import load_army, sample_armies

    if bundled is not None:
        if bundled not in sample_armies():
            raise ArmyError(f'no army "{bundled}" is bundled', expected=", ".join(sample_armies(edition)))
        return load_army(bundled, edition)
    if text is not None:
        data = text.encode("utf-8", errors="replace")
    elif packed is not None:
        try:
            data = base64.b64decode(packed, validate=True)
        except (binascii.Error, ValueError) as error:
            raise ArmyError("the file is not in base64", where=name or "the list") from error
    else:
        raise ArmyError("there is no list", expected="text, base64 or bundled")
    with tempfile.TemporaryDirectory(prefix="battlewright-") as folder:
        path = Path(folder) / "list"
        path.write_bytes(data)
        try:
            return load_army(path, edition)
        except ArmyError as error:
            where = error.where.replace(str(path), name or "the list")
            raise ArmyError(error.what, where=where, expected=error.expected, nearest=error.nearest) from error


# --- setting up ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SettingUp:
    """A battle to be set up; each army by the name of a bundled one or in its JSON form."""

    edition: str
    mission: str | None
    layout: str | None
    options: dict[str, str]
    armies: tuple[tuple[str | None, str | None, bool], ...]
    players: tuple[str | None, str | None]
    seed: int


def set_up(wanted: SettingUp) -> tuple[str, dict[str, Any]]:
    """The header of the battle as text, and what the lobby tells of it.

    Raises:
        BadInput: when the edition, mission, layout, an option, player or army is not usable.
    """
    from battlewright.core.record import header_to_json
    from battlewright.editions.edition import find_edition
    from battlewright.players import best_player, make_player
    from battlewright.start import Battle

    edition = find_edition(wanted.edition)
    for player in wanted.players:
        make_player(player or best_player(edition.id), edition.id)
    first, second = (_army(edition.id, *each) for each in wanted.armies)
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
        "players": [player or best_player(edition.id) for player in wanted.players],
    }
    return json.dumps(header_to_json(header)), about


def _army(edition: str, bundled: str | None, data: str | None, as_is: bool) -> Any:
    from battlewright.armies import army_from_json

    army = army_from_json(json.loads(data)) if data is not None else _read(edition, "", None, None, bundled)
    fatal = [each for each in army.unresolved if each.fatal]
    if fatal and not as_is:
        raise ArmyError(f"the list does not add up: {fatal[0].text}", where=army.name, expected="as_is, to play it so")
    return army


# --- looking up ------------------------------------------------------------------------------------------------------


def search_rules(query: str, edition: str | None, lang: str | None, limit: int) -> list[dict[str, Any]]:
    """What a search of the rulebook finds."""
    from battlewright.core.rulebook import EDITIONS, LANGUAGES
    from battlewright.core.rulebook_report import search_report

    if edition is not None and edition not in EDITIONS:
        raise BadInput(f'there is no edition "{edition}"', expected=", ".join(EDITIONS))
    if lang is not None and lang not in LANGUAGES:
        raise BadInput(f'there is no glossary for "{lang}"', expected=", ".join(LANGUAGES))
    return search_report(query, edition, lang, min(limit, _MOST_RULES))


def rule(rule_id: str, lang: str | None) -> dict[str, Any] | None:
    """One entry of the rulebook by its id."""
    from battlewright.core.rulebook import is_known

    if not is_known(rule_id):
        return None
    return next((each for each in search_rules(rule_id, None, lang, _MOST_RULES) if each["id"] == rule_id), None)


def odds_keys(edition: str) -> list[dict[str, str]]:
    """The settings that a question of odds takes."""
    from battlewright.odds import keys

    return [{"key": key, "text": text} for key, text in keys(edition).items()]


def tell_odds(question: dict[str, Any]) -> dict[str, Any]:
    """The odds of an attack, as ``battlewright odds --json`` prints them.

    Raises:
        BadInput: for anything in the question that cannot be read.
    """
    from battlewright.armies import find_unit
    from battlewright.odds import volley

    edition = question["edition"]
    settings: dict[str, Any] = dict(question["settings"])
    for name in ("sample", "seed", "models", "weapon", "target_models"):
        settings.pop(name, None)
    attacker: Any = _one_of(question, "attack", "unit")
    defender: Any = _one_of(question, "target", "against")
    if question["unit"] is not None:
        attacker = find_unit(attacker, edition, models=question["models"], weapon=question["weapon"])
    else:
        settings["models"] = question["models"]
    if question["against"] is not None:
        defender = find_unit(defender, edition, models=question["target_models"], weapon=None)
    else:
        settings["target_models"] = question["target_models"]
    return volley(attacker, defender, edition=edition, **settings).to_json()


def _one_of(question: dict[str, Any], profile: str, name: str) -> str:
    given = [question[each] for each in (profile, name) if question[each] is not None]
    if len(given) != 1:
        raise BadInput(f"a question needs {profile} or {name}, one of them", expected=profile)
    return str(given[0])


# --- films -----------------------------------------------------------------------------------------------------------


def make_film(text: str) -> Iterator[dict[str, Any] | None]:
    """A saved battle played again; the last value is the film.

    Raises:
        BadInput: when the text is no saved battle of this version.
        ReplayMismatch: when an answer in it does not lead to its checksum.
    """
    from battlewright.core.errors import SaveError
    from battlewright.core.record import read_record
    from battlewright.report.film import Film
    from battlewright.server.films import told_film
    from battlewright.start import Battle, replay

    with tempfile.TemporaryDirectory(prefix="battlewright-") as folder:
        path = Path(folder) / "battle.jsonl"
        path.write_text(text, encoding="utf-8", errors="replace", newline="")
        try:
            header, records = read_record(path)
        except SaveError as error:
            raise SaveError(
                error.what, where=error.where.replace(str(path), "the file"), expected=error.expected
            ) from error
    if len(records) > _MOST_ANSWERS:
        raise BadInput(f"the battle has {len(records)} answers", expected=f"at most {_MOST_ANSWERS}")
    film = Film()
    battle: Battle = replay(header, [], watch=film)
    first = battle.rules.visible_state(battle.scene, battle.state, None)
    for number, recorded in enumerate(records, 1):
        battle.replay([recorded])
        film(battle)
        if number % 4 == 0:
            yield None
    yield told_film(battle, film, first)
