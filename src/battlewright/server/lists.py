"""Army lists that were read, kept where battles are, so that they outlive the server."""

from __future__ import annotations

import contextlib
import time

import sqlalchemy as sa

from battlewright.server.settings import Limits
from battlewright.server.storage import Storage, StorageError
from battlewright.server.tables import LISTS

__all__ = ["Lists"]

_DAY = 86_400.0
_FRESH = 3_600.0
"""Seconds within which a list that is used again is not noted to have been used."""


class Lists:
    """The lists in a storage, within bounds; those that were used longest ago make room for new ones."""

    def __init__(self, storage: Storage, limits: Limits) -> None:
        self._storage, self._limits = storage, limits

    async def keep_list(self, name: str, data: str) -> None:
        """Keep a list; the same one again only counts as used.

        Raises:
            StorageError: when it could not be written; it is not kept then.
        """
        size, now = len(data.encode()), time.time()

        def write(connection: sa.Connection) -> None:
            connection.execute(sa.delete(LISTS).where(LISTS.c.name == name))
            connection.execute(sa.insert(LISTS).values(name=name, touched=now, size=size, data=data))
            self._make_room(connection, now)

        await self._storage.write(write)

    def _make_room(self, connection: sa.Connection, now: float) -> None:
        limits, total = self._limits, 0
        connection.execute(sa.delete(LISTS).where(LISTS.c.touched < now - limits.list_days * _DAY))
        query = sa.select(LISTS.c.name, LISTS.c.size).order_by(LISTS.c.touched.desc(), LISTS.c.name)
        dropped = []
        for place, row in enumerate(connection.execute(query).all()):
            total += row.size
            if place and (place >= limits.lists or total > limits.lists_bytes):
                dropped.append(row.name)
        if dropped:
            connection.execute(sa.delete(LISTS).where(LISTS.c.name.in_(dropped)))

    async def kept_list(self, name: str) -> str | None:
        """A list that is still kept; it counts as used.

        Raises:
            StorageError: when it could not be read.
        """
        now = time.time()
        rows = await self._storage.read(sa.select(LISTS.c.data, LISTS.c.touched).where(LISTS.c.name == name))
        if not rows or rows[0].touched < now - self._limits.list_days * _DAY:
            return None
        if rows[0].touched < now - _FRESH:
            used: sa.Update = sa.update(LISTS).where(LISTS.c.name == name).values(touched=now)

            def write(connection: sa.Connection) -> None:
                connection.execute(used)

            with contextlib.suppress(StorageError):  # it can be had all the same
                await self._storage.write(write)
        return str(rows[0].data)
