"""The rulebook: its entries hold together, code can cite them, and people can find them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from battlewright.core import rulebook, rulebook_source
from battlewright.core.errors import UnknownRule

FOLDER = Path(rulebook.__file__).parent.parent / "rulebook"
RULE_ID = re.compile(r"(?<![\w.])(?:3|4|6|11)e(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+")
KINDS = {"must", "may", "cannot", "exception", "modifier", "sequence", "definition", "table", "option", "advice"}


@pytest.fixture(autouse=True)
def forget_citations() -> Iterator[None]:
    """Citations made by a test do not outlive it."""
    before = {rule_id: list(cited) for rule_id, cited in rulebook._citations.items()}
    yield
    rulebook._citations.clear()
    rulebook._citations.update(before)


# --- the entries


@pytest.mark.parametrize(("edition", "counted"), [("3", 372), ("4", 489), ("6", 294), ("11", 284)])
def test_the_ledgers_hold_every_rule_of_their_source(edition: str, counted: int) -> None:
    assert sum(entry.counts for entry in rulebook.entries(edition, "ledger")) == counted


def test_every_entry_is_told_whole() -> None:
    for entry in rulebook.entries():
        assert RULE_ID.fullmatch(entry.id), entry.id
        assert entry.kind in KINDS, entry.id
        assert entry.rule.strip(), entry.id
        if entry.book == "ledger":
            assert entry.given.strip(), entry.id
            assert entry.when.strip(), entry.id
            assert entry.then.strip(), entry.id
        else:
            assert entry.confidence in ("high", "medium"), entry.id


def test_ids_begin_with_their_edition_and_their_chapter() -> None:
    for entry in rulebook.entries():
        assert entry.id.startswith(f"{entry.edition}e."), entry.id
        assert entry.id.startswith(entry.chapter.id), entry.id


def test_an_id_that_stands_twice_is_refused(tmp_path: Path) -> None:
    rules = "rules: [{id: 3e.a.b, rule: x, kind: must}]"
    text = f"edition: '3'\nbook: core\nlanguage: en\nchapters: [{{id: 3e.a, title: A, {rules}}}]\n"
    (tmp_path / "one.yaml").write_text(text)
    (tmp_path / "two.yaml").write_text(text)
    with pytest.raises(ValueError, match=r"3e\.a\.b stands in one\.yaml and again in two\.yaml"):
        rulebook_source.read_sources(tmp_path)


def test_every_reference_to_another_entry_resolves() -> None:
    known = {entry.id for entry in rulebook.entries()} | {chapter.id for chapter in rulebook.chapters()}
    broken = [
        f"{entry.id} -> {reference}"
        for entry in rulebook.entries()
        for reference in RULE_ID.findall(json.dumps(entry.to_json(), ensure_ascii=False))
        if reference not in known
    ]
    assert not broken


def test_options_name_their_default_among_their_values() -> None:
    options = [entry for entry in rulebook.entries() if entry.kind == "option" and entry.values]
    assert len(options) >= 23
    assert all(entry.default in entry.values for entry in options)


def test_the_json_tells_the_same_as_the_yaml(tmp_path: Path) -> None:
    for path in rulebook_source.source_files(FOLDER):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert not rulebook_source.is_current(tmp_path)
    rulebook_source.build(tmp_path)
    assert rulebook_source.is_current(tmp_path)
    sources = rulebook_source.read_sources(tmp_path)
    assert json.loads((tmp_path / "index.json").read_bytes()) == rulebook_source.read_index(sources)
    for stem, source in sources.items():
        built = json.loads((tmp_path / f"{stem}.json").read_bytes())
        assert [chapter["id"] for chapter in built["chapters"]] == [chapter["id"] for chapter in source["chapters"]]
        assert built["chapters"][0]["rules"][0]["rule"] == source["chapters"][0]["rules"][0]["rule"]


# --- citing


def test_a_citation_leaves_the_function_as_it_was() -> None:
    def wound(strength: int) -> int:
        return strength

    assert rulebook.rule("11e.24.03-anti.critical-threshold")(wound) is wound
    assert rulebook.rules_of(wound) == ("11e.24.03-anti.critical-threshold",)
    assert rulebook.cited_rules({id(wound.__code__)}) == {"11e.24.03-anti.critical-threshold"}


def test_an_unknown_id_names_the_nearest() -> None:
    with pytest.raises(UnknownRule) as caught:
        rulebook.rule("11e.24.03-anti.critical-treshold")
    assert caught.value.nearest == "11e.24.03-anti.critical-threshold"


def test_a_class_cites_for_each_function_written_in_it() -> None:
    @dataclass
    class Blast:
        models: int

        @property
        def bonus(self) -> int:
            return self.models // 5

        @staticmethod
        def limit() -> int:
            return 3

        @cached_property
        def attacks(self) -> int:
            return 1

    rulebook.rule("11e.24.05-blast.counted-at-select-targets")(Blast)
    (citation,) = rulebook.citations()["11e.24.05-blast.counted-at-select-targets"][-1:]
    assert {code.co_name for code in citation.codes} == {"bonus", "limit", "attacks"}
    assert citation.qualname.endswith("Blast")


def test_citations_add_up() -> None:
    @rulebook.rule("11e.24.05-blast.counted-at-select-targets")
    @rulebook.rule("11e.24.04-assault.unit-permission")
    def both() -> None: ...

    assert set(rulebook.rules_of(both)) == {
        "11e.24.05-blast.counted-at-select-targets",
        "11e.24.04-assault.unit-permission",
    }
    assert rulebook.cited_rules({id(both.__code__)}) == set(rulebook.rules_of(both))


def test_what_has_no_code_cannot_cite() -> None:
    with pytest.raises(TypeError, match="no code"):
        rulebook.rule("11e.24.04-assault.unit-permission")(7)
    with pytest.raises(TypeError, match="takes the ids"):
        rulebook.rule(lambda: None)  # type: ignore[arg-type]


# --- searching


def ids_found(query: str, **where: str) -> list[str]:
    return [found.entry.id for found in rulebook.search(query, **where)]


def test_pistol_finds_the_ability_under_both_its_names() -> None:
    found = ids_found("[PISTOL]", edition="11")
    assert any(each.startswith("11e.24.27-pistol") for each in found)
    assert any(each.startswith("11e.24.07-close-quarters") for each in found)


@pytest.mark.parametrize(
    ("words", "lang", "edition", "english"),
    [
        ("halálos seb", "hu", "11", "mortal wound"),
        ("Schweber", "de", "3", "skimmer"),
        ("техника", "ru", "6", "vehicle"),
        ("Szívósság", "hu", "4", "toughness"),
    ],
)
def test_terms_of_the_source_find_our_english(words: str, lang: str, edition: str, english: str) -> None:
    found = rulebook.search(words, edition=edition, lang=lang)
    assert found
    assert english in json.dumps(found[0].entry.to_json()).lower()


def test_an_id_finds_its_entry_first() -> None:
    assert ids_found("11e.24.05-blast.counted-at-select-targets")[0] == "11e.24.05-blast.counted-at-select-targets"


def test_every_word_must_occur() -> None:
    assert ids_found("skimmer zeppelin") == []
    assert ids_found("  ") == []


def test_an_entry_can_be_shown_with_the_terms_of_its_language() -> None:
    entry = rulebook.entry("11e.24.08-deadly-demise.form")
    assert "halálos pusztulás" in rulebook.local_terms(entry, "hu")["Deadly Demise"]
    assert rulebook.local_terms(entry, "ru") == {}


def test_citing_reads_no_more_than_the_index() -> None:
    code = (
        "import sys; from battlewright.core import rulebook;"
        "rulebook.rule('11e.core.03.03-coherency')(lambda: None);"
        "sys.exit(' '.join({'yaml', 'numpy', 'numba', 'difflib'} & set(sys.modules)))"
    )
    environment = os.environ | {"PYTHONPATH": str(FOLDER.parent.parent)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
