"""Before the battle: attacker and defender, deployment, who goes first (mission sequence, steps 5 to 12)."""

from __future__ import annotations

from battlewright.core.battle import Procedure, resumable
from battlewright.core.decisions import SIDES, Decision, Option, Options, Place, Side, opponent
from battlewright.core.events import ModelsRemoved, PhaseBegan
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh import battle_formations, moves, scouting, secondaries
from battlewright.editions.eleventh.events import UnitInReserves
from battlewright.editions.eleventh.passengers import is_aboard
from battlewright.editions.eleventh.scene import Battle11, living, standing
from battlewright.editions.eleventh.setting_up import is_too_large
from battlewright.editions.eleventh.state import EleventhState, MoveKind, Phase, new_phase
from battlewright.editions.happenings import Settled
from battlewright.editions.rolling_off import roll_off

__all__ = [
    "DEPLOYMENT",
    "PRE_BATTLE",
    "REDEPLOYMENT",
    "before_the_battle",
    "is_declaring",
    "is_reserving",
    "redeploy",
]

_ROLES, _EMBARKED, _RESERVES = 1, 2, 3
DEPLOYMENT = 4
"""The step in which units are deployed."""
REDEPLOYMENT = 5
"""The step in which rules let units be deployed anew."""
_FIRST_TURN = 6
PRE_BATTLE = 7
"""The step in which pre-battle abilities are resolved."""
_READY = 8


@resumable
def before_the_battle(battle: Battle11) -> Procedure[None]:
    """Roll off for attacker and defender, declare formations, deploy alternately, redeploy, roll off for the first
    turn, resolve pre-battle abilities."""
    state = battle.state
    if state.begin(_ROLES):
        battle.happened(PhaseBegan(name="setup", round=0, turn=state.turn, rules=("11e.core.mission.deployment",)))
        yield from _attacker_and_defender(battle)
    while state.step < _READY:
        match state.step:
            case 1:
                yield from secondaries.choose_secondaries(battle)
            case 2:
                yield from battle_formations.declare_embarked(battle)
            case 3:
                yield from battle_formations.declare_reserves(battle)
            case 4:
                yield from _deployment(battle)
            case 5:
                yield from _redeployment(battle)
            case 7:
                yield from scouting.pre_battle_abilities(battle)
        _next_step(battle)


def _next_step(battle: Battle11) -> None:
    """Go on to the next step and do what its beginning asks for; nothing here asks anybody."""
    state = battle.state
    state.step += 1
    state.finished = (False, False)
    match state.step:
        case 3:
            battle_formations.aircraft_begin_in_reserves(battle)
        case 4:
            battle_formations.reveal(battle)
            state.chooser = opponent(state.attacker)
        case 5:
            state.chooser = state.attacker
        case 6:
            _first_turn(battle)
        case 7:
            state.chooser = state.first
        case 8:
            _begin_round_one(battle)


def is_declaring(state: EleventhState) -> bool:
    """Whether battle formations are being declared, which are secret until both sides have ended."""
    return state.phase == Phase.SETUP and state.step in (_EMBARKED, _RESERVES)


def is_reserving(state: EleventhState) -> bool:
    """Whether reserves are being declared; who is embarked has been by then."""
    return is_declaring(state) and state.step == _RESERVES


@rule("11e.core.mission.attacker-and-defender")
def _attacker_and_defender(battle: Battle11) -> Procedure[None]:
    """The winner of a roll-off chooses who is the Attacker."""
    state, rule_id = battle.state, "11e.core.mission.attacker-and-defender"
    winner = roll_off(battle, "attacker-roll-off", rule_id)
    choices = Options(
        [Option("attacker", "be the Attacker", winner), Option("defender", "be the Defender", opponent(winner))],
        rule=rule_id,
    )
    answer = yield Decision(winner, "choose-role", "Be the Attacker or the Defender?", rule_id, choices)
    state.attacker = choices.value_of(answer)
    battle.happened(Settled(side=state.attacker, what="attacker", rules=(rule_id,)))


@rule("11e.core.mission.first-turn")
def _first_turn(battle: Battle11) -> None:
    """The winner of a roll-off takes the first turn, in every round."""
    state = battle.state
    rule_id = "11e.core.mission.first-turn"
    state.first = state.turn = roll_off(battle, "first-turn-roll-off", rule_id)
    battle.happened(Settled(side=state.first, what="first-turn", rules=(rule_id,)))


def _begin_round_one(battle: Battle11) -> None:
    battle.state.round = 1
    _note_starting_strength(battle)
    for unit in battle.state.units:
        new_phase(unit)


@rule("11e.core.01.06-starting-strength")
def _note_starting_strength(battle: Battle11) -> None:
    """The number of models when the first battle round begins, all components of an attached unit together (01.06)."""
    state = battle.state
    for unit in battle.scene.units:
        state.units[unit.index].starting_strength = len(living(state, unit.index))


def _waiting(battle: Battle11, side: Side) -> list[int]:
    units = battle.state.units
    return [
        unit.index
        for unit in battle.scene.units_of(side)
        if not units[unit.index].deployed
        and not units[unit.index].in_reserves
        and not is_aboard(battle.state, unit.index)
        and living(battle.state, unit.index)
    ]


@resumable
@rule("11e.core.mission.deployment")
def _deployment(battle: Battle11) -> Procedure[None]:
    """Defender first, one unit after the other in turn, each wholly in its own zone; when one side is done the other
    finishes."""
    state = battle.state
    while any(_waiting(battle, side) for side in SIDES):
        if not _waiting(battle, state.chooser) or _forfeits_go(battle):
            state.chooser = opponent(state.chooser)
            continue
        yield from _deploy_one(battle, state.chooser)


@resumable
def _deploy_one(battle: Battle11, side: Side) -> Procedure[None]:
    rule_id = "11e.core.mission.deployment"
    choices = Options(
        lambda: [
            Option(battle.scene.units[unit].id, battle.scene.units[unit].name, unit) for unit in _waiting(battle, side)
        ],
        rule=rule_id,
    )
    answer = yield Decision(
        side, "select-unit-to-deploy", "Select a unit to deploy", rule_id, choices, is_checkpoint=True
    )
    unit: int = choices.value_of(answer)
    yield from _set_up(battle, unit)
    if battle.state.units[unit].deployed:
        _note_titanic(battle, unit)


@rule("11e.core.mission.titanic-deployment")
def _note_titanic(battle: Battle11, unit: int) -> None:
    """Deploying a TITANIC unit costs its player the next go."""
    scene, state = battle.scene, battle.state
    if any(scene.models[row].has("TITANIC") for row in living(state, unit)):
        side = state.units[unit].side
        a, b = state.forfeits
        state.forfeits = (a + 1, b) if side == SIDES[0] else (a, b + 1)


def _forfeits_go(battle: Battle11) -> bool:
    """Whether the side whose go it is has to pass over it; once the other side is done, nobody waits for it."""
    state, side = battle.state, battle.state.chooser
    if not state.forfeits[side] or not _waiting(battle, opponent(side)):
        return False
    a, b = state.forfeits
    state.forfeits = (a - 1, b) if side == SIDES[0] else (a, b - 1)
    return True


def _set_up(battle: Battle11, unit: int) -> Procedure[None]:
    """Place the unit whole; one for which there is no room goes into reserves (03.02)."""
    state, info = battle.state, battle.scene.units[unit]
    space = moves.deployment_space(battle, unit)
    placement = yield Decision(
        info.side,
        "deploy",
        f"Set up {info.name} wholly within your deployment zone",
        "11e.core.mission.deployment",
        space,
        subject=info.index,
    )
    assert isinstance(placement, Place)
    moves.carry_out(battle, unit, placement, MoveKind.SET_UP, "11e.core.mission.deployment")
    mine = state.units[unit]
    # RULING: 11e.core.03.02-set-up-whole we read it as sending a unit for which its zone has no room into reserves.
    mine.deployed, mine.in_reserves = bool(placement.moves), not placement.moves
    mine.is_oversized = mine.deployed and is_too_large(battle.scene, state, unit)
    if mine.in_reserves:
        battle.happened(UnitInReserves(unit=info.id, why="no-room", rules=("11e.core.03.02-set-up-whole",)))
    state.chooser = opponent(info.side)


# -- redeployment (step 9) ---------------------------------------------------------------------------------------


@resumable
@rule("11e.core.mission.redeployment", "11e.core.03.02-redeploy")
def _redeployment(battle: Battle11) -> Procedure[None]:
    """Units that a rule allows it are deployed anew, alternately, the Attacker first; each side may end (step 9)."""
    state = battle.state
    while any(_may_redeploy(battle, side) for side in SIDES):
        if _may_redeploy(battle, state.chooser):
            yield from _redeploy_one(battle, state.chooser)
        state.chooser = opponent(state.chooser)


def _may_redeploy(battle: Battle11, side: Side) -> list[int]:
    if battle.state.finished[side]:
        return []
    return [unit.index for unit in battle.scene.units_of(side) if battle.state.units[unit.index].may_redeploy]


@resumable
def _redeploy_one(battle: Battle11, side: Side) -> Procedure[None]:
    rule_id, units = "11e.core.mission.redeployment", battle.scene.units
    choices = Options(
        lambda: [
            *(
                Option(f"{units[each].id}{key}", f"{units[each].name}: {label}", (each, bool(key)))
                for each in _may_redeploy(battle, side)
                for key, label in (("", "deploy anew"), (":reserves", "put into reserves"))
            ),
            Option("end", "no further unit", None),
        ],
        rule=rule_id,
    )
    answer = yield Decision(
        side, "select-unit-to-redeploy", "Select a unit to redeploy", rule_id, choices, is_checkpoint=True
    )
    picked: tuple[int, bool] | None = choices.value_of(answer)
    if picked is None:
        battle_formations.end_part(battle.state, side)
    else:
        yield from redeploy(battle, picked[0], to_reserves=picked[1])


@rule("11e.core.03.02-redeploy", "11e.core.mission.redeployment")
def redeploy(battle: Battle11, unit: int, *, to_reserves: bool = False) -> Procedure[None]:
    """Remove a unit and deploy it again, or put it into reserves, which no limit of reserves counts (03.02)."""
    state, scene = battle.state, battle.scene
    mine = state.units[unit]
    mine.may_redeploy = False
    rows = tuple(standing(state, unit))
    state.on_table[list(rows)] = False
    rules = ("11e.core.03.02-redeploy",)
    if rows:
        battle.happened(ModelsRemoved(unit=scene.units[unit].id, models=rows, why="redeployed", rules=rules))
    mine.deployed, mine.in_reserves = False, to_reserves
    if to_reserves:
        battle.happened(UnitInReserves(unit=scene.units[unit].id, why="redeployed", rules=rules))
        return
    chooser = state.chooser
    yield from _set_up(battle, unit)
    state.chooser = chooser
