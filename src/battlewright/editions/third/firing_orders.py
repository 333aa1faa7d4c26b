"""Orders to fire in the 3rd edition: who may, at what, with how many weapons; guesses, combi-weapons, barrages."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from battlewright.core.decisions import Violation
from battlewright.core.rulebook import rule
from battlewright.editions.classic.state import ClassicUnit, Deed
from battlewright.editions.third.formation import why_no_shooting

__all__ = [
    "barrage_victims",
    "blast_victims",
    "firers",
    "free_to_shoot",
    "guess_faults",
    "may_be_target",
    "may_fire_part",
    "may_pick_a_model",
    "target_faults",
    "weapon_count_faults",
    "why_unit_may_not_fire",
]


# -- who and at what --------------------------------------------------------------------------------------------


@rule("3e.core.shooting.who-may-fire", "3e.core.shooting.not-into-combat", "3e.core.shooting.pinned")
def why_unit_may_not_fire(
    unit: ClassicUnit, *, in_combat: bool = False, all_barred: bool = False
) -> list[tuple[str, str]]:
    """Why a unit may not fire: rule and clause for each reason; none when it may.

    Args:
        all_barred: whether its move bars every weapon that it has.
    """
    found = why_no_shooting(unit)
    if in_combat:
        found.append(("3e.core.shooting.who-may-fire", "is in close combat"))
    if unit.has(Deed.FIRED):
        found.append(("3e.core.shooting.who-may-fire", "has fired already"))
    if all_barred:
        found.append(("3e.core.shooting.who-may-fire", "has moved, and may fire none of its weapons"))
    return found


@rule("3e.core.shooting.not-into-combat")
def may_be_target(*, in_combat: bool) -> bool:
    """Whether a unit may be fired at: not while it is in close combat."""
    return not in_combat


@rule("3e.partial-contact.free-shoot")
def free_to_shoot(rows: Sequence[int], in_contact: Collection[int]) -> list[int]:
    """The models of a unit that was swept into which shoot under the normal rules: those that touch no enemy."""
    return [row for row in rows if row not in in_contact]


@rule("3e.partial-contact.one-target")
def target_faults(targets: Collection[int]) -> list[Violation]:
    """Why models of one unit may not fire at these units; nothing when they may: they all fire at one."""
    several = len(set(targets))
    if several < 2:
        return []
    return [Violation("3e.partial-contact.one-target", f"A unit has one target, {several} were named")]


@rule("3e.outside.vehicle-target")
def firers(rows: Sequence[int], can_harm: Collection[int], *, vehicle: bool) -> list[int]:
    """The models that have to fire at the target chosen: at a vehicle all, also those whose weapons cannot hurt it.

    Args:
        can_harm: models whose weapons can; at other targets the rest may hold their fire.
    """
    return [row for row in rows if vehicle or row in can_harm]


@rule("3e.core.shooting.one-weapon")
def weapon_count_faults(chosen: int, allowed: int = 1) -> list[Violation]:
    """Why a model may not fire so many weapons; nothing when it may.

    Args:
        allowed: one, unless a rule says otherwise.
    """
    if chosen <= allowed:
        return []
    return [Violation("3e.core.shooting.one-weapon", f"A model fires {allowed} of its weapons, {chosen} were chosen")]


@rule("3e.core.characters.marksmen")
def may_pick_a_model(*, marksman: bool) -> bool:
    """Whether the firer picks the model that he shoots: a marksman does, everybody else leaves it to the owner."""
    return marksman


# -- weapons ----------------------------------------------------------------------------------------------------


@rule("3e.core.shooting.guess-first")
def guess_faults(*, measured_this_phase: bool) -> list[Violation]:
    """Why a guess weapon may not be fired now; nothing when it may: before its player has measured anything."""
    if not measured_this_phase:
        return []
    return [Violation("3e.core.shooting.guess-first", "Ranges are guessed before anything is measured in the phase")]


@rule("3e.core.weapons.combi")
def may_fire_part(part: int, fired_this_turn: Collection[int], fired_ever: Collection[int]) -> bool:
    """Whether a part of a combi-weapon may be fired: one part in a turn, and of the second one shot in a game.

    Args:
        part: 0 for the first part, 1 for the second.
        fired_this_turn, fired_ever: parts that have been fired.
    """
    return not fired_this_turn and (part == 0 or part not in fired_ever)


@rule("3e.core.weapons.blast-casualties")
def blast_victims(rows: Sequence[int], under_marker: Collection[int]) -> list[int]:
    """The models that the owner may remove for the hits of a blast: any of the unit, under the marker or not."""
    return list(rows)


@rule("3e.core.weapons.barrage-on-combat")
def barrage_victims(under_marker: Sequence[int], sides: Sequence[int]) -> dict[int, list[int]]:
    """The models that a barrage hits where it has drifted to, by side: everyone under it, in a close combat both sides.

    Args:
        under_marker: models under the marker; ``sides`` whose each model is, by row.
    """
    found: dict[int, list[int]] = {}
    for row in under_marker:
        found.setdefault(sides[row], []).append(row)
    return found
