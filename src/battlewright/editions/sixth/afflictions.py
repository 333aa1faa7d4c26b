"""What weapons of the 6th edition leave on a unit that they have struck: blinded, struck down, ablaze."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from battlewright.core.battle import Procedure
from battlewright.core.rulebook import rule
from battlewright.editions.classic.charts import passes_characteristic_test
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.procedures.troop_hits import hits_on_troops
from battlewright.editions.classic.psychic import name_upon
from battlewright.editions.classic.scene import ClassicBattle, living, standing
from battlewright.editions.classic.special_rules import Bout, Encounter, Occasion, SpecialRule
from battlewright.editions.classic.state import ClassicUnit, next_own_turn
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile
from battlewright.editions.happenings import StageResolved, WoundsLost

__all__ = [
    "ABLAZE",
    "AFFLICTIONS",
    "BLINDED",
    "BLIND_HIT",
    "STRUCK_DOWN",
    "Struck",
    "afflict",
    "blinded_blows",
    "blinded_shots",
    "burn_at_turn_end",
    "burns_on",
    "is_blinded",
    "is_struck_down",
    "take_sight_tests",
    "what_is_left",
]

ABLAZE, BLINDED, STRUCK_DOWN = "ablaze", "blinded", "struck down"
"""What is upon a unit, as powers are."""
BLIND_HIT = "hit by a blind weapon this phase"
_EVER = 10_000
_BLIND, _FIRE = "6e.core.weapons.blind", "6e.core.weapons.soul-blaze"


@dataclass(frozen=True, slots=True)
class Struck:
    """What a weapon has done to a unit: hits, hits that wounded, whether these were saved or not, unsaved wounds."""

    hits: int = 0
    wounds: int = 0
    unsaved: int = 0


@rule("6e.core.weapons.blind", "6e.core.weapons.soul-blaze", "6e.core.weapons.strikedown")
def what_is_left(weapon: WeaponProfile, struck: Struck) -> frozenset[str]:
    """What a weapon leaves on a unit: a blind one that hit has it tested, one that strikes down slows whom it wounded,
    saved or not, and a soul blaze burns after an unsaved wound."""
    found = set()
    if weapon.has(AbilityName.BLIND) and struck.hits:
        found.add(BLIND_HIT)
    if weapon.has(AbilityName.STRIKEDOWN) and struck.wounds:
        found.add(STRUCK_DOWN)
    if weapon.has(AbilityName.SOUL_BLAZE) and struck.unsaved:
        found.add(ABLAZE)
    return frozenset(found)


def afflict(
    battle: ClassicBattle, target: int, weapons: Iterable[WeaponProfile], told: int, touched: Collection[str] = ()
) -> None:
    """Put on a unit what weapons have left on it.

    Args:
        told: how many events there were before they struck.
        touched: names of those whose markers or templates have hit it.
    """
    state, name = battle.state, battle.scene.units[target].id
    since = list(battle.events)[told:]
    mine = state.units[target]
    if any(battle.scene.models[row].profile.is_vehicle for row in mine.models):
        return
    for weapon in dict.fromkeys(weapons):
        stages = [e for e in since if isinstance(e, StageResolved) and e.target == name and e.weapon == weapon.name]
        lost = [e for e in since if isinstance(e, WoundsLost) and e.unit == name and e.why == weapon.name]
        struck = Struck(
            hits=_good(stages, "hit") + (weapon.name in touched),
            wounds=_good(stages, "wound") + _good(stages, "precise wound"),
            unsaved=len(lost),
        )
        for what in sorted(what_is_left(weapon, struck)):
            match what:
                case str() if what == BLIND_HIT:
                    mine.did(BLIND_HIT)
                case str() if what == ABLAZE:
                    mine.powers = mine.powers | {(ABLAZE, _EVER)}
                case _:
                    mine.powers = mine.powers | {(what, next_own_turn(state, target))}


def _good(stages: Iterable[StageResolved], stage: str) -> int:
    """How many dice of a stage came to something."""
    bad = {"miss", "fail", "gets hot"}
    return sum(count for each in stages if each.stage == stage for name, count in each.outcomes if name not in bad)


# -- blind ------------------------------------------------------------------------------------------------------


@rule("6e.core.weapons.blind", "6e.core.fundamentals.characteristic-test")
def take_sight_tests(battle: ClassicBattle) -> None:
    """At the end of a phase units that blind weapons have hit test their Initiative; failing, they are blinded to the
    end of their next turn."""
    scene, state = battle.scene, battle.state
    for unit, mine in enumerate(state.units):
        if not mine.has(BLIND_HIT):
            continue
        mine.deeds = mine.deeds - {BLIND_HIT}
        rows = living(state, unit)
        if not rows:
            continue
        best = max(scene.models[row].profile.initiative for row in rows)
        info = scene.units[unit]
        roll = battle.roll(1, 6, "blind")
        passed = passes_characteristic_test(roll.total, best)
        battle.rolled(roll, info.side, _BLIND, unit=info.id, result=int(passed))
        if not passed:
            mine.powers = mine.powers | {(BLINDED, next_own_turn(state, unit))}


@rule("6e.core.weapons.blind")
def blinded_blows(bout: Bout, occasion: Occasion) -> Bout:
    """A blinded model fights with a WS of 1."""
    return replace(bout, weapon_skill=1)


@rule("6e.core.weapons.blind")
def blinded_shots(context: AttackContext, encounter: Encounter) -> AttackContext:
    """A blinded model shoots with a BS of 1."""
    return context if encounter.close_combat else replace(context, skill=1)


@rule("6e.core.weapons.blind")
def is_blinded(unit: ClassicUnit) -> bool:
    """Whether a unit is blinded, and so is struck as if its WS were 1."""
    return any(name == BLINDED for name, _ in unit.powers)


# -- strikedown -------------------------------------------------------------------------------------------------


@rule("6e.core.weapons.strikedown")
def is_struck_down(traits: Collection[str]) -> bool:
    """Whether a unit of these traits moves as in difficult terrain wherever it goes.

    RULING: 6e.core.weapons.strikedown it lasts to the end of the unit's next turn, for the whole unit.
    """
    return name_upon(STRUCK_DOWN) in traits


# -- soul blaze -------------------------------------------------------------------------------------------------


@rule("6e.core.weapons.soul-blaze")
def burns_on(face: int) -> bool:
    """Whether a blaze goes on at the end of a turn and hurts: on 4+; else it goes out."""
    return face >= 4


@rule("6e.core.weapons.soul-blaze", "6e.core.turn.end")
def burn_at_turn_end(battle: ClassicBattle) -> Procedure[None]:
    """The end of every turn: units ablaze burn on, or the blaze goes out."""
    scene, state = battle.scene, battle.state
    for unit, mine in enumerate(state.units):
        if (ABLAZE, _EVER) not in mine.powers or not standing(state, unit):
            continue
        info = scene.units[unit]
        face = battle.rolled(battle.roll(1, 6, "soul-blaze"), info.side, _FIRE, unit=info.id, needed=4).total
        if not burns_on(face):
            mine.powers = mine.powers - {(ABLAZE, _EVER)}
            continue
        hits = battle.rolled(battle.roll(1, 3, "soul-blaze-hits"), info.side, _FIRE, unit=info.id).total
        yield from hits_on_troops(battle, unit, unit, standing(state, unit), hits, 4, "soul blaze", ap=5)


AFFLICTIONS: Mapping[str, SpecialRule] = MappingProxyType(
    {
        name_upon(BLINDED): SpecialRule(fights=blinded_blows, attacks=blinded_shots),
        name_upon(STRUCK_DOWN): SpecialRule(),
        name_upon(ABLAZE): SpecialRule(),
    }
)
"""The special rules of units upon which something lies."""
