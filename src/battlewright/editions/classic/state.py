"""What changes in a battle of the classic editions, per unit and in all.

What a unit has done is kept until the turn is over and cleared by :func:`new_turn`; what belongs to one phase is
cleared by :func:`new_phase`. Deeds that only one edition knows (a march move) are names in ``deeds``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from battlewright.core.decisions import SIDES, Side
from battlewright.core.state import State, UnitState, stateful

__all__ = [
    "NOWHERE",
    "ClassicState",
    "ClassicUnit",
    "Deed",
    "MoveKind",
    "Phase",
    "Wreck",
    "new_phase",
    "new_turn",
    "next_own_turn",
]

NOWHERE = -1
"""In place of a unit: none."""


class Phase(StrEnum):
    """Where in the battle it stands; the value of ``State.phase``."""

    SETUP = "setup"
    START_OF_TURN = "start-of-turn"
    MOVEMENT = "movement"
    SHOOTING = "shooting"
    ASSAULT = "assault"
    END_OF_TURN = "end-of-turn"


class MoveKind(StrEnum):
    """The kinds of move."""

    SET_UP = "set-up"
    NORMAL = "normal"
    FOOT = "on foot"
    MARCH = "march"
    TURBO = "turbo-boost"
    AMONG = "among terrain"
    FLEET = "fleet"
    RUN = "run"
    THRUST = "thrust"
    SCOUT = "scout"
    ASSAULT = "assault"
    FALL_BACK = "fall-back"
    SWEEP = "sweeping-advance"
    CONSOLIDATE = "consolidate"
    PILE_IN = "pile-in"
    RALLY = "rally"
    TURN = "turn"
    TANK_SHOCK = "tank-shock"
    RAM = "ram"
    ROAD = "road"
    FLAT_OUT = "flat-out"
    ZOOM = "zoom"
    SWOOP = "swoop"
    MAKE_WAY = "make-way"
    CHALLENGE = "challenge"


class Deed(StrEnum):
    """What a unit may have done this turn that bars it from something else, or allows it."""

    FIRED = "fired"
    FLAT_OUT = "went flat out"
    SMOKED = "used its smoke launchers"
    FIRED_HEAVY = "fired heavy weapons"
    FIRED_ORDNANCE = "fired ordnance"
    FIRED_RAPID_STANDING = "fired rapid fire weapons standing still"
    FIRED_RAPID = "fired rapid fire weapons"
    FIRED_SALVO = "fired salvo weapons"
    FIRED_PISTOLS_TWICE = "fired pistols twice"
    MEASURED = "measured range before or while firing"
    DEEP_STRUCK = "arrived by deep strike"
    EMBARKED = "embarked"
    DISEMBARKED = "disembarked"
    LEFT_CLOSED = "got out of a vehicle that lets nobody charge"
    LOADED = "took a unit aboard"
    UNLOADED = "let a unit out"
    LEFT_OPEN = "was left open by passengers who fired out of it"
    TANK_SHOCKED = "made a tank shock"
    RAMMED = "rammed"
    COMES_SHOCKING = "comes on by tank shock"
    ON_ROAD = "moved along a road"
    FROZEN = "let a unit out after it had moved"
    EMERGENCY = "got out in an emergency"
    BOMBED = "dropped a bomb"
    SKYFIRE = "fires its weapons at the sky"
    MARCHED = "marched"
    BOOSTED = "used turbo boosters"
    DASHED = "moved in place of shooting"
    RAN = "ran"
    THRUST = "made a second move with its jet packs"
    ARRIVED = "arrived from reserve"
    RALLIED = "rallied"
    TRIED_TO_RALLY = "tried to rally in cover this phase"
    OUT_OF_FORMATION = "ended its movement out of formation"
    FOUGHT = "fought in close combat"
    AFRAID = "fights in fear this phase"
    SWEPT = "made a sweeping advance"
    CONSOLIDATED = "consolidated"
    REROLLED_TERRAIN = "rolled again for terrain this phase"


_OF_A_PHASE = frozenset({Deed.AFRAID, Deed.TRIED_TO_RALLY, Deed.REROLLED_TERRAIN})
"""Deeds that are forgotten when the phase is over."""


@dataclass(frozen=True, slots=True)
class Wreck:
    """What is left of a vehicle where it was destroyed: its row, whose place stays as it was, and what it is now."""

    row: int
    kind: str


@stateful
@dataclass(slots=True)
class ClassicUnit(UnitState):
    """What changes about one unit.

    Attributes:
        starting_strength: models when the battle began.
        deployed: whether it has been set up.
        in_reserves: whether it waits to come into play; ``arriving`` whether it comes this turn; ``ongoing`` whether it
            comes in its owner's next turn without a die.
        ahead: whether it was set up as infiltrators or moved before the first turn.
        acted: whether it has been selected in this phase.
        moved: whether any of its models moved in this turn's movement.
        moved_distance: the furthest that one of them moved this turn, in thousandths of an inch.
        displaced: how far from where it began the nearest of its models ended this turn's moves, likewise.
        moved_last: whether it moved in its last own movement phase.
        moved_before: as ``moved_distance``, of its last own turn; ``displaced_before`` and ``deeds_before`` likewise.
        deeds: what else it has done this turn, values of :class:`Deed`.
        last_way: the way in which it last moved in its Movement phase, "" before it has.
        target: the unit that it shot at this turn, ``NOWHERE`` for none.
        phase_strength: models when the present phase began.
        spared: models lost this phase that do not count as lost by fire.
        falling_back: whether it falls back.
        pinned: whether it is pinned.
        charged: whether it has moved into the combat that it is in and has not fought a round of it since.
        charged_in_cover: whether it was moved into while in cover, likewise; ``covered`` those of its models that were;
            ``charged_through`` whether it moved in through difficult terrain.
        charged_from: row, x and y, in thousandths of an inch, of its models where the assault move began.
        charged_free: whether it was moved into while nobody fought it, likewise.
        entry_edge: the table edge from which it came into play where that is not its owner's, else "".
        asked_to_join: whether its owner has been asked in this phase whether it joins a unit.
        joining: the unit that it will join when it has moved, where that is said beforehand.
        joined: the unit that this independent character has joined, ``NOWHERE`` for none; its models then stand among
            those of that unit.
        embarked: the transport that it is in, ``NOWHERE`` for none.
        shaken, stunned: rows of vehicles whose crews still have to sit out a turn of their owner's so.
        dazed_late: those of them whom it befell in a turn of his own, so that his next one is the one that counts.
        immobilised: rows of vehicles that cannot move any more.
        known: (row, name) pairs: psychic powers that its models have been given for this battle.
        powers: (name, turn) pairs: psychic powers upon it, and the player turn, as ``ClassicState.turns`` counts, that
            each lasts to.
        weapons_lost: (row, weapon) pairs that damage has destroyed.
        parts_spent: (row, weapon) pairs of combi-weapons whose second part has been fired.
        lit: the last player turn, as ``ClassicState.turns`` counts, in which a searchlight lies on it; 0 for none.
        smoke: 1 while its smoke stands, -1 when it has been used up.
        aloft: whether it zooms or swoops; ``returning`` whether it has flown off the table and comes back so.
        evading: how many turns of its owner's end before it no longer evades, 0 when it does not.
        locked: (row, thousandths of an inch) pairs: flyers that cannot change their speed, and how far they flew then.
        intercepted: (row, weapon) pairs that have fired in the enemy's turn and are silent in its owner's next one.
    """

    starting_strength: int = 0
    deployed: bool = False
    in_reserves: bool = False
    arriving: bool = False
    ongoing: bool = False
    ahead: bool = False
    acted: bool = False
    moved: bool = False
    moved_distance: int = 0
    displaced: int = 0
    moved_last: bool = False
    moved_before: int = 0
    displaced_before: int = 0
    deeds: frozenset[str] = frozenset()
    deeds_before: frozenset[str] = frozenset()
    last_way: str = ""
    target: int = NOWHERE
    phase_strength: int = 0
    spared: int = 0
    falling_back: bool = False
    pinned: bool = False
    charged: bool = False
    charged_in_cover: bool = False
    covered: frozenset[int] = frozenset()
    charged_free: bool = False
    charged_through: bool = False
    charged_from: tuple[tuple[int, int, int], ...] = ()
    entry_edge: str = ""
    asked_to_join: bool = False
    joining: int = NOWHERE
    joined: int = NOWHERE
    embarked: int = NOWHERE
    shaken: frozenset[int] = frozenset()
    stunned: frozenset[int] = frozenset()
    dazed_late: frozenset[int] = frozenset()
    immobilised: frozenset[int] = frozenset()
    powers: frozenset[tuple[str, int]] = frozenset()
    known: frozenset[tuple[int, str]] = frozenset()
    weapons_lost: frozenset[tuple[int, int]] = frozenset()
    parts_spent: frozenset[tuple[int, int]] = frozenset()
    lit: int = 0
    smoke: int = 0
    aloft: bool = False
    returning: bool = False
    evading: int = 0
    locked: frozenset[tuple[int, int]] = frozenset()
    intercepted: frozenset[tuple[int, int]] = frozenset()

    def has(self, deed: str) -> bool:
        """Whether it has done that this turn."""
        return deed in self.deeds

    def did(self, *deeds: str) -> None:
        """Note that it has done so."""
        self.deeds = self.deeds | frozenset(deeds)


@stateful
@dataclass(slots=True)
class ClassicState(State):
    """What changes about a battle of the classic editions.

    Attributes:
        units: :class:`ClassicUnit` objects.
        first: the side that goes first in each game turn.
        chooser: the side whose choice it is where the two take turns (setting up).
        zones: for each side the name of its deployment zone, "" before it is chosen.
        turns: player turns begun, the present one included.
        challenges: rows of characters who fight each other alone.
        dazed: rows of models that have survived a thunder hammer since they last fought.
        holding_back: rows of characters who have refused a challenge this round.
        warlords: for each warlord his row, and his trait as table and face: ``"command 1"``.
        fought: combats of this assault phase that have been fought, each named by its lowest unit.
        wrecks: what destroyed vehicles have left on the table, in the order in which they fell.
        objectives: (x, y) of counters that the players have laid, in thousandths of an inch.
        natures: the D6 that said what each of them is, 0 before anybody has found out; empty where nobody has.
        worths: what each of them is worth, where they differ; known to nobody before the battle is over.
        carrier: the unit that carries the first of them, ``NOWHERE`` for none.
        dark: whether it is night in this game turn; ``nights`` what a roll has said of when it will be.
        over: whether the battle has come to its end.
        destroyed: units that have been destroyed, in that order.
    """

    first: Side = SIDES[0]
    chooser: Side = SIDES[0]
    zones: tuple[str, str] = ("", "")
    turns: int = 0
    fought: frozenset[int] = frozenset()
    warlords: tuple[tuple[int, str], ...] = ()
    challenges: tuple[tuple[int, int], ...] = ()
    dazed: frozenset[int] = frozenset()
    holding_back: frozenset[int] = frozenset()
    wrecks: tuple[Wreck, ...] = ()
    objectives: tuple[tuple[int, int], ...] = ()
    natures: tuple[int, ...] = ()
    worths: tuple[int, ...] = ()
    carrier: int = NOWHERE
    dark: bool = False
    nights: str = ""
    over: bool = False
    destroyed: tuple[int, ...] = ()


def next_own_turn(state: ClassicState, unit: int) -> int:
    """The player turn, as the state counts them, that is the next of a unit's owner."""
    return state.turns + (2 if state.units[unit].side == state.turn else 1)


def new_phase(unit: ClassicUnit, models: int) -> None:
    """Forget what belongs to the phase that is over; ``models`` are those left."""
    unit.acted = False
    unit.phase_strength = models
    unit.spared = 0
    unit.asked_to_join = False
    unit.deeds = unit.deeds - _OF_A_PHASE


def new_turn(unit: ClassicUnit, *, own: bool) -> None:
    """Forget what belongs to the turn that is over; ``own`` says whether the new one is its owner's."""
    if not own:
        unit.moved_last = unit.moved
        unit.moved_before, unit.displaced_before = unit.moved_distance, unit.displaced
        unit.deeds_before = unit.deeds
        unit.evading = max(0, unit.evading - 1)
        unit.intercepted = frozenset()
    unit.moved = False
    unit.moved_distance = unit.displaced = 0
    unit.deeds = frozenset()
    unit.target = NOWHERE
    unit.joining = NOWHERE
