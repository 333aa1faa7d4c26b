"""Weapons of the 6th edition in close combat and what they leave behind; wargear that goes with armour."""

from __future__ import annotations

import pytest
from tests.support.classic import UnitSpec, mixed, model, printed_weapon, scene, squad, unit, weapon

from battlewright.attacks.exact import exact
from battlewright.core.decisions import Pick
from battlewright.editions.classic.attack import compile_volley
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.profiles import Facing
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.state import Phase
from battlewright.editions.happenings import StageResolved
from battlewright.editions.sixth.attack import ATTACK
from battlewright.editions.sixth.blades import GRENADES, handling, has_second, is_precise, is_unwieldy, melta_bomb
from battlewright.editions.sixth.damage import table_modifiers

SWORD = weapon(name="Sword", melee=True, AP="3")
FIST = weapon("SPECIALIST WEAPON", "UNWIELDY", name="Fist", melee=True, S="x2", AP="2")
CLAW = weapon("SPECIALIST", name="Claw", melee=True, AP="3")
RELIC = weapon("TWO-HANDED", name="Relic", melee=True, S="+2")
PISTOL = weapon("PISTOL", name="Pistol", R='12"')
RIFLE = weapon("RAPID FIRE", name="Rifle")


def fight(a: UnitSpec | list[UnitSpec], b: UnitSpec | list[UnitSpec], *dice: tuple[str, list[int]]) -> ClassicBattle:
    return scene(a, b, phase=Phase.ASSAULT, alone=True, dice=list(dice), edition="6")


def to_the_end(battle: ClassicBattle, **answers: str) -> list[str]:
    """Answers by kind of decision, else by default. The kinds that were asked."""
    kinds = []
    while battle.decision is not None:
        kind = battle.decision.kind.replace("-", "_")
        kinds.append(battle.decision.kind)
        listed = [option.key for option in battle.decision.options()]
        battle.answer(Pick(answers[kind]) if answers.get(kind) in listed else battle.decision.default())
    return kinds


def hits(battle: ClassicBattle) -> list[tuple[str, int]]:
    """The weapon and the number of dice of every hit roll, in order."""
    return [
        (event.weapon, len(event.faces))
        for event in battle.events
        if isinstance(event, StageResolved) and event.stage == "hit"
    ]


# -- close combat weapons ---------------------------------------------------------------------------------------


@pytest.mark.rule("6e.core.weapons.specialist", "6e.core.weapons.two-handed")
def test_who_has_the_attack_of_a_second_weapon() -> None:
    assert has_second(SWORD, [(SWORD,), (PISTOL,)])
    assert has_second(SWORD, [(SWORD,), (FIST,)])
    assert not has_second(SWORD, [(SWORD,), (RIFLE,)])
    assert not has_second(FIST, [(FIST,), (PISTOL,)])
    assert not has_second(FIST, [(FIST,), (SWORD,)])
    assert has_second(FIST, [(FIST,), (CLAW,)])
    assert not has_second(RELIC, [(RELIC,), (PISTOL,)])
    blade, gun = printed_weapon("Relic", "TWO-HANDED", melee=True), printed_weapon("Pistol", "PISTOL", R='12"')
    for arms, attacks in (((blade, gun), 2), ((printed_weapon("Sword", melee=True), gun), 3)):
        fighter = unit(1, A=2, I=4, weapons=arms).at(10, 10)
        battle = fight(fighter, unit(1, I=1).at(10, 10.984), ("hit", [1] * attacks), ("hit", [1]))
        to_the_end(battle)
        assert hits(battle)[0][1] == attacks


@pytest.mark.rule("6e.core.weapons.unwieldy", "6e.core.weapons.choosing-melee")
def test_an_unwieldy_weapon_strikes_at_initiative_one_and_only_the_chosen_ones_rules_apply() -> None:
    assert is_unwieldy(model(), FIST)
    assert not is_unwieldy(model("MONSTROUS CREATURE"), FIST)
    assert not is_unwieldy(model("VEHICLE", "WALKER", WS="4", S="6", I="4", A="2"), FIST)
    assert not is_unwieldy(model(), SWORD)
    assert handling(model(), FIST, [(FIST,), (SWORD,)]).slow
    assert not handling(model(), SWORD, [(FIST,), (SWORD,)]).slow
    arms = (
        printed_weapon("Sword", melee=True, AP="3"),
        printed_weapon("Fist", "SPECIALIST WEAPON", "UNWIELDY", melee=True, S="x2", AP="2"),
    )
    for chosen, first in (("weapon:0", "Sword"), ("weapon:1", "close combat attack")):
        script = [("hit", [1, 1]), ("hit", [1])] if first == "Sword" else [("hit", [1]), ("hit", [1])]
        champion = unit(1, A=1, I=5, weapons=arms).at(10, 10)
        battle = fight(champion, unit(1, I=3).at(10, 10.984), *script)
        kinds = to_the_end(battle, select_close_combat_weapon=chosen)
        assert "select-close-combat-weapon" in kinds
        assert hits(battle)[0][0] == first


@pytest.mark.rule("6e.core.weapons.defensive-grenades")
def test_defensive_grenades_take_the_attack_of_the_charge_away() -> None:
    for abilities, attacks in (([], 3), (["DEFENSIVE GRENADES"], 2), (["PHOTON GRENADES"], 2)):
        battle = fight(
            unit(1, A=2, I=4).at(10, 10), unit(1, I=1, abilities=abilities).at(10, 13),
            ("charge", [6, 6]), ("hit", [1] * attacks), ("hit", [1]),
        )  # fmt: skip
        to_the_end(battle, select_unit_to_assault="a.1", select_unit_assaulted="b.1")
        assert hits(battle)[0][1] == attacks


@pytest.mark.rule("6e.outside.precision-strike")
def test_a_characters_six_strikes_whom_his_player_wants() -> None:
    assert is_precise(model("INFANTRY", "CHARACTER"))
    assert not is_precise(model())
    champion = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", A=2, I=5).at(10, 10)
    foes = mixed("Foes", unit(2, Sv="-", I=1), unit(1, Sv="-", I=1, name_of_models="Banner")).on(
        (10, 10.984), (11, 10.984), (12, 11.2)
    )
    battle = fight(champion, foes, ("hit", [6, 2]), ("precise wound", [4]), ("hit", [1, 1]))
    while battle.decision is not None and battle.decision.kind != "select-model":
        battle.answer(battle.decision.default())
    assert battle.decision is not None
    assert battle.decision.side == 0
    assert "model:3" in [option.key for option in battle.options()]
    battle.answer(Pick("model:3"))
    assert not battle.state.wounds[3]


@pytest.mark.rule("6e.outside.melta-bomb")
def test_a_melta_bomb_throws_two_dice_and_eight() -> None:
    bomb = GRENADES["MELTA BOMBS"]
    tank = squad(model("VEHICLE", "TANK", AV="13/13/13", HP="3"), facing=Facing.FRONT)
    assert bomb == melta_bomb()
    assert (bomb.strength.of(4), bomb.ap) == (8, 1)
    volley = compile_volley(ATTACK, bomb, 1, AttackContext(skill=4, automatic=True), tank)
    odds = exact(volley)
    assert odds.effects, "it does something to armour 13"
    assert is_unwieldy(model(), bomb)
    rear = unit(1, "VEHICLE", "TANK", name="Tank", base="hull 4x3in", AV="14/13/13", HP=3).at(13.492, 10)
    for faces, left in (([1, 3], 3), ([1, 4], 2)):
        battle = fight(unit(1, A=3, abilities=["MELTA BOMBS"]).at(11, 10), rear, ("penetration", faces))
        to_the_end(battle)
        assert battle.state.wounds[1] == left, "12 does nothing, 13 glances"


@pytest.mark.rule("6e.core.weapons.ap-and-vehicles")
def test_ap_one_and_two_add_to_the_damage_roll() -> None:
    assert [sum(each.amount for each in table_modifiers(ap)) for ap in (1, 2, 3, None)] == [2, 1, 0, 0]
