"""The table in the browser: a web server with a lobby, seats and battles, and a protocol that bots can speak.

It adds no rule: it speaks to the engine through decisions, answers, views and events alone. Nothing here is imported
before ``battlewright serve`` runs.
"""

from __future__ import annotations

__all__: list[str] = []
