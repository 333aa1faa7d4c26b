"""Psychic powers of the 6th edition: warp charges, denying the witch, disciplines."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from battlewright.attacks.description import RerollPermission, RerollWhich
from battlewright.core.battle import Procedure
from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.editions.classic.bearers import split_name
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.powers import POWERS as OLDER
from battlewright.editions.classic.procedures.nerve import names_of, traits_of
from battlewright.editions.classic.profiles import ability_name
from battlewright.editions.classic.psychic import Power, PowerKind
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.special_rules import Encounter, Harm, SpecialRule, Spread

__all__ = [
    "DISCIPLINES",
    "POWERS",
    "denial_needed",
    "deny_the_witch",
    "endurance",
    "generated",
    "mastery_level",
    "prescience",
]

_DENY = "6e.core.characters.deny-the-witch"


@rule("6e.core.characters.warp-charges")
def mastery_level(names: Collection[str]) -> int:
    """The mastery level of a model, and so its warp charges in each own turn: 1 of a psyker whose list names none."""
    if "PSYKER" not in names and not any(split_name(name)[0] == "PSYKER" for name in names):
        return 0
    for name in sorted(names):
        base, argument = split_name(ability_name(name))
        last = (argument or base).rpartition(" ")[2]
        if "MASTERY LEVEL" in name and last.isdecimal():
            return int(last)
    return 1


# -- denying ----------------------------------------------------------------------------------------------------


@rule("6e.core.characters.deny-the-witch", "6e.core.special-rules.adamantium-will")
def denial_needed(level: int, levels: Sequence[int], *, adamantium: bool = False) -> int:
    """The lowest D6 with which a unit denies a power: 6, of a unit with a psyker 5, of one of a higher level 4.

    Args:
        level: the psyker's who uses it; ``levels`` those of the psykers of the unit.
        adamantium: whether the unit adds 1 to its die.
    """
    needed = 6
    if levels:
        needed = 4 if max(levels) > level else 5
    return needed - adamantium


@rule("6e.core.characters.deny-the-witch")
def deny_the_witch(battle: ClassicBattle, row: int, on: int | None) -> Procedure[bool]:
    """Whether an enemy unit that a power is used on denies it; there is no reason not to try."""
    scene, state = battle.scene, battle.state
    if on is None or state.units[on].side == scene.models[row].side:
        return False
    levels = [level for each in standing(state, on) if (level := mastery_level(names_of(scene, state, each)))]
    needed = denial_needed(
        mastery_level(names_of(scene, state, row)),
        levels,
        adamantium="ADAMANTIUM WILL" in traits_of(scene, state, on),
    )
    info, roll = scene.units[on], battle.roll(1, 6, "deny-the-witch")
    return battle.rolled(roll, info.side, _DENY, unit=info.id, needed=needed).total >= needed
    yield


# -- powers -----------------------------------------------------------------------------------------------------

_AGAIN = RerollPermission(RerollWhich.FAILURES, "6e.core.characters.power-kinds")


def prescience(context: AttackContext, encounter: Encounter) -> AttackContext:
    """All that misses is rolled again."""
    return replace(context, reroll_hits=_AGAIN)


def endurance(harm: Harm) -> int | None:
    """An unsaved wound is ignored on 4+, unless it kills outright."""
    return None if harm.outright else 4


POWERS: Mapping[str, Power] = MappingProxyType(
    {
        **OLDER,
        **{
            power.name: power
            for power in (
                Power(name="ASSAIL", kind=PowerKind.BEAM, range=18.0, strength=6),
                Power(name="CRUSH", kind=PowerKind.FOCUSSED, range=18.0, strength=7),
                Power(
                    name="ENDURANCE",
                    kind=PowerKind.BLESSING,
                    range=24.0,
                    effect=SpecialRule(spread=Spread.ANY, ignores_wound=endurance),
                    lasts=1,
                ),
                Power(
                    name="PRESCIENCE",
                    kind=PowerKind.BLESSING,
                    range=12.0,
                    effect=SpecialRule(attacks=prescience),
                    lasts=1,
                ),
                Power(name="SHOCKWAVE", kind=PowerKind.NOVA, range=12.0, strength=3, hits=DiceExpression(1, 6, 0)),
                Power(name="WARP STORM", kind=PowerKind.MAELSTROM, range=6.0, strength=4, hits=DiceExpression(1, 6, 0)),
            )
        },
    }
)
"""Powers that are no weapons.

DEVIATION: 6e.core.characters.power-kinds of the disciplines these are known to us so far that they can be played; the
Strength of Crush, which is rolled, is its average, and Warp Storm stands for the powers that strike friend and foe.
"""

DISCIPLINES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "BIOMANCY": ("SMITE", "IRON ARM", "ENFEEBLE", "ENDURANCE", "LIFE LEECH", "WARP SPEED", "HAEMORRHAGE"),
        "DIVINATION": (
            "PRESCIENCE",
            "FOREBODING",
            "FOREWARNING",
            "MISFORTUNE",
            "PERFECT TIMING",
            "PRECOGNITION",
            "SCRIER'S GAZE",
        ),
        "TELEKINESIS": (
            "ASSAIL",
            "CRUSH",
            "GATE OF INFINITY",
            "OBJURATION MECHANICUM",
            "SHOCKWAVE",
            "TELEKINE DOME",
            "VORTEX OF DOOM",
        ),
    }
)
"""For each discipline its primary power, then those of the faces 1 to 6."""


@rule("6e.core.characters.warp-charges")
def generated(discipline: str, faces: Sequence[int]) -> tuple[str, ...]:
    """The powers that a psyker has of a discipline, a die for each: as they fall, a double being the primary power.

    RULING: 6e.core.characters.warp-charges a power that cannot be played is exchanged for the primary one, as its
    owner may do with any.
    """
    primary, *others = DISCIPLINES[discipline]
    found: list[str] = []
    for face in faces:
        power = others[face - 1]
        power = power if power in POWERS and power not in found else primary
        if power not in found:
            found.append(power)
    return tuple(found)
