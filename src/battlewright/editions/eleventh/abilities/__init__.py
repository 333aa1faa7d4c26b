"""Abilities of datasheets, detachments and enhancements, read from their encodings into hooks.

:mod:`.language` holds what an encoding is read into, :mod:`.reading` reads it with :mod:`.effects` and
:mod:`.conditions`, and :mod:`.in_force` says which effects are at work in a battle or a question.
"""

from battlewright.editions.eleventh.abilities.clauses import Clause, Reading
from battlewright.editions.eleventh.abilities.reading import read_ability

__all__ = ["Clause", "Reading", "read_ability"]
