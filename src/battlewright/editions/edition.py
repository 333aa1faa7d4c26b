"""The table of editions, and what each of them provides.

Nothing outside ``editions/`` asks which edition it has: it looks one up here and uses the parts that every edition
provides. A part is named by where it stands and loaded only when it is asked for, so that a question of odds does not
load the rules of movement.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from battlewright.attacks.description import Policy, Volley
from battlewright.core.battle import EditionRules
from battlewright.core.decisions import Answer, Decision, Declare, Side, Violation
from battlewright.core.errors import BadInput
from battlewright.core.roster import Army, Enforcement, Unit

__all__ = ["EDITIONS", "Arrival", "Edition", "Inquiries", "Questions", "Standing", "Switchboard", "find_edition"]


class Switchboard(Protocol):
    """How a battle of an edition is laid out: missions, layouts, switches, and what of a unit is enforced."""

    def missions(self) -> Sequence[str]:
        """Names of the missions, the default first."""
        ...

    def title_of(self, mission: str) -> str:
        """What a mission is called, as its book spells it."""
        ...

    def layouts(self, mission: str) -> Sequence[str]:
        """Names of the layouts that a mission is played on, the default first."""
        ...

    def arrange(
        self, mission: str | None, layout: str | None, armies: Sequence[Army], seed: int
    ) -> tuple[str, str | None]:
        """The names of the mission and layout meant; None for a layout stands for the mission's first.

        Besides names an edition may take words for missions found from the armies or drawn by the seed.
        """
        ...

    def mission_words(self) -> Mapping[str, str]:
        """The words that :meth:`arrange` takes in place of a mission's name, each with what it means; often none."""
        ...

    def battlefield(self, layout: str) -> Mapping[str, Any]:
        """A layout's battlefield in its JSON form."""
        ...

    def options(self) -> Sequence[Any]:
        """The switches: objects with ``name``, ``values`` (default first), ``rule`` and ``text``."""
        ...

    def resolve_options(self, chosen: Mapping[str, str]) -> Mapping[str, str]:
        """Every switch with its value; refuses unknown ones."""
        ...

    def breaches(self, army: Army) -> Sequence[Violation]:
        """Every rule of mustering that a list breaks; empty for a legal one, and where the edition judges none."""
        ...

    def remarks(self, army: Army) -> Sequence[str]:
        """What of a list the edition cannot judge, and what it leaves open, one sentence each."""
        ...

    def attach(self, army: Army, unit: str, bodyguard: str) -> Army:
        """The army with one of its units attached to another for the battle, both by id.

        Raises:
            ArmyError: when it may not be.
        """
        ...

    def split(self, army: Army, unit: str) -> Army:
        """The army with one of its units, by id, split in two for the battle.

        Raises:
            ArmyError: when it may not be.
        """
        ...

    def enforcement(self, unit: Unit) -> Enforcement:
        """Which of a unit's abilities have an effect in the battle, and which have none."""
        ...


class Questions(Protocol):
    """How questions of an edition's odds are written down."""

    @property
    def keys(self) -> Mapping[str, str]:
        """The settings that a question takes, each with a line that says what it means."""
        ...

    def volleys(
        self,
        attack: str | Unit,
        target: str | Unit,
        *,
        weapon: str | None = None,
        models: int | None = None,
        target_models: int | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> tuple[tuple[Volley, ...], Policy]:
        """The attacks that a question is about, in sequence, and the policy to ask them with.

        Attackers and target are profiles in text, or units of a list; ``weapon`` names a unit's only weapon to use.
        """
        ...


@dataclass(frozen=True, slots=True)
class Arrival:
    """Whether a charge would get where it is to go.

    Attributes:
        chance: how likely that is; None where it may not be known beforehand.
        words: what decides it.
    """

    chance: float | None
    words: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What players keep beside the table.

    Attributes:
        zones: whose each deployment zone is, by its name; without those that nobody has taken yet.
        counters: what is counted beside victory points: a name and each side's number.
        cards: (side, name, rule) of each card that lies open or that its owner alone sees.
    """

    zones: Mapping[str, Side] = field(default_factory=dict)
    counters: tuple[tuple[str, tuple[int, int]], ...] = ()
    cards: tuple[tuple[Side, str, str], ...] = ()


class Inquiries(Protocol):
    """What a seat may ask about a battle as it stands; units are indices, nothing changes by a question.

    Attributes:
        sight_rule: the rule by which a model is visible.
    """

    sight_rule: str

    def may_measure(self, scene: Any, state: Any, unit: int) -> bool:
        """Whether a unit's player may measure before anything is declared."""
        ...

    def phases(self, scene: Any) -> Sequence[str]:
        """The phases of a player's turn, in order."""
        ...

    def distance(self, scene: Any, state: Any, unit: int, target: int) -> float:
        """Inches between the closest models of two units."""
        ...

    def sees(self, scene: Any, state: Any, unit: int, target: int) -> tuple[tuple[int, ...], tuple[int, ...], Any]:
        """Rows that look, rows that are looked at, and which of these are visible, as a matrix of booleans."""
        ...

    def has_cover(self, scene: Any, state: Any, unit: int, target: int) -> bool | None:
        """Whether the target has cover from the unit's fire; None where that cannot be said beforehand."""
        ...

    def is_close(self, scene: Any, state: Any, side: Side) -> bool:
        """Whether what a side aims at now would be fought in close combat, and not shot at."""
        ...

    def circumstances(self, scene: Any, state: Any, unit: int, target: int, *, close: bool) -> Mapping[str, Any]:
        """What is known now of an attack by a unit at another, as settings of a question of odds."""
        ...

    def warnings(self, scene: Any, state: Any, decision: Decision, answer: Answer) -> Sequence[Violation]:
        """What a legal answer to a decision risks, as far as that is known before: each with its rule."""
        ...

    def arrival(self, scene: Any, state: Any, unit: int, target: int) -> Arrival | None:
        """Whether a charge of one unit at another would arrive; None where there is none to be made now."""
        ...

    def engagement(self, scene: Any) -> float | None:
        """Inches between bases within which opposing models are engaged; None where only contact counts."""
        ...

    def standing(self, scene: Any, state: Any) -> Standing:
        """What players keep beside the table, of a state as somebody may see it."""
        ...

    def declared(self, battle: Any, answer: Declare) -> Mapping[int, tuple[Volley, ...]]:
        """The volleys of attacks declared at the present decision, by target.

        Raises:
            BadInput: where no attacks are declared so, or these may not be.
        """
        ...


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition: its id, title, and where its parts stand (``"module:name"``).

    Attributes:
        id: ``"3"``, ``"4"``, ``"6"`` or ``"11"``.
        title: what to call it.
        parts: the parts that are built, some perhaps before others; an edition without any is not built yet.
    """

    id: str
    title: str
    parts: Mapping[str, str]

    @property
    def ordinal(self) -> str:
        """How to read it aloud: ``"3rd"``, ``"11th"``."""
        return self.title.partition(" ")[0]

    def part(self, name: str) -> Any:
        """Load a part.

        Raises:
            BadInput: when this edition does not have it yet.
        """
        if name not in self.parts:
            raise BadInput(f"the {self.title} has no {name} yet", expected=_built(name))
        module, _, attribute = self.parts[name].partition(":")
        return getattr(importlib.import_module(module), attribute)

    def rules(self) -> EditionRules[Any, Any]:
        """What drives its battles."""
        rules: EditionRules[Any, Any] = self.part("rules")()
        return rules

    def switchboard(self) -> Switchboard:
        """How its battles are laid out."""
        board: Switchboard = self.part("switchboard")()
        return board

    def questions(self) -> Questions:
        """How questions of its odds are written down."""
        questions: Questions = self.part("odds")()
        return questions

    def inquiries(self) -> Inquiries:
        """What a seat may ask of its battles."""
        inquiries: Inquiries = self.part("inquiries")()
        return inquiries

    def origin(self, name: str) -> Any:
        """Where an entry of its table of rules is decided: file, line, and the rules that it cites.

        Raises:
            BadInput: when it has no such entry, or no table.
        """
        from battlewright.editions.classic.table import origin

        return origin(self.part("table"), name)

    def diff(self, other: Edition) -> Mapping[str, tuple[Any, Any]]:
        """What another edition's table decides otherwise than this one's, by full name of the entry.

        Each is a pair of :class:`~battlewright.editions.classic.table_told.Decided`, None where a table has no such
        entry.

        Raises:
            BadInput: when one of the two has no table.
        """
        from battlewright.editions.classic.table import differences
        from battlewright.editions.classic.table_told import decided

        mine, theirs = self.part("table"), other.part("table")
        return {name: (decided(mine, name), decided(theirs, name)) for name in differences(mine, theirs)}

    def about(self, name: str) -> str:
        """What the entry of that full name in its table of rules holds; "" where nothing is said of it.

        Raises:
            BadInput: when it has no table.
        """
        from battlewright.editions.classic.table_told import about

        return about(self.part("table"), name)


_ELEVENTH = "battlewright.editions.eleventh"
_CLASSIC = {"3": "third", "4": "fourth", "6": "sixth"}


def _classic(edition_id: str) -> Edition:
    """An edition of the classic lineage: its parts go by the name of its folder."""
    name = _CLASSIC[edition_id]
    folder, start = f"battlewright.editions.{name}", name.capitalize()
    return Edition(
        edition_id,
        f"{edition_id}{'rd' if edition_id == '3' else 'th'} edition",
        {
            "switchboard": f"{folder}.switchboard:{start}Switchboard",
            "odds": f"{folder}.questions:{start}Questions",
            "table": f"{folder}.table:{name.upper()}",
            "rules": f"{folder}.rules:{start}Rules",
            "inquiries": "battlewright.editions.classic.inquiries:ClassicInquiries",
        },
    )


EDITIONS: Mapping[str, Edition] = {
    **{edition_id: _classic(edition_id) for edition_id in _CLASSIC},
    "11": Edition(
        "11",
        "11th edition",
        {
            "rules": f"{_ELEVENTH}.rules:EleventhRules",
            "switchboard": f"{_ELEVENTH}.switchboard:EleventhSwitchboard",
            "odds": f"{_ELEVENTH}.questions:EleventhQuestions",
            "inquiries": f"{_ELEVENTH}.inquiries:EleventhInquiries",
        },
    ),
}


def _built(part: str = "") -> str:
    """The editions that have a part, or any part at all."""
    found = (edition for edition in EDITIONS.values() if (part in edition.parts if part else edition.parts))
    return " or ".join(edition.id for edition in found)


def find_edition(edition_id: str) -> Edition:
    """The edition of that id.

    Raises:
        BadInput: for an unknown id, and for an edition that is not built yet.
    """
    edition = EDITIONS.get(edition_id.strip())
    if edition is None:
        raise BadInput(f'there is no edition "{edition_id}"', expected=_built())
    if not edition.parts:
        raise BadInput(f"the {edition.title} is not built yet", expected=_built())
    return edition
