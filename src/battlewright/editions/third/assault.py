"""The assault chapter of the 3rd edition: what its table answers."""

from __future__ import annotations

from battlewright.editions.classic.assault import AssaultRules, any_free_enemy, nothing_more, one_each, reaches
from battlewright.editions.classic.procedures.charging import terrain_allowance
from battlewright.editions.classic.striking import FIRST, any_part_within, footing_of, frag_of_attackers, is_independent
from battlewright.editions.third import assaulting, morale, pursuit, splitting, striking, sweeping

__all__ = ["ASSAULT"]

ASSAULT = AssaultRules(
    why_no_assault=assaulting.why_no_assault,
    why_not_this=assaulting.anybody,
    reaches=reaches,
    allowance=terrain_allowance,
    moves_short=assaulting.short_move,
    free_enemies=any_free_enemy,
    may_join=assaulting.may_join,
    has_bonus=assaulting.always_bonus,
    contacted=nothing_more,
    begin_combat=nothing_more,
    is_within=any_part_within,
    reach_of=striking.reach_of,
    must_touch=is_independent,
    frag_cancels=frag_of_attackers,
    footing_of=footing_of,
    cover_step=FIRST,
    before_step=nothing_more,
    split_unit=splitting.split_unit,
    alike=splitting.as_they_are,
    may_single_out=splitting.may_single_out,
    target_of_undeclared=splitting.roll_again,
    next_to_fall=splitting.next_to_fall,
    tied_winner=pursuit.tied_winner,
    weight=one_each,
    modifiers_of_losing=morale.lost_combat_modifiers,
    wounds_of_losing=morale.wounds_of_losing,
    react=sweeping.react,
    pile_in=pursuit.PILE_IN,
    piles_in_always=False,
    first_in=sweeping.roll_for_first,
    may_engage=False,
)
