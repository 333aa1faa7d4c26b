"""An army list as the rules of mustering read it: its units beside what the data says of them (chapter 25)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from battlewright.core.roster import Army, Component, Model, Unit
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.abilities import read_ability
from battlewright.editions.eleventh.abilities.language import Mustering
from battlewright.editions.eleventh.package import Record, records

__all__ = [
    "SIZES",
    "UPGRADES",
    "BattleSize",
    "Entry",
    "Muster",
    "battle_size",
    "enhancement_key",
    "name_key",
    "word_key",
]


@dataclass(frozen=True, slots=True)
class BattleSize:
    """A battle size and its limits: points, detachment points, enhancements, copies of a datasheet."""

    name: str
    points: int
    detachment_points: int
    enhancements: int
    copies: int


SIZES = (
    BattleSize("Incursion", 1000, 2, 2, 2),
    BattleSize("Strike Force", 2000, 3, 4, 3),
    BattleSize("Onslaught", 3000, 3, 4, 3),
)


UPGRADES = 3
"""How often an Upgrade enhancement may be taken."""


@rule("11e.core.25-battle-size")
def battle_size(points: int) -> BattleSize:
    """The smallest battle size for so many points; Onslaught for more than any holds.

    RULING: 11e.core.25-battle-size a list does not tell its battle size in every format; we take the smallest that
    its points fit.
    """
    return next((size for size in SIZES if points <= size.points), SIZES[-1])


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the list: a component of a unit with the keywords of its models."""

    unit: Unit
    component: Component
    keywords: frozenset[str]
    models: int

    @property
    def name(self) -> str:
        """The datasheet's name."""
        return self.component.name

    @property
    def rows(self) -> list[Model]:
        """Its models."""
        place = next(place for place, each in enumerate(self.unit.components) if each is self.component)
        return [model for model in self.unit.models if model.component == place]

    def has(self, keyword: str) -> bool:
        """Whether one of its models has the keyword."""
        return word_key(keyword) in self.keywords

    def has_rule(self, rule_name: str) -> bool:
        """Whether an ability of one of its models makes it subject to a rule of mustering."""
        wanted = Mustering(rule_name)
        return any(
            clause.effect == wanted
            for model in self.rows
            for ability in model.abilities
            if ability.encoding
            for clause in read_ability(ability).clauses
        )


def name_key(text: str) -> str:
    """A name as it is compared: without case, with plain apostrophes."""
    return text.casefold().replace("\u2019", "'").strip()


def word_key(keyword: str) -> str:
    """A keyword as it is compared: in capitals, with plain apostrophes."""
    return keyword.upper().replace("\u2019", "'")


class Muster:
    """A list with what the data package knows of it."""

    def __init__(self, army: Army) -> None:
        self.army = army
        self.size = battle_size(army.points or sum(unit.points for unit in army.units))
        self.entries = [
            Entry(
                unit,
                component,
                self._granted(
                    {word_key(each) for model in unit.models if model.component == index for each in model.keywords}
                ),
                sum(model.component == index for model in unit.models),
            )
            for unit in army.units
            for index, component in enumerate(unit.components)
        ]

    def _granted(self, words: set[str]) -> frozenset[str]:
        """Keywords with those that the detachments grant; where they may be given to some, to each that qualifies."""
        for detachment in self.detachments:
            for grant in detachment.get("granted_keywords") or ():
                if {word_key(each) for each in grant["to_keywords"]} <= words:
                    words = words | {word_key(grant["keyword"])}
        return frozenset(words)

    @cached_property
    def faction(self) -> Record | None:
        """The faction's record."""
        return next(
            (each for each in records("factions") if name_key(each["name"]) == name_key(self.army.faction)), None
        )

    @cached_property
    def family(self) -> tuple[str, ...]:
        """Ids of the faction and of the one it is part of."""
        if self.faction is None:
            return ()
        return tuple(each for each in (self.faction["id"], self.faction["parent_faction_id"]) if each)

    @cached_property
    def detachments(self) -> list[Record]:
        """The records of the detachments, those of the faction first."""
        found = []
        for name in self.army.detachments:
            same = [each for each in records("detachments") if name_key(each["name"]) == name_key(name)]
            same.sort(key=lambda each: each["faction_id"] not in self.family)
            found += same[:1]
        return found

    def sheet(self, entry: Entry) -> Record | None:
        """The datasheet's record."""
        return self.sheet_named(entry.name)

    def sheet_named(self, name: str) -> Record | None:
        """The record of the datasheet of that name, the own faction's before others'."""
        same = [each for each in records("units") if name_key(each["name"]) == name_key(name)]
        same.sort(key=lambda each: each["faction_id"] not in self.family)
        return same[0] if same else None

    def enhancement(self, entry: Entry) -> Record | None:
        """The record of the entry's enhancement, one of the army's detachments if it can be."""
        name = entry.component.enhancement
        if name is None:
            return None
        ids = [each["id"] for each in self.detachments]
        same = [each for each in records("enhancements") if enhancement_key(each["name"]) == enhancement_key(name)]
        same.sort(key=lambda each: each["detachment_id"] not in ids)
        return same[0] if same else None

    def is_upgrade(self, entry: Entry) -> bool:
        """Whether its enhancement is an Upgrade."""
        found = self.enhancement(entry)
        return "(upgrade)" in name_key(entry.component.enhancement or "") or bool(found and found.get("upgrade_tag"))


def enhancement_key(name: str) -> str:
    """The name of an enhancement as it is compared, whether or not it says that it is an upgrade."""
    return name_key(name).removesuffix("(upgrade)").strip()
