"""Who is attacked: the target as it stands, its toughness and its allocation groups (05.02, 05.03, 19.02)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from battlewright.core.rulebook import rule
from battlewright.editions.eleventh.core_abilities import is_stealth_unit
from battlewright.editions.eleventh.datasheet import CoreAbility, Harm, ModelProfile
from battlewright.editions.eleventh.keywords import keywords_of_models

__all__ = [
    "AllocationGroup",
    "TargetModel",
    "TargetView",
    "allocation_groups",
    "default_order",
    "is_legal_order",
    "precision_choices",
    "toughness_against",
]


@dataclass(frozen=True, slots=True)
class TargetModel:
    """One living model of the target.

    Attributes:
        remaining: wounds it has left.
        bodyguard: whether it belongs to the bodyguard of an attached unit, not to its leader or support.
        id: the caller's number for it.
        points: what it costs.
    """

    profile: ModelProfile
    remaining: int
    bodyguard: bool = True
    id: int = 0
    points: float = 0.0

    @property
    def is_wounded(self) -> bool:
        """Whether it has lost wounds."""
        return self.remaining < self.profile.wounds


@dataclass(frozen=True, slots=True)
class TargetView:
    """The living models of the unit that is attacked.

    Attributes:
        attached: whether it is an attached unit (19).
    """

    models: tuple[TargetModel, ...]
    attached: bool = False

    @property
    def keywords(self) -> frozenset[str]:
        """The keywords of the unit: those of all its living models."""
        return keywords_of_models({model.profile.keywords for model in self.models})

    @property
    def has_stealth(self) -> bool:
        """Whether every model has Stealth."""
        return is_stealth_unit(model.profile for model in self.models)


@dataclass(frozen=True, slots=True)
class AllocationGroup:
    """Models of the target that are alike for allocation.

    Attributes:
        models: indices into the target's models, in the order in which they are lost: wounded ones first.
        block: number of the group that the rules know (05.03). Models of one block with different Feel No Pain are
            kept in groups of their own, one after the other: which model of a block is selected is the defender's
            choice.
        invulnerable: against all attacks; ``invulnerable_ranged`` and ``invulnerable_melee`` against those alone.
        limited: instances of Feel No Pain that work against wounds of some kinds.
    """

    models: tuple[int, ...]
    is_character: bool
    wounds: int
    save: int | None
    invulnerable: int | None
    feel_no_pain: int | None
    block: int
    is_wounded: bool
    invulnerable_ranged: int | None = None
    invulnerable_melee: int | None = None
    limited: tuple[CoreAbility, ...] = ()

    @rule("11e.core.05.04-ap-and-invulnerable")
    def facing(self, *, melee: bool, psychic: bool = False) -> AllocationGroup:
        """The group with the best invulnerable save that it has against melee attacks, or against ranged ones, and the
        best Feel No Pain that it has against psychic attacks, or against others."""
        found = self
        apart = self.invulnerable_melee if melee else self.invulnerable_ranged
        if apart is not None and (self.invulnerable is None or self.invulnerable > apart):
            found = replace(found, invulnerable=apart)
        if psychic and self.limited:
            found = replace(found, feel_no_pain=self.kept_on(Harm.PSYCHIC))
        return found

    def kept_on(self, *harm: Harm) -> int | None:
        """The lowest D6 that keeps a wound of these kinds."""
        fitting = (each.threshold for each in self.limited if not set(harm).isdisjoint(each.against))
        return min((each for each in (self.feel_no_pain, *fitting) if each is not None), default=None)


@rule("11e.core.05.02-mixed-toughness", "11e.core.19.02-toughness")
def toughness_against(target: TargetView) -> int:
    """The T that wound rolls are made against: the highest, of the bodyguard in an attached unit while one lives."""
    bodyguard = [model for model in target.models if model.bodyguard] if target.attached else []
    return max(model.profile.toughness for model in bodyguard or target.models)


@rule("11e.core.05.03-groups", "11e.core.05.04-select-model", "11e.core.05.04-saves-of-a-model")
def allocation_groups(target: TargetView) -> tuple[AllocationGroup, ...]:
    """The allocation groups in the default order of :func:`default_order`.

    One for each CHARACTER model, one for each set of the others that share W, Sv and InSv.
    """
    blocks: dict[tuple[object, ...], list[int]] = {}
    for index, model in enumerate(target.models):
        profile = model.profile
        saves = (profile.save, profile.invulnerable, profile.invulnerable_ranged, profile.invulnerable_melee)
        key = (index,) if profile.is_character else (profile.wounds, *saves, "shared")
        blocks.setdefault(key, []).append(index)
    found: list[AllocationGroup] = []
    for block, indices in enumerate(blocks.values()):
        alike: dict[tuple[int | None, tuple[CoreAbility, ...]], list[int]] = {}
        for index in indices:
            profile = target.models[index].profile
            alike.setdefault((profile.feel_no_pain, _limited(profile)), []).append(index)
        for (feel_no_pain, limited), some in alike.items():
            some.sort(key=lambda index: (not target.models[index].is_wounded, target.models[index].remaining, index))
            first = target.models[some[0]]
            found.append(
                AllocationGroup(
                    models=tuple(some),
                    is_character=first.profile.is_character,
                    wounds=first.profile.wounds,
                    save=first.profile.save,
                    invulnerable=first.profile.invulnerable,
                    feel_no_pain=feel_no_pain,
                    block=block,
                    is_wounded=first.is_wounded,
                    invulnerable_ranged=first.profile.invulnerable_ranged,
                    invulnerable_melee=first.profile.invulnerable_melee,
                    limited=limited,
                )
            )
    return tuple(found[index] for index in default_order(found))


def _limited(profile: ModelProfile) -> tuple[CoreAbility, ...]:
    return tuple(dict.fromkeys(each for each in profile.abilities if each.against))


def default_order(groups: Sequence[AllocationGroup]) -> tuple[int, ...]:
    """An order that a defender may choose: wounded ones first among equals, otherwise as they stand in the unit."""
    block_wounded = {group.block for group in groups if group.is_wounded}
    return tuple(
        sorted(
            range(len(groups)),
            key=lambda index: (
                groups[index].is_character,
                groups[index].block not in block_wounded,
                groups[index].block,
                not groups[index].is_wounded,
                groups[index].feel_no_pain or 7,
            ),
        )
    )


@rule("11e.core.05.03-order", "11e.core.05.03-several-wounded")
def is_legal_order(groups: Sequence[AllocationGroup], order: Sequence[int]) -> bool:
    """Whether the defender may take the groups in this order.

    A wounded group that is of no CHARACTER goes first (which of several is the defender's choice); no CHARACTER goes
    before another group, and no unwounded CHARACTER before a wounded one. Groups of one block stay together.
    """
    if sorted(order) != list(range(len(groups))):
        return False
    wounded = {group.block for group in groups if group.is_wounded}
    taken = [groups[index] for index in order]
    ranks = [(group.is_character, group.block not in wounded) for group in taken]
    if wounded_others := [rank for rank in ranks if rank == (False, False)]:
        is_first = ranks[: len(wounded_others)] == wounded_others or ranks[0] == (False, False)
    else:
        is_first = True
    characters = [rank for rank in ranks if rank[0]]
    blocks = [group.block for place, group in enumerate(taken) if not place or taken[place - 1].block != group.block]
    return (
        is_first
        and ranks[len(ranks) - len(characters) :] == characters
        and characters == sorted(characters)
        and len(blocks) == len(set(blocks))
    )


@rule(
    "11e.24.28-precision.select-character-group",
    "11e.24.28-precision.timing",
    "11e.24.28-precision.visibility-required",
    "11e.24.28-precision.one-visible-is-enough",
    "11e.core.05.03-precision",
)
def precision_choices(
    target: TargetView, groups: Sequence[AllocationGroup], seen: Sequence[Sequence[int]]
) -> tuple[int, ...]:
    """The groups that the attacker may pick with PRECISION: of a CHARACTER that one attacking model at least sees.

    Args:
        seen: for each attacking model the indices of the target's models that it sees.

    Asked as the Allocation Order step starts, also when every wound so far is one of DEVASTATING WOUNDS.
    """
    visible = {index for each in seen for index in each}
    return tuple(
        number
        for number, group in enumerate(groups)
        if any(target.models[index].profile.is_character and index in visible for index in group.models)
    )
