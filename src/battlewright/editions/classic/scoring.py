"""Victory points: what the enemy's losses and one's own survivors are worth."""

from __future__ import annotations

from dataclasses import dataclass

from battlewright.core.rulebook import rule

__all__ = ["Remains", "points_for_losses", "points_for_survivors"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remains:
    """What is left of a unit when the battle is over.

    Attributes:
        points: what it cost.
        left, begun: its models now and when the battle began; 0 left: destroyed.
        vehicle: whether it is one.
        fled: whether it left the table or still falls back.
        immobilised, weapon_lost: of a vehicle.
    """

    points: int
    left: int
    begun: int
    vehicle: bool = False
    fled: bool = False
    immobilised: bool = False
    weapon_lost: bool = False

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left of it that counts."""
        return self.left == 0 or self.fled


@rule("3e.core.missions.victory-points", "4e.core.missions.victory-points")
def points_for_losses(enemy: Remains, *, at_half: bool = True) -> int:
    """What an enemy unit's losses are worth: all its points when it is gone, half of them when it is badly hurt.

    Args:
        at_half: whether a unit with exactly half its models left is badly hurt, or only one with fewer.

    RULING: 3e.core.missions.victory-points half of an odd number is rounded down.
    """
    if enemy.is_gone:
        return enemy.points
    hurt = 2 * enemy.left < enemy.begun + at_half or (enemy.vehicle and (enemy.immobilised or enemy.weapon_lost))
    return enemy.points // 2 if hurt else 0


@rule("3e.core.missions.own-survivors")
def points_for_survivors(own: Remains) -> int:
    """What one's own unit is worth where survivors score: all its points, half of them, or nothing."""
    if own.is_gone:
        return 0
    if own.vehicle:
        if own.immobilised:
            return 0
        return own.points // 2 if own.weapon_lost or own.left < own.begun else own.points
    if 4 * own.left >= 3 * own.begun:
        return own.points
    return own.points // 2 if 4 * own.left >= own.begun else 0
