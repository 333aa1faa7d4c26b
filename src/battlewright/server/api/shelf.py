"""The army lists that were read, so that a battle or a question of odds can name one."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from battlewright.armies import army_of_bytes, army_to_json, load_army, sample_armies
from battlewright.core.errors import ArmyError
from battlewright.core.roster import Army
from battlewright.server.api.refusals import Unknown

__all__ = ["Shelf"]


@dataclass(slots=True)
class _Kept:
    army: Army
    size: int


class Shelf:
    """Lists by an id made from what they hold; those that were not asked for longest make room for new ones.

    Args:
        most: lists that are kept.
        most_bytes: what they may take together, in bytes of their JSON form.
    """

    def __init__(self, most: int = 500, most_bytes: int = 64_000_000) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()  # requests are answered in threads

    def read(self, data: bytes, edition: str | None, where: str) -> tuple[str, Army]:
        """Read a list and keep it; gives its id.

        Raises:
            ArmyError: when it is no list that can be read.
        """
        army = army_of_bytes(data, edition, where)
        written = json.dumps(army_to_json(army), sort_keys=True).encode()
        name = "list-" + hashlib.blake2b(written, digest_size=12).hexdigest()
        with self._lock:
            if (old := self._kept.pop(name, None)) is not None:
                self._bytes -= old.size
            self._kept[name] = _Kept(army, len(written))
            self._bytes += len(written)
            while len(self._kept) > 1 and (len(self._kept) > self._most or self._bytes > self._most_bytes):
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= dropped.size
        return name, army

    def army(self, name: str, edition: str | None = None) -> Army:
        """The list of that id, or the bundled army of that name.

        Raises:
            Unknown: when there is none, or no longer.
            ArmyError: when it belongs to another edition.
        """
        with self._lock:
            if (kept := self._kept.get(name)) is not None:
                self._kept.move_to_end(name)
        if kept is not None:
            army = kept.army
        elif (path := sample_armies().get(name)) is not None:
            army = load_army(path)
        elif name.startswith("list-"):
            raise Unknown("this server no longer keeps that list", expected="to be given the list once more")
        else:
            raise Unknown(f'no army "{name}" is bundled')
        if edition is not None and army.edition != edition:
            raise ArmyError(f'"{army.name}" is a list of edition {army.edition}', expected=f"edition {edition}")
        return army
