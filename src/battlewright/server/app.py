"""The application: HTTP under ``/api``, the WebSocket under ``/ws``, and the page everywhere else."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

import battlewright
from battlewright.core.errors import BadInput
from battlewright.server.api import router as api
from battlewright.server.forms import Refusal
from battlewright.server.hall import Hall
from battlewright.server.pages import add_pages
from battlewright.server.pool import Pool, WorkerFault
from battlewright.server.security import Guard, Rates
from battlewright.server.settings import Settings
from battlewright.server.sockets import router as sockets
from battlewright.server.storage import Storage, StorageError

__all__ = ["make_app"]

_log = logging.getLogger("battlewright.server")


def make_app(settings: Settings) -> FastAPI:
    """The whole server as an ASGI application; workers and database are opened when it starts."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        storage = Storage(settings.database)
        await storage.open()
        pool = Pool(settings.tables, settings.thinkers, settings.resident)
        app.state.hall = Hall(pool, storage, settings.limits)
        try:
            yield
        finally:
            await app.state.hall.stop()
            await pool.stop()
            await storage.close()

    app = FastAPI(
        title="Battlewright",
        version=battlewright.__version__,
        description="The table in the browser. The WebSocket is described in docs/protocol.md.",
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.made = Rates(settings.limits.made)
    app.add_middleware(Guard, hosts=settings.hosts, limits=settings.limits)
    app.include_router(api, prefix="/api")
    app.include_router(sockets)
    add_pages(app, settings.static)
    _add_refusals(app)
    return app


def _add_refusals(app: FastAPI) -> None:
    """Every refusal has the same form."""

    def told(status: int, text: str, **more: Any) -> Response:
        return JSONResponse(Refusal(text=text, **more).model_dump(), status_code=status)

    async def bad_input(request: Request, error: Exception) -> Response:
        assert isinstance(error, BadInput)
        return told(422, error.what, where=error.where, expected=error.expected, nearest=error.nearest)

    async def misshapen(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        return told(422, str(first["msg"])[:300], where=".".join(str(part) for part in first["loc"])[:200])

    async def unavailable(request: Request, error: Exception) -> Response:
        _log.error("%s %s: %s", request.method, request.url.path, error)
        return told(503, "the server could not do that now; please try again")

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return told(error.status_code, str(error.detail))

    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(BadInput, bad_input)
    app.add_exception_handler(RequestValidationError, misshapen)
    app.add_exception_handler(WorkerFault, unavailable)
    app.add_exception_handler(StorageError, unavailable)
