"""The odds of an attack: questions in text, answers as distributions.

>>> answer = volley("A10 BS3+ S4 AP-1 D1 [LETHAL HITS]", "T4 Sv3+ W2 x10", reroll_hits="ones")
>>> round(answer.mean_damage, 3)
2.431
"""

from __future__ import annotations

from battlewright.odds.answer import Answer
from battlewright.odds.compare import Comparison, compare
from battlewright.odds.explain import Explained, explain
from battlewright.odds.glory import death_or_glory
from battlewright.odds.matrix import Matrix, Way, matrix
from battlewright.odds.measures import Measure
from battlewright.odds.questions import keys, volley

__all__ = [
    "Answer",
    "Comparison",
    "Explained",
    "Matrix",
    "Measure",
    "Way",
    "compare",
    "death_or_glory",
    "explain",
    "keys",
    "matrix",
    "volley",
]
