"""Challenges in the 6th edition: who issues one, who accepts, who holds back, and how the two fight alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from battlewright.attacks.description import Volley
from battlewright.attacks.resolve import Again, Throw
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options, Side, opponent
from battlewright.core.rulebook import rule
from battlewright.editions.classic.procedures.board import unit_in
from battlewright.editions.classic.procedures.fray import Round
from battlewright.editions.classic.profiles import ModelProfile
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.striking import Reach
from battlewright.editions.sixth.duelling import bring_together

__all__ = [
    "apart",
    "challenge",
    "challenge_goes_on",
    "cheered",
    "may_challenge",
    "may_take_over",
    "rerolls_of_support",
    "spectators_of",
]

_RULE, _REFUSED = "6e.core.assault.challenge", "6e.core.assault.refusing"
_INTERVENES = "6e.core.assault.intervention"
_SUPPORT = "6e.core.assault.moral-support"
_CHEERED = ("hit", "wound")
"""The rolls whose dice are thrown again for those who watch."""
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
        bring_together(battle, new)


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
        bring_together(battle, (issuer, taker))
        return True
    prompt = "The challenge was refused: who holds back?"
    coward = theirs[0] if len(theirs) == 1 else (yield from _pick(battle, side, theirs, prompt, _REFUSED, ""))
    assert coward is not None
    state.holding_back = state.holding_back | {coward}
    return True


@rule("6e.core.assault.challengers", "6e.core.assault.refusing")
def apart(scene: Scene, state: ClassicState, fought: Round) -> None:
    """Challengers strike, and are struck by, each other alone; who refused strikes nobody.

    They have been brought together (:mod:`.duelling`); the two count as touching wherever they stand.
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


# -- moral support ----------------------------------------------------------------------------------------------


@rule("6e.core.assault.moral-support")
def spectators_of(scene: Scene, state: ClassicState, fought: Round, row: int) -> int:
    """How many friends watch a challenger: those in the combat who fight nobody themselves.

    RULING: 6e.core.assault.moral-support whoever has an enemy within his reach fights, and watches nobody.
    """
    duel = {each for pair in state.challenges for each in pair}
    side = scene.models[row].side
    friends = (each for unit in fought.units if state.units[unit].side == side for each in standing(state, unit))
    return sum(1 for each in friends if each not in duel and not _fights(state, fought, each))


def _fights(state: ClassicState, fought: Round, row: int) -> bool:
    idle = row not in fought.fighters or fought.fighters[row].reach is Reach.NONE
    return not idle and any(state.wounds[foe] for foe in fought.near[row])


@rule("6e.core.assault.moral-support")
def cheered(
    battle: ClassicBattle, fought: Round, rows: Sequence[int], volley: Volley
) -> Callable[[Throw], Procedure[Sequence[Again]]] | None:
    """What a challenger throws again for his friends who watch: single dice that have missed, or have not wounded.

    RULING: 6e.core.assault.moral-support each re-roll is one die of a round, on his own rolls to hit and to wound.
    """
    state, row = battle.state, rows[0]
    if len(set(rows)) != 1 or not any(row in pair for pair in state.challenges):
        return None

    def again(throw: Throw) -> Procedure[Sequence[Again]]:
        given = rerolls_of_support(spectators_of(battle.scene, state, fought, row))
        left = given - fought.cheered.get(row, 0)
        step = next((each for each in volley.steps if each.name == throw.purpose), None)
        if left <= 0 or step is None or throw.purpose not in _CHEERED:
            return ()
        done = {each.index for each in throw.roll.rerolls}
        faces = enumerate(throw.roll.faces)
        failed = [token for token, face in faces if token not in done and not step.outcome(face).success]
        count = yield from _how_many(battle, row, throw.purpose, min(left, len(failed)))
        fought.cheered[row] = fought.cheered.get(row, 0) + count
        return [Again(token, _SUPPORT) for token in failed[:count]]

    return again


def _how_many(battle: ClassicBattle, row: int, purpose: str, most: int) -> Procedure[int]:
    """The owner says how many dice his challenger throws again."""
    if not most:
        return 0
    info = battle.scene.units[unit_in(battle.state, row)]
    counts = range(most, -1, -1)
    labels = {0: "none: keep them", 1: "one die"}
    options = [Option(f"again:{count}", labels.get(count, f"{count} dice"), count) for count in counts]
    missed = "missed" if purpose == "hit" else "failed to wound"
    picked: int = yield from choose(
        Decision(
            info.side,
            "moral-support",
            f"{battle.scene.models[row].name} has {missed}: what is thrown again for the friends who watch?",
            _SUPPORT,
            Options(options, rule=_SUPPORT, default=options[0].key),
            subject=info.index,
        )
    )
    return picked
