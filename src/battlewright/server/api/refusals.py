"""How a request that cannot be met is answered: a status and one sentence that a person can act on."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from battlewright.core.errors import BadInput, BattlewrightError, UnknownRule

__all__ = ["REFUSALS", "Busy", "TooLarge", "Unknown", "add_refusals"]


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
_SCHEMA = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": {"type": "string"}, "nearest": {"type": ["string", "null"]}},
}
_CONTENT = {"application/json": {"schema": _SCHEMA}}
REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"description": "The request is no JSON", "content": _CONTENT},
    404: {"description": "There is no such thing here", "content": _CONTENT},
    413: {"description": "Too large", "content": _CONTENT},
    503: {"description": "Too busy", "content": _CONTENT},
    422: {"description": "What was asked cannot be read; the sentence says why", "content": _CONTENT},
}
"""The refusals of every route, for the description of the interface."""


def add_refusals(app: FastAPI) -> None:
    """Answer every error raised on purpose, and every malformed request, with ``{"error": sentence}``."""
    app.add_exception_handler(BattlewrightError, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _failed)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 422)
    sentence = _sentence(str(error), starts=not getattr(error, "where", ""))
    return JSONResponse({"error": sentence, "nearest": getattr(error, "nearest", None)}, status)


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    fault = error.errors()[0]
    place = ".".join(str(part) for part in fault["loc"] if part not in ("body", "query", "path"))
    said = str(fault["msg"]).removeprefix("Value error, ")
    status = 413 if fault["type"] == "string_too_long" and place in ("text", "base64") else 422
    return JSONResponse({"error": _sentence(f"{place}: {said}" if place else said, starts=not place)}, status)


async def _failed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": _sentence(str(error.detail))}, error.status_code, headers=error.headers)


def _sentence(text: str, *, starts: bool = True) -> str:
    """One line that can be shown as it is; what is not a character (half of a surrogate pair) is replaced.

    Args:
        starts: whether it begins with a word of its own, and not with the name of a field or file.
    """
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    line = line if len(line) <= 900 else line[:900].rsplit(" ", 1)[0] + " ..."
    return line[:1].upper() + line[1:] if starts else line
