"""The switches of the 3rd edition: customary readings and house rules that two players may tick before a game.

Whatever is not ticked is played by the settled reading, the first value of each switch. What a value changes in the
rules stands in :mod:`.table`.
"""

from __future__ import annotations

from pathlib import Path

from battlewright.editions.classic.damage_tables import switch_of
from battlewright.editions.switches import Switch

__all__ = ["SWITCHES"]

_DAMAGE_TABLES = Path(__file__).with_name("damage_tables.yaml")
_NO_YES = ("no", "yes")


SWITCHES: tuple[Switch, ...] = (
    Switch(
        "jump_type",
        ("infantry-with-jump-rules", "own-type"),
        "3e.terms.jump-type",
        "Whether jump troops are infantry with rules of their own, or a type of their own (a matter of words only)",
    ),
    Switch(
        "within",
        ("any-part", "whole-model"),
        "3e.terms.within-whole-model",
        'Whether any part of a model is enough to be within 2" of an enemy or a hatch, or the whole model must be',
    ),
    Switch("march_moves", _NO_YES, "3e.march.enabled", "Whether units may march at twice their distance"),
    Switch(
        "hidden_models_block",
        _NO_YES,
        "3e.los.hidden-models-block",
        "Whether models that the shooter cannot see block its line of sight to others",
    ),
    Switch(
        "range_from",
        ("base", "barrel"),
        "3e.range.from-barrel",
        "Whether range is measured from the base (or the weapon's mount), or from the muzzle",
    ),
    Switch(
        "same_unit_blocks",
        _NO_YES,
        "3e.casualties.same-unit-blocks",
        "Whether models hide comrades of their own unit behind them from fire",
    ),
    Switch(
        "mixed_armour",
        ("none", "space-wolves", "black-templars", "orks"),
        "3e.mixed.mixed-armour-rule",
        "Whether one army book's rule for mixed armour is used for every army",
    ),
    Switch(
        "character_pool",
        _NO_YES,
        "3e.multi-wound.character-pool",
        "Whether a character in a unit of several wounds keeps a count of wounds of its own",
    ),
    Switch(
        "assault_reach",
        ("reach", "strict"),
        "3e.assault-move.strict-within",
        'Whether an enemy exactly 6" away may be assaulted, or only a nearer one',
    ),
    Switch(
        "nearest_to_nearest",
        _NO_YES,
        "3e.assault-move.nearest-to-nearest",
        "Whether assaulting models must go for the nearest enemy model",
    ),
    Switch(
        "undeclared_split",
        ("reroll", "common-target"),
        "3e.split.undeclared",
        "What becomes of close combat dice that were rolled before their targets were named",
    ),
    Switch(
        "frag_users",
        ("attackers-only", "any-side"),
        "3e.special-attacks.frag-users",
        "Who may use frag grenades in a close combat",
    ),
    Switch(
        "transport_losses_count",
        _NO_YES,
        "3e.fire-morale.transport-counts",
        "Whether losses in a destroyed transport count towards the test for a quarter lost",
    ),
    Switch(
        "last_man_below_half",
        _NO_YES,
        "3e.last-man.minus-option",
        "Whether the last survivor of a unit tests at -1 for being below half strength",
    ),
    Switch(
        "rally_movement_phase_only",
        _NO_YES,
        "3e.rally.movement-phase-only",
        "Whether a unit may rally in cover in its own movement phase alone",
    ),
    Switch(
        "joining_declared",
        ("end-of-movement", "start-of-turn"),
        "3e.char-units.declare",
        "When a player says which units his characters join",
    ),
    Switch(
        "possible_target_in_range",
        _NO_YES,
        "3e.char-shooting.possible-range",
        "Whether only units within range protect a lone character near them",
    ),
    Switch(
        "possible_target_damageable",
        _NO_YES,
        "3e.char-shooting.possible-damage",
        "Whether only units that the firers can hurt protect a lone character near them",
    ),
    Switch(
        "joined_nearest_may_be_shot",
        _NO_YES,
        "3e.char-shooting.joined-nearest-option",
        'Whether a joined character may be picked when he is the nearest model within 12"',
    ),
    Switch(
        "orphaned_character",
        ("bound", "released"),
        "3e.char-leaders.orphan",
        "Whether a joined character whose unit is destroyed shares its fate until he can leave, or is free at once",
    ),
    Switch(
        "characters_always_rally",
        _NO_YES,
        "3e.char-leaders.always-rally",
        "Whether a unit led by an independent character may always try to rally",
    ),
    Switch(
        "jetbikes_single_test",
        _NO_YES,
        "3e.jetbikes.single-test",
        "Whether a jetbike takes one terrain test in a phase at most",
    ),
    Switch(
        "jetbikes_fly_low",
        _NO_YES,
        "3e.jetbikes.low-flying",
        "Whether a jetbike that stays in one piece of terrain takes one test, as a bike does",
    ),
    switch_of(_DAMAGE_TABLES, "3e.core.vehicles.penetrating-table"),
)
