"""Assaults in the 4th edition: who is engaged, whom blows fall upon, vehicles, and what becomes of the beaten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from battlewright.core.rulebook import rule
from battlewright.core.shapes import TOLERANCE
from battlewright.editions.classic.artillery import is_gun
from battlewright.editions.classic.assault import VehicleBlows
from battlewright.editions.classic.firing import ONE
from battlewright.editions.classic.morale import outnumbered_modifier
from battlewright.editions.classic.procedures.aftermath import active_side_first
from battlewright.editions.classic.procedures.counter_charging import counter_attack
from battlewright.editions.classic.procedures.pursuing import react
from battlewright.editions.classic.profiles import Facing, Kind, ModelProfile
from battlewright.editions.classic.pursuit import CONSOLIDATION
from battlewright.editions.classic.scene import ClassicBattle, Scene
from battlewright.editions.classic.splitting import Opponent, TargetKind
from battlewright.editions.classic.state import NOWHERE, ClassicState, ClassicUnit
from battlewright.editions.classic.striking import SUPPORT, Approach, Footing, Reach
from battlewright.editions.classic.vehicles import needed_in_assault
from battlewright.editions.classic.weapons import AbilityName, Strength, WeaponAbility, WeaponProfile, WeaponType
from battlewright.editions.third.assault import ASSAULT as THIRDS

__all__ = ["ASSAULT", "VEHICLES"]

ENGAGED = SUPPORT
"""Inches from a comrade in contact within which a model is engaged."""
PILE_IN = 6.0
TEN = 10
CLAWS = WeaponProfile(
    "claws and teeth",
    WeaponType.MELEE,
    0.0,
    Strength(),
    None,
    ONE,
    (WeaponAbility(AbilityName.POWER_WEAPON), WeaponAbility(AbilityName.MELTA)),
)
"""Blows of monstrous creatures: no armour save, and two dice against armour."""


_PENETRATES = frozenset(
    {
        AbilityName.CHAINFIST,
        AbilityName.HAYWIRE,
        AbilityName.MELTA,
        AbilityName.POWER_FIST,
        AbilityName.THUNDER_HAMMER,
        AbilityName.WITCHBLADE,
    }
)
"""What of a weapon says by itself how it penetrates armour, or raises its user's Strength."""


@rule("4e.monstrous.no-armour-save", "4e.monstrous.vehicle-penetration", "4e.monstrous.special-weapon")
def with_claws(weapon: WeaponProfile) -> WeaponProfile:
    """A close combat weapon of a monstrous creature: it leaves no armour save, and penetrates with two dice unless it
    raises the Strength, or says itself how it penetrates.

    RULING: 4e.monstrous.special-weapon a power weapon, or claws that rend, do neither.
    """
    names = {each.name for each in weapon.abilities}
    special = weapon.strength != Strength() or names & _PENETRATES
    if not names and not special:
        return CLAWS
    wanted = (AbilityName.POWER_WEAPON,) if special else (AbilityName.POWER_WEAPON, AbilityName.MELTA)
    more = tuple(WeaponAbility(each) for each in wanted if each not in names)
    return replace(weapon, abilities=(*weapon.abilities, *more))


# -- charging ---------------------------------------------------------------------------------------------------


@rule("4e.core.assault.same-target")
def only_its_target(scene: Scene, state: ClassicState, unit: int, enemy: int) -> list[tuple[str, str]]:
    """Why a unit may not charge an enemy unit: it has shot at another one this turn."""
    target = state.units[unit].target
    if target in (NOWHERE, enemy):
        return []
    return [("4e.core.assault.same-target", f"has fired at {scene.units[target].name} this turn")]


@rule("4e.core.assault.declare-then-measure")
def stays(gap: float, allowance: float) -> float:
    """How far a unit moves whose charge does not reach: not at all."""
    return 0.0


@rule("4e.core.assault.consolidation")
def nobody_joins(unit: ClassicUnit) -> bool:
    """Whether free models of a unit that was swept into may move into its combat: nobody sweeps into anybody."""
    return False


@rule("4e.core.assault.cover-initiative", "4e.core.weapons.frag-grenades", "4e.core.weapons.plasma-grenades")
def footing_of(approach: Approach) -> Footing:
    """What cover makes of a unit's place in the order of striking: its defenders strike first, and with them chargers
    who have frag grenades; plasma grenades leave nobody an advantage."""
    if approach.assaulted_in_cover and approach.first_round:
        return Footing.EVEN if approach.evened else Footing.COVERED
    return Footing.BESIDE if approach.frag and approach.into_cover else Footing.EVEN


# -- fighting ---------------------------------------------------------------------------------------------------


@rule("4e.core.assault.engaged", "4e.assault-hits.attacks", "6e.core.assault.engaged")
def reach_of(gap: float, comrade: float, is_within: bool) -> Reach:
    """How near a model is: in contact, engaged within 2" of a comrade who is, or neither.

    Args:
        gap: inches to the nearest enemy model; ``comrade`` to the nearest comrade in contact.
    """
    if gap <= TOLERANCE:
        return Reach.CONTACT
    return Reach.ENGAGED if comrade <= ENGAGED + TOLERANCE else Reach.NONE


@rule("4e.core.assault.characters-apart", "4e.character-assault.separate-unit")
@rule("4e.character-assault.wounds-do-not-carry", "4e.squadron-assault.separate-targets")
def split_unit(unit: int, row: int, profile: ModelProfile) -> int:
    """The unit that a model counts as in combat: independent characters, and vehicles of a squadron, stand apart."""
    apart = profile.is_independent or (profile.is_vehicle and not is_gun(profile))
    return -1 - row if apart else unit


@rule("4e.core.assault.majority")
def struck_alike(opponents: Sequence[Opponent]) -> list[Opponent]:
    """What the models of a unit are struck as: the WS and Toughness of most of the engaged, in a tie the higher."""
    living = [each for each in opponents if each.toughness] or list(opponents)
    engaged = [each for each in living if each.within_two] or living

    def common(values: Sequence[int]) -> int:
        return max(set(values), key=lambda value: (values.count(value), value))

    skill, toughness = common([o.weapon_skill for o in engaged]), common([o.toughness for o in engaged])
    return [replace(each, weapon_skill=skill, toughness=toughness) for each in opponents]


@rule("4e.character-assault.character-attacks-contact", "4e.character-assault.attacks-on-character")
def aims_at_units(profile: ModelProfile) -> bool:
    """Whether a model may single out one of several alike: attacks are aimed at units."""
    return False


@rule("4e.core.assault.casualties", "4e.mixed-armour.step-count")
def is_engaged(opponent: Opponent) -> bool:
    """Whether a model counts among those that are struck: if it is engaged."""
    return opponent.within_two


@rule("4e.core.assault.casualties")
def next_to_fall(target: TargetKind | int, opponents: Sequence[Opponent]) -> tuple[int, ...]:
    """The models among which the next casualty is picked: those of the unit that are engaged; else it is lost."""
    return tuple(each.row for each in opponents if each.kind == target and each.within_two)


# -- the result -------------------------------------------------------------------------------------------------


@rule("4e.core.assault.counting-models")
def weight(profile: ModelProfile) -> int:
    """As how many models one counts where numbers are compared: a monstrous creature as ten."""
    return TEN if profile.kind is Kind.MONSTROUS else 1


@rule("4e.core.assault.no-retreat", "4e.walker-assault.no-retreat")
def wounds_of_losing(own: int, enemies: int, lost_by: int) -> int:
    """The wounds that a beaten unit suffers that never falls back: one to four, as it is outnumbered.

    RULING: 4e.core.assault.no-retreat one that is not outnumbered suffers none.
    """
    return -sum(modifier.amount for modifier in outnumbered_modifier(own, enemies))


@rule("4e.core.assault.consolidation", "4e.core.assault.massacre")
def consolidation(battle: ClassicBattle, unit: int, massacre: bool) -> float:
    """How far a unit consolidates, in inches: 3, or a D6 after a massacre."""
    if not massacre:
        return CONSOLIDATION
    info = battle.scene.units[unit]
    roll = battle.roll(1, 6, "consolidation")
    return float(battle.rolled(roll, info.side, "4e.core.assault.massacre", unit=info.id).total)


# -- vehicles ---------------------------------------------------------------------------------------------------

FAST = 7.0
"""Inches that a skimmer counts as having moved that can move."""


@rule("4e.assault-hits.table", "4e.assault-hits.skimmers", "4e.assault-hits.displacement")
@rule("4e.walker-assault.as-infantry", "4e.squadron-assault.individual-speed")
@rule("4e.vehicle-types.skimmer")
def needed(profile: ModelProfile, immobilised: bool, displaced: float, skill: int = 0) -> int | None:
    """What a blow at a vehicle needs: by how far its last turn displaced it, a skimmer that can move as a fast one; at
    a walker the skills decide."""
    if profile.weapon_skill:
        return None
    if "SKIMMER" in profile.keywords and not immobilised:
        displaced = max(displaced, FAST)
    return needed_in_assault(displaced, immobilised=immobilised)


@rule("4e.assault-launch.facing", "4e.walker-assault.front-armour")
def facing(profile: ModelProfile, touched: Facing, faced: Facing, immobilised: bool) -> Facing:
    """The side that a blow strikes: of a walker the front, else the one that faced the striker when he charged."""
    return Facing.FRONT if profile.weapon_skill else faced


@rule("4e.walker-grenades.allowed", "4e.walker-grenades.six-to-hit", "4e.walker-grenades.helpless-walker")
def grenade_on_walker(helpless: bool) -> int | None:
    """What a grenade needs to hit a walker: a 6, unless it is helpless, when the skills decide (0)."""
    return 0 if helpless else 6


@rule("4e.dreadnought-weapons.two-weapons", "4e.dreadnought-weapons.arm-lost", "4e.dreadnought-weapons.weapon-lost")
def spare_weapons(weapons: int) -> int:
    """The attacks that a walker has more for its second close combat weapon: one."""
    return int(weapons > 1)


@rule("4e.walker-assault.reduced-attacks")
def hampered(attacks: int, immobilised: bool, stunned: bool, shaken: bool) -> int:
    """The attacks of a walker: one fewer when it is immobilised, stunned or shaken, whatever of it."""
    return max(attacks - (immobilised or stunned or shaken), 0)


@rule("4e.walker-assault.damage-counts-wound")
def results_count(profile: ModelProfile, damaged: int, points: int) -> int:
    """The wounds that blows at a walker count as: one for each roll on a damage table; at other vehicles none."""
    return damaged if profile.weapon_skill else 0


@rule("4e.core.weapons.thunder-hammer")
def shakes(weapon: WeaponProfile) -> bool:
    """Whether a weapon that has damaged a vehicle shakes its crew besides: a thunder hammer.

    RULING: 4e.core.weapons.thunder-hammer by a glancing or penetrating hit, whatever result that had.
    """
    return weapon.has(AbilityName.THUNDER_HAMMER)


VEHICLES = VehicleBlows(
    needed=needed,
    facing=facing,
    grenade_on_walker=grenade_on_walker,
    spare_weapons=spare_weapons,
    attacks=hampered,
    counted=results_count,
    shakes=shakes,
)

ASSAULT = replace(
    THIRDS,
    why_not_this=only_its_target,
    moves_short=stays,
    may_join=nobody_joins,
    contacted=counter_attack,
    reach_of=reach_of,
    footing_of=footing_of,
    cover_step=TEN,
    split_unit=split_unit,
    alike=struck_alike,
    may_single_out=aims_at_units,
    next_to_fall=next_to_fall,
    can_fall=is_engaged,
    savers_fall=True,
    tied_winner=None,
    weight=weight,
    wounds_of_losing=wounds_of_losing,
    react=react,
    may_spare=False,
    consolidation=consolidation,
    pile_in=PILE_IN,
    piles_in_always=True,
    first_in=active_side_first,
    may_engage=True,
    monstrous=with_claws,
    vehicles=VEHICLES,
    regained_count=False,
    covers_each=False,
)
