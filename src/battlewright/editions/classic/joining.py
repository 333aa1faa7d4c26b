"""Characters and units: who may join whom, leave, lead, and how fast they go together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.profiles import CharacterKind, ModelProfile
from battlewright.editions.classic.state import ClassicUnit, Phase

__all__ = [
    "assaults_with",
    "is_free_character",
    "limits_together",
    "may_join",
    "may_leave",
    "why_no_host",
    "why_not_join",
]

COHERENCY = 2.0


@rule("3e.characters.retinue", "4e.characters.kinds", "4e.characters.solo-not-ic", "4e.characters.ic-unit")
@rule("4e.retinue.cannot-leave", "4e.retinue.retinue-destroyed")
def is_free_character(profile: ModelProfile, comrades: int) -> bool:
    """Whether a model acts as an independent character now: one by its profile, or one whose retinue is gone.

    Args:
        comrades: other living models that its unit was bought with.
    """
    return profile.is_independent or (not comrades and "INDEPENDENT WITHOUT RETINUE" in profile.keywords)


@rule("3e.char-units.join", "3e.char-units.only-movement", "3e.characters.independent", "3e.characters.upgrade")
@rule("3e.core.characters.joining", "4e.character-joining.join-range", "4e.character-joining.movement-phase-only")
@rule("4e.characters.upgrade-exempt", "4e.characters.solo-not-ic", "6e.core.characters.joining")
def why_not_join(character: CharacterKind, phase: Phase, gap: float) -> list[tuple[str, str]]:
    """Why a character may not join a unit now; nothing when he may, and he never has to.

    Args:
        gap: inches to the unit's nearest model when he has moved.
    """
    found = []
    if character is not CharacterKind.INDEPENDENT:
        found.append(("3e.characters.upgrade", "is no independent character and stays in its unit"))
    if phase is not Phase.MOVEMENT:
        found.append(("3e.char-units.only-movement", "may join and leave in the movement phase only"))
    if not within(gap, COHERENCY):
        found.append(("3e.char-units.join", f'ends {gap:.1f}" from the unit; {COHERENCY:g}" is formation'))
    return found


def may_join(character: CharacterKind, phase: Phase, gap: float) -> bool:
    """Whether he may; see :func:`why_not_join`."""
    return not why_not_join(character, phase, gap)


@rule("3e.core.characters.joining", "4e.character-joining.no-character-unit")
def why_no_host(models: Iterable[ModelProfile], unit: ClassicUnit) -> list[tuple[str, str]]:
    """Why no character may join a unit as it is: it is a vehicle, it falls back, or it is made of characters alone."""
    profiles = list(models)
    found = []
    if any(profile.is_vehicle for profile in profiles):
        found.append(("3e.core.characters.joining", "is a vehicle"))
    if unit.falling_back:
        found.append(("3e.char-leaders.no-leaving", "is falling back"))
    if all(profile.is_independent for profile in profiles):
        found.append(("3e.core.characters.joining", "is made of characters alone"))
    return found


@rule("3e.char-units.leave", "3e.char-units.only-movement", "3e.char-leaders.no-leaving", "3e.characters.upgrade")
@rule("4e.character-joining.leave-by-moving", "4e.character-joining.coherency", "4e.character-joining.free-agent")
@rule("4e.character-joining.not-while-falling-back", "4e.character-joining.not-while-pinned")
@rule("4e.character-joining.movement-phase-only", "6e.core.characters.joining")
def may_leave(character: CharacterKind, phase: Phase, unit: ClassicUnit, gap: float) -> bool:
    """Whether a character leaves the unit that he has joined by moving out of formation with it.

    Not while it falls back, is pinned or has gone to ground; a character that is part of his unit never does.

    Args:
        gap: inches to the unit's nearest other model when he has moved.
    """
    return (
        character is CharacterKind.INDEPENDENT
        and phase is Phase.MOVEMENT
        and not unit.falling_back
        and not unit.pinned
        and not within(gap, COHERENCY)
    )


@rule("4e.character-joining.slowest-member", "6e.core.characters.rules-do-not-spread")
def limits_together(limits: Mapping[int, int], joined: Sequence[int]) -> dict[int, int]:
    """How far each model may go with a character among them: as far as the slowest.

    Args:
        limits: by row, in thousandths of an inch.
        joined: rows of characters who have joined the unit.
    """
    if not joined or not limits:
        return dict(limits)
    return dict.fromkeys(limits, min(limits.values()))


@rule("3e.char-combat.joined-together", "3e.char-combat.alone-free")
@rule("4e.character-assault.charge-with-unit", "4e.character-assault.charge-alone")
def assaults_with(unit: int, joined: int) -> int:
    """The unit that a character assaults with: the one that he has joined, else himself alone, at any enemy he likes.

    Args:
        unit: his own; ``joined`` the unit that he has joined, negative for none.
    """
    return joined if joined >= 0 else unit
