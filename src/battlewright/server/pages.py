"""The built page: its files as they are, and the same index for every address of it."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.responses import JSONResponse

__all__ = ["add_pages"]

_NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Battlewright</title>
<p>The page has not been built: <code>make</code> builds it. The protocol is there all the same.</p></html>
"""
_FOREVER = "public, max-age=31536000, immutable"


def add_pages(app: FastAPI, static: Path) -> None:
    """Serve the page from its folder; what lies under ``assets`` has names made of its content and may be kept."""
    files = {path.relative_to(static).as_posix(): path for path in sorted(static.rglob("*")) if path.is_file()}

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str) -> Response:
        if path in files:
            kept = _FOREVER if path.startswith("assets/") else "no-cache"
            return FileResponse(files[path], headers={"Cache-Control": kept})
        if path.startswith(("api/", "ws/", "assets/")):
            return JSONResponse({"error": "There is nothing here.", "nearest": None}, status_code=404)
        if "index.html" in files:
            return FileResponse(files["index.html"], headers={"Cache-Control": "no-cache"})
        return HTMLResponse(_NOT_BUILT, status_code=200)
