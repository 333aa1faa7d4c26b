"""An attack while it is written down: what its weapon, its circumstances and its target have made of it so far.

Weapon abilities are functions from draft to draft (:mod:`.weapon_rules`); :mod:`.attack` turns the finished draft into
a description. An edition says which function stands for which ability, so that one and the same ability may act on the
hit roll in one edition and on the wound roll in another.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from battlewright.attacks.description import D6, Amount, RerollPermission
from battlewright.core.dice import DiceExpression, Modifier
from battlewright.editions.classic.target import TargetView
from battlewright.editions.classic.weapons import WeaponProfile

__all__ = ["AttackContext", "Draft", "PenetrationDice"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackContext:
    """The circumstances of an attack.

    Attributes:
        skill: the attacker's BS, in close combat its WS.
        strength: the attacker's own Strength.
        attacks: how many attacks each weapon makes; None for its own number of shots.
        hits: how many hits each weapon has scored already (markers, templates); no hit roll is made then.
        needed: what the hit roll needs whatever the skills say (a vehicle in close combat), None for the charts.
        automatic: whether the attack hits without a roll.
        snap: whether it is a snap shot, made with a BS of 1.
        picks: whether a 6 to hit lets the attacker pick who is wounded, by whoever attacks.
        half_range: whether the target is within half the weapon's range.
        half_strength: whether it arrives with half its Strength (the rim of an ordnance marker).
        hit_modifier, wound_modifier, save_modifier: of the rolls, by other rules; + helps who rolls.
        reroll_hits, reroll_wounds, reroll_saves, reroll_penetration: permissions by other rules.
        penetration: what is added to the armour penetration roll; ``damage_table`` to the roll on the damage table.
    """

    skill: int
    strength: int = 0
    attacks: Amount | None = None
    hits: Amount | None = None
    needed: int | None = None
    automatic: bool = False
    snap: bool = False
    picks: bool = False
    half_range: bool = False
    half_strength: bool = False
    hit_modifier: int = 0
    wound_modifier: int = 0
    save_modifier: int = 0
    reroll_hits: RerollPermission | None = None
    reroll_wounds: RerollPermission | None = None
    reroll_saves: RerollPermission | None = None
    reroll_penetration: RerollPermission | None = None
    penetration: tuple[Modifier, ...] = ()
    damage_table: tuple[Modifier, ...] = ()


class PenetrationDice(StrEnum):
    """What is thrown to penetrate armour."""

    ONE = "D6"
    TWO = "2D6"
    BEST_OF_TWO = "the higher of 2D6"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is known of an attack.

    Attributes:
        strength: in the attacker's hands.
        hit_on: lowest face that hits; None when none does. ``hits_without_roll`` where no die is thrown.
        wound_on: the number of the chart or of the weapon; None when it cannot wound.
        second_hit_on: what a shot that has missed needs when it is tried once more, None when it is not.
        precise_on: a hit roll of this or more lets the attacker pick who is wounded, None when it does not.
        overheats_on: a hit roll of this or less hits the firer (0: never).
        rends_on_hit: a hit roll of this or more wounds by itself and ignores armour, None when the weapon does not.
        rends_on_wound: a wound roll of this or more leaves no armour save, None when it does.
        always_wounds_on: a wound roll of this or more wounds whatever the Toughness.
        ignores_armour, ignores_cover: saves that may not be tried.
        ap: an AP that it has at least, None for the weapon's own.
        best_armour: the best armour save that may be tried (2: any).
        penetration: what is thrown against armour; ``penetration_modifiers`` are added.
        armour_limit: a higher armour value counts as this.
        glances_on: a penetration die of this or more glances at least.
        bursts_on: a penetration die of this adds another die, ``burst_die``.
        counts_as: how many hits on a vehicle each one is.
        fixed_penetration: for each face what happens, whatever the armour ("", "glancing", "penetrating").
        wounds: how many wounds its model loses by an unsaved one.
        kills: whether an unsaved wound removes its model whatever its wounds and Toughness.
        pins: whether losses by it may pin.
        on_ordnance_table: whether penetrating hits use the ordnance table.
        reroll_hits, reroll_wounds: permissions.
        rules: ids of the rules that shaped it.
    """

    weapon: WeaponProfile
    context: AttackContext
    target: TargetView
    strength: int
    hit_on: int | None
    hits_without_roll: bool = False
    wound_on: int | None = None
    second_hit_on: int | None = None
    precise_on: int | None = None
    overheats_on: int = 0
    rends_on_hit: int | None = None
    rends_on_wound: int | None = None
    always_wounds_on: int | None = None
    ignores_armour: bool = False
    ignores_cover: bool = False
    ap: int | None = None
    best_armour: int = 2
    penetration: PenetrationDice = PenetrationDice.ONE
    penetration_modifiers: tuple[Modifier, ...] = ()
    armour_limit: int | None = None
    glances_on: int | None = None
    bursts_on: int | None = None
    burst_die: DiceExpression = D6
    counts_as: int = 1
    fixed_penetration: tuple[str, ...] | None = None
    wounds: int = 1
    kills: bool = False
    pins: bool = False
    on_ordnance_table: bool = False
    reroll_hits: RerollPermission | None = None
    reroll_wounds: RerollPermission | None = None
    rules: tuple[str, ...] = field(default=())
