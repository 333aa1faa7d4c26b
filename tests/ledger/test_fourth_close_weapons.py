"""Close combat weapons and grenades of the 4th edition."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.test_fourth_assault import RUIN, fight
from tests.ledger.test_fourth_vehicle_moves import tank
from tests.ledger.test_third_assault_phase import play
from tests.support.classic import model, printed_weapon, scene, squad, unit, weapon

from battlewright.attacks.exact import exact
from battlewright.editions.classic.attack import compile_volley, draft_attack
from battlewright.editions.classic.draft import AttackContext, PenetrationDice
from battlewright.editions.classic.kinds import KindRules
from battlewright.editions.classic.procedures.blades import grenades_of
from battlewright.editions.classic.procedures.fray import begin_round, steps_of
from battlewright.editions.classic.profiles import Kind
from battlewright.editions.classic.scene import ClassicBattle, living
from battlewright.editions.classic.striking import attacks_of
from battlewright.editions.fourth.attack import ATTACK
from battlewright.editions.fourth.movement import KINDS

SWORD = printed_weapon("Sword", "ONE-HANDED", melee=True)
AXE = printed_weapon("Great axe", melee=True)
PISTOL = printed_weapon("Pistol", "PISTOL", R='12"')
HAMMER = printed_weapon("Thunder hammer", "THUNDER HAMMER", melee=True)
STAFF = printed_weapon("Force staff", "POWER WEAPON", "FORCE", "ONE-HANDED", melee=True)


def standing_there(*sides: Any, **more: Any) -> ClassicBattle:
    """A scene in which nobody has struck yet."""
    return scene(*sides, edition="4", alone=True, **more)


@pytest.mark.rule("4e.core.weapons.close-combat-pair")
@pytest.mark.parametrize(
    ("weapons", "blows"), [([SWORD, PISTOL], 3), ([SWORD, SWORD], 3), ([AXE, PISTOL], 2), ([SWORD], 2)]
)
def test_two_weapons_of_one_hand_give_an_attack_and_one_of_two_hands_never_does(weapons: list[Any], blows: int) -> None:
    # One attack and one for the charge; a second weapon makes it three.
    battle = fight(unit(1, weapons=weapons, I=5).at(10, 10), unit(1, T=8, A=0).at(10, 13), ("hit", [1] * blows))
    play(battle, ("a.1", "b.1"))
    assert battle.decision is None, "as many dice as were written down, no other"


@pytest.mark.rule("4e.core.weapons.thunder-hammer")
def test_who_survives_a_thunder_hammer_strikes_at_initiative_one_in_the_next_round() -> None:
    victim = unit(1, W=3, T=8, A=2, I=6, Ld=10, name="Ogre").at(10, 10.984)
    bearer = unit(1, weapons=[HAMMER], T=8, Ld=10).at(10, 10).having(charged=True)
    battle = fight(bearer, victim, ("hit", [1, 1]), ("hit", [4, 4]), ("wound", [6, 1]), ("lost combat", [1, 1]))
    while battle.decision is not None:
        battle.answer(battle.decision.default())
    assert battle.state.wounds[1] == 2
    assert battle.state.dazed == {1}
    axe = unit(1, weapons=[AXE], T=8, Ld=10, Sv="2+").at(10, 10)
    # Initiative 4 before 1: the one blow of the axe comes before the two of the victim.
    again = fight(axe, victim, ("hit", [1]), ("hit", [1, 1]), dazed=frozenset({1}))
    while again.decision is not None:
        again.answer(again.decision.default())
    assert again.state.dazed == frozenset()


def _order(battle: ClassicBattle) -> list[tuple[int, int]]:
    fought = begin_round(battle.scene, battle.state, [0, 1])
    return sorted(steps_of(battle.scene, battle.state, fought), key=lambda each: -each[1])


@pytest.mark.rule("4e.core.weapons.thunder-hammer", "4e.core.weapons.chainfist", "4e.core.weapons.witch-blade")
def test_fists_double_the_strength_and_a_chainfist_throws_two_dice_and_a_witch_blade_has_strength_nine() -> None:
    man, hull = squad(model(Sv="2+", W=2)), squad(model("VEHICLE", AV="13/12/10"))
    plain = AttackContext(skill=4, strength=4, automatic=True)

    def draft(*abilities: str, target: Any = man) -> Any:
        return draft_attack(ATTACK, weapon(*abilities, melee=True), plain, target)

    for name in ("THUNDER HAMMER", "CHAINFIST"):
        assert (draft(name).strength, draft(name).ignores_armour) == (8, True)
    assert draft("CHAINFIST", target=hull).penetration is PenetrationDice.TWO
    assert draft("THUNDER HAMMER", target=hull).penetration is PenetrationDice.ONE
    assert draft("WITCHBLADE").wound_on == 2
    assert (draft("WITCH BLADE", target=hull).strength, draft("WITCHBLADE").strength) == (9, 4)
    # 8 and two dice against 13: a glance on 5, more on 6 and above; the tables destroy on 6, and on 4 and above.
    fist = exact(compile_volley(ATTACK, weapon("CHAINFIST", melee=True), 1, plain, hull))
    assert fist.p_destroyed == pytest.approx(4 / 36 * 1 / 6 + 26 / 36 * 3 / 6)


@pytest.mark.rule("4e.core.weapons.force-weapon")
@pytest.mark.parametrize(("faces", "left"), [([4, 4], 0), ([5, 5], 3)])
def test_a_force_weapon_kills_by_a_psychic_test(faces: list[int], left: int) -> None:
    psyker = unit(1, "INFANTRY", "PSYKER", weapons=[STAFF], I=6, Ld=8, T=8).at(10, 10)
    giant = unit(1, W=4, T=4, Sv="2+", A=0, Ld=10, name="Giant").at(10, 10.984)
    dice = [("hit", [4]), ("wound", [4]), ("psychic-test", faces)]
    battle = fight(psyker, giant, *dice, ("consolidation", [1]) if not left else ("lost combat", [1, 1]))
    cited = []
    while battle.decision is not None:
        cited.append(battle.decision.rule)
        battle.answer(battle.decision.default())
    assert "4e.core.weapons.force-weapon" in cited
    assert battle.state.wounds[1] == left


@pytest.mark.rule("4e.core.weapons.frag-grenades", "4e.core.weapons.plasma-grenades")
@pytest.mark.parametrize(
    ("grenades", "steps"),
    [((), {0: 4, 1: 10}), (("Frag Grenades",), {0: 10, 1: 10}), (("Plasma Grenades",), {0: 4, 1: 2})],
)
def test_what_grenades_make_of_cover(grenades: tuple[str, ...], steps: dict[int, int]) -> None:
    charger = unit(1, I=4, abilities=grenades).at(10, 10).having(charged=True)
    defender = unit(1, I=2).at(10, 10.984).having(charged_in_cover=True)
    battle = standing_there(charger, defender, terrain=[RUIN])
    assert dict(_order(battle)) == steps


@pytest.mark.rule("4e.core.weapons.defensive-grenades", "6e.core.weapons.defensive-grenades")
def test_defensive_grenades_take_the_attack_of_the_charge() -> None:
    for abilities, attacks in (((), 2), (("Defensive Grenades",), 1)):
        charger = unit(1).at(10, 10).having(charged=True)
        battle = standing_there(charger, unit(1, abilities=abilities).at(10, 10.984))
        fought = begin_round(battle.scene, battle.state, [0, 1])
        assert attacks_of(fought.fighters[0]) == attacks


@pytest.mark.rule("4e.core.weapons.anti-tank-grenades", "4e.grenades.table")
def test_what_grenades_penetrate_with() -> None:
    names = ("Melta Bombs", "Haywire Grenades", "Krak Grenades", "Plasma Grenades", "Frag Grenades")
    battle = fight(unit(1, abilities=names).at(10, 10), tank().at(30, 30))
    context, hull = (
        AttackContext(skill=4, strength=4, automatic=True, half_range=True),
        squad(model("VEHICLE", AV="14/13/10")),
    )
    drafts = [draft_attack(ATTACK, each, context, hull) for each in grenades_of(battle.scene, 0)]
    assert [each.strength for each in drafts if each.fixed_penetration is None] == [8, 6, 5, 4]
    assert [each.penetration for each in drafts] == [PenetrationDice.TWO] + [PenetrationDice.ONE] * 4
    assert drafts[1].fixed_penetration == ("", *["glancing"] * 4, "penetrating")


@pytest.mark.rule("4e.core.weapons.anti-tank-grenades")
def test_a_power_fist_is_not_put_away_for_a_frag_grenade() -> None:
    fist = printed_weapon("Power fist", "POWER FIST", melee=True)
    bearer = unit(1, weapons=[fist], abilities=("Frag Grenades",)).at(10, 10)
    battle = fight(bearer, tank(AV="13/13/10").at(10, 14), ("penetration", [1, 1]))
    play(battle, ("a.1", "b.1"))
    assert battle.decision is None, "two blows of the charge, at S 8"


# -- how those fight who ride, and against what hovers ----------------------------------------------------------


@pytest.mark.rule("4e.beasts-cavalry.otherwise-fight")
def test_cavalry_has_nothing_more_in_the_second_round_than_infantry_has() -> None:
    rider = unit(1, "CAVALRY", A=2).at(10, 10).having(charged=False)
    battle = standing_there(rider, unit(1).at(10, 10.984))
    fought = begin_round(battle.scene, battle.state, [0, 1])
    assert attacks_of(fought.fighters[0]) == 2
    assert KINDS.of(Kind.CAVALRY).move == KindRules().move


@pytest.mark.rule("4e.vehicle-types.skimmer")
def test_a_skimmer_is_no_flyer_and_infantry_attacks_it() -> None:
    skimmer = unit(1, "VEHICLE", "SKIMMER", name="Skimmer", AV="10/10/10", base="60mm").at(10, 15)
    battle = fight(unit(1, S=8).at(10, 10), skimmer, ("hit", [6, 5]), ("penetration", [6]), ("penetrating table", [4]))
    play(battle, ("a.1", "b.1"))
    assert living(battle.state, 1) == []
