"""Losing wounds, being destroyed, leaving the table (01.08, 05.04, 06.02, 06.03, 24.08, 24.12).

A model whose last wound is lost *falls*: it has no wounds, stays on the table and is listed in ``state.fallen`` until
:func:`resolve_destroyed` has worked through what its destruction triggers and removes it. Whoever inflicts damage
calls that once it may happen: attacks when the attacking unit has resolved all of them (01.08), others at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.events import ModelsRemoved
from battlewright.core.rulebook import rule
from battlewright.editions.eleventh import acting, bookkeeping, secondaries
from battlewright.editions.eleventh.abilities.in_force import at_moment, profile_in_force
from battlewright.editions.eleventh.abilities.language import FightOnDeath, Whose
from battlewright.editions.eleventh.command_re_roll import with_re_roll
from battlewright.editions.eleventh.core_abilities import deadly_demise, demise_victims, hazard_damage, wounds_kept
from battlewright.editions.eleventh.datasheet import CoreAbilityName, Harm
from battlewright.editions.eleventh.events import UnitDestroyed, WoundsLost
from battlewright.editions.eleventh.healing import wounds_after
from battlewright.editions.eleventh.measuring import unit_distances
from battlewright.editions.eleventh.scene import Battle11, Scene, can_be_hurt, is_lingering, living
from battlewright.editions.eleventh.state import NOBODY, EleventhState, Phase
from battlewright.editions.eleventh.triggers import active_side

__all__ = [
    "active_side",
    "fights_on",
    "hazard_rolls",
    "hazard_wounds",
    "is_wounded",
    "let_go",
    "lose_wounds",
    "mortal_wound_candidates",
    "mortal_wounds",
    "remove_incoherent",
    "resolve_destroyed",
    "select_model",
    "wounds_not_kept",
]


# -- losing wounds (01.08, 24.12) -------------------------------------------------------------------------------


def is_wounded(scene: Scene, state: EleventhState, row: int) -> bool:
    """Whether the model lives and has lost wounds."""
    return 0 < int(state.wounds[row]) < scene.models[row].profile.wounds


@rule("11e.core.01.08-destroyed", "11e.core.05.04-damage")
def lose_wounds(battle: Battle11, row: int, wounds: int, why: str, *rules: str) -> int:
    """Take wounds from one model, at most those it has left; returns how many it lost.

    At 0 wounds it is destroyed (01.08): it falls, and waits for :func:`resolve_destroyed`.
    """
    state = battle.state
    lost = min(wounds, int(state.wounds[row]))
    if lost <= 0 or is_lingering(state, row):
        return 0
    left, is_destroyed = wounds_after(int(state.wounds[row]), lost)
    state.wounds[row] = left
    battle.happened(
        WoundsLost(unit=battle.scene.unit_of(row).id, model=row, lost=lost, left=left, why=why, rules=rules)
    )
    if is_destroyed:
        state.fallen += (row,)
    return lost


@rule(
    "11e.24.12-feel-no-pain.roll-per-wound",
    "11e.24.12-feel-no-pain.success-keeps-wound",
    "11e.24.02-duplicated-abilities.controller-selects",
    "11e.core.05.04-feel-no-pain",
)
def wounds_not_kept(battle: Battle11, row: int, wounds: int, *harm: Harm) -> int:
    """How many of the wounds about to be lost are lost after Feel No Pain: one D6 for each, X or more keeps it (24.12).

    Of several instances the one with the best threshold is in force: its controller has no reason to select another.

    Args:
        harm: the kinds of wounds that these are.
    """
    profile, unit = profile_in_force(battle.scene, battle.state, row), battle.scene.unit_of(row)
    needed = profile.feel_no_pain_against(*harm)
    if wounds <= 0 or needed is None:
        return max(wounds, 0)
    roll = battle.roll(wounds, 6, "feel-no-pain")
    battle.rolled(roll, unit.side, "11e.24.12-feel-no-pain.roll-per-wound", unit=unit.id, needed=needed)
    return wounds - wounds_kept(profile, roll.unmodified, harm=harm)


def select_model(battle: Battle11, rows: Sequence[int], prompt: str, rule_id: str) -> Procedure[int]:
    """The pick of one of these models by their controller; a single one needs no question.

    The default is the plainest: armed as most of them are, the last of these in the order of the list.
    """
    if len(rows) == 1:
        return rows[0]
    scene = battle.scene
    unit = scene.unit_of(rows[0])
    choices = Options(
        lambda: [Option(f"model:{row}", scene.models[row].name, row) for row in rows],
        rule=rule_id,
        default=f"model:{_plainest(scene, rows)}",
    )
    picked: int = yield from choose(
        Decision(unit.side, "select-model", f"{unit.name}: {prompt}", rule_id, choices, subject=unit.index)
    )
    return picked


def _plainest(scene: Scene, rows: Sequence[int]) -> int:
    arms = {row: tuple(weapon.name for weapon in scene.models[row].weapons) for row in rows}
    counts = Counter(arms.values())
    return max(rows, key=lambda row: (counts[arms[row]], row))


# -- mortal wounds (06.02) and hazard rolls (06.03) -------------------------------------------------------------


@rule(
    "11e.core.06.02-mortal-wounds",
    "11e.core.06.02-precision",
    "11e.24.28.01-precision-devastating.mortals-to-character",
)
def mortal_wound_candidates(
    scene: Scene, state: EleventhState, unit: int, first: Collection[int] = ()
) -> tuple[int, ...]:
    """The models of the unit that the next mortal wound may be inflicted on (06.02); empty when none is left.

    A wounded model that is no CHARACTER, else any that is none, else a wounded CHARACTER, else any CHARACTER.

    Args:
        first: models that go before all others while one of them lives, such as the group picked with PRECISION.
    """
    alive = can_be_hurt(state, unit)
    chosen = [row for row in alive if row in first]
    for among in (chosen, [row for row in alive if not scene.models[row].profile.is_character], alive):
        if among:
            return tuple([row for row in among if is_wounded(scene, state, row)] or among)
    return ()


@rule("11e.core.06.02-mortal-wounds-carry-over", "11e.core.06.02-mortal-wounds")
def mortal_wounds(battle: Battle11, unit: int, count: int, why: str, *rules: str) -> Procedure[int]:
    """Inflict mortal wounds on a unit one at a time, without saves, from model to model (06.02).

    Returns how many wounds were lost. The destroyed wait for :func:`resolve_destroyed`.
    """
    lost = 0
    for _ in range(count):
        rows = mortal_wound_candidates(battle.scene, battle.state, unit)
        if not rows:
            break
        row = yield from select_model(
            battle, rows, "which model suffers a mortal wound?", rules[0] if rules else _MORTAL
        )
        lost += lose_wounds(battle, row, wounds_not_kept(battle, row, 1, Harm.MORTAL), why, *(rules or (_MORTAL,)))
    return lost


_MORTAL = "11e.core.06.02-mortal-wounds"


def hazard_rolls(battle: Battle11, unit: int, count: int, why: str = "hazard") -> Procedure[int]:
    """Make so many hazard rolls for a unit at the same time and inflict what they bring (06.03).

    Returns the wounds lost. Unless a unit is resolving its attacks, what was destroyed is removed at once.
    """
    lost = yield from hazard_wounds(battle, unit, count, why)
    if battle.state.attacking == NOBODY:
        yield from resolve_destroyed(battle)
    return lost


@rule("11e.core.06.03-several-at-once", "11e.core.06.03-hazard-roll")
def hazard_wounds(battle: Battle11, unit: int, count: int, why: str = "hazard") -> Procedure[int]:
    """As :func:`hazard_rolls`; the destroyed wait for :func:`resolve_destroyed`."""
    if count <= 0 or not living(battle.state, unit):
        return 0
    info = battle.scene.units[unit]
    roll = yield from with_re_roll(battle, unit, battle.roll(count, 6, "hazard"))
    models = [battle.scene.models[row].profile.keywords for row in living(battle.state, unit)]
    wounds = sum(hazard_damage(face, models) for face in roll.unmodified)
    battle.rolled(roll, info.side, "11e.core.06.03-hazard-roll", unit=info.id, result=wounds)
    return (yield from mortal_wounds(battle, unit, wounds, why, "11e.core.06.03-hazard-roll"))


# -- being destroyed (01.08, 24.08) -----------------------------------------------------------------------------


@rule(
    "11e.core.01.08-destroyed-triggers-first",
    "11e.core.01.08-destroyed-by-attack-waits",
    "11e.core.01.03.02-new-triggers-wait",
    "11e.core.01.03.02-simultaneous-order",
)
def resolve_destroyed(battle: Battle11, by: int = NOBODY) -> Procedure[None]:
    """Work through everybody who has fallen: what their destruction triggers, then their removal (01.08).

    Those who have fallen so far make up one batch, the active player's before the opponent's and each player's in the
    order in which they fell; those who fall meanwhile make up the next (01.03), and nobody has destroyed them.

    Args:
        by: the unit that has destroyed them; that which is resolving its attacks, if one is.

    RULING: 11e.core.01.03.02-simultaneous-order each player orders what is theirs; we take the order in which their
    models fell, since the triggers of one player's models are alike.
    """
    state = battle.state
    by = state.attacking if state.attacking != NOBODY else by
    while _keep_fighters(battle):
        active = active_side(state)
        batch = sorted(state.fallen, key=lambda row: battle.scene.models[row].side != active)
        for row in batch:
            yield from _destruction_triggers(battle, row)
        _remove(battle, batch, by)
        by = NOBODY


@rule("11e.core.01.08-fight-on-death")
def _keep_fighters(battle: Battle11) -> bool:
    """Let those who fight on death stay in play before anything else is triggered; whether others have fallen (01.08).

    RULING: 11e.core.01.08-fight-on-death a model that stays in play has been destroyed and is not destroyed once more:
    it keeps one wound until it goes, which it cannot lose, and wounds go to the others of its unit while there are any.
    """
    state = battle.state
    for row in state.fallen if state.phase == Phase.FIGHT else ():
        if fights_on(battle.scene, state, row):
            state.fallen = tuple(each for each in state.fallen if each != row)
            state.wounds[row] = 1
            state.lingering += ((row, state.attacking),)
    return bool(state.fallen)


@rule("11e.core.01.08-fight-on-death")
def fights_on(scene: Scene, state: EleventhState, row: int) -> bool:
    """Whether a model that has fallen in the Fight phase stays until its unit has fought.

    By an ability, once, while its unit has not been selected to fight.
    """
    unit = scene.models[row].unit
    if state.units[unit].selected_to_fight or not state.on_table[row] or row in dict(state.lingering):
        return False
    return any(
        source.clause.whose is not Whose.BEARER or row in source.rows
        for source in at_moment(scene, state, unit, FightOnDeath)
    )


@rule("11e.core.01.08-fight-on-death")
def let_go(battle: Battle11, units: Collection[int]) -> Procedure[None]:
    """Models of these units that fought on although they were destroyed go now, and trigger what their destruction
    does: their unit has attacked, or the phase ends (01.08)."""
    state, scene = battle.state, battle.scene
    going = [(row, by) for row, by in state.lingering if scene.models[row].unit in units]
    for row, by in going:
        if state.wounds[row] > 0:
            state.wounds[row] = 0
            state.fallen += (row,)
            state.attacking = by
            yield from resolve_destroyed(battle)
            state.attacking = NOBODY
    state.lingering = tuple(each for each in state.lingering if each not in going)


def _destruction_triggers(battle: Battle11, row: int) -> Procedure[None]:
    """Every rule that the destruction of one model triggers, in their order."""
    for trigger in _TRIGGERS:
        yield from trigger(battle, row)


@rule(
    "11e.24.08-deadly-demise.roll-on-destruction",
    "11e.24.08-deadly-demise.on-six",
    "11e.24.08-deadly-demise.both-sides",
    "11e.24.08-deadly-demise.random-per-unit",
    "11e.core.24-deadly-demise",
    "11e.core.01-friendly-and-enemy",
)
def _demise(battle: Battle11, row: int) -> Procedure[None]:
    """A D6 for a destroyed model with Deadly Demise; on a 6 each unit within 6" suffers X mortal wounds (24.08).

    X is rolled for each unit apart where it is random. Units of both sides suffer, the model's own included.
    """
    scene, model, unit = battle.scene, battle.scene.models[row], battle.scene.unit_of(row)
    if not model.profile.has(CoreAbilityName.DEADLY_DEMISE):
        return
    if not battle.state.on_table[row]:  # off the battlefield there is no distance to anybody (01.10)
        return
    rule_id = "11e.24.08-deadly-demise.on-six"
    die = battle.rolled(battle.roll(1, 6, "deadly-demise"), model.side, rule_id, unit=unit.id, needed=6).total
    reach = unit_distances(scene, battle.state, row)
    victims = [list(reach)[number] for number in demise_victims(die, list(reach.values()))]
    if not victims:
        return
    instance = yield from _instance_in_force(battle, row, CoreAbilityName.DEADLY_DEMISE)
    value = deadly_demise(model.profile, instance)
    assert value is not None, "Deadly Demise always carries a value"
    for victim in victims:
        wounds = value.bonus
        if value.is_random:
            roll = battle.roll(value.count, value.sides, "deadly-demise-wounds")
            wounds += battle.rolled(roll, model.side, rule_id, unit=unit.id).total
        yield from mortal_wounds(battle, victim, wounds, "deadly-demise", rule_id)


@rule("11e.24.02-duplicated-abilities.core-number-is-duplicate", "11e.24.02-duplicated-abilities.not-cumulative")
def _instance_in_force(battle: Battle11, row: int, name: CoreAbilityName) -> Procedure[int]:
    """The number of the single instance of a duplicated ability that its controller selects (24.02)."""
    instances = battle.scene.models[row].profile.instances(name)
    if len(set(instances)) == 1:
        return 0
    rule_id, unit = "11e.24.02-duplicated-abilities.core-number-is-duplicate", battle.scene.unit_of(row)
    choices = Options([Option(f"instance:{n}", str(each), n) for n, each in enumerate(instances)], rule=rule_id)
    picked: int = yield from choose(
        Decision(unit.side, "select-instance", f"{unit.name}: which {name}?", rule_id, choices, subject=unit.index)
    )
    return picked


def _emergency_disembark(battle: Battle11, row: int) -> Procedure[None]:
    """Passengers get out before anything else happens (18.05)."""
    from battlewright.editions.eleventh.transports import emergency_disembark  # which inflicts hazards itself

    yield from emergency_disembark(battle, row)


def _return_roll(battle: Battle11, row: int) -> Procedure[None]:
    """Whom an ability may bring back throws for it (01.09)."""
    from battlewright.editions.eleventh.coming_back import return_roll  # which sets up models

    yield from return_roll(battle, row)


_TRIGGERS: tuple[Callable[[Battle11, int], Procedure[None]], ...] = (_emergency_disembark, _demise, _return_roll)
"""In their order: what lets models fight on belongs before these (01.08, 24.08)."""


@rule("11e.core.19.03-destroyed-unit")
def _remove(battle: Battle11, rows: Sequence[int], by: int) -> None:
    """Take destroyed models off the table, unit by unit, and say which units are gone with them, and by whom; a unit
    that perished by its own doing was destroyed by nobody."""
    state, scene = battle.state, battle.scene
    state.fallen = tuple(row for row in state.fallen if row not in rows)
    _note_destroyed(battle, rows, by)
    for index in dict.fromkeys(scene.models[row].unit for row in rows):
        unit = scene.units[index]
        gone = tuple(sorted(row for row in rows if scene.models[row].unit == index))
        state.on_table[list(gone)] = False
        battle.happened(ModelsRemoved(unit=unit.id, models=gone, why="destroyed", rules=("11e.core.01.08-destroyed",)))
        if not living(state, index):
            whose = scene.units[by].id if by not in (NOBODY, index) else ""
            battle.happened(UnitDestroyed(unit=unit.id, by=whose, rules=("11e.core.01.08-destroyed",)))
            acting.fail(battle, index, "destroyed")


def _note_destroyed(battle: Battle11, rows: Sequence[int], by: int) -> None:
    """Tell the mission: models are gone, perhaps units with them, by a unit's doing (or NOBODY)."""
    scene, state = battle.scene, battle.state
    units = dict.fromkeys(int(scene.models[row].unit) for row in rows)
    bookkeeping.note_removed(scene, state, rows, [unit for unit in units if not living(state, unit)], by)
    secondaries.score_at_once(battle, rows)


@rule("11e.core.03.03-removal-triggers-nothing")
def remove_incoherent(battle: Battle11, row: int) -> None:
    """Take a model off the table because its unit is out of coherency; it counts as destroyed, triggers nothing."""
    state, scene = battle.state, battle.scene
    unit = scene.unit_of(row)
    state.wounds[row] = 0
    state.on_table[row] = False
    _note_destroyed(battle, (row,), NOBODY)
    battle.happened(
        ModelsRemoved(unit=unit.id, models=(row,), why="incoherent", rules=("11e.core.03.03-end-of-turn-removal",))
    )
    if not living(state, unit.index):
        battle.happened(UnitDestroyed(unit=unit.id, by="", rules=("11e.core.01.08-destroyed",)))
        acting.fail(battle, unit.index, "destroyed")
