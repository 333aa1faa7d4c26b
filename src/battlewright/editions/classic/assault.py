"""Assaults in the classic editions: who moves whither, and what an edition, and its players' switches, decide."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from battlewright.core.battle import Procedure
from battlewright.core.decisions import Side
from battlewright.core.dice import Modifier
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.classic.firing import ONE, bars_assault
from battlewright.editions.classic.kinds import KindRules
from battlewright.editions.classic.profiles import Facing, ModelProfile
from battlewright.editions.classic.splitting import Opponent, TargetKind
from battlewright.editions.classic.state import ClassicState, ClassicUnit, Deed
from battlewright.editions.classic.striking import Approach, Footing, Reach, extra_attack_of_weapons
from battlewright.editions.classic.terrain import higher_die
from battlewright.editions.classic.vehicles import may_be_locked
from battlewright.editions.classic.weapons import AbilityName, Strength, WeaponAbility, WeaponProfile, WeaponType

if TYPE_CHECKING:
    from battlewright.editions.classic.scene import ClassicBattle, Scene
    from battlewright.editions.edition import Arrival

__all__ = [
    "GRENADES",
    "AssaultRules",
    "Contact",
    "Handling",
    "VehicleBlows",
    "any_free_enemy",
    "anybody_can_fall",
    "as_they_stand",
    "assault_order",
    "assault_through_difficult",
    "enemies_to_contact",
    "grenade",
    "holds_out",
    "nothing_more",
    "one_each",
    "reaches",
    "unless_special",
    "why_no_assault",
]

Reasons = list[tuple[str, str]]
"""Rule and clause for each reason why something is refused."""


@dataclass(frozen=True, slots=True)
class Handling:
    """How a model fights with a weapon.

    Attributes:
        two_weapons: whether it has the attack of a second weapon.
        strikes_last: whether it strikes after everybody; ``slow`` whether it strikes at Initiative 1.
    """

    two_weapons: bool = False
    strikes_last: bool = False
    slow: bool = False


@rule("4e.core.weapons.thunder-hammer", "4e.core.weapons.chainfist", "4e.core.assault.fists-last")
def _is_fist(blade: WeaponProfile) -> bool:
    """Whether a weapon strikes last as power fists do: thunder hammers and chainfists are such."""
    return any(blade.has(name) for name in (AbilityName.POWER_FIST, AbilityName.THUNDER_HAMMER, AbilityName.CHAINFIST))


@rule("3e.core.assault.two-special-weapons", "3e.outside.two-weapons", "3e.outside.power-fist-last")
def handled(profile: ModelProfile, picked: WeaponProfile, arms: Sequence[Sequence[WeaponProfile]]) -> Handling:
    """Two weapons for one hand each give an attack more, two power fists likewise; a fist strikes last."""
    blades = [each for arm in arms for each in arm if each.melee]
    pistols = any(each.type is WeaponType.PISTOL for arm in arms for each in arm)
    handy = sum(blade.has(AbilityName.ONE_HANDED) for blade in blades) + pistols
    is_fist = _is_fist(picked)
    fists = sum(_is_fist(blade) for blade in blades)
    second = fists > 1 if is_fist else handy > 1
    extra = extra_attack_of_weapons(picked.has(AbilityName.ONE_HANDED) or is_fist, second)
    return Handling(bool(extra), strikes_last=is_fist)


@rule("3e.core.units.large-creatures")
def unless_special(claws: WeaponProfile, weapon: WeaponProfile) -> WeaponProfile:
    """What a monstrous creature fights with where only a special weapon takes the place of its claws."""
    return weapon if weapon.abilities else claws


def nobody_is_precise(profile: ModelProfile) -> bool:
    """Whether a model's hit rolls of 6 let its player pick who is wounded: nobody's do."""
    return False


def anybody_can_fall(opponent: Opponent) -> bool:
    """Whether a model of those that are struck can fall, however far it is from the enemy: all can."""
    return True


def nothing_at_the_end(battle: ClassicBattle) -> Procedure[None]:
    """What an edition puts in where nothing happens at the end of a turn."""
    return
    yield


def nobody_is_helpless(unit: ClassicUnit) -> bool:
    """Whether a unit is struck as if its WS were 1: nobody is."""
    return False


def nothing_left(battle: ClassicBattle, target: int, weapons: Sequence[WeaponProfile], told: int) -> None:
    """What an edition puts in where weapons leave nothing on whom they strike."""


def nobody_crashes(scene: Scene, state: ClassicState, fought: object) -> tuple[int, ...]:
    """The models of a round that crash in with blows besides their own: none do."""
    return ()


def no_crash(battle: ClassicBattle, row: int) -> tuple[WeaponProfile, int]:
    """What an edition puts in where :func:`nobody_crashes`, so that nothing asks it.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError("nobody crashes in")


def nobody_cheers(battle: ClassicBattle, fought: object, rows: Sequence[int], volley: object) -> None:
    """What an edition puts in where those who watch a fight lend nothing to it."""


def grenade(name: str, strength: int, *abilities: AbilityName, ap: int | None = None) -> WeaponProfile:
    """A grenade as it is used in close combat."""
    words = tuple(WeaponAbility(each) for each in abilities)
    return WeaponProfile(name, WeaponType.MELEE, 0.0, Strength(strength), ap, ONE, words)


GRENADES: Mapping[str, WeaponProfile] = {
    "MELTA BOMBS": grenade("Melta bomb", 8, AbilityName.MELTA),
    "HAYWIRE GRENADES": grenade("Haywire grenade", 0, AbilityName.HAYWIRE),
    "KRAK GRENADES": grenade("Krak grenade", 6),
    "PLASMA GRENADES": grenade("Plasma grenade", 5),
    "FRAG GRENADES": grenade("Frag grenade", 4),
}


def shakes_nobody(weapon: WeaponProfile) -> bool:
    """Whether a weapon that has damaged a vehicle shakes its crew besides: none does."""
    return False


@dataclass(frozen=True)
class VehicleBlows:
    """What is decided about vehicles in close combat.

    Attributes:
        needed: what a blow needs to hit: by the vehicle, whether it is immobilised, the inches by which its last turn
            displaced it, and the striker's WS; ``AUTOMATIC``, a number, or None where the skills decide.
        facing: the side that it strikes: by the vehicle, the side touched, the side that the striker faced when he
            began to charge, and whether it is immobilised.
        grenade_on_walker: what a grenade needs to hit a walker, by whether it is helpless: a number, 0 where the skills
            decide, None where none may be used.
        spare_weapons: the attacks that a walker has more, by its close combat weapons.
        attacks: those of a walker that is immobilised, stunned, shaken.
        counted: the wounds that blows at a vehicle count as for the result: by the vehicle, its results on damage
            tables, and the points that it lost.
        shakes: whether a weapon that has damaged a vehicle shakes its crew besides.
    """

    needed: Callable[[ModelProfile, bool, float, int], int | None]
    facing: Callable[[ModelProfile, Facing, Facing, bool], Facing]
    grenade_on_walker: Callable[[bool], int | None]
    spare_weapons: Callable[[int], int]
    attacks: Callable[[int, bool, bool, bool], int]
    counted: Callable[[ModelProfile, int, int], int]
    shakes: Callable[[WeaponProfile], bool] = shakes_nobody


@dataclass(frozen=True)
class AssaultRules:
    """What is decided about assaults.

    Attributes:
        why_no_assault: why a unit may not start an assault, and whether it is in combat.
        why_not_this: why a unit (its index) may not assault another one.
        reaches: whether an enemy may be assaulted: inches between the nearest models, and the reach.
        allowance: settles how far the models of a unit move against these enemies, in inches, of the reach that they
            have; it is asked when the assault has been declared, and may let others act before.
        foresees: what is known before of whether a unit (its index) gets to another one when it assaults it.
        moves_short: how far a unit moves whose allowance does not bring it into contact: inches to the enemy, and the
            allowance.
        free_enemies: of the free enemies within reach those that a model may pick from.
        may_join: whether the free models of a unit that was swept into may move into its combat.
        has_bonus: whether models that assault so many enemy units have an attack more.
        contacted: what happens when a unit has moved into contact with these enemies.
        begin_combat: what happens before the first blow of a round between these units.
        arrange: what else is settled of a round (a :class:`.procedures.fray.Round`) when it begins.
        is_within: whether a model is within a distance: inches to its nearest part, to its furthest, the limit.
        reach_of: how near a model is: inches to the nearest enemy, to the nearest comrade in contact, and whether it
            is within 2" of an enemy.
        must_touch: whether a model fights, and is struck, only in contact.
        frag_cancels: whether grenades of a unit cancel its opponents' cover, by whether it is the unit that assaulted.
        footing_of: what the ground makes of a unit's place in the order of striking; ``cover_step`` the step of those
            who strike first for it.
        before_step: what happens before the models of one step strike: the units, and the models that do;
            ``steps_move`` whether that brings models into reach.
        split_unit: the unit that a model counts as when attacks are divided.
        alike: what the models of one such unit are struck as.
        may_single_out: whether a model may aim at one model that it touches.
        target_of_undeclared: what attacks rolled without a target are aimed at; None: they are ignored.
        next_to_fall: among whom the next casualty of attacks so aimed is picked; ``can_fall`` whether a model counts
            among those that are struck; ``savers_fall`` whether those fall whose kind failed to save.
        tied_winner: who wins a tie by a die of each side; None where a tie is nobody's.
        weight: as how many models one counts where numbers are compared.
        modifiers_of_losing: of a beaten unit's test: its models now and at first, the models of both sides, and by how
            many wounds it lost.
        wounds_of_losing: the wounds that a beaten unit suffers that never falls back: models of both sides, wounds
            lost by.
        may_give_up: whether a beaten unit may choose to run from these enemies, for it cannot harm them.
        react: what the winners do, and what becomes of the beaten who run: units that won, units that run, whether by
            the dice of a tie alone.
        may_spare: whether winners may let the beaten go; ``consolidation`` how far a unit consolidates, in inches, by
            whether the enemy was wiped out.
        pile_in: inches that models move in when a round is over; ``piles_in_always`` whether they do after every
            round, rather than after a drawn one; ``first_in`` which side goes first, of those that have somebody.
        may_engage: whether a consolidation may bring models into contact with an enemy.
        monstrous: what a weapon is in the hands of a monstrous creature.
        vehicles: vehicles in close combat.
        handling: how a model fights with one of its weapons, all of which are given, each with its profiles.
        grenades: what stands for grenades that are used in close combat, by what their bearer has.
        is_precise: whether a model's hit rolls of 6 let its player pick who is wounded.
        turn_ends: what happens at the end of a player's turn.
        regained_count: whether wounds that a special rule has ignored count for the result of the combat.
        outright_spares_hurt: whether what kills outright takes unhurt models before hurt ones.
        covers_each: whether cover counts for each model by itself, and in the first round of a combat alone.
        is_helpless: whether a unit is struck as if its WS were 1.
        leaves_on: what weapons leave on a unit that they have struck: by the number of events before they did.
        crashing: the models of a round that crash in with blows besides their own; ``crash`` with what, and how often.
        allocate: who takes the wounding hits of a step (:class:`.procedures.melee.Blows`, each with what has arrived),
            and saves; None where saves come first and the owner then says who falls.
        contests: whether a model of these keywords fights for a result: whoever can be locked does.
        cheers: which dice of these models' throws are thrown again for those who watch; None where none are.
    """

    why_no_assault: Callable[[ClassicUnit, bool], Reasons]
    why_not_this: Callable[[Scene, ClassicState, int, int], Reasons]
    reaches: Callable[[float, float], bool]
    allowance: Callable[[ClassicBattle, int, Sequence[int], float], Procedure[float]]
    foresees: Callable[[Scene, ClassicState, int, int], Arrival]
    moves_short: Callable[[float, float], float]
    free_enemies: Callable[..., Any]
    may_join: Callable[[ClassicUnit], bool]
    has_bonus: Callable[[int], bool]
    contacted: Callable[[ClassicBattle, int, Sequence[int]], Procedure[None]]
    begin_combat: Callable[[ClassicBattle, Sequence[int]], Procedure[None]]
    arrange: Callable[[Scene, ClassicState, Any], None]
    is_within: Callable[[float, float, float], bool]
    reach_of: Callable[[float, float, bool], Reach]
    must_touch: Callable[[ModelProfile], bool]
    frag_cancels: Callable[[bool], bool]
    footing_of: Callable[[Approach], Footing]
    cover_step: int
    before_step: Callable[[ClassicBattle, Sequence[int], Sequence[int]], Procedure[None]]
    steps_move: bool
    split_unit: Callable[[int, int, ModelProfile], int]
    alike: Callable[[Sequence[Opponent]], list[Opponent]]
    may_single_out: Callable[[ModelProfile], bool]
    target_of_undeclared: Callable[..., Any]
    next_to_fall: Callable[[TargetKind | int, Sequence[Opponent]], tuple[int, ...]]
    tied_winner: Callable[[tuple[int, int]], Side | None] | None
    weight: Callable[[ModelProfile], int]
    modifiers_of_losing: Callable[[int, int, int, int, int], tuple[Modifier, ...]]
    wounds_of_losing: Callable[[int, int, int], int]
    may_give_up: Callable[[Scene, ClassicState, int, Sequence[int]], bool]
    react: Callable[..., Procedure[None]]
    may_spare: bool
    consolidation: Callable[[ClassicBattle, int, bool], float]
    pile_in: float
    piles_in_always: bool
    first_in: Callable[[ClassicBattle, Sequence[Side]], Procedure[Side]]
    may_engage: bool
    monstrous: Callable[[WeaponProfile], WeaponProfile]
    vehicles: VehicleBlows
    handling: Callable[[ModelProfile, WeaponProfile, Sequence[Sequence[WeaponProfile]]], Handling] = handled
    grenades: Mapping[str, WeaponProfile] = field(default_factory=lambda: GRENADES)
    can_fall: Callable[[Opponent], bool] = anybody_can_fall
    savers_fall: bool = False
    is_precise: Callable[[ModelProfile], bool] = nobody_is_precise
    turn_ends: Callable[[ClassicBattle], Procedure[None]] = nothing_at_the_end
    regained_count: bool = False
    outright_spares_hurt: bool = True
    covers_each: bool = False
    is_helpless: Callable[[ClassicUnit], bool] = nobody_is_helpless
    leaves_on: Callable[[ClassicBattle, int, Sequence[WeaponProfile], int], None] = nothing_left
    crashing: Callable[[Scene, ClassicState, Any], tuple[int, ...]] = nobody_crashes
    crash: Callable[[ClassicBattle, int], tuple[WeaponProfile, int]] = no_crash
    allocate: Callable[[ClassicBattle, Any, Any], Procedure[None]] | None = None
    cheers: Callable[[ClassicBattle, Any, Sequence[int], Any], Any] = nobody_cheers
    contests: Callable[[Collection[str]], bool] = may_be_locked


@rule("3e.outside.outnumbered")
def one_each(profile: ModelProfile) -> int:
    """As how many models one counts where numbers are compared: one, whatever it is."""
    return 1


@rule("3e.core.units.beasts", "3e.core.units.large-creatures", "3e.core.units.cavalry", "3e.core.assault.charge-reach")
@rule("4e.core.assault.charge-reach", "4e.beasts-cavalry.charge", "4e.beasts-cavalry.charge-terrain")
def assault_through_difficult(kind: KindRules, faces: Sequence[int]) -> float:
    """How far an assault move goes that difficult terrain lies in the way of, in inches.

    The higher die, twice that for kinds whose reach is longer; the whole reach of those that terrain does not slow.
    """
    if not kind.slowed:
        return kind.assault
    return min(higher_die(faces) * (2.0 if kind.assault > KindRules().assault else 1.0), kind.assault)


def as_they_stand(scene: Scene, state: ClassicState, fought: object) -> None:
    """What an edition puts in where a round is as its models stand."""


def holds_out(scene: Scene, state: ClassicState, unit: int, enemies: Sequence[int]) -> bool:
    """What an edition puts in where nobody gives up: a beaten unit takes its test."""
    return False


def nothing_more(*_: object) -> Procedure[None]:
    """What an edition puts in where it has nothing happen."""
    return
    yield


@dataclass(frozen=True, slots=True)
class Contact:
    """An enemy model that an assaulting model might move into contact with.

    Attributes:
        gap: inches to it by the way that the model would take.
        engaged: whether it is in contact with an enemy already.
    """

    row: int
    gap: float
    engaged: bool


@rule("3e.assault-move.within-six", "3e.assault-move.reach-counts", "3e.assault-move.out-of-range-no-move")
@rule("4e.core.assault.charge-reach", "4e.assault-launch.charge", "4e.skimmers-assault.can-be-assaulted")
def reaches(gap: float, reach: float) -> bool:
    """Whether an enemy is within assault range: a move of the reach is enough to bring a model into contact.

    Args:
        gap: inches between the nearest models; ``reach`` 6, of cavalry 12.
    """
    return within(gap, reach)


@rule("3e.assault-move.nearest-first", "3e.core.assault.charge-moves", "4e.core.assault.charge-moves")
def assault_order(gaps: Sequence[float]) -> list[int]:
    """The order in which models of a unit move: the nearest to the enemy first.

    Args:
        gaps: for each model the inches to the nearest enemy.

    Returns:
        Indices into ``gaps``.
    """
    return sorted(range(len(gaps)), key=lambda index: gaps[index])


@rule("3e.assault-move.unengaged-first", "3e.drawn.free-enemies-first", "3e.drawn.no-nearest")
def any_free_enemy(free: Sequence[Contact]) -> Sequence[Contact]:
    """Of the free enemies within reach a model may pick any; there is no duty to go for the nearest."""
    return free


@rule("3e.assault-move.unengaged-first", "3e.drawn.free-enemies-first", "3e.assault-move.several-targets")
@rule("4e.core.assault.charge-moves", "6e.core.assault.charge-moves")
def enemies_to_contact(contacts: Sequence[Contact], reach: float) -> list[Contact]:
    """The enemies that a model may move into contact with: free ones within reach, of any unit; else engaged ones."""
    within_reach = [contact for contact in contacts if within(contact.gap, reach)]
    free = [contact for contact in within_reach if not contact.engaged]
    return free or within_reach


@rule(
    "3e.fall-back.no-assault",
    "3e.core.morale.no-charge",
    "3e.march.no-assault",
    "3e.formation.penalty",
    "3e.outside.pinned",
    "3e.core.assault.may-not-charge",
    "3e.outside.fire-then-assault",
    "3e.core.vehicles.shaken-and-stunned",
    "4e.core.assault.may-not-charge",
    "4e.core.morale.falling-back-acts",
)
def why_no_assault(unit: ClassicUnit, in_combat: bool = False) -> list[tuple[str, str]]:
    """Why a unit may not start an assault: rule and clause for each reason; none when it may."""
    found = bars_assault(sorted(unit.deeds))
    if in_combat:
        found.append(("3e.core.assault.may-not-charge", "is in close combat"))
    if unit.falling_back:
        found.append(("3e.fall-back.no-assault", "is falling back"))
    if unit.pinned:
        found.append(("3e.outside.pinned", "is pinned"))
    if unit.stunned:
        found.append(("3e.core.vehicles.shaken-and-stunned", "has a stunned crew"))
    if unit.has(Deed.MARCHED):
        found.append(("3e.march.no-assault", "marched this turn"))
    if unit.has(Deed.OUT_OF_FORMATION):
        found.append(("3e.formation.penalty", "ended its movement out of formation"))
    if unit.has(Deed.RALLIED):
        found.append(("3e.core.morale.after-regrouping", "rallied this turn"))
    return found
