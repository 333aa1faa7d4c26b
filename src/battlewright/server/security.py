"""What keeps strangers' pages and strangers' data out: hosts, origins, sizes, rates, and headers."""

from __future__ import annotations

import time
from collections import OrderedDict
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from battlewright.server.settings import Limits

__all__ = ["Guard", "Rates", "TokenBucket", "is_own_origin"]

_MOST_DRAINED = 2**26
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""The page loads nothing from elsewhere and runs no script but its own; attributes may set styles, nothing else."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def is_own_origin(headers: Headers) -> bool:
    """Whether a request comes from this server's own page, or from no page at all (a bot, a command)."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc.lower() == headers.get("host", "").lower()


class TokenBucket:
    """So many things a second, after a burst.

    >>> bucket = TokenBucket(1.0, 2, now=0.0); [bucket.take(now=0.0) for _ in range(3)], bucket.take(now=1.0)
    ([True, True, False], True)
    """

    __slots__ = ("_burst", "_last", "_left", "_rate")

    def __init__(self, rate: float, burst: float, *, now: float | None = None) -> None:
        self._rate, self._burst, self._left = rate, burst, burst
        self._last = time.monotonic() if now is None else now

    def take(self, *, now: float | None = None) -> bool:
        """Whether one more is within the bounds."""
        now = time.monotonic() if now is None else now
        self._left = min(self._burst, self._left + (now - self._last) * self._rate)
        self._last = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Rates:
    """A bucket for each address; the ones that were used longest ago are forgotten."""

    def __init__(self, a_minute: int, addresses: int = 10_000) -> None:
        self._rate, self._burst, self._most = a_minute / 60, a_minute, addresses
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Whether one more from that address is within the bounds."""
        bucket = self._buckets.setdefault(address, TokenBucket(self._rate, self._burst))
        self._buckets.move_to_end(address)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket.take()


class Guard:
    """Stands before everything: refuses other hosts, other pages' requests and large bodies, and adds headers.

    Args:
        hosts: names that the server answers to; empty for any.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...], limits: Limits) -> None:
        self._app, self._hosts, self._limits = app, frozenset(host.lower() for host in hosts), limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if scope["type"] == "websocket":
            if refusal:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
            else:
                await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    found.setdefault(name, value)
                if scope["path"].startswith("/api"):
                    found.setdefault("Cache-Control", "no-store")
            await send(message)

        if refusal:
            response = JSONResponse({"error": refusal[1], "nearest": None}, status_code=refusal[0])
            await response(scope, receive, send_with_headers)
            return
        most = self._limits.save_bytes if scope["path"] == "/api/replay" else self._limits.body_bytes
        await self._bounded(scope, receive, send_with_headers, most)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "").lower()
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() and not host.endswith("]") else host
        if self._hosts and name not in self._hosts:
            return 421, "this server does not answer to that name"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and not is_own_origin(headers):
            return 403, "the request comes from another page"
        return None

    async def _bounded(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        """Pass the body on, and refuse it as soon as it is too large."""
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isdigit() or int(said) > most:
            await _drain(receive)
            await _too_large()(scope, receive, send)
            return
        got, begun = 0, False

        async def receive_bounded() -> Message:
            nonlocal got
            message = await receive()
            got += len(message.get("body", b""))
            if got > most:
                raise _TooLargeError
            return message

        async def send_noting(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive_bounded, send_noting)
        except _TooLargeError:
            if not begun:
                await _drain(receive)
                await _drain(receive)
                await _too_large()(scope, receive, send)


async def _drain(receive: Receive) -> None:
    """Read what is still coming, within reason: a client that is still sending would not hear the answer."""
    got = 0
    while got < _MOST_DRAINED:
        message = await receive()
        got += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body"):
            return


def _too_large() -> JSONResponse:
    return JSONResponse({"error": "That is too large.", "nearest": None}, status_code=413)


class _TooLargeError(Exception):
    pass
