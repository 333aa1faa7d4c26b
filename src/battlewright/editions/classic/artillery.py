"""Artillery in the classic editions: guns with armour and a crew of troops, served, hit, abandoned and overrun."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.profiles import ModelProfile

__all__ = [
    "abandoned_guns",
    "cannot_escape",
    "crew_may_use_own_weapons",
    "crew_skill",
    "crewmen_serving",
    "dangerous_tests",
    "guns_left",
    "guns_served",
    "has_line_of_sight",
    "hits_a_gun",
    "hits_by_blast",
    "hits_without_roll",
    "is_gun",
    "may_charge_with",
    "range_counted",
    "range_from_gun",
    "split_by_dice",
    "strikes_back",
    "takes_morale_tests",
]

SERVING = 2.0
"""Inches within which a crewman serves a gun."""


# -- made of ----------------------------------------------------------------------------------------------------


@rule("4e.artillery.crew-dead")
def guns_left(guns: int, crew: int) -> int:
    """How many guns stay on the table: none when nobody of the crew is left."""
    return guns if crew else 0


# -- moving and firing ------------------------------------------------------------------------------------------


@rule("4e.artillery.gun-dangerous-test")
def dangerous_tests(guns: int, crew: int) -> int:
    """How many dangerous terrain tests a battery takes that moves in difficult terrain: one for each gun.

    RULING: 4e.artillery.gun-dangerous-test a gun that fails is lost, as any hit destroys it.
    """
    return guns


@rule("4e.artillery.crew-to-fire", "3e.core.units.artillery")
def crewmen_serving(gaps: NDArray[np.float64]) -> dict[int, int]:
    """Which crewman serves which gun: as many guns as can be, each by a crewman of its own within 2".

    Args:
        gaps: (g, c) inches from guns to crewmen.

    Returns:
        For each gun that may fire its crewman, as indices into ``gaps``.
    """
    serves: dict[int, int] = {}

    def serve(gun: int, tried: set[int]) -> bool:
        for man in range(gaps.shape[1]):
            if man in tried or not within(float(gaps[gun, man]), SERVING):
                continue
            tried.add(man)
            if man not in serves or serve(serves[man], tried):
                serves[man] = gun
                return True
        return False

    for gun in range(gaps.shape[0]):
        serve(gun, set())
    return {gun: man for man, gun in serves.items()}


@rule("4e.artillery.no-own-weapons")
def crew_may_use_own_weapons(*, serves_firing_gun: bool) -> bool:
    """Whether a crewman fires a weapon of his own: not while he fires a gun."""
    return not serves_firing_gun


@rule("4e.artillery.los-both")
def has_line_of_sight(*, gun: bool, crew: bool, barrage: bool) -> bool:
    """Whether a gun may fire at a target, by whether it and its crew see it; barrages need not."""
    return barrage or (gun and crew)


@rule("4e.artillery.range-from-crew")
def range_counted(gun: float, crew: float) -> float:
    """The distance to a target that counts, in inches: from the crew.

    RULING: 4e.artillery.range-from-crew from the crewman who serves the gun; players may agree on the gun itself.
    """
    return crew


def range_from_gun(gun: float, crew: float) -> float:
    """The other way of measuring: from the gun."""
    return gun


# -- hit --------------------------------------------------------------------------------------------------------


@rule("4e.artillery.random-hits", "4e.artillery.hit-table", "4e.artillery.assaulted-random")
def split_by_dice(faces: Sequence[int], guns: int, crew: int) -> tuple[int, int]:
    """How many hits, each with a die, strike guns and how many the crew, as long as there are both."""
    if not guns or not crew:
        return (len(faces), 0) if guns else (0, len(faces))
    struck = sum(hits_a_gun(face) for face in faces)
    return struck, len(faces) - struck


@rule("4e.artillery.blast-hits")
def hits_by_blast(guns_under: int, crew_under: int) -> tuple[int, int]:
    """How many armour penetration rolls and how many hits on the crew a marker brings: whoever lies under it."""
    return guns_under, crew_under


# -- in close combat --------------------------------------------------------------------------------------------


@rule("4e.artillery.no-charge")
def may_charge_with(guns: int) -> bool:
    """Whether gunners may charge: not while one of their guns is left."""
    return guns == 0


@rule("4e.artillery.assaulted-ws")
def crew_skill(crew: Sequence[int]) -> int:
    """The WS that blows at a battery are rolled against: the crew's; 0 where nobody is left."""
    return max(set(crew), key=lambda value: (crew.count(value), value)) if crew else 0


@rule("4e.artillery.guns-only-auto")
def hits_without_roll(crew: int) -> bool:
    """Whether blows at a battery hit without a roll: where only guns are left."""
    return crew == 0


@rule("4e.artillery.crew-strike")
def strikes_back(*, gun: bool, engaged: bool) -> bool:
    """Whether a model of a battery strikes: crewmen who are engaged; guns never do."""
    return engaged and not gun


# -- morale -----------------------------------------------------------------------------------------------------


@rule("4e.artillery.morale-as-infantry")
def takes_morale_tests(crew: int) -> bool:
    """Whether a battery takes morale tests as infantry does: as long as there is a crew."""
    return crew > 0


@rule("4e.artillery.fall-back-guns")
def abandoned_guns(guns: int, crew: int) -> int:
    """How many guns are left behind, and destroyed, by a crew that falls back."""
    return guns - guns_served(crew, guns)


@rule("4e.artillery.swept")
def cannot_escape(models: Iterable[ModelProfile]) -> bool:
    """Whether a unit that runs from combat is caught without dice: artillery is."""
    return any(is_gun(model) for model in models)


@rule("4e.artillery.composition", "3e.core.units.artillery")
def is_gun(model: ModelProfile) -> bool:
    """Whether a model is a gun: artillery that has armour."""
    return "ARTILLERY" in model.keywords


@rule("3e.core.units.artillery", "4e.artillery.crew-to-move", "4e.artillery.move")
def guns_served(crew: int, guns: int) -> int:
    """How many guns of a battery move and fire: each needs one crewman of its own."""
    return min(crew, guns)


@rule("3e.core.units.artillery-hits", "4e.artillery.hit-table")
def hits_a_gun(face: int) -> bool:
    """Whether a hit on a battery strikes a gun: on 5 and 6; on 1 to 4 it strikes the crew."""
    return face >= 5
