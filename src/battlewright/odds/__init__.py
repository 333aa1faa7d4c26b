"""The odds of an attack: questions in text, answers as distributions.

>>> answer = volley("A10 BS3+ S4 AP-1 D1 [LETHAL HITS]", "T4 Sv3+ W2 x10", reroll_hits="ones")
>>> round(answer.mean_damage, 3)
2.431
"""

from __future__ import annotations

from battlewright.odds.answer import Answer
from battlewright.odds.questions import keys, volley

__all__ = ["Answer", "keys", "volley"]
