"""Characters and units in the 3rd edition: joining, leaving, leading, fighting beside them."""

from __future__ import annotations

from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.characters import CharacterRules, Declaration
from battlewright.editions.classic.powers import POWERS
from battlewright.editions.classic.procedures.psychic import hood_nullifies
from battlewright.editions.classic.profiles import CharacterKind
from battlewright.editions.classic.psychic import PERILS_STRENGTH, one_each_turn, psychic_test, with_powers
from battlewright.editions.classic.state import ClassicUnit, Phase
from battlewright.editions.third.special_rules import SPECIAL_RULES

__all__ = ["CHARACTERS", "assaults_with", "end_of_movement", "may_join", "may_leave", "start_of_turn", "why_not_join"]

COHERENCY = 2.0


@rule("3e.char-units.declare")
def end_of_movement() -> Declaration:
    """After the character, or the phase, has finished moving."""
    return Declaration.END_OF_MOVEMENT


@rule("3e.char-units.declare")
def start_of_turn() -> Declaration:
    """Before any move is made."""
    return Declaration.START_OF_TURN


@rule("3e.char-units.join", "3e.char-units.only-movement", "3e.characters.independent", "3e.characters.upgrade")
@rule("3e.core.characters.joining")
def why_not_join(character: CharacterKind, phase: Phase, gap: float) -> list[tuple[str, str]]:
    """Why a character may not join a unit now; nothing when he may.

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


@rule("3e.char-units.leave", "3e.char-units.only-movement", "3e.char-leaders.no-leaving", "3e.characters.upgrade")
def may_leave(character: CharacterKind, phase: Phase, unit: ClassicUnit, gap: float) -> bool:
    """Whether a character leaves the unit that he has joined by moving out of formation with it.

    Not while it falls back; a character that is part of his unit never does.

    Args:
        gap: inches to the unit's nearest other model when he has moved.
    """
    return (
        character is CharacterKind.INDEPENDENT
        and phase is Phase.MOVEMENT
        and not unit.falling_back
        and not within(gap, COHERENCY)
    )


@rule("3e.char-combat.joined-together", "3e.char-combat.alone-free")
def assaults_with(unit: int, joined: int) -> int:
    """The unit that a character assaults with: the one that he has joined, else himself alone, at any enemy he likes.

    Args:
        unit: his own; ``joined`` the unit that he has joined, negative for none.
    """
    return joined if joined >= 0 else unit


CHARACTERS = CharacterRules(
    special_rules=with_powers(SPECIAL_RULES, POWERS),
    joining_declared=end_of_movement,
    why_not_join=why_not_join,
    may_leave=may_leave,
    powers=POWERS,
    powers_each_turn=one_each_turn,
    psychic_test=psychic_test,
    perils_strength=PERILS_STRENGTH,
    is_denied=hood_nullifies,
)
