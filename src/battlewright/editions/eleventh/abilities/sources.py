"""Where the abilities of a roster come from: which models bear them, and what they do in a unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from battlewright.core.roster import Ability, Model, Unit
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.abilities.clauses import Clause, Reading, Timing
from battlewright.editions.eleventh.abilities.effects import is_of_attack
from battlewright.editions.eleventh.abilities.language import (
    CoreGrant,
    Division,
    Effect,
    ExtraMove,
    FightOnDeath,
    ForceTest,
    Ignore,
    Ignored,
    KeywordGrant,
    ModelChange,
    Mustering,
    Reposition,
    Restore,
    Return,
    Secure,
    Surge,
    Whose,
)
from battlewright.editions.eleventh.abilities.reading import read_ability
from battlewright.editions.eleventh.ability_text import CoreAbility, fixed
from battlewright.editions.eleventh.datasheet import ModelProfile
from battlewright.editions.eleventh.keywords import keywords_of_models
from battlewright.editions.eleventh.modifiers import LIMITS, Change, Characteristic, Operation, modify

__all__ = [
    "Source",
    "Sources",
    "TimedSource",
    "borne_by",
    "changed_number",
    "changed_profile",
    "printed_number",
    "topic_of",
    "with_own_abilities",
    "works_in",
]


@dataclass(frozen=True, slots=True)
class Source:
    """A clause with the models that bear its ability.

    Attributes:
        unit: index of their unit.
        rows: theirs.
    """

    unit: int
    rows: tuple[int, ...]
    clause: Clause


@dataclass(frozen=True, slots=True)
class TimedSource:
    """An ability that is used at a moment, or a stratagem of a side's detachments.

    Attributes:
        unit: index of the unit that bears it; of a stratagem -1, and ``side`` is its player's.
        rows: of the models that bear it.
    """

    ability: str
    timing: Timing
    clauses: tuple[Clause, ...]
    unit: int = -1
    rows: tuple[int, ...] = ()
    side: int = -1


def topic_of(clause: Clause) -> str:
    """What a hook asks for: ``"attack"``, ``"defence"``, ``"profile"``, ``"unit"``, ``"moment"``,
    ``"immunity"``; or M, OC, Ld."""
    effect = clause.effect
    if isinstance(effect, Restore | FightOnDeath | Surge | Secure | ExtraMove | Reposition | ForceTest | Return):
        return "moment"
    if isinstance(effect, Mustering | Division):
        return "list"
    if clause.whose is Whose.AGAINST:
        return "defence"
    if is_of_attack(effect):
        return "attack"
    if isinstance(effect, ModelChange) and effect.characteristic in _APART:
        return str(effect.characteristic)
    if isinstance(effect, Ignore) and effect.what is Ignored.PROFILE:
        return "immunity"
    return "profile" if isinstance(effect, ModelChange | CoreGrant) else "unit"


_APART = (Characteristic.OC, Characteristic.LD, Characteristic.M)


@dataclass(frozen=True, slots=True)
class Sources:
    """Every clause at work in a battle, by what hooks ask for.

    Attributes:
        own: by unit and topic, those that work on or for that unit.
        auras: by topic, those that work on units around.
        timed: those that work for a time once they are used; a state names them by their numbers.
    """

    own: Mapping[tuple[int, str], tuple[Source, ...]] = field(default_factory=dict)
    auras: Mapping[str, tuple[Source, ...]] = field(default_factory=dict)
    timed: tuple[TimedSource, ...] = ()

    @classmethod
    def of(cls, units: Iterable[Unit], stratagems: Iterable[tuple[int, Ability]] = ()) -> Sources:
        """The clauses of these units, whose models have the rows of a battle in this order, and of stratagems."""
        own: dict[tuple[int, str], tuple[Source, ...]] = {}
        auras: dict[str, tuple[Source, ...]] = {}
        timed: list[TimedSource] = []
        first = 0
        for index, unit in enumerate(units):
            for places, name, reading in _timed_of(unit):
                rows = tuple(first + place for place in places)
                assert reading.timing is not None
                timed.append(TimedSource(name, reading.timing, reading.clauses, index, rows))
            for places, clause in borne_by(unit):
                source = Source(index, tuple(first + place for place in places), clause)
                topic = topic_of(clause)
                if clause.reach is not None:
                    auras[topic] = (*auras.get(topic, ()), source)
                else:
                    own[index, topic] = (*own.get((index, topic), ()), source)
            first += len(unit.models)
        for side, ability in stratagems:
            reading = read_ability(ability)
            if reading.is_enforced and reading.timing is not None:
                timed.append(TimedSource(ability.name, reading.timing, reading.clauses, side=side))
        return cls(own, auras, tuple(timed))

    def concerning(self, unit: int, topic: str) -> bool:
        """Whether there is anything to ask at all."""
        return (unit, topic) in self.own or topic in self.auras


@rule(
    "11e.core.19.04-model-abilities",
    "11e.core.22.04-wargear-abilities",
    "11e.ds-composition.bearer",
    "11e.ds-composition.unit-equipment",
)
def borne_by(unit: Unit) -> list[tuple[tuple[int, ...], Clause]]:
    """The clauses of a unit's abilities, each with the places of the models that bear it (19.04).

    What is always on is no clause here but stands in the profiles (:func:`with_own_abilities`). An ability with
    a clause that can only be applied to whole units is left out where not every model bears it.
    """
    return [
        (places, clause)
        for ability, places in _bearers(unit).items()
        if works_in(ability, unit) and read_ability(ability).timing is None
        for clause in read_ability(ability).clauses
        if not _stands_in_profile(clause)
    ]


def _bearers(unit: Unit) -> dict[Ability, tuple[int, ...]]:
    """The unit's abilities that have an encoding, each with the places of the models that bear it."""
    bearers: dict[Ability, tuple[int, ...]] = {}
    for place, model in enumerate(unit.models):
        for ability in model.abilities:
            if ability.encoding:
                bearers[ability] = (*bearers.get(ability, ()), place)
    return bearers


def _timed_of(unit: Unit) -> list[tuple[tuple[int, ...], str, Reading]]:
    """The unit's abilities that are used at a moment, with the places of their bearers."""
    return [
        (places, ability.name, read_ability(ability))
        for ability, places in _bearers(unit).items()
        if works_in(ability, unit) and read_ability(ability).timing is not None
    ]


def works_in(ability: Ability, unit: Unit) -> bool:
    """Whether an ability of the unit is enforced: read as a whole, and applicable to a unit of these models."""
    reading = read_ability(ability)
    if not reading.is_enforced:
        return False
    everybody = all(ability in model.abilities for model in unit.models)
    return everybody or not any(clause.whole_unit for clause in reading.clauses)


def _stands_in_profile(clause: Clause) -> bool:
    return clause.is_always_on and isinstance(clause.effect, ModelChange | CoreGrant | KeywordGrant)


# --- profiles --------------------------------------------------------------------------------------------------


def with_own_abilities(profile: ModelProfile, model: Model, unit: Unit) -> ModelProfile:
    """A model's profile with what its own abilities always do to it."""
    clauses = (
        clause
        for ability in model.abilities
        if ability.encoding and works_in(ability, unit) and read_ability(ability).timing is None
        for clause in read_ability(ability).clauses
    )
    effects = tuple(clause.effect for clause in clauses if _stands_in_profile(clause))
    return changed_profile(profile, effects) if effects else profile


@lru_cache(maxsize=1024)
def changed_profile(profile: ModelProfile, effects: tuple[Effect, ...]) -> ModelProfile:
    """A profile with changes of its characteristics and further core abilities.

    RULING: 11e.ds-modifier-order.replace-first a rule that gives a save (Sv or InSv) never makes a better one worse.
    """
    granted: list[CoreAbility] = []
    words: set[str] = set()
    changes: dict[Characteristic, list[Change]] = {}
    for effect in effects:
        if isinstance(effect, CoreGrant):
            granted.append(effect.ability)
        elif isinstance(effect, KeywordGrant):
            words |= set(effect.keywords)
        elif isinstance(effect, ModelChange):
            changes.setdefault(effect.characteristic, []).append(effect.change)
    found = profile
    if words:
        found = replace(found, keywords=keywords_of_models((found.keywords | words,)))
    if granted:
        found = replace(found, abilities=(*found.abilities, *granted))
    for which, some in changes.items():
        if which is Characteristic.M:
            if found.move is not None and not found.move.is_random:
                found = replace(found, move=fixed(modify(found.move.bonus, some, LIMITS[which]).number))
        else:
            name = _FIELDS[which]
            number: Any = changed_number(which, getattr(found, name), some)
            found = replace(found, **{name: number})
    return found


_FIELDS = {
    Characteristic.T: "toughness",
    Characteristic.SV: "save",
    Characteristic.INSV: "invulnerable",
    Characteristic.W: "wounds",
    Characteristic.LD: "leadership",
    Characteristic.OC: "objective_control",
}


def printed_number(profile: ModelProfile, which: Characteristic) -> int:
    """A characteristic of a model that may be changed while it stands; 7 for a save that it does not have."""
    found: int | None = getattr(profile, _FIELDS[which])
    return 7 if found is None else found


def changed_number(which: Characteristic, printed: int | None, changes: Iterable[Change]) -> int | None:
    """A characteristic of a model after these changes."""
    some = list(changes)
    if which in (Characteristic.SV, Characteristic.INSV):
        given = [each.amount for each in some if each.operation is Operation.SET and each.amount is not None]
        printed = min((each for each in (printed, *given) if each is not None), default=None)
        some = [each for each in some if each.operation is not Operation.SET]
    return modify(printed, some, LIMITS.get(which, LIMITS[Characteristic.T])).value
