"""The conditions of abilities: how each kind is read, and how it is judged in a situation.

A condition about strength, objectives or battle-shock that does not say of whom it speaks is not understood: in the
data it stands for the target of an attack as often as for the unit itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from battlewright.editions.eleventh.abilities.language import AllOf, AnyOf, Condition, NotUnderstood, Record, Test
from battlewright.editions.eleventh.datasheet import WeaponProfile
from battlewright.editions.eleventh.keywords import keywords_match
from battlewright.editions.eleventh.state import Phase

__all__ = ["Facts", "Situation", "hold", "is_about_attack", "is_about_bearer", "read_condition"]


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
    """

    own: Facts
    phase: Phase | None = None
    own_turn: bool | None = None
    battle_round: int = 0
    target: Facts | None = None
    weapon: WeaponProfile | None = None
    toughness: int = 0
    half_range: bool = False


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
    return any(_KINDS[test.kind].about_attack or _subject_of(test.value) == "target" for test in _tests(condition))


def is_about_bearer(condition: Condition) -> bool:
    """Whether it speaks of the one that has the ability."""
    return any(_KINDS[test.kind].about_bearer for test in _tests(condition))


def _subject_of(value: Hashable) -> str:
    return value if value in ("target", "own") else ""


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
    raise NotUnderstood("does not say of whom")


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
    "remained-stationary": _Kind(_nothing, _own(lambda unit: unit.is_stationary), about_bearer=True),
    "engagement-state": _Kind(
        _one_of("state", _ENGAGED), lambda value, now: now.own.is_engaged is value, about_bearer=True
    ),
    "is-battle-shocked": _Kind(_subject, _about(lambda unit: unit.is_battle_shocked)),
    "unit-below-starting-strength": _Kind(_subject, _about(lambda unit: unit.is_below_starting_strength)),
    "unit-below-half-strength": _Kind(_subject, _about(lambda unit: unit.is_below_half_strength)),
    "within-range-of-objective": _Kind(_subject, _about(lambda unit: unit.is_near_objective)),
}
"""Every kind of condition that is understood.

RULING: 11e.core.19.04-leading-without-bodyguard we read "while leading" as: in an attached unit some model of whose
leaders and supports lives.
"""
