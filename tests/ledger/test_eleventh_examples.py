"""Worked examples of the 11th edition's text, played as they are told: on a table, or as the attack of a battle."""

from __future__ import annotations

import pytest

from battlewright.attacks.description import RerollPermission, RerollWhich, Volley
from battlewright.core.dice import Modifier
from battlewright.core.table import Objective
from battlewright.editions.eleventh import objectives
from battlewright.editions.eleventh.ability_text import parse_weapon_ability
from battlewright.editions.eleventh.attack import AttackContext, compile_volley
from battlewright.editions.eleventh.attacking import AttackKind, make_attacks
from battlewright.editions.eleventh.core_abilities import nested_effect
from battlewright.editions.eleventh.keywords import normal_keyword
from battlewright.editions.eleventh.measuring import unit_distance
from battlewright.editions.eleventh.pools import target_view
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from battlewright.editions.eleventh.visibility import lone_operative_reach
from battlewright.editions.eleventh.weapon_abilities import is_psychic_attack
from ledger import eleventh_builders as made
from support.abilities import criticals, faces, volley
from support.combat import aim, attack, declare, stages, wounds
from support.eleventh import UnitSpec, attached, scene, unit, weapon

CENTRE = Objective("centre", (22.0, 30.0))
ONES = RerollPermission(RerollWhich.ONES)
ANY = RerollPermission(RerollWhich.ALL)


def shooting(gun: object, target: UnitSpec, *dice: tuple[str, tuple[int, ...]]) -> Battle11:
    """One model with the gun at (10, 10) and its target, in the Shooting phase."""
    return scene(unit(1, weapons=[gun]).at(10, 10), target, phase=Phase.SHOOTING, dice=list(dice))  # type: ignore[list-item]


# --- 02


@pytest.mark.rule("11e.ds-abilities.example-rerolls")
@pytest.mark.parametrize(
    ("closest", "other", "target", "permission"),
    [
        ((22, 10), (22, 40), 0, ONES),
        ((22, 29), (22, 45), 0, ANY),
        ((22, 10), (22, 29), 1, None),
    ],
    ids=["closest", "closest-and-on-their-objective", "only-on-their-objective"],
)
def test_example_of_hits_re_rolled_against_the_closest_target_on_their_objective(
    closest: tuple[float, float], other: tuple[float, float], target: int, permission: RerollPermission | None
) -> None:
    foes = [unit(1).at(*closest), unit(1).at(*other)]
    shooter = unit(1, weapons=[weapon()]).at(22, 2)
    battle = scene(shooter, foes, phase=Phase.SHOOTING, objectives=[CENTRE])
    state = battle.state
    inches = [unit_distance(battle.scene, state, 0, foe) for foe in (1, 2)]
    held = objectives.unit_control(battle.scene, state, 1 + target, 0) > 0
    leave = nested_effect(inches[target] == min(inches), held, ONES, ANY)
    profile = battle.scene.models[0].weapons[0].profiles[0]
    context = AttackContext(reroll_hits=leave)
    compiled = compile_volley(profile, 1, context, target_view(battle.scene, state, 1 + target))
    assert compiled.step("hit").reroll == permission


@pytest.mark.rule("11e.ds-random.attacks-timing")
def test_example_of_random_attacks_rolled_in_resolve_attacks_and_not_earlier() -> None:
    storm = weapon("Storm", A="D6")
    battle = scene(
        unit(2, weapons=[storm]).at(10, 10),
        [unit(1).at(10, 20), unit(1).at(14, 20)],
        phase=Phase.SHOOTING,
        dice=[("attacks", (2,)), ("hit", (1, 1)), ("attacks", (1,)), ("hit", (1,))],
    )
    before = battle.state.dice
    procedure = make_attacks(battle, 0, AttackKind.NORMAL)
    assert next(procedure).kind == "declare-attacks"
    asked = procedure.send(declare(aim("b.1", 0), aim("b.2", 1)))
    assert asked.kind == "select-target", "weapons and targets are selected"
    assert battle.state.dice == before, "and no die is thrown yet"
    with pytest.raises(StopIteration):
        procedure.send(asked.default())
    assert [event.target for event in stages(battle, "hit")] == ["b.1", "b.2"]
    battle.dice.finish(battle.state.dice)


@pytest.mark.rule("11e.ds-keywords.notation")
def test_example_of_vehicle_in_capitals_read_as_a_keyword() -> None:
    printed = parse_weapon_ability("ANTI-VEHICLE 4+")
    assert normal_keyword("VEHICLE") == "VEHICLE"
    assert printed.keyword is not None
    assert normal_keyword(printed.keyword) == "VEHICLE"
    tank, squad = unit(1, "VEHICLE", W=9).at(10, 20), unit(1).at(10, 20)
    anti = weapon("Gun", "ANTI-VEHICLE 4+", S=1)
    assert criticals(volley(shooting(anti, tank), 0, 1), "wound") == (4, 5, 6)
    assert criticals(volley(shooting(anti, squad), 0, 1), "wound") == (6,)


# --- 24


@pytest.mark.rule("11e.24.29-psychic.psychic-attack-name")
def test_example_of_an_ability_that_works_against_psychic_attacks_only() -> None:
    def warded(*abilities: str) -> Volley:
        gun = made.weapon(*abilities)
        ward = (Modifier("Ward", 1),) if is_psychic_attack(gun) else ()
        target = made.squad(made.model("INFANTRY", Sv="4+"))
        return compile_volley(gun, 1, AttackContext(save_modifiers=ward), target)

    assert faces(warded("PSYCHIC"), "save") == (3, 4, 5, 6)
    assert faces(warded(), "save") == (4, 5, 6)


@pytest.mark.rule("11e.24.10-devastating-wounds.example-intercessors")
def test_example_of_three_mortal_wounds_on_a_squad_of_two_wounds_each() -> None:
    gun = weapon("Gun", "DEVASTATING WOUNDS", D=3)
    battle = shooting(gun, unit(5, W=2, name="Intercessor Squad").at(10, 20), ("hit", (4,)), ("wound", (6,)))
    attack(battle, aim("b.1", 0))
    assert sorted(wounds(battle, "b.1")) == [0, 2, 2, 2, 2]


@pytest.mark.rule("11e.24.24.01-attached-lone-operative.example-reactivation")
def test_example_of_a_lone_operative_whose_bodyguard_has_fallen() -> None:
    agent = unit(1, "CHARACTER", "INFANTRY", abilities=["Lone Operative"], name="Agent")
    for standing, reach in (((1, 1, 1), None), ((0, 0, 1), 12)):
        battle = scene(attached(unit(2), agent).at(10, 10).having(wounds=standing), unit(1).at(10, 30))
        assert lone_operative_reach(battle.scene, battle.state, 0) == reach


@pytest.mark.rule("11e.24.24.01-attached-lone-operative.example-fifteen")
def test_example_of_a_lone_operative_led_by_the_range_of_its_bodyguard() -> None:
    agent = unit(1, "CHARACTER", "INFANTRY", abilities=["Lone Operative"], name="Agent")
    led = attached(unit(5, abilities=['Lone Operative 15"']), agent).at(10, 10)
    battle = scene(led, unit(1).at(10, 40))
    assert lone_operative_reach(battle.scene, battle.state, 0) == 15


@pytest.mark.rule("11e.24.05-blast.example", "11e.24.06-cleave.example", "11e.24.30-rapid-fire.example")
@pytest.mark.parametrize(
    ("gun", "models", "away", "dice"),
    [
        (weapon("Gun", "BLAST 2", A=3), 12, 10, 7),
        (weapon("Gun", "RAPID FIRE 1", A=1), 1, 10, 2),
        (weapon("Blade", "CLEAVE 1", melee=True, A=3), 16, 2, 6),
    ],
    ids=["blast", "rapid-fire", "cleave"],
)
def test_example_of_additional_attack_dice(gun: object, models: int, away: int, dice: int) -> None:
    phase = Phase.FIGHT if gun.profiles[0].melee else Phase.SHOOTING  # type: ignore[attr-defined]
    target = unit(models).at(10, 10 + away, rank=8)
    battle = scene(unit(1, weapons=[gun]).at(10, 10), target, phase=phase)  # type: ignore[list-item]
    gathered = volley(battle, 0, 1).dice
    assert sum(part.weapons * part.each.values[0] for part in gathered) == dice
