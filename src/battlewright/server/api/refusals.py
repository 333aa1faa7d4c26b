"""How a request that cannot be met is answered: a status and one sentence that a person can act on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from battlewright.core.errors import BadInput, BattlewrightError, UnknownRule
from battlewright.server.forms import Refusal

__all__ = ["BUSY", "REFUSALS", "Busy", "TooLarge", "Unknown", "add_refusals"]


class TooLarge(BadInput):
    """Something larger than is taken."""


class Busy(BadInput):
    """More than can be done at once."""


class Unknown(BadInput):
    """Something that is not here, or no longer."""


_STATUS: tuple[tuple[type[BattlewrightError], int], ...] = (
    (TooLarge, 413),
    (Unknown, 404),
    (UnknownRule, 404),
    (Busy, 503),
)
REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"description": "The request is no JSON", "model": Refusal},
    404: {"description": "There is no such thing here", "model": Refusal},
    413: {"description": "Too large", "model": Refusal},
    503: {"description": "Too busy", "model": Refusal},
    422: {"description": "What was asked cannot be read; the sentence says why", "model": Refusal},
}
"""The refusals of every route, for the description of the interface."""
BUSY: dict[int | str, dict[str, Any]] = {429: {"description": "Too many", "model": Refusal}}
"""Those of routes that count who asks."""


def add_refusals(app: FastAPI) -> None:
    """Answer every error raised on purpose, and every malformed request, with ``{"error": sentence}``."""
    app.add_exception_handler(BattlewrightError, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _failed)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 422)
    sentence = _sentence(str(error), starts=not getattr(error, "where", ""))
    return _answer(status, sentence, getattr(error, "nearest", None))


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    fault = error.errors()[0]
    place = ".".join(str(part) for part in fault["loc"] if part not in ("body", "query", "path"))
    said = str(fault["msg"]).removeprefix("Value error, ")
    status = 413 if fault["type"] == "string_too_long" and place in ("text", "base64") else 422
    return _answer(status, _sentence(f"{place}: {said}" if place else said, starts=not place))


async def _failed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return _answer(error.status_code, _sentence(str(error.detail)), headers=error.headers)


def _answer(
    status: int, sentence: str, nearest: str | None = None, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    return JSONResponse(Refusal(error=sentence, nearest=nearest).model_dump(), status, headers=headers)


def _sentence(text: str, *, starts: bool = True) -> str:
    """One line that can be shown as it is; what is not a character (half of a surrogate pair) is replaced.

    Args:
        starts: whether it begins with a word of its own, and not with the name of a field or file.
    """
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    line = line if len(line) <= 900 else line[:900].rsplit(" ", 1)[0] + " ..."
    return line[:1].upper() + line[1:] if starts else line
