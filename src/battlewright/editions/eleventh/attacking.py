"""Making attacks (04): select weapons and targets, then resolve pool by pool. Shooting and fighting both come here.

:func:`make_attacks` asks for a declaration and resolves it; :func:`resolve_attacks` resolves one that is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from battlewright.attacks.description import Volley
from battlewright.attacks.resolve import Resolution, resolve
from battlewright.core.battle import Procedure, choose
from battlewright.core.decisions import Decision, Declare, Option, Options, UnitId
from battlewright.core.rulebook import rule
from battlewright.core.shapes import within
from battlewright.editions.eleventh import damage
from battlewright.editions.eleventh.abilities.in_force import targeted_within
from battlewright.editions.eleventh.abilities.language import Until
from battlewright.editions.eleventh.datasheet import WeaponAbility, WeaponAbilityName, WeaponProfile
from battlewright.editions.eleventh.declaring import DeclareSpace
from battlewright.editions.eleventh.events import AttacksDeclared, AttacksLost, AttacksMade
from battlewright.editions.eleventh.hosting import BattleHost
from battlewright.editions.eleventh.measuring import distances
from battlewright.editions.eleventh.pools import Circumstances, Pool, Use, pools_of, target_view, volley_of
from battlewright.editions.eleventh.scene import Battle11, living, standing, weapons_of
from battlewright.editions.eleventh.state import NOBODY
from battlewright.editions.eleventh.targeting import AttackKind, Targeting
from battlewright.editions.eleventh.triggers import Occasion
from battlewright.editions.eleventh.weapon_abilities import hazard_rolls, instances_to_choose
from battlewright.editions.eleventh.windows import window

__all__ = ["AttackKind", "DeclareSpace", "make_attacks", "resolve_attacks"]


@rule("11e.core.04-steps")
def make_attacks(battle: Battle11, unit: int, kind: AttackKind) -> Procedure[bool]:
    """Ask for the unit's attacks and resolve them (04); a unit that can aim nothing is not asked.

    Returns whether it made any attack: one that makes none has not shot or fought.
    """
    info = battle.scene.units[unit]
    space = DeclareSpace(battle, unit, kind)
    if not space.uses:
        battle.happened(AttacksDeclared(unit=info.id, pools=(), rules=("11e.core.04-no-attacks-made",)))
        return False
    rule_id = "11e.core.04.02-melee-targets" if kind.melee else "11e.core.04.02-ranged-targets"
    how = " for snap shooting" if kind is AttackKind.SNAP else ""
    decision = Decision(
        info.side,
        "declare-attacks",
        f"{info.name}: select weapons and targets{how}",
        rule_id,
        space,
        subject=info.index,
    )
    answer = yield decision
    assert isinstance(answer, Declare)
    return (yield from resolve_attacks(battle, unit, answer, kind))


@rule(
    "11e.core.04-steps",
    "11e.core.04-no-attacks-made",
    "11e.core.01.08-destroyed-by-attack-waits",
    "11e.24.15-hazardous.timing",
    "11e.24.15-hazardous.shoot-and-fight",
)
def resolve_attacks(battle: Battle11, unit: int, declaration: Declare, kind: AttackKind) -> Procedure[bool]:
    """Resolve declared attacks: unit by unit, pool by pool, then hazard rolls, then whoever has fallen (04.03, 01.08).

    The declaration has been checked. Returns whether any attack was made.
    """
    state = battle.state
    state.attacking = unit
    for aimed_at in dict.fromkeys(battle.scene.by_id[attack.target] for attack in declaration.attacks):
        yield from window(battle, Occasion.TARGETED, aimed_at)
    uses = yield from _select(battle, unit, declaration, kind)
    profiles = {(use.row, use.weapon): use.profile for use in uses}
    done: dict[int, Counter[str]] = {}
    while uses := (yield from _aim_anew(battle, unit, kind, uses)):
        target = yield from _select_target(battle, unit, uses)
        pools = pools_of([use for use in uses if use.target == target], target_view(battle.scene, state, target))
        uses = [use for use in uses if use.target != target]
        as_declared = False
        while pools and living(state, target):
            if not as_declared:
                pools, as_declared = yield from _select_pool(battle, unit, pools)
            yield from _resolve_pool(battle, unit, pools.pop(0), done.setdefault(target, Counter()))
        uses += [use for pool in pools for use in pool.uses]
    _sum_up(battle, unit, done)
    state.struck = tuple((target, sums["lost"], sums["slain"]) for target, sums in done.items())
    state.hit = tuple(target for target, sums in done.items() if sums["hits"])
    yield from damage.hazard_rolls(battle, unit, hazard_rolls(profiles.values()), "hazardous")
    yield from damage.resolve_destroyed(battle)
    state.attacking = NOBODY
    state.timed = tuple(each for each in state.timed if each[0] != unit or each[2] != Until.ATTACKS)
    return any(sums["attacks"] for sums in done.values())


# -- selecting (04.01, 04.02) -----------------------------------------------------------------------------------


@rule("11e.24.26-one-shot.once-per-battle", "11e.core.24-additional-attacks")
def _select(battle: Battle11, unit: int, declaration: Declare, kind: AttackKind) -> Procedure[list[Use]]:
    """Turn a declaration into uses with their circumstances, as they are now, in the Select Targets step."""
    scene, mine = battle.scene, battle.state.units[unit]
    circumstances = Circumstances(Targeting(scene, battle.state, unit, kind))
    aimed = Counter((attack.model, attack.weapon) for attack in declaration.attacks)
    chosen: dict[WeaponProfile, tuple[WeaponAbility, ...]] = {}
    uses = []
    for attack in declaration.attacks:
        profile = weapons_of(scene, battle.state, attack.model)[attack.weapon].profiles[attack.profile]
        if profile not in chosen:
            chosen[profile] = yield from _choose_instances(battle, unit, profile)
        target = scene.by_id[attack.target]
        single = aimed[attack.model, attack.weapon] == 1
        context = circumstances.context(attack.model, profile, target, single_target=single, chosen=chosen[profile])
        divided = None if single else attack.count
        uses.append(Use(attack.model, attack.weapon, profile, divided, target, context))
        if profile.has(WeaponAbilityName.ONE_SHOT):
            mine.one_shot |= {(attack.model, attack.weapon)}
    counts = Counter((use.profile.full_name, scene.units[UnitId(use.target)].id) for use in uses)
    battle.happened(
        AttacksDeclared(
            unit=scene.units[UnitId(unit)].id,
            pools=tuple((name, count, target) for (name, target), count in counts.items()),
            rules=("11e.core.04-steps",),
        )
    )
    return uses


@rule("11e.24.02-duplicated-abilities.weapon-selection-timing")
def _choose_instances(battle: Battle11, unit: int, profile: WeaponProfile) -> Procedure[tuple[WeaponAbility, ...]]:
    """Of duplicated abilities of a weapon one instance each, chosen anew every time the unit attacks (24.02).

    RULING: 11e.24.02-duplicated-abilities.weapon-selection-timing one choice for all weapons with the same profile.
    """
    chosen: list[WeaponAbility] = []
    instances = instances_to_choose(profile)
    for name in dict.fromkeys(each.name for each in instances):
        rule_id = "11e.24.02-duplicated-abilities.weapon-selection-timing"
        options = [
            Option(f"instance:{number}", str(each), each) for number, each in enumerate(instances) if each.name is name
        ]
        side = battle.scene.units[UnitId(unit)].side
        decision = Decision(
            side, "select-instance", f"{profile.full_name}: which {name}?", rule_id, Options(options, rule=rule_id)
        )
        chosen.append((yield from choose(decision)))
    return tuple(chosen)


# -- resolving (04.03) ------------------------------------------------------------------------------------------


@rule("11e.core.04.03.03-new-target")
def _aim_anew(battle: Battle11, unit: int, kind: AttackKind, uses: list[Use]) -> Procedure[list[Use]]:
    """Give uses whose target is gone a new eligible one; where there is none their attacks are lost (04.03.03).

    Uses that have the same units to choose from are aimed together.
    """
    state, scene = battle.state, battle.scene
    gone = [use for use in uses if not living(state, use.target) or _is_out_of_reach(battle, unit, use)]
    if not gone:
        return uses
    targeting = Targeting(scene, state, unit, kind)
    circumstances = Circumstances(targeting)
    kept = [use for use in uses if use not in gone]
    alike: dict[tuple[int, ...], list[Use]] = {}
    for use in gone:
        eligible = targeting.eligible(use.row, use.profile) if use.row in targeting.rows else ()
        alike.setdefault(eligible, []).append(use)
    for targets, some in alike.items():
        if not targets:
            names = tuple(dict.fromkeys(use.profile.full_name for use in some))
            rule_id = "11e.core.04.03.03-new-target"
            battle.happened(AttacksLost(unit=scene.units[UnitId(unit)].id, weapons=names, rules=(rule_id,)))
            continue
        what = " + ".join(dict.fromkeys(use.profile.full_name for use in some))
        target = yield from _pick_unit(
            battle, unit, targets, "select-new-target", f"a new target for {what}", "11e.core.04.03.03-new-target"
        )
        for use in some:
            context = circumstances.context(
                use.row,
                use.profile,
                target,
                single_target=use.context.single_target,
                chosen=use.context.chosen,
            )
            kept.append(replace(use, target=target, context=context))
    return kept


@rule("11e.core.04.03.03-new-target", "11e.core.15.01-protection-range")
def _is_out_of_reach(battle: Battle11, unit: int, use: Use) -> bool:
    """Whether a rule that came into force after the targets were selected has taken the target out of reach."""
    if use.profile.melee or not battle.state.timed:
        return False
    limit = targeted_within(battle.scene, battle.state, use.target)
    if limit is None or use.row not in standing(battle.state, unit):
        return False
    gaps = distances(battle.scene, battle.state, [use.row], standing(battle.state, use.target))
    return bool(gaps.size) and not within(float(gaps.min()), limit)


@rule("11e.core.04.03-resolve-order")
def _select_target(battle: Battle11, unit: int, uses: Sequence[Use]) -> Procedure[int]:
    """The targeted unit whose attacks are resolved next: the active player's pick."""
    targets = tuple(dict.fromkeys(use.target for use in uses))
    picked: int = yield from _pick_unit(
        battle, unit, targets, "select-target", "which target first?", "11e.core.04.03-resolve-order"
    )
    return picked


def _pick_unit(
    battle: Battle11, unit: int, units: Sequence[int], kind: str, prompt: str, rule_id: str
) -> Procedure[int]:
    if len(units) == 1:
        return units[0]
    info = battle.scene.units[UnitId(unit)]
    named = [battle.scene.units[UnitId(each)] for each in units]
    choices = Options(
        [Option(each.id, each.name, int(each.index)) for each in named], rule=rule_id, default=named[0].id
    )
    picked: int = yield from choose(
        Decision(info.side, kind, f"{info.name}: {prompt}", rule_id, choices, subject=info.index)
    )
    return picked


@rule("11e.core.04.03-resolve-order")
def _select_pool(battle: Battle11, unit: int, pools: list[Pool]) -> Procedure[tuple[list[Pool], bool]]:
    """The pools with the active player's pick first, and whether the rest is to follow as it was declared."""
    if len(pools) == 1:
        return pools, True
    info, rule_id = battle.scene.units[UnitId(unit)], "11e.core.04.03-resolve-order"
    options = [
        Option(f"pool:{number}", f"{len(pool.uses)} × {pool.name}" if len(pool.uses) > 1 else pool.name, number)
        for number, pool in enumerate(pools)
    ]
    choices = Options([*options, Option("as-declared", "all, in the order declared", None)], rule=rule_id)
    picked: int | None = yield from choose(
        Decision(info.side, "select-pool", f"{info.name}: which weapons next?", rule_id, choices, subject=info.index)
    )
    if picked is None:
        return pools, True
    return [pools[picked], *pools[:picked], *pools[picked + 1 :]], False


@rule("11e.core.04.03-resolve-order", "11e.core.05.03-saves-together", "11e.core.05.04-lowest-first")
def _resolve_pool(battle: Battle11, unit: int, pool: Pool, sums: Counter[str]) -> Procedure[None]:
    """Run the attack sequence (05) for one pool against its target as it stands."""
    view = target_view(battle.scene, battle.state, pool.target)
    volley = volley_of(pool, view)
    host = BattleHost(battle, unit, pool, view, volley)
    resolution = yield from resolve(volley, host)
    sums["attacks"] += resolution.attacks
    sums["hits"] += _hits(volley, resolution)
    sums["lost"] += host.lost
    sums["slain"] += host.slain


def _hits(volley: Volley, resolution: Resolution) -> int:
    """How many of the attacks have hit; every one where no hit roll is made."""
    if all(step.name != "hit" for step in volley.steps):
        return resolution.attacks
    return sum(count for name, count in resolution.outcomes.get("hit", {}).items() if name != "miss")


def _sum_up(battle: Battle11, unit: int, done: dict[int, Counter[str]]) -> None:
    for target, sums in done.items():
        battle.happened(
            AttacksMade(
                unit=battle.scene.units[UnitId(unit)].id,
                target=battle.scene.units[UnitId(target)].id,
                wounds_lost=sums["lost"],
                slain=sums["slain"],
                rules=("11e.core.04-steps",),
            )
        )
