"""From what a list says to an army: every name looked up, weapons given to models, leaders joined to their units.

Nothing vanishes on the way: what cannot be found is an :class:`~battlewright.core.roster.Unresolved` with its line,
and an item without a profile stays on its model and is named among what is not enforced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from battlewright.armies.assumed import assumptions
from battlewright.armies.attach import joined
from battlewright.armies.dataset import DATA_EDITION, DataSet
from battlewright.armies.datasheet import Datasheet, FoundWeapon, Record, Row, base_text, weapon_of
from battlewright.armies.encodings import encoding_of
from battlewright.armies.entries import Entry
from battlewright.armies.loadout import distribute
from battlewright.armies.names import name_key
from battlewright.armies.parsed import Item, ModelGroup, ParsedList, ParsedUnit
from battlewright.armies.reading import Source
from battlewright.armies.reconcile import crown_by_heading, reconcile
from battlewright.core.roster import Ability, AbilitySource, Army, Component, Model, Role, Unit, Unresolved, Weapon
from battlewright.core.rulebook import rule

__all__ = [
    "faction_abilities_work",
    "resolve",
]


@dataclass(slots=True)
class _Muster:
    """What holds for the whole army."""

    faction: Record | None
    family: tuple[str, ...]
    detachments: list[tuple[str, Record | None]]
    army_rules: tuple[Ability, ...]

    @property
    def records(self) -> list[Record]:
        return [record for _, record in self.detachments if record]


def resolve(parsed: ParsedList, data: DataSet, source: Source) -> Army:
    """The army that the parsed list describes, reconciled with the list's own totals."""
    return _Resolver(parsed, data).army(source)


class _Resolver:
    def __init__(self, parsed: ParsedList, data: DataSet) -> None:
        self._parsed, self._data = parsed, data
        self._notes: list[Unresolved] = list(parsed.notes)
        self._muster = self._mustered()

    def army(self, source: Source) -> Army:
        crown_by_heading(self._parsed)
        entries = [entry for unit in self._parsed.units if (entry := self._entry(unit)) is not None]
        units, notes = joined(entries, _component)
        disposition, dispositions = self._dispositions()
        found = [*self._notes, *notes, *reconcile(self._parsed, entries)]
        found.sort(key=lambda each: (not each.fatal, each.line is None, each.line or 0))
        faction = str(self._muster.faction["name"]) if self._muster.faction else self._parsed.faction
        return Army(
            name=self._parsed.name or faction or source.where,
            edition=DATA_EDITION,
            faction=faction,
            units=tuple(
                Unit(
                    id=f"a.{number}",
                    name=" + ".join(component.name for component in components),
                    components=tuple(components),
                    models=tuple(models),
                    not_enforced=tuple(dict.fromkeys(not_enforced)),
                )
                for number, (components, models, not_enforced) in enumerate(units, 1)
            ),
            points=self._parsed.points or sum(unit.points or 0 for unit in self._parsed.units),
            detachments=tuple(name for name, _ in self._muster.detachments),
            disposition=disposition,
            dispositions=dispositions,
            stratagems=tuple(
                stratagem
                for _, record in self._muster.detachments
                if record
                for stratagem in self._data.stratagems_of(record, self._muster.family)
            ),
            unresolved=tuple(dict.fromkeys(found)),
        )

    def _note(self, line: int | None, text: str, nearest: str | None = None, *, fatal: bool = False) -> None:
        self._notes.append(Unresolved(line, text, nearest, fatal))

    # The army

    def _mustered(self) -> _Muster:
        data, parsed = self._data, self._parsed
        faction = data.faction(parsed.faction) if parsed.faction else self._guessed_faction()
        if faction is None:
            text = f'no faction "{parsed.faction}" is known' if parsed.faction else "the list names no faction"
            self._note(parsed.faction_line, text, data.nearest_faction(parsed.faction) if parsed.faction else None)
        family = data.family(faction)
        detachments = [each for text, line in parsed.detachments for each in self._detachments(text, line, family)]
        if not detachments:
            self._note(None, "the list names no detachment")
        rules = [rule for _, record in detachments if record for rule in data.detachment_rules(record, family)]
        return _Muster(faction, family, detachments, (*data.faction_rules(faction), *rules))

    def _guessed_faction(self) -> Record | None:
        """The faction of most units, for formats that name none."""
        sheets = (self._data.unit(unit.name) for unit in self._parsed.units)
        ids = [sheet.faction_id for sheet in sheets if sheet]
        return self._data.faction(max(sorted(set(ids)), key=ids.count).replace("-", " ")) if ids else None

    def _detachments(self, text: str, line: int | None, family: Sequence[str]) -> Iterator[tuple[str, Record | None]]:
        """The detachments that a text names, joined by commas or "and"; whole names come before parts of them."""
        parts = re.split(r"(\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)", text)
        names, start = [], 0
        while start < len(parts):
            for end in range(len(parts), start, -2):
                name = "".join(parts[start:end])
                if self._data.detachment(name, family) or assumptions().knows_detachment(name):
                    names.append(name)
                    start = end + 1
                    break
            else:
                names = []
                break
        for name in names or [text]:
            record = self._data.detachment(name, family)
            if record is None and not assumptions().knows_detachment(name):
                nearest = self._data.nearest_detachment(name, family)
                self._note(line, f'no detachment "{name}" is known; its rules have no effect', nearest)
            yield (str(record["name"]) if record else name), record

    def _dispositions(self) -> tuple[str | None, tuple[str, ...]]:
        """The disposition taken, and all that the list offers."""
        named = []
        for text, line in self._parsed.dispositions:
            found = self._data.disposition(text)
            if found is None:
                self._note(line, f'no force disposition "{text}" is known')
            else:
                named.append(found)
        if named:
            # Of several that the detachments offer, the list's title may say which one is meant.
            title = name_key(self._parsed.name)
            return next((each for each in named if name_key(each) in title), named[0]), tuple(named)
        offered = {each for record in self._muster.records for each in record["force_dispositions"]}
        names = tuple(sorted(found for each in offered if (found := self._data.disposition(each))))
        hint = f"; its detachments offer {', '.join(names)}" if names else ""
        self._note(None, f"the list names no force disposition{hint}")
        return (names[0] if len(names) == 1 else None), names

    # One entry

    def _entry(self, parsed: ParsedUnit) -> Entry | None:
        sheet = self._data.unit(parsed.name, self._muster.family)
        if sheet is None:
            nearest = self._data.nearest_unit(parsed.name, self._muster.family)
            self._note(parsed.line, f'no unit "{parsed.name}" is known', nearest, fatal=True)
            return None
        entry = Entry(parsed, sheet)
        groups, loose = self._groups(entry)
        if not loose and not any(group.items for group in groups):
            self._default_loadout(entry, groups)
        shared, notes = self._shared_abilities(entry)
        entry.not_enforced += notes
        for group in groups:
            entry.models += self._models(entry, group, shared)
        if loose:
            self._give(entry, entry.models, loose)
        self._crown(entry)
        return entry

    def _groups(self, entry: Entry) -> tuple[list[ModelGroup], list[Item]]:
        """The entry's groups of models, each named, and what it carries outside of them."""
        parsed, sheet = entry.parsed, entry.sheet
        if parsed.models:
            loose, groups = [], [each for group in parsed.models for each in self._named(sheet, group)]
            for item in parsed.items:
                if sheet.has_model(item.name) and sheet.weapon(item.name) is None:
                    groups.append(ModelGroup(item.name, item.count, item.line))
                else:
                    loose.append(item)
            return groups, loose
        count = parsed.stated_models
        if count is None:
            count = sheet.least
            if count > 1:
                self._note(parsed.line, f"{parsed.name} states no number of models; taken as {count}", fatal=True)
        return self._named(sheet, ModelGroup("", count, parsed.line, parsed.items)), []

    @staticmethod
    def _named(sheet: Datasheet, group: ModelGroup) -> list[ModelGroup]:
        """A group without a name by the datasheet: the models that lead it first, then its main kind."""
        if group.name:
            return [group]
        mains = [row for row in sheet.rows if not row.leads] or list(sheet.rows)
        leads = [row for row in sheet.rows if row.leads and row not in mains and group.count > 1]
        if not leads:
            return [ModelGroup(mains[0].name, group.count, group.line, group.items)]
        # The weapons of such a group are counted together, so that the split stays within one group of items.
        names = [row.name for row in leads for _ in range(max(row.least, 1))][: group.count - 1]
        names += [mains[0].name] * (group.count - len(names))
        return [_Mixed(group.name, group.count, group.line, group.items, names)]

    @rule("11e.ds-composition.default-wargear")
    def _default_loadout(self, entry: Entry, groups: list[ModelGroup]) -> None:
        for group in groups:
            row = entry.sheet.row(group.name) or entry.sheet.rows[0]
            group.items = [Item(name, group.count, group.line) for name in row.default]
        if any(group.items for group in groups):
            text = f"{entry.parsed.name} names nothing that it carries; its datasheet's default is taken"
            self._note(entry.parsed.line, text)

    def _shared_abilities(self, entry: Entry) -> tuple[tuple[Ability, ...], list[str]]:
        """What every model of the entry has; and the names of what is known but has no rule in the data."""
        rules = [*entry.sheet.abilities, *self._muster.army_rules]
        belongs = faction_abilities_work(self._muster.faction, entry.sheet)
        found = [each for each in rules if belongs or each.source is not AbilitySource.FACTION]
        unknown: list[str] = []
        if not self._muster.family or entry.sheet.faction_id in self._muster.family:
            unknown += [name for name, record in self._muster.detachments if record is None]
        else:
            found = [each for each in found if each not in self._muster.army_rules]
        for item in entry.parsed.enhancements:
            record = self._data.enhancement(item.name, self._muster.records)
            if record is None:
                nearest = self._data.nearest_enhancement(item.name, self._muster.records)
                text = f'no enhancement "{item.name}" is known; {entry.parsed.name} has it without effect'
                self._note(item.line, text, nearest)
                unknown.append(item.name)
            else:
                encoding = self._data.enhancement_encoding(record)
                found.append(Ability(record["name"], AbilitySource.ENHANCEMENT, encoding))
        return tuple(dict.fromkeys(found)), unknown

    def _models(self, entry: Entry, group: ModelGroup, shared: tuple[Ability, ...]) -> list[Model]:
        names = group.names if isinstance(group, _Mixed) else [group.name] * group.count
        made: dict[str, Model] = {}
        for name in names:
            if name not in made:
                made[name] = self._bare(entry, name, shared)
        models = [made[name] for name in names]
        self._give(entry, models, group.items)
        return models

    def _bare(self, entry: Entry, name: str, shared: tuple[Ability, ...]) -> Model:
        sheet, row = entry.sheet, entry.sheet.row(name)
        faction = [str(self._muster.faction["name"])] if self._muster.faction else []
        words = sheet.keywords((str(record["id"]) for record in self._muster.records), faction)
        keywords = tuple(dict.fromkeys((*words, *entry.parsed.keywords)))
        base = base_text(sheet.base(row))
        assumed = ("height",) if base else ("base", "height")
        base = base or assumptions().base(sheet.name, keywords, sheet.base(row))
        return Model(
            name=name,
            base=base,
            height=assumptions().height(sheet.name, base, keywords),
            characteristics=sheet.characteristics(name, row),
            keywords=keywords,
            abilities=shared,
            assumed=assumed,
            transport=sheet.transport,
        )

    def _give(self, entry: Entry, models: list[Model], items: Sequence[Item]) -> None:
        """Share out what a group carries among its models, which are replaced in place."""
        sheet = entry.sheet
        weapons: dict[str, tuple[str, int, FoundWeapon | None]] = {}
        gifts: list[tuple[Ability, int]] = []
        for item in _with_commas(items, sheet):
            found = sheet.weapon(item.name)
            if found is None and (ability := sheet.wargear_ability(item.name)):
                gifts.append((Ability(ability["name"], AbilitySource.WARGEAR, encoding_of(ability)), item.count))
                continue
            self._judge(entry, item, found)
            if found is None and sheet.is_wargear(item.name):
                continue
            name, count, _ = weapons.get(name_key(item.name), (item.name, 0, None))
            weapons[name_key(item.name)] = (name, count + item.count, found)
        shares = _shares(models, list(weapons.values()), sheet.row(models[0].name))
        copies = [weapon_of(name, found) for name, _, found in weapons.values()]
        made: dict[tuple[object, ...], Model] = {}
        for index, (model, share) in enumerate(zip(models, shares, strict=True)):
            given = tuple(ability for ability, count in gifts if len(models) - index <= count)
            key = (id(model), *share, *given)
            if key not in made:
                carried = [copy for copy, count in zip(copies, share, strict=True) for _ in range(count)]
                made[key] = _replaced(model, carried, given)
            models[index] = made[key]

    def _judge(self, entry: Entry, item: Item, found: FoundWeapon | None) -> None:
        """Note a weapon or item that has no profile, or whose profile is not of this datasheet."""
        unit = entry.parsed.name
        if found is None and entry.sheet.is_wargear(item.name):
            text = f'{unit}: no rule is known for "{item.name}"; it has no effect'
        elif found is None or not found.profiles:
            text = f'{unit}: no profile is known for "{item.name}"; it has no effect'
        elif found.borrowed:
            text = f'{unit}: "{item.name}" is not on its datasheet; the profile of that name in its faction is taken'
            self._note(item.line, text)
            return
        else:
            return
        self._note(item.line, text, entry.sheet.nearest_weapon(item.name))
        entry.not_enforced.append(item.name)

    @staticmethod
    def _crown(entry: Entry) -> None:
        """The warlord is one model: the entry's first."""
        if entry.parsed.warlord and entry.models:
            first = entry.models[0]
            entry.models[0] = _replaced(first, first.weapons, (), (*first.keywords, "WARLORD"))


@rule("11e.core.22.02-faction-abilities")
def faction_abilities_work(faction: Record | None, sheet: Datasheet) -> bool:
    """Whether a unit of such a datasheet has its faction abilities in an army of the faction: if the army's faction is
    one of its faction keywords; always where nobody knows the army's faction."""
    if faction is None:
        return True
    own = [str(each).upper() for each in faction["keywords"]]
    return any(str(each).upper() in (own[1:] or own) for each in sheet.record["faction_keywords"])


@dataclass(slots=True)
class _Mixed(ModelGroup):
    """A group told by number alone whose models are of several kinds."""

    names: list[str] = field(default_factory=list)


def _with_commas(items: Sequence[Item], sheet: Datasheet) -> list[Item]:
    """Two items that only together are a weapon's name, which has a comma in it, are one."""
    found: list[Item] = []
    for item in items:
        last = found[-1] if found else None
        if last and sheet.weapon(item.name) is None and sheet.weapon(last.name) is None:
            both = f"{last.name}, {item.name}"
            if sheet.weapon(both) is not None:
                found[-1] = Item(both, last.count, last.line)
                continue
        found.append(item)
    return found


def _shares(
    models: Sequence[Model], weapons: Sequence[tuple[str, int, FoundWeapon | None]], row: Row | None
) -> list[list[int]]:
    ids = [found.ids if found else frozenset() for _, _, found in weapons]
    usual = row.default_ids if row else frozenset()
    return distribute(
        len(models),
        [count for _, count, _ in weapons],
        [not each.isdisjoint(usual) for each in ids],
        [
            [index for index, each in enumerate(ids) if found and not each.isdisjoint(found.replaces)]
            for _, _, found in weapons
        ],
    )


def _replaced(
    model: Model, weapons: Sequence[Weapon], abilities: Sequence[Ability], keywords: tuple[str, ...] | None = None
) -> Model:
    return replace(
        model,
        keywords=keywords or model.keywords,
        weapons=(*model.weapons, *weapons) if keywords is None else tuple(weapons),
        abilities=tuple(dict.fromkeys((*model.abilities, *abilities))),
    )


def _component(entry: Entry, role: Role) -> Component:
    parsed = entry.parsed
    return Component(
        name=parsed.name,
        role=role,
        points=parsed.points or 0,
        enhancement=parsed.enhancements[0].name if parsed.enhancements else None,
        warlord=parsed.warlord,
        embarked_in=parsed.embarked_in,
    )
