"""Survey the abilities of the 11th edition's data set: what they are made of, and how many are enforced.

Run as ``python tools/survey_abilities.py`` for effects, conditions, scopes and timings by number;
``--counts`` for how many abilities are enforced and what the others lack; ``--names`` lists the enforced ones.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from battlewright.armies.dataset import data_set
from battlewright.core.roster import Ability, AbilitySource
from battlewright.editions.eleventh.abilities import Reading, read_ability
from battlewright.editions.eleventh.abilities.reading import is_core

SOURCES = {
    "faction": AbilitySource.FACTION,
    "detachment": AbilitySource.DETACHMENT,
    "enhancement": AbilitySource.ENHANCEMENT,
    "stratagem": AbilitySource.STRATAGEM,
}


def nodes(value: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of an encoding that has a type, with the key that it stands under."""
    if isinstance(value, dict):
        if "type" in value:
            yield place, value
        for key, each in value.items():
            yield from nodes(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from nodes(each, place)


CONDITIONS = ("condition", "operands", "eligibility", "qualified_condition", "requires")


def counts(records: list[dict[str, Any]]) -> dict[str, Counter[str]]:
    """How often each type of effect and of condition, each scope, duration, behaviour and event occurs."""
    found: dict[str, Counter[str]] = {
        name: Counter() for name in ("kind", "behaviour", "range", "duration", "event", "effect", "condition")
    }
    for record in records:
        found["kind"][record["ability_type"]] += 1
        found["behaviour"][record["behavior"]] += 1
        found["range"][record["scope"]["range"]] += 1
        found["duration"][record["scope"]["duration"]] += 1
        triggers = record.get("trigger") or []
        for trigger in triggers if isinstance(triggers, list) else [triggers]:
            found["event"][trigger["event"]] += 1
        for place, node in nodes(record["effect"], "effect"):
            found["condition" if place in CONDITIONS else "effect"][str(node["type"])] += 1
    return found


def read(record: dict[str, Any]) -> Reading:
    """What the interpreter makes of a record."""
    source = SOURCES.get(record["ability_type"], AbilitySource.DATASHEET)
    return read_ability(Ability(record["name"], source, data_set().encoding(record)))


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", action="store_true", help="how many are enforced, and what the others lack")
    parser.add_argument("--names", action="store_true", help="the enforced ones by name, with the encoders' notes")
    parser.add_argument("--most", type=int, default=25, help="lines of each table")
    chosen = parser.parse_args()
    records = list(data_set().ability_records())
    if chosen.counts or chosen.names:
        readings = [(record, read(record)) for record in records]
        enforced = [record for record, reading in readings if reading.is_enforced]
        core = [record for record in records if is_core(record["name"])]
        print(f"{len(records)} abilities: {len(enforced) + len(core)} enforced, {len(core)} of them core abilities")
        kinds = Counter(record["ability_type"] for record in records)
        ours = Counter(record["ability_type"] for record in enforced)
        print("  " + ", ".join(f"{kind} {ours[kind]} of {count}" for kind, count in kinds.most_common()))
        if chosen.names:
            for record in enforced:
                notes = record.get("community_notes") or ""
                print(f"{record['name']}\t{record['ability_type']}\t{json.dumps(record['effect'])}\t{notes}")
            return
        first = Counter(reading.missing[0].split(":")[0] for _, reading in readings if reading.missing)
        lacking = Counter(each for _, reading in readings for each in reading.missing)
        alone = Counter(reading.missing[0] for _, reading in readings if len(reading.missing) == 1)
        readings = [(record, reading) for record, reading in readings if not is_core(record["name"])]
        for title, table in (("first thing missing", first), ("missing", lacking), ("the only thing missing", alone)):
            print(f"\n{title}:")
            for name, count in table.most_common(chosen.most):
                print(f"  {count:5} {name}")
        return
    for title, table in counts(records).items():
        print(f"\n{title}:")
        for name, count in table.most_common(chosen.most):
            print(f"  {count:5} {name}")


if __name__ == "__main__":
    main()
