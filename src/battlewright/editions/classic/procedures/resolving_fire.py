"""The fire of one unit at another: who can be harmed, wounds and saves, casualties, vehicles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from battlewright.attacks.description import amount
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Option, Options
from battlewright.core.rulebook import rule
from battlewright.editions.classic import casualties
from battlewright.editions.classic.attack import compile_volley, draft_attack
from battlewright.editions.classic.draft import AttackContext
from battlewright.editions.classic.events import ModelNamed
from battlewright.editions.classic.measuring import is_in_range
from battlewright.editions.classic.procedures.aiming import Aim
from battlewright.editions.classic.procedures.arming import Shot, is_barrage
from battlewright.editions.classic.procedures.batteries import fire_at_battery, guns_and_crew
from battlewright.editions.classic.procedures.board import gaps
from battlewright.editions.classic.procedures.contexts import context_of
from battlewright.editions.classic.procedures.fire_at_vehicles import fire_at_vehicles
from battlewright.editions.classic.procedures.harm import pick_model
from battlewright.editions.classic.procedures.laying import UnitHits
from battlewright.editions.classic.procedures.nerve import pinning_test
from battlewright.editions.classic.procedures.prowess import guarded_profile
from battlewright.editions.classic.procedures.seeing import Source, seen_by
from battlewright.editions.classic.procedures.vehicle_hits import harm_vehicle
from battlewright.editions.classic.procedures.volleys import (
    Arrived,
    Batch,
    BeforeSharing,
    Unsaved,
    clear_away,
    failed_saves,
    suffer,
    unsaved_by,
    unsaved_wounds,
    wound_of,
)
from battlewright.editions.classic.scene import ClassicBattle, Scene, standing
from battlewright.editions.classic.state import ClassicState
from battlewright.editions.classic.target import TargetModel, TargetView
from battlewright.editions.classic.weapons import AbilityName, WeaponProfile

__all__ = [
    "batches_of",
    "burn",
    "fire_at",
    "is_torrent",
    "overheat",
    "resolve_together",
    "rows_reached",
    "sources_of",
    "view_of",
]

MARKSMAN = "MARKSMAN"


def fire_at(
    battle: ClassicBattle, unit: int, aim: Aim, shots: Sequence[Shot], under: Sequence[tuple[Shot, UnitHits]]
) -> Procedure[None]:
    """Everything that a unit fires at one other: its shots, and what its markers and templates hit of it."""
    guns, others = guns_and_crew(battle.scene, battle.state, aim.unit)
    if guns and others:
        yield from overheat(battle, (yield from fire_at_battery(battle, unit, aim, shots, under)))
    elif guns:
        yield from overheat(battle, (yield from fire_at_vehicles(battle, unit, aim.unit, shots, under)))
    else:
        yield from battle.scene.rules.shooting.resolve(battle, unit, aim, shots, under)


@rule("3e.core.shooting.order", "4e.core.shooting.order", "3e.core.weapons.barrage-pins")
def resolve_together(
    battle: ClassicBattle, unit: int, aim: Aim, shots: Sequence[Shot], under: Sequence[tuple[Shot, UnitHits]]
) -> Procedure[None]:
    """The fire of a unit at living models, as one set: all that hits is rolled to its wounds, shared out over those
    that may fall, saved, and the owner says who falls."""
    scene, state, target = battle.scene, battle.state, aim.unit
    sources = sources_of(shots, under)
    covers = scene.rules.shooting.covers(scene, state, target, guns_and_crew(scene, state, target)[1], sources)
    models = _candidates(scene, state, aim, shots, under, covers)
    view = view_of(scene, state, [model.row for model in casualties.eligible(models)], covers)
    if not view.models:
        return
    batches = batches_of(scene, state, shots, under, view)
    rolled = torrent_of_fire(battle, unit, target, view) if scene.rules.shooting.torrent else None
    unsaved, overheated = yield from unsaved_wounds(battle, unit, target, batches, view, rolled)
    pinned = yield from _casualties(battle, unit, target, models, view, unsaved)
    yield from overheat(battle, overheated)
    pinning_test(battle, target, pinned, pins=pinned > 0)


@rule("3e.core.weapons.barrage-pins", "4e.core.weapons.barrage", "6e.core.weapons.barrage")
def sources_of(shots: Sequence[Shot], under: Sequence[tuple[Shot, UnitHits]]) -> list[Source]:
    """From where cover is judged: from the firers; where nothing but barrages hits, from their markers' centres.

    RULING: 3e.core.weapons.barrage-pins where a unit fires barrages and other weapons at once, cover is judged from its
    firers.
    """
    direct = [shot.arm.place for shot in shots]
    direct += [shot.arm.place for shot, hits in under if hits.centre is None or not is_barrage(shot.arm.profile)]
    centres: list[Source] = [hits.centre for _, hits in under if hits.centre is not None]
    return list(dict.fromkeys(direct)) or list(dict.fromkeys(centres))


def view_of(scene: Scene, state: ClassicState, rows: Sequence[int], covers: Mapping[int, int | None]) -> TargetView:
    """The target as attacks see it: these of its models, with the cover that each has."""
    return TargetView(
        tuple(
            TargetModel(
                guarded_profile(scene, state, row, close_combat=False),
                int(state.wounds[row]),
                covers[row],
                row,
            )
            for row in rows
        )
    )


@rule("3e.casualties.in-range-only", "3e.casualties.visible-only", "3e.range.partly-inside", "3e.core.weapons.blast")
@rule("3e.core.weapons.blast-casualties", "4e.core.weapons.blast", "4e.core.shooting.casualties")
def _candidates(
    scene: Scene,
    state: ClassicState,
    aim: Aim,
    shots: Sequence[Shot],
    under: Sequence[tuple[Shot, UnitHits]],
    covers: Mapping[int, int | None],
) -> list[casualties.Candidate]:
    """The models of a target as casualties: in range of a weapon that fires and seen by its bearer; markers fallen on
    a unit reach all of it. Only the one that was picked, if one was."""
    rows = [row for row in standing(state, aim.unit) if not scene.models[row].profile.is_vehicle]
    reached = set(rows) if under else rows_reached(scene, state, rows, shots)
    return [
        casualties.Candidate(
            row=row,
            left=int(state.wounds[row]),
            wounds=scene.models[row].profile.wounds,
            in_range=row in reached and aim.row in (None, row),
            visible=row in reached or any(row in seen_by(scene, state, shot.arm.place) for shot in shots),
            cover=covers[row] is not None,
            is_character=scene.models[row].profile.is_character,
        )
        for row in rows
    ]


@rule("3e.casualties.in-range-only", "3e.casualties.visible-only", "4e.core.shooting.casualties")
@rule("6e.core.shooting.out-of-sight")
def rows_reached(scene: Scene, state: ClassicState, rows: Sequence[int], shots: Sequence[Shot]) -> set[int]:
    """Those of some models that a firer sees and has within the reach of what he fires."""
    reached = set()
    for shot in shots:
        seen = seen_by(scene, state, shot.arm.place)
        apart = gaps(scene, state, [shot.arm.place], rows)[0]
        reached |= {
            row for row, gap in zip(rows, apart, strict=True) if row in seen and is_in_range(float(gap), shot.reach)
        }
    return reached


@rule("4e.vehicle-main-defensive.as-infantry")
def batches_of(
    scene: Scene, state: ClassicState, shots: Sequence[Shot], under: Sequence[tuple[Shot, UnitHits]], view: TargetView
) -> list[Batch]:
    """The shots gathered into batches of identical attacks; hits of markers and templates one batch each."""
    rules, at = scene.rules.attack, view.models[0].id
    pools: dict[tuple[WeaponProfile, AttackContext], list[Shot]] = {}
    for shot in shots:
        assert shot.shots is not None, "it has been measured that it may fire"
        context = context_of(scene, state, shot, at, attacks=amount(shot.shots))
        pools.setdefault((shot.arm.profile, context), []).append(shot)
    found = []
    for (weapon, context), pool in pools.items():
        found.append(
            Batch(
                compile_volley(rules, weapon, len(pool), context, view),
                tuple(shot.arm.row for shot in pool),
                draft_attack(rules, weapon, context, view).pins,
                concusses=weapon.has(AbilityName.CONCUSSIVE),
            )
        )
    for shot, hits in under:
        if hits.hits:
            context = context_of(scene, state, shot, at, hits=amount(hits.hits))
            volley = compile_volley(rules, shot.arm.profile, 1, context, view)
            stays = scene.rules.shooting.wounds_stay_under_template and shot.arm.profile.has(AbilityName.TEMPLATE)
            covered = hits.rows if stays else None
            pins = draft_attack(rules, shot.arm.profile, context, view).pins
            concusses = shot.arm.profile.has(AbilityName.CONCUSSIVE)
            found.append(Batch(volley, (shot.arm.row,), pins, covered, concusses))
    return found


@rule("3e.casualties.owner-chooses", "3e.casualties.surplus-lost", "3e.multi-wound.exception-template")
@rule("3e.multi-wound.whole-models", "3e.instant-kill.unwounded-first", "3e.core.weapons.blast-casualties")
def _casualties(
    battle: ClassicBattle,
    unit: int,
    target: int,
    models: Sequence[casualties.Candidate],
    view: TargetView,
    unsaved: Sequence[Unsaved],
) -> Procedure[int]:
    """The owner says who takes each unsaved wound; those for whom nobody is left are lost. How many pin."""
    scene, state, by = battle.scene, battle.state, battle.scene.units[unit].id
    pinned = 0
    fell: list[int] = []
    for each in unsaved:
        name = each.batch.volley.name
        among = [model for model in models if model.row in each.rows]
        if each.batch.covered is not None and not each.outright:
            now = casualties.template_wounds(_now(state, among), each.batch.covered, each.count)
            for row, left in now.items():
                hurt = left < state.wounds[row]
                pinned += each.batch.pins * suffer(battle, row, False, name, _TEMPLATE) if hurt else 0
            fell += each.rows
            continue
        for _ in range(each.count):
            rows = casualties.next_casualties(
                _now(state, among), outright=each.outright, pool=scene.rules.shooting.pool
            )
            if not rows:
                break
            marksman = all(scene.models[row].has(MARKSMAN) for row in each.batch.rows)
            row = yield from pick_model(
                battle,
                rows,
                f"who falls to {name}?",
                "3e.casualties.owner-chooses",
                lambda row, each=each: casualties.why_not_next(row, _now(state, models), outright=each.outright),  # type: ignore[misc]
                side=scene.units[unit].side if casualties.may_pick_a_model(marksman=marksman) else None,
            )
            cites = "3e.casualties.owner-chooses"
            pinned += each.batch.pins * suffer(battle, row, each.outright, name, cites, wounds=each.wounds)
            fell.append(row)
    clear_away(battle, fell, by)
    return pinned


# -- torrent of fire --------------------------------------------------------------------------------------------


@rule("4e.core.shooting.torrent-of-fire")
def is_torrent(wounds: int, models: int) -> bool:
    """Whether a unit's fire is a torrent: it causes at least as many wounding hits as there are models in the target.

    RULING: 4e.core.shooting.torrent-of-fire every living model of the target counts, seen or not.
    """
    return 0 < models <= wounds


def torrent_of_fire(battle: ClassicBattle, unit: int, target: int, view: TargetView) -> BeforeSharing:
    """The firer names a model that has to save against one of the wounds, its owner says which wound."""

    def named(arrived: Arrived) -> Procedure[tuple[Arrived, list[Unsaved]]]:
        scene, rows = battle.scene, [model.id for model in view.models]
        total = sum(count for *_, count in arrived)
        if not is_torrent(total, len(guns_and_crew(scene, battle.state, target)[1])) or len(rows) < 2:
            return arrived, []
        row = yield from _pick_victim(battle, unit, target, rows)
        if row is None:
            return arrived, []
        which = yield from _pick_wound(battle, target, row, arrived)
        batch, packet, _ = arrived[which]
        left = [(*each[:2], each[2] - (place == which)) for place, each in enumerate(arrived)]
        group = next(
            place
            for place, each in enumerate(scene.rules.attack.groups(view))
            if row in [view.models[index].id for index in each.models]
        )
        failed = yield from failed_saves(battle, unit, target, batch, packet, group, 1)
        found = [unsaved_by(batch, packet, (row,), 1)] if failed else []
        battle.happened(
            ModelNamed(
                unit=scene.units[unit].id,
                target=scene.units[target].id,
                model=row,
                wound=wound_of(batch.volley.name, packet.name),
                saved=not failed,
                rules=(_TORRENT,),
            )
        )
        return [each for each in left if each[2]], found

    return named


_TEMPLATE = "3e.core.weapons.template"
_TORRENT = "4e.core.shooting.torrent-of-fire"


def _pick_victim(battle: ClassicBattle, unit: int, target: int, rows: Sequence[int]) -> Procedure[int | None]:
    scene, info = battle.scene, battle.scene.units[unit]
    options = [Option(f"model:{row}", scene.models[row].name, row) for row in rows]
    options.append(Option("none", "nobody", None))
    picked: int | None = yield from choose(
        Decision(
            info.side,
            "name-model",
            f"{info.name}: which model of {scene.units[target].name} has to save?",
            _TORRENT,
            Options(options, rule=_TORRENT, default=options[0].key),
            subject=info.index,
        )
    )
    return picked


def _pick_wound(battle: ClassicBattle, target: int, row: int, arrived: Arrived) -> Procedure[int]:
    if len(arrived) == 1:
        return 0
    info = battle.scene.units[target]
    options = [
        Option(f"wound:{place}", wound_of(batch.volley.name, packet.name), place)
        for place, (batch, packet, _) in enumerate(arrived)
    ]
    picked: int = yield from choose(
        Decision(
            info.side,
            "select-wound",
            f"{info.name}: against which wound does {battle.scene.models[row].name} save?",
            _TORRENT,
            Options(options, rule=_TORRENT, default=options[0].key),
            subject=info.index,
        )
    )
    return picked


def _now(state: ClassicState, models: Sequence[casualties.Candidate]) -> list[casualties.Candidate]:
    """The candidates with the wounds that they have left at this moment."""
    return [
        casualties.Candidate(
            row=model.row,
            left=int(state.wounds[model.row]),
            wounds=model.wounds,
            in_range=model.in_range,
            visible=model.visible,
            cover=model.cover,
            is_character=model.is_character,
        )
        for model in models
    ]


@rule("3e.core.weapons.gets-hot", "6e.core.weapons.gets-hot")
def overheat(battle: ClassicBattle, overheated: Sequence[tuple[Batch, int]]) -> Procedure[None]:
    """Weapons that got hot: for each a firer saves with his armour or loses a wound; a vehicle suffers what its edition
    says."""
    for batch, count in overheated:
        for number in range(count if batch.rows else 0):
            yield from burn(battle, batch.rows[number % len(batch.rows)], batch.volley.name)


@rule("3e.core.weapons.gets-hot", "4e.core.weapons.gets-hot", "6e.core.weapons.gets-hot")
def burn(battle: ClassicBattle, row: int, weapon: str) -> Procedure[None]:
    """A firer's own weapon wounds him: he saves with his armour, or invulnerably, or loses a wound."""
    model = battle.scene.models[row]
    if not battle.state.wounds[row]:
        return
    if model.profile.is_vehicle:
        yield from _burn_vehicle(battle, row)
        return
    needed = min((save for save in (model.profile.save, model.profile.invulnerable) if save), default=7)
    roll = battle.roll(1, 6, "gets-hot-save")
    name = battle.scene.unit_of(row).id
    face = battle.rolled(roll, model.side, "3e.core.weapons.gets-hot", unit=name, needed=needed).total
    if face < needed:
        suffer(battle, row, False, weapon, "3e.core.weapons.gets-hot")
        clear_away(battle, [row], aboard=True)


@rule("6e.core.weapons.gets-hot")
def _burn_vehicle(battle: ClassicBattle, row: int) -> Procedure[None]:
    """A vehicle's own weapon has got hot: a die, where the edition has one thrown, says whether it is harmed."""
    judge, model = battle.scene.rules.vehicles.damage.overheats, battle.scene.models[row]
    if judge is None:
        return
    roll = battle.roll(1, 6, "gets-hot-vehicle")
    rule_id = "6e.core.weapons.gets-hot"
    result = judge(battle.rolled(roll, model.side, rule_id, unit=battle.scene.unit_of(row).id).total)
    if result is not None:
        yield from harm_vehicle(battle, row, result)
