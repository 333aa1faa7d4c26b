"""Characters, psychic powers and joining in the 4th edition."""

from __future__ import annotations

import pytest
from tests.support.classic import mixed, model, printed_model, printed_weapon, rules_with, scene, unit

from battlewright.core.decisions import Pick
from battlewright.core.errors import BadInput
from battlewright.core.roster import Ability, Army, Component, Unit
from battlewright.editions.classic.events import PowerUsed
from battlewright.editions.classic.joining import (
    assaults_with,
    is_free_character,
    limits_together,
    may_leave,
    why_no_host,
    why_not_join,
)
from battlewright.editions.classic.morale import LeadershipSource, best_leadership
from battlewright.editions.classic.procedures.joining import is_lone_character
from battlewright.editions.classic.procedures.nerve import names_of
from battlewright.editions.classic.profiles import CharacterKind, character_kind, read_model
from battlewright.editions.classic.psychic import psychic_test, why_no_power
from battlewright.editions.classic.scene import ClassicBattle, standing
from battlewright.editions.classic.state import ClassicUnit, Phase
from battlewright.editions.fourth.characters import is_special_character, list_restrictions, without_consent
from battlewright.editions.fourth.table import FOURTH

CAPTAIN, SERGEANT = ("INFANTRY", "INDEPENDENT CHARACTER"), ("INFANTRY", "CHARACTER")
LORD = ("INFANTRY", "INDEPENDENT WITHOUT RETINUE")
IC, UPGRADE, NONE = CharacterKind.INDEPENDENT, CharacterKind.UPGRADE, CharacterKind.NONE


def side(flags: dict[str, bool] | None = None) -> ClassicUnit:
    found = ClassicUnit(0, (0, 1))  # type: ignore[arg-type]
    for name, value in (flags or {}).items():
        setattr(found, name, value)
    return found


# -- characters ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.characters.kinds", "4e.characters.ic-unit")
def test_a_sergeant_is_part_of_his_squad_and_a_captain_a_unit_of_one() -> None:
    assert character_kind(SERGEANT, with_retinue=True) is UPGRADE
    assert character_kind(CAPTAIN, with_retinue=False) is IC
    assert is_free_character(model(*CAPTAIN), 0)
    assert not is_free_character(model(*SERGEANT), 0)
    squad = mixed("Squad", unit(9), unit(1, *SERGEANT)).at(30, 30)
    battle = scene([unit(1, *CAPTAIN).at(10, 10), squad], unit(1).at(60, 40), edition="4")
    assert is_lone_character(battle.scene, battle.state, 0)
    assert len(standing(battle.state, 1)) == 10
    assert "a.1" in [option.key for option in battle.options()]


@pytest.mark.rule("4e.characters.upgrade-exempt", "4e.characters.solo-not-ic")
def test_only_independent_characters_join_and_leave() -> None:
    assert why_not_join(UPGRADE, Phase.MOVEMENT, 1.0)
    assert not may_leave(UPGRADE, Phase.MOVEMENT, side(), 5.0)
    monster = model("MONSTROUS CREATURE")
    assert monster.character is NONE
    assert why_not_join(monster.character, Phase.MOVEMENT, 1.0)
    assert not is_free_character(monster, 0)


@pytest.mark.rule("4e.characters.upgrade-profile", "4e.special-characters.named-free")
def test_profiles_are_read_model_by_model_and_a_name_changes_nothing() -> None:
    trooper, sergeant = (read_model(printed_model(*words, Ld=ld)) for words, ld in ((SERGEANT[:1], 7), (SERGEANT, 8)))
    assert (trooper.leadership, sergeant.leadership) == (7, 8)
    plain, named = (read_model(printed_model(*CAPTAIN, name=name)) for name in ("Captain", "Captain Bold"))
    assert plain.name != named.name
    assert plain.leadership == named.leadership
    assert plain.keywords == named.keywords


@pytest.mark.rule("4e.retinue.from-codex", "4e.retinue.cannot-leave", "4e.retinue.retinue-destroyed")
def test_a_lord_stays_with_his_retinue_until_it_is_gone() -> None:
    assert character_kind(LORD, with_retinue=True) is UPGRADE
    lord = model(*LORD)
    assert not is_free_character(read_model(printed_model(*LORD), with_retinue=True), 5)
    assert is_free_character(read_model(printed_model(*LORD), with_retinue=True), 0)
    assert lord.is_independent
    court = mixed("Lord", unit(1, *LORD), unit(5)).at(10, 10).having(wounds=[1, 0, 0, 0, 0, 0])
    battle = scene([court, unit(3).at(30, 10)], unit(1).at(60, 40), edition="4")
    assert is_lone_character(battle.scene, battle.state, 0)
    court = mixed("Lord", unit(1, *LORD), unit(5)).at(10, 10)
    battle = scene([court, unit(3).at(30, 10)], unit(1).at(60, 40), edition="4")
    assert not is_lone_character(battle.scene, battle.state, 0)


# -- joining ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("4e.character-joining.join-range", "4e.character-joining.movement-phase-only")
def test_he_joins_within_two_inches_in_the_movement_phase() -> None:
    assert not why_not_join(IC, Phase.MOVEMENT, 2.0)
    assert why_not_join(IC, Phase.MOVEMENT, 2.1)
    for phase in (Phase.SHOOTING, Phase.ASSAULT):
        assert why_not_join(IC, phase, 1.0)
        assert not may_leave(IC, phase, side(), 5.0)


@pytest.mark.rule("4e.character-joining.leave-by-moving", "4e.character-joining.coherency")
@pytest.mark.rule("4e.character-joining.not-while-falling-back", "4e.character-joining.not-while-pinned")
def test_he_leaves_by_moving_out_of_coherency_unless_his_unit_flees_or_is_pinned() -> None:
    assert may_leave(IC, Phase.MOVEMENT, side(), 2.5)
    assert not may_leave(IC, Phase.MOVEMENT, side(), 2.0)
    assert not may_leave(IC, Phase.MOVEMENT, side({"falling_back": True}), 3.0)
    assert not may_leave(IC, Phase.MOVEMENT, side({"pinned": True}), 3.0)


@pytest.mark.rule("4e.character-joining.free-agent")
def test_nobody_has_to_join() -> None:
    battle = scene([unit(1, *CAPTAIN).at(10, 10), unit(3).at(10, 11.984)], unit(1).at(60, 40), edition="4")
    while battle.decision is not None and battle.decision.kind != "join-unit":
        battle.answer(Pick("end") if battle.decision.kind == "select-unit-to-move" else battle.decision.default())
    assert [option.key for option in battle.options()] == ["a.2", "alone"]
    battle.answer(Pick("alone"))
    assert battle.state.units[0].joined < 0
    assert may_leave(IC, Phase.MOVEMENT, battle.state.units[1], 2.5)


@pytest.mark.rule("4e.character-joining.slowest-member")
def test_a_unit_with_a_character_is_as_fast_as_its_slowest() -> None:
    assert limits_together({0: 6000, 1: 6000, 5: 12000}, [5]) == {0: 6000, 1: 6000, 5: 6000}
    assert limits_together({0: 6000, 1: 12000}, []) == {0: 6000, 1: 12000}


@pytest.mark.rule("4e.character-joining.no-character-unit")
def test_characters_do_not_join_one_another() -> None:
    assert why_no_host([model(*CAPTAIN)], side())
    assert why_no_host([model("VEHICLE")], side())
    assert not why_no_host([model(), model()], side())
    assert FOURTH.characters.why_no_host is why_no_host


@pytest.mark.rule("4e.character-leaders.use-leadership", "4e.character-leaders.leadership-only-if-higher")
def test_the_better_leadership_counts() -> None:
    assert best_leadership([LeadershipSource(7), LeadershipSource(9)]) == 9
    assert best_leadership([LeadershipSource(8), LeadershipSource(7)]) == 8


@pytest.mark.rule("4e.character-leaders.no-last-man")
def test_a_character_takes_no_last_man_test() -> None:
    assert FOURTH.morale.is_last_man(1, 5, False)
    assert not FOURTH.morale.is_last_man(1, 5, True)
    court = mixed("Lord", unit(1, *LORD), unit(5)).at(10, 10).having(wounds=[1, 0, 0, 0, 0, 0])
    battle = scene(court, unit(1).at(60, 40), edition="4", phase=Phase.START_OF_TURN, alone=True, dice=[])
    assert not battle.state.units[0].falling_back


@pytest.mark.rule("4e.character-assault.charge-with-unit", "4e.character-assault.charge-alone")
def test_he_charges_with_the_unit_that_he_has_joined_or_alone() -> None:
    assert assaults_with(4, 2) == 2
    assert assaults_with(4, -1) == 4


# -- special characters -------------------------------------------------------------------------------------------


def army(points: int) -> Army:
    hero = printed_model(*CAPTAIN, "SPECIAL CHARACTER", abilities=["Minimum Points: 2000"], name="Hero")
    return Army("A", "4", "", (Unit("a.1", "Hero", (Component("Hero", points=200),), (hero,)),), points=points)


@pytest.mark.rule("4e.special-characters.definition", "4e.special-characters.list-restrictions")
def test_a_special_character_is_named_and_kept_to_what_his_list_says() -> None:
    assert is_special_character({"INFANTRY", "SPECIAL CHARACTER"})
    assert not is_special_character(CAPTAIN)
    assert list_restrictions(army(2000)) == []
    assert list_restrictions(army(1500))[0][0] == "4e.special-characters.list-restrictions"


@pytest.mark.rule("4e.special-characters.mutual-consent")
def test_a_declined_special_character_is_not_fielded() -> None:
    declined = rules_with("4", {"special_characters": "declined"}).characters
    assert declined.why_not_fielded is without_consent
    assert [rule for rule, _ in declined.why_not_fielded(army(2000))] == ["4e.special-characters.mutual-consent"]
    assert rules_with("4").characters.why_not_fielded(army(2000)) == []
    with pytest.raises(BadInput):
        rules_with("4", {"special_characters": "maybe"})
    assert Ability("Hero").name == "Hero"


# -- psychic powers -----------------------------------------------------------------------------------------------

TEST = "psychic-test"
BOLT = printed_weapon("Bolt", "ASSAULT 1", "PSYCHIC")


def decide(battle: ClassicBattle, **answers: str) -> None:
    while battle.decision is not None and (kind := battle.decision.kind.replace("-", "_")) in answers:
        battle.answer(Pick(answers[kind]))


@pytest.mark.rule("4e.psychic.powers-per-list", "4e.psychic.psychic-test", "4e.psychic.other-phases")
@pytest.mark.rule("4e.psychic.failed-test")
@pytest.mark.parametrize(("faces", "works"), [([4, 5], True), ([4, 6], False)])
def test_a_power_of_the_list_is_used_at_its_moment_on_the_leadership_or_less(faces: list[int], works: bool) -> None:
    seer = unit(1, "INFANTRY", "PSYKER", abilities=("Fortune",), Ld=9)
    battle = scene(seer.at(10, 10), unit(1).at(60, 40), edition="4", dice=[(TEST, faces)])
    assert [option.key for option in battle.options()] == ["0:FORTUNE:a.1", "none"]
    battle.answer(Pick("0:FORTUNE:a.1"))
    assert ("UNDER FORTUNE" in names_of(battle.scene, battle.state, 0)) is works
    assert battle.decision is not None
    assert battle.decision.kind != "use-power", "it is not tried again this turn"
    event = next(each for each in battle.events if isinstance(each, PowerUsed))
    assert event.rules == ("4e.psychic.psychic-test",)
    assert why_no_power({"PSYKER"}, 1)


@pytest.mark.rule("4e.psychic.as-shooting", "4e.psychic.one-target")
def test_a_power_that_strikes_is_fired_with_the_unit_at_its_target_and_needs_sight() -> None:
    squad = mixed("Squad", unit(1, "INFANTRY", "PSYKER", weapons=[BOLT]), unit(1, weapons=[printed_weapon()]))
    battle = scene(
        squad.at(10, 10),
        [unit(1).at(10, 20), unit(1).at(20, 20)],
        phase=Phase.SHOOTING,
        alone=True,
        edition="4",
        dice=[(TEST, [6, 5]), ("hit", [1])],
    )
    decide(battle, select_unit_to_shoot="a.1", select_target="b.1", select_weapon="weapon:0")
    assert battle.decision is None
    assert battle.state.units[0].target == 1, "one target for all; the failed power has not been fired at another"


@pytest.mark.rule("4e.perils.trigger", "4e.perils.hit", "4e.perils.power-works-on-two", "4e.perils.twelve-fails")
def test_two_and_twelve_bring_a_hit_that_nothing_saves() -> None:
    assert [psychic_test(faces, 10).perils for faces in ((1, 1), (6, 6), (1, 2), (6, 5))] == [True, True, False, False]
    assert psychic_test((1, 1), 8).works
    assert not psychic_test((6, 6), 10).works
    seer = unit(1, "INFANTRY", "PSYKER", abilities=("Fortune",), Ld=8, Sv="2+", InSv="4+", W=2, T=4)
    battle = scene(seer.at(10, 10), unit(1).at(60, 40), edition="4", dice=[(TEST, [1, 1]), ("perils", [3])])
    battle.answer(Pick("0:FORTUNE:a.1"))
    assert int(battle.state.wounds[0]) == 1
    assert "UNDER FORTUNE" in names_of(battle.scene, battle.state, 0)


@pytest.mark.rule("4e.retinue.retinue-destroyed", "4e.shooting-at-characters.lone-closest-only")
@pytest.mark.rule("4e.character-movement.move-through-cover", "4e.character-movement.skilled-rider")
def test_a_lord_whose_retinue_is_gone_is_a_character_like_others() -> None:
    gun = printed_weapon("Gun", "HEAVY 1", R='48"')
    lord = mixed("Lord", unit(1, *LORD), unit(1))
    for left, aimed in (((1, 1), {"b.1", "b.2"}), ((1, 0), {"b.2"})):
        battle = scene(
            unit(1, weapons=[gun]).at(10, 10), [lord.on((10, 24), (12, 24)).having(wounds=left), unit(1).at(10, 20)],
            phase=Phase.SHOOTING, edition="4",
        )  # fmt: skip
        battle.answer(Pick("a.1"))
        keys = {option.key for option in battle.options()}
        assert keys & {"b.1", "b.2"} == aimed
    assert {"MOVE THROUGH COVER", "SKILLED RIDER"} <= names_of(battle.scene, battle.state, 1)
    assert "MOVE THROUGH COVER" not in names_of(battle.scene, battle.state, 3)
