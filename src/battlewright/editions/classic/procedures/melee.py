"""One round of a close combat of the 3rd edition: weapons, order of striking, aims, blows, casualties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from battlewright.attacks.description import amount
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic.artillery import is_gun
from battlewright.editions.classic.attack import compile_volley, draft_attack
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.procedures.aftermath import conclude
from battlewright.editions.classic.procedures.batteries import guns_and_crew
from battlewright.editions.classic.procedures.battery_blows import strike_battery
from battlewright.editions.classic.procedures.blades import pick_weapons, take_damage_into_account
from battlewright.editions.classic.procedures.board import unit_in
from battlewright.editions.classic.procedures.fray import Round, Target, begin_round, look_again, steps_of, still_alive
from battlewright.editions.classic.procedures.harm import bury, lose_wounds, pick_model
from battlewright.editions.classic.procedures.prowess import (
    context_against,
    frighten,
    guarded_profile,
    kills_at_once,
    shrugs_off,
)
from battlewright.editions.classic.procedures.psychic import force
from battlewright.editions.classic.procedures.vehicle_blows import against, facing_struck, hit_vehicle, pick_grenade
from battlewright.editions.classic.procedures.volleys import Arrived, Batch, clear_away, unsaved_wounds, wounding_hits
from battlewright.editions.classic.profiles import Facing, ModelProfile
from battlewright.editions.classic.pursuit import Blow, wounds_counted
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.splitting import (
    Aim,
    Opponent,
    TargetKind,
    default_aim,
    must_name_targets,
    opponents_to_strike,
    split_faults,
    target_kinds,
)
from battlewright.editions.classic.state import ClassicState, Deed
from battlewright.editions.classic.striking import (
    attacks_of,
    next_step,
    strikes_together,
)
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile

__all__ = ["Blows", "carry_off", "fight_combat", "victim_of", "wound"]

_AIM, _REMOVES = "3e.split.must-different", "3e.cc-casualties.owner-removes"
_PRECISE = "6e.outside.precision-strike"
SLOW = 1
"""The step in which unwieldy weapons strike."""
_SHARED = 3
"""Goals among which a model's attacks are offered to be divided; only vast monsters could do with more."""
CRASH = 10
"""The step in which models crash in that have charged."""


@rule("3e.outside.initiative", "3e.core.assault.initiative", "3e.core.assault.step-together", "3e.outside.who-fights")
@rule("3e.core.turn.both-sides-fight")
def fight_combat(battle: ClassicBattle, units: Sequence[int]) -> Procedure[None]:
    """A round of a combat, from the highest step of striking to the lowest, and its result."""
    scene, state = battle.scene, battle.state
    rules = scene.rules.assault
    frighten(battle, units)
    yield from rules.begin_combat(battle, units)
    both = [unit for unit in units if standing(state, unit)]
    fought = begin_round(scene, state, both)
    fought.dazed = frozenset(row for row in fought.fighters if row in state.dazed)
    state.dazed -= fought.dazed
    for unit in both:
        yield from pick_weapons(battle, fought, unit)
    steps = steps_of(scene, state, fought)
    crashing = rules.crashing(scene, state, fought)
    step: int | None = None
    while True:
        still = [(row, when) for row, when in steps if state.wounds[row] > 0]
        crash = [(row, CRASH) for row in crashing if state.wounds[row] > 0]
        step = next_step([*still, *crash], step)
        if step is None:
            break
        striking = strikes_together(still, step)
        yield from rules.before_step(battle, both, striking)
        if rules.steps_move:
            look_again(scene, state, fought)
        yield from _strike(battle, fought, striking, step, strikes_together(crash, step))
        steps += [(row, SLOW) for row in fought.late if (row, SLOW) not in steps]
    for unit in units:
        state.units[unit].did(Deed.FOUGHT)
        mine = state.units[unit]
        mine.charged = mine.charged_in_cover = mine.charged_through = mine.charged_free = False
        mine.charged_from, mine.covered = (), frozenset()
    yield from conclude(battle, units, [(scene.units[unit].side, fought.caused.get(unit, 0)) for unit in units])


# -- blows ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Blows:
    """Blows alike of one unit in one step at living models.

    Attributes:
        target: whom they are aimed at; ``owner`` the unit that is.
        rows: models that strike them.
        view: the models that are struck, as the batch was compiled against them.
        denies_armour: whether they leave no armour save.
    """

    unit: int
    target: Target
    owner: int
    rows: tuple[int, ...]
    weapon: WeaponProfile
    batch: Batch
    view: TargetView
    denies_armour: bool


@dataclass(frozen=True, slots=True)
class _Wounds:
    """Wounds of some blows that no save stopped: who failed to save, and what they are like."""

    blows: Blows
    rows: tuple[int, ...]
    count: int
    outright: bool
    precise: bool = False


_Made = dict[tuple[int, Target, WeaponProfile, AttackContext, Facing], list[tuple[int, int]]]
"""How often each model strikes: by its unit, its target, its weapon, the circumstances, the side that it strikes."""


@rule("3e.cc-casualties.opponent-slain", "3e.split.must-different", "3e.support.one-attack", "3e.split.carries-over")
@rule("3e.core.assault.step-together", "3e.core.assault.attacks")
def _strike(
    battle: ClassicBattle, fought: Round, rows: Sequence[int], step: int, crashing: Sequence[int] = ()
) -> Procedure[None]:
    """Everybody of one step strikes: all aims are declared, all blows rolled, and only then casualties are removed.

    Args:
        crashing: models that crash in besides.
    """
    blows: _Made = {}
    for row in crashing:
        yield from _crash(battle, fought, row, blows)
    for row in rows:
        yield from _declare(battle, fought, row, step, blows)
    rules, told = battle.scene.rules.assault, len(battle.events)
    unsaved: list[_Wounds] = []
    waiting: list[tuple[Blows, Arrived]] = []
    struck = dict[int, list[WeaponProfile]]()
    for (unit, target, weapon, context, facing), made in blows.items():
        alive = still_alive(battle.state, fought, target)
        profile = _profile(battle, alive[0]) if alive else None
        if profile is not None and profile.is_vehicle and not is_gun(profile):
            done = yield from hit_vehicle(battle, unit, alive[0], weapon, context, facing, made)
            fought.caused[unit] = fought.caused.get(unit, 0) + done
            continue
        each = (yield from _at_living(battle, fought, unit, target, weapon, context, made)) if alive else None
        if each is None:
            continue
        struck.setdefault(each.owner, []).append(weapon)
        if rules.allocate is not None:
            arrived, _ = yield from wounding_hits(battle, unit, each.owner, [each.batch])
            waiting.append((each, arrived))
            continue
        found, _ = yield from unsaved_wounds(battle, unit, each.owner, [each.batch], each.view)
        unsaved += [_Wounds(each, one.rows, one.count, one.outright, one.precise) for one in found]
    yield from _casualties(battle, fought, unsaved)
    if rules.allocate is not None:
        yield from rules.allocate(battle, fought, waiting)
    for owner, weapons in struck.items():
        rules.leaves_on(battle, owner, weapons, told)


def _declare(battle: ClassicBattle, fought: Round, row: int, step: int, blows: _Made) -> Procedure[None]:
    """At whom one model strikes, and with what; what strikes later waits."""
    scene, state = battle.scene, battle.state
    take_damage_into_account(battle, fought, row)
    attacks = attacks_of(fought.fighters[row])
    aims = fought.late.pop(row, None) or (yield from _aims(battle, fought, row, attacks))
    for aim in aims:
        yield from pick_grenade(battle, fought, row, aim)
        if step > SLOW and _comes_late(scene, state, fought, row, aim):
            fought.late[row] = (*fought.late.get(row, ()), aim)
            continue
        alive = still_alive(state, fought, aim.target)
        if aim.attacks and alive:
            weapon, attacks, needed = against(scene, state, fought, row, aim)
            bout = fought.bouts[row]
            plain = AttackContext(
                skill=bout.weapon_skill,
                strength=bout.strength,
                needed=needed,
                picks=scene.rules.assault.is_precise(_profile(battle, row)),
            )
            context = context_against(scene, state, row, alive[0], weapon, plain, first_round=fought.first)
            facing = facing_struck(scene, state, row, alive[0])
            key = (fought.owner[row], aim.target, weapon, context, facing)
            blows.setdefault(key, []).append((row, attacks))


@rule("6e.core.assault.hammer-of-wrath", "6e.core.special-rules.hammer-of-wrath", "6e.outside.hammer-of-wrath")
def _crash(battle: ClassicBattle, fought: Round, row: int, blows: _Made) -> Procedure[None]:
    """A model that crashes into whom it has charged: blows that hit by themselves, besides its attacks."""
    scene, state = battle.scene, battle.state
    if not fought.opponents[row].in_contact:
        return
    weapon, count = scene.rules.assault.crash(battle, row)
    for aim in (yield from _aims(battle, fought, row, count)):
        alive = still_alive(state, fought, aim.target)
        if aim.attacks and alive:
            facing = facing_struck(scene, state, row, alive[0])
            key = (fought.owner[row], aim.target, weapon, AttackContext(skill=0, automatic=True), facing)
            blows.setdefault(key, []).append((row, aim.attacks))


def _at_living(
    battle: ClassicBattle,
    fought: Round,
    unit: int,
    target: Target,
    weapon: WeaponProfile,
    context: AttackContext,
    made: Sequence[tuple[int, int]],
) -> Procedure[Blows | None]:
    """Blows at models with wounds, written down; None where all of them land on guns."""
    scene, state, rules = battle.scene, battle.state, battle.scene.rules
    alive = still_alive(state, fought, target)
    context = replace(context, attacks=amount(sum(count for _, count in made)))
    owner = unit_in(state, alive[0])
    if guns_and_crew(scene, state, owner)[0]:
        left = yield from strike_battery(battle, unit, owner, weapon, context, made)
        alive = guns_and_crew(scene, state, owner)[1]
        if left is None or not alive:
            return None
        context, target = left, fought.opponents[alive[0]].kind
    alive = [row for row in alive if rules.assault.can_fall(fought.opponents[row])] or alive
    rows = tuple(row for row, _ in made)
    view = _view(scene, state, fought, alive, len(set(rows)))
    volley = compile_volley(rules.attack, weapon, 1, context, view)
    denies = draft_attack(rules.attack, weapon, context, view).ignores_armour
    batch = Batch(volley, rows, again=rules.assault.cheers(battle, fought, rows, volley))
    return Blows(unit, target, owner, rows, weapon, batch, view, denies)


@rule("6e.outside.melta-bomb", "6e.core.weapons.unwieldy")
def _comes_late(scene: Scene, state: ClassicState, fought: Round, row: int, aim: Aim) -> bool:
    """Whether what a model strikes a vehicle with in place of its weapon strikes last of all: an unwieldy grenade."""
    if not aim.attacks or not still_alive(state, fought, aim.target):
        return False
    weapon, _, _ = against(scene, state, fought, row, aim)
    if weapon is fought.arms[row]:
        return False
    return scene.rules.assault.handling(scene.models[row].profile, weapon, ()).slow


def _profile(battle: ClassicBattle, row: int) -> ModelProfile:
    return battle.scene.models[row].profile


def _fights_badly(scene: Scene, state: ClassicState, unit: int) -> bool:
    """Whether a unit is easily struck: it fights in fear, or something upon it makes it fight as if it had no skill."""
    return state.units[unit].has(Deed.AFRAID) or scene.rules.assault.is_helpless(state.units[unit])


def _view(scene: Scene, state: ClassicState, fought: Round, alive: Sequence[int], strikers: int) -> TargetView:
    """The models that are struck, with the saves that they have; shields are used one for each opponent."""
    each = -(-strikers // len(alive))
    for row in alive:
        fought.shields[row] = fought.shields.get(row, 0) + each
    profiles = [guarded_profile(scene, state, r, close_combat=True, opponents=fought.shields[r]) for r in alive]
    if any(_fights_badly(scene, state, fought.owner[row]) for row in alive):
        profiles = [replace(profile, weapon_skill=1) for profile in profiles]
    return TargetView(
        tuple(TargetModel(p, int(state.wounds[row]), None, row) for p, row in zip(profiles, alive, strict=True))
    )


@rule("3e.split.any-share", "3e.split.characters-free", "3e.split.must-two-units", "3e.char-combat.ordinary-split")
@rule("3e.char-combat.mix", "3e.split.support-assigned")
def _aims(battle: ClassicBattle, fought: Round, row: int, attacks: int) -> Procedure[tuple[Aim, ...]]:
    """At whom a model strikes so often; asked where its opponents differ, and of characters."""
    scene, state = battle.scene, battle.state
    side = scene.models[row].side
    living = [o for o in fought.opponents.values() if state.wounds[o.row] > 0 and scene.models[o.row].side != side]
    foes = opponents_to_strike([fought.opponents[foe] for foe in fought.near[row]], living)
    singles_out = scene.rules.assault.may_single_out(scene.models[row].profile)
    free = singles_out and len(foes) > 1
    if not foes or not (must_name_targets(foes) or free):
        return default_aim(attacks, foes)
    kinds = target_kinds(foes)
    ways: list[tuple[Aim, ...]] = [(Aim(kind, attacks),) for kind in kinds]
    goals: list[Target] = [*kinds, *((foe.row for foe in foes) if free else ())]
    ways += [(Aim(foe.row, attacks),) for foe in foes if free]
    ways += [
        tuple(Aim(goal, share) for goal, share in zip(among, shares, strict=True))
        for count in range(2, min(_SHARED, attacks, len(goals)) + 1)
        for among in combinations(goals, count)
        for shares in shares_of(attacks, count)
    ]
    legal = [way for way in ways if not split_faults(attacks, foes, way, singles_out=singles_out)]
    options = [
        Option(f"aims:{n}", " and ".join(f"{aim.attacks} at {_called(scene, fought, aim.target)}" for aim in way), way)
        for n, way in enumerate(legal)
    ]
    info = scene.units[fought.owner[row]]
    picked: tuple[Aim, ...] = yield from choose(
        Decision(
            info.side,
            "aim-attacks",
            f"{scene.models[row].name}: whom does it strike?",
            _AIM,
            Options(options, rule=_AIM, default=_undeclared(scene, fought, kinds, living, legal)),
            subject=info.index,
        )
    )
    return picked


@rule("3e.split.undeclared")
def _undeclared(
    scene: Scene,
    fought: Round,
    kinds: Sequence[TargetKind],
    living: Sequence[Opponent],
    legal: Sequence[tuple[Aim, ...]],
) -> str:
    """What attacks are aimed at whose player does not say: as the players have agreed, else the first way there is."""
    counts = {kind: sum(each.kind == kind for each in living) for kind in kinds}
    common = scene.rules.assault.target_of_undeclared(kinds, counts)
    whole = (n for n, way in enumerate(legal) if len(way) == 1 and way[0].target == common)
    return f"aims:{next(whole, 0)}"


def shares_of(attacks: int, goals: int) -> Iterator[tuple[int, ...]]:
    """Every way to divide so many attacks over so many goals, one at least on each.

    >>> list(shares_of(4, 3))
    [(1, 1, 2), (1, 2, 1), (2, 1, 1)]
    """
    for cuts in combinations(range(1, attacks), goals - 1):
        yield tuple(end - start for start, end in zip((0, *cuts), (*cuts, attacks), strict=True))


def _called(scene: Scene, fought: Round, target: Target) -> str:
    if isinstance(target, int):
        return f"{scene.models[target].name} (model {target})"
    row = next(row for row, each in fought.opponents.items() if each.kind == target)
    return scene.models[row].name


@rule("3e.cc-casualties.owner-removes", "3e.split.directed-no-carry", "3e.result.overkill-excluded")
@rule("3e.cc-casualties.contact-first", "3e.cc-casualties.then-two-inch", "3e.core.assault.casualties")
@rule("4e.core.weapons.thunder-hammer", "4e.mixed-armour.unsaved-to-saver")
@rule("3e.instant-kill.unwounded-first", "3e.instant-kill.last-model")
def _casualties(battle: ClassicBattle, fought: Round, unsaved: Sequence[_Wounds]) -> Procedure[None]:
    """Who falls, those that were singled out first; their owner says who among those nearest to the enemy.

    RULING: 3e.instant-kill.unwounded-first in close combat it holds among those who are next to fall.
    """
    state = battle.state
    fell: list[int] = []
    for each in sorted(unsaved, key=lambda each: isinstance(each.blows.target, TargetKind)):
        for _ in range(each.count):
            there = (foe for foe in fought.opponents.values() if state.wounds[foe.row] > 0)
            living = [foe for foe in there if not is_gun(_profile(battle, foe.row))]
            if battle.scene.rules.assault.savers_fall:
                living = [foe for foe in living if foe.row in each.rows]
            row = yield from victim_of(battle, each.blows, living, precise=each.precise, outright=each.outright)
            if row is None:
                break
            if (yield from wound(battle, fought, each.blows, row, outright=each.outright)):
                fell.append(row)
    carry_off(battle, fell)


def victim_of(
    battle: ClassicBattle, blows: Blows, living: Sequence[Opponent], *, precise: bool, outright: bool = False
) -> Procedure[int | None]:
    """Who takes a wound: as the owner says among those nearest to the enemy, the wounded first; of a precise one as
    the striker says; None where nobody is left."""
    state = battle.state
    rows = battle.scene.rules.assault.next_to_fall(blows.target, living)
    hurt = [row for row in rows if state.wounds[row] < battle.scene.models[row].profile.wounds]
    if not rows:
        return None
    if outright and battle.scene.rules.assault.outright_spares_hurt:
        hurt = [row for row in rows if row not in hurt]
    if precise and isinstance(blows.target, TargetKind):
        among = [foe.row for foe in living if foe.kind == blows.target]
        prompt = f"whom does {blows.weapon.name} strike?"
        side = battle.scene.units[blows.unit].side
        return (yield from pick_model(battle, among, prompt, _PRECISE, side=side))
    return (yield from pick_model(battle, hurt or rows, f"who falls to {blows.weapon.name}?", _REMOVES))


@rule("3e.result.overkill-excluded", "4e.core.weapons.thunder-hammer")
def wound(battle: ClassicBattle, fought: Round, blows: Blows, row: int, *, outright: bool) -> Procedure[bool]:
    """An unsaved wound on a model, counted for who dealt it; whether the model has lost any by it.

    Args:
        outright: whether it kills whomever it strikes.
    """
    state, unit = battle.state, blows.unit
    outright = kills_at_once(battle.scene, state, row, outright=outright)
    left = int(state.wounds[row])
    lost = left if outright else 1
    if shrugs_off(battle, row, outright=outright, close_combat=True, denies_armour=blows.denies_armour):
        if battle.scene.rules.assault.regained_count:
            fought.caused[unit] = fought.caused.get(unit, 0) + wounds_counted(Blow(lost, left))
        return False
    lose_wounds(battle, row, lost, blows.weapon.name, _REMOVES)
    fought.caused[unit] = fought.caused.get(unit, 0) + wounds_counted(Blow(lost, left))
    if state.wounds[row] and blows.weapon.has(AbilityName.FORCE):
        yield from force(battle, blows.rows, row)
    if state.wounds[row] and blows.weapon.has(AbilityName.THUNDER_HAMMER):
        state.dazed |= {row}
    return True


def carry_off(battle: ClassicBattle, fell: Sequence[int]) -> None:
    """Take those away who have fallen in a step, riders off their chariots too."""
    state = battle.state
    riders = [row for row in dict.fromkeys(fell) if not state.wounds[row] and not state.on_table[row]]
    clear_away(battle, fell)
    bury(battle, riders, "destroyed", _REMOVES, aboard=True)
