"""The table of rules of the 3rd edition, and what each switch changes in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from battlewright.editions.classic import formation
from battlewright.editions.classic.procedures.counting import end_of_battle
from battlewright.editions.classic.procedures.phases import PHASES
from battlewright.editions.classic.procedures.setup import before_the_battle
from battlewright.editions.classic.table import Change, ClassicRules, chapter
from battlewright.editions.classic.targets import Candidate
from battlewright.editions.third import (
    assaulting,
    attack,
    casualties,
    characters,
    kinds,
    measuring,
    morale,
    sight,
    splitting,
    striking,
    targets,
    terrain_tests,
)
from battlewright.editions.third.assault import ASSAULT
from battlewright.editions.third.attack import ATTACK
from battlewright.editions.third.missions import MISSION_RULES
from battlewright.editions.third.morale import MORALE
from battlewright.editions.third.movement import MOVEMENT
from battlewright.editions.third.shooting import SHOOTING
from battlewright.editions.third.vehicles import VEHICLES

__all__ = ["CHANGES", "THIRD"]

THIRD = ClassicRules(
    set_up=before_the_battle,
    end=end_of_battle,
    phases=PHASES,
    movement=MOVEMENT,
    vehicles=VEHICLES,
    attack=ATTACK,
    shooting=SHOOTING,
    assault=ASSAULT,
    morale=MORALE,
    characters=characters.CHARACTERS,
    missions=MISSION_RULES,
    unit_type=kinds.unit_type,
)
"""The edition as it is settled."""


def _possible(also: Callable[[Candidate], bool]) -> Change:
    """One more criterion for possible targets, besides those agreed on already."""

    def change(rules: ClassicRules) -> ClassicRules:
        before = rules.shooting.is_possible_target
        return chapter("shooting", is_possible_target=lambda candidate: before(candidate) and also(candidate))(rules)

    return change


CHANGES: Mapping[tuple[str, str], Change] = {
    ("jump_type", "own-type"): lambda rules: replace(rules, unit_type=kinds.unit_type_with_jump_troops),
    ("within", "whole-model"): chapter("assault", is_within=striking.whole_model_within),
    ("march_moves", "yes"): chapter("movement", why_no_march=formation.why_no_march),
    ("hidden_models_block", "yes"): chapter("shooting", counts_unseen=sight.hidden_models_block),
    ("range_from", "barrel"): chapter("shooting", range_from=measuring.from_barrel),
    ("same_unit_blocks", "yes"): chapter("shooting", hides_comrades=sight.comrades_hide),
    ("mixed_armour", "space-wolves"): chapter("attack", groups=attack.groups_majority_first),
    ("mixed_armour", "black-templars"): chapter("attack", groups=attack.groups_majority_first),
    ("mixed_armour", "orks"): chapter("attack", groups=attack.groups_majority_first),
    ("character_pool", "yes"): chapter("shooting", pool=casualties.own_pool),
    ("assault_reach", "strict"): chapter("assault", reaches=assaulting.reaches_strictly),
    ("nearest_to_nearest", "yes"): chapter("assault", free_enemies=assaulting.nearest_free_enemy),
    ("undeclared_split", "common-target"): chapter("assault", target_of_undeclared=splitting.most_common_kind),
    ("frag_users", "any-side"): chapter("assault", frag_cancels=striking.frag_of_any_side),
    ("transport_losses_count", "yes"): chapter("morale", losses_that_count=morale.all_losses),
    ("last_man_below_half", "yes"): chapter("morale", last_man_modifiers=morale.last_man_below_half),
    ("rally_movement_phase_only", "yes"): chapter("morale", may_rally_in_cover=morale.in_cover_in_own_movement),
    ("joining_declared", "start-of-turn"): chapter("characters", joining_declared=characters.start_of_turn),
    ("possible_target_in_range", "yes"): _possible(targets.in_range_too),
    ("possible_target_damageable", "yes"): _possible(targets.damageable_too),
    ("joined_nearest_may_be_shot", "yes"): chapter("shooting", may_pick_joined=targets.joined_may_be_picked),
    ("orphaned_character", "released"): chapter("morale", is_bound=morale.released),
    ("characters_always_rally", "yes"): chapter("morale", why_no_rally=morale.why_no_rally_unless_led),
    ("jetbikes_single_test", "yes"): chapter("movement", accident_dice=terrain_tests.one_die_in_a_phase),
    ("jetbikes_fly_low", "yes"): chapter("movement", accident_dice=terrain_tests.flying_low),
}
"""What a switch changes when it stands at a value other than the settled one."""
