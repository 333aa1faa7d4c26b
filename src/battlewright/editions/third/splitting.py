"""Splitting close combat attacks between models, kinds and units, and who falls to them (3rd edition).

Attacks are aimed before any die is rolled: at a *kind* of opponent, which is a unit and the WS and Toughness of its
models, or, by a character, at one model. Wounds of attacks on a kind carry over to other models of it; those aimed at
one model harm that model alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule

__all__ = [
    "Aim",
    "Opponent",
    "TargetKind",
    "default_aim",
    "losses",
    "may_single_out",
    "most_common_kind",
    "must_name_targets",
    "next_to_fall",
    "opponents_to_strike",
    "split_faults",
    "split_unit",
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


@rule("3e.split.character-is-unit", "3e.cc-example.marshal-joined-or-not")
def split_unit(unit: int, row: int, *, is_character: bool) -> int:
    """The unit that a model counts as when attacks are split: each character is a unit of its own, joined or not."""
    return -1 - row if is_character else unit


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


@rule(
    "3e.split.characters-free",
    "3e.char-combat.always-split",
    "3e.char-combat.ordinary-split",
    "3e.cc-example.trooper-no-pick",
    "3e.cc-example.exarch-pick",
)
def may_single_out(*, is_character: bool) -> bool:
    """Whether a model may aim at one model that it touches: characters of both kinds may, ordinary models may not."""
    return is_character


@rule("3e.split.any-share", "3e.split.characters-free", "3e.char-combat.mix", "3e.cc-example.exarch-mixed")
@rule("3e.char-combat.ordinary-split", "3e.cc-example.trooper-no-pick", "3e.split.support-assigned")
@rule("3e.split.must-different", "3e.split.must-two-units", "3e.cc-example.exarch-pick")
def split_faults(
    attacks: int, opponents: Sequence[Opponent], aims: Sequence[Aim], *, is_character: bool
) -> list[Violation]:
    """Why a model's attacks may not be aimed so; nothing when they may.

    Args:
        attacks: how many it makes.
        opponents: the enemies that it touches; for a supporting model those within 2".

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
        elif not may_single_out(is_character=is_character):
            found.append(Violation("3e.char-combat.ordinary-split", "Only characters may single out a model"))
        elif aim.target not in rows:
            found.append(Violation("3e.char-combat.directed-touch-only", f"Model {aim.target} is not touched"))
    return found


@rule("3e.split.undeclared")
def roll_again(kinds: Sequence[TargetKind], counts: Mapping[TargetKind, int]) -> TargetKind | None:
    """What becomes of dice that were rolled before their target was named: they are ignored (None), and rolled anew
    once it has been."""
    return None


@rule("3e.split.undeclared")
def most_common_kind(kinds: Sequence[TargetKind], counts: Mapping[TargetKind, int]) -> TargetKind | None:
    """The other remedy: the more common enemy is taken as the target.

    Args:
        kinds: within the model's reach.
        counts: how many models there are of each.
    """
    return max(kinds, key=lambda kind: counts.get(kind, 0), default=None)


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


@rule(
    "3e.cc-casualties.contact-first",
    "3e.cc-casualties.then-two-inch",
    "3e.cc-casualties.then-rest",
    "3e.cc-casualties.directed-only-target",
    "3e.cc-casualties.owner-removes",
    "3e.core.assault.casualties",
)
@rule("3e.split.carries-over", "3e.split.directed-no-carry", "3e.cc-example.type-overflow")
@rule("3e.cc-example.type-stays", "3e.cc-example.exarch-no-overflow", "3e.cc-example.marshal-squad-overflow")
def next_to_fall(target: TargetKind | int, opponents: Sequence[Opponent]) -> tuple[int, ...]:
    """The models among which their owner picks the next casualty of attacks so aimed; none: the wound is lost.

    First those in contact, then those within 2", then the rest, of the kind that was attacked. Attacks on one model
    harm nobody else.

    Args:
        opponents: who still lives.
    """
    if not isinstance(target, TargetKind):
        return tuple(opponent.row for opponent in opponents if opponent.row == target)
    alike = [opponent for opponent in opponents if opponent.kind == target]
    for tier in (
        [opponent.row for opponent in alike if opponent.in_contact],
        [opponent.row for opponent in alike if opponent.within_two],
        [opponent.row for opponent in alike],
    ):
        if tier:
            return tuple(tier)
    return ()


@rule("3e.char-combat.directed-touch-only", "3e.cc-example.exarch-two-two", "3e.cc-example.exarch-mixed")
@rule("3e.split.carries-over", "3e.split.directed-no-carry", "3e.cc-casualties.directed-only-target")
def losses(
    unsaved: Sequence[tuple[TargetKind | int, int]], opponents: Sequence[Opponent], keep: Collection[int] = ()
) -> tuple[list[int], int]:
    """Whom unsaved wounds fell, and how many wounds were really lost; directed ones are dealt with first.

    Args:
        unsaved: unsaved wounds by what they were aimed at.
        opponents: who lives, with the wounds they have left.
        keep: rows that their owner spares as long as he may.

    Returns:
        The rows of the slain in the order in which they fell, and the wounds that count for the result.
    """
    left = {opponent.row: opponent.left for opponent in opponents}
    slain: list[int] = []
    counted = 0
    for target, wounds in sorted(unsaved, key=lambda each: isinstance(each[0], TargetKind)):
        for _ in range(wounds):
            rows = next_to_fall(target, [opponent for opponent in opponents if left[opponent.row]])
            if not rows:
                break
            row = min(rows, key=lambda each: (each in keep, left[each], each))
            left[row] -= 1
            counted += 1
            if not left[row]:
                slain.append(row)
    return slain, counted
