"""How units are made up by their datasheets (02): how many models of which kinds, and with which wargear.

What the data package says of a datasheet is read into a :class:`UnitSheet`; the judgements are on such values, so that
they can be asked of any. Where the package says nothing there is nothing to judge: :func:`unjudged` names it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.package import Record, records

__all__ = [
    "Kind",
    "UnitSheet",
    "WargearFault",
    "WargearOption",
    "composition_faults",
    "keyword_lists",
    "sheet_of",
    "unjudged_of",
    "wargear_faults",
]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of model of a datasheet: how many there may be, and the names of its default wargear, one for a copy."""

    name: str
    least: int
    most: int
    default: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WargearOption:
    """A wargear option: what it gives, to how many models.

    Attributes:
        gives: sets of weapons between which the controller chooses.
        kind: the kind of model that has the option; any when empty.
        per_models: one for every so many models of the unit; 0 where that is no limit.
        most: in the unit, or for every ``per_models``; 0 for as many as there are models.
    """

    gives: tuple[tuple[str, ...], ...]
    kind: str = ""
    per_models: int = 0
    most: int = 0

    def times(self, models: int, of_kind: int) -> int:
        """How often a unit of so many models, so many of them of its kind, may take it."""
        if self.per_models:
            return models // self.per_models * max(1, self.most)
        return min(self.most, models) if self.most else of_kind


@dataclass(frozen=True, slots=True)
class UnitSheet:
    """What is known of how a unit is made up.

    Attributes:
        sizes: the ways in which the unit may be made up, each a minimum and maximum for each kind of model.
        is_complete: whether every kind of model has default wargear, and all that the datasheet lists, or that its
            options take away, is among the defaults and what the options give.
    """

    name: str
    sizes: tuple[tuple[Kind, ...], ...]
    options: tuple[WargearOption, ...] = ()
    is_complete: bool = True

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Every kind of model, as the first way names it."""
        return tuple({_key(kind.name): kind for size in reversed(self.sizes) for kind in size}.values())

    def kind_of(self, model: str) -> Kind | None:
        """The kind of model that a list calls so: of that name, or the only one, or the only one whose words it has."""
        same = [kind for kind in self.kinds if _key(kind.name) == _key(model)]
        if same or len(self.kinds) == 1:
            return (same or list(self.kinds))[0]
        near = [kind for kind in self.kinds if _is_part(kind.name, model)]
        return near[0] if len(near) == 1 else None


def _key(text: str) -> str:
    """A name as it is compared: without case, hyphens, apostrophes and plurals."""
    plain = text.casefold().replace("\u2019", "'").replace("'s ", " ").replace("'", "")
    return " ".join(word.rstrip("s") for word in plain.replace("-", " ").replace("\u2011", " ").split())


def _is_part(name: str, of: str) -> bool:
    return set(_key(name).split()) <= set(_key(of).split())


# -- reading the data package -----------------------------------------------------------------------------------


@cache
def _by_unit(collection: str) -> Mapping[tuple[str, str], list[Record]]:
    found: dict[tuple[str, str], list[Record]] = {}
    for each in records(collection):
        found.setdefault((each["faction_id"], each["unit_id"]), []).append(each)
    return found


@cache
def _weapon_names() -> Mapping[tuple[str, str], str]:
    return {(each["faction_id"], each["id"]): str(each["name"]) for each in records("weapons")}


def sheet_of(record: Record) -> UnitSheet | None:
    """What the data package knows of a datasheet; None where it does not know the unit's composition."""
    faction, place = record["faction_id"], (record["faction_id"], record["id"])
    known = _by_unit("unit_compositions").get(place)
    if not known:
        return None
    rows = known[0]["models"]
    defaults = {row["name"]: tuple(row.get("default_weapon_ids") or ()) for row in rows}
    tiers = [tier["models"] for tier in known[0].get("tiers") or ()] or [rows]
    options = [*_options(place), *_variants(rows), *_budgets(record)]
    listed = _by_unit("wargear_options").get(place, ())
    reached = {each for ids in defaults.values() for each in ids}
    reached |= {each for option in options for choice in option.gives for each in choice}
    return UnitSheet(
        name=str(record["name"]),
        sizes=tuple(
            tuple(
                Kind(row["name"], row["min"], row["max"], _named(faction, defaults.get(row["name"], ())))
                for row in tier
            )
            for tier in tiers
        ),
        options=tuple(
            WargearOption(
                tuple(_named(faction, choice) for choice in option.gives), option.kind, option.per_models, option.most
            )
            for option in options
        ),
        is_complete=all(defaults.values())
        and set(record.get("weapon_ids") or ()) <= reached
        and not any(_takes_what_nobody_has(each, record, defaults) for each in listed),
    )


def _takes_what_nobody_has(option: Record, record: Record, defaults: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether an option replaces a weapon that is no model's default and that no other option gives."""
    given = {item for ids in defaults.values() for item in ids}
    for each in _by_unit("wargear_options")[record["faction_id"], record["id"]]:
        if not set(each.get("replaces") or ()) & set(option.get("replaces") or ()):
            given |= set(each.get("replacement") or ())
            given |= {item for choice in each.get("replacement_choice") or () for item in choice}
    return not set(option.get("replaces") or ()) <= given


def _named(faction: str, ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(_weapon_names().get((faction, each), each) for each in ids)


def _options(place: tuple[str, str]) -> Iterator[WargearOption]:
    for each in _by_unit("wargear_options").get(place, ()):
        limits = each["model_constraint"]
        choices = [tuple(each.get("replacement") or ()), *(map(tuple, each.get("replacement_choice") or ()))]
        most = limits.get("max_count", 0)
        if limits.get("any_number"):
            most = 0  # of models that take it; what else stands beside it counts copies on one model
            choices = [choice * max(1, limits.get("max_count", 1)) for choice in choices]
        yield WargearOption(tuple(choices), limits.get("model_name", ""), limits.get("per_n_models", 0), most)


def _variants(rows: Iterable[Record]) -> Iterator[WargearOption]:
    """Models of a kind that are made with other wargear than most."""
    for row in rows:
        for each in row.get("loadout_variants") or ():
            yield WargearOption((tuple(each["weapon_ids"]),), row["name"], 0, each.get("max_count") or 0)


def _budgets(record: Record) -> Iterator[WargearOption]:
    """Items of which the unit has so many, or so many for each so many models."""
    for each in record.get("wargear_budgets") or ():
        choices = tuple((item,) for item in each["items"])
        yield WargearOption(choices, "", each.get("per_models") or 0, each["count"])


# -- judging ----------------------------------------------------------------------------------------------------


@rule("11e.ds-composition.number-and-types")
def composition_faults(sheet: UnitSheet, models: Iterable[str]) -> list[str]:
    """What is wrong with a unit of these models, by the names that the list gives them; empty when nothing is.

    Where the list calls its models otherwise than the datasheet, only their number is judged.
    """
    names = list(models)
    sums = [(sum(kind.least for kind in size), sum(kind.most for kind in size)) for size in sheet.sizes]
    if not any(least <= len(names) <= most for least, most in sums):
        allowed = " or ".join(f"{least} to {most}" if least < most else str(least) for least, most in sums)
        return [f"{sheet.name} has {len(names)} models; its datasheet has {allowed}"]
    kinds = [sheet.kind_of(name) for name in names]
    if None in kinds:
        return []
    counts = Counter(_key(kind.name) for kind in kinds if kind is not None)
    if any(all(kind.least <= counts[_key(kind.name)] <= kind.most for kind in size) for size in sheet.sizes):
        return []
    told = ", ".join(f"{counts[_key(kind.name)]} {kind.name}" for kind in sheet.kinds if counts[_key(kind.name)])
    asked = " or ".join(", ".join(f"{kind.least} to {kind.most} {kind.name}" for kind in size) for size in sheet.sizes)
    return [f"{sheet.name} has {told}; its datasheet has {asked}"]


@dataclass(frozen=True, slots=True)
class WargearFault:
    """What a unit carries beyond what its datasheet gives it.

    Attributes:
        is_listed: whether the datasheet knows the weapon at all, so that it is only too many.
        may_be_renamed: whether a weapon of the datasheet is called much alike, so that it may be the same in a list
            of another date; a close combat weapon may be any.
    """

    weapon: str
    text: str
    is_listed: bool
    may_be_renamed: bool = False


@rule("11e.ds-wargear.options", "11e.ds-wargear.only-listed", "11e.ds-composition.default-wargear")
def wargear_faults(sheet: UnitSheet, models: Mapping[str, int], weapons: Mapping[str, int]) -> list[WargearFault]:
    """What a unit carries that neither its default wargear nor its options can give it; empty when nothing.

    Args:
        models: how many of them the list has, by the names that it gives them.
        weapons: how many copies of each weapon the unit carries.

    Lists count weapons for a group of models, so that the unit is judged as a whole: how many copies of a weapon its
    models can have at most.
    """
    total, most = sum(models.values()), _most_copies(sheet, models)
    words = {word for name in most for word in name.split()} - _COMMON
    found = []
    for name, number in weapons.items():
        allowed = most.get(_key(name))
        if allowed is None:
            text = f'{sheet.name} has "{name}", which neither its default wargear nor a wargear option gives it'
            alike = _key(name) == _key("Close combat weapon") or bool(words & set(_key(name).split()))
            found.append(WargearFault(name, text, is_listed=False, may_be_renamed=alike))
        elif number > allowed:
            text = f'{sheet.name} has {number} of "{name}"; with {total} models it has {allowed} at most'
            found.append(WargearFault(name, text, is_listed=True))
    return found


_COMMON = frozenset({"and", "of", "the", "weapon", "gun", "pistol", "blade"})


def _most_copies(sheet: UnitSheet, models: Mapping[str, int]) -> Counter[str]:
    """How many copies of each weapon, by its key, the models can have; a model of no known kind may be of any."""
    total = sum(models.values())
    counts: Counter[str] = Counter()
    for name, number in models.items():
        kind = sheet.kind_of(name)
        for each in [kind] if kind is not None else sheet.kinds:
            counts[each.name] += number
    most: Counter[str] = Counter()
    for kind in sheet.kinds:
        for item in kind.default:
            most[_key(item)] += counts[kind.name]
    for option in sheet.options:
        own = sum(number for name, number in counts.items() if _is_part(option.kind, name))
        times = option.times(total, own if option.kind else total)
        for item in {_key(each) for choice in option.gives for each in choice}:
            most[item] += times * max(sum(_key(each) == item for each in choice) for choice in option.gives)
    return most


@rule("11e.ds-keywords.two-lists")
def keyword_lists(record: Record) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The two groups of keywords of a datasheet, in capitals: those of the faction and all others."""
    factions = tuple(str(each).upper() for each in record["faction_keywords"])
    return factions, tuple(str(each).upper() for each in record["keywords"])


def unjudged_of(name: str, sheet: UnitSheet | None) -> str:
    """What the data package does not tell of a unit, in one sentence; empty when it tells everything."""
    if sheet is None:
        return f"{name}: the data package has no unit composition; its size and wargear are not judged"
    if not sheet.is_complete:
        return f"{name}: the data package does not account for all of its weapons; its wargear is not judged"
    return ""
