"""Abilities in questions about units: both as the list has them, unhurt, with what the question says of the moment."""

from __future__ import annotations

from dataclasses import dataclass, replace

from battlewright.core.roster import Role, Unit
from battlewright.editions.eleventh.abilities.at_work import with_abilities
from battlewright.editions.eleventh.abilities.clauses import Clause
from battlewright.editions.eleventh.abilities.conditions import Situation, hold
from battlewright.editions.eleventh.abilities.language import Whose
from battlewright.editions.eleventh.abilities.sources import borne_by, changed_profile, topic_of
from battlewright.editions.eleventh.circumstances import AttackContext
from battlewright.editions.eleventh.datasheet import WeaponProfile
from battlewright.editions.eleventh.keywords import keywords_of_models
from battlewright.editions.eleventh.state import Phase
from battlewright.editions.eleventh.target import TargetView, toughness_against

__all__ = ["RosterFacts", "asked_context", "asked_target"]


@dataclass(frozen=True, slots=True)
class RosterFacts:
    """A unit of a list as conditions ask about it; see :class:`~.conditions.Facts`."""

    keywords: frozenset[str]
    is_led: bool = False
    has_charged: bool = False
    is_stationary: bool = False
    is_battle_shocked: bool = False
    is_below_starting_strength: bool = False
    is_below_half_strength: bool = False
    is_near_objective: bool = False
    is_engaged: bool = False
    has_advanced: bool = False
    has_disembarked: bool = False
    has_ingressed: bool = False

    def is_near_controlled(self, own: bool) -> bool:
        """See the protocol; a question knows no objectives."""
        return False

    def has_friend_within(self, inches: float, needed: tuple[str, ...], barred: str) -> bool:
        """See the protocol; a question knows no other units."""
        return False

    @classmethod
    def of(cls, unit: Unit, *, charged: bool = False, stationary: bool = False) -> RosterFacts:
        """A unit as its list has it."""
        led = any(component.role is not Role.UNIT for component in unit.components) and len(unit.components) > 1
        return cls(keywords_of_models({model.keywords for model in unit.models}), led, charged, stationary)


def _holding(unit: Unit, topic: str, situation: Situation) -> list[tuple[tuple[int, ...], Clause]]:
    """The clauses of a topic whose conditions hold; auras reach the unit of their bearers."""
    return [
        (places, clause)
        for places, clause in borne_by(unit)
        if topic_of(clause) == topic
        and clause.whose is not Whose.ENEMIES
        and all(hold(condition, situation) for condition in clause.conditions)
    ]


def asked_context(
    context: AttackContext, weapon: WeaponProfile, attacker: Unit | None, target: Unit | None, view: TargetView
) -> AttackContext:
    """The circumstances of a weapon's attacks with all that abilities of units in the question do to them.

    The phase is that of the weapon, and it is the attacker's turn. DEVIATION: what bearers alone have counts for a
    weapon only where each model that carries one of its name bears the ability.
    """
    facts = RosterFacts(view.keywords) if target is None else RosterFacts.of(target)
    now = Situation(
        own=facts,
        phase=Phase.FIGHT if weapon.melee else Phase.SHOOTING,
        battle_round=1,
        target=facts,
        weapon=weapon,
        toughness=toughness_against(view),
        half_range=context.half_range,
    )
    clauses: list[Clause] = []
    if attacker is not None:
        own = RosterFacts.of(attacker, charged=context.charged, stationary=context.heavy)
        carriers = {
            place
            for place, model in enumerate(attacker.models)
            if any(each.name == weapon.name for each in model.weapons)
        }
        clauses += [
            clause
            for places, clause in _holding(attacker, "attack", replace(now, own=own, own_turn=True))
            if clause.whose is not Whose.BEARER or carriers <= set(places)
        ]
    if target is not None:
        clauses += [clause for _, clause in _holding(target, "defence", replace(now, own_turn=False))]
    return with_abilities(context, weapon, clauses) if clauses else context


def asked_target(unit: Unit, view: TargetView, indices: list[int]) -> TargetView:
    """A unit as a target with what its abilities make of its models' profiles.

    Args:
        indices: for each model of the view its place in the unit.
    """
    clauses = _holding(unit, "profile", Situation(own=RosterFacts.of(unit), battle_round=1))
    if not clauses:
        return view
    models = []
    for model, place in zip(view.models, indices, strict=True):
        effects = tuple(
            clause.effect for places, clause in clauses if clause.whose is not Whose.BEARER or place in places
        )
        models.append(replace(model, profile=changed_profile(model.profile, effects)) if effects else model)
    return replace(view, models=tuple(models))
