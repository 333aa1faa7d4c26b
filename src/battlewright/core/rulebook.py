"""The rulebook: its entries, the code that cites them, and a search over both.

``@rule("4e.obscured.half-hidden")`` says that a function or a class implements an entry. An unknown id fails at
import. The decorator returns what it was given, so that a call costs nothing; the code is remembered beside the
id, and the tests measure which cited code a test has called.

The entries ship as JSON with a small index of ids, which is all that ``@rule`` reads. In a checkout whose JSON is
missing or older than the YAML, the YAML is read instead, which takes some 0.1 s; ``tools/build_rulebook.py`` builds
the JSON.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple, TypeVar

from battlewright.core.errors import UnknownRule

__all__ = [
    "BOOKS",
    "EDITIONS",
    "LANGUAGES",
    "Chapter",
    "Citation",
    "Found",
    "RuleEntry",
    "chapters",
    "citations",
    "cited_codes",
    "cited_rules",
    "entries",
    "entry",
    "glossary",
    "is_known",
    "local_terms",
    "nearest_rule",
    "rule",
    "rulebook_version",
    "rules_of",
    "search",
]

EDITIONS = ("3", "4", "6", "11")
"""The editions, by the number that commands and headers use."""
LANGUAGES = ("en", "hu", "ru", "de")
BOOKS = ("ledger", "core")
"""``ledger`` holds the entries told with a case (given, when, then); ``core`` the rest of the core rules as facts."""

T = TypeVar("T")


class Chapter(NamedTuple):
    """A heading of the rulebook with the entries under it; ``where`` is its place in the edition's own book."""

    id: str
    title: str
    where: str
    edition: str
    book: str


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """One rule, in our own words.

    ``given``, ``when`` and ``then`` tell a case that a test asserts; entries of the core rules may leave them empty.
    ``kind`` is one of must, may, cannot, exception, modifier, sequence, definition, table, option, advice.
    ``confidence`` is high, medium or low; empty where the source text itself says the rule. ``section`` is the
    number in the edition's own book. An option has ``values`` and a ``default``.
    """

    id: str
    rule: str
    kind: str
    chapter: Chapter
    phase: str = ""
    given: str = ""
    when: str = ""
    then: str = ""
    note: str = ""
    confidence: str = ""
    section: str = ""
    values: tuple[object, ...] = ()
    default: object = None
    table: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def edition(self) -> str:
        """``"3"``, ``"4"``, ``"6"`` or ``"11"``."""
        return self.chapter.edition

    @property
    def book(self) -> str:
        """``"ledger"`` or ``"core"``."""
        return self.chapter.book

    @property
    def counts(self) -> bool:
        """Whether coverage counts the entry; advice has nothing to enforce."""
        return self.kind != "advice"

    def to_json(self) -> dict[str, Any]:
        """The entry as JSON values, empty fields left out."""
        fields = {
            "id": self.id,
            "edition": self.edition,
            "book": self.book,
            "chapter": self.chapter.title,
            "where": self.chapter.where,
            "section": self.section,
            "kind": self.kind,
            "phase": self.phase,
            "rule": self.rule,
            "given": self.given,
            "when": self.when,
            "then": self.then,
            "values": list(self.values),
            "default": self.default,
            "table": dict(self.table),
            "confidence": self.confidence,
            "note": self.note,
        }
        return {name: value for name, value in fields.items() if value not in ("", None, [], {})}


class Citation(NamedTuple):
    """A function or class that says it implements an entry, with the code that a test may be seen to call."""

    rule_id: str
    module: str
    qualname: str
    codes: tuple[CodeType, ...]
    forget: Callable[[], None] | None = None
    """Empties the cache in front of the code, so that a test sees the code called."""


class Found(NamedTuple):
    """A search result; the higher the score the better the match."""

    entry: RuleEntry
    score: float


# --- the books on disk -----------------------------------------------------------------------------------------


@cache
def _folder() -> Path:
    return Path(__file__).resolve().parent.parent / "rulebook"


@cache
def _sources() -> Mapping[str, Any] | None:
    """The YAML, when the JSON cannot be used; None when it can."""
    from battlewright.core import rulebook_source

    if rulebook_source.is_current(_folder()):
        return None
    return rulebook_source.read_sources(_folder())


@cache
def _index() -> Mapping[str, str]:
    """The file, by its stem, that holds each id."""
    if (sources := _sources()) is not None:
        from battlewright.core import rulebook_source

        by_file = rulebook_source.read_index(dict(sources))
    else:
        by_file = json.loads((_folder() / "index.json").read_bytes())
    return {rule_id: stem for stem, ids in by_file.items() for rule_id in ids}


@cache
def rulebook_version() -> str:
    """Eight hexadecimal digits that stand for the entries the rulebook holds; part of a saved battle's header."""
    return hashlib.blake2b("\n".join(sorted(_index())).encode(), digest_size=4).hexdigest()


class _Book:
    """One file of the rulebook, read when it is first asked for."""

    def __init__(self, stem: str) -> None:
        sources = _sources()
        content = sources[stem] if sources else json.loads((_folder() / f"{stem}.json").read_bytes())
        self.language: str = content["language"]
        self.glossary: Mapping[str, tuple[str, ...]] = {
            term: tuple(local) for term, local in content.get("glossary", {}).items()
        }
        self.edition: str = content["edition"]
        self.book: str = content["book"]
        self._raw = content["chapters"]

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        return tuple(
            Chapter(raw["id"], raw["title"], raw.get("where", ""), self.edition, self.book) for raw in self._raw
        )

    @cached_property
    def entries(self) -> Mapping[str, RuleEntry]:
        return {
            raw["id"]: _read_entry(raw, chapter)
            for chapter, raw_chapter in zip(self.chapters, self._raw, strict=True)
            for raw in raw_chapter["rules"]
        }


def _read_entry(raw: Mapping[str, Any], chapter: Chapter) -> RuleEntry:
    fields = {**raw, "chapter": chapter}
    if "values" in fields:
        fields["values"] = tuple(fields["values"])
    return RuleEntry(**fields)


@cache
def _book(stem: str) -> _Book:
    return _Book(stem)


def _books(edition: str | None = None, book: str | None = None) -> Iterator[_Book]:
    for stem in dict.fromkeys(_index().values()):
        candidate = _book(stem)
        if edition in (None, candidate.edition) and book in (None, candidate.book):
            yield candidate


# --- asking for entries ----------------------------------------------------------------------------------------


def is_known(rule_id: str) -> bool:
    """Whether the rulebook holds an entry of this id."""
    return rule_id in _index()


def nearest_rule(rule_id: str) -> str | None:
    """The id most like this one, of the same edition where there is one; None when nothing is close."""
    from difflib import get_close_matches

    edition = rule_id.partition(".")[0] + "."
    same = [known for known in _index() if known.startswith(edition)]
    for pool in (same, list(_index())):
        if close := get_close_matches(rule_id, pool, n=1, cutoff=0.6):
            return close[0]
    return next((known for known in same if known.startswith(rule_id + ".")), None)


def entry(rule_id: str) -> RuleEntry:
    """The entry of this id.

    Raises:
        UnknownRule: with the nearest id.
    """
    stem = _index().get(rule_id)
    if stem is None:
        raise UnknownRule(rule_id, nearest_rule(rule_id))
    return _book(stem).entries[rule_id]


def entries(edition: str | None = None, book: str | None = None) -> tuple[RuleEntry, ...]:
    """All entries, in the order of the rulebook; of one edition and one book if asked."""
    return tuple(found for each in _books(edition, book) for found in each.entries.values())


def chapters(edition: str | None = None, book: str | None = None) -> tuple[Chapter, ...]:
    """All chapters, in the order of the rulebook."""
    return tuple(chapter for each in _books(edition, book) for chapter in each.chapters)


def glossary(edition: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """The terms of an edition: for each language, our English term to the words the source text uses for it.

    English aliases (an ability's older name) stand under the language of the book that lists them.
    """
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for book in _books(edition):
        found.setdefault(book.language, {}).update(book.glossary)
    return found


def local_terms(found: RuleEntry, lang: str) -> Mapping[str, tuple[str, ...]]:
    """The glossary's terms that occur in an entry's text, longest first, with their words in a language."""
    text = _fold(f"{found.chapter.title} {found.rule}")
    terms = glossary(found.edition).get(lang, {})
    return {
        term: terms[term]
        for term in sorted(terms, key=lambda term: (-len(term), term))
        if _is_whole_word(_fold(term), text)
    }


# --- searching -------------------------------------------------------------------------------------------------

_ID_START = re.compile(r"\d+e\.")
_WEIGHTS = (("id", 3.0), ("title", 4.0), ("rule", 2.0), ("rest", 0.5))


def search(query: str, edition: str | None = None, lang: str | None = None, limit: int = 50) -> tuple[Found, ...]:
    """The entries that a query asks for, best first.

    The query may be an id or its beginning, words of the rule, or a term of the glossary in any of its languages
    (``lang`` restricts it to one): Hungarian "halálos seb" finds mortal wounds. Every word, or the term that
    stands for it, must occur in the entry; a whole phrase, and a match in the title, rank higher.
    """
    wanted = _fold(query)
    if not wanted:
        return ()
    found: list[Found] = []
    for book in _books(edition):
        phrases = _readings(wanted, book, lang)
        scores = ((each, max(_score(each, phrase) for phrase in phrases)) for each in book.entries.values())
        found += [Found(each, score) for each, score in scores if score]
    found.sort(key=lambda each: -each.score)
    return tuple(found[:limit])


def _readings(wanted: str, book: _Book, lang: str | None) -> set[str]:
    """The query itself, and the query with terms of the source's language put into our English."""
    readings = [wanted]
    for other in _books(book.edition):
        if lang in (None, other.language) or other.language == "en":
            for local, term in _folded_glossary(other):
                pattern = rf"(?<!\w){re.escape(local)}(?!\w)"
                if re.search(pattern, wanted):
                    readings += [re.sub(pattern, term, reading) for reading in readings[:16]]
    return set(readings)


@cache
def _folded_glossary(book: _Book) -> tuple[tuple[str, str], ...]:
    """Pairs of a source's word and our term, where the two differ."""
    pairs = [(_fold(local), _fold(term)) for term, words in book.glossary.items() for local in words]
    return tuple((local, term) for local, term in pairs if local and local != term)


def _score(candidate: RuleEntry, phrase: str) -> float:
    if _ID_START.match(phrase) and _fold(candidate.id).startswith(phrase):
        return 100.0
    texts = _searchable(candidate)
    words = phrase.split()
    score = 0.0
    for word in words:
        best = max((weight for (_, weight), text in zip(_WEIGHTS, texts, strict=True) if word in text), default=0.0)
        if not best:
            return 0.0
        score += best
    score /= len(words)
    if len(words) > 1:
        score += sum(weight for (_, weight), text in zip(_WEIGHTS, texts, strict=True) if phrase in text)
    return score + 0.5 * sum(_is_whole_word(phrase, text) for text in texts[:3])


def _is_whole_word(phrase: str, text: str) -> bool:
    return phrase in text and re.search(rf"(?<!\w){re.escape(phrase)}s?(?!\w)", text) is not None


@cache
def _searchable(candidate: RuleEntry) -> tuple[str, str, str, str]:
    rest = " ".join((candidate.given, candidate.when, candidate.then, candidate.note, candidate.chapter.where))
    return (
        _fold(candidate.id.partition(".")[2]),
        _fold(candidate.chapter.title),
        _fold(candidate.rule),
        _fold(rest),
    )


def _fold(text: str) -> str:
    """Lower case, without accents, brackets, hyphens and surplus spaces; dots of an id stay."""
    import unicodedata

    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join(re.sub(r"[\[\]()\"'’„“,;:?!\s_-]+", " ", plain).split())


# --- citing ----------------------------------------------------------------------------------------------------

_citations: dict[str, list[Citation]] = {}
_cited_codes: dict[int, CodeType] = {}


def rule(*ids: str) -> Callable[[T], T]:
    """Say which entries a function or class implements; the thing itself is returned unchanged.

    A class cites for every function written in its body. Where other decorators are used, ``functools.cache``
    among them, this one stands outermost. Code that Numba compiles is not seen to be called: cite on the plain
    function around it.

    Raises:
        UnknownRule: at import, with the nearest id.
        TypeError: when no id is given, or when what is decorated has no code of its own.
    """
    if not ids or not all(isinstance(each, str) for each in ids):
        raise TypeError("@rule takes the ids of rulebook entries: @rule('4e.obscured.half-hidden')")
    for each in ids:
        if not is_known(each):
            raise UnknownRule(each, nearest_rule(each))

    def cite(target: T) -> T:
        codes = tuple(dict.fromkeys(_codes(target)))
        owner = _function(target) or target
        if not codes and not isinstance(target, type):
            raise TypeError(f"@rule cannot cite {target!r}: it has no code")
        own = vars(owner).get("__rules__", ())
        setattr(owner, "__rules__", tuple(dict.fromkeys((*ids, *own))))  # noqa: B010
        name, module = getattr(owner, "__qualname__", repr(owner)), getattr(owner, "__module__", "")
        for each in ids:
            citation = Citation(each, module, name, codes, getattr(target, "cache_clear", None))
            _citations.setdefault(each, []).append(citation)
        _cited_codes.update((id(code), code) for code in codes)
        return target

    return cite


def rules_of(target: object) -> tuple[str, ...]:
    """The ids that a function, property or class cites; empty when it cites none."""
    owner = _function(target) or target
    cited: tuple[str, ...] = vars(owner).get("__rules__", ()) if hasattr(owner, "__dict__") else ()
    return cited


def citations() -> Mapping[str, tuple[Citation, ...]]:
    """What cites each entry, of the modules imported so far."""
    return {rule_id: tuple(cited) for rule_id, cited in _citations.items()}


def cited_codes() -> Mapping[int, CodeType]:
    """Every code object that cites an entry, by its identity; grows as modules are imported."""
    return _cited_codes


def cited_rules(called: Collection[int]) -> frozenset[str]:
    """The ids cited by any of these code objects, named by identity, since equal code is not the same code."""
    return frozenset(
        rule_id
        for rule_id, cited in _citations.items()
        if any(id(code) in called for citation in cited for code in citation.codes)
    )


def _function(target: object) -> FunctionType | None:
    """The plain function behind a function, method, property or wrapper; None for a class or anything else."""
    seen = 0
    while not isinstance(target, FunctionType) and not isinstance(target, type) and seen < 16:
        for name in ("__func__", "fget", "func", "py_func", "__wrapped__"):
            if (inner := getattr(target, name, None)) is not None:
                target = inner
                break
        else:
            return None
        seen += 1
    if not isinstance(target, FunctionType):
        return None
    while isinstance(inner := getattr(target, "__wrapped__", None), FunctionType):
        target = inner
    return target


def _codes(target: object) -> Iterator[CodeType]:
    if isinstance(target, type):
        for member in vars(target).values():
            if not isinstance(member, type) and (function := _function(member)) is not None:
                if not function.__code__.co_filename.startswith("<"):  # a dataclass writes functions of its own
                    yield function.__code__
                if isinstance(member, property) and isinstance(member.fset, FunctionType):
                    yield member.fset.__code__
    elif (function := _function(target)) is not None:
        yield function.__code__
