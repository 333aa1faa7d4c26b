"""Every error that Battlewright raises on purpose.

::

    BattlewrightError
    ├── BadInput            a value, file or command line that cannot be read
    │   ├── DiceSyntaxError     a dice expression such as ``DD7``
    │   ├── ProfileError        a weapon or target profile in text form
    │   ├── ArmyError           an army list or catalogue
    │   ├── CannotAttack        a unit without a weapon for the attack that is asked about
    │   ├── ScenarioError       a scenario file
    │   └── SaveError           a saved battle that is cut short, edited or of another version
    ├── IllegalChoice       an answer that the rules refuse; holds every violation
    ├── StaleAnswer         an answer to a decision that is no longer the present one
    ├── ReplayMismatch      a replay whose checksum differs from the recorded one
    ├── UnknownRule         a rule id that the rulebook does not hold
    ├── ScriptError         a scripted dice stream that ran dry, was asked for another roll, or has dice left
    └── EngineError         a fault of ours; the battle is restored to its last checkpoint first

An error keeps its data in attributes and formats its sentence late, so that callers can show it their own way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from battlewright.core.decisions import Violation

__all__ = [
    "ArmyError",
    "BadInput",
    "BattlewrightError",
    "CannotAttack",
    "DiceSyntaxError",
    "EngineError",
    "IllegalChoice",
    "ProfileError",
    "ReplayMismatch",
    "SaveError",
    "ScenarioError",
    "ScriptError",
    "StaleAnswer",
    "UnknownRule",
]


class BattlewrightError(Exception):
    """The base of every error raised on purpose."""


class BadInput(BattlewrightError):
    """A value, file or command line that cannot be read.

    Attributes:
        what: the fault, in one sentence without a full stop.
        where: the file, line, column or option it stands in; empty when there is no such place.
        expected: what would have been accepted; empty when the fault says it.
        nearest: the closest known name, when one is close.
    """

    def __init__(self, what: str, *, where: str = "", expected: str = "", nearest: str | None = None) -> None:
        super().__init__(what)
        self.what, self.where, self.expected, self.nearest = what, where, expected, nearest

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.expected:
            text += f"; expected {self.expected}"
        if self.nearest:
            text += f' (did you mean "{self.nearest}"?)'
        return text


class DiceSyntaxError(BadInput):
    """A dice expression that cannot be read."""


class ProfileError(BadInput):
    """A weapon or target profile, in text form, that cannot be read."""


class ArmyError(BadInput):
    """An army list or catalogue that cannot be read."""


class CannotAttack(BadInput):
    """A unit that has no weapon for the attack that is asked about: none that fights, reaches, or may be used."""


class ScenarioError(BadInput):
    """A scenario file that cannot be read."""


class SaveError(BadInput):
    """A saved battle that is cut short, edited, or was written by another version."""


class IllegalChoice(BattlewrightError):
    """An answer that the rules refuse. The battle is exactly as it was before.

    Attributes:
        violations: every reason for the refusal, each with its rule id; never empty.
    """

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__(violations)
        self.violations = tuple(violations)

    def __str__(self) -> str:
        return "; ".join(str(violation) for violation in self.violations)


class StaleAnswer(BattlewrightError):
    """An answer whose number is not that of the present decision."""

    def __init__(self, number: int, present: int) -> None:
        super().__init__(number, present)
        self.number, self.present = number, present

    def __str__(self) -> str:
        return f"the answer is for decision {self.number}, but the battle stands at decision {self.present}"


class ReplayMismatch(BattlewrightError):
    """A replay that departs from the recorded battle.

    Attributes:
        number: the first answer, counted from 1, after which the two differ.
        why: what differs, in a few words.
    """

    def __init__(self, number: int, why: str) -> None:
        super().__init__(number, why)
        self.number, self.why = number, why

    def __str__(self) -> str:
        return f"the replay differs from the record at answer {self.number}: {self.why}"


class UnknownRule(BattlewrightError):
    """A rule id that the rulebook does not hold."""

    def __init__(self, rule_id: str, nearest: str | None = None) -> None:
        super().__init__(rule_id)
        self.rule_id, self.nearest = rule_id, nearest

    def __str__(self) -> str:
        hint = f' (did you mean "{self.nearest}"?)' if self.nearest else ""
        return f'the rulebook has no entry "{self.rule_id}"{hint}'


class ScriptError(BattlewrightError):
    """A scripted dice stream and the battle disagree about which dice are rolled."""


class EngineError(BattlewrightError):
    """A fault of ours inside a rule; the battle has been restored to its last checkpoint."""
