"""The charts: what a die needs to hit, to wound, to save, to penetrate, and what a Leadership test needs.

Each chart is data; the function beside it reads it. Numbers needed are the lowest face that succeeds, 2 to 6; None
means that no face does.
"""

from __future__ import annotations

from battlewright.core.rulebook import rule

__all__ = [
    "HIT_BY_BALLISTIC_SKILL",
    "HIT_BY_WEAPON_SKILL",
    "WOUND",
    "armour_stands",
    "best_save",
    "d3",
    "hit_on",
    "no_second_try",
    "passes_characteristic_test",
    "passes_leadership_test",
    "strike_on",
    "wound_on",
]

HIT_BY_BALLISTIC_SKILL: tuple[int | None, ...] = (None, 6, 5, 4, 3, 2)
"""By BS, from 0 to 5; every higher BS counts as 5."""

HIT_BY_WEAPON_SKILL: tuple[tuple[int, ...], ...] = (
    # the opponent's WS 1 to 10
    (4, 4, 5, 5, 5, 5, 5, 5, 5, 5),
    (3, 4, 4, 4, 5, 5, 5, 5, 5, 5),
    (3, 3, 4, 4, 4, 4, 5, 5, 5, 5),
    (3, 3, 3, 4, 4, 4, 4, 4, 5, 5),
    (3, 3, 3, 3, 4, 4, 4, 4, 4, 4),
    (3, 3, 3, 3, 3, 4, 4, 4, 4, 4),
    (3, 3, 3, 3, 3, 3, 4, 4, 4, 4),
    (3, 3, 3, 3, 3, 3, 3, 4, 4, 4),
    (3, 3, 3, 3, 3, 3, 3, 3, 4, 4),
    (3, 3, 3, 3, 3, 3, 3, 3, 3, 4),
)
"""By the attacker's WS, from 1 to 10, then by the opponent's."""

WOUND: tuple[tuple[int | None, ...], ...] = (
    # Toughness 1 to 10
    (4, 5, 6, 6, None, None, None, None, None, None),
    (3, 4, 5, 6, 6, None, None, None, None, None),
    (2, 3, 4, 5, 6, 6, None, None, None, None),
    (2, 2, 3, 4, 5, 6, 6, None, None, None),
    (2, 2, 2, 3, 4, 5, 6, 6, None, None),
    (2, 2, 2, 2, 3, 4, 5, 6, 6, None),
    (2, 2, 2, 2, 2, 3, 4, 5, 6, 6),
    (2, 2, 2, 2, 2, 2, 3, 4, 5, 6),
    (2, 2, 2, 2, 2, 2, 2, 3, 4, 5),
    (2, 2, 2, 2, 2, 2, 2, 2, 3, 4),
)
"""By Strength, from 1 to 10, then by Toughness."""


@rule("4e.core.shooting.to-hit", "6e.core.shooting.to-hit")
@rule("6e.outside.to-hit")
@rule("3e.outside.bs-table", "3e.core.shooting.to-hit")
def hit_on(ballistic_skill: int) -> int | None:
    """What a shot needs to hit; None for BS 0.

    >>> hit_on(4), hit_on(9)
    (3, 2)
    """
    return HIT_BY_BALLISTIC_SKILL[min(max(ballistic_skill, 0), 5)]


def no_second_try(ballistic_skill: int) -> int | None:
    """A shot that has missed has missed, however good the shot."""
    return None


@rule("3e.outside.ws-table", "3e.core.assault.to-hit", "4e.core.assault.to-hit", "6e.core.assault.to-hit")
def strike_on(weapon_skill: int, opponent: int) -> int:
    """What a blow in close combat needs to hit an opponent of this WS.

    A WS below 1 counts as 1, one above 10 as 10.
    """
    return HIT_BY_WEAPON_SKILL[_row(weapon_skill)][_row(opponent)]


@rule("4e.core.shooting.to-wound", "6e.core.shooting.to-wound")
@rule("6e.outside.to-wound")
@rule("3e.outside.wound-table", "3e.core.shooting.to-wound")
def wound_on(strength: int, toughness: int) -> int | None:
    """What a hit needs to wound; None when it cannot, Strength 0 included.

    >>> wound_on(4, 4), wound_on(3, 7)
    (4, None)
    """
    if strength < 1:
        return None
    return WOUND[_row(strength)][_row(toughness)]


def _row(characteristic: int) -> int:
    return min(max(characteristic, 1), 10) - 1


@rule("4e.core.shooting.armour-save", "6e.core.shooting.saves")
@rule("3e.outside.ap", "3e.outside.armour-save", "3e.core.shooting.armour-save")
def armour_stands(save: int | None, ap: int | None) -> bool:
    """Whether an armour save may be tried: a weapon's AP cancels every save of that number or a higher one.

    Args:
        save: the printed save, None for no armour.
        ap: the weapon's AP, None for AP "-".
    """
    return save is not None and (ap is None or ap > save)


@rule("4e.core.shooting.one-save", "6e.core.shooting.saves")
@rule("4e.mixed-armour.invulnerable-choice")
@rule(
    "3e.outside.one-save",
    "3e.outside.cover-save",
    "3e.outside.invulnerable",
    "3e.core.shooting.one-save",
    "3e.core.shooting.cover-save",
    "3e.core.shooting.invulnerable-save",
)
def best_save(armour: int | None, invulnerable: int | None, cover: int | None) -> int | None:
    """The one save that is tried against a wound: the best of those that stand; None when none does.

    Args:
        armour: the armour save where it stands (:func:`armour_stands`).
        invulnerable: neither AP nor anything else takes it.
        cover: the cover that the model has from this shot; AP does not touch it.
    """
    return min((save for save in (armour, invulnerable, cover) if save is not None), default=None)


@rule("4e.core.fundamentals.dice", "6e.core.fundamentals.dice")
@rule("3e.core.fundamentals.d3")
def d3(face: int) -> int:
    """A D3 from the face of a D6: half of it, rounded up."""
    return (face + 1) // 2


@rule("3e.core.fundamentals.characteristic-test")
@rule("4e.core.fundamentals.characteristic-test", "6e.core.fundamentals.characteristic-test")
def passes_characteristic_test(face: int, characteristic: int) -> bool:
    """A D6 of the characteristic or less passes; a 6 always fails."""
    return face < 6 and face <= characteristic


@rule("4e.core.fundamentals.leadership-test", "6e.core.fundamentals.leadership-test")
@rule("3e.outside.ld-test", "3e.core.fundamentals.leadership-test")
def passes_leadership_test(total: int, leadership: int) -> bool:
    """A 2D6 of the Leadership or less passes, the Leadership being what modifiers have left of it."""
    return total <= leadership
