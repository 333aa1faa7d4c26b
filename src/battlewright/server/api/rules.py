"""``/api/rules``: the rulebook of four editions: searching it, one entry, its chapters, how much of it is enforced."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query

from battlewright.core import rulebook
from battlewright.core.errors import BadInput
from battlewright.core.rulebook_report import chapter_report, coverage_report, entry_report, read_coverage
from battlewright.editions.edition import EDITIONS, find_edition
from battlewright.server.api.refusals import REFUSALS
from battlewright.server.forms import (
    ChapterInfo,
    DecidedTold,
    DifferencesTold,
    DifferenceTold,
    EditionNamed,
    RulesFound,
    RulesOfEdition,
    RuleTold,
)

__all__ = ["router"]

router = APIRouter(prefix="/api/rules", tags=["rules"], responses=REFUSALS)

_MOST_FOUND = 2_000

EditionId = Annotated[str | None, Query(max_length=4)]
Lang = Annotated[str | None, Query(max_length=4, description="en, hu, ru or de: the language of the query's terms")]


@router.get("")
def search(
    q: Annotated[str, Query(max_length=200)] = "",
    edition: EditionId = None,
    lang: Lang = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> RulesFound:
    """The entries that words, a term of the glossary or an id find, by edition, best first."""
    _check(edition, lang)
    told, covered = {}, read_coverage()
    for each in rulebook.EDITIONS if edition is None else (edition,):
        found = rulebook.search(q, each, lang, _MOST_FOUND)
        told[each] = RulesOfEdition(count=len(found), entries=[_told(one.entry.id, covered) for one in found[:limit]])
    return RulesFound(query=q, editions=told)


@router.get("/chapters")
def chapters(edition: EditionId = None) -> dict[str, list[ChapterInfo]]:
    """The chapters of each edition's books in their order, with how many of their entries are enforced."""
    _check(edition, None)
    return {
        each: [
            ChapterInfo(**row.chapter._asdict(), entries=row.entries, covered=row.covered)
            for row in chapter_report(each)
        ]
        for each in (rulebook.EDITIONS if edition is None else (edition,))
    }


@router.get("/chapters/{edition}/{chapter}")
def chapter(
    edition: Annotated[str, Path(max_length=4)], chapter: Annotated[str, Path(max_length=120)]
) -> list[RuleTold]:
    """Every entry of one chapter, in the order of the rulebook."""
    _check(edition, None)
    covered = read_coverage()
    return [_told(each.id, covered) for each in rulebook.entries(edition) if each.chapter.id == chapter]


@router.get("/editions")
def editions() -> list[EditionNamed]:
    """The editions of the rulebook in their order, and which of them can be compared entry by entry."""
    found = (EDITIONS[each] for each in rulebook.EDITIONS)
    return [
        EditionNamed(id=each.id, ordinal=each.ordinal, title=each.title, compares="table" in each.parts)
        for each in found
    ]


@router.get("/differences/{first}/{second}")
def differences(
    first: Annotated[str, Path(max_length=4)], second: Annotated[str, Path(max_length=4)]
) -> DifferencesTold:
    """What the second edition decides otherwise than the first, as ``battlewright rules --diff`` tells it."""
    _check(first, None)
    _check(second, None)
    edition = find_edition(first)
    chapters: dict[str, list[DifferenceTold]] = {}
    for name, pair in sorted(edition.diff(find_edition(second)).items()):
        is_clear = all(each is None or each.describes_itself for each in pair)
        told = DifferenceTold(
            entry=name,
            about="" if is_clear else edition.about(name),
            first=_decided(pair[0]),
            second=_decided(pair[1]),
        )
        chapters.setdefault(name.partition(".")[0].replace("_", " "), []).append(told)
    return DifferencesTold(first=first, second=second, chapters=chapters)


def _decided(told: Any) -> DecidedTold | None:
    """How one edition decides an entry; None where it has nothing of the kind."""
    if told is None:
        return None
    origin = told.origin
    if origin is None:
        return DecidedTold(does=told.does, rules=[])
    return DecidedTold(does=told.does, rules=list(origin.rules), code=f"{origin.file}:{origin.line}")


@router.get("/coverage")
def coverage(edition: EditionId = None) -> dict[str, dict[str, dict[str, Any]]]:
    """How many entries code enforces and tests hold, by edition and book, and which are missing."""
    _check(edition, None)
    return coverage_report(edition)


@router.get("/glossary")
def glossary(lang: Lang = None) -> dict[str, dict[str, dict[str, list[str]]]]:
    """Our English terms and the words that the editions' source texts use for them, by language and edition."""
    _check(None, lang)
    found: dict[str, dict[str, dict[str, list[str]]]] = {}
    for edition in rulebook.EDITIONS:
        for language, terms in rulebook.glossary(edition).items():
            if terms and lang in (None, language):
                found.setdefault(language, {})[edition] = {term: list(words) for term, words in terms.items()}
    return found


@router.get("/{rule_id}")
def one(rule_id: Annotated[str, Path(max_length=200)]) -> RuleTold:
    """One entry in full: its case, its values, where the code applies it, whether a test holds it."""
    return _told(rule_id)


def _check(edition: str | None, lang: str | None) -> None:
    if edition is not None and edition not in rulebook.EDITIONS:
        raise BadInput(f'there is no edition "{edition}"', where="edition", expected=" or ".join(rulebook.EDITIONS))
    if lang is not None and lang not in rulebook.LANGUAGES:
        raise BadInput(f'there is no glossary for "{lang}"', where="lang", expected=" or ".join(rulebook.LANGUAGES))


def _told(rule_id: str, covered: Collection[str] | None = None) -> RuleTold:
    return RuleTold.model_validate(entry_report(rule_id, covered=covered))
