"""How each kind of model moves: distances, dice and what terrain does to it, as data of an edition."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from battlewright.core.dice import DiceExpression
from battlewright.core.rulebook import rule
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.state import MoveKind

__all__ = [
    "THREE_D6",
    "TWO_D6",
    "KindRules",
    "KindTable",
    "Risk",
    "assault_reach",
    "fall_back_dice",
    "move_allowance",
    "sweep_dice",
]

TWO_D6 = DiceExpression(2, 6, 0)
THREE_D6 = DiceExpression(3, 6, 0)


class Risk(StrEnum):
    """When difficult terrain endangers a model that moves."""

    NONE = "never"
    LANDING = "when it ends in it"
    EITHER = "when it starts or ends in it, one die"
    BOTH = "a die for starting in it and one for ending"
    TOUCHING = "when it starts or ends in it or passes through"


@dataclass(frozen=True, slots=True)
class KindRules:
    """The moves of one kind.

    Attributes:
        move: inches in the Movement phase.
        assault: inches of an assault move.
        fall_back: dice of a fall-back move; ``sweep`` of a sweeping advance.
        flies: whether it passes over terrain and friendly models; ``over_enemies`` over enemies too.
        slowed: whether difficult terrain limits how far it moves.
        risk: when difficult terrain endangers it.
        traits: special rules that go with the kind, in capitals.
        cite: the rule that says how far it moves; "" where it is the common one.
    """

    move: float = 6.0
    assault: float = 6.0
    fall_back: DiceExpression = TWO_D6
    sweep: DiceExpression = TWO_D6
    flies: bool = False
    over_enemies: bool = False
    slowed: bool = True
    risk: Risk = Risk.NONE
    traits: frozenset[str] = frozenset()
    cite: str = ""


_UNSLOWED = frozenset({MoveKind.FLEET, MoveKind.RUN, MoveKind.THRUST})
"""Ways of moving whose dice difficult terrain does not touch."""


@dataclass(frozen=True)
class KindTable:
    """The moves of every kind in an edition.

    Attributes:
        kinds: by kind.
        keywords: for keywords whose bearers move otherwise than their kind; the first that a model has decides.
        ways: for ways of moving (on foot, boosted) the kinds that move otherwise in them; nobody else moves so.
        ways_by_words: for ways of moving and all of some keywords, asked before all else.
        other_phases: those of them that do not belong to the Movement phase.
    """

    kinds: Mapping[Kind, KindRules]
    keywords: Mapping[str, KindRules]
    ways: Mapping[tuple[MoveKind, Kind], KindRules] = field(default_factory=dict)
    ways_by_words: Mapping[tuple[MoveKind, frozenset[str]], KindRules] = field(default_factory=dict)
    other_phases: frozenset[MoveKind] = frozenset()

    @rule("3e.core.units.jump-troops", "3e.core.units.bikes", "3e.core.units.jetbikes", "3e.core.units.cavalry")
    @rule("3e.core.units.beasts", "3e.core.units.large-creatures", "3e.core.units.artillery")
    def of(self, kind: Kind, keywords: Collection[str] = (), way: MoveKind = MoveKind.NORMAL) -> KindRules:
        """How a model of a kind moves that has these keywords, in some way of moving."""
        for (each, words), rules in self.ways_by_words.items():
            if each is way and words <= set(keywords):
                return rules
        special = self.ways.get((way, kind))
        if special is not None:
            return special
        found = next((rules for word, rules in self.keywords.items() if word in keywords), self.kinds[kind])
        return replace(found, slowed=False) if way in _UNSLOWED else found

    def ways_of(self, kinds: Iterable[Kind]) -> tuple[MoveKind, ...]:
        """The further ways in which a unit of models of these kinds may move in the Movement phase."""
        there = set(kinds)
        return tuple(
            way
            for way in dict.fromkeys(way for way, _ in self.ways)
            if way not in self.other_phases and all((way, kind) in self.ways for kind in there)
        )


@rule(
    "3e.movement.six",
    "3e.outside.jump-move",
    "3e.outside.bike-move",
    "3e.outside.jetbike-move",
    "3e.outside.cavalry-move",
    "3e.core.movement.infantry",
    "3e.core.vehicles.movement",
)
@rule("4e.core.movement.infantry", "4e.unit-types.infantry-default", "4e.bikes.move", "4e.jetbikes.move")
@rule("4e.jump-infantry.move", "4e.jet-packs.move", "4e.beasts-cavalry.otherwise-infantry", "4e.turbo-boosters.speed")
@rule("6e.core.movement.infantry", "6e.core.movement.monstrous", "6e.core.movement.jump", "6e.core.movement.jet-pack")
@rule("6e.core.movement.bike", "6e.core.movement.jetbike", "6e.core.movement.beasts-and-cavalry")
@rule("4e.vehicle-movement.max-12", "4e.vehicle-movement.fast-24", "4e.vehicle-types.fast")
@rule("4e.walker-movement.move-6", "6e.outside.speed-bands", "6e.walker-movement.as-infantry")
@rule("6e.heavy.speed-limit")
@rule("6e.core.movement.gliding", "4e.character-movement.by-type")
@rule("6e.fast.flat-out-twelve", "6e.fast-skimmer.flat-out-eighteen", "6e.chariot-movement.by-type")
def move_allowance(
    table: KindTable, kind: Kind, keywords: Collection[str] = (), way: MoveKind = MoveKind.NORMAL
) -> float:
    """How far a model may move in the Movement phase, in inches."""
    return table.of(kind, keywords, way).move


@rule("3e.outside.cavalry-assault", "3e.core.assault.charge-reach", "3e.core.vehicles.walkers-in-assault")
@rule("4e.beasts-cavalry.charge", "4e.jump-infantry.charge", "4e.bikes.charge-not-slowed")
@rule("4e.vehicle-movement.movement-phase-only", "4e.walker-movement.charge-6")
def assault_reach(table: KindTable, kind: Kind, keywords: Collection[str] = ()) -> float:
    """How far an assault move may go, in inches."""
    return table.of(kind, keywords).assault


@rule(
    "3e.fall-back.distance",
    "3e.fall-back.types-override",
    "3e.outside.jump-fall-back",
    "3e.outside.bike-fall-back",
    "3e.outside.cavalry-fall-back",
    "3e.core.morale.fall-back",
)
@rule("4e.bikes.fall-back", "4e.jetbikes.fall-back", "4e.jump-infantry.fall-back", "4e.beasts-cavalry.fall-back")
@rule("4e.jet-packs.variant")
def fall_back_dice(table: KindTable, kinds: Iterable[Kind]) -> DiceExpression:
    """The dice of a unit's fall-back move: 2D6, or 3D6 for a unit of jump troops, bikes, cavalry or beasts.

    RULING: 3e.fall-back.types-override a unit of several kinds falls back as its slowest models do.
    """
    return THREE_D6 if all(table.of(kind).fall_back == THREE_D6 for kind in kinds) else TWO_D6


@rule("3e.outside.sweep-distance", "3e.core.assault.fast-sweeping-advance", "3e.core.assault.sweeping-advance")
def sweep_dice(table: KindTable, kinds: Iterable[Kind]) -> DiceExpression:
    """The dice of a unit's sweeping advance: 2D6, or 3D6 for a unit of jump troops, bikes, cavalry or beasts."""
    return THREE_D6 if all(table.of(kind).sweep == THREE_D6 for kind in kinds) else TWO_D6
