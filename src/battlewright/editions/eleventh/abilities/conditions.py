"""The conditions of abilities: how each kind is read, and how it is judged in a situation.

A condition about strength, objectives or battle-shock that does not say of whom it speaks is not understood where an
attack is concerned: in the data it stands for the target as often as for the unit itself. Elsewhere there is only the
unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from battlewright.core.shapes import within
from battlewright.editions.eleventh.abilities.language import AllOf, AnyOf, Condition, NotUnderstood, Record, Test
from battlewright.editions.eleventh.datasheet import WeaponProfile
from battlewright.editions.eleventh.keywords import keywords_match
from battlewright.editions.eleventh.state import Phase

__all__ = ["Facts", "Situation", "hold", "is_about_attack", "is_about_bearer", "leaves_open_whom", "read_condition"]


class Facts(Protocol):
    """What conditions ask about one unit."""

    @property
    def keywords(self) -> frozenset[str]:
        """Those of its living models."""

    @property
    def is_led(self) -> bool:
        """Whether it is an attached unit of which a model that leads or supports it lives."""

    @property
    def is_battle_shocked(self) -> bool:
        """Whether it is battle-shocked."""

    @property
    def is_below_starting_strength(self) -> bool:
        """Whether it is below its starting strength (01.06)."""

    @property
    def is_below_half_strength(self) -> bool:
        """Whether it is below half strength (01.06)."""

    @property
    def is_near_objective(self) -> bool:
        """Whether it is within range of an objective."""

    def is_near_controlled(self, own: bool) -> bool:
        """Whether it is within range of an objective that its own player, or that player's opponent, controls."""

    def has_friend_within(self, inches: float, needed: tuple[str, ...], barred: str) -> bool:
        """Whether another friendly unit with all of these keywords, and not with the barred one, is so near."""

    @property
    def is_engaged(self) -> bool:
        """Whether it is engaged."""

    @property
    def has_charged(self) -> bool:
        """Whether it made a charge move this turn."""

    @property
    def has_advanced(self) -> bool:
        """Whether it advanced this turn."""

    @property
    def has_disembarked(self) -> bool:
        """Whether it disembarked this turn and has not moved since."""

    @property
    def has_ingressed(self) -> bool:
        """Whether it arrived from reserves this turn."""

    @property
    def is_stationary(self) -> bool:
        """Whether it made no move this turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """When an ability is asked after.

    Attributes:
        own: the unit that the effect reaches, or in whose defence it works.
        own_turn: whether it is that unit's own turn; None where nobody knows.
        target: the unit that an attack is aimed at; None outside of attacks.
        weapon: the profile that attacks; None outside of attacks.
        toughness: T that the wound roll is made against; 0 outside of attacks.
        closest: inches to the target where it is the closest eligible one of the attack; None where it is not, or
            where nobody knows.
    """

    own: Facts
    phase: Phase | None = None
    own_turn: bool | None = None
    battle_round: int = 0
    target: Facts | None = None
    weapon: WeaponProfile | None = None
    toughness: int = 0
    half_range: bool = False
    closest: Callable[[], float | None] = lambda: None


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of condition.

    Attributes:
        read: from parameters to the value that is compared; raises :class:`NotUnderstood`.
        judge: whether it holds.
        about_attack: whether only an attack can answer it.
        about_bearer: whether it speaks of the one that has the ability, so that it means nothing to units around.
    """

    read: Callable[[Record], Hashable]
    judge: Callable[[Any, Situation], bool]
    about_attack: bool = False
    about_bearer: bool = False


# --- judging ---------------------------------------------------------------------------------------------------


def hold(condition: Condition, situation: Situation) -> bool:
    """Whether a condition holds in a situation."""
    if isinstance(condition, Test):
        return _KINDS[condition.kind].judge(condition.value, situation) is not condition.negated
    if isinstance(condition, AllOf):
        if condition.negated:
            return not any(hold(part, situation) for part in condition.parts)
        return all(hold(part, situation) for part in condition.parts)
    return any(hold(part, situation) for part in condition.parts)


def _tests(condition: Condition) -> tuple[Test, ...]:
    if isinstance(condition, Test):
        return (condition,)
    return tuple(test for part in condition.parts for test in _tests(part))


def is_about_attack(condition: Condition) -> bool:
    """Whether only an attack can answer it."""
    return any(_is_of_attack(test) for test in _tests(condition))


def _is_of_attack(test: Test) -> bool:
    return (
        _KINDS[test.kind].about_attack
        or _subject_of(test.value) == "target"
        or (isinstance(test.value, _Near) and test.value.closest)
    )


def is_about_bearer(condition: Condition) -> bool:
    """Whether it speaks of the one that has the ability."""
    return any(_KINDS[test.kind].about_bearer for test in _tests(condition))


def leaves_open_whom(condition: Condition) -> bool:
    """Whether it does not say of whom it speaks: of the target of an attack as often as of the unit itself."""
    return any(_subject_of(test.value) == "unsaid" for test in _tests(condition))


def _subject_of(value: Hashable) -> str:
    said = value[0] if isinstance(value, tuple) and value else value
    return said if said in ("target", "own", "unsaid") else ""


# --- reading ---------------------------------------------------------------------------------------------------


def read_condition(record: Record) -> Condition:
    """Read a condition with everything within it.

    Raises:
        NotUnderstood: naming the first kind, parameter or operator that is not known.
    """
    if "operator" in record:
        if set(record) - {"operator", "operands"} or not record.get("operands"):
            raise NotUnderstood("condition: an operator with more than operands")
        parts = tuple(read_condition(each) for each in record["operands"])
        match record["operator"]:
            case "and":
                return AllOf(parts)
            case "or":
                return AnyOf(parts)
            case "not":
                return AllOf(parts, negated=True)
            case other:
                raise NotUnderstood(f"condition: operator {other}")
    name = record.get("type")
    kind = _KINDS.get(str(name))
    if kind is None or set(record) - {"type", "parameters", "negated"}:
        raise NotUnderstood(f"condition {name}")
    try:
        value = kind.read(record.get("parameters") or {})
    except NotUnderstood as fault:
        raise NotUnderstood(f"condition {name}: {fault}") from None
    return Test(str(name), value, bool(record.get("negated", False)))


def _only(parameters: Record, *known: str) -> None:
    if extra := sorted(set(parameters) - set(known)):
        raise NotUnderstood(f"parameter {extra[0]}")


def _nothing(parameters: Record) -> None:
    _only(parameters)


def _one_of(key: str, values: Mapping[str, Hashable]) -> Callable[[Record], Hashable]:
    def read(parameters: Record) -> Hashable:
        _only(parameters, key)
        text = str(parameters.get(key))
        if text not in values:
            raise NotUnderstood(f"{key} {text}")
        return values[text]

    return read


_MARKERS = frozenset(
    {"A", "AFFLICTED", "AFFECTED-BY-ORDER", "BELOW-HALF-STRENGTH", "BELOW-STARTING-STRENGTH", "BENEFIT-OF-COVER"}
    | {"BATTLE-SHOCKED", "BATTLE-SHOCKED-OR-BELOW-HALF", "DUAL-MELEE", "EMBARKED", "FIGHTS FIRST", "GUIDED", "HIDDEN"}
    | {"HOVER", "LONE OPERATIVE", "LOSING THE WAGER", "RILED UP", "RILED-UP", "RIVEN", "SPOTTED", "STRATEGIC RESERVES"}
    | {"UNBRIDLED BLOODLUST ACTIVE", "WINNING THE WAGER"}
)
"""What stands as a keyword in some encodings and is none: states, marks, and a word cut off."""


def _keyword(parameters: Record) -> str:
    _only(parameters, "keyword")
    keyword = str(parameters.get("keyword", "")).upper().strip()
    if keyword in _MARKERS or keyword.endswith(" DISCIPLINE") or not keyword:
        raise NotUnderstood(f"{keyword or 'nothing'} is no keyword")
    if "-" in keyword and "NON-" not in keyword:
        keyword = keyword.replace("-", " ") if keyword in _HYPHENED else keyword
    return keyword


_HYPHENED = frozenset({"LEGIONES-DAEMONICA", "ADEPTA-SORORITAS", "AGATHE-DOLAN", "HERETIC-ASTARTES"})
"""Keywords that some encodings write as identifiers."""


def _subject(parameters: Record) -> str:
    _only(parameters, "subject")
    match parameters.get("subject"):
        case "target":
            return "target"
        case "unit" | "self" | "bearer":
            return "own"
        case None:
            return "unsaid"
    raise NotUnderstood("does not say of whom")


_CONTROLLED = {"your-army": "yours", "opponent": "theirs", "opponent-army": "theirs"}


def _objective(parameters: Record) -> Hashable:
    """Of whom it speaks and, where that is asked, whose the objective has to be, seen from the ability's player."""
    said = dict(parameters)
    controller = said.pop("controlled_by", None)
    subject = _subject(said)
    if controller is None:
        return subject
    if controller not in _CONTROLLED:
        raise NotUnderstood(f"controlled by {controller}")
    return subject, _CONTROLLED[controller]


def _near_objective(value: Any, situation: Situation) -> bool:
    if isinstance(value, str):
        return _about(lambda unit: unit.is_near_objective)(value, situation)
    subject, whose = value
    if subject == "target":
        return situation.target is not None and situation.target.is_near_controlled(whose == "theirs")
    return situation.own.is_near_controlled(whose == "yours")


@dataclass(frozen=True, slots=True)
class _Near:
    """What has to be near: the closest eligible target of the attack, or a friendly unit."""

    inches: float
    closest: bool = False
    needed: tuple[str, ...] = ()
    barred: str = ""


def _near(parameters: Record) -> _Near:
    kind, inches = parameters.get("target_type"), parameters.get("range", math.inf)
    if not isinstance(inches, int | float) or isinstance(inches, bool):
        raise NotUnderstood(f"range {inches}")
    if kind == "closest-eligible":
        _only(parameters, "target_type", "range")
        return _Near(float(inches), closest=True)
    _only(parameters, "target_type", "range", "keyword", "keywords", "exclude_keyword", "subject")
    if parameters.get("subject", "unit") not in ("unit", "self") or math.isinf(inches):
        raise NotUnderstood("of whom")
    needed = [str(each) for each in parameters.get("keywords", ())]
    if "keyword" in parameters:
        needed.append(str(parameters["keyword"]))
    if kind == "friendly-infantry":
        needed.append("INFANTRY")
    elif kind not in ("friendly", "friendly-keyword"):
        raise NotUnderstood(f"{kind}")
    if not needed:
        raise NotUnderstood("of which keywords")
    return _Near(
        float(inches), False, tuple(each.upper() for each in needed), str(parameters.get("exclude_keyword", ""))
    )


def _is_near(value: _Near, situation: Situation) -> bool:
    if not value.closest:
        return situation.own.has_friend_within(value.inches, value.needed, value.barred)
    inches = situation.closest()
    return inches is not None and within(inches, value.inches)


def _about(ask: Callable[[Facts], bool]) -> Callable[[str, Situation], bool]:
    def judge(subject: str, situation: Situation) -> bool:
        facts = situation.target if subject == "target" else situation.own
        return facts is not None and ask(facts)

    return judge


def _own(ask: Callable[[Facts], bool]) -> Callable[[None, Situation], bool]:
    return lambda _, situation: ask(situation.own)


def _rounds(parameters: Record) -> tuple[int, int]:
    _only(parameters, "min", "max", "round")
    exact = parameters.get("round")
    low, high = parameters.get("min", exact or 1), parameters.get("max", exact or 99)
    if not isinstance(low, int) or not isinstance(high, int):
        raise NotUnderstood("rounds that are no numbers")
    return low, high


def _comparison(parameters: Record) -> tuple[str, str]:
    _only(parameters, "attacker_stat", "comparison", "target_stat")
    if parameters.get("attacker_stat") != "S" or parameters.get("target_stat") != "T":
        raise NotUnderstood("characteristics other than S and T")
    comparison = str(parameters.get("comparison"))
    if comparison not in ("greater-than", "less-than", "greater-or-equal"):
        raise NotUnderstood(comparison)
    return comparison, "S"


def _compare(value: tuple[str, str], situation: Situation) -> bool:
    """S as printed against T. DEVIATION: changes of S by other rules are not counted; a random S by its least."""
    if situation.weapon is None:
        return False
    strength = situation.weapon.strength_in_use.minimum
    match value[0]:
        case "greater-than":
            return strength > situation.toughness
        case "less-than":
            return strength < situation.toughness
    return strength >= situation.toughness


def _matches(facts: Facts | None, keyword: str) -> bool:
    return facts is not None and keywords_match(keyword, facts.keywords)


_PHASES = {each.value: each for each in (Phase.COMMAND, Phase.MOVEMENT, Phase.SHOOTING, Phase.CHARGE, Phase.FIGHT)}
_TURNS = {"your": True, "your-turn": True, "own": True, "self": True, "opponent": False, "opponent-turn": False}
_ENGAGED = {
    "engaged": True,
    "within-engagement-range": True,
    "unengaged": False,
    "not-in-engagement-range": False,
}

_KINDS: Mapping[str, _Kind] = {
    "phase-is": _Kind(_one_of("phase", _PHASES), lambda value, now: now.phase is value),
    "player-turn-is": _Kind(_one_of("turn", _TURNS), lambda value, now: now.own_turn is value),
    "battle-round": _Kind(_rounds, lambda value, now: value[0] <= now.battle_round <= value[1]),
    "attack-is-type": _Kind(
        _one_of("attack_type", {"melee": True, "ranged": False}),
        lambda value, now: now.weapon is not None and now.weapon.melee is value,
        about_attack=True,
    ),
    "attack-stat-compare": _Kind(_comparison, _compare, about_attack=True),
    "target-within-half-weapon-range": _Kind(_nothing, lambda _, now: now.half_range, about_attack=True),
    "target-has-keyword": _Kind(_keyword, lambda value, now: _matches(now.target, value), about_attack=True),
    "unit-has-keyword": _Kind(_keyword, lambda value, now: _matches(now.own, value)),
    "is-attached": _Kind(_nothing, _own(lambda unit: unit.is_led), about_bearer=True),
    "model-is-leader": _Kind(_nothing, _own(lambda unit: unit.is_led), about_bearer=True),
    "charged-this-turn": _Kind(_nothing, _own(lambda unit: unit.has_charged), about_bearer=True),
    "advanced-this-turn": _Kind(_nothing, _own(lambda unit: unit.has_advanced), about_bearer=True),
    "disembarked-from-transport": _Kind(_nothing, _own(lambda unit: unit.has_disembarked), about_bearer=True),
    "made-ingress": _Kind(_nothing, _own(lambda unit: unit.has_ingressed), about_bearer=True),
    "remained-stationary": _Kind(_nothing, _own(lambda unit: unit.is_stationary), about_bearer=True),
    "engagement-state": _Kind(
        _one_of("state", _ENGAGED), lambda value, now: now.own.is_engaged is value, about_bearer=True
    ),
    "is-battle-shocked": _Kind(_subject, _about(lambda unit: unit.is_battle_shocked)),
    "unit-below-starting-strength": _Kind(_subject, _about(lambda unit: unit.is_below_starting_strength)),
    "unit-below-half-strength": _Kind(_subject, _about(lambda unit: unit.is_below_half_strength)),
    "within-range-of-objective": _Kind(_objective, _near_objective),
    "unit-within-range-of": _Kind(_near, _is_near, about_bearer=True),
}
"""Every kind of condition that is understood.

RULING: 11e.core.19.04-leading-without-bodyguard we read "while leading" as: in an attached unit some model of whose
leaders and supports lives.
"""
