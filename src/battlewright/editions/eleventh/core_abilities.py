"""Core abilities as judgements (24): which units have them, how far they reach, what a die of them means.

Everything here is asked about the models that are on the battlefield (or aboard) at that moment; nothing rolls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import product

from battlewright.core.dice import DiceExpression
from battlewright.core.roster import Role
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.eleventh.ability_text import CoreAbility, CoreAbilityName
from battlewright.editions.eleventh.datasheet import Harm, ModelProfile
from battlewright.editions.eleventh.keywords import keywords_match
from battlewright.editions.eleventh.modifiers import lone_operative_distance

__all__ = [
    "DEMISE_RANGE",
    "ENEMY_DISTANCE",
    "MoveType",
    "deadly_demise",
    "demise_victims",
    "every_model_has",
    "firing_deck",
    "hazard_damage",
    "is_damaged",
    "is_fights_first_unit",
    "is_hidden_lone_operative",
    "is_stealth_unit",
    "lone_operative_range",
    "may_attach",
    "may_walk_through_model",
    "may_walk_through_terrain",
    "mobile_walk_shocks",
    "one_shots_left",
    "scouts_distance",
    "scouts_distances",
    "skies_reduction",
    "wounds_kept",
]


DEMISE_RANGE = 6.0
"""Inches to which Deadly Demise reaches (24.08)."""
ENEMY_DISTANCE = 8.0
"""Inches that Deep Strike, Infiltrators and the end of a scout move must exceed (24.09, 24.20, 24.32)."""
_DEMISE_ON = 6
_HAZARD_ON = 2


@rule(
    "11e.24.09-deep-strike.every-model",
    "11e.24.20-infiltrators.every-model",
    "11e.24.31-scouts.every-model",
    "11e.24.31-scouts.option-transport-all-aboard",
)
def every_model_has(models: Iterable[ModelProfile], name: CoreAbilityName) -> bool:
    """Whether each of these models has the ability, so that the unit (or all aboard) may use it; never for nobody."""
    asked = [model.has(name) for model in models]
    return bool(asked) and all(asked)


# --- in the attack ---------------------------------------------------------------------------------------------


@rule("11e.24.33-stealth.every-model")
def is_stealth_unit(models: Iterable[ModelProfile]) -> bool:
    """Whether the unit has Stealth, that is, the benefit of cover against every ranged attack (24.33)."""
    return every_model_has(models, CoreAbilityName.STEALTH)


@rule("11e.24.39-damaged.threshold", "11e.core.24-damaged")
def is_damaged(model: ModelProfile, remaining: int) -> bool:
    """Whether a model with Damaged X has X wounds left or fewer (24.39)."""
    thresholds = [each.value.bonus for each in model.instances(CoreAbilityName.DAMAGED) if each.value is not None]
    return any(remaining <= threshold for threshold in thresholds)


@rule(
    "11e.24.12-feel-no-pain.roll-per-wound",
    "11e.24.12-feel-no-pain.success-keeps-wound",
    "11e.24.02-duplicated-abilities.controller-selects",
    "11e.core.05.04-feel-no-pain",
)
def wounds_kept(
    model: ModelProfile, dice: Sequence[int], chosen: CoreAbility | None = None, *, harm: Sequence[Harm] = ()
) -> int:
    """How many of the wounds about to be lost are kept: one die for each, against one instance of Feel No Pain.

    Args:
        chosen: the instance that the controller picked among several; the best by default.
        harm: the kinds of wounds that these are.
    """
    threshold = chosen.threshold if chosen is not None else model.feel_no_pain_against(*harm)
    return 0 if threshold is None else sum(die >= threshold for die in dice)


@rule("11e.core.06.03-hazard-roll")
def hazard_damage(die: int, models: Iterable[Iterable[str]]) -> int:
    """Mortal wounds of one hazard roll: on 1 or 2 one, or three if every model is a MONSTER or VEHICLE.

    Args:
        models: the keywords of each model of the unit.
    """
    if die > _HAZARD_ON:
        return 0
    asked = [keywords_match("MONSTER/VEHICLE", keywords) for keywords in models]
    return 3 if asked and all(asked) else 1


# --- Deadly Demise ---------------------------------------------------------------------------------------------


@rule("11e.24.02-duplicated-abilities.core-number-is-duplicate", "11e.24.08-deadly-demise.form")
def deadly_demise(model: ModelProfile, chosen: int = 0) -> DiceExpression | None:
    """The value of the one instance of Deadly Demise that is used, None without any.

    Args:
        chosen: number of the instance that the controller picked, the first by default.
    """
    instances = model.instances(CoreAbilityName.DEADLY_DEMISE)
    return instances[chosen].value if instances else None


@rule("11e.24.08-deadly-demise.on-six", "11e.24.08-deadly-demise.both-sides", "11e.core.24-deadly-demise")
def demise_victims(die: int, distances: Sequence[float]) -> tuple[int, ...]:
    """Which units suffer from a model's demise, friend or enemy: on a 6 those within 6 inches, else none.

    Args:
        distances: from the destroyed model to each unit on the battlefield, in inches.
    """
    if die != _DEMISE_ON:
        return ()
    return tuple(unit for unit, distance in enumerate(distances) if within(distance, DEMISE_RANGE))


# --- who fights first, who is hidden ---------------------------------------------------------------------------


@rule(
    "11e.24.13-fights-first.all-models",
    "11e.24.13-fights-first.partial-does-not-count",
)
def is_fights_first_unit(models: Iterable[ModelProfile]) -> bool:
    """Whether the unit is a Fights First unit: while each model that is left has the ability (24.13)."""
    return every_model_has(models, CoreAbilityName.FIGHTS_FIRST)


@rule(
    "11e.24.24-lone-operative.attached-exempt",
    "11e.24.24.01-attached-lone-operative.all-models",
    "11e.24.24.01-attached-lone-operative.highest-value",
    "11e.24.24.01-attached-lone-operative.on-battlefield-only",
    "11e.24.24.01-attached-lone-operative.reactivates",
    "11e.24.24.01-attached-lone-operative.example-fifteen",
    "11e.24.24.01-attached-lone-operative.example-reactivation",
    "11e.core.24-lone-operative",
)
def lone_operative_range(models: Iterable[ModelProfile]) -> float | None:
    """Inches beyond which the unit is not visible; None when Lone Operative does not protect it.

    A unit, attached or not, is protected while each of its models on the battlefield has the ability; of different
    distances the largest counts for all. Of several instances on one model the smallest does.
    """
    distances = []
    for model in models:
        own = [each.distance for each in model.instances(CoreAbilityName.LONE_OPERATIVE) if each.distance is not None]
        if not own:
            return None
        distances.append(min(own))
    return float(lone_operative_distance(round(max(distances))).number) if distances else None


@rule(
    "11e.24.24-lone-operative.not-visible",
    "11e.24.24-lone-operative.no-indirect",
    "11e.24.24-lone-operative.x-form-visibility",
    "11e.24.24-lone-operative.x-form-indirect",
)
def is_hidden_lone_operative(reach: float | None, distance: float) -> bool:
    """Whether Lone Operative hides a unit from a model at this distance in inches, INDIRECT FIRE included.

    Args:
        reach: of the unit (:func:`lone_operative_range`).
    """
    return reach is not None and not within(distance, reach)


# --- before the battle -----------------------------------------------------------------------------------------


@rule(
    "11e.24.02-duplicated-abilities.scouts-lowest",
    "11e.24.02-duplicated-abilities.scouts-example-shared",
    "11e.24.02-duplicated-abilities.scouts-example-mixed",
    "11e.24.32-scout-move.maximum-distance",
)
def scouts_distances(models: Iterable[ModelProfile]) -> tuple[float, ...]:
    """The scout move distances in inches that the unit's controller may choose, ascending; empty without Scouts.

    RULING: 11e.24.02-duplicated-abilities.scouts-lowest we read it as: each model uses one of its own distances and
    the unit uses the lowest of these.
    """
    own = [
        tuple(each.distance for each in model.instances(CoreAbilityName.SCOUTS) if each.distance is not None)
        for model in models
    ]
    if not own or not all(own):
        return ()
    return tuple(sorted({min(picked) for picked in product(*sorted(set(own)))}))


def scouts_distance(models: Iterable[ModelProfile]) -> float | None:
    """The longest scout move that the unit may choose, in inches; None without Scouts on every model."""
    found = scouts_distances(models)
    return found[-1] if found else None


@rule("11e.24.22-leader.limit-one-each", "11e.24.34-support.limit-one-each")
def may_attach(role: Role, attached: Sequence[Role]) -> bool:
    """Whether a leader or support unit may join a bodyguard unit that has these attached: one of each at most."""
    return role in (Role.LEADER, Role.SUPPORT) and role not in attached


# --- moving ----------------------------------------------------------------------------------------------------


class MoveType(StrEnum):
    """The moves that Super-Heavy Walker distinguishes."""

    NORMAL = "normal"
    ADVANCE = "advance"
    FALL_BACK = "fall-back"
    CHARGE = "charge"
    OTHER = "other"


_WALKS = (MoveType.NORMAL, MoveType.ADVANCE, MoveType.FALL_BACK)
_LOW_TERRAIN = 4.0
_SKIES_LOSS = 2.0


@rule("11e.24.17-hover.no-two-inch-loss")
def skies_reduction(models: Iterable[ModelProfile]) -> float:
    """Inches that a unit loses by taking to the skies: 2, with Hover none."""
    return 0.0 if every_model_has(models, CoreAbilityName.HOVER) else _SKIES_LOSS


@rule(
    "11e.24.35-super-heavy-walker.move-types",
    "11e.24.35-super-heavy-walker.through-models",
    "11e.24.35-super-heavy-walker.not-through-titanic",
)
def may_walk_through_model(walker: ModelProfile, move: MoveType, other: Iterable[str]) -> bool:
    """Whether Super-Heavy Walker lets a model pass through another with these keywords in such a move."""
    return walker.has(CoreAbilityName.SUPER_HEAVY_WALKER) and move in _WALKS and not keywords_match("TITANIC", other)


@rule("11e.24.35-super-heavy-walker.through-low-terrain", "11e.24.35-super-heavy-walker.mobile-dense-terrain")
def may_walk_through_terrain(
    walker: ModelProfile, move: MoveType, height: float, *, dense: bool = False, mobile: bool = False
) -> bool:
    """Whether Super-Heavy Walker lets a model pass horizontally through a part of terrain of this height in inches.

    Parts up to 4 inches always; dense terrain of any height if MOBILE was taken for the move.
    """
    if not walker.has(CoreAbilityName.SUPER_HEAVY_WALKER) or move not in _WALKS:
        return False
    return within(height, _LOW_TERRAIN) or (dense and mobile)


@rule("11e.24.35-super-heavy-walker.mobile-risk")
def mobile_walk_shocks(die: int) -> bool:
    """Whether the die rolled at the end of a move for which MOBILE was taken makes the unit battle-shocked."""
    return die == 1


# --- shooting --------------------------------------------------------------------------------------------------


@rule("11e.24.14-firing-deck.trigger", "11e.24.14-firing-deck.step1-up-to-x")
def firing_deck(model: ModelProfile, embarked: int, *, own_shooting_phase: bool) -> int:
    """How many embarked models may be picked at most when the TRANSPORT is selected to shoot; 0 when nothing runs.

    Args:
        embarked: models aboard.
    """
    values = [each.value.bonus for each in model.instances(CoreAbilityName.FIRING_DECK) if each.value is not None]
    return min(max(values), embarked) if values and own_shooting_phase else 0


@rule(
    "11e.24.26-one-shot.once-per-battle",
    "11e.24.26-one-shot.returned-model",
    "11e.24.26-one-shot.new-unit",
    "11e.24.26.01-multiple-one-shot.each-once",
)
def one_shots_left(copies: int, selected: int) -> int:
    """How many copies of a ONE SHOT weapon a model may still select: each once in the battle, revived or not.

    Args:
        copies: of the weapon on the model.
        selected: selections of it by this model in this battle; 0 for a model of a unit newly added to the army.
    """
    return max(0, copies - selected)
