"""The application: HTTP under ``/api``, the WebSocket under ``/ws``, and the page everywhere else."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

import battlewright
from battlewright.server.api import ROUTERS, Aside, Shelf, add_refusals
from battlewright.server.forms import Refusal
from battlewright.server.hall import Hall
from battlewright.server.lists import Lists
from battlewright.server.lobby import router as lobby
from battlewright.server.pages import add_pages
from battlewright.server.pool import Pool, WorkerFault
from battlewright.server.security import Guard, Rates
from battlewright.server.settings import Settings
from battlewright.server.sockets import router as sockets
from battlewright.server.storage import Storage, StorageError

__all__ = ["make_app"]

_LONGEST_QUESTION = 30.0
"""Seconds that a question of odds may take."""
_log = logging.getLogger("battlewright.server")


def make_app(settings: Settings, storage: Storage) -> FastAPI:
    """The whole server as an ASGI application; the storage is open, and is closed when it ends."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool = Pool(settings.tables, settings.thinkers, settings.resident)
        app.state.hall = Hall(pool, storage, settings.limits)
        warming = asyncio.create_task(pool.warm_up())
        try:
            yield
        finally:
            warming.cancel()
            await app.state.hall.stop()
            app.state.aside.close()
            app.state.reckoner.close()
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
    app.state.read = Rates(settings.limits.read)
    app.state.shelf = Shelf(Lists(storage, settings.limits), largest=settings.limits.list_bytes)
    app.state.aside = Aside()
    app.state.reckoner = Aside(8, _LONGEST_QUESTION)
    for router in (*ROUTERS, lobby, sockets):
        app.include_router(router)
    add_pages(app, settings.static)
    add_refusals(app)
    app.add_exception_handler(WorkerFault, _unavailable)
    app.add_exception_handler(StorageError, _unavailable)
    return app


async def _unavailable(request: Request, error: Exception) -> Response:
    _log.error("%s %s: %s", request.method, request.url.path, error)
    return JSONResponse(Refusal(error="The server could not do that now; please try again.").model_dump(), 503)
