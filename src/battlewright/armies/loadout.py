"""Giving each model its weapons where a list only counts them for a group."""

from __future__ import annotations

from collections.abc import Collection, Sequence

__all__ = ["distribute"]


def distribute(
    models: int, counts: Sequence[int], default: Sequence[bool], replaces: Sequence[Collection[int]] = ()
) -> list[list[int]]:
    """How many copies of each weapon each model carries; the counts are conserved.

    What goes round evenly is shared evenly. Of the rest, weapons of the default loadout go together to the first
    models, and any other weapon to a model that lacks what it replaces, or else carries least.

    Args:
        models: how many models, at least 1.
        counts: copies of each weapon in the whole group.
        default: for each weapon whether the datasheet gives it to every model.
        replaces: for each weapon the indices of those that it takes the place of; may be left out.

    Returns:
        One row per model, one column per weapon.

    >>> distribute(3, [2, 2, 1], [True, True, False])     # two with both, one with the third instead
    [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    """
    shares = [[count // models for count in counts] for _ in range(models)]
    rest = [count % models for count in counts]
    extras = [0] * models
    for weapon, copies in enumerate(rest):
        if default[weapon]:
            for model in range(copies):
                shares[model][weapon] += 1
    others = sorted((weapon for weapon in range(len(counts)) if not default[weapon]), key=lambda each: -rest[each])
    for weapon in others:
        replaced = replaces[weapon] if replaces else ()
        for _ in range(rest[weapon]):
            model = min(
                range(models),
                key=lambda each: (
                    shares[each][weapon],
                    sum(shares[each][other] for other in replaced),
                    sum(shares[each]),
                    extras[each],
                    -each,
                ),
            )
            shares[model][weapon] += 1
            extras[model] += 1
    return shares
