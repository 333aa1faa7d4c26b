"""What becomes of the beaten where dice and Initiative decide: who is caught, who escapes, how the winners re-form."""

from __future__ import annotations

from collections.abc import Sequence

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.artillery import cannot_escape
from battlewright.editions.classic.bearers import fate_when_caught, may_sweep, pursuit_dice
from battlewright.editions.classic.events import Pursued
from battlewright.editions.classic.procedures.aftermath import consolidate, may_advance, stand_caught
from battlewright.editions.classic.procedures.board import touched_units
from battlewright.editions.classic.procedures.harm import bury
from battlewright.editions.classic.procedures.nerve import traits_of
from battlewright.editions.classic.procedures.retreat import fall_back
from battlewright.editions.classic.pursuit import is_overtaken
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.special_rules import Caught

__all__ = ["react"]

_SWEEP = "4e.core.assault.sweeping-advance"


@rule("4e.core.assault.sweeping-advance", "4e.core.assault.sweep-know-no-fear", "4e.core.assault.sweep-locked")
@rule("4e.core.assault.consolidation", "4e.core.assault.massacre", "4e.assault-results.no-sweep-consolidate")
@rule("6e.core.assault.sweeping-advance", "6e.core.assault.sweep-know-no-fear", "6e.core.assault.consolidation")
def react(
    battle: ClassicBattle, winners: Sequence[int], flees: Sequence[int], *, by_tie: bool, vehicles_only: bool
) -> Procedure[None]:
    """The free winners try to catch those who run; who is not caught falls back; the winners consolidate."""
    scene, state, rules = battle.scene, battle.state, battle.scene.rules.assault
    if vehicles_only:
        return
    locked = {unit: [e for e in touched_units(scene, state, unit) if e not in flees] for unit in winners}
    free = [unit for unit in winners if not locked[unit] and may_advance(battle, unit)]
    hunters = [u for u in free if may_sweep(scene.rules.characters.special_rules, traits_of(scene, state, u))]
    if hunters and flees and rules.may_spare:
        hunters = yield from _who_sweeps(battle, hunters)
    for unit in flees:
        if hunters and _catch(battle, unit, hunters):
            if fate_when_caught(scene.rules.characters.special_rules, traits_of(scene, state, unit)) is Caught.LOCKED:
                yield from stand_caught(battle, unit, flees, winners)
                continue
            bury(battle, standing(state, unit), "caught by pursuers", _SWEEP)
        else:
            yield from fall_back(battle, unit, beaten=True)
    for unit in free:
        if standing(state, unit) and not touched_units(scene, state, unit):
            yield from consolidate(battle, unit, rules.consolidation(battle, unit, not flees))


def _who_sweeps(battle: ClassicBattle, hunters: Sequence[int]) -> Procedure[list[int]]:
    """Of the winners who are free those that their owner lets go after the enemy."""
    found = []
    for unit in hunters:
        info = battle.scene.units[unit]
        options = [Option("sweep", "sweeping advance", True), Option("stay", "let them go", False)]
        goes: bool = yield from choose(
            Decision(
                info.side,
                "select-reaction",
                f"{info.name} has won: does it go after them?",
                _SWEEP,
                Options(options, rule=_SWEEP, default="sweep"),
                subject=info.index,
            )
        )
        if goes:
            found.append(unit)
    return found


@rule("4e.core.assault.sweeping-advance", "6e.core.assault.sweeping-advance", "4e.artillery.swept")
def _catch(battle: ClassicBattle, unit: int, hunters: Sequence[int]) -> bool:
    """Whether a unit that runs is caught: a D6 and the Initiative of each side.

    RULING: 4e.core.assault.sweeping-advance of several units that go after one the quickest decides.
    """
    scene, state, info = battle.scene, battle.state, battle.scene.units[unit]
    if cannot_escape(scene.models[row].profile for row in standing(state, unit)):
        return True
    chase = scene.units[hunters[0]]
    mine = battle.rolled(battle.roll(1, 6, "escape"), info.side, _SWEEP, unit=info.id).total
    theirs = battle.rolled(battle.roll(1, 6, "sweeping advance"), chase.side, _SWEEP, unit=chase.id).total
    quickest = max(_initiative(battle, hunter) for hunter in hunters)
    special = scene.rules.characters.special_rules
    for dice in filter(None, (pursuit_dice(special, traits_of(scene, state, hunter)) for hunter in hunters[:1])):
        more = battle.roll(dice.count, dice.sides, "crusade")
        theirs += battle.rolled(more, chase.side, "6e.core.special-rules.crusader", unit=chase.id).total
    own = _initiative(battle, unit)
    caught = is_overtaken(mine + own, theirs + quickest)
    battle.happened(
        Pursued(
            unit=info.id,
            by=chase.id,
            escape=mine,
            sweep=theirs,
            initiative=(own, quickest),
            caught=caught,
            rules=(_SWEEP,),
        )
    )
    return caught


@rule("4e.furious-charge.not-sweeping")
def _initiative(battle: ClassicBattle, unit: int) -> int:
    """The Initiative that most models of a unit have, the higher of two equally common ones."""
    values = [battle.scene.models[row].profile.initiative for row in standing(battle.state, unit)]
    return max(set(values), key=lambda value: (values.count(value), value))
