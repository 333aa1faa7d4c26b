"""What a list format provides."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from battlewright.armies.dataset import DATA_EDITION, data_set
from battlewright.armies.parsed import ParsedList
from battlewright.armies.reading import Source
from battlewright.core.errors import ArmyError
from battlewright.core.roster import Army

__all__ = ["Adapter", "check_edition", "forms_for", "named_edition", "over_data_set"]


@dataclass(frozen=True, slots=True)
class Adapter:
    """One list format.

    Attributes:
        name: what to call it in messages.
        detects: whether a text is of this format, judged cheaply.
        load: the army; takes the source and the edition asked for, or None for the list's own.
    """

    name: str
    detects: Callable[[Source], bool]
    load: Callable[[Source, str | None], Army]


def forms_for(edition: str) -> str:
    """What a list for an edition may look like, for whoever has brought one that does not do.

    >>> forms_for("4")
    "BattleScribe's or New Recruit's roster of edition 4, or Battlewright's own YAML"
    """
    builders = f"what an army builder exports as text or JSON for edition {edition}"
    if edition != DATA_EDITION:  # the profiles have to stand in the list itself
        builders = f"BattleScribe's or New Recruit's roster of edition {edition}"
    return f"{builders}, or Battlewright's own YAML"


def over_data_set(parse: Callable[[Source], ParsedList]) -> Callable[[Source, str | None], Army]:
    """A loader for lists that name things without their statistics: the data set gives those."""

    def load(source: Source, edition: str | None) -> Army:
        if edition is not None and edition != DATA_EDITION:
            raise ArmyError(
                f"the list gives no statistics, and the data for them is of edition {DATA_EDITION}, not {edition}",
                where=source.where,
                expected=forms_for(edition),
            )
        parsed = parse(source)
        from battlewright.armies.resolve import resolve

        return resolve(parsed, data_set(), source)

    return load


_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"]
_ORDINALS += ["seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"]
_WORDS = {word: str(number) for number, word in enumerate(_ORDINALS, 1)}
_EDITION = re.compile(r"\b(?:(\d{1,2})(?:st|nd|rd|th)|(" + "|".join(_WORDS) + r"))[ -]+ed(?:ition|\b)", re.IGNORECASE)


def named_edition(text: str) -> str | None:
    """The edition that a text names first: ``"3"`` for ``"3rd Edition"``; None when it names none."""
    found = _EDITION.search(text)
    if found is None:
        return None
    return found[1] or _WORDS[found[2].lower()]


def check_edition(text: str, line: int | None, source: Source, edition: str = DATA_EDITION) -> None:
    """Refuse a list whose own words name another edition than the one it would be read for.

    Raises:
        ArmyError: it names another edition.
    """
    for digits, word in _EDITION.findall(text):
        named = digits or _WORDS[word.lower()]
        if named != edition:
            raise ArmyError(
                f'the list itself is of another edition: "{text.strip()[:60]}"',
                where=source.at(line),
                expected=forms_for(edition),
            )
