"""What the rulebook says about itself: how much of it is enforced, where, and what a search found.

An entry is covered when code cites it and a passing test that is marked with its id called that code. The tests
measure this and keep the covered ids in ``rulebook/coverage.json``, one a line; the reports here read that file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from battlewright.core import rulebook
from battlewright.core.rulebook import Chapter, RuleEntry

__all__ = [
    "COVERAGE_FILE",
    "ChapterCoverage",
    "CitedIn",
    "chapter_report",
    "cited_in",
    "coverage_report",
    "entry_report",
    "measure",
    "read_coverage",
    "search_report",
    "write_coverage",
]

PACKAGE = Path(__file__).resolve().parent.parent
COVERAGE_FILE = PACKAGE / "rulebook" / "coverage.json"


@dataclass(frozen=True, slots=True)
class ChapterCoverage:
    """How many of a chapter's entries count, how many of those are covered, and which are not."""

    chapter: Chapter
    entries: int
    covered: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CitedIn:
    """A place in the package that cites an entry: its path below the package, its line and its name."""

    path: str
    line: int
    name: str


# --- coverage --------------------------------------------------------------------------------------------------


def read_coverage(path: Path = COVERAGE_FILE) -> frozenset[str]:
    """The ids that the committed file calls covered; none where there is no file."""
    if not path.exists():
        return frozenset()
    content = json.loads(path.read_bytes())
    return frozenset(rule_id for books in content.values() for ids in books.values() for rule_id in ids)


def write_coverage(covered: Collection[str], path: Path = COVERAGE_FILE) -> None:
    """Keep the covered ids, by edition and book, sorted and one a line; counts are left out, so that two
    developers' additions merge."""
    content = {
        edition: {
            book: sorted(entry.id for entry in _counted(edition, book) if entry.id in covered)
            for book in rulebook.BOOKS
        }
        for edition in rulebook.EDITIONS
    }
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def measure(covered: Collection[str], edition: str | None = None) -> dict[str, dict[str, dict[str, Any]]]:
    """These covered ids in the shape that ``battlewright rules --coverage --json`` prints."""
    report: dict[str, dict[str, dict[str, Any]]] = {}
    for each in rulebook.EDITIONS if edition is None else (edition,):
        report[each] = {}
        for book in rulebook.BOOKS:
            counted = _counted(each, book)
            missing = [entry.id for entry in counted if entry.id not in covered]
            report[each][book] = {
                "entries": len(counted),
                "covered": len(counted) - len(missing),
                "missing": missing,
            }
    return report


def coverage_report(edition: str | None = None) -> dict[str, dict[str, dict[str, Any]]]:
    """The committed coverage: ``{"11": {"ledger": {"entries", "covered", "missing": [ids]}, "core": {...}}}``."""
    return measure(read_coverage(), edition)


def chapter_report(edition: str, book: str | None = None) -> tuple[ChapterCoverage, ...]:
    """The committed coverage of each chapter of an edition, in the order of the rulebook."""
    covered = read_coverage()
    chapters: dict[Chapter, list[str]] = {chapter: [] for chapter in rulebook.chapters(edition, book)}
    for entry in _counted(edition, book):
        chapters[entry.chapter].append(entry.id)
    return tuple(
        ChapterCoverage(chapter, len(ids), len(covered.intersection(ids)), tuple(sorted(set(ids) - covered)))
        for chapter, ids in chapters.items()
    )


def _counted(edition: str, book: str | None) -> list[RuleEntry]:
    return [entry for entry in rulebook.entries(edition, book) if entry.counts]


# --- looking up ------------------------------------------------------------------------------------------------


def search_report(
    query: str, edition: str | None = None, lang: str | None = None, limit: int = 50
) -> list[dict[str, Any]]:
    """What a search found, as JSON values.

    Each entry carries ``covered``, ``code`` (where the package cites it) and ``terms``: the glossary's words for
    its terms in ``lang``, or in the language of its source.
    """
    covered = read_coverage()
    return [_told(each.entry, covered, lang) for each in rulebook.search(query, edition, lang, limit)]


def entry_report(rule_id: str, lang: str | None = None, covered: Collection[str] | None = None) -> dict[str, Any]:
    """One entry as :func:`search_report` tells it.

    Args:
        covered: the ids that count as covered; those of the committed file when None.

    Raises:
        UnknownRule: with the nearest id.
    """
    return _told(rulebook.entry(rule_id), read_coverage() if covered is None else covered, lang)


def _told(entry: RuleEntry, covered: Collection[str], lang: str | None) -> dict[str, Any]:
    languages = [lang] if lang not in (None, "en") else sorted(set(rulebook.glossary(entry.edition)) - {"en"})
    terms = {term: words for one in languages if one for term, words in rulebook.local_terms(entry, one).items()}
    return entry.to_json() | {
        "covered": entry.id in covered,
        "code": [f"{place.path}:{place.line} {place.name}" for place in _places().get(entry.id, ())],
        "terms": {term: list(words) for term, words in terms.items()},
    }


@cache
def _places() -> Mapping[str, tuple[CitedIn, ...]]:
    """Where this package cites each entry; its source does not change while it runs."""
    return cited_in()


_CITATION = re.compile(r"^[ \t]*@(?:\w+\.)?rule\(([^)]*)\)", re.MULTILINE)
_NAME = re.compile(r"^[ \t]*(?:async def|def|class)\s+(\w+)", re.MULTILINE)
_TEXT = re.compile(r"[\"']([^\"']+)[\"']")


def cited_in(package: Path = PACKAGE) -> Mapping[str, tuple[CitedIn, ...]]:
    """Every place in the package's source that cites an entry, without importing the code."""
    places: dict[str, list[CitedIn]] = {}
    for rule_id, place in _citations_in(package):
        places.setdefault(rule_id, []).append(place)
    return {rule_id: tuple(found) for rule_id, found in places.items()}


def _citations_in(package: Path) -> Iterator[tuple[str, CitedIn]]:
    for path in sorted(package.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for citation in _CITATION.finditer(text):
            name = _NAME.search(text, citation.end())
            line = text.count("\n", 0, citation.start()) + 1
            place = CitedIn(path.relative_to(package).as_posix(), line, name[1] if name else "")
            for rule_id in _TEXT.findall(citation[1]):
                if rulebook.is_known(rule_id):
                    yield rule_id, place
