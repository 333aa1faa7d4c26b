"""Random battles of the fighting half of the 3rd edition: they end, and forks made anywhere follow them."""

from __future__ import annotations

import random

import pytest
from tests.support.classic import mixed, printed_weapon, scene, unit

from battlewright.core.dice import SeededDice
from battlewright.core.table import TerrainArea
from battlewright.editions.classic.scene import ClassicBattle
from battlewright.editions.classic.state import Phase

BOLTER = printed_weapon("Boltgun", "RAPID FIRE")
PISTOL = printed_weapon("Bolt pistol", "PISTOL", R='12"')
BLADE = printed_weapon("Blade", "ONE-HANDED", melee=True)
FIST = printed_weapon("Power fist", "POWER FIST", melee=True)
CANNON = printed_weapon("Battle cannon", "ORDNANCE 1", "BLAST", R='72"', S=8, AP=3)
MISSILE = printed_weapon("Frag missile", "HEAVY 1", "BLAST", R='48"', S=4, AP=6)
FLAMER = printed_weapon("Flamer", "ASSAULT 1", "TEMPLATE", R='8"', S=4, AP=5)
MORTAR = printed_weapon("Mortar", "HEAVY 1", "BLAST", "BARRAGE", "GUESS", R='48"', S=4, AP=6)
PLASMA = printed_weapon("Plasma gun", "RAPID FIRE", "GETS HOT", S=7, AP=2)
WOODS = TerrainArea(
    "woods", ((20, 18), (30, 18), (30, 26), (20, 26)), height=3.0, tags=frozenset({"area", "woods", "difficult"})
)


def battle_of(seed: int) -> ClassicBattle:
    squad = mixed("Squad", unit(6, weapons=[BOLTER]), unit(1, weapons=[FLAMER]), unit(1, weapons=[PLASMA]))
    sergeant = unit(1, "INFANTRY", "CHARACTER", name="Sergeant", A=3, weapons=[PISTOL, FIST])
    mob = unit(10, name="Mob", Sv="6+", weapons=[PISTOL, BLADE])
    tank = unit(1, "VEHICLE", name="Tank", base="hull 6x4in", weapons=[CANNON, BOLTER])
    walker = unit(1, "VEHICLE", "WALKER", name="Walker", WS=4, S=6, I=4, A=2, base="60mm", weapons=[FIST])
    captain = unit(1, "INFANTRY", "INDEPENDENT CHARACTER", name="Captain", W=2, A=3, I=5, weapons=[PISTOL, FIST])
    a = [
        squad.at(12, 17, apart=1.6),
        mixed("Assault squad", sergeant, unit(5, weapons=[PISTOL, BLADE])).at(34, 18, apart=1.6),
        tank.on((50, 12, 0, 90)),
        unit(2, name="Mortars", weapons=[MORTAR, BOLTER]).at(60, 6),
        captain.at(31, 16),
    ]
    b = [
        mob.at(12, 22, apart=1.4, rank=5),
        mob.at(33, 23, apart=1.4, rank=5),
        walker.at(28, 23),
        unit(3, name="Launchers", weapons=[MISSILE]).at(50, 30),
        unit(3, "BIKE", name="Bikers", base="60x35mm", W=1, T="4(5)", weapons=[BOLTER]).at(60, 30, apart=3),
    ]
    return scene(a, b, phase=Phase.SHOOTING, game_turn=4, terrain=[WOODS], dice=SeededDice(seed))


@pytest.mark.parametrize("seed", range(4))
def test_random_battles_end_and_forks_follow_them(seed: int) -> None:
    battle, rng = battle_of(seed), random.Random(seed)
    copies: list[ClassicBattle] = []
    for number in range(4000):
        decision = battle.decision
        if decision is None:
            break
        if decision.is_checkpoint:
            assert battle.stack_is_resumable(), list(battle.stack())
        if number % 7 == 0:
            copies = [battle.fork()]
        answer = decision.sample(rng)
        assert decision.check(answer) == []
        battle.answer(answer)
        for copy in copies:
            copy.answer(answer)
            assert copy.checksum() == battle.checksum()
    assert battle.decision is None, "the battle does not end"
    assert (battle.state.wounds >= 0).all()
    assert not (battle.state.on_table & (battle.state.wounds == 0)).any(), "the dead have left the table"
