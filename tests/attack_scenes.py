"""Small attacks for tests: an attack sequence in five words, without any edition's rules around it."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any

from battlewright.attacks.description import (
    Allocation,
    Alternative,
    Amount,
    AttackDice,
    ChoicePoint,
    Emit,
    Group,
    Outcome,
    Packet,
    RerollPermission,
    RerollWhich,
    SaveTable,
    Step,
    Target,
    Volley,
    amount,
)
from battlewright.core.dice import ScriptedDice, ScriptedRoll, parse_dice


def number(value: int | str) -> Amount:
    """``3`` or ``"D3+1"``."""
    return amount(parse_dice(value) if isinstance(value, str) else value)


def permission(which: RerollWhich | str | None) -> RerollPermission | None:
    return None if which is None else RerollPermission(RerollWhich(which), f"re-roll {which}")


def save(needed: int | None, reroll: RerollWhich | str | None = None) -> SaveTable:
    """Stops at ``needed`` and above, never at 1; None stops nothing."""
    stops = tuple(needed is not None and face >= max(needed, 2) for face in range(1, 7))
    a, b, c, d, e, f = stops
    return SaveTable((a, b, c, d, e, f), f"{needed}+" if needed else "-", permission(reroll))


def group(
    models: int | Sequence[int],
    wounds: int = 1,
    *,
    fnp: int | None = None,
    character: bool = False,
    name: str = "models",
    points: float = 0.0,
) -> Group:
    """So many unhurt models, or models with so many wounds remaining each."""
    remaining = (wounds,) * models if isinstance(models, int) else tuple(models)
    return Group(name, wounds, remaining, fnp, character, points)


def hit_step(needed: int, critical: int = 6, emits: tuple[Emit, ...] = (), **more: Any) -> Step:
    """Misses, hits, critical hits; ``critical_emits`` and ``choice`` shape the critical ones."""
    return d6_step("hit", needed, critical, (Emit("wound"),), emits or (Emit("wound"),), **more)


def d6_step(
    name: str,
    needed: int,
    critical: int,
    emits: tuple[Emit, ...],
    critical_emits: tuple[Emit, ...],
    choice: ChoicePoint | None = None,
    reroll: RerollWhich | str | None = None,
) -> Step:
    outcomes = (
        Outcome("failure"),
        Outcome("success", emits, success=True),
        Outcome("critical", critical_emits, choice, success=True, critical=True),
    )
    by_total = tuple(0 if f == 1 else 2 if f >= critical else 1 if f >= needed else 0 for f in range(1, 7))
    return Step(name, outcomes, by_total, needed=needed, reroll=permission(reroll))


def volley(
    attacks: int | str | Sequence[AttackDice] = 1,
    hit: int | None = 3,
    wound: int | None = 4,
    *,
    target: Target | Group | Iterable[Group] = (),
    saves: Sequence[SaveTable] | SaveTable | int | None = (),
    damage: int | str = 1,
    critical_hit: int = 6,
    critical_wound: int = 6,
    sustained: int | str | None = None,
    lethal: bool = False,
    devastating: bool = False,
    spills: bool = False,
    reroll_hit: str | None = None,
    reroll_wound: str | None = None,
    reroll_damage: str | None = None,
    allocation: Allocation = Allocation.SORTED,
    precision: int | None = None,
) -> Volley:
    """An attack sequence of hit, wound, save and damage; None leaves a step out (every token passes it)."""
    if isinstance(target, Group):
        target = (target,)
    if not isinstance(target, Target):
        target = Target(tuple(target) or (group(10),), allocation, precision)
    if isinstance(saves, SaveTable):
        saves = (saves,) * len(target.groups)
    elif isinstance(saves, int) or saves is None:
        saves = (save(saves),) * len(target.groups)
    tables = tuple(saves) or (save(None),) * len(target.groups)
    after_hit = "damage" if wound is None else "wound"
    extra = (Emit(after_hit, number(sustained)),) if sustained is not None else ()
    choice = None
    critical_emits = (Emit(after_hit), *extra)
    if lethal:
        choice = ChoicePoint(
            "lethal", (Alternative("take", (Emit("damage"),)), Alternative("decline", (Emit(after_hit),)))
        )
        critical_emits = extra
    steps = []
    if hit is not None:
        steps.append(d6_step("hit", hit, critical_hit, (Emit(after_hit),), critical_emits, choice, reroll_hit))
    packets = [Packet("damage", number(damage), spills=spills, reroll_damage=permission(reroll_damage))]
    critical_to = "damage"
    if devastating:
        packets.append(
            Packet("devastating", number(damage), saved=False, stage=1, reroll_damage=permission(reroll_damage))
        )
        critical_to = "devastating"
    if wound is not None:
        steps.append(
            d6_step("wound", wound, critical_wound, (Emit("damage"),), (Emit(critical_to),), None, reroll_wound)
        )
    dice: Sequence[AttackDice]
    dice = (AttackDice(1, number(attacks)),) if isinstance(attacks, int | str) else attacks
    entry = (Emit("hit" if hit is not None else after_hit),)
    return Volley("weapon", tuple(dice), entry, tuple(steps), tuple(packets), tables, target)


def script(*rolls: tuple[str, Sequence[int]]) -> ScriptedDice:
    """Dice that come up as written: purpose and faces of each throw."""
    return ScriptedDice([ScriptedRoll(purpose, tuple(faces)) for purpose, faces in rolls])


def run(procedure: Generator[Any, Any, Any]) -> Any:
    """The value of a procedure that asks nothing."""
    try:
        asked = next(procedure)
    except StopIteration as stopped:
        return stopped.value
    raise AssertionError(f"{asked!r} was asked")
