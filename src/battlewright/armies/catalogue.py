"""Taking units from a player's own catalogues (``.gst``, ``.cat``, ``.catz``): names, points and statistics, no texts.

::

    from battlewright.armies.catalogue import read_catalogue
    eldar = read_catalogue(["Eldar.cat", "3rd Edition.gst"])
    unit = eldar.take("Striking Scorpions", models=8, options=["Exarch Upgrade"])

A catalogue that names others, or a game system, is given together with them. A rule's text never enters a unit.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from battlewright.armies.formats.adapter import named_edition
from battlewright.armies.formats.battlescribe_conditions import (
    Chosen,
    cost_of,
    is_for_all,
    is_shown,
    name_of,
    printed_of,
)
from battlewright.armies.formats.battlescribe_entries import Entry, Index
from battlewright.armies.formats.battlescribe_profiles import is_model, is_vehicle
from battlewright.armies.formats.battlescribe_selection import Selection
from battlewright.armies.formats.battlescribe_units import Built, has_models, units_of
from battlewright.armies.formats.battlescribe_xml import XmlNode, parse_xml
from battlewright.armies.names import loose_key, nearest
from battlewright.armies.parsed import MAX_MODELS
from battlewright.armies.reading import Source, read_source
from battlewright.core.errors import ArmyError
from battlewright.core.roster import Unit

__all__ = ["Catalogue", "CatalogueUnit", "read_catalogue"]

_MOST_FILES = 40
_MOST_OPTIONS = 60
_MOST_CHOSEN = 3_000
_DEEPEST = 12


@dataclass(frozen=True, slots=True)
class CatalogueUnit:
    """A unit that a catalogue offers.

    Attributes:
        points: of the smallest unit without any option.
        category: its place in the army: ``"HQ"``, ``"Troops"``.
        models: how many models the smallest unit has.
    """

    name: str
    points: int
    category: str
    models: int


def read_catalogue(paths: Iterable[str | os.PathLike[str]]) -> Catalogue:
    """Read catalogues and the game system that they belong to.

    Raises:
        ArmyError: a file that cannot be read or is neither a catalogue nor a game system, too many files, files
            of different game systems, or no catalogue among them.
    """
    roots: list[tuple[XmlNode, Source]] = []
    for path in paths:
        if len(roots) >= _MOST_FILES:
            raise ArmyError(f"more than {_MOST_FILES} catalogues", expected="a catalogue, those it names, its system")
        source = read_source(path)
        root = parse_xml(source) if source.head.lstrip()[:1] == "<" else None
        if root is None or root.tag not in ("catalogue", "gameSystem"):
            raise ArmyError("is no catalogue", where=source.where, expected="a .cat, .catz or .gst file")
        roots.append((root, source))
    systems = {root.get("id") if root.tag == "gameSystem" else root.get("gameSystemId") for root, _ in roots}
    if len(systems) > 1:
        named = ", ".join(source.where for _, source in roots)
        raise ArmyError("the catalogues belong to different game systems", where=named)
    return Catalogue([root for root, _ in roots], [source for _, source in roots])


class Catalogue:
    """Units that may be taken from some catalogues; see :func:`read_catalogue`.

    Raises:
        ArmyError: no catalogue is among the documents.

    Attributes:
        name: of the first catalogue given.
        edition: that its game system names, None when it names none.
        missing: names of catalogues that it refers to and that were not given: their units are left out.
    """

    def __init__(self, roots: Sequence[XmlNode], sources: Sequence[Source]) -> None:
        self._index = Index.of(list(roots))
        first = next((root for root in roots if root.tag == "catalogue"), None)
        if first is None:
            raise ArmyError("no catalogue is given", expected="at least one .cat or .catz file")
        self._where = next(source.where for root, source in zip(roots, sources, strict=True) if root is first)
        system = next((root for root in roots if root.tag == "gameSystem"), None)
        self.name = first.get("name")
        names = [system.get("name") if system else "", *(source.where for source in sources), self.name]
        self.edition = next((found for name in names if (found := named_edition(name))), None)
        self._tops, self.missing = self._gathered(first)
        if system is None and first.get("gameSystemId"):
            self.missing = (*self.missing, "the game system")

    def _gathered(self, first: XmlNode) -> tuple[list[Entry], tuple[str, ...]]:
        """The entries on top of the first catalogue and of those whose entries it takes over."""
        found: list[Entry] = []
        missing: list[str] = []
        waiting, seen = [first], {first.get("id")}
        while waiting:
            root = waiting.pop(0)
            for node in root.listed("selectionEntries", "entryLinks"):
                entry = Entry(self._index, node)
                if not entry.is_dangling and not entry.is_group:
                    found.append(entry)
            for link in root.listed("catalogueLinks"):
                target = self._index.target(link)
                if target is None:
                    missing.append(link.get("name"))
                elif link.get("importRootEntries") == "true" and target.get("id") not in seen:
                    seen.add(target.get("id"))
                    waiting.append(target)
        return found, tuple(dict.fromkeys(missing))

    def units(self) -> tuple[CatalogueUnit, ...]:
        """Every unit on offer, by category in the catalogue's order; of two of one name the first counts."""
        found: dict[str, CatalogueUnit] = {}
        for name, entry in self._named():
            built = self._built(entry, None, ())
            if built is None or name in found:
                continue
            category = next((each for _, each in entry.categories()), "")
            points = sum(each.unit.points for each in built)
            found[name] = CatalogueUnit(name, points, category, len(built[0].unit.models))
        return tuple(found.values())

    def take(self, name: str, models: int | None = None, options: Sequence[str] = ()) -> Unit:
        """A unit of the catalogue, its statistics written out; transports that an option buys with it are left out.

        Args:
            name: as the catalogue spells it; capitals and punctuation do not matter.
            models: how many; the fewest that the catalogue allows when None.
            options: what is bought for it by name, ``"2x Name"`` for two, ``"Squad/Name"`` for that of one part.

        Raises:
            ArmyError: no such unit or option, or more or fewer than the catalogue allows.
        """
        return self.take_all(name, models, options)[0]

    def take_all(self, name: str, models: int | None = None, options: Sequence[str] = ()) -> tuple[Unit, ...]:
        """The unit as :meth:`take` gives it, and after it the transports that its options bought."""
        return tuple(built.unit for built in self._take(name, models, options))

    def _take(self, name: str, models: int | None, options: Sequence[str]) -> tuple[Built, ...]:
        if models is not None and not 1 <= models <= MAX_MODELS:
            raise ArmyError(f"{models} models of {name}", expected=f"1 to {MAX_MODELS}")
        if len(options) > _MOST_OPTIONS:
            raise ArmyError(f"{len(options)} options of {name}", expected=f"at most {_MOST_OPTIONS}")
        names = dict(reversed(list(self._named())))
        entry = next((each for called, each in names.items() if loose_key(called) == loose_key(name)), None)
        if entry is None:
            raise ArmyError(f'no unit "{name}" is in {self.name}', where=self._where, nearest=nearest(name, names))
        built = self._built(entry, models, options)
        if built is None:
            raise ArmyError(f'"{name}" has no model with a profile', where=self._where)
        return built

    def _named(self) -> Iterator[tuple[str, Entry]]:
        for entry in self._tops:
            chosen = Chosen(entry, 1)
            if is_shown(chosen):
                yield name_of(chosen), entry

    def _built(self, entry: Entry, models: int | None, options: Sequence[str]) -> tuple[Built, ...] | None:
        cart = _Cart(entry, self._where)
        if models is not None:
            cart.resize(models)
        for option in options:
            cart.add(option)
        selection = cart.selection()
        if not has_models(selection):
            return None
        try:
            return units_of(selection, self._where)
        except ArmyError:
            if options or models:
                raise
            return None


class _Cart:
    """One unit while it is put together."""

    def __init__(self, entry: Entry, where: str) -> None:
        self._where = where
        self._count = 0
        self._top = Chosen(entry, 1)
        self._fill(self._top, 0)
        if not has_models(self.selection()):
            self._first_model()

    # Defaults

    def _fill(self, chosen: Chosen, depth: int) -> None:
        """Select what every unit has: minima, defaults, the default of a group that asks for something."""
        self._count += 1
        if depth > _DEEPEST or self._count > _MOST_CHOSEN:
            return
        for entry in chosen.entry.children:
            if entry.is_group:
                self._fill_group(chosen, entry, depth)
            elif number := entry.default_number:
                self._select(chosen, entry, number * chosen.number, depth)

    def _fill_group(self, chosen: Chosen, entry: Entry, depth: int) -> None:
        group = Chosen(entry, chosen.number, chosen)
        chosen.children.append(group)
        if not is_shown(group):
            return
        self._fill(group, depth + 1)
        lacking = entry.bounds[0] * chosen.number - sum(each.number for each in group.children)
        if lacking <= 0:
            return
        choices = [each for each in entry.children if not each.is_group and is_shown(Chosen(each, 1, group))]
        preferred = [each for each in choices if entry.default_id in each.ids]
        for choice in [*preferred, *(each for each in choices if each not in preferred)]:
            there = next((each for each in group.children if each.entry is choice), None)
            number = min(lacking, choice.bounds[1] * chosen.number - (there.number if there else 0))
            if number <= 0:
                continue
            if there is not None:
                there.number += number
            else:
                self._select(group, choice, number, depth + 1)
            lacking -= number

    def _select(self, parent: Chosen, entry: Entry, number: int, depth: int = 0) -> Chosen | None:
        chosen = Chosen(entry, number, parent)
        if not is_shown(chosen):
            return None
        parent.children.append(chosen)
        self._fill(chosen, depth + 1)
        return chosen

    def _first_model(self) -> None:
        """Where nothing is asked for, the unit has one of its first kind of model."""
        for parent, entry in self._offers(self._top, 0):
            trial = Chosen(entry, 1, parent)
            printed = printed_of(trial)[0]
            if any(is_model(each) and (not is_vehicle(each) or parent is self._top) for each in printed):
                self._select(parent, entry, 1)
                return

    def _offers(self, chosen: Chosen, depth: int) -> Iterator[tuple[Chosen, Entry]]:
        """What may be selected, and within what, the nearest to the top first; groups are opened as needed."""
        level: list[Chosen] = [chosen]
        while level and depth <= _DEEPEST:
            below: list[Chosen] = []
            for parent in level:
                for entry in parent.entry.children:
                    there = next((each for each in parent.children if each.entry is entry), None)
                    if not entry.is_group:
                        yield parent, entry
                    if there is None and is_shown(Chosen(entry, 1, parent)):
                        there = Chosen(entry, 0, parent)
                    if there is not None:
                        below.append(there)
            level, depth = below, depth + 1

    # Changes

    def resize(self, models: int) -> None:
        """Have so many models: more or fewer of its main kind."""
        ranks = [each for each in self._chosen(self._top) if self._is_rank(each)]
        there = sum(each.number for each in ranks)
        if not ranks:
            if models != 1:
                raise self._fault(f"{self._top.entry.name} has one model", "1")
            return
        main = max(ranks, key=lambda each: (_most(each), each.number))
        holder = main.parent if main.parent is not None and main.parent.entry.is_group else main
        rest = there - main.number
        least = main.entry.bounds[0] if holder is main else max(holder.entry.bounds[0] - rest, main.entry.bounds[0], 1)
        most = min(_most(main), holder.entry.bounds[1] - (0 if holder is main else rest))
        number = models - rest
        if not max(least, 1) <= number <= most:
            text = f"{self._top.entry.name} has {models} models"
            raise self._fault(text, f"{max(least, 1) + rest} to {min(most + rest, MAX_MODELS)}")
        self._set_number(main, number)

    def _is_rank(self, chosen: Chosen) -> bool:
        if chosen is self._top or chosen.entry.is_group or chosen.number == 0:
            return False
        if chosen.entry.kind == "model" or any(map(is_model, printed_of(chosen)[0])):
            return True
        above = (printed for each in chosen.ancestors() for printed in printed_of(each)[0] if is_model(printed))
        return any(loose_key(printed.name) == loose_key(chosen.entry.name) for printed in above)

    def _set_number(self, chosen: Chosen, number: int) -> None:
        before, chosen.number = chosen.number, number
        for child in chosen.children:
            if child.entry.is_group:
                self._set_number(child, number)
            elif before:
                self._set_number(child, math.ceil(child.number * number / before))

    def add(self, text: str) -> None:
        """Buy an option by its name."""
        count, name = _counted(text)
        *path, last = [loose_key(each) for each in name.split("/")]
        offers = [
            (parent, entry)
            for parent, entry in self._offers(self._top, 0)
            if loose_key(name_of(Chosen(entry, 1, parent))) == last and _is_below(parent, path)
        ]
        if not offers:
            known = [name_of(Chosen(entry, 1, parent)) for parent, entry in self._offers(self._top, 0)]
            text = f'{self._top.entry.name} has no option "{name}"'
            raise ArmyError(text, where=self._where, nearest=nearest(name.rpartition("/")[2], known))
        # An option within what has been selected comes before one that would have to be opened first.
        offers.sort(key=lambda offer: not self._is_open(offer[0]))
        for parent, entry in offers:
            if is_shown(Chosen(entry, 1, parent)) and self._room(parent, entry) >= count:
                self._open(parent)
                self._buy(parent, entry, count)
                return
        parent, entry = offers[0]
        most = max(self._room(parent, entry) for parent, entry in offers)
        raise self._fault(f'{self._top.entry.name} takes {count} of "{name}"', f"at most {max(most, 0)}")

    def _is_open(self, chosen: Chosen) -> bool:
        return chosen is self._top or (
            chosen.parent is not None and chosen in chosen.parent.children and self._is_open(chosen.parent)
        )

    def _room(self, parent: Chosen, entry: Entry) -> int:
        """How many copies there may be; what a group has by default gives way."""
        copies = max(parent.number, 1)
        most = entry.bounds[1] * copies
        if parent.entry.is_group:
            fixed = sum(each.number for each in parent.children if each.entry is not entry and not _gives_way(each))
            most = min(most, parent.entry.bounds[1] * copies - fixed)
        return most

    def _open(self, chosen: Chosen) -> None:
        """Select what an option lies within."""
        if chosen.parent is None or chosen in chosen.parent.children:
            return
        self._open(chosen.parent)
        if chosen.entry.is_group:
            chosen.number = chosen.parent.number
            chosen.parent.children.append(chosen)
        else:
            chosen.number = 1
            chosen.parent.children.append(chosen)
            self._fill(chosen, 0)

    def _buy(self, parent: Chosen, entry: Entry, count: int) -> None:
        there = next((each for each in parent.children if each.entry is entry), None)
        if there is not None:
            self._set_number(there, count)
        else:
            there = self._select(parent, entry, count)
        if parent.entry.is_group:
            most = parent.entry.bounds[1] * max(parent.number, 1)
            for other in [each for each in parent.children if each is not there and not each.entry.is_group]:
                surplus = sum(each.number for each in parent.children if not each.entry.is_group) - most
                if surplus <= 0:
                    break
                if _gives_way(other):
                    self._set_number(other, max(other.number - surplus, 0))
            parent.children[:] = [each for each in parent.children if each.number or each.entry.is_group]

    def _fault(self, text: str, expected: str) -> ArmyError:
        return ArmyError(text, where=self._where, expected=expected)

    # The result

    def _chosen(self, chosen: Chosen) -> Iterator[Chosen]:
        yield chosen
        for each in chosen.children:
            yield from self._chosen(each)

    def selection(self) -> Selection:
        """The unit as a roster would tell of it."""
        return self._selection(self._top)

    def _selection(self, chosen: Chosen) -> Selection:
        profiles, rules = printed_of(chosen)
        return Selection(
            name=name_of(chosen),
            kind=chosen.entry.kind,
            number=chosen.number,
            points=cost_of(chosen) * chosen.number,
            profiles=profiles,
            rules=rules,
            categories=[name for _, name in chosen.entry.categories()],
            children=[each for child in chosen.children for each in self._below(child)],
            for_all=is_for_all(chosen),
        )

    def _below(self, chosen: Chosen) -> Iterator[Selection]:
        if chosen.entry.is_group:
            for child in chosen.children:
                yield from self._below(child)
        elif chosen.number:
            yield self._selection(chosen)


def _gives_way(chosen: Chosen) -> bool:
    """Whether an entry of a group may be taken back for another: no minimum of its own keeps it."""
    return chosen.entry.bounds[0] == 0


def _most(chosen: Chosen) -> int:
    return chosen.entry.bounds[1] * max(chosen.parent.number if chosen.parent else 1, 1)


def _is_below(parent: Chosen, path: list[str]) -> bool:
    """Whether something lies within entries of these names, the outermost first."""
    line: list[str] = []
    node: Chosen | None = parent
    while node is not None:
        line.append(loose_key(node.entry.name))
        node = node.parent
    names = iter(reversed(line))
    return all(any(name == wanted for name in names) for wanted in path)


def _counted(text: str) -> tuple[int, str]:
    number, mark, name = text.strip().partition("x ")
    if mark and number.isdecimal() and 1 <= len(number) <= 3 and int(number) > 0:
        return int(number), name.strip()
    return 1, text.strip()
