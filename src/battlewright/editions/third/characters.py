"""Characters and units in the 3rd edition: joining, leaving, leading, fighting beside them."""

from __future__ import annotations

from battlewright.core.battle import Procedure
from battlewright.core.roster import Army
from battlewright.core.rulebook import rule
from battlewright.editions.classic.characters import CharacterRules, Declaration
from battlewright.editions.classic.joining import why_no_host
from battlewright.editions.classic.powers import POWERS
from battlewright.editions.classic.procedures.psychic import hood_nullifies
from battlewright.editions.classic.psychic import PERILS_STRENGTH, one_each_turn, psychic_test, with_powers
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.third.special_rules import SPECIAL_RULES

__all__ = ["CHARACTERS", "end_of_movement", "start_of_turn"]


@rule("3e.char-units.declare")
def end_of_movement() -> Declaration:
    """After the character, or the phase, has finished moving."""
    return Declaration.END_OF_MOVEMENT


@rule("3e.char-units.declare")
def start_of_turn() -> Declaration:
    """Before any move is made."""
    return Declaration.START_OF_TURN


def no_preparation(battle: ClassicBattle) -> Procedure[None]:
    """Nothing happens to characters before the armies are set up."""
    return
    yield


def any_character(army: Army) -> list[tuple[str, str]]:
    """The reasons why characters of an army may not be taken: none."""
    return []


CHARACTERS = CharacterRules(
    special_rules=with_powers(SPECIAL_RULES, POWERS),
    joining_declared=end_of_movement,
    why_no_host=why_no_host,
    why_not_fielded=any_character,
    aboard=frozenset(),
    powers=POWERS,
    powers_each_turn=one_each_turn,
    psychic_test=psychic_test,
    perils_strength=PERILS_STRENGTH,
    prepare=no_preparation,
    is_denied=hood_nullifies,
)
