"""Which abilities are in force in a battle: the hooks that the chapters of the edition ask.

An ability lasts while its source lives (19.04): some model that bears it, those included that have fallen to attacks
which are still being resolved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.eleventh.abilities.at_work import with_abilities
from battlewright.editions.eleventh.abilities.clauses import Clause, Marks
from battlewright.editions.eleventh.abilities.conditions import Situation, hold
from battlewright.editions.eleventh.abilities.facts import BattleFacts, is_in_play, phase_of, situation
from battlewright.editions.eleventh.abilities.language import (
    ArrivalDenied,
    ChargedAt,
    CombatReach,
    Effect,
    Ignore,
    ModelChange,
    Permission,
    Permit,
    Reroll,
    Roll,
    RollChange,
    StratagemCost,
    TargetedWithin,
    WeaponGrant,
    Whose,
)
from battlewright.editions.eleventh.abilities.sources import (
    Source,
    changed_number,
    changed_profile,
    printed_number,
    topic_of,
)
from battlewright.editions.eleventh.ability_text import WeaponAbilityName
from battlewright.editions.eleventh.circumstances import AttackContext
from battlewright.editions.eleventh.datasheet import ModelProfile, WeaponProfile
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.modifiers import Characteristic, is_harmful, without_harmful
from battlewright.editions.eleventh.scene import Scene, living, standing
from battlewright.editions.eleventh.state import EleventhState

__all__ = [
    "arrival_denied",
    "at_moment",
    "attack_context",
    "characteristic_in_force",
    "charged_at_modifiers",
    "combat_reach",
    "is_granted",
    "permits",
    "profile_in_force",
    "protected_beyond",
    "re_roll_by_ability",
    "roll_modifiers",
    "stratagem_cost_changes",
    "targeted_within",
]


# --- what is at work -------------------------------------------------------------------------------------------


@rule("11e.core.19.04-shared-abilities", "11e.core.19.04-killed-by-attack", "11e.core.22.01-aura")
def _at_work(
    scene: Scene, state: EleventhState, unit: int, topic: str, situation: Callable[[], Situation]
) -> Iterator[Source]:
    """The sources of a topic whose bearers live, that reach the unit, and whose conditions hold.

    RULING: 11e.core.19.04-shared-abilities of several auras of one name with one effect a unit is reached by one.
    """
    found = scene.sources
    now: Situation | None = None
    reached: set[Clause] = set()
    timed = _used_for(scene, state, unit, topic) if state.timed else ()
    for source in (*found.own.get((unit, topic), ()), *found.auras.get(topic, ()), *timed):
        clause = source.clause
        if clause in reached or not any(is_in_play(state, row) for row in source.rows):
            continue
        if clause.reach is not None and not _reaches(scene, state, source, unit):
            continue
        if clause.conditions:
            now = now or situation()
            if not all(hold(condition, now) for condition in clause.conditions):
                continue
        if clause.reach is not None:
            reached.add(clause)
        yield source


@rule("11e.core.01-friendly-and-enemy", "11e.core.22.01-aura")
def _used_for(scene: Scene, state: EleventhState, unit: int, topic: str) -> Iterator[Source]:
    """What has been used for the unit and is still in force."""
    for number in {number: None for whom, number, _ in state.timed if whom == unit}:
        timed = scene.sources.timed[number]
        if timed.timing.marks is Marks.ATTACKERS:
            continue
        for clause in timed.clauses:
            if topic_of(clause) == topic:
                rows = () if timed.timing.marks else timed.rows
                yield Source(unit, rows or tuple(state.units[unit].models), clause)


def _marked(scene: Scene, state: EleventhState, side: int, target: int) -> Iterator[Clause]:
    """The effects on attacks of a side's units that the marks on their target have."""
    for number in {number: None for whom, number, _ in state.timed if whom == target}:
        timed = scene.sources.timed[number]
        if timed.timing.marks is Marks.ATTACKERS and scene.units[timed.unit].side == side:
            yield from (clause for clause in timed.clauses if topic_of(clause) == "attack")


def _concerns(scene: Scene, state: EleventhState, unit: int, topic: str) -> bool:
    """Whether there is anything to ask at all."""
    if scene.sources.concerning(unit, topic):
        return True
    return bool(state.timed) and any(whom == unit for whom, _, _ in state.timed)


def _reaches(scene: Scene, state: EleventhState, source: Source, unit: int) -> bool:
    friends = state.units[source.unit].side == state.units[unit].side
    if friends is not (source.clause.whose is Whose.FRIENDS):
        return False
    if source.unit == unit:
        return True
    if not standing(state, unit) or not standing(state, source.unit) or source.clause.reach is None:
        return False
    return within(unit_distance(scene, state, source.unit, unit), source.clause.reach)


def attack_context(
    context: AttackContext,
    scene: Scene,
    state: EleventhState,
    row: int,
    profile: WeaponProfile,
    target: int,
    toughness: Callable[[], int],
    closest: Callable[[], float | None] = lambda: None,
) -> AttackContext:
    """The circumstances of a model's attacks with all that abilities of either side do to them.

    Args:
        toughness: of the target, asked only where there is something to ask for.
        closest: inches to the target if it is the closest eligible one.
    """
    unit = int(scene.models[row].unit)
    if not _concerns(scene, state, unit, "attack") and not _concerns(scene, state, target, "defence"):
        return context

    def seen_by(own: int) -> Callable[[], Situation]:
        return lambda: Situation(
            own=BattleFacts(scene, state, own),
            phase=phase_of(state),
            own_turn=state.turn == state.units[own].side,
            battle_round=state.round,
            target=BattleFacts(scene, state, target),
            weapon=profile,
            toughness=toughness(),
            half_range=context.half_range,
            closest=closest,
        )

    clauses = [
        source.clause
        for source in _at_work(scene, state, unit, "attack", seen_by(unit))
        if source.clause.whose is not Whose.BEARER or row in source.rows
    ]
    clauses += [source.clause for source in _at_work(scene, state, target, "defence", seen_by(target))]
    if state.timed:
        now = seen_by(unit)()
        marked = _marked(scene, state, state.units[unit].side, target)
        clauses += [each for each in marked if all(hold(condition, now) for condition in each.conditions)]
    return with_abilities(context, profile, clauses)


def is_granted(scene: Scene, state: EleventhState, row: int, profile: WeaponProfile, name: WeaponAbilityName) -> bool:
    """Whether an ability gives this weapon of the model a weapon ability before any target is chosen."""
    unit = int(scene.models[row].unit)
    if not _concerns(scene, state, unit, "attack"):
        return False
    for source in _at_work(scene, state, unit, "attack", lambda: situation(scene, state, unit)):
        effect = source.clause.effect
        if isinstance(effect, WeaponGrant) and any(each.name is name for each in effect.abilities):
            meant = effect.melee is None or effect.melee is profile.melee
            if meant and (source.clause.whose is not Whose.BEARER or row in source.rows):
                return True
    return False


# --- models and units ------------------------------------------------------------------------------------------


def profile_in_force(scene: Scene, state: EleventhState, row: int) -> ModelProfile:
    """A model's profile with the T, saves and core abilities that abilities of its unit, or around it, give it now."""
    model = scene.models[row]
    unit = int(model.unit)
    if not _concerns(scene, state, unit, "profile"):
        return model.profile
    effects = tuple(
        source.clause.effect
        for source in _at_work(scene, state, unit, "profile", lambda: situation(scene, state, unit))
        if source.clause.whose is not Whose.BEARER or row in source.rows
    )
    if effects and _is_immune(scene, state, row):
        effects = tuple(each for each in effects if not _harms(model.profile, each))
    return changed_profile(model.profile, effects) if effects else model.profile


def _harms(profile: ModelProfile, effect: Effect) -> bool:
    """Whether a change makes a characteristic of the model worse."""
    return isinstance(effect, ModelChange) and is_harmful(
        effect.characteristic, effect.change, printed_number(profile, effect.characteristic)
    )


@rule("11e.ds-ignore-modifiers.all-or-some", "11e.ds-ignore-modifiers.example-move")
def _is_immune(scene: Scene, state: EleventhState, row: int) -> bool:
    """Whether modifiers of the model's characteristics may be ignored; those that harm it then are."""
    unit = int(scene.models[row].unit)
    if not _concerns(scene, state, unit, "immunity"):
        return False
    found = _at_work(scene, state, unit, "immunity", lambda: situation(scene, state, unit))
    return any(source.clause.whose is not Whose.BEARER or row in source.rows for source in found)


def characteristic_in_force(
    scene: Scene, state: EleventhState, row: int, which: Characteristic, printed: int | None
) -> int | None:
    """OC, Ld or M of a model with the changes that abilities make now."""
    unit = int(scene.models[row].unit)
    if printed is None or not _concerns(scene, state, unit, str(which)):
        return printed
    changes = [
        source.clause.effect.change
        for source in _at_work(scene, state, unit, str(which), lambda: situation(scene, state, unit))
        if isinstance(source.clause.effect, ModelChange)
        and (source.clause.whose is not Whose.BEARER or row in source.rows)
    ]
    if changes and _is_immune(scene, state, row):
        changes = list(without_harmful(which, printed, changes))
    return changed_number(which, printed, changes) if changes else printed


def roll_modifiers(scene: Scene, state: EleventhState, unit: int, roll: Roll) -> tuple[Modifier, ...]:
    """The modifiers of a unit's charge or advance roll by abilities."""
    if not _concerns(scene, state, unit, "unit"):
        return ()
    found, ignores = [], False
    for source in _at_work(scene, state, unit, "unit", lambda: situation(scene, state, unit)):
        effect = source.clause.effect
        if isinstance(effect, RollChange) and effect.roll is roll:
            found.append(Modifier(source.clause.ability, effect.amount))
        ignores = ignores or (isinstance(effect, Ignore) and effect.what.value == roll.value)
    return tuple(each for each in found if each.amount > 0 or not ignores)


def re_roll_by_ability(scene: Scene, state: EleventhState, unit: int, roll: Roll) -> str | None:
    """The name of an ability that lets the unit's charge or advance roll be made again, None without any."""
    if not _concerns(scene, state, unit, "unit"):
        return None
    for source in _at_work(scene, state, unit, "unit", lambda: situation(scene, state, unit)):
        effect = source.clause.effect
        if isinstance(effect, Reroll) and effect.roll is roll:
            return source.clause.ability
    return None


def permits(scene: Scene, state: EleventhState, unit: int, permit: Permit) -> bool:
    """Whether an ability lets the unit do this in spite of the move that it made.

    RULING: 11e.core.11-eligible-to-charge what one model is permitted by an ability of its own, its whole unit does
    only if every living model of the unit has it.
    """
    if not _concerns(scene, state, unit, "unit"):
        return False
    alive = set(living(state, unit))
    return any(
        isinstance(source.clause.effect, Permission)
        and source.clause.effect.permit is permit
        and (source.clause.whose is not Whose.BEARER or alive <= set(source.rows))
        for source in _at_work(scene, state, unit, "unit", lambda: situation(scene, state, unit))
    )


@rule("11e.core.15.01-protection-range")
def targeted_within(scene: Scene, state: EleventhState, unit: int) -> float | None:
    """Inches beyond which models cannot aim ranged attacks at the unit, None without a rule that protects it.

    What a stratagem protects beyond 12" is protected beyond 18" (15.01).
    """
    if not _concerns(scene, state, unit, "defence"):
        return None
    used = _used_names(scene, state, unit)
    limits = [
        protected_beyond(source.clause.effect.inches) if source.clause.ability in used else source.clause.effect.inches
        for source in _at_work(scene, state, unit, "defence", lambda: situation(scene, state, unit))
        if isinstance(source.clause.effect, TargetedWithin)
    ]
    return min(limits, default=None)


def _used_names(scene: Scene, state: EleventhState, unit: int) -> set[str]:
    """The stratagems in force on the unit."""
    timed = scene.sources.timed
    return {timed[number].ability for whom, number, _ in state.timed if whom == unit and timed[number].unit < 0}


@rule("11e.core.15.01-protection-range")
def protected_beyond(inches: float) -> float:
    """From how far away a stratagem protects a unit: what says 12" means 18"."""
    return 18.0 if inches == 12.0 else inches


@rule("11e.core.15.01-raised-cost")
def stratagem_cost_changes(scene: Scene, state: EleventhState, unit: int) -> list[int]:
    """What a use of a stratagem on the unit costs more by abilities around it."""
    if not _concerns(scene, state, unit, "unit"):
        return []
    return [
        source.clause.effect.amount
        for source in _at_work(scene, state, unit, "unit", lambda: situation(scene, state, unit))
        if isinstance(source.clause.effect, StratagemCost)
    ]


@rule("11e.core.22.01-aura", "11e.core.20.04-ingress")
def arrival_denied(scene: Scene, state: EleventhState, side: int) -> list[tuple[frozenset[int], float, str]]:
    """Around which models a side's units cannot be set up from reserves: enemies, inches, the ability.

    RULING: 11e.core.22.01-aura the unit that arrives is not on the battlefield yet; the aura is measured to where
    each of its models is set up, from every model of the unit that has it.
    """
    return [
        (frozenset(standing(state, source.unit)), source.clause.effect.inches, source.clause.ability)
        for source in scene.sources.auras.get("unit", ())
        if isinstance(source.clause.effect, ArrivalDenied)
        and state.units[source.unit].side != side
        and standing(state, source.unit)
        and any(is_in_play(state, row) for row in source.rows)
        and all(hold(each, situation(scene, state, source.unit)) for each in source.clause.conditions)
    ]


# --- moments, reaches, charges ---------------------------------------------------------------------------------


def at_moment(scene: Scene, state: EleventhState, unit: int, kind: type[Effect]) -> list[Source]:
    """The sources of what abilities do at moments of their own, of one kind of effect, that work for the unit now."""
    if not _concerns(scene, state, unit, "moment"):
        return []
    found = _at_work(scene, state, unit, "moment", lambda: situation(scene, state, unit))
    return [source for source in found if isinstance(source.clause.effect, kind)]


@rule("11e.core.12.03-bonus-distance")
def combat_reach(scene: Scene, state: EleventhState, unit: int, inches: float, *, consolidating: bool) -> float:
    """The inches of the unit's pile-in or consolidation moves: the longest that abilities give; the search for targets
    is not theirs."""
    if not _concerns(scene, state, unit, "unit"):
        return inches
    reaches = [inches]
    for source in _at_work(scene, state, unit, "unit", lambda: situation(scene, state, unit)):
        effect = source.clause.effect
        if isinstance(effect, CombatReach) and effect.consolidating is consolidating:
            reaches.append(effect.inches)
    return max(reaches)


@rule("11e.core.11.04-choose-again")
def charged_at_modifiers(scene: Scene, state: EleventhState, targets: Iterable[int]) -> tuple[Modifier, ...]:
    """The modifiers of a charge roll by abilities of the units that are its targets."""
    return tuple(
        Modifier(source.clause.ability, source.clause.effect.amount)
        for target in targets
        if _concerns(scene, state, target, "defence")
        for source in _at_work(scene, state, target, "defence", lambda unit=target: situation(scene, state, unit))  # type: ignore[misc]
        if isinstance(source.clause.effect, ChargedAt)
    )
