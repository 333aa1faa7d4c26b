"""What the 3rd edition decides about attacks: whom wounds go to first, and its damage tables."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.attacks.description import Allocation
from battlewright.core.rulebook import rule
from battlewright.editions.classic.attack import AttackRules
from battlewright.editions.classic.target import TargetGroup, TargetView, groups_alike
from battlewright.editions.third import damage_tables

__all__ = ["ATTACK", "groups_majority_first", "groups_open_first", "is_legal_order"]


@rule(
    "3e.outside.hits-open-first",
    "3e.casualties.open-first",
    "3e.core.shooting.partly-in-cover",
    "3e.mixed.armour-ignored",
)
def groups_open_first(target: TargetView) -> tuple[TargetGroup, ...]:
    """The groups of a target, those in the open before those in cover; otherwise in the order of the models.

    Armour has no say in the order: the owner may change it among groups that are alike in cover.
    """
    return tuple(sorted(groups_alike(target), key=lambda group: group.cover is not None))


@rule("3e.mixed.mixed-armour-rule")
def groups_majority_first(target: TargetView) -> tuple[TargetGroup, ...]:
    """The groups of a target by an army book's rule for mixed armour: the most common armour bears wounds first.

    DEVIATION: the wording of the three books' rules is not known to us; each of them is played as this.
    """
    return tuple(sorted(groups_open_first(target), key=lambda group: (group.cover is not None, -len(group.models))))


@rule("3e.mixed.armour-ignored", "3e.casualties.open-first")
def is_legal_order(groups: Sequence[TargetGroup], order: Sequence[int]) -> bool:
    """Whether the owner may have wounds dealt to the groups in this order: nobody in cover before anybody in the open.

    Args:
        order: all indices into ``groups``.
    """
    covered = [groups[index].cover is not None for index in order]
    return covered == sorted(covered)


ATTACK = AttackRules(
    groups=groups_open_first,
    is_legal_order=is_legal_order,
    allocation=Allocation.EVEN,
    glancing=damage_tables.GLANCING,
    penetrating=damage_tables.PENETRATING,
    ordnance=damage_tables.ORDNANCE,
)
