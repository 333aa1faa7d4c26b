"""What an edition provides, and the table of editions.

Nothing outside ``editions/`` asks which edition it has; it is handed one from here and uses what every edition
provides. Modules are loaded only when their edition is asked for.
"""

from __future__ import annotations
