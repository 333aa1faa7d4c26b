"""Challenges in the 6th edition: who issues one, who accepts, who holds back, and how the two fight alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.editions.classic.procedures.fray import Round
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.striking import Reach

__all__ = ["apart", "challenge", "challenge_goes_on", "may_challenge", "may_take_over", "rerolls_of_support"]

_RULE, _REFUSED = "6e.core.assault.challenge", "6e.core.assault.refusing"
_INTERVENES = "6e.core.assault.intervention"
SUPPORTERS = 5


@rule("6e.core.assault.challenge", "6e.chariot-challenge.none")
def may_challenge(profile: ModelProfile) -> bool:
    """Whether a model may issue or accept a challenge: characters, but no rider on his chariot."""
    return profile.is_character and "CHARIOT" not in profile.keywords


@rule("6e.core.assault.moral-support")
def rerolls_of_support(spectators: int) -> int:
    """The re-rolls that friendly spectators give a challenger: one for each five."""
    return spectators // SUPPORTERS


@rule("6e.core.assault.intervention", "6e.chariot-challenge.none")
def may_take_over(profile: ModelProfile, face: int) -> bool:
    """Whether another friendly character takes over a challenge: on an Initiative test; a 6 always fails."""
    return may_challenge(profile) and face < 6 and face <= profile.initiative


@rule("6e.core.assault.challenge-continues")
def challenge_goes_on(scene: Scene, state: ClassicState, pair: tuple[int, int], units: Sequence[int]) -> bool:
    """Whether two who fight a challenge go on with it: both stand, and are in the same combat still."""
    rows = {row for unit in units for row in standing(state, unit)}
    return pair[0] in rows and pair[1] in rows


@rule("6e.core.assault.challenge", "6e.core.assault.challenge-continues", "6e.core.assault.active-orders-combats")
def challenge(battle: ClassicBattle, units: Sequence[int]) -> Procedure[None]:
    """What comes before blows: a challenge that goes on, or one that the active player may issue first."""
    scene, state = battle.scene, battle.state
    rows = {row for unit in units for row in state.units[unit].models}
    state.challenges = tuple(
        pair for pair in state.challenges if not rows & set(pair) or challenge_goes_on(scene, state, pair, units)
    )
    state.holding_back = state.holding_back - rows
    if any(rows & set(pair) for pair in state.challenges):
        for place in (0, 1):
            yield from _intervene(battle, units, place)
        return
    for side in (state.turn, opponent(state.turn)):
        if (yield from _issue(battle, units, side)):
            return


def _champions(battle: ClassicBattle, units: Sequence[int], side: Side) -> list[int]:
    scene, state = battle.scene, battle.state
    return [
        row
        for unit in units
        if state.units[unit].side == side
        for row in standing(state, unit)
        if may_challenge(scene.models[row].profile)
    ]


def _pick(
    battle: ClassicBattle, side: Side, rows: Sequence[int], prompt: str, rule_id: str, none: str
) -> Procedure[int | None]:
    scene = battle.scene
    options = [Option(f"model:{row}", scene.models[row].name, row) for row in rows]
    if none:
        options.append(Option("none", none, None))
    picked: int | None = yield from choose(
        Decision(side, "challenge", prompt, rule_id, Options(options, rule=rule_id, default=options[-1].key))
    )
    return picked


@rule("6e.core.assault.intervention")
def _intervene(battle: ClassicBattle, units: Sequence[int], place: int) -> Procedure[None]:
    """Another friendly character may take over a challenge that goes on, on an Initiative test."""
    state, scene = battle.state, battle.scene
    pair = next(each for each in state.challenges if each[0] in {r for u in units for r in state.units[u].models})
    side = scene.models[pair[place]].side
    others = [row for row in _champions(battle, units, side) if row not in pair]
    if not others:
        return
    row = yield from _pick(battle, side, others, "Who takes over the challenge?", _INTERVENES, "nobody")
    if row is None:
        return
    roll = battle.roll(1, 6, "intervention")
    steps_in = may_take_over(scene.models[row].profile, roll.total)
    battle.rolled(roll, side, _INTERVENES, unit=scene.unit_of(row).id, result=int(steps_in))
    if steps_in:
        new = (row, pair[1]) if place == 0 else (pair[0], row)
        state.challenges = tuple(new if each == pair else each for each in state.challenges)


@rule("6e.core.assault.challenge", "6e.core.assault.refusing")
def _issue(battle: ClassicBattle, units: Sequence[int], side: Side) -> Procedure[bool]:
    """One side may issue a challenge; the other accepts with a character of its own, or one of them holds back."""
    state, scene = battle.state, battle.scene
    mine, theirs = _champions(battle, units, side), _champions(battle, units, opponent(side))
    if not mine or not theirs:
        return False
    issuer = yield from _pick(battle, side, mine, "Who issues a challenge?", _RULE, "nobody")
    if issuer is None:
        return False
    prompt = f"{scene.models[issuer].name} issues a challenge: who accepts?"
    taker = yield from _pick(battle, opponent(side), theirs, prompt, _RULE, "refuse")
    if taker is not None:
        state.challenges = (*state.challenges, (issuer, taker))
        return True
    prompt = "The challenge was refused: who holds back?"
    coward = theirs[0] if len(theirs) == 1 else (yield from _pick(battle, side, theirs, prompt, _REFUSED, ""))
    assert coward is not None
    state.holding_back = state.holding_back | {coward}
    return True


@rule("6e.core.assault.challengers", "6e.core.assault.refusing")
def apart(scene: Scene, state: ClassicState, fought: Round) -> None:
    """Challengers strike, and are struck by, each other alone; who refused strikes nobody.

    DEVIATION: 6e.core.assault.challengers nobody is moved: the two count as touching wherever they stand.
    """
    for row in state.holding_back & set(fought.fighters):
        fought.fighters[row] = replace(fought.fighters[row], reach=Reach.NONE)
    for pair in state.challenges:
        if not set(pair) <= set(fought.opponents):
            continue
        for row, other in (pair, pair[::-1]):
            fought.near[row] = (other,)
            fought.opponents[row] = replace(fought.opponents[row], unit=-1 - row, in_contact=True, within_two=True)
            if row in fought.fighters:
                fought.fighters[row] = replace(fought.fighters[row], reach=Reach.CONTACT)
        for row, near in fought.near.items():
            if row not in pair:
                fought.near[row] = tuple(foe for foe in near if foe not in pair)
