"""What the page asks over HTTP besides battles: editions and their options, army lists, odds, rules, saved battles.

Each router is thin over the functions that the commands use. None of them holds anything but the :class:`Shelf` of the
lists that were read.
"""

from __future__ import annotations

from fastapi import APIRouter

from battlewright.server.api import armies, editions, odds, replay, rules
from battlewright.server.api.aside import Aside
from battlewright.server.api.refusals import add_refusals
from battlewright.server.api.shelf import Shelf

__all__ = ["ROUTERS", "Aside", "Shelf", "add_refusals"]

ROUTERS: tuple[APIRouter, ...] = (editions.router, armies.router, odds.router, rules.router, replay.router)
"""All of them stand under ``/api``."""
