"""``/api/armies``: reading a list that was pasted or uploaded, with everything that does not add up named."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Path, Request
from fastapi.concurrency import run_in_threadpool

from battlewright.armies import judged_report
from battlewright.core.errors import ArmyError, BadInput
from battlewright.core.roster import Army
from battlewright.server.api.refusals import BUSY, REFUSALS, TooLarge
from battlewright.server.api.shelf import Shelf
from battlewright.server.forms import MAX_LIST, ArmyForm, ArmyRead
from battlewright.server.security import Rates

__all__ = ["router", "shelf_of"]

router = APIRouter(prefix="/api/armies", tags=["armies"], responses={**REFUSALS, **BUSY})


def shelf_of(request: Request) -> Shelf:
    """The shelf of the application that a request came to."""
    shelf: Shelf = request.app.state.shelf
    return shelf


def _counted(request: Request) -> None:
    """Refuse one who has too much read in a minute."""
    rates: Rates | None = getattr(request.app.state, "read", None)
    if rates is not None and not rates.take(request.client.host if request.client else ""):
        raise HTTPException(429, "those are too many lists in a minute")


@router.post("", dependencies=[Depends(_counted)])
async def read_list(form: ArmyForm, request: Request) -> ArmyRead:
    """Read a list; the answer is its ``id`` and its ``report``, the same as of ``army show --json``."""
    shelf = shelf_of(request)
    if form.bundled is not None:
        if form.text is not None or form.base64 is not None:
            raise BadInput("a bundled army needs no list beside it", where="bundled")
        return await _answered(form.bundled, await shelf.army(form.bundled, form.edition))
    return await _answered(*await shelf.read(_bytes_of(form), form.edition, _file_name(form.name)))


@router.get("/{name}")
async def show_list(name: Annotated[str, Path(max_length=200)], request: Request) -> ArmyRead:
    """A list that was read before, or a bundled army."""
    return await _answered(name, await shelf_of(request).army(name))


async def _answered(name: str, army: Army) -> ArmyRead:
    return ArmyRead(id=name, report=await run_in_threadpool(judged_report, army))


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
