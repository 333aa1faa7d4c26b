"""The 11th edition's data set, read only when a name has to be resolved.

The package ``wh40kdc`` carries units, weapons, abilities and detachments as plain records. They are loaded once per
process with the garbage collector paused, indexed by name, and handed out as :class:`Datasheet`.
"""

from __future__ import annotations

import gc
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from battlewright.armies.datasheet import Datasheet, Record
from battlewright.armies.encodings import encoding_of
from battlewright.armies.names import loose_key, name_key, nearest
from battlewright.core.roster import Ability, AbilitySource

__all__ = ["DATA_EDITION", "DataSet", "data_set"]

DATA_EDITION = "11"
"""The edition that the data set is of."""


class DataSet:
    """Look-ups by name over the records of the data package."""

    def __init__(self, raw: Mapping[str, Sequence[Record]], version: str = "") -> None:
        self.version = version
        self._raw = raw
        self._units: dict[str, list[Record]] = defaultdict(list)
        for unit in raw["units"]:
            for name in (unit["name"], *unit.get("aliases", ())):
                self._units[name_key(name)].append(unit)
        self._sheets: dict[tuple[str, str], Datasheet] = {}
        # Built here rather than at the first list, so that loading the data is the only wait.
        _ = (self._weapons, self._abilities, self._compositions, self._options, self._carried, self._wargear)
        _ = (self._weapons_by_name, self._detachments, self._enhancements, self._factions)

    # Factions and detachments

    @cached_property
    def _factions(self) -> dict[str, Record]:
        names: dict[str, Record] = {}
        for faction in self._raw["factions"]:
            for name in (faction["name"], *faction["aliases"]):
                names[name_key(name)] = faction
        return names

    def faction(self, text: str) -> Record | None:
        """The faction that a list names, of ``"Imperium - Adeptus Custodes"`` the last part."""
        for part in (text, *reversed(text.split(" - "))):
            if found := self._factions.get(name_key(part)):
                return found
        return None

    def nearest_faction(self, text: str) -> str | None:
        """The known faction name closest to ``text``."""
        return nearest(text.split(" - ")[-1], (faction["name"] for faction in self._raw["factions"]))

    def family(self, faction: Record | None) -> tuple[str, ...]:
        """Ids of the faction and of the one it belongs to; empty without a faction."""
        if faction is None:
            return ()
        parent = faction["parent_faction_id"]
        return (faction["id"], parent) if parent else (faction["id"],)

    @cached_property
    def _detachments(self) -> dict[str, list[Record]]:
        index: dict[str, list[Record]] = defaultdict(list)
        for detachment in self._raw["detachments"]:
            index[name_key(detachment["name"])].append(detachment)
        return index

    def detachment(self, name: str, family: Sequence[str]) -> Record | None:
        """The detachment of that name, of these factions when it can be."""
        found = self._detachments.get(name_key(name), [])
        for faction_id in (*reversed(family), *family):
            for detachment in found:
                if detachment["faction_id"] == faction_id and detachment.get("detachment_rule_id"):
                    return detachment
        return _first_of(found, family)

    def nearest_detachment(self, name: str, family: Sequence[str]) -> str | None:
        """The known detachment of these factions closest to ``name``."""
        return nearest(
            name, (each["name"] for each in self._raw["detachments"] if not family or each["faction_id"] in family)
        )

    @cached_property
    def _enhancements(self) -> dict[str, list[Record]]:
        index: dict[str, list[Record]] = defaultdict(list)
        for enhancement in self._raw["enhancements"]:
            index[name_key(enhancement["name"])].append(enhancement)
        return index

    def enhancement(self, name: str, detachments: Iterable[Record]) -> Record | None:
        """The enhancement of that name in these detachments, or the only one of that name anywhere."""
        found = self._enhancements.get(name_key(name), [])
        ids = {detachment["id"] for detachment in detachments}
        for enhancement in found:
            if enhancement["detachment_id"] in ids:
                return enhancement
        return found[0] if len(found) == 1 else None

    def nearest_enhancement(self, name: str, detachments: Iterable[Record]) -> str | None:
        """The enhancement of these detachments closest to ``name``."""
        ids = {detachment["id"] for detachment in detachments}
        return nearest(name, (each["name"] for each in self._raw["enhancements"] if each["detachment_id"] in ids))

    def disposition(self, text: str) -> str | None:
        """The force disposition's name as the data spells it."""
        for each in self._raw["force_dispositions"]:
            if name_key(text) in (name_key(each["name"]), name_key(each["id"])):
                return str(each["name"])
        return None

    # Units

    def unit(self, name: str, family: Sequence[str] = ()) -> Datasheet | None:
        """The datasheet of that name; the army's own factions come before allies."""
        found = self._units.get(name_key(name)) or self._loose_units.get(loose_key(name))
        if not found:
            return None
        record = _first_of(found, family)
        assert record is not None
        key = (record["faction_id"], record["id"])
        if key not in self._sheets:
            self._sheets[key] = Datasheet(
                record,
                rows=self._compositions.get(key, []),
                options=self._options.get(key, []),
                weapons=self._weapons[record["faction_id"]],
                abilities=self.abilities(record["faction_id"]),
                wargear=self._wargear,
                named=self._weapons_by_name[record["faction_id"]],
                carried=self._carried[record["faction_id"]],
            )
        return self._sheets[key]

    def nearest_unit(self, name: str, family: Sequence[str] = ()) -> str | None:
        """The known unit closest to ``name``, of these factions when one is close."""
        own = [unit["name"] for unit in self._raw["units"] if unit["faction_id"] in family]
        return nearest(name, own) or nearest(name, (unit["name"] for unit in self._raw["units"]))

    @cached_property
    def _loose_units(self) -> dict[str, list[Record]]:
        index: dict[str, list[Record]] = defaultdict(list)
        for unit in self._raw["units"]:
            index[loose_key(unit["name"])].append(unit)
        return index

    @cached_property
    def _compositions(self) -> dict[tuple[str, str], list[Record]]:
        return {(each["faction_id"], each["unit_id"]): each["models"] for each in self._raw["unit_compositions"]}

    @cached_property
    def _options(self) -> dict[tuple[str, str], list[Record]]:
        index: dict[tuple[str, str], list[Record]] = defaultdict(list)
        for option in self._raw["wargear_options"]:
            index[option["faction_id"], option["unit_id"]].append(option)
        return index

    @cached_property
    def _weapons(self) -> dict[str, dict[str, Record]]:
        index: dict[str, dict[str, Record]] = defaultdict(dict)
        for weapon in self._raw["weapons"]:
            index[weapon["faction_id"]][weapon["id"]] = weapon
        return index

    @cached_property
    def _weapons_by_name(self) -> dict[str, dict[str, list[Record]]]:
        index: dict[str, dict[str, list[Record]]] = defaultdict(lambda: defaultdict(list))
        for weapon in self._raw["weapons"]:
            index[weapon["faction_id"]][loose_key(weapon["name"])].append(weapon)
        return index

    @cached_property
    def _wargear(self) -> frozenset[str]:
        return frozenset(loose_key(each["name"]) for each in self._raw["wargear"])

    @cached_property
    def _carried(self) -> dict[str, frozenset[str]]:
        """Ids of the weapons that stand on some datasheet, by faction."""
        index: dict[str, set[str]] = defaultdict(set)
        for unit in self._raw["units"]:
            index[unit["faction_id"]].update(unit.get("weapon_ids", ()))
        return {faction: frozenset(ids) for faction, ids in index.items()}

    # Abilities

    @cached_property
    def _abilities(self) -> dict[str, dict[str, Record]]:
        index: dict[str, dict[str, Record]] = defaultdict(dict)
        for ability in self._raw["abilities"]:
            index[ability.get("faction_id") or ""][ability["ability_id"]] = ability
        return index

    def abilities(self, faction_id: str) -> Mapping[str, Record]:
        """The abilities of a faction by id."""
        return self._abilities[faction_id]

    def faction_rules(self, faction: Record | None) -> tuple[Ability, ...]:
        """The faction's army rules."""
        if faction is None:
            return ()
        family = self.family(faction)
        return tuple(self._rule(rule, family, AbilitySource.FACTION, rule) for rule in faction["faction_rule_ids"])

    def detachment_rules(self, detachment: Record, family: Sequence[str]) -> tuple[Ability, ...]:
        """The detachment's rules; one by its own name where the data knows none."""
        ids = detachment.get("detachment_rule_ids") or [detachment.get("detachment_rule_id")]
        source = AbilitySource.DETACHMENT
        rules = [self._rule(rule, (detachment["faction_id"], *family), source, "") for rule in ids if rule]
        return tuple(rule for rule in rules if rule.name) or (Ability(str(detachment["name"]), source),)

    def _rule(self, ability_id: str, faction_ids: Sequence[str], source: AbilitySource, otherwise: str) -> Ability:
        """The ability of that id in one of these factions, or one of another name that nothing is known of."""
        found = self._ability(ability_id, faction_ids)
        return Ability(otherwise, source) if found is None else Ability(found["name"], source, encoding_of(found))

    def _ability(self, ability_id: str, faction_ids: Iterable[str]) -> Record | None:
        for faction_id in faction_ids:
            if found := self._abilities[faction_id].get(ability_id):
                return found
        return None

    @cached_property
    def _cards(self) -> dict[str, list[Record]]:
        index: dict[str, list[Record]] = defaultdict(list)
        for card in self._raw["stratagems"]:
            index[str(card["detachment_id"])].append(card)
        return index

    def stratagems_of(self, detachment: Record, family: Sequence[str]) -> tuple[Ability, ...]:
        """The stratagems of a detachment, each with its encoding where the data has one.

        The data has a card once for every faction that shares the detachment; each stratagem is taken once.
        """
        found: dict[str, Ability] = {}
        for card in self._cards.get(detachment["id"], ()):
            record = self._ability(card["ability_id"], (detachment["faction_id"], *family))
            encoding = "" if record is None else encoding_of(record, card)
            key = name_key(str(card["name"]))
            if key not in found or (encoding and not found[key].encoding):
                found[key] = Ability(str(card["name"]), AbilitySource.STRATAGEM, encoding)
        return tuple(found.values())

    def encoding(self, record: Record) -> str:
        """The encoding of an ability's record, of a stratagem with its card."""
        cards = self._cards.get(str(record.get("detachment_id")), ())
        return encoding_of(record, next((card for card in cards if card["ability_id"] == record["ability_id"]), None))

    def enhancement_encoding(self, enhancement: Record) -> str:
        """What the data says that an enhancement does, empty where it says nothing."""
        ability_id = enhancement.get("ability_id") or enhancement["id"]
        owners = (each["faction_id"] for each in self._raw["detachments"] if each["id"] == enhancement["detachment_id"])
        found = self._ability(ability_id, dict.fromkeys((*owners, "")))
        return "" if found is None else encoding_of(found)

    # What the data lacks

    def unit_records(self) -> Iterator[Record]:
        """Every unit record, for tests of our own tables."""
        yield from self._raw["units"]

    def ability_records(self) -> Iterator[Record]:
        """Every ability record, for the survey of what is enforced."""
        yield from self._raw["abilities"]

    def counts(self) -> Counter[str]:
        """How many records each collection holds."""
        return Counter({name: len(records) for name, records in self._raw.items()})


def _first_of(found: Sequence[Record], family: Sequence[str]) -> Record | None:
    for faction_id in family:
        for record in found:
            if record["faction_id"] == faction_id:
                return record
    return found[0] if found else None


@cache
def data_set() -> DataSet:
    """The data set, loaded at the first call (about a quarter of a second)."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        from wh40kdc import __version__
        from wh40kdc.data.bundle import raw_data

        raw: Any = raw_data()
        return DataSet(raw, str(__version__))
    finally:
        if collecting:
            gc.enable()
