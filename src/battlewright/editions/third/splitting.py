"""Splitting attacks and taking losses in close combat as the 3rd edition does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from battlewright.core.rulebook import rule
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.splitting import Opponent, TargetKind

__all__ = ["as_they_are", "may_single_out", "most_common_kind", "next_to_fall", "roll_again", "split_unit"]


@rule("3e.split.character-is-unit", "3e.cc-example.marshal-joined-or-not")
def split_unit(unit: int, row: int, profile: ModelProfile) -> int:
    """The unit that a model counts as when attacks are split: each character is a unit of its own, joined or not."""
    return -1 - row if profile.is_character else unit


def as_they_are(opponents: Sequence[Opponent]) -> list[Opponent]:
    """What the models of a unit are struck as: each with its own WS and Toughness."""
    return list(opponents)


@rule(
    "3e.split.characters-free",
    "3e.char-combat.always-split",
    "3e.char-combat.ordinary-split",
    "3e.cc-example.trooper-no-pick",
    "3e.cc-example.exarch-pick",
)
def may_single_out(profile: ModelProfile) -> bool:
    """Whether a model may aim at one model that it touches: characters of both kinds may, ordinary models may not."""
    return profile.is_character


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
@rule("3e.char-combat.directed-touch-only", "3e.cc-example.exarch-two-two", "3e.cc-example.exarch-mixed")
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
