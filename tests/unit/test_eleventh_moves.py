"""Spaces of moves and set-ups: what they accept, refuse and propose."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from battlewright.core.bases import Base, Pose
from battlewright.core.battle import Battle
from battlewright.core.decisions import ModelMove, Place
from battlewright.core.shapes import TOLERANCE, overlaps_polygon, separation, wholly_within_polygon
from battlewright.core.state import checksum
from battlewright.editions.eleventh import formations
from battlewright.editions.eleventh.conditions import FarFromEnemies
from battlewright.editions.eleventh.movement import advance_space, fall_back_space, normal_space
from battlewright.editions.eleventh.moves import MoveSpace, SetUpSpace, deployment_space
from battlewright.editions.eleventh.scene import Battle11
from battlewright.editions.eleventh.state import Phase
from support.eleventh import UnitSpec, box, place, scene, shift, unit, walk

DEPLOY = "11e.core.mission.deployment"
CROWD = [
    unit(10).at(3, 20, rank=5),
    unit(5, base="40mm", name="Heavies").at(16, 20, apart=2, rank=3),
    unit(1, "VEHICLE", base="hull 5x3in", name="Tank", M='10"', height=3).at(30, 22, facing=30),
    unit(3, "MOUNTED", base="75x42mm", name="Riders", M='12"').at(26, 26, apart=4),
]
FOES = [unit(10, name="Foes").at(8, 30, rank=5), unit(1, "MONSTER", base="100mm", name="Beast").at(34, 30)]
RUINS = [box(2, 26.5, 9, 28, 5, solid=True, name="ruin"), box(20, 28, 32, 29, 2, name="wall")]


def move_of(battle: Battle11, index: int, inches: int = 6) -> MoveSpace:
    rows = battle.state.units[index].models
    return normal_space(battle.scene, battle.state, index, dict.fromkeys(rows, 1000 * inches))


@pytest.mark.parametrize("index", range(len(CROWD)))
def test_what_a_move_samples_it_accepts_and_checking_changes_nothing(index: int) -> None:
    battle = scene(CROWD, FOES, terrain=RUINS)
    space, rng, before = move_of(battle, index), random.Random(index), checksum(battle.state)
    samples = [space.sample(rng) for _ in range(60)]
    assert all(not space.check(answer) for answer in samples)
    assert len({str(answer) for answer in samples}) > 20
    assert checksum(battle.state) == before
    far = shift(battle, index, 0, 7)
    assert space.check(far) == space.check(far) != []
    assert checksum(battle.state) == before


@pytest.mark.parametrize(
    "spec", [unit(20), unit(3, base="170x109mm"), unit(1, base="hull 7x5in"), unit(30, base="28mm")], ids=str
)
def test_a_unit_is_deployed_where_the_space_proposes(spec: UnitSpec) -> None:
    battle = scene([spec, unit(10).at(10, 5)], phase=Phase.SETUP)
    space, rng = deployment_space(battle, 0), random.Random(1)
    assert space.default().moves
    assert not space.check(space.default())
    assert all(not space.check(space.sample(rng)) for _ in range(10))
    assert [each.rule for each in space.check(Place(()))] == ["11e.core.03.02-set-up-whole"]


def test_a_unit_without_room_may_stay_away() -> None:
    crowd = [unit(11, base="100mm", name=f"Crowd {y}").at(2, y, apart=4.0) for y in (2, 6, 10)]
    battle = scene([unit(10, base="60mm"), *crowd], phase=Phase.SETUP)
    space = deployment_space(battle, 0)
    assert space.default() == Place(())
    assert space.check(Place(())) == []


def test_battles_with_random_moves_can_be_forked_everywhere_and_replayed() -> None:
    battle = scene([unit(5), unit(3, base="60mm")], [unit(5), unit(1, "VEHICLE", base="100mm")], phase=Phase.SETUP)
    rng = random.Random(3)
    while battle.decision:
        assert battle.stack_is_resumable() or not battle.decision.is_checkpoint
        answer, fork = battle.decision.sample(rng), battle.fork()
        battle.answer(answer)
        fork.answer(answer)
        assert fork.checksum() == battle.checksum()
    again = Battle(battle.header, battle.rules)
    again.replay(battle.record)
    assert again.checksum() == battle.checksum()


# -- a plain twin of the check ----------------------------------------------------------------------------------

SLACK = 0.05
"""What the twin cannot tell, in inches: it looks at a path only at points that lie 0.05" apart."""


def lengthwise(path: list[Pose]) -> list[Pose]:
    points = []
    for p, q in itertools.pairwise(path):
        steps = max(1, math.ceil(math.dist(p[:2], q[:2]) / SLACK))
        points += [
            Pose(p.x + (q.x - p.x) * k / steps, p.y + (q.y - p.y) * k / steps, 0, p.facing) for k in range(steps)
        ]
    return [*points, path[-1]]


class Twin:
    """Chapter 03 for a normal move on the ground, one comparison after the other; a verdict or None if it is close."""

    def __init__(self, battle: Battle11, index: int, inches: float) -> None:
        self.battle, self.index, self.inches = battle, index, inches
        state = battle.state
        standing = [row for row in range(len(battle.scene.models)) if state.on_table[row]]
        self.own = [row for row in standing if battle.scene.models[row].unit == index]
        self.others = [(row, Pose.from_row(state.position[row])) for row in standing if row not in self.own]
        self.close = False

    def base(self, row: int) -> Base:
        return self.battle.scene.models[row].base

    def at_least(self, value: float, limit: float) -> bool:
        self.close |= abs(value - limit) <= SLACK
        return value >= limit

    def is_legal(self, answer: Place) -> bool | None:
        ends = {row: Pose.from_row(self.battle.state.position[row]) for row in self.own}
        legal = True
        for move in answer.moves:
            path = [ends[move.model], *(Pose.from_row(point) for point in move.path)]
            legal &= self.walks(move.model, path)
            ends[move.model] = path[-1]
        legal &= all(self.stands(row, pose) for row, pose in ends.items()) and self.holds(ends)
        return None if self.close else legal

    def walks(self, row: int, path: list[Pose]) -> bool:
        model, table = self.battle.scene.models[row], self.battle.scene.battlefield
        far = sum(math.dist(p[:2], q[:2]) for p, q in itertools.pairwise(path))
        legal = self.at_least(self.inches, far)
        corners = ((0.0, 0.0), (table.width, 0.0), (table.width, table.height), (0.0, table.height))
        large = model.has("VEHICLE") or model.has("MONSTER")
        for pose in lengthwise(path):
            legal &= wholly_within_polygon(self.base(row), pose, corners)
            for other, there in self.others:
                foe = self.battle.scene.models[other].side != model.side
                bulky = self.battle.scene.models[other].has("VEHICLE") or self.battle.scene.models[other].has("MONSTER")
                near = math.dist(pose[:2], there[:2]) < self.base(row).reach + self.base(other).reach + 2 * SLACK
                if near and (bulky if large else foe):
                    legal &= self.at_least(separation(self.base(row), pose, self.base(other), there), -TOLERANCE)
            if not model.has("INFANTRY"):
                walls = [feature.polygon for _, feature in table.features() if feature.height > 2]
                legal &= not any(overlaps_polygon(self.base(row), pose, wall) for wall in walls)
        return legal

    def stands(self, row: int, pose: Pose) -> bool:
        legal = True
        for other, there in self.others:
            foe = self.battle.scene.models[other].side != self.battle.scene.models[row].side
            gap = separation(self.base(row), pose, self.base(other), there)
            legal &= self.at_least(gap, 2.0 if foe else -TOLERANCE)
        solids = [feature.polygon for _, feature in self.battle.scene.battlefield.features() if feature.solid]
        return legal and not any(overlaps_polygon(self.base(row), pose, polygon) for polygon in solids)

    def holds(self, ends: dict[int, Pose]) -> bool:
        rows, legal = list(ends), True
        joined = {rows[0]}
        for _ in rows:
            for a in rows:
                for b in rows:
                    if a == b:
                        continue
                    gap = separation(self.base(a), ends[a], self.base(b), ends[b])
                    legal &= self.at_least(gap, -TOLERANCE) and not self.at_least(gap, 9.0)
                    if a in joined and not self.at_least(gap, 2.0):
                        joined.add(b)
        return legal and len(joined) == len(rows)


def scattered(battle: Battle11, index: int, rng: random.Random) -> Place:
    """A placement that is as often illegal as legal: each model goes its own way along one or two lines."""
    heading, length, spread = rng.uniform(0, 360), rng.uniform(0, 6.5), rng.choice([0.2, 1.0, 3.0])
    moves = []
    for row in battle.state.units[index].models:
        x, y, z, facing = battle.state.position[row].tolist()
        dx = length * math.cos(math.radians(heading)) + rng.uniform(-spread, spread) / 2
        dy = length * math.sin(math.radians(heading)) + rng.uniform(-spread, spread) / 2
        end = (x + round(1000 * dx), y + round(1000 * dy), z, facing)
        if rng.random() < 0.3:
            halfway = (x + round(500 * dx), y + round(500 * dy) + rng.randrange(-500, 500), z, facing)
            moves.append(ModelMove(row, (halfway, end)))
        else:
            moves.append(ModelMove(row, (end,)))
    return Place(tuple(moves))


@pytest.mark.parametrize("index", range(len(CROWD)))
def test_the_check_agrees_with_a_plain_twin(index: int) -> None:
    battle = scene(CROWD, FOES, terrain=RUINS)
    space, rng = move_of(battle, index), random.Random(40 + index)
    verdicts = {True: 0, False: 0}
    for _ in range(60):
        answer = scattered(battle, index, rng)
        verdict = Twin(battle, index, 6).is_legal(answer)
        if verdict is not None:
            verdicts[verdict] += 1
            assert (not space.check(answer)) is verdict, [str(each) for each in space.check(answer)]
    assert min(verdicts.values()) >= 2


@pytest.mark.parametrize("index", range(len(CROWD)))
def test_the_compiled_check_accepts_what_has_no_reason_against_it(index: int) -> None:
    battle = scene(CROWD, FOES, terrain=RUINS)
    space, rng = move_of(battle, index), random.Random(90 + index)
    answers = [scattered(battle, index, rng) for _ in range(400)]
    quick = [space.accepts_quickly(answer) for answer in answers]
    assert quick == [not space._reasons(answer.moves) for answer in answers]
    assert 20 < sum(quick) < 380


# -- the search --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("goal", [(22.0, 50.0), (5.0, 5.0), (41.0, 20.0)])
@pytest.mark.parametrize("index", range(len(CROWD)))
def test_a_unit_gets_nearer_to_a_goal_legally(index: int, goal: tuple[float, float]) -> None:
    battle = scene(CROWD, FOES, terrain=RUINS)
    space = move_of(battle, index)
    found = formations.towards(space, goal)
    assert space.check(found) == []
    gone = [math.dist(space.starts[space.index[m.model], :2], goal) - math.dist(Pose.from_row(m.path[-1])[:2], goal)
            for m in found.moves]  # fmt: skip
    assert sum(gone) > 0
    assert formations.towards(move_of(battle, index), goal) == found


def test_a_vehicle_drives_round_a_wall() -> None:
    tank = unit(1, "VEHICLE", base="60mm", M='12"').at(20, 10)
    battle = scene(tank, terrain=[box(17, 14, 23, 15, 5)])
    found = formations.towards(move_of(battle, 0, 12), (20, 30))
    assert len(found.moves[0].path) == 2
    assert found.moves[0].path[-1][1] > 14000


def test_a_unit_squeezes_through_where_its_formation_does_not_fit() -> None:
    doors = [box(0, 14, 19.8, 14.5, 5, name="west"), box(22.2, 14, 44, 14.5, 5, name="east")]
    bikes = unit(4, "MOUNTED", base="40mm", M='10"').at(18, 11, rank=4, apart=2)
    battle = scene(bikes, terrain=doors)
    found = formations.towards(move_of(battle, 0, 10), (21, 40))
    assert found.moves
    assert max(move.path[-1][1] for move in found.moves) > 15_000


def test_a_unit_comes_down_from_a_floor() -> None:
    ruin = box(8, 12, 14, 18, 6, floors=(3,))
    battle = scene(unit(2).at(10, 15, z=3), terrain=[ruin])
    found = formations.towards(move_of(battle, 0), (11, 40))
    assert found.moves
    assert all(move.path[-1][2] == 0 for move in found.moves)


def test_who_stays_above_the_ground_counts_for_coherency() -> None:
    tower = box(8, 12, 14, 18, 9, floors=(3, 6))
    answer = place(walk(0, (11, 11)))
    high = scene(unit(2).on((11, 10.5), (11, 12.7, 6)), terrain=[tower])
    assert [each.rule for each in move_of(high, 0).check(answer)] == ["11e.core.03.03-coherency"]
    low = scene(unit(2).on((11, 10.5), (11, 12.7, 3)), terrain=[tower])
    assert move_of(low, 0).check(answer) == []


def test_what_cannot_get_away_stays() -> None:
    ring = [(10 + 2 * math.cos(k * math.pi / 4), 10 + 2 * math.sin(k * math.pi / 4)) for k in range(8)]
    battle = scene(unit().at(10, 10), unit(8).on(*ring))
    limits = {0: 6000}
    assert fall_back_space(battle.scene, battle.state, 0, limits, desperate=False).default() == Place(())
    away = fall_back_space(battle.scene, battle.state, 0, limits, desperate=True)
    assert away.default().moves
    assert away.check(away.default()) == []


def test_an_empty_answer_makes_the_move_only_where_the_unit_may_end() -> None:
    free, held = scene(unit().at(10, 10)), scene(unit().at(10, 10), unit().at(12, 10))
    assert advance_space(free.scene, free.state, 0, {0: 8000}).is_made(Place(()))
    assert not fall_back_space(held.scene, held.state, 0, {0: 6000}, desperate=False).is_made(Place(()))


def test_a_set_up_far_from_enemies_is_more_than_so_far() -> None:
    battle = scene(unit().at(10, 10), unit())
    away = FarFromEnemies(8.0, "11e.core.20.04-ingress")
    space = SetUpSpace(battle.scene, battle.state, 1, rule=DEPLOY, region=(0, 0, 44, 60), after=(away,))
    assert [each.rule for each in space.check(place(walk(1, (19.26, 10))))] == ["11e.core.20.04-ingress"]
    assert space.check(place(walk(1, (19.27, 10)))) == []
    assert space.check(space.default()) == []


def test_every_reason_is_given_at_once_with_its_numbers() -> None:
    battle = scene(unit(2).at(10, 10), unit().at(16, 16))
    found = [str(each) for each in move_of(battle, 0).check(place(walk(0, (15.5, 15.5))))]
    assert found == [
        'Squad (model 0) moves 7.78"; the most is 6" (11e.core.09.05-normal-move)',
        "Squad (model 0) passes through Squad (11e.core.03.01-not-through-enemies)",
        "Squad (model 0) ends on Squad (11e.core.03.01-end-check)",
        'Squad (model 0) ends 5.26" from the nearest model of its unit; coherency is 2" (11e.core.03.03-coherency)',
        'Squad (model 0) ends engaged, 0.00" from Squad (11e.core.03.04-unengaged)',
    ]


@pytest.mark.parametrize(
    "moves",
    [
        (ModelMove(7, ((1000, 1000, 0, 0),)),),
        (ModelMove(0, ()),),
        (ModelMove(0, ((10**30, 0, 0, 0),)),),
        (ModelMove(0, ((10000, 11000, 0, 0),)), ModelMove(0, ((10000, 10500, 0, 0),))),
    ],
    ids=["stranger", "nowhere", "far away", "twice"],
)
def test_senseless_answers_are_refused(moves: tuple[ModelMove, ...]) -> None:
    battle = scene(unit(2).at(10, 10), phase=Phase.MOVEMENT)
    assert move_of(battle, 0).check(Place(moves))
    assert deployment_space(battle, 0).check(Place(moves))


def test_what_a_set_up_samples_is_accepted_even_where_the_search_from_there_finds_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    space = deployment_space(scene([unit(3)], phase=Phase.SETUP), 0)
    assert space.default().moves
    monkeypatch.setattr(space, "pack", lambda near: Place(()))
    assert not space.check(space.sample(random.Random(1)))
