"""``/api/armies``: reading a list that was pasted or uploaded, with everything that does not add up named."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from fastapi import APIRouter, Path, Request

from battlewright.armies import judged_report
from battlewright.core.errors import ArmyError, BadInput
from battlewright.core.roster import Army
from battlewright.server.api.refusals import REFUSALS, TooLarge
from battlewright.server.api.shelf import Shelf
from battlewright.server.forms import MAX_LIST, ArmyForm, ArmyRead

__all__ = ["router", "shelf_of"]

router = APIRouter(prefix="/api/armies", tags=["armies"], responses=REFUSALS)


def shelf_of(request: Request) -> Shelf:
    """The shelf of the application that a request came to."""
    shelf: Shelf = request.app.state.shelf
    return shelf


@router.post("")
def read_list(form: ArmyForm, request: Request) -> ArmyRead:
    """Read a list; the answer is its ``id`` and its ``report``, the same as of ``army show --json``."""
    shelf = shelf_of(request)
    if form.bundled is not None:
        if form.text is not None or form.base64 is not None:
            raise BadInput("a bundled army needs no list beside it", where="bundled")
        return _answered(form.bundled, shelf.army(form.bundled, form.edition))
    return _answered(*shelf.read(_bytes_of(form), form.edition, _file_name(form.name)))


@router.get("/{name}")
def show_list(name: Annotated[str, Path(max_length=200)], request: Request) -> ArmyRead:
    """A list that was read before, or a bundled army."""
    return _answered(name, shelf_of(request).army(name))


def _answered(name: str, army: Army) -> ArmyRead:
    return ArmyRead(id=name, report=judged_report(army))


def _bytes_of(form: ArmyForm) -> bytes:
    if (form.text is None) == (form.base64 is None):
        raise BadInput("a list is needed", expected="text, base64 or bundled, one of them")
    if form.text is not None:
        try:
            data = form.text.encode()
        except UnicodeEncodeError:
            raise ArmyError("the list is not a text in UTF-8") from None
    else:
        try:
            data = base64.b64decode(form.base64 or "", validate=True)
        except (binascii.Error, ValueError):
            raise BadInput("is no base64", where="base64", expected="the bytes of a file") from None
    if len(data) > MAX_LIST:
        raise TooLarge(f"the list is larger than {MAX_LIST // 1_000_000} MB")
    return data


def _file_name(name: str) -> str:
    """The last part of a file's name, so that complaints can quote it."""
    return name.replace("\\", "/").rsplit("/", 1)[-1].strip() or "the list"
