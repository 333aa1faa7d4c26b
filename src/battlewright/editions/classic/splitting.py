"""Splitting close combat attacks between models, kinds and units, and who falls to them (3rd edition).

Attacks are aimed before any die is rolled: at a *kind* of opponent, which is a unit and the WS and Toughness of its
models, or, by a character, at one model. Wounds of attacks on a kind carry over to other models of it; those aimed at
one model harm that model alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule

__all__ = [
    "Aim",
    "Opponent",
    "TargetKind",
    "default_aim",
    "must_name_targets",
    "opponents_to_strike",
    "split_faults",
    "target_kinds",
]


@dataclass(frozen=True, slots=True, order=True)
class TargetKind:
    """Opponents that attacks need not be split between: those of one unit with the same WS and Toughness."""

    unit: int
    weapon_skill: int
    toughness: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """An enemy model in a close combat.

    Attributes:
        unit: see :func:`split_unit`.
        left: wounds it has left.
        in_contact: whether it touches an enemy; ``within_two`` whether it is within 2" of one.
    """

    row: int
    unit: int
    weapon_skill: int
    toughness: int
    left: int = 1
    in_contact: bool = False
    within_two: bool = False

    @property
    def kind(self) -> TargetKind:
        """What attacks on it are aimed at."""
        return TargetKind(self.unit, self.weapon_skill, self.toughness)


@dataclass(frozen=True, slots=True)
class Aim:
    """So many attacks at a kind of opponent, or at one model (its row)."""

    target: TargetKind | int
    attacks: int


# -- aiming -----------------------------------------------------------------------------------------------------


@rule(
    "3e.split.must-different",
    "3e.split.must-two-units",
    "3e.cc-example.types-split",
    "3e.cc-example.marshal-split",
    "3e.char-combat.two-units",
    "3e.split.characters-also-must",
)
def target_kinds(opponents: Sequence[Opponent]) -> tuple[TargetKind, ...]:
    """The kinds that a model's attacks have to be split between, in order of first appearance.

    Opponents of different WS or Toughness, and of different units, are different kinds.
    """
    return tuple(dict.fromkeys(opponent.kind for opponent in opponents))


@rule("3e.split.must-different", "3e.split.must-two-units", "3e.split.support-assigned")
def must_name_targets(opponents: Sequence[Opponent]) -> bool:
    """Whether the player has to say before rolling whom a model's attacks are for."""
    return len(target_kinds(opponents)) > 1


@rule("3e.split.any-share", "3e.split.characters-free", "3e.char-combat.mix", "3e.cc-example.exarch-mixed")
@rule("3e.char-combat.ordinary-split", "3e.cc-example.trooper-no-pick", "3e.split.support-assigned")
@rule("3e.split.must-different", "3e.split.must-two-units", "3e.cc-example.exarch-pick")
def split_faults(
    attacks: int, opponents: Sequence[Opponent], aims: Sequence[Aim], *, singles_out: bool
) -> list[Violation]:
    """Why a model's attacks may not be aimed so; nothing when they may.

    Args:
        attacks: how many it makes.
        opponents: the enemies that it touches; for a supporting model those within 2".
        singles_out: whether it may aim at one model.

    The player divides them as he likes, none for a kind included; all of them have to be aimed.
    """
    found = []
    if sum(aim.attacks for aim in aims) != attacks or any(aim.attacks < 0 for aim in aims):
        given = sum(aim.attacks for aim in aims)
        found.append(Violation("3e.split.any-share", f"{given} attacks are aimed, the model makes {attacks}"))
    kinds, rows = target_kinds(opponents), {opponent.row for opponent in opponents}
    for aim in aims:
        if isinstance(aim.target, TargetKind):
            if aim.target not in kinds:
                found.append(Violation("3e.split.must-different", "No such opponent is within the model's reach"))
        elif not singles_out:
            found.append(Violation("3e.char-combat.ordinary-split", "Only characters may single out a model"))
        elif aim.target not in rows:
            found.append(Violation("3e.char-combat.directed-touch-only", f"Model {aim.target} is not touched"))
    return found


def default_aim(attacks: int, opponents: Sequence[Opponent]) -> tuple[Aim, ...]:
    """All attacks at the first kind within reach."""
    kinds = target_kinds(opponents)
    return (Aim(kinds[0], attacks),) if kinds and attacks else ()


@rule("3e.cc-casualties.opponent-slain", "3e.cc-casualties.fist-keeps")
def opponents_to_strike(touched: Sequence[Opponent], living: Sequence[Opponent]) -> tuple[Opponent, ...]:
    """Whom a model strikes when its step comes: those it touched that live, else the rest of their units.

    Args:
        touched: whom it touched when the fighting began, the slain included.
        living: every opponent in the combat that lives.
    """
    rows = {opponent.row for opponent in touched}
    still = tuple(opponent for opponent in living if opponent.row in rows)
    units = {opponent.unit for opponent in touched}
    return still or tuple(opponent for opponent in living if opponent.unit in units)


# -- who falls --------------------------------------------------------------------------------------------------
