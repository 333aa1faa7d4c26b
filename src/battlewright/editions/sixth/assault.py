"""Assaults in the 6th edition: pile-ins by Initiative, losing by the difference, vehicles struck in the rear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from battlewright.core.battle import Procedure
from battlewright.core.decisions import opponent
from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.artillery import is_gun
from battlewright.editions.classic.assault import VehicleBlows, anybody_can_fall, nothing_more, one_each
from battlewright.editions.classic.charts import strike_on
from battlewright.editions.classic.procedures.board import free_in_combat
from battlewright.editions.classic.procedures.close_moves import CloseSpace, make_move
from battlewright.editions.classic.procedures.fray import Round
from battlewright.editions.classic.profiles import Facing, ModelProfile
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.splitting import Opponent, TargetKind
from battlewright.editions.classic.state import ClassicState, MoveKind
from battlewright.editions.classic.striking import Approach, Footing
from battlewright.editions.classic.vehicles import AUTOMATIC
from battlewright.editions.classic.weapons import WeaponProfile
from battlewright.editions.fourth.assault import ASSAULT as FOURTHS
from battlewright.editions.sixth.afflictions import afflict, burn_at_turn_end, is_blinded
from battlewright.editions.sixth.blades import GRENADES, handling, is_precise
from battlewright.editions.sixth.challenges import apart, challenge, cheered
from battlewright.editions.sixth.charging import (
    charge_range,
    foresee_charge,
    has_bonus,
    reaches,
    why_no_charge,
    why_not_this,
)
from battlewright.editions.sixth.chariots import contests, seat_riders
from battlewright.editions.sixth.fighting import allocate_blows, crash, crashing
from battlewright.editions.sixth.harming import may_harm
from battlewright.editions.sixth.identifying import blow_up

__all__ = ["ASSAULT", "VEHICLES"]

PILE_IN = 3.0
_DEFENSIVE = frozenset({"DEFENSIVE GRENADES", "PHOTON GRENADES"})
MOVED_SKILL = 1
"""The Weapon Skill of a vehicle that has moved."""


# -- striking ---------------------------------------------------------------------------------------------------


@rule("6e.core.assault.difficult-terrain", "6e.core.weapons.assault-grenades")
def footing_of(approach: Approach) -> Footing:
    """What the ground makes of a unit's place in the order of striking: who charged through difficult terrain without
    grenades strikes at Initiative 1; defenders of cover have no advantage."""
    slowed = approach.first_round and approach.through_difficult and not approach.grenades
    return Footing.SLOWED if slowed else Footing.EVEN


@rule("6e.core.units.monstrous")
def its_own(weapon: WeaponProfile) -> WeaponProfile:
    """A weapon in the hands of a monstrous creature: what it is; Smash, a special rule, makes the blow terrible."""
    return weapon


def arrange(scene: Scene, state: ClassicState, fought: Round) -> None:
    """How a round is fought besides as models stand: riders from their chariots, challengers alone."""
    seat_riders(scene, state, fought)
    apart(scene, state, fought)
    for row, fighter in fought.fighters.items():
        if fighter.charging and is_met_by_grenades(scene, state, fought, row):
            fought.fighters[row] = replace(fighter, charging=False)


@rule("6e.core.weapons.defensive-grenades")
def is_met_by_grenades(scene: Scene, state: ClassicState, fought: Round, row: int) -> bool:
    """Whether a model that charges has no attack more for it: some of those whom it fights have defensive grenades."""
    side = scene.models[row].side
    foes = [foe for unit in fought.units if state.units[unit].side != side for foe in standing(state, unit)]
    return any(_DEFENSIVE & scene.models[foe].profile.abilities for foe in foes)


def nobody_apart(profile: ModelProfile) -> bool:
    """Whether a model fights, and is struck, only in contact: characters fight as everybody does."""
    return False


def with_its_unit(unit: int, row: int, profile: ModelProfile) -> int:
    """The unit that a model counts as in combat: its own; vehicles of a squadron stand apart."""
    return -1 - row if profile.is_vehicle and not is_gun(profile) else unit


@rule("6e.core.assault.allocation")
def next_to_fall(target: TargetKind | int, opponents: Sequence[Opponent]) -> tuple[int, ...]:
    """The models among which the next casualty is picked: those in contact, then those near, then the rest."""
    alike = [each for each in opponents if each.kind == target]
    tiers = ([o.row for o in alike if o.in_contact], [o.row for o in alike if o.within_two], [o.row for o in alike])
    return tuple(next((tier for tier in tiers if tier), []))


@rule("6e.core.assault.initiative-steps", "6e.walker-assault.sweep-pile-consolidate")
def pile_in_at_step(battle: ClassicBattle, units: Sequence[int], striking: Sequence[int]) -> Procedure[None]:
    """Models of this step that touch nobody move up to 3" into contact, the active player's first."""
    scene, state = battle.scene, battle.state
    for side in (state.turn, opponent(state.turn)):
        for unit in units:
            mine = state.units[unit]
            free = [row for row in free_in_combat(scene, state, unit) if row in striking]
            free = [row for row in free if row not in mine.immobilised and row not in mine.stunned]
            enemies = [each for each in units if state.units[each].side != side and standing(state, each)]
            if mine.side != side or not free or not enemies:
                continue
            goals = [row for enemy in enemies for row in standing(state, enemy)]
            space = CloseSpace(
                scene,
                state,
                unit,
                MoveKind.PILE_IN,
                rule="6e.core.assault.initiative-steps",
                limits={row: round(PILE_IN * 1000) for row in free},
                goals=goals,
                touchable=goals,
                touches=True,
                closes_in=True,
            )
            yield from make_move(battle, space, f"{scene.units[unit].name} piles in")


# -- the result -------------------------------------------------------------------------------------------------


@rule("6e.core.assault.losers-test")
def by_how_much(left: int, begun: int, own: int, enemies: int, lost_by: int) -> tuple[Modifier, ...]:
    """The modifiers of a beaten unit's test: the wounds that it lost by."""
    return (Modifier("6e.core.assault.losers-test", -lost_by),) if lost_by else ()


@rule("6e.core.assault.losers-test")
def no_wounds(own: int, enemies: int, lost_by: int) -> int:
    """The wounds that a beaten unit suffers that never falls back: none."""
    return 0


@rule("6e.core.assault.weapons-useless")
def cannot_harm(scene: Scene, state: ClassicState, unit: int, enemies: Sequence[int]) -> bool:
    """Whether a unit can do nothing to any of the enemies that it fights."""
    rows = standing(state, unit)
    there = any(standing(state, enemy) for enemy in enemies)
    return bool(rows and there) and not any(may_harm(scene, state, row, enemies) for row in rows)


@rule("6e.core.assault.consolidation")
def a_die(battle: ClassicBattle, unit: int, massacre: bool) -> float:
    """How far a unit consolidates, in inches: a D6."""
    info = battle.scene.units[unit]
    roll = battle.roll(1, 6, "consolidation")
    return float(battle.rolled(roll, info.side, "6e.core.assault.consolidation", unit=info.id).total)


# -- vehicles ---------------------------------------------------------------------------------------------------


@rule("6e.outside.vehicle-close-combat", "6e.walker-assault.charge-and-locked", "6e.walker-assault.hits-use-armour")
def needed(profile: ModelProfile, immobilised: bool, displaced: float, skill: int) -> int | None:
    """What a blow at a vehicle needs: none that stood still is missed, one that moved counts as WS 1; at a walker the
    skills decide."""
    if profile.weapon_skill:
        return None
    return AUTOMATIC if immobilised or displaced <= TOLERANCE else strike_on(skill, MOVED_SKILL)


@rule("6e.outside.vehicle-close-combat", "6e.walker-assault.front-armour", "6e.walker-assault.immobilised-rear-armour")
def facing(profile: ModelProfile, touched: Facing, faced: Facing, immobilised: bool) -> Facing:
    """The side that a blow strikes: the rear, of walkers that can move the front."""
    return Facing.FRONT if profile.weapon_skill and not immobilised else Facing.REAR


@rule("6e.core.weapons.grenades-in-combat")
def by_the_skills(helpless: bool) -> int | None:
    """What a grenade needs to hit a walker: the skills decide (0)."""
    return 0


@rule("6e.walker-assault.bonus-attacks", "6e.walker-assault.lost-weapon", "6e.walker-assault.lost-dccw")
@rule("6e.outside.dreadnought-ccw")
def spare_weapons(weapons: int) -> int:
    """The attacks that a walker has more: one for each close combat weapon beyond its first."""
    return max(weapons - 1, 0)


@rule("6e.walker-assault.stunned-or-immobilised", "6e.walker-assault.shaken-no-effect")
def hampered(attacks: int, immobilised: bool, stunned: bool, shaken: bool) -> int:
    """The attacks of a walker: one fewer when it is immobilised or stunned, but one at least."""
    return max(attacks - (immobilised or stunned), 1)


@rule("6e.core.assault.result", "6e.transport-charged.passenger-wounds-not-counted")
def points_count(profile: ModelProfile, damaged: int, points: int) -> int:
    """The wounds that blows at a walker count as: the hull points that it lost; passengers of others count for none."""
    return points if profile.weapon_skill else 0


VEHICLES = VehicleBlows(
    needed=needed,
    facing=facing,
    grenade_on_walker=by_the_skills,
    spare_weapons=spare_weapons,
    attacks=hampered,
    counted=points_count,
)


@rule("6e.core.turn.end")
def at_turn_end(battle: ClassicBattle) -> Procedure[None]:
    """What the end of every player turn brings: blazes burn on, objectives are identified and explode."""
    yield from burn_at_turn_end(battle)
    battle.scene.rules.missions.identify(battle)
    yield from blow_up(battle)


ASSAULT = replace(
    FOURTHS,
    outright_spares_hurt=False,
    why_no_assault=why_no_charge,
    why_not_this=why_not_this,
    reaches=reaches,
    allowance=charge_range,
    foresees=foresee_charge,
    has_bonus=has_bonus,
    contacted=nothing_more,
    begin_combat=challenge,
    arrange=arrange,
    must_touch=nobody_apart,
    footing_of=footing_of,
    before_step=pile_in_at_step,
    steps_move=True,
    split_unit=with_its_unit,
    next_to_fall=next_to_fall,
    can_fall=anybody_can_fall,
    savers_fall=False,
    weight=one_each,
    modifiers_of_losing=by_how_much,
    wounds_of_losing=no_wounds,
    may_give_up=cannot_harm,
    may_spare=True,
    consolidation=a_die,
    pile_in=PILE_IN,
    may_engage=False,
    monstrous=its_own,
    vehicles=VEHICLES,
    handling=handling,
    grenades=GRENADES,
    is_precise=is_precise,
    is_helpless=is_blinded,
    leaves_on=afflict,
    crashing=crashing,
    crash=crash,
    allocate=allocate_blows,
    cheers=cheered,
    contests=contests,
    turn_ends=at_turn_end,
)
