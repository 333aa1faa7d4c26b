"""Stratagems (15): costs and limits, the windows in which they are offered, and each of the core ones but Command
Re-roll."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from battlewright.core.battle import Procedure
from battlewright.core.decisions import SIDES, Side
from battlewright.editions.eleventh import fight, stratagems
from battlewright.editions.eleventh.abilities.in_force import protected_beyond
from battlewright.editions.eleventh.core_stratagems import CORE_STRATAGEMS, FRAY, LEAP, explosives_targets
from battlewright.editions.eleventh.events import BattleShockTested, ChargeDeclared, StratagemUsed
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase, StratagemRule
from battlewright.editions.eleventh.stratagems import Mode, Stratagem, Use, Whose, cp_cost, may_use, pay
from battlewright.editions.eleventh.triggers import Occasion, Trigger, TriggerKind, active_side, resolve_triggers
from battlewright.editions.eleventh.visibility import behind_smoke
from support.combat import aim, declare, events_of, no_dice_left, run, run_asking, stages, wounds
from support.eleventh import UnitSpec, attached, box, decision, scene, unit, weapon

RIFLE = weapon("Rifle", A=2)
SWORD = weapon("Sword", melee=True, A=2)
BY_ID = {stratagem.id: stratagem for stratagem in CORE_STRATAGEMS}
NEVER = {"offer_command_re_roll": "never"}


def battle_of(mine: Any, theirs: Any = (), *, cp: tuple[int, int] = (3, 3), **settings: Any) -> Battle11:
    """A battle whose players have CP and are not asked for Command Re-rolls."""
    options = {**NEVER, **settings.pop("options", {})}
    return scene(mine, theirs, cp=cp, options=options, **settings)


def keys(battle: Battle11) -> list[str]:
    return [option.key for option in battle.options()]


def offered(battle: Battle11, name: str) -> list[str]:
    """The uses of a stratagem that the present decision offers."""
    return [key for key in keys(battle) if key.startswith(f"{name}:")]


def used(battle: Battle11) -> list[tuple[str, str, int]]:
    return [(event.stratagem, event.unit, event.cost) for event in events_of(battle, StratagemUsed)]


def lose_models(battle: Battle11) -> None:
    """Whoever has to select models that lose wounds takes the default."""
    while decision(battle).kind == "select-model":
        battle.answer(decision(battle).default())


def a_use(name: str = "fire-overwatch", unit: int = 0, side: int = 0, mode: Mode = Mode()) -> Use:  # noqa: B008
    return Use(BY_ID[name], Side(side), unit, mode)


def given(side: int = 0, **settings: Any) -> StratagemRule:
    return StratagemRule(Side(side), "a rule", **settings)


# -- cost and limits (15.01) ------------------------------------------------------------------------------------


@pytest.mark.rule(
    "11e.core.01.05-stratagem-cost-caps",
    "11e.ds-other-modified.cp-increase-limit",
    "11e.ds-other-modified.cp-minimum",
    "11e.core.15.01-sequence",
)
@pytest.mark.parametrize(
    ("printed", "extra", "changes", "cost"),
    [
        (1, 0, (), 1),
        (1, 0, (1, 1), 2),
        (1, 0, (-1, -1), 0),
        (2, 0, (-1,), 1),
        (1, 1, (), 2),
        (1, 1, (1, 1), 3),
        (2, 0, (1, 1, -1), 3),
    ],
)
def test_the_cost_rises_by_one_at_most_and_never_falls_below_nothing(
    printed: int, extra: int, changes: tuple[int, ...], cost: int
):
    assert cp_cost(printed, extra, changes) == cost


@pytest.mark.rule("11e.core.15.01-once-per-phase", "11e.core.15.01-one-per-unit", "11e.core.15.01-sequence")
def test_a_use_is_paid_for_and_spends_the_stratagem_and_the_unit_for_the_phase():
    battle = battle_of([unit().at(10, 10), unit().at(20, 10)], cp=(2, 0))
    assert may_use(battle.state, a_use(unit=0))
    assert pay(battle, a_use(unit=0))
    assert battle.state.cp == (1, 0)
    assert not may_use(battle.state, a_use(unit=1)), "once in a phase"
    assert not may_use(battle.state, a_use("smokescreen", unit=0)), "one for each unit"
    assert may_use(battle.state, a_use("smokescreen", unit=1))
    while battle.state.phase == Phase.MOVEMENT:
        battle.answer("end")
    assert may_use(battle.state, a_use(unit=0)), "in the next phase again"


@pytest.mark.rule("11e.core.15.01-one-per-unit", "11e.core.01.07-shocked-no-stratagems")
def test_neither_a_battle_shocked_unit_nor_one_of_the_opponents_is_a_target():
    battle = battle_of([unit().at(10, 10).having(battle_shocked=True)], unit().at(10, 40))
    assert not may_use(battle.state, a_use(unit=0))
    assert not may_use(battle.state, a_use(unit=1))
    assert may_use(battle.state, a_use(unit=1, side=1)) is not battle.state.units[1].battle_shocked


@pytest.mark.rule("11e.core.15.01-sequence")
def test_what_cannot_be_paid_for_cannot_be_used():
    battle = battle_of([unit().at(10, 10)], cp=(1, 3))
    assert may_use(battle.state, a_use())
    assert not may_use(battle.state, a_use("counteroffensive"))
    fray = a_use("heroic-intervention", mode=Mode(FRAY, "", 1))
    assert not may_use(battle.state, fray), "the optional section is part of the cost"
    battle.state.cp = (2, 3)
    assert may_use(battle.state, fray)


@pytest.mark.rule("11e.core.15.01-zero-cost-rules")
def test_a_rule_for_no_cp_that_names_no_stratagem_takes_one_off():
    battle = battle_of([unit().at(10, 10)], cp=(0, 0))
    counter, overwatch = a_use("counteroffensive"), a_use()
    battle.state.stratagem_rules = (given(is_free=True),)
    assert may_use(battle.state, overwatch)
    assert not may_use(battle.state, counter), "2CP become 1CP"
    battle.state.stratagem_rules = (given(is_free=True, stratagem="counteroffensive"),)
    assert may_use(battle.state, counter)
    assert not may_use(battle.state, overwatch)
    assert pay(battle, counter)
    assert battle.state.cp == (0, 0)


@pytest.mark.rule("11e.core.15.01-zero-cost-rules")
def test_such_a_rule_may_be_for_one_unit_of_one_side():
    battle = battle_of([unit().at(10, 10), unit().at(20, 10)], unit().at(10, 40), cp=(0, 0))
    battle.state.stratagem_rules = (given(is_free=True, unit=1),)
    assert [may_use(battle.state, a_use(unit=u, side=int(u == 2))) for u in range(3)] == [False, True, False]


@pytest.mark.rule("11e.core.15.01-limits-need-a-name")
def test_a_limit_is_lifted_only_by_a_rule_that_names_the_stratagem():
    battle = battle_of([unit().at(10, 10), unit().at(20, 10)])
    pay(battle, a_use(unit=0))
    battle.state.stratagem_rules = (given(lifts_limits=True),)
    assert not may_use(battle.state, a_use(unit=1))
    battle.state.stratagem_rules = (given(lifts_limits=True, stratagem="fire-overwatch"),)
    assert may_use(battle.state, a_use(unit=1))
    assert not may_use(battle.state, a_use(unit=0)), "a unit is still the target of one"


@pytest.mark.rule("11e.core.15.01-raised-cost", "11e.core.15.01-once-per-phase")
def test_a_cost_that_the_opponent_raises_has_to_be_paid_or_the_use_is_lost():
    raised = (given(change=1, is_opponents=True),)
    battle = battle_of([unit().at(10, 10), unit().at(20, 10)], cp=(2, 0), stratagem_rules=raised)
    assert pay(battle, a_use(unit=0))
    assert battle.state.cp == (0, 0)
    battle = battle_of([unit().at(10, 10), unit().at(20, 10)], cp=(1, 0), stratagem_rules=raised)
    assert may_use(battle.state, a_use(unit=0)), "nobody has to foresee it"
    assert not pay(battle, a_use(unit=0))
    assert battle.state.cp == (1, 0)
    assert [(event.paid, event.cost) for event in events_of(battle, StratagemUsed)] == [(False, 2)]
    assert not may_use(battle.state, a_use(unit=1)), "it counts as used"
    assert may_use(battle.state, a_use("smokescreen", unit=0)), "but not on the unit"


@pytest.mark.rule("11e.core.15.01-copies-once")
def test_a_stratagem_that_adds_a_copy_of_a_unit_is_used_once_in_the_battle():
    battle = battle_of([unit().at(10, 10), unit().at(20, 10)])
    again = replace(BY_ID["fire-overwatch"], adds_copy=True)
    pay(battle, replace(a_use(unit=0), stratagem=again))
    battle.state.stratagems_used = ()
    assert not may_use(battle.state, replace(a_use(unit=1), stratagem=again))
    assert may_use(battle.state, a_use(unit=1))


@pytest.mark.rule("11e.core.15.01-protection-range")
def test_protection_from_beyond_12_inches_is_from_beyond_18():
    assert [protected_beyond(inches) for inches in (6.0, 12.0, 18.0)] == [6.0, 18.0, 18.0]


# -- the order of simultaneous rules (01.03) --------------------------------------------------------------------


def rules_at(battle: Battle11, told: list[str], *specs: tuple[str, int, bool, TriggerKind]) -> list[Trigger]:
    def act(name: str) -> Any:
        def resolve(battle: Battle11) -> Procedure[None]:
            told.append(name)
            yield from ()

        return resolve

    return [
        Trigger(name, name, "11e.core.01.03.02-simultaneous-order", SIDES[side], act(name), optional, kind)
        for name, side, optional, kind in specs
    ]


PLAYERS, MISSION, ALWAYS = TriggerKind.PLAYERS, TriggerKind.MISSION, TriggerKind.MISSION_ALWAYS


@pytest.mark.rule(
    "11e.core.01.03.02-simultaneous-order", "11e.core.01.03-players-rules", "11e.core.01.03-always-mission-rules-first"
)
@pytest.mark.parametrize("turn", [0, 1])
def test_the_active_players_rules_go_first_and_what_is_mandatory_before_what_is_optional(turn: int):
    battle, told = battle_of([unit().at(10, 10)], unit().at(10, 40), turn=turn), list[str]()
    batch = rules_at(
        battle,
        told,
        ("mission", 0, False, MISSION),
        ("theirs, optional", 1 - turn, True, PLAYERS),
        ("theirs", 1 - turn, False, PLAYERS),
        ("mine, optional", turn, True, PLAYERS),
        ("mine", turn, False, PLAYERS),
        ("always", 0, False, ALWAYS),
    )
    _, asked = run_asking(resolve_triggers(battle, lambda: batch), "mine, optional", "theirs, optional")
    assert told == ["always", "mine", "mine, optional", "theirs", "theirs, optional", "mission"]
    assert [each.side for each in asked] == [turn, 1 - turn]


@pytest.mark.rule("11e.core.01.03.02-simultaneous-order")
def test_each_player_orders_its_own_rules_and_may_leave_optional_ones():
    battle, told = battle_of([unit().at(10, 10)]), list[str]()
    rules = [(name, 0, name > "c", PLAYERS) for name in "abcde"]
    batch = rules_at(battle, told, *rules)
    _, asked = run_asking(resolve_triggers(battle, lambda: batch), "c", "a", "e", "none")
    assert told == ["c", "a", "b", "e"]
    assert [each.kind for each in asked] == ["order-rules", "order-rules", "use-rule", "use-rule"]


@pytest.mark.rule("11e.core.01.03.02-new-triggers-wait")
def test_what_is_triggered_meanwhile_waits_for_the_rest_of_the_batch():
    battle, told = battle_of([unit().at(10, 10)], unit().at(10, 40)), list[str]()
    specs = [("first", 0, False, PLAYERS), ("second", 1, False, PLAYERS), ("new", 0, False, PLAYERS)]

    def collect() -> Iterator[Trigger]:
        batch = rules_at(battle, told, *specs)
        yield from batch if told else batch[:2]

    run(resolve_triggers(battle, collect))
    assert told == ["first", "second", "new"]


# -- Insane Bravery (15.04) -------------------------------------------------------------------------------------

HALF = unit(4).at(10, 10).having(wounds=(1, 1, 0, 0))


def command_phase(*mine: UnitSpec, **settings: Any) -> Battle11:
    return battle_of([*mine, unit(name="Other").at(2, 2)], phase=Phase.COMMAND, **settings)


@pytest.mark.rule("11e.core.15.04-insane-bravery", "11e.core.01.05-automatic-success")
def test_insane_bravery_lets_a_battle_shock_roll_succeed_without_dice_once_a_battle():
    battle = command_phase(HALF, HALF.at(20, 10), cp=(0, 0), dice=[("battle-shock", (1, 1))])
    assert keys(battle) == ["insane-bravery:a.1", "none"]
    battle.answer("insane-bravery:a.1")
    tested = events_of(battle, BattleShockTested)
    assert [(event.unit, event.faces, event.battle_shocked) for event in tested] == [
        ("a.1", (), False),
        ("a.2", (1, 1), True),
    ]
    assert battle.state.cp == (0, 1)
    assert not battle.state.units[0].stands_firm
    no_dice_left(battle)
    battle.state.stratagems_used, battle.state.cp = (), (5, 5)
    assert not may_use(battle.state, a_use("insane-bravery")), "once a battle"


@pytest.mark.rule("11e.core.15.04-not-when-shocked")
def test_insane_bravery_is_not_for_a_unit_that_is_battle_shocked_already():
    battle = command_phase(HALF.having(battle_shocked=True), dice=[("battle-shock", (1, 1))])
    assert used(battle) == []
    assert decision(battle).kind == "select-unit-to-move"


# -- Fire Overwatch and snap shooting (15.08, 15.09) ----------------------------------------------------------------

WATCHER = unit(2, weapons=(RIFLE,), name="Watcher")


def end_of_movement(watchers: Sequence[UnitSpec], *movers: UnitSpec, **settings: Any) -> Battle11:
    """The turn player has moved all it wants."""
    battle = battle_of(list(movers), list(watchers), phase=Phase.MOVEMENT, **settings)
    battle.answer("end")
    return battle


@pytest.mark.rule("11e.core.15.08-fire-overwatch", "11e.core.15.09-snap-shooting")
def test_at_the_end_of_the_opponents_movement_a_unit_snap_shoots_at_one_enemy_unit():
    dice = [("hit", (5, 6, 6, 1)), ("wound", (4, 4)), ("save", (1, 1))]
    battle = end_of_movement([WATCHER.at(10, 30)], unit(3).at(10, 15), unit(3).at(20, 15), unit(3).at(10, 4), dice=dice)
    assert decision(battle).side == 1
    assert decision(battle).prompt == "Your opponent's Movement phase ends. Use one of these?"
    assert keys(battle) == ["fire-overwatch:b.1", "none"]
    battle.answer("fire-overwatch:b.1")
    assert keys(battle) == ["a.1", "a.2"], "within 24 inches"
    battle.answer("a.1")
    assert decision(battle).prompt.endswith("select weapons and targets for snap shooting")
    assert {target for targets in decision(battle).choices.uses.values() for target in targets} == {0}  # type: ignore[union-attr]
    battle.answer(decision(battle).default())
    lose_models(battle)
    assert stages(battle, "hit")[0].outcomes == (("miss", 2), ("hit", 2), ("critical-hit", 0))
    assert sum(wounds(battle, "a.1")) == 1
    assert battle.state.units[3].last_shot == battle.state.turns
    assert used(battle) == [("Fire Overwatch", "b.1", 1)]


@pytest.mark.rule("11e.core.15.08-fire-overwatch")
def test_overwatch_is_for_unengaged_units_that_are_not_titanic_and_see_somebody_in_reach():
    mover = unit(name="Mover").at(10, 15)
    cases = {
        "ready": WATCHER.at(10, 30),
        "titanic": unit(1, "VEHICLE", "TITANIC", weapons=(RIFLE,)).at(10, 30),
        "unarmed": unit(1, weapons=(SWORD,)).at(10, 30),
        "far": WATCHER.at(10, 41),
        "shocked": WATCHER.at(10, 30).having(battle_shocked=True),
        "engaged": WATCHER.at(10, 17),
    }
    found = {
        name: bool(offered(end_of_movement([watcher], mover), "fire-overwatch")) for name, watcher in cases.items()
    }
    assert found == {name: name == "ready" for name in cases}


@pytest.mark.rule("11e.core.15.08-fire-overwatch")
def test_overwatch_is_for_the_opponent_of_the_turn_player_alone_and_for_a_cp():
    mover = WATCHER.at(10, 15)
    battle = end_of_movement([WATCHER.at(10, 30)], mover, cp=(3, 0))
    assert decision(battle).kind == "select-unit-to-shoot"


@pytest.mark.rule("11e.core.15.09-snap-shooting", "11e.core.15.09-snap-not-critical")
def test_snap_shots_hit_on_unmodified_sixes_that_are_not_critical_whatever_the_skill():
    gun = weapon("Gun", "SUSTAINED HITS 1", "LETHAL HITS", A=6, BS="2+")
    battle = end_of_movement(
        [unit(1, weapons=(gun,)).at(10, 30)],
        unit(3).at(10, 15),
        dice=[("hit", (2, 3, 4, 5, 6, 6)), ("wound", (1, 1))],
    )
    battle.answer("fire-overwatch:b.1")
    battle.answer(decision(battle).default())
    hit = stages(battle, "hit")[0]
    assert hit.needed == 6
    assert hit.outcomes == (("miss", 4), ("hit", 2), ("critical-hit", 0))


@pytest.mark.rule("11e.core.15.09-snap-shooting")
def test_the_hits_of_snap_shooting_are_not_re_rolled():
    options = {"offer_command_re_roll": "all"}
    battle = end_of_movement(
        [unit(1, weapons=(RIFLE,)).at(10, 30)], unit(3).at(10, 15), options=options, dice=[("hit", (1, 1))]
    )
    battle.answer("fire-overwatch:b.1")
    battle.state.units[1].stratagem = ""  # it could be the target of another but for the rule
    battle.answer(decision(battle).default())
    assert not decision(battle).kind.startswith("command-re-roll")
    assert stages(battle, "hit")[0].outcomes[0] == ("miss", 2)


@pytest.mark.rule("11e.core.15.09-snap-shooting")
def test_when_the_target_is_gone_what_was_aimed_at_it_is_lost():
    strong = weapon("Strong", A=1, S=8, AP=-4, D=3)
    battle = end_of_movement(
        [unit(1, weapons=(strong, RIFLE)).at(10, 30)],
        unit(1).at(10, 15),
        unit(3).at(20, 15),
        dice=[("hit", (6,)), ("wound", (6,)), ("save", (1,))],
    )
    battle.answer("fire-overwatch:b.1")
    battle.answer("a.1")
    battle.answer(decision(battle).default())
    battle.answer("pool:0")
    assert wounds(battle, "a.1") == [0]
    assert wounds(battle, "a.2") == [1, 1, 1]
    no_dice_left(battle)


@pytest.mark.rule("11e.core.15.09-snap-shooting")
@pytest.mark.parametrize(("choice", "thrown"), [("hits", 0), ("sixes", 1)])
def test_torrent_in_snap_shooting_hits_unless_agreed_otherwise(choice: str, thrown: int):
    flamer = weapon("Flamer", "TORRENT", A=2, BS="-")
    dice = [("hit", (5, 6)), ("wound", (1,))] if thrown else [("wound", (1, 1))]
    battle = end_of_movement(
        [unit(1, weapons=(flamer,)).at(10, 30)],
        unit(3).at(10, 15),
        options={"torrent_in_snap_shooting": choice},
        dice=dice,
    )
    battle.answer("fire-overwatch:b.1")
    battle.answer(decision(battle).default())
    assert len(stages(battle, "hit")) == thrown
    no_dice_left(battle)


# -- Rapid Ingress (15.07) --------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.15.07-rapid-ingress")
@pytest.mark.parametrize(
    ("keywords", "battle_round", "is_offered"),
    [(("INFANTRY",), 2, True), (("INFANTRY",), 1, False), (("VEHICLE", "AIRCRAFT"), 2, False)],
)
def test_who_may_arrive_by_rapid_ingress(keywords: tuple[str, ...], battle_round: int, is_offered: bool):
    waiting = unit(2, *keywords).having(in_reserves=True)
    battle = end_of_movement([waiting], unit().at(10, 15), battle_round=battle_round)
    assert bool(offered(battle, "rapid-ingress")) is is_offered


@pytest.mark.rule("11e.core.15.07-rapid-ingress")
def test_rapid_ingress_is_an_ingress_move_at_the_end_of_the_opponents_movement():
    battle = end_of_movement([unit(2).having(in_reserves=True)], unit(1, weapons=(RIFLE,)).at(10, 15))
    battle.answer("rapid-ingress:b.1")
    assert decision(battle).kind == "ingress-move"
    battle.answer(decision(battle).default())
    assert battle.state.phase == Phase.SHOOTING
    arrived = battle.state.units[battle.scene.by_id["b.1"]]
    assert not arrived.in_reserves
    assert all(battle.state.on_table[row] for row in arrived.models)
    assert used(battle) == [("Rapid Ingress", "b.1", 1)]


# -- Smokescreen (15.10) ----------------------------------------------------------------------------------------


@pytest.mark.rule("11e.core.15.10-smokescreen", "11e.core.13.08-by-rule")
def test_a_smokescreen_gives_cover_to_its_unit_and_to_who_stands_behind_its_models():
    smoker = unit(3, "INFANTRY", "SMOKE", base="60mm", height=3.0, name="Smoker").at(8, 22, apart=2.5)
    behind = unit(1, name="Behind").at(10.5, 28)
    aside = unit(1, name="Aside").at(30, 28)
    battle = battle_of(
        [unit(1, weapons=(RIFLE,)).at(10.5, 10)], [smoker, behind, aside], phase=Phase.SHOOTING, dice=[("hit", (3, 3))]
    )
    assert decision(battle).side == 1
    assert keys(battle) == ["smokescreen:b.1", "none"]
    battle.answer("smokescreen:b.1")
    covered = [bool(behind_smoke(battle.scene, battle.state, 0, target).all()) for target in (1, 2, 3)]
    assert covered == [True, True, False]
    battle.answer("a.1")
    battle.answer(declare(aim("b.1", 0)))
    assert stages(battle, "hit")[0].needed == 4


@pytest.mark.rule("11e.core.15.10-smokescreen")
def test_the_smoke_clears_at_the_end_of_the_phase_and_is_for_smoke_units():
    battle = battle_of(
        [unit(1, weapons=(RIFLE,)).at(10, 10)],
        [unit(1).at(10, 40), unit(1, "SMOKE", name="Smoker").at(20, 40)],
        phase=Phase.SHOOTING,
    )
    assert keys(battle) == ["smokescreen:b.2", "none"]
    battle.answer("smokescreen:b.2")
    assert battle.state.units[2].smoke
    while battle.state.phase == Phase.SHOOTING:
        battle.answer("end")
    assert not battle.state.units[2].smoke


# -- Explosives (15.05) -----------------------------------------------------------------------------------------


def grenadiers(*keywords: str, **flags: Any) -> UnitSpec:
    return unit(2, *(keywords or ("GRENADES",)), weapons=(RIFLE,), name="Grenadiers").at(10, 10).having(**flags)


def shooting_of(*mine: UnitSpec, theirs: Any, **settings: Any) -> Battle11:
    return battle_of([*mine, WATCHER.at(40, 2)], theirs, phase=Phase.SHOOTING, **settings)


@pytest.mark.rule("11e.core.15.05-explosives")
def test_explosives_are_six_dice_each_of_which_is_a_mortal_wound_on_a_four():
    battle = shooting_of(
        grenadiers(), theirs=[unit(5).at(10, 16), unit(5).at(24, 10)], dice=[("explosives", (1, 3, 4, 5, 6, 2))]
    )
    assert offered(battle, "explosives") == ["explosives:a.1"]
    battle.answer("explosives:a.1")
    lose_models(battle)
    assert sum(wounds(battle, "b.1")) == 2
    assert sum(battle.state.on_table[row] for row in battle.state.units[2].models) == 2, "removed at once"
    assert used(battle) == [("Explosives", "a.1", 1)]
    assert "a.1" in keys(battle), "it may still shoot"
    no_dice_left(battle)


@pytest.mark.rule("11e.core.15.05-explosives")
@pytest.mark.parametrize(
    ("who", "is_offered"),
    [
        (grenadiers("EXPLOSIVES"), True),
        (grenadiers("INFANTRY"), False),
        (grenadiers(advanced=True), False),
        (grenadiers(selected_to_shoot=True), False),
        (grenadiers(battle_shocked=True), False),
    ],
)
def test_who_may_use_explosives(who: UnitSpec, is_offered: bool):
    battle = shooting_of(who, theirs=unit(5).at(10, 16))
    assert bool(offered(battle, "explosives")) is is_offered


@pytest.mark.rule("11e.core.15.05-explosives")
def test_at_whom_explosives_are_thrown():
    def targets(*foes: UnitSpec, **settings: Any) -> list[int]:
        battle = shooting_of(grenadiers(), theirs=list(foes), **settings)
        return explosives_targets(battle.scene, battle.state, 0)

    assert targets(unit().at(10, 16), unit().at(10, 21)) == [2], "within 8 inches"
    assert targets(unit().at(10, 16), terrain=[box(4, 12, 20, 14, 5)]) == [], "visible"
    battle = battle_of([grenadiers(), unit(1).at(10, 18)], [unit().at(10, 16)], phase=Phase.SHOOTING)
    assert explosives_targets(battle.scene, battle.state, 0) == [], "unengaged"


# -- Crushing Impact (15.06) ------------------------------------------------------------------------------------


def impact(battle: Battle11, *answers: str) -> None:
    """Resolve a Crushing Impact of the first unit by hand."""
    run(stratagems.use(battle, a_use("crushing-impact")), *answers)


@pytest.mark.rule("11e.core.15.06-crushing-impact")
def test_crushing_impact_rolls_as_many_dice_as_the_models_toughness():
    tank = unit(1, "VEHICLE", T=8, W=10, Sv="2+").at(10, 10)
    battle = battle_of(
        tank,
        unit(5, W=2).at(10, 13),
        phase=Phase.FIGHT,
        dice=[("crushing-impact", (1, 1, 2, 4, 5, 6, 3, 5))],
    )
    impact(battle)
    assert wounds(battle, "a.1") == [8]
    assert sum(wounds(battle, "b.1")) == 10 - 3
    no_dice_left(battle)


@pytest.mark.rule("11e.core.15.06-crushing-impact")
def test_no_unit_suffers_more_than_six_and_the_own_model_is_picked_for_its_toughness():
    mixed = attached(unit(1, "VEHICLE", T=12, W=20, base="40mm"), unit(1, "CHARACTER", T=4, W=3, name="Rider"))
    battle = battle_of(
        mixed.on((10, 10), (12, 10)),
        unit(10).at(6, 12),
        phase=Phase.FIGHT,
        dice=[("crushing-impact", (5,) * 12)],
    )
    impact(battle, "model:0")
    assert sum(wounds(battle, "b.1")) == 10 - 6


@pytest.mark.rule("11e.core.15.06-crushing-impact")
@pytest.mark.parametrize(
    ("keywords", "is_offered"), [(("VEHICLE",), True), (("MONSTER",), True), (("INFANTRY",), False)]
)
def test_crushing_impact_is_offered_after_a_charge_move_of_a_monster_or_vehicle(
    keywords: tuple[str, ...], is_offered: bool
):
    battle = battle_of(
        [unit(1, *keywords, T=2).at(10, 10), unit(1, name="Other").at(2, 2)],
        unit(3).at(10, 15),
        phase=Phase.CHARGE,
        dice=[("charge", (5, 5))],
    )
    for answer in ("a.1", "b.1"):
        battle.answer(answer)
    battle.answer(decision(battle).default())
    assert battle.state.units[0].charged
    assert bool(offered(battle, "crushing-impact")) is is_offered


# -- Heroic Intervention (15.11) --------------------------------------------------------------------------------


def end_of_charges(heroes: Sequence[UnitSpec], *foes: UnitSpec, **settings: Any) -> Battle11:
    """Side a has made its charges; a lone unit of it has kept the phase open."""
    runner = unit(1, name="Runner").at(40, 2)
    bait = unit(1, name="Bait").at(40, 8)
    battle = battle_of([*foes, runner], [*heroes, bait], phase=Phase.CHARGE, **settings)
    battle.answer("end")
    return battle


HERO = unit(1, weapons=(SWORD,), name="Hero")


@pytest.mark.rule("11e.core.15.11-heroic-intervention", "11e.core.15.11-leap-to-defend")
def test_leaping_to_defend_charges_only_who_made_a_charge_move_this_phase():
    battle = end_of_charges(
        [HERO.at(10, 20)],
        unit(1, name="Charger").at(10, 14).having(charged=True, moved_as="charge", declared_charge=True),
        unit(1, name="Bystander").at(14, 14).having(declared_charge=True),
        dice=[("charge", (6, 6))],
    )
    assert decision(battle).side == 1
    assert offered(battle, "heroic-intervention") == [
        "heroic-intervention:b.1:leap-to-defend",
        "heroic-intervention:b.1:into-the-fray",
        "heroic-intervention:b.2:into-the-fray",
    ]
    battle.answer("heroic-intervention:b.1:leap-to-defend")
    assert keys(battle) == ["a.1", "none"]
    battle.answer("a.1")
    battle.answer(decision(battle).default())
    hero = battle.state.units[battle.scene.by_id["b.1"]]
    assert hero.charged
    assert fight.has_fights_first(battle.scene, battle.state, battle.scene.by_id["b.1"])
    assert used(battle) == [("Heroic Intervention", "b.1", 1)]


@pytest.mark.rule("11e.core.01.03-active-while-moving")
def test_who_intervenes_is_the_active_player_until_its_move_ends():
    charger = unit(1, name="Charger").at(10, 14).having(charged=True)
    battle = end_of_charges([HERO.at(10, 20)], charger, dice=[("charge", (6, 6))])
    assert active_side(battle.state) == 0
    battle.answer("heroic-intervention:b.1:leap-to-defend")
    battle.answer("a.1")
    assert decision(battle).kind == "charge-move"
    assert active_side(battle.state) == 1
    battle.answer(decision(battle).default())
    assert active_side(battle.state) == 0


@pytest.mark.rule("11e.core.15.11-into-the-fray", "11e.core.15.11-heroic-intervention")
def test_into_the_fray_costs_two_and_counts_as_six_at_the_most():
    battle = end_of_charges(
        [HERO.at(10, 20)],
        unit(1, name="Near").at(10, 14.5),
        unit(1, name="Far").at(17.5, 14.5),
        dice=[("charge", (6, 6))],
    )
    battle.answer("heroic-intervention:b.1:into-the-fray")
    assert [event.distance for event in events_of(battle, ChargeDeclared)] == [6]
    assert keys(battle) == ["a.1", "none"], "within 6 inches"
    assert used(battle) == [("Heroic Intervention", "b.1", 2)]


@pytest.mark.rule("11e.core.15.11-heroic-intervention")
@pytest.mark.parametrize(
    ("hero", "is_offered"),
    [
        (HERO.at(10, 20), True),
        (HERO.at(10, 28), False),
        (HERO.at(10, 16), False),
        (unit(1, "VEHICLE").at(10, 20), False),
        (unit(1, "VEHICLE", "WALKER").at(10, 20), True),
        (unit(1, "VEHICLE", "CHARACTER").at(10, 20), True),
        (HERO.at(10, 20).having(battle_shocked=True), False),
    ],
)
def test_who_may_intervene(hero: UnitSpec, is_offered: bool):
    battle = end_of_charges([hero], unit(1, name="Charger").at(10, 14).having(charged=True))
    assert any("b.1" in key and LEAP in key for key in keys(battle)) is is_offered


# -- Epic Challenge and Counteroffensive (15.03, 15.12) -------------------------------------------------------------


@pytest.mark.rule("11e.core.15.03-epic-challenge")
def test_an_epic_challenge_gives_precision_to_the_melee_weapons_of_one_character():
    captain = unit(1, "CHARACTER", weapons=(SWORD,), W=4, name="Captain")
    mine = attached(unit(1, weapons=(SWORD,)), captain).on((10, 10), (12, 10))
    theirs = attached(unit(2, name="Guard"), unit(1, "CHARACTER", W=3, name="Boss")).on((10, 12), (12, 12), (14, 12))
    dice = [("hit", (6, 6)), ("wound", (6, 6)), ("save", (1, 1)), ("hit", (1, 1))]
    battle = battle_of(mine, theirs, phase=Phase.FIGHT, dice=dice)
    while decision(battle).kind != "select-unit-to-fight":
        battle.answer("end")
    battle.answer("a.1")
    assert keys(battle) == ["epic-challenge:a.1", "none"]
    battle.answer("epic-challenge:a.1")
    battle.answer(declare(aim("b.1", 0), aim("b.1", 1)))
    assert keys(battle) == ["pool:0", "pool:1", "as-declared"], "no identical attacks any more"
    battle.answer("pool:1")
    assert decision(battle).kind == "precision"
    battle.answer(keys(battle)[0])
    assert wounds(battle, "b.1") == [1, 1, 1]
    assert used(battle) == [("Epic Challenge", "a.1", 1)]


@pytest.mark.rule("11e.core.15.03-epic-challenge")
def test_only_character_units_challenge_and_only_their_own_player_asks():
    battle = battle_of(unit(1, weapons=(SWORD,)).at(10, 10), unit(1, "CHARACTER").at(10, 12), phase=Phase.FIGHT)
    while decision(battle).kind != "select-unit-to-fight":
        battle.answer("end")
    battle.answer("a.1")
    assert decision(battle).kind == "declare-attacks"


@pytest.mark.rule("11e.core.15.12-counteroffensive")
def test_counteroffensive_lets_a_unit_fight_next_and_first():
    striker = unit(1, weapons=(SWORD,), name="Striker")
    mine = [striker.at(10, 10).having(charged=True), striker.at(20, 10).having(charged=True)]
    theirs = [unit(3, weapons=(SWORD,)).at(10, 12), unit(3, weapons=(SWORD,)).at(20, 12)]
    battle = battle_of(mine, theirs, phase=Phase.FIGHT, dice=[("hit", (1, 1)), ("hit", (1, 1)), ("hit", (1,) * 6)])
    while decision(battle).kind != "select-unit-to-fight":
        battle.answer("end")
    battle.answer("a.1")
    battle.answer(decision(battle).default())
    assert decision(battle).side == 1
    assert keys(battle) == ["counteroffensive:b.1", "counteroffensive:b.2", "none"]
    battle.answer("counteroffensive:b.2")
    assert battle.state.cp == (3, 1)
    assert (decision(battle).side, keys(battle)) == (1, ["b.2"]), "though a.2 has Fights First and b.1 could fight"
    assert fight.has_fights_first(battle.scene, battle.state, 3)
    battle.answer("b.2")
    assert battle.state.next_to_fight == (-1, -1)


@pytest.mark.rule("11e.core.15.12-counteroffensive")
def test_without_it_the_unit_would_have_to_wait():
    striker = unit(1, weapons=(SWORD,), name="Striker")
    mine = [striker.at(10, 10).having(charged=True), striker.at(20, 10).having(charged=True)]
    theirs = [unit(3, weapons=(SWORD,)).at(10, 12), unit(3, weapons=(SWORD,)).at(20, 12)]
    battle = battle_of(mine, theirs, phase=Phase.FIGHT, dice=[("hit", (1, 1))])
    while decision(battle).kind != "select-unit-to-fight":
        battle.answer("end")
    battle.answer("a.1")
    battle.answer(decision(battle).default())
    battle.answer("none")
    assert (decision(battle).side, keys(battle)) == (0, ["a.2"])


# -- what battles offer -----------------------------------------------------------------------------------------


def test_without_stratagems_nobody_is_asked():
    battle = end_of_movement([WATCHER.at(10, 30)], unit().at(10, 15), options={"stratagems": "none"})
    assert not any(offered(battle, name) for name in BY_ID)
    assert battle.scene.stratagems == ()


def test_every_core_stratagem_has_a_name_a_cost_and_an_occasion_of_its_own():
    assert len(BY_ID) == len(CORE_STRATAGEMS)
    assert {each.id: each.cost for each in CORE_STRATAGEMS if each.cost != 1} == {"counteroffensive": 2}
    assert all(isinstance(each, Stratagem) for each in CORE_STRATAGEMS)
    assert [each.whose for each in CORE_STRATAGEMS].count(Whose.OPPONENTS) >= 4
    assert {each.occasion for each in CORE_STRATAGEMS} <= set(Occasion)
