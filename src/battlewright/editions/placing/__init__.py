"""Moving models and setting them up, as far as no edition decides it: spaces, what must hold at the end, the search.

An edition gives :class:`~battlewright.editions.placing.placed.PlacingRules` and derives its spaces and conditions from
these, adding what it forbids on the way and the rules that it cites.
"""
