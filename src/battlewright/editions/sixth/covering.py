"""Cover in the 6th edition: model by model, by a quarter that is hidden, and what improves it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from battlewright.core.prisms import Prisms
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.procedures.board import gaps, pose_of, unit_in
from battlewright.editions.classic.procedures.covering import area_cover, feature_saves
from battlewright.editions.classic.procedures.searchlights import is_lit
from battlewright.editions.classic.procedures.seeing import Source, bodies_between, shares_seen
from battlewright.editions.classic.profiles import Kind, ModelProfile
from battlewright.editions.classic.scene import Scene, standing, traits_of_model
from battlewright.editions.classic.state import ClassicState, ClassicUnit, Deed
from battlewright.editions.sixth.mysteries import has_stealth

__all__ = ["as_printed", "cover_of", "covers_of", "is_hidden_enough", "jink_save", "night_bonus", "with_bonuses"]

INTERVENING = 5
"""The cover save that models in between give."""
_NONE = 7
_DARK = ((12.0, 0), (24.0, 1), (36.0, 2))


@rule("6e.core.shooting.cover-per-model", "6e.outside.cover-obscured")
def is_hidden_enough(share_seen: float) -> bool:
    """Whether so much of a model is hidden that it has cover: a quarter of it or more.

    Args:
        share_seen: of the model, from 0 to 1.
    """
    return share_seen <= 0.75 + 1e-9


@rule("6e.core.shooting.night-fighting", "6e.outside.night-fighting", "6e.core.special-rules.night-vision")
def night_bonus(distance: float, *, sees_at_night: bool = False) -> int:
    """What darkness adds to the cover of a target: Stealth beyond 12", Shrouded beyond 24".

    Args:
        sees_at_night: whether the firers have night vision.
    """
    if sees_at_night:
        return 0
    return next((bonus for inches, bonus in _DARK if within(distance, inches)), 2)


@rule("6e.core.shooting.cover-bonuses", "6e.core.special-rules.stealth-and-shrouded", "6e.core.units.swarm")
@rule("6e.core.movement.going-to-ground")
def with_bonuses(
    save: int | None, names: Collection[str], *, dark: int = 0, gone_to_ground: bool = False
) -> int | None:
    """The cover save with everything that improves it: Stealth 1, Shrouded 2, going to ground 1, to 2+ at best.

    In the open they make a save of their own: 6+ for each 1.

    Args:
        save: of the best cover, None in the open.
        names: special rules of the unit's models; swarms have Stealth.
        dark: what darkness adds.

    RULING: 6e.core.shooting.cover-bonuses the same rule counts once, from darkness or from the unit.
    """
    stealth = bool({"STEALTH", "SWARM"} & set(names)) or dark == 1
    shrouded = "SHROUDED" in names or dark == 2
    bonus = int(stealth) + 2 * int(shrouded) + int(gone_to_ground)
    found = max((_NONE if save is None else save) - bonus, 2)
    return found if found < _NONE else None


@rule("6e.outside.jink", "6e.core.units.bike", "6e.core.special-rules.skilled-rider")
def jink_save(names: Collection[str], kind: Kind, *, moved: bool, boosted: bool) -> int | None:
    """The cover save of a model that jinks: 5+ if it moved, 4+ if it boosted or went flat out; None if it does not.

    Args:
        moved: in its last Movement phase.
    """
    jinks = kind in (Kind.BIKE, Kind.JETBIKE) or bool({"JINK", "SKIMMER"} & set(names))
    if not jinks or not (moved or boosted):
        return None
    return (4 if boosted else 5) - int("SKILLED RIDER" in names)


@rule("6e.core.shooting.area-terrain-cover", "6e.core.shooting.cover-per-model")
def cover_of(area: int | None, hiding: Sequence[tuple[float, int]], *, vehicle: bool = False) -> int | None:
    """The best cover save of a model: of the area that it stands in, however little is hidden, vehicles excepted; and
    of whatever hides a quarter of it.

    Args:
        hiding: for everything in between, how much of the model is seen past it and the save that it gives.
    """
    saves = [save for share, save in hiding if is_hidden_enough(share)]
    if area is not None and not vehicle:
        saves.append(area)
    return min(saves, default=None)


def as_printed(profile: ModelProfile, save: int | None, moved_last: bool) -> int | None:
    """The cover save of terrain, whoever has it."""
    return save


@rule("6e.core.shooting.cover-per-model", "6e.core.shooting.cover-bonuses", "6e.core.shooting.cover-table")
@rule("6e.core.weapons.barrage", "6e.core.missions.mysterious-objectives")
def covers_of(
    scene: Scene, state: ClassicState, unit: int, rows: Sequence[int], sources: Sequence[Source]
) -> Mapping[int, int | None]:
    """The cover save of each of some models of a unit, hidden from at least one of the sources; None in the open."""
    if not rows or not sources:
        return dict.fromkeys(rows)
    between = [
        (shares_seen(scene, state, sources, rows, prism).min(axis=0), save)
        for prism, save in _hiding(scene, state, unit, sources)
    ]
    mine = state.units[unit]
    names = frozenset().union(*(traits_of_model(scene, row) for row in standing(state, unit)))
    if has_stealth(mine):
        names |= {"STEALTH"}
    dark = _darkness(scene, state, rows, sources)
    found: dict[int, int | None] = {}
    for number, row in enumerate(rows):
        profile = scene.models[row].profile
        hiding = [(float(shares[number]), save) for shares, save in between]
        area = area_cover(scene, state, pose_of(state, row))
        traits = traits_of_model(scene, row) | ({"JINK"} if mine.aloft else set())
        jink = jink_save(traits, profile.kind, moved=_moved(mine), boosted=mine.has(Deed.BOOSTED))
        saves = [cover_of(area, hiding, vehicle=profile.is_vehicle), jink]
        best = min((save for save in saves if save is not None), default=None)
        found[row] = with_bonuses(best, names, dark=dark, gone_to_ground=mine.pinned)
    return found


def _moved(unit: ClassicUnit) -> bool:
    return unit.moved or unit.moved_last


def _hiding(scene: Scene, state: ClassicState, unit: int, sources: Sequence[Source]) -> list[tuple[Prisms, int]]:
    """Everything that may hide models of a unit, with the cover save that it gives."""
    firers = {unit_in(state, source) for source in sources if isinstance(source, int)}
    models = bodies_between(scene, state, firers | {unit})
    found = feature_saves(scene, state)
    return [*found, (models, INTERVENING)] if models is not None else [*found]


@rule("6e.searchlight.effect")
def _darkness(scene: Scene, state: ClassicState, rows: Sequence[int], sources: Sequence[Source]) -> int:
    firers = [source for source in sources if isinstance(source, int)]
    if not state.dark or not firers or is_lit(state, unit_in(state, rows[0])):
        return 0
    sees = all("NIGHT VISION" in traits_of_model(scene, row) for row in firers)
    return night_bonus(float(np.min(gaps(scene, state, firers, rows))), sees_at_night=sees)
