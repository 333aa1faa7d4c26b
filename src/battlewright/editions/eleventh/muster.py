"""Mustering an army (25): whether a list may be played as it stands, and each rule that it breaks.

Points and keywords are the list's own; what detachments, enhancements, attachments and points tiers are is looked up in
the data package. Something that it does not know is not judged here: the import has already named it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from battlewright.core.decisions import Violation
from battlewright.core.roster import Army, Role
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.army_list import (
    SIZES,
    UPGRADES,
    BattleSize,
    Entry,
    Muster,
    enhancement_key,
    name_key,
    word_key,
)
from battlewright.editions.eleventh.core_abilities import may_attach
from battlewright.editions.eleventh.muster_attachments import choices_of, may_be_attached_to
from battlewright.editions.eleventh.muster_datasheets import composition, unjudged_in, wargear
from battlewright.editions.eleventh.muster_units import keyword_lists
from battlewright.editions.eleventh.package import Record, package_version, records

__all__ = [
    "breaches",
    "most_copies",
    "remarks",
]


Check = Callable[[Muster], Iterator[Violation]]


def breaches(army: Army) -> list[Violation]:
    """Every rule of chapter 25 that the list breaks, in the chapter's order; empty for a legal one."""
    muster = Muster(army)
    return [breach for check in _CHECKS for breach in check(muster)]


# -- size and copies ------------------------------------------------------------------------------------------------


@rule("11e.core.25-battle-size")
def _size(muster: Muster) -> Iterator[Violation]:
    total = max(muster.army.points, sum(unit.points for unit in muster.army.units))
    if total > muster.size.points:
        yield Violation("11e.core.25-battle-size", f"{total} points; {muster.size.name} holds {muster.size.points}")


@rule("11e.core.25-copies", "11e.core.25-battle-size")
def most_copies(size: BattleSize, *, epic_hero: bool, doubled: bool) -> int:
    """How many copies of a datasheet may be taken: one EPIC HERO, twice as many BATTLELINE and DEDICATED TRANSPORT."""
    return 1 if epic_hero else size.copies * (2 if doubled else 1)


@rule("11e.core.25-copies")
def _copies(muster: Muster) -> Iterator[Violation]:
    counts = Counter(name_key(entry.name) for entry in muster.entries)
    for name, count in counts.items():
        entry = next(each for each in muster.entries if name_key(each.name) == name)
        doubled = entry.has("BATTLELINE") or entry.has("DEDICATED TRANSPORT")
        most = most_copies(muster.size, epic_hero=entry.has("EPIC HERO"), doubled=doubled)
        if count > most:
            yield Violation(
                "11e.core.25-copies", f"{count} of {entry.name}; a {muster.size.name} army has {most} at most"
            )


# -- faction and detachments ----------------------------------------------------------------------------------------


def _own_keywords(muster: Muster) -> list[str]:
    """The army faction's keywords, that of the alliance it belongs to left out."""
    words = list(muster.faction["keywords"]) if muster.faction else []
    return words[1:] or words


@rule("11e.ds-keywords.faction-use", "11e.ds-keywords.two-lists")
def _is_of_faction(muster: Muster, entry: Entry) -> bool:
    """Whether a faction keyword of the entry is the army's; where its datasheet is known, no other keyword counts."""
    words, sheet = entry.keywords, muster.sheet(entry)
    if sheet is not None:
        factions, others = keyword_lists(sheet)
        words = words - {word_key(each) for each in others} | {word_key(each) for each in factions}
    return any(word_key(word) in words for word in _own_keywords(muster))


def _alliance(muster: Muster, entry: Entry) -> Record | None:
    """The rule that makes a datasheet of another faction available to the army."""
    sheet, own = muster.sheet(entry), _own_keywords(muster)
    ids = {each["id"] for each in muster.detachments}
    for each in records("allied_rules"):
        listed = each.get("source_datasheet_ids")
        known = sheet is not None and (
            sheet["id"] in listed if listed else sheet["faction_id"] == each["source_faction_id"]
        )
        asked = each.get("detachment_ids")
        if known and set(each.get("army_keywords_any") or own) & set(own) and (not asked or ids & set(asked)):
            return each
    return None


@rule("11e.core.25-faction")
def _faction(muster: Muster) -> Iterator[Violation]:
    if muster.faction is None:
        return
    for entry in muster.entries:
        if not _is_of_faction(muster, entry) and _alliance(muster, entry) is None:
            yield Violation("11e.core.25-faction", f"{entry.name} does not belong to {muster.army.faction}")


@rule("11e.core.25-detachments", "11e.core.25-incursion-detachment")
def _detachments(muster: Muster) -> Iterator[Violation]:
    rule_id, found = "11e.core.25-detachments", muster.detachments
    if not muster.army.detachments:
        yield Violation(rule_id, "the list names no detachment")
    for name, count in Counter(each["name"] for each in found).items():
        if count > 1:
            yield Violation(rule_id, f"{name} is taken {count} times; detachments have to be different")
    for each in found:
        if muster.family and each["faction_id"] not in muster.family:
            yield Violation(rule_id, f"{each['name']} is no detachment of {muster.army.faction}")
    cost = sum(each.get("detachment_points") or 0 for each in found)
    alone = len(found) == 1 and muster.size is SIZES[0] and cost == 3
    if cost > muster.size.detachment_points and not alone:
        most = muster.size.detachment_points
        yield Violation(rule_id, f"detachments of {cost} points; a {muster.size.name} army has {most} at most")


@rule("11e.core.25-detachment-limits")
def _detachment_limits(muster: Muster) -> Iterator[Violation]:
    rule_id = "11e.core.25-detachment-limits"
    tags = Counter(tag for each in muster.detachments for tag in each.get("tags") or ())
    for tag, count in tags.items():
        if count > 1:
            yield Violation(rule_id, f'{count} detachments with the tag "{tag}"; one at most is taken')
    army_words = {word_key(word) for word in (muster.faction["keywords"] if muster.faction else ())}
    for each in muster.detachments:
        limits = each.get("restrictions") or {}
        for entry in muster.entries:
            words = entry.keywords | army_words if _is_of_faction(muster, entry) else entry.keywords
            barred = [word for word in limits.get("excluded_keywords") or () if word_key(word) in words]
            missing = [word for word in limits.get("required_keywords") or () if word_key(word) not in words]
            if barred:
                yield Violation(rule_id, f"{entry.name} is {barred[0]}, which {each['name']} forbids")
            if missing:
                yield Violation(rule_id, f"{entry.name} is not {missing[0]}, which {each['name']} requires")
        for least in each.get("unit_minimums") or ():
            count = sum(entry.has(least["keyword"]) for entry in muster.entries)
            if count < least["min"]:
                text = f"{each['name']} requires {least['min']} units of {least['keyword']}, the list has {count}"
                yield Violation(rule_id, text)


@rule("11e.core.mission.dispositions")
def _disposition(muster: Muster) -> Iterator[Violation]:
    chosen = muster.army.disposition
    offered = {name_key(name).replace("-", " ") for each in muster.detachments for name in each["force_dispositions"]}
    if chosen is not None and offered and name_key(chosen).replace("-", " ") not in offered:
        yield Violation("11e.core.mission.dispositions", f"no detachment offers the disposition {chosen}")


# -- warlord and attachments ----------------------------------------------------------------------------------------


@rule("11e.core.25-warlord")
def _warlord(muster: Muster) -> Iterator[Violation]:
    rule_id = "11e.core.25-warlord"
    named = [entry for entry in muster.entries if entry.component.warlord]
    if len(named) != 1:
        names = ", ".join(entry.name for entry in named) or "none"
        yield Violation(rule_id, f"one model is the WARLORD, the list names {names}")
    barred = [entry for entry in muster.entries if entry.has_rule("cannot-be-warlord")]
    # "Must be" gives way to "cannot be".
    must = [entry for entry in muster.entries if entry.has_rule("must-be-warlord") and entry not in barred]
    for entry in must:
        if not entry.component.warlord and not any(each.component.warlord for each in must):
            yield Violation(rule_id, f"{entry.name} must be the WARLORD")
    for entry in named:
        if entry in barred:
            yield Violation(rule_id, f"{entry.name} cannot be the WARLORD")
        if not entry.has("CHARACTER"):
            yield Violation(rule_id, f"{entry.name}, the WARLORD, is no CHARACTER")
        if muster.faction is not None and not _is_of_faction(muster, entry):
            yield Violation(rule_id, f"{entry.name}, the WARLORD, does not belong to {muster.army.faction}")


@rule(
    "11e.core.25-attachments",
    "11e.24.22-leader.limit-one-each",
    "11e.24.34-support.limit-one-each",
    "11e.core.19.01-attaching",
)
def _attachments(muster: Muster) -> Iterator[Violation]:
    for unit in muster.army.units:
        joined: list[Role] = []
        for component in unit.components[1:]:
            if not may_attach(component.role, joined):
                text = f"{unit.components[0].name} has two of the role {component.role.value}"
                yield Violation("11e.core.25-attachments", text)
            joined.append(component.role)
    for entry in muster.entries:
        yield from _pairing(muster, entry)


@rule("11e.core.25-attachments", "11e.core.19.01-support-must-attach", "11e.ds-composition.other-rules")
def _pairing(muster: Muster, entry: Entry) -> Iterator[Violation]:
    """Whether it is attached to a unit that it may lead or support, and not left alone where it has to be attached."""
    sheet, guard = muster.sheet(entry), entry.unit.components[0]
    if sheet is None:
        return
    if entry.component is guard:
        if sheet.get("attachment_role") == "support":
            yield Violation("11e.core.25-attachments", f"{entry.name} is SUPPORT and has to be attached to a unit")
        return
    if may_be_attached_to(muster, entry, guard.name) is False:
        yield Violation("11e.core.25-attachments", f"{entry.name} cannot be attached to {guard.name}")


# -- enhancements ---------------------------------------------------------------------------------------------------


@rule("11e.core.25-enhancements", "11e.core.25-upgrades", "11e.core.25-battle-size")
def _enhancements(muster: Muster) -> Iterator[Violation]:
    rule_id = "11e.core.25-enhancements"
    bearers = [entry for entry in muster.entries if entry.component.enhancement]
    taken = Counter(enhancement_key(str(entry.component.enhancement)) for entry in bearers)
    upgrades = {enhancement_key(str(each.component.enhancement)) for each in bearers if muster.is_upgrade(each)}
    counted = sum(1 if name in upgrades else count for name, count in taken.items())
    if counted > muster.size.enhancements:
        most = muster.size.enhancements
        yield Violation(rule_id, f"{counted} enhancements; a {muster.size.name} army has {most} at most")
    for name, count in taken.items():
        if count > (UPGRADES if name in upgrades else 1):
            where = "11e.core.25-upgrades" if name in upgrades else rule_id
            yield Violation(where, f'the enhancement "{name}" is taken {count} times')
    for entry in bearers:
        yield from _bearer(muster, entry)
    for first, second in pairwise(sorted(bearers, key=lambda each: each.unit.id)):
        if first.unit is second.unit:
            yield Violation(rule_id, f"{first.unit.name} has two enhancements; an attached unit is one unit")


@rule("11e.core.25-enhancements", "11e.core.25-upgrades")
def _bearer(muster: Muster, entry: Entry) -> Iterator[Violation]:
    rule_id, name = "11e.core.25-enhancements", entry.component.enhancement
    if not entry.has("CHARACTER") and not muster.is_upgrade(entry):
        yield Violation(rule_id, f'{entry.name} has the enhancement "{name}" and is no CHARACTER')
    if entry.has("EPIC HERO"):
        yield Violation(rule_id, f'{entry.name} has the enhancement "{name}" and is an EPIC HERO')
    found = muster.enhancement(entry)
    if found is None:
        return
    if muster.detachments and found["detachment_id"] not in [each["id"] for each in muster.detachments]:
        yield Violation(rule_id, f'"{name}" belongs to none of the army\'s detachments')
    words = entry.keywords | {word_key(word) for word in (muster.faction["keywords"] if muster.faction else ())}
    groups = found.get("keyword_restriction_groups") or [found.get("keyword_restrictions") or []]
    if not any(all(word_key(word) in words for word in group) for group in groups):
        wanted = " or ".join(" ".join(group) for group in groups)
        yield Violation(rule_id, f'"{name}" is for {wanted}, which {entry.name} is not')
    barred = [word for word in found.get("exclusion_keywords") or () if word_key(word) in entry.keywords]
    if barred:
        yield Violation(rule_id, f'"{name}" is not for {barred[0]}, which {entry.name} is')


# -- points ---------------------------------------------------------------------------------------------------------


@rule("11e.core.25-points")
def price(sheet: Record, models: int, copy: int, faction: Record | None) -> int:
    """What the data package asks for a unit, wargear left out: the bracket of its size, the next one up if between.

    Args:
        sheet: the datasheet's record.
        models: in the unit.
        copy: the number of this copy of the datasheet in the army, from 1; some cost more from a certain one on.
        faction: the army's, for units that cost another army something else.
    """
    from wh40kdc.data.pricing import host_points_tiers

    tiers = [
        tier
        for tier in host_points_tiers(dict(sheet), dict(faction) if faction else None)
        if (tier.get("unit_count_min") or 1) <= copy <= (tier.get("unit_count_max") or copy)
    ]
    tiers.sort(key=lambda tier: int(tier["models"]))
    return next((int(tier["cost"]) for tier in tiers if models <= _most_models(tier)), int(tiers[-1]["cost"]))


def _most_models(tier: Record) -> int:
    return int(tier.get("models_max") or tier["models"])


@rule("11e.core.25-points")
def _points(muster: Muster) -> Iterator[Violation]:
    """Whether the army keeps within its size by the data package's points, which may be other than the list's own.

    RULING: 11e.core.25-points points change from month to month; an entry whose points are others than the data
    package's breaks no rule, an army that is too large by them does.
    """
    copies: Counter[str] = Counter()
    total = 0
    for entry in muster.entries:
        sheet = muster.sheet(entry)
        if sheet is None or not sheet.get("points"):
            total += entry.component.points
            continue
        copies[sheet["id"]] += 1
        total += price(sheet, entry.models, copies[sheet["id"]], muster.faction)
        total += (muster.enhancement(entry) or {}).get("cost") or 0
    if total > muster.size.points >= muster.army.points:
        text = f"{total} points by the data package {package_version()}; {muster.size.name} holds {muster.size.points}"
        yield Violation("11e.core.25-points", text)


def remarks(army: Army) -> list[str]:
    """What of a list is not judged for want of data, and whom leaders and supports that stand alone may be attached to.

    One sentence each.
    """
    return [*unjudged_in(Muster(army)), *choices_of(army)]


_CHECKS: Sequence[Check] = (
    _size,
    _copies,
    _faction,
    _detachments,
    _detachment_limits,
    _disposition,
    _warlord,
    _attachments,
    _enhancements,
    _points,
    composition,
    wargear,
)
