"""The army lists that were read, so that a battle or a question of odds can name one, after a restart as well."""

from __future__ import annotations

import hashlib
import json
import re
from collections import OrderedDict
from dataclasses import dataclass
from typing import Protocol

from fastapi.concurrency import run_in_threadpool

from battlewright.armies import army_from_json, army_of_bytes, army_to_json, load_army, sample_armies
from battlewright.core.errors import ArmyError, SaveError
from battlewright.core.roster import Army
from battlewright.server.api.refusals import TooLarge, Unknown

__all__ = ["Keeper", "Shelf"]

_PREFIX = "list-"
_NAME = re.compile(r"list-[0-9a-f]{24}")
_GONE = "this server no longer keeps that list"


class Keeper(Protocol):
    """Where lists outlive the server, by name and as JSON texts."""

    async def keep_list(self, name: str, data: str) -> None:
        """Keep a list, or note that it was used once more."""
        ...

    async def kept_list(self, name: str) -> str | None:
        """A list that is still kept."""
        ...


@dataclass(frozen=True, slots=True)
class _Held:
    army: Army
    size: int


class Shelf:
    """Lists by a name made from what they hold; those not asked for longest make room in memory for new ones.

    Args:
        keeper: where they are kept for good; None keeps them in memory alone.
        most: lists that are held in memory; ``most_bytes`` what they may take together, as JSON.
        largest: what a single one may take.
    """

    def __init__(
        self,
        keeper: Keeper | None = None,
        most: int = 100,
        most_bytes: int = 16_000_000,
        largest: int = 8_000_000,
    ) -> None:
        self._keeper, self._most, self._most_bytes, self._largest = keeper, most, most_bytes, largest
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._bytes = 0

    async def read(self, data: bytes, edition: str | None, where: str) -> tuple[str, Army]:
        """Read a list and keep it; gives its name once it is kept.

        Raises:
            ArmyError: when it is no list that can be read.
            TooLarge: when it holds more than is kept.
        """
        army, written = await run_in_threadpool(_read, data, edition, where)
        if len(written) > self._largest:
            raise TooLarge("the list holds more than is kept here")
        name = _PREFIX + hashlib.blake2b(written.encode(), digest_size=12).hexdigest()
        if self._keeper is not None:
            await self._keeper.keep_list(name, written)
        self._hold(name, army, len(written))
        return name, army

    async def army(self, name: str, edition: str | None = None) -> Army:
        """The list of that name, or the bundled army of that name.

        Raises:
            Unknown: when there is none, or no longer.
            ArmyError: when it belongs to another edition.
        """
        if name.startswith(_PREFIX):
            army = await self._listed(name)
        elif (path := sample_armies().get(name)) is not None:
            army = await run_in_threadpool(load_army, path)
        else:
            raise Unknown(f'no army "{name}" is bundled')
        if edition is not None and army.edition != edition:
            raise ArmyError(f'"{army.name}" is a list of edition {army.edition}', expected=f"edition {edition}")
        return army

    async def _listed(self, name: str) -> Army:
        if (held := self._held.get(name)) is not None:
            self._held.move_to_end(name)
            return held.army
        written = None
        if self._keeper is not None and _NAME.fullmatch(name):
            written = await self._keeper.kept_list(name)
        if written is None:
            raise Unknown(_GONE, expected="to be given the list once more")
        try:
            army = await run_in_threadpool(_restored, written)
        except SaveError as error:  # another version of this program wrote it otherwise
            raise Unknown(_GONE, expected="to be given the list once more") from error
        self._hold(name, army, len(written))
        return army

    def _hold(self, name: str, army: Army, size: int) -> None:
        if (old := self._held.pop(name, None)) is not None:
            self._bytes -= old.size
        self._held[name] = _Held(army, size)
        self._bytes += size
        while len(self._held) > 1 and (len(self._held) > self._most or self._bytes > self._most_bytes):
            _, dropped = self._held.popitem(last=False)
            self._bytes -= dropped.size


def _read(data: bytes, edition: str | None, where: str) -> tuple[Army, str]:
    army = army_of_bytes(data, edition, where)
    return army, json.dumps(army_to_json(army), sort_keys=True)


def _restored(written: str) -> Army:
    return army_from_json(json.loads(written))
