"""What changes in a battle of the 11th edition, per unit and in all.

What a unit has done is kept until the turn is over and cleared by :func:`new_turn`; what belongs to one phase is
cleared by :func:`new_phase`. A model is *alive* while it has wounds, and *on the table* until it is removed: models
destroyed by attacks stay where they fell until the attacking unit has resolved all its attacks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from battlewright.core.decisions import SIDES, Side
from battlewright.core.state import State, UnitState, stateful
from battlewright.editions.eleventh.book import MissionBook

__all__ = [
    "NOBODY",
    "EleventhState",
    "EleventhUnit",
    "MoveKind",
    "Phase",
    "StratagemRule",
    "new_phase",
    "new_turn",
]

NOBODY = -1
"""In place of a side: neither player."""


class Phase(StrEnum):
    """Where in the battle it stands; the value of ``State.phase``."""

    SETUP = "setup"
    COMMAND = "command"
    MOVEMENT = "movement"
    SHOOTING = "shooting"
    CHARGE = "charge"
    FIGHT = "fight"
    END_OF_TURN = "end-of-turn"


class MoveKind(StrEnum):
    """The types of move of chapters 03, 09, 11, 12, 18, 20, 21 and 24."""

    SET_UP = "set-up"
    STATIONARY = "stationary"
    NORMAL = "normal"
    ADVANCE = "advance"
    FALL_BACK = "fall-back"
    CHARGE = "charge"
    PILE_IN = "pile-in"
    CONSOLIDATE = "consolidate"
    SCOUT = "scout"
    INGRESS = "ingress"
    DISEMBARK = "disembark"
    SURGE = "surge"

    @property
    def is_set_up(self) -> bool:
        """Whether the unit is set up on the battlefield by it, rather than moved across it."""
        return self in (MoveKind.SET_UP, MoveKind.INGRESS, MoveKind.DISEMBARK)


@dataclass(frozen=True, slots=True)
class StratagemRule:
    """A rule at work that changes what stratagems cost a side, or how often it may use them (15.01).

    Attributes:
        stratagem: id of the one that it names, "" when it names none.
        unit: the unit that has to be the target, or NOBODY for any.
        change: CP that it adds to the cost.
        is_free: whether it lets the unit be targeted for 0CP.
        lifts_limits: whether it lets the stratagem be used although a limit forbids it.
        is_opponents: whether it is the opponent's rule, which nobody has to foresee.
    """

    side: Side
    rule: str
    stratagem: str = ""
    unit: int = NOBODY
    change: int = 0
    is_free: bool = False
    lifts_limits: bool = False
    is_opponents: bool = False


@stateful
@dataclass(slots=True)
class EleventhUnit(UnitState):
    """What changes about one unit.

    Attributes:
        starting_strength: models when battle round 1 began (01.06).
        deployed: whether it has been set up in the deployment step.
        in_reserves: whether it is in strategic reserves (20).
        has_ingressed: whether it has made an ingress move in this battle (20.05).
        repositioned: whether it was put into reserves during the battle (20.02).
        embarked_in: the unit of the transport that it is aboard of, or NOBODY (18).
        is_oversized: whether it was deployed at its player's edge, too large for the deployment zone (03.02).
        assault_disembark: whether a rule lets its passengers charge after it has made a normal move (18.06).
        shock_disembark: whether a rule lets its passengers out after it has advanced (18.07).
        may_redeploy: whether a rule lets it be deployed anew before the battle.
        scouted: whether it has used Scouts (24.31).
        battle_shocked: see 01.07.
        last_shot: number of the player turn in which it last made ranged attacks; 0 for never (13.09).
        one_shot: (model, weapon) pairs whose ONE SHOT weapon has been selected in this battle (24.26).
        set_up_this_turn: whether it was set up on the battlefield in this turn (24.16).
        embarked: this turn (18.02).
        may_not_charge: this turn: it disembarked in certain ways, or is oversized (18.04, 03.02).
        may_not_shoot: this turn: its transport used Firing Deck, or it is oversized (24.14, 03.02).
        selected_to_move: in this Movement phase.
        found_no_room: was selected for an ingress or disembark move that there was no room for; until others move.
        moved_this_phase: has made a move in this phase.
        revived: rows of its models that came back in this phase (01.09).
        surged: has made a surge move in this phase (21.01).
        moved_as: the last kind of move made this turn, "" for none.
        moved_distance: the furthest that one of its models has moved this turn, in thousandths of an inch.
        advanced: this turn (09.06).
        fell_back: this turn (09.07).
        declared_charge: this Charge phase.
        charged: made a charge move this turn (11.04).
        selected_to_shoot: this phase.
        selected_to_fight: this phase.
        engaged_at_fights: was engaged when the Fight step began (12.04).
        unengaged_at_fights: was unengaged when the Fight step began (12.06).
        forced_to_fight: made eligible by an enemy's engaging consolidation (12.08).
        overrun: was selected for an overrun fight this phase (12.06).
        piled_in: was selected to pile in in this step.
        eligible_fought: was eligible to fight at some time this phase (12.07).
        consolidated: was selected to consolidate in this step.
        stratagem: id of the stratagem that its player has used on it this phase, "" for none (15.01).
        stands_firm: its next battle-shock roll in this step succeeds (15.04).
        challenger: row of the model whose melee weapons have PRECISION this phase, or NOBODY (15.03).
        smoke: has used Smokescreen this phase (15.10).
        fights_first: has Fights First this phase by a rule (15.12).
        snap_target: the unit that it shoots at in snap shooting, or NOBODY (15.09).
        snap_shot: made snap shooting this phase (15.09).
        started_action: this turn (16).
        action: id of the action that it has under way, "" for none (16).
        action_target: what it does it to, by name.
    """

    starting_strength: int = 0
    deployed: bool = False
    in_reserves: bool = False
    has_ingressed: bool = False
    repositioned: bool = False
    embarked_in: int = NOBODY
    is_oversized: bool = False
    assault_disembark: bool = False
    shock_disembark: bool = False
    may_redeploy: bool = False
    scouted: bool = False
    battle_shocked: bool = False
    last_shot: int = 0
    one_shot: frozenset[tuple[int, int]] = frozenset()
    set_up_this_turn: bool = False
    embarked: bool = False
    may_not_charge: bool = False
    may_not_shoot: bool = False
    selected_to_move: bool = False
    found_no_room: bool = False
    moved_this_phase: bool = False
    revived: tuple[int, ...] = ()
    surged: bool = False
    moved_as: str = ""
    moved_distance: int = 0
    advanced: bool = False
    fell_back: bool = False
    declared_charge: bool = False
    charged: bool = False
    selected_to_shoot: bool = False
    selected_to_fight: bool = False
    engaged_at_fights: bool = False
    unengaged_at_fights: bool = False
    forced_to_fight: bool = False
    overrun: bool = False
    piled_in: bool = False
    eligible_fought: bool = False
    consolidated: bool = False
    stratagem: str = ""
    stands_firm: bool = False
    challenger: int = NOBODY
    smoke: bool = False
    fights_first: bool = False
    snap_target: int = NOBODY
    snap_shot: bool = False
    started_action: bool = False
    action: str = ""
    action_target: str = ""

    @property
    def has_moved(self) -> bool:
        """Whether it has made a move this turn; remaining stationary is none."""
        return self.moved_as not in ("", MoveKind.STATIONARY)


@stateful
@dataclass(slots=True)
class EleventhState(State):
    """What changes about a battle of the 11th edition.

    Attributes:
        units: :class:`EleventhUnit` objects.
        turns: player turns begun so far; the number of the present one.
        attacker: the side that is the Attacker.
        first: the side that takes the first turn of every round.
        chooser: whose pick it is, where the players alternate within a step.
        forfeits: goes of the deployment that each side has still to pass over.
        finished: which sides have ended their part of the present step of the setup.
        passes: picks in a row that were passed in the Fight step (12.04).
        cp: command points of each side.
        bonus_cp: command points each side gained this round besides the core ones (08).
        control: for each objective, the side that controls it or NOBODY.
        secured: for each objective, the side that has secured it or NOBODY.
        primary: primary victory points of each side.
        primary_this_round: those of them scored in this battle round.
        fallen: rows of models destroyed but not yet removed, in the order in which they fell (01.08).
        lingering: (model, unit) of each model that fights on although it is destroyed, and who destroyed it (01.08).
        struck: (unit, wounds lost, models slain) of each unit at which the last attacks were made.
        timed: (unit, number of the ability, until when) of each ability in force that was used at a moment.
        hit: the units that the last attacks made hit.
        returning: (model, wounds, ability) of whoever comes back when the phase ends (01.09).
        used_abilities: (unit or -1 - side, ability, until when) of what may not be done again until then.
        timed_once: (unit, number of the ability) of each use of one that a unit may use once in the battle.
        psychic_used: (unit, ability) of each psychic ability used in this phase (22.03).
        attacking: unit that is resolving its attacks, or NOBODY.
        moving: unit that has been selected to move and has not ended its move, or NOBODY (01.03).
        stratagems_used: (side, stratagem) of each use this phase (15.01).
        stratagems_ever: (side, stratagem) of the uses of those that are for once in the battle.
        stratagem_rules: rules at work that change what stratagems cost or how often they are used.
        next_to_fight: for each side the unit that it has to select next in the Fight phase, or NOBODY (15.12).
        actions_started: (action, target) of each action started this turn (16).
        actions_completed: (unit, action, target) of each action completed this turn.
        lent: (model, model, weapon): the first has this weapon of the second until its attacks are resolved (24.14).
        book: what the mission remembers.
    """

    units: list[EleventhUnit] = field(metadata={"each": True})
    turns: int = 0
    attacker: Side = SIDES[0]
    first: Side = SIDES[0]
    chooser: Side = SIDES[0]
    forfeits: tuple[int, int] = (0, 0)
    finished: tuple[bool, bool] = (False, False)
    passes: int = 0
    cp: tuple[int, int] = (0, 0)
    bonus_cp: tuple[int, int] = (0, 0)
    control: tuple[int, ...] = ()
    secured: tuple[int, ...] = ()
    primary: tuple[int, int] = (0, 0)
    primary_this_round: tuple[int, int] = (0, 0)
    fallen: tuple[int, ...] = ()
    lingering: tuple[tuple[int, int], ...] = ()
    struck: tuple[tuple[int, int, int], ...] = ()
    timed: tuple[tuple[int, int, str], ...] = ()
    hit: tuple[int, ...] = ()
    returning: tuple[tuple[int, int, str], ...] = ()
    used_abilities: tuple[tuple[int, str, str], ...] = ()
    timed_once: tuple[tuple[int, int], ...] = ()
    psychic_used: tuple[tuple[int, str], ...] = ()
    attacking: int = NOBODY
    moving: int = NOBODY
    stratagems_used: tuple[tuple[int, str], ...] = ()
    stratagems_ever: tuple[tuple[int, str], ...] = ()
    stratagem_rules: tuple[StratagemRule, ...] = ()
    next_to_fight: tuple[int, int] = (NOBODY, NOBODY)
    actions_started: tuple[tuple[str, str], ...] = ()
    actions_completed: tuple[tuple[int, str, str], ...] = ()
    lent: tuple[tuple[int, int, int], ...] = ()
    book: MissionBook = field(default_factory=MissionBook)


def new_turn(unit: EleventhUnit) -> None:
    """Forget what a unit did in the turn that is over."""
    unit.set_up_this_turn = False
    unit.moved_as = ""
    unit.moved_distance = 0
    unit.advanced = unit.fell_back = unit.charged = unit.started_action = False
    unit.action = unit.action_target = ""
    unit.embarked = unit.may_not_charge = unit.may_not_shoot = False


def new_phase(unit: EleventhUnit) -> None:
    """Forget what belongs to the phase that is over."""
    unit.selected_to_move = unit.selected_to_shoot = unit.selected_to_fight = False
    unit.declared_charge = False
    unit.found_no_room = unit.moved_this_phase = unit.surged = False
    unit.revived = ()
    unit.engaged_at_fights = unit.unengaged_at_fights = unit.forced_to_fight = False
    unit.overrun = unit.piled_in = unit.eligible_fought = unit.consolidated = False
    unit.stratagem = ""
    unit.stands_firm = unit.smoke = unit.fights_first = unit.snap_shot = False
    unit.challenger = unit.snap_target = NOBODY
