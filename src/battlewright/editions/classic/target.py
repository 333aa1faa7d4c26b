"""Who is attacked: living models with their cover, or a vehicle with the side that is hit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from battlewright.core.rulebook import rule
from battlewright.editions.classic.profiles import Armour, Facing, ModelProfile

__all__ = [
    "TargetGroup",
    "TargetModel",
    "TargetView",
    "groups_alike",
    "kills_outright",
    "majority_or_highest_toughness",
    "majority_or_highest_weapon_skill",
    "majority_or_lowest_toughness",
]


@dataclass(frozen=True, slots=True)
class TargetModel:
    """One living model of the target.

    Attributes:
        remaining: wounds it has left.
        cover: the cover save that it has from this attack, None in the open.
        id: the caller's number for it.
        points: what it costs.
    """

    profile: ModelProfile
    remaining: int
    cover: int | None = None
    id: int = 0
    points: float = 0.0


@dataclass(frozen=True, slots=True)
class TargetView:
    """The models that are attacked: living ones, or one vehicle.

    Attributes:
        facing: the side of the vehicle that is hit.
        hull_down: whether penetrating hits on the vehicle count as glancing hits.
        obscured_on: a die of this or more makes a penetrating hit on it a glancing one; None for no die.
        immobilised: whether the vehicle is immobilised already.
        besides: keywords that the target counts as having at the moment.
    """

    models: tuple[TargetModel, ...]
    facing: Facing = Facing.FRONT
    hull_down: bool = False
    obscured_on: int | None = None
    immobilised: bool = False
    besides: frozenset[str] = frozenset()

    @property
    def armour(self) -> Armour | None:
        """The armour of the vehicle that is attacked, None for living models."""
        return self.models[0].profile.armour if self.models else None

    @property
    def traits(self) -> frozenset[str]:
        """Keywords and abilities that some model of the target has."""
        found = (each.profile.keywords | each.profile.abilities for each in self.models)
        return self.besides.union(*found)


@dataclass(frozen=True, slots=True)
class TargetGroup:
    """Models of the target that are alike for saves and wounds.

    Attributes:
        models: indices into the target's models, in the order in which they are lost: wounded ones first.
    """

    models: tuple[int, ...]
    save: int | None
    invulnerable: int | None
    cover: int | None
    wounds: int
    toughness: int
    base_toughness: int


def groups_alike(target: TargetView) -> tuple[TargetGroup, ...]:
    """The groups of a target in the order in which their first models stand; wounded models first in each."""
    found: dict[tuple[object, ...], list[int]] = {}
    for index, model in enumerate(target.models):
        found.setdefault(_likeness(model), []).append(index)
    groups = []
    for indices in found.values():
        model = target.models[indices[0]]
        profile = model.profile
        indices.sort(key=lambda index: target.models[index].remaining >= target.models[index].profile.wounds)
        groups.append(
            TargetGroup(
                tuple(indices),
                profile.save,
                profile.invulnerable,
                model.cover,
                profile.wounds,
                profile.toughness,
                profile.base_toughness,
            )
        )
    return tuple(groups)


def _likeness(model: TargetModel) -> tuple[object, ...]:
    profile = model.profile
    saves = (profile.save, profile.invulnerable, model.cover)
    return (*saves, profile.wounds, profile.toughness, profile.base_toughness)


def _most_common(values: Sequence[int]) -> tuple[list[int], bool]:
    """The values that are most common, and whether most models have one of them."""
    counts = Counter(values)
    most = max(counts.values())
    return sorted(value for value, count in counts.items() if count == most), 2 * most > len(values)


@rule("3e.outside.majority-toughness")
def majority_or_lowest_toughness(models: Sequence[TargetModel]) -> int:
    """The Toughness that most models have, the lowest of all when no value has a majority."""
    values = [model.profile.toughness for model in models]
    common, is_majority = _most_common(values)
    return common[0] if is_majority else min(values)


@rule("4e.core.shooting.mixed-toughness", "6e.core.fundamentals.majority", "6e.core.shooting.to-wound")
def majority_or_highest_toughness(models: Sequence[TargetModel]) -> int:
    """The Toughness that is most common, of several equally common ones the highest."""
    return _most_common([model.profile.toughness for model in models])[0][-1]


def majority_or_highest_weapon_skill(models: Sequence[TargetModel]) -> int:
    """The WS that most models have; of several equally common ones the highest."""
    return _most_common([model.profile.weapon_skill for model in models])[0][-1]


@rule("4e.core.shooting.instant-death", "6e.core.shooting.instant-death")
@rule("6e.outside.instant-death", "4e.bikes.instant-death")
@rule("4e.jetbikes.instant-death")
@rule(
    "3e.instant-kill.trigger",
    "3e.instant-kill.base-toughness",
    "3e.outside.double-toughness",
    "3e.core.shooting.instant-death",
    "3e.core.units.bike-toughness",
)
def kills_outright(strength: int, base_toughness: int) -> bool:
    """Whether an unsaved wound removes a model whatever its wounds: Strength at least twice its starting Toughness.

    What a bike, equipment or a gift adds to the Toughness does not count.
    """
    return strength >= 2 * base_toughness
