"""One unit of the data set in the terms of the roster: profiles, weapons, abilities, keywords, base."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from battlewright.armies.encodings import encoding_of
from battlewright.armies.names import loose_key, name_key, nearest
from battlewright.core.roster import Ability, AbilitySource, Transport, Weapon, WeaponProfile

__all__ = ["Datasheet", "FoundWeapon", "Record", "Row", "base_text", "weapon_of", "weapon_profiles"]

Record: TypeAlias = dict[str, Any]
"""A record of the data package, as parsed from its JSON."""


@dataclass(frozen=True, slots=True)
class FoundWeapon:
    """A weapon as one unit carries it.

    Attributes:
        profiles: empty when the data holds none for this pair of unit and weapon.
        borrowed: whether the profile stands on no datasheet, but is the faction's only one of that name.
        ids: of the records that it was found in.
        replaces: ids of the weapons that it takes the place of.
    """

    profiles: tuple[WeaponProfile, ...]
    ids: frozenset[str] = frozenset()
    replaces: frozenset[str] = frozenset()
    borrowed: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of model of a datasheet: how many, with which weapons by default, on which base."""

    name: str
    least: int
    most: int
    leads: bool
    default: tuple[str, ...]
    default_ids: frozenset[str]
    base: Record | None
    profile: str | None = None


class Datasheet:
    """A unit of the data set; everything is worked out when first asked for and kept."""

    def __init__(
        self,
        record: Record,
        *,
        rows: Sequence[Record],
        options: Sequence[Record],
        weapons: Mapping[str, Record],
        abilities: Mapping[str, Record],
        wargear: frozenset[str],
        named: Mapping[str, Sequence[Record]],
        carried: frozenset[str],
    ) -> None:
        self.record = record
        self.id: str = record["id"]
        self.name: str = record["name"]
        self.faction_id: str = record["faction_id"]
        self._rows, self._options = rows, options
        self._faction_weapons, self._faction_abilities, self._wargear = weapons, abilities, wargear
        self._named, self._carried_elsewhere = named, carried
        self._found: dict[str, FoundWeapon | None] = {}

    # Models

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The kinds of model, at least one."""
        rows = tuple(
            Row(
                name=row["name"],
                least=row["min"],
                most=row["max"],
                leads=row.get("is_leader_model", False),
                default=tuple(
                    self._faction_weapons[each]["name"]
                    for each in row.get("default_weapon_ids", ())
                    if each in self._faction_weapons
                ),
                default_ids=frozenset(row.get("default_weapon_ids", ())),
                base=row.get("base_size_mm"),
                profile=row.get("profile_name"),
            )
            for row in self._rows
        )
        count = self.record["model_count"]
        return rows or (
            Row(self.name, count["min"] or 1, count["max"] or 1, False, self.weapon_names, frozenset(), None),
        )

    @property
    def least(self) -> int:
        """The fewest models that a unit may have."""
        return max(self.record["model_count"]["min"] or 1, 1)

    @property
    def most(self) -> int:
        """The most models that a unit may have, additional kinds that the data does not count included."""
        return max(self.record["model_count"]["max"] or self.least, self.least)

    def row(self, model: str) -> Row | None:
        """The kind of model that a list calls so: of that name, or all its words (``"Nob"`` in ``"Boss Nob"``)."""
        words = set(loose_key(model).split())
        for row in self.rows:
            if loose_key(row.name) == loose_key(model):
                return row
        inside = [row for row in self.rows if set(loose_key(row.name).split()) <= words]
        if inside:
            return max(inside, key=lambda row: len(row.name))
        around = [row for row in self.rows if words <= set(loose_key(row.name).split())]
        return around[0] if len(around) == 1 else None

    def has_model(self, name: str) -> bool:
        """Whether a kind of model or a profile bears that name."""
        key = loose_key(name)
        return any(loose_key(each) == key for each in self._model_names)

    @cached_property
    def _model_names(self) -> tuple[str, ...]:
        return (*(row.name for row in self.rows), *(profile["name"] for profile in self.record["profiles"]))

    def characteristics(self, model: str, row: Row | None) -> dict[str, str]:
        """The profile of a model as printed: the one of its name, of its row's, or the unit's first."""
        profiles: list[Record] = self.record["profiles"]
        wanted = [model] + ([row.profile or row.name, row.name] if row else [])
        for name in wanted:
            for profile in profiles:
                if loose_key(profile["name"]) == loose_key(name):
                    return _characteristics(profile)
        words = set(loose_key(model).split())
        shared = [len(words & set(loose_key(profile["name"]).split())) for profile in profiles]
        return _characteristics(profiles[shared.index(max(shared))])

    def base(self, row: Row | None) -> Record | None:
        """The base's record: the row's own, or the unit's."""
        return (row.base if row else None) or self.record.get("base_size_mm")

    # Keywords

    def keywords(self, detachments: Iterable[str], factions: Iterable[str]) -> tuple[str, ...]:
        """Keywords in capitals: own, faction's, name, and those that these detachments or factions add."""
        words = [*self.record["keywords"], self.name, *self.record["faction_keywords"]]
        detachments, factions = set(detachments), {name_key(each) for each in factions}
        for each in self.record.get("conditional_keywords", ()):
            needed = each.get("required_faction_keyword")
            if each.get("required_detachment_id") in detachments or (needed and name_key(needed) in factions):
                words.append(each["keyword"])
        return tuple(dict.fromkeys(word.upper() for word in words))

    @cached_property
    def transport(self) -> Transport | None:
        """What each of its models can carry; INFANTRY where the data does not say whom."""
        record = self.record.get("transport_capacity")
        if not record:
            return None
        only = tuple(each.upper() for each in record.get("keyword_restrictions") or ())
        return Transport(
            capacity=record["capacity"],
            only=only or ("INFANTRY",),
            not_for=tuple(each.upper() for each in record.get("exclusion_keywords") or ()),
            assumed=not only,
        )

    # Weapons

    @cached_property
    def weapon_names(self) -> tuple[str, ...]:
        """Names of the weapons on the datasheet."""
        found = (self._faction_weapons.get(each) for each in self.record.get("weapon_ids", ()))
        return tuple(weapon["name"] for weapon in found if weapon)

    def weapon(self, name: str) -> FoundWeapon | None:
        """The weapon of that name as this unit carries it; None when no weapon of the data bears the name here.

        A profile belongs to the pair (unit, weapon): first the datasheet's own weapons by name, by id, then the
        faction's record made for this unit, and last the faction's one and only weapon of that name, if no
        datasheet carries it any more.
        """
        key = name_key(name)
        if key not in self._found:
            self._found[key] = self._find(name)
        return self._found[key]

    def _find(self, name: str) -> FoundWeapon | None:
        own = [
            (each, self._faction_weapons[each])
            for each in self.record.get("weapon_ids", ())
            if each in self._faction_weapons
        ]
        loose, slug = loose_key(name), name_key(name).replace(" ", "-")
        strict = [weapon for _, weapon in own if name_key(weapon["name"]) == name_key(name)]
        matching = strict or [weapon for _, weapon in own if loose_key(weapon["name"]) == loose]
        matching = matching or [weapon for each, weapon in own if each in (slug, f"{slug}-{self.id}")]
        if made := [weapon for weapon in matching if weapon["id"].endswith(f"-{self.id}")]:
            matching = [weapon for weapon in matching if weapon["type"] != made[0]["type"]] + made
        if matching:
            unique = {weapon["id"]: weapon for weapon in matching}
            profiles = tuple(profile for weapon in unique.values() for profile in weapon_profiles(weapon, len(unique)))
            return FoundWeapon(profiles, frozenset(unique), self._replaced_by({*unique}))
        if made_for_it := self._faction_weapons.get(f"{slug}-{self.id}"):
            return FoundWeapon(weapon_profiles(made_for_it), frozenset({made_for_it["id"]}))
        named = self._named.get(loose, [])
        if not named:
            return None
        # A profile that is another unit's would be a guess: one weapon name has different skills in different units.
        if len(named) == 1 and named[0]["id"] not in self._carried_elsewhere:
            return FoundWeapon(weapon_profiles(named[0]), frozenset({named[0]["id"]}), borrowed=True)
        return FoundWeapon(())

    def _replaced_by(self, ids: set[str]) -> frozenset[str]:
        replaced: set[str] = set()
        for option in self._options:
            choices = [option.get("replacement") or [], *(option.get("replacement_choice") or [])]
            if any(each in ids for choice in choices for each in choice):
                replaced.update(option.get("replaces") or ())
        return frozenset(replaced)

    def nearest_weapon(self, name: str) -> str | None:
        """The weapon of this datasheet closest to ``name``."""
        return nearest(name, self.weapon_names)

    # Abilities

    @cached_property
    def abilities(self) -> tuple[Ability, ...]:
        """The abilities that every model of the unit has; wargear only where it is no option."""
        found: list[Ability] = []
        for ability_id, record in self._own_abilities:
            if self._is_wargear(ability_id, record):
                if not self._is_optional(ability_id, record):
                    found.append(Ability(record["name"], AbilitySource.WARGEAR, encoding_of(record)))
            else:
                source = _SOURCES.get(record["ability_type"], AbilitySource.DATASHEET)
                found.append(Ability(record["name"], source, encoding_of(record)))
        if role := self.attachment_role:
            # Since units are supports, some of them still carry the older ability beside the newer one.
            found = [each for each in found if name_key(each.name) not in ("leader", "support")]
            found.append(Ability(role.capitalize(), AbilitySource.CORE))
        return tuple(found)

    @cached_property
    def _own_abilities(self) -> tuple[tuple[str, Record], ...]:
        ids = self.record.get("ability_ids", ())
        return tuple((each, self._faction_abilities[each]) for each in ids if each in self._faction_abilities)

    def _is_wargear(self, ability_id: str, record: Record) -> bool:
        return loose_key(record["name"]) in self._wargear or loose_key(ability_id) in self._wargear

    def _is_optional(self, ability_id: str, record: Record) -> bool:
        keys = {name_key(ability_id), name_key(record["name"])}
        offered = [each for budget in self.record.get("wargear_budgets", ()) for each in budget["items"]]
        for option in self._options:
            offered += option.get("replacement") or []
            offered += [each for choice in option.get("replacement_choice") or [] for each in choice]
        return any(name_key(each) in keys for each in offered)

    def wargear_ability(self, name: str) -> Record | None:
        """The ability that an item of wargear of that name gives, the unit's own before the faction's."""
        key = loose_key(name)
        for _, record in self._own_abilities:
            if loose_key(record["name"]) == key:
                return record
        if key in self._wargear:
            for record in self._faction_abilities.values():
                if record["ability_type"] == "unit" and loose_key(record["name"]) == key:
                    return record
        return None

    def is_wargear(self, name: str) -> bool:
        """Whether the data knows an item of wargear, not a weapon, of that name."""
        return loose_key(name) in self._wargear

    @property
    def attachment_role(self) -> str | None:
        """``"leader"``, ``"support"`` or None."""
        return self.record.get("attachment_role")


_SOURCES = {"core": AbilitySource.CORE, "faction": AbilitySource.FACTION}


def _characteristics(profile: Record) -> dict[str, str]:
    values = {
        "M": f'{profile["M"]}"' if profile["M"] else "-",
        "T": str(profile["T"]),
        "Sv": f"{profile['Sv']}+",
        "InSv": f"{profile['invuln_sv']}+" if profile.get("invuln_sv") else "-",
        "W": str(profile["W"]),
        "Ld": f"{profile['Ld']}+",
        "OC": str(profile["OC"]),
    }
    for kind in ("ranged", "melee"):
        if value := profile.get(f"invuln_sv_{kind}"):
            values[f"InSv {kind}"] = f"{value}+"
    return values


def weapon_profiles(weapon: Record, records: int = 1) -> tuple[WeaponProfile, ...]:
    """The profiles of a weapon record, characteristics as printed.

    Args:
        weapon: the record.
        records: how many records share the weapon's name; with several each profile keeps its own name.
    """
    profiles: list[Record] = weapon["profiles"]
    alone = len(profiles) == 1 and records == 1
    return tuple(
        WeaponProfile(
            name="" if alone else _profile_name(profile["name"], weapon["name"]),
            melee=profile["range"] == "Melee",
            characteristics=_weapon_characteristics(profile),
            abilities=_weapon_abilities(profile),
        )
        for profile in profiles
    )


def _profile_name(name: str, weapon: str) -> str:
    """The profile's own name, without the weapon's before it."""
    begins, dash, rest = name.partition(" - ")
    return rest if dash and loose_key(begins) == loose_key(weapon) else name


def _weapon_characteristics(profile: Record) -> dict[str, str]:
    melee, stats = profile["range"] == "Melee", profile["stats"]
    skill = stats.get("WS" if melee else "BS")
    return {
        "R": "Melee" if melee else f'{profile["range"]}"',
        "A": str(stats["A"]),
        "WS" if melee else "BS": f"{skill}+" if skill is not None else "-",
        "S": str(stats["S"]),
        "AP": str(stats["AP"]),
        "D": str(stats["D"]),
    }


def _weapon_abilities(profile: Record) -> tuple[str, ...]:
    texts: list[str] = []
    hunted: list[str] = []
    for keyword in profile.get("keywords") or ():
        values = keyword.get("parameters") or {}
        name = (
            keyword["keyword_id"].replace("-", " ").upper()
            if keyword["keyword_id"] not in _HYPHENED
            else (keyword["keyword_id"].upper())
        )
        target = values.get("target_keyword", "").upper()
        if keyword["keyword_id"] == "anti":
            texts.append(f"ANTI-{target} {values['threshold']}+")
            continue
        if keyword["keyword_id"] == "hunter":
            hunted.append(target)
            continue
        text = f"{name} {values['value']}" if "value" in values else name
        if needed := values.get("required_target_keywords_any"):
            text += ": " + "/".join(each.upper() for each in needed)
        elif spared := values.get("excluded_target_keywords"):
            text += ": " + " ".join(f"NON-{each.upper()}" for each in spared)
        texts.append(text)
    if restricted := profile.get("target_restrictions"):
        hunted += [each.upper() for each in restricted.get("required_keywords_any", ()) if each.upper() not in hunted]
    if hunted:
        texts.append("HUNTER: " + "/".join(hunted))
    return tuple(dict.fromkeys(texts))


_HYPHENED = frozenset({"twin-linked", "close-quarters"})


def weapon_of(name: str, found: FoundWeapon | None) -> Weapon:
    """One copy of a weapon under the name that the list gives it."""
    return Weapon(name, found.profiles if found else ())


def base_text(record: Record | None) -> str | None:
    """The base in the text form of the core, or None where the data gives no size.

    >>> base_text({"shape": "oval", "length": 42, "width": 75})
    '75x42mm'
    """
    if record is None:
        return None
    flying = " flying" if record["shape"] == "flying-base" else ""
    if "diameter" in record:
        return f"{record['diameter']:g}mm{flying}"
    if "length" in record and "width" in record:
        longer, shorter = max(record["length"], record["width"]), min(record["length"], record["width"])
        return f"{longer:g}x{shorter:g}mm{flying}"
    return None
