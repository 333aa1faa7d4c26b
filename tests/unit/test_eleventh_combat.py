"""Attacks of the 11th edition resolved in a battle, die by die (04.03, 05, 06.02, 24)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from battlewright.attacks.description import Packet
from battlewright.core.decisions import Pick
from battlewright.core.events import ModelsRemoved
from battlewright.editions.eleventh.attacking import AttackKind, DeclareSpace, make_attacks, resolve_attacks
from battlewright.editions.eleventh.circumstances import characteristics
from battlewright.editions.eleventh.events import AttacksDeclared, AttacksLost, AttacksMade, UnitDestroyed, WoundsLost
from battlewright.editions.eleventh.hosting import BattleHost
from battlewright.editions.eleventh.modifiers import Change, Operation
from battlewright.editions.eleventh.pools import Circumstances, Pool, Use, target_view, volley_of
from battlewright.editions.eleventh.state import NOBODY, Phase
from battlewright.editions.eleventh.targeting import Targeting
from support.combat import aim, attack, declare, events_of, no_dice_left, run, run_asking, stages, wounds
from support.eleventh import attached, scene, unit, weapon

NORMAL, CLOSE, INDIRECT, FIGHT = (
    AttackKind.NORMAL,
    AttackKind.CLOSE_QUARTERS,
    AttackKind.INDIRECT,
    AttackKind.FIGHT,
)
RIFLE = weapon("Rifle")
CANNON = weapon("Cannon", S=8, AP=-3, D=3)


def guns(*weapons, models=1, **more):
    return unit(models, weapons=weapons, W=6, name="Guns", **more).at(10, 10)


def captain(**characteristics: object):
    return unit(1, "CHARACTER", "INFANTRY", name="Captain", **characteristics)


def shooting(a, b, *dice, **more):
    return scene(a, b, phase=Phase.SHOOTING, dice=list(dice), **more)


def context(battle, row=0, target=None, weapon=0, kind=NORMAL):
    """The circumstances of one weapon of one model of a.1 against b.1."""
    targeting = Targeting(battle.scene, battle.state, 0, kind)
    profile = battle.scene.models[row].weapons[weapon].profiles[0]
    return Circumstances(targeting).context(row, profile, battle.scene.by_id[target or "b.1"])


# -- the sequence (04.03, 05) -----------------------------------------------------------------------------------


@pytest.mark.rule(
    "11e.core.04.03-identical-attacks",
    "11e.core.04.03-resolve-order",
    "11e.core.05.03-saves-together",
    "11e.core.05.04-lowest-first",
)
def test_identical_attacks_are_one_pool_from_the_attack_dice_to_the_last_wound():
    battle = shooting(
        guns(RIFLE, weapon("Other rifle"), models=3),
        unit(3).at(10, 20),
        ("hit", (1, 2, 3, 4, 5, 6)),
        ("wound", (3, 4, 5, 6)),
        ("save", (2, 6, 1)),
    )
    uses = aim("b.1", 0, 1, 2), aim("b.1", 0, 1, 2, weapon=1)
    assert attack(battle, *uses, answers=["model:3", "model:4"]) is True
    assert wounds(battle, "b.1") == [0, 0, 1]
    made = events_of(battle, AttacksMade)
    assert [(event.target, event.wounds_lost, event.slain) for event in made] == [("b.1", 2, 2)]
    assert {event.weapon for event in stages(battle, "hit")} == {"Rifle + Other rifle"}


@pytest.mark.rule("11e.core.04.03-identical-attacks", "11e.core.04.03-resolve-order")
def test_attacks_that_differ_are_pools_of_their_own_in_the_order_the_active_player_picks():
    battle = shooting(
        guns(RIFLE, CANNON),
        unit(2, W=3).at(10, 20),
        ("hit", (3,)),
        ("wound", (2,)),
        ("save", (6,)),
        ("hit", (2,)),
    )
    attack(battle, aim("b.1", 0), aim("b.1", 0, weapon=1), answers=["pool:1"])
    assert [event.weapon for event in stages(battle, "hit")] == ["Cannon", "Rifle"]


@pytest.mark.rule("11e.core.04.03-resolve-order", "11e.core.04.02-targets-before-dice")
def test_one_targeted_unit_after_the_other():
    battle = shooting(guns(RIFLE, models=2), [unit(1).at(10, 20), unit(1).at(14, 20)], ("hit", (1,)), ("hit", (2,)))
    index, declaration = 0, declare(aim("b.1", 0), aim("b.2", 1))
    space = DeclareSpace(battle, index, NORMAL)
    assert space.check(declaration) == []
    _, asked = run_asking(make_attacks(battle, index, NORMAL), declaration, "b.2")
    assert [decision.kind for decision in asked] == ["declare-attacks", "select-target"]
    assert [event.target for event in stages(battle, "hit")] == ["b.2", "b.1"]
    assert events_of(battle, AttacksDeclared)[0].pools == (("Rifle", 1, "b.1"), ("Rifle", 1, "b.2"))
    no_dice_left(battle)


@pytest.mark.rule("11e.core.04-no-attacks-made")
def test_who_makes_no_attack_has_not_shot():
    battle = shooting([guns(RIFLE), unit(1).at(20, 10), unit(1).at(30, 10)], unit(1).at(10, 20), ("hit", (1,)))
    battle.answer("a.1")
    battle.answer(declare())
    assert battle.state.units[0].selected_to_shoot
    assert battle.state.units[0].last_shot == 0
    battle.state.units[0].selected_to_shoot = False
    battle.answer("a.2")
    battle.answer("a.1")
    battle.answer(declare(aim("b.1", 0)))
    assert battle.state.units[0].last_shot == battle.state.turns


@pytest.mark.rule("11e.core.04.03.03-new-target")
def test_weapons_whose_target_is_gone_get_a_new_one():
    foes = [unit(1).at(10, 20), unit(1).at(14, 20), unit(1).at(6, 20)]
    dice = ("hit", (3,)), ("wound", (5,)), ("save", (1,)), ("hit", (1,))
    battle = shooting(guns(CANNON, RIFLE), foes, *dice)
    attack(battle, aim("b.1", 0), aim("b.1", 0, weapon=1), answers=["as-declared", "b.3"])
    assert [event.target for event in stages(battle, "hit")] == ["b.1", "b.3"]


@pytest.mark.rule("11e.core.04.03.03-new-target")
def test_without_a_new_target_the_attacks_are_lost():
    dice = ("hit", (3,)), ("wound", (5,)), ("save", (1,))
    battle = shooting(guns(CANNON, RIFLE), unit(1).at(10, 20), *dice)
    attack(battle, aim("b.1", 0), aim("b.1", 0, weapon=1))
    assert [event.weapons for event in events_of(battle, AttacksLost)] == [("Rifle",)]
    assert [(event.unit, event.by) for event in events_of(battle, UnitDestroyed)] == [("b.1", "a.1")]


@pytest.mark.rule("11e.core.01.08-destroyed-by-attack-waits")
def test_the_destroyed_stay_until_all_attacks_of_the_unit_are_resolved():
    dice = ("hit", (3,)), ("wound", (5,)), ("save", (1,)), ("hit", (1,))
    battle = shooting(guns(CANNON, RIFLE), unit(2, abilities=("Deadly Demise 1",)).at(10, 20), *dice,
                      ("deadly-demise", (2,)))  # fmt: skip
    attack(battle, aim("b.1", 0), aim("b.1", 0, weapon=1), answers=["as-declared", "model:2"])
    kinds = [type(event) for event in battle.events if isinstance(event, ModelsRemoved | AttacksMade)]
    assert kinds == [AttacksMade, ModelsRemoved]
    assert battle.state.attacking == NOBODY
    assert battle.state.fallen == ()


@pytest.mark.rule("11e.core.04.02-melee-targets", "11e.24.06-cleave.single-target-only")
def test_divided_melee_attacks_are_as_many_as_declared_and_cleave_nothing():
    axe = weapon("Axe", "CLEAVE 2", melee=True, A=5)
    foes = [unit(10).on(*((8 + 0.1 * i, 12 + 1.3 * i) for i in range(10))), unit(1).at(12, 11)]
    battle = scene(
        unit(1, weapons=[axe]).at(10, 10), foes, phase=Phase.FIGHT, dice=[("hit", (1, 1, 1)), ("hit", (1, 1))]
    )
    attack(battle, aim("b.1", 0, count=3), aim("b.2", 0, count=2), kind=FIGHT, answers=["b.1"])
    alone = scene(unit(1, weapons=[axe]).at(10, 10), foes, phase=Phase.FIGHT, dice=[("hit", (1,) * 9)])
    attack(alone, aim("b.1", 0), kind=FIGHT)


# -- allocation (05.03, 05.04) ----------------------------------------------------------------------------------


def squad(*parts, at=20):
    joined = attached(*parts)
    return joined.on(*((10 + 2 * i, at) for i in range(len(joined.models))))


@pytest.mark.rule("11e.core.05.03-groups", "11e.core.05.03-order", "11e.core.05.04-next-group")
def test_groups_in_the_defenders_order_characters_last():
    mixed = squad(unit(1, W=1, name="Boy"), unit(1, W=2, name="Nob"), captain(W=3, Sv="2+"))
    dice = ("hit", (5, 5, 5)), ("wound", (5, 5, 5)), ("save", (1, 1, 2))
    battle = shooting(guns(weapon("Gun", D=2, AP=0), models=3), mixed, *dice)
    attack(battle, aim("b.1", 0, 1, 2), answers=["group:1"])
    assert wounds(battle, "b.1") == [0, 0, 3], "the nob first, then the boy; a 2 saves the captain"


@pytest.mark.rule("11e.core.05.03-order", "11e.core.05.04-select-model")
def test_a_wounded_group_goes_first_and_a_wounded_model_in_it():
    mixed = squad(unit(1, W=1), unit(2, W=3), captain(W=3)).having(wounds=(1, 3, 2, 3))
    dice = ("hit", (5, 5)), ("wound", (5, 5)), ("save", (1, 1))
    battle = shooting(guns(RIFLE, models=2), mixed, *dice)
    attack(battle, aim("b.1", 0, 1))
    assert wounds(battle, "b.1") == [1, 3, 0, 3]


@pytest.mark.rule("11e.core.05.03-several-wounded")
def test_of_several_wounded_groups_the_defender_puts_one_first():
    mixed = squad(unit(2, W=2), unit(1, W=3)).having(wounds=(1, 2, 2))
    dice = ("hit", (5,)), ("wound", (5,)), ("save", (1,))
    battle = shooting(guns(RIFLE), mixed, *dice)
    attack(battle, aim("b.1", 0), answers=["group:1"])
    assert wounds(battle, "b.1") == [1, 2, 1]


@pytest.mark.rule("11e.core.05.02-mixed-toughness")
def test_the_bodyguard_lends_its_toughness_while_it_lives():
    dice = ("hit", (5, 5)), ("wound", (3, 2)), ("save", (1,)), ("hit", (5,)), ("wound", (2,))
    battle = shooting(guns(RIFLE, CANNON, models=2), squad(unit(1, T=3), captain(T=5, W=4)), *dice)
    attack(battle, aim("b.1", 0, 1), aim("b.1", 0, weapon=1), answers=["pool:0"])
    needed = [(event.weapon, event.needed) for event in stages(battle, "wound")]
    assert needed == [("Rifle", 3), ("Cannon", 3)], "S 4 against the bodyguard's 3; S 8 against 5 once it is dead"


@pytest.mark.rule("11e.core.05.04-damage")
def test_damage_does_not_spill_and_random_damage_is_rolled_for_the_model():
    dice = ("hit", (5, 5)), ("wound", (5, 5)), ("save", (1, 2)), ("damage", (6,)), ("damage", (1,))
    battle = shooting(guns(weapon("Gun", D="D6", AP=-3, S=8), models=2), unit(3, W=2).at(10, 20), *dice)
    attack(battle, aim("b.1", 0, 1), answers=["model:2", "model:3"])
    assert wounds(battle, "b.1") == [0, 1, 2]


def test_feel_no_pain_in_an_attack():
    dice = ("hit", (5,)), ("wound", (5,)), ("save", (1,)), ("feel-no-pain", (5, 4, 6))
    battle = shooting(guns(CANNON), unit(1, W=4, abilities=("Feel No Pain 5+",)).at(10, 20), *dice)
    attack(battle, aim("b.1", 0))
    assert wounds(battle, "b.1") == [3]


# -- weapon abilities in a battle (24) --------------------------------------------------------------------------


@pytest.mark.rule(
    "11e.24.23-lethal-hits.auto-wound-option",
    "11e.24.23-lethal-hits.may-decline",
    "11e.24.23-lethal-hits.no-wound-roll",
    "11e.core.24-lethal-and-critical-wounds",
    "11e.24.10-devastating-wounds.after-normal-damage",
    "11e.core.05.04-mortal-wounds-after",
)
def test_one_critical_hit_takes_the_wound_and_one_rolls_on_for_more():
    blade = weapon("Gun", "LETHAL HITS", "DEVASTATING WOUNDS", S=4, D=2)
    dice = ("hit", (6, 6)), ("wound", (6,)), ("save", (1,))
    battle = shooting(guns(blade, models=2), unit(3, W=3).at(10, 20), *dice)
    attack(battle, aim("b.1", 0, 1), answers=["take:1", "model:2"])
    lost = [(event.model, event.lost, event.rules) for event in events_of(battle, WoundsLost)]
    assert lost == [
        (2, 2, ("11e.core.05.04-damage",)),
        (2, 1, ("11e.24.10-devastating-wounds.mortal-equals-d",)),
    ], "the mortal wounds come last, on the wounded model, and do not go past it"


@pytest.mark.rule(
    "11e.24.10-devastating-wounds.one-model-per-critical",
    "11e.24.10-devastating-wounds.excess-lost",
    "11e.24.10-devastating-wounds.example-intercessors",
    "11e.core.06.02-devastating-wounds",
)
def test_the_mortal_wounds_of_a_critical_wound_stop_at_one_model():
    battle = shooting(
        guns(weapon("Gun", "DEVASTATING WOUNDS", D=3)), unit(3, W=2).at(10, 20), ("hit", (5,)), ("wound", (6,))
    )
    attack(battle, aim("b.1", 0), answers=["model:2"])
    assert wounds(battle, "b.1") == [2, 0, 2] or wounds(battle, "b.1") == [0, 2, 2]
    assert sum(wounds(battle, "b.1")) == 4


@pytest.mark.rule(
    "11e.24.28-precision.select-character-group", "11e.24.28-precision.duration", "11e.core.05.03-precision"
)
def test_precision_goes_for_the_character_until_it_is_dead():
    dice = ("hit", (5,) * 4), ("wound", (5,) * 4), ("save", (1,) * 4)
    battle = shooting(guns(weapon("Sniper", "PRECISION"), models=4), squad(unit(3), captain(W=2)), *dice)
    attack(battle, aim("b.1", 0, 1, 2, 3), answers=["group:1", "model:4", "model:5"])
    assert wounds(battle, "b.1") == [0, 0, 1, 0]


@pytest.mark.rule("11e.24.28-precision.timing", "11e.24.28-precision.select-character-group")
def test_precision_may_be_declined():
    dice = ("hit", (5,)), ("wound", (5,)), ("save", (1,))
    battle = shooting(guns(weapon("Sniper", "PRECISION")), squad(unit(1), captain(W=2)), *dice)
    attack(battle, aim("b.1", 0), answers=["none"])
    assert wounds(battle, "b.1") == [0, 2]


@pytest.mark.rule(
    "11e.24.28.01-precision-devastating.mortals-to-character", "11e.core.06.02-precision", "11e.24.28-precision.timing"
)
def test_mortal_wounds_of_precision_go_to_the_picked_character_also_without_normal_wounds():
    sniper = weapon("Sniper", "PRECISION", "DEVASTATING WOUNDS", D=2)
    battle = shooting(guns(sniper), squad(unit(2), captain(W=4)), ("hit", (5,)), ("wound", (6,)))
    attack(battle, aim("b.1", 0), answers=["group:1"])
    assert wounds(battle, "b.1") == [1, 1, 2]


@pytest.mark.rule("11e.24.28.01-precision-devastating.group-already-destroyed")
def test_mortal_wounds_of_precision_after_the_character_is_dead_go_on_in_the_usual_order():
    sniper = weapon("Sniper", "PRECISION", "DEVASTATING WOUNDS", D=2)
    dice = ("hit", (5, 5)), ("wound", (5, 6)), ("save", (1,))
    battle = shooting(guns(sniper, models=2), squad(unit(1, W=3), captain(W=2)), *dice)
    attack(battle, aim("b.1", 0, 1), answers=["group:1"])
    assert wounds(battle, "b.1") == [1, 0]


@pytest.mark.rule("11e.24.38-twin-linked.reroll-wound")
def test_the_wound_dice_of_twin_linked_weapons_may_be_thrown_again():
    dice = ("hit", (5, 5)), ("wound", (2, 4)), ("wound-reroll", (5,)), ("save", (6, 6))
    battle = shooting(guns(weapon("Gun", "TWIN-LINKED"), models=2), unit(3).at(10, 20), *dice)
    attack(battle, aim("b.1", 0, 1), answers=["failures"])
    assert [event.rerolls for event in stages(battle, "wound")] == [((0, 2, 5),)]
    ones = shooting(
        guns(weapon("Gun", "TWIN-LINKED")), unit(3).at(10, 20), ("hit", (5,)), ("wound", (1,)), ("wound-reroll", (2,))
    )
    attack(ones, aim("b.1", 0))
    again = shooting(guns(weapon("Gun", "TWIN-LINKED"), models=2), unit(3).at(10, 20), *dice[:1], ("wound", (2, 2)))
    attack(again, aim("b.1", 0, 1), answers=["none"])


@pytest.mark.rule(
    "11e.24.36-sustained-hits.extra-hits",
    "11e.24.36-sustained-hits.extra-are-not-critical",
    "11e.core.24-sustained-not-critical",
)
def test_sustained_hits_roll_to_wound_with_the_others():
    dice = ("hit", (6, 3, 1)), ("wound", (1, 1, 1))
    battle = shooting(guns(weapon("Gun", "SUSTAINED HITS 1"), models=3), unit(3).at(10, 20), *dice)
    attack(battle, aim("b.1", 0, 1, 2))


@pytest.mark.rule("11e.24.37-torrent.auto-hit")
def test_torrent_weapons_roll_no_hits():
    battle = shooting(guns(weapon("Flamer", "TORRENT", A=4)), unit(3).at(10, 20), ("wound", (1, 1, 1, 1)))
    attack(battle, aim("b.1", 0))


@pytest.mark.rule(
    "11e.24.15-hazardous.count", "11e.24.15-hazardous.timing", "11e.core.24-hazardous", "11e.core.06.03-several-at-once"
)
def test_hazardous_weapons_roll_for_their_unit_when_all_attacks_are_done():
    plasma = weapon("Plasma", "HAZARDOUS", S=8)
    battle = shooting(
        guns(plasma, RIFLE, models=4), unit(3).at(10, 20), ("hit", (1, 1, 1)), ("hit", (1,)), ("hazard", (1, 4, 3))
    )
    attack(battle, aim("b.1", 0, 1, 2), aim("b.1", 3, weapon=1), answers=["as-declared", "model:3"])
    assert wounds(battle, "a.1") == [6, 6, 6, 5]


@pytest.mark.rule("11e.24.15-hazardous.shoot-and-fight")
def test_hazardous_weapons_roll_after_fighting_too():
    fist = weapon("Fist", "HAZARDOUS", melee=True)
    battle = scene(
        unit(1, weapons=[fist], W=3).at(10, 10),
        unit(1).at(10, 12),
        phase=Phase.FIGHT,
        dice=[("hit", (1,)), ("hazard", (2,))],
    )
    attack(battle, aim("b.1", 0), kind=FIGHT)
    assert wounds(battle, "a.1") == [2]


@pytest.mark.rule("11e.24.26-one-shot.once-per-battle")
def test_a_one_shot_weapon_is_spent_when_it_is_selected():
    battle = shooting(guns(weapon("Missile", "ONE SHOT")), unit(1).at(10, 20), ("hit", (1,)))
    attack(battle, aim("b.1", 0))
    assert battle.state.units[0].one_shot == {(0, 0)}
    assert not DeclareSpace(battle, 0, NORMAL).uses


@pytest.mark.rule(
    "11e.24.02-duplicated-abilities.weapon-selection-timing",
    "11e.24.02-duplicated-abilities.weapon-number-is-duplicate",
)
def test_of_duplicated_abilities_one_is_chosen_each_time():
    gun = weapon("Gun", "SUSTAINED HITS 1", "SUSTAINED HITS 2")
    dice = ("hit", (6,)), ("wound", (1, 1)), ("hit", (6,)), ("wound", (1, 1, 1))
    battle = shooting(guns(gun), unit(3).at(10, 20), *dice)
    for instance in ("instance:0", "instance:1"):
        run(resolve_attacks(battle, 0, declare(aim("b.1", 0)), NORMAL), instance)
    no_dice_left(battle)
    assert [len(stage.faces) for stage in stages(battle, "wound")] == [2, 3]


@pytest.mark.rule("11e.core.05.03-split-pools")
def test_wounds_that_differ_are_saved_against_in_the_order_the_attacker_picks():
    battle = shooting(guns(RIFLE), unit(3).at(10, 20), turn=1)
    pool = Pool((Use(0, 0, battle.scene.models[0].weapons[0].profiles[0], None, 1, context(battle)),))
    view = target_view(battle.scene, battle.state, 1)
    host = BattleHost(battle, 0, pool, view, volley_of(pool, view))
    waiting = [(Packet("damage"), 2), (Packet("armour-piercing"), 1)]
    order, asked = run_asking(host.order_pools(waiting), "1-0")
    assert tuple(order) == (1, 0)
    assert [(each.side, each.kind) for each in asked] == [(0, "order-pools")], "active is whoever attacks"


@pytest.mark.rule("11e.core.05.04-damage-modifiers")
def test_melta_is_added_before_damage_is_halved():
    battle = shooting(guns(weapon("Melta", "MELTA 2", D=3)), unit(1).at(10, 20))
    halved = replace(context(battle), damage_changes=(Change(Operation.DIVIDE, 2, "x"),))
    assert halved.half_range
    profile = battle.scene.models[0].weapons[0].profiles[0]
    used = characteristics(profile, profile.abilities, halved, target_view(battle.scene, battle.state, 1))
    assert used.damage.values == (3,), "(3 + 2) / 2, rounded up"


@pytest.mark.rule(
    "11e.core.13.08-by-rule", "11e.24.33-stealth.cover-vs-ranged", "11e.24.18-ignores-cover.overrides-granted-cover"
)
def test_stealth_gives_cover_that_ignores_cover_takes_away():
    seeker = weapon("Seeker", "IGNORES COVER")
    battle = shooting(guns(RIFLE, seeker), unit(1, abilities=("Stealth",)).at(10, 20), ("hit", (1,)), ("hit", (1,)))
    attack(battle, aim("b.1", 0), aim("b.1", 0, weapon=1))
    assert [event.needed for event in stages(battle, "hit")] == [4, 3]


# -- counted and measured in the Select Targets step --------------------------------------------------------------


@pytest.mark.rule("11e.24.05-blast.counted-at-select-targets", "11e.core.24-additional-attacks")
def test_blast_counts_the_models_there_were_when_targets_were_selected():
    blast, other = weapon("Blast", "BLAST"), weapon("Bomb", "BLAST", S=5)
    dice = [("hit", (5,) * 6), ("wound", (5,) * 6), ("save", (1,) * 6), ("hit", (1,) * 3)]
    ten = unit(10).on(*((8 + 2 * (i % 5), 20 + 2 * (i // 5)) for i in range(10)))
    battle = shooting(guns(blast, other, models=2), ten, *dice)
    attack(battle, aim("b.1", 0, 1), aim("b.1", 0, weapon=1), answers=["pool:0"])
    assert sum(wounds(battle, "b.1")) == 4


@pytest.mark.rule("11e.24.30-rapid-fire.measured-at-select-targets", "11e.24.25-melta.measured-at-select-targets")
def test_half_range_is_measured_when_targets_are_selected():
    width = 32 / 25.4
    near = unit(2, W=9).on((10, 10 + 11 + width), (10, 10 + 14 + width))
    rapid, melta = weapon("Rapid", "RAPID FIRE 1"), weapon("Melta", "MELTA 2", S=9, AP=-4)
    killer = weapon("Killer", S=18, AP=-6, D=9, R='24"')
    dice = [
        ("hit", (5,)),
        ("wound", (5,)),
        ("save", (1,)),
        ("hit", (1, 1)),
        ("hit", (5,)),
        ("wound", (5,)),
        ("save", (1,)),
    ]
    battle = shooting(guns(killer, rapid, melta), near, *dice)
    uses = (aim("b.1", 0, weapon=number) for number in range(3))
    attack(battle, *uses, answers=["as-declared", "model:1"])
    assert wounds(battle, "b.1") == [0, 6], "two attack dice, three wounds, though the next model is 14 inches away"


# -- circumstances --------------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "11e.24.16-heavy.own-shooting-phase",
    "11e.24.16-heavy.unengaged",
    "11e.24.16-heavy.not-set-up-this-turn",
    "11e.24.16-heavy.moved-at-most-three",
    "11e.core.24-heavy",
    "11e.core.04-out-of-phase",
)
def test_when_heavy_weapons_are_steady():
    def steady(*foes, turn=0, **flags):
        foes = foes or (unit(1).at(10, 20),)
        return context(shooting(guns(weapon("Gun", "HEAVY")).having(**flags), list(foes), turn=turn)).heavy

    assert steady()
    assert steady(moved_distance=3000)
    assert not steady(moved_distance=3500)
    assert not steady(set_up_this_turn=True)
    assert not steady(turn=1)
    assert not steady(unit(1).at(10, 20), unit(1).at(10, 12))


@pytest.mark.rule("11e.core.10.06-monsters-and-vehicles", "11e.core.17.03-penalty")
def test_penalties_of_shooting_in_and_into_combat():
    tank = unit(1, "VEHICLE", weapons=[RIFLE, weapon("Pistol", "PISTOL")], W=9).at(10, 10)
    far = unit(1, "MONSTER", W=9).at(10, 25)
    close = shooting(tank, [unit(1).at(10, 12), unit(1).at(10, 20)])
    assert [each.amount for each in context(close, kind=CLOSE).hit_modifiers] == [-1]
    assert context(close, kind=CLOSE, weapon=1).hit_modifiers == ()
    assert [each.amount for each in context(close, target="b.2", kind=CLOSE).hit_modifiers] == [-1]
    open_field = shooting([tank, unit(1).at(10, 27)], far)
    assert [each.rule for each in context(open_field).hit_modifiers] == ["11e.core.17.03-penalty"]


@pytest.mark.rule(
    "11e.core.10.07-indirect-penalties", "11e.core.10.07-other-weapons", "11e.core.10.07-penalties-when-visible"
)
def test_indirect_attacks_bear_their_penalties_the_other_weapons_do_not():
    mortar = weapon("Mortar", "INDIRECT FIRE", BS="2+")
    dice = ("hit", (3,)), ("hit", (3,)), ("wound", (1,))
    battle = shooting(guns(mortar, RIFLE).having(moved_as="normal"), unit(1).at(10, 20), *dice)
    attack(battle, aim("b.1", 0), aim("b.1", 0, weapon=1), kind=INDIRECT)
    assert [event.needed for event in stages(battle, "hit")] == [6, 3]
    still = shooting(guns(mortar), unit(1).at(10, 20), ("hit", (4,)), ("wound", (1,)))
    attack(still, aim("b.1", 0), kind=INDIRECT)
    assert [event.needed for event in stages(still, "hit")] == [4]


@pytest.mark.rule("11e.24.39-damaged.minus-one-to-hit", "11e.core.24-damaged")
def test_a_damaged_model_hits_worse_and_alone():
    hurt = guns(RIFLE, models=2, abilities=("Damaged 3",)).having(wounds=(3, 6))
    battle = shooting(hurt, unit(1).at(10, 20), ("hit", (3,)), ("hit", (3,)), ("wound", (1,)))
    attack(battle, aim("b.1", 0, 1))


@pytest.mark.rule("11e.24.21-lance.plus-one-to-wound", "11e.24.21-lance.no-charge-no-bonus")
@pytest.mark.parametrize("charged", [True, False])
def test_lances_wound_better_after_a_charge(charged):
    lance = weapon("Lance", "LANCE", melee=True)
    dice = [("hit", (5,)), ("wound", (3,)), *([("save", (6,))] if charged else [])]
    battle = scene(unit(1, weapons=[lance]).at(10, 10), unit(1).at(10, 12), phase=Phase.FIGHT, dice=dice)
    battle.state.units[0].charged = charged
    attack(battle, aim("b.1", 0), kind=FIGHT)


# -- the phase ------------------------------------------------------------------------------------------------------


def test_a_battle_forked_in_the_middle_of_attacks_goes_on_alike():
    plasma = weapon("Plasma", "HAZARDOUS", "LETHAL HITS", "DEVASTATING WOUNDS", "TWIN-LINKED", A=3, S=5)
    battle = scene(
        [guns(plasma, RIFLE, models=3)], [squad(unit(4, W=2), unit(2), captain(W=3)), unit(3).at(10, 24)],
        phase=Phase.SHOOTING,
    )  # fmt: skip
    seen = set()
    while battle.decision is not None and battle.state.phase == Phase.SHOOTING and battle.state.turn == 0:
        seen.add(battle.decision.kind)
        answer = Pick("a.1") if battle.decision.kind == "select-unit-to-shoot" else battle.decision.default()
        fork = battle.fork()
        assert fork.checksum() == battle.checksum()
        battle.answer(answer)
        fork.answer(answer)
        assert fork.checksum() == battle.checksum()
        if battle.decision is not None and battle.decision.is_checkpoint:
            assert battle.stack_is_resumable()
    assert seen >= {"select-unit-to-shoot", "declare-attacks", "select-pool", "re-roll", "select-model"}
