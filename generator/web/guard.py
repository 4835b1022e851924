"""Refuses what a page of ours would not send, and tells the browser what our pages may load."""

import asyncio
import contextlib
import ipaddress
import re
from collections.abc import Awaitable, Callable, Collection
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

UPLOAD = 1_000_000  # bytes of a class list; one of 5,000 lines has about 200,000
HANDED_IN = 40_000_000  # bytes of all that a class hands in
SENDING = 300.0  # seconds in which what is sent has to be here: 40 MB at 1 Mbit/s
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
EVERYWHERE = {"0.0.0.0", "::"}  # the server listens at all addresses of this computer
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\[\]:/@\\]+))(?::[0-9]*)?")
HEADERS = {
    "x-content-type-options": "nosniff",
    # Not "no-referrer": without TLS browsers then send "Origin: null", as other sites' forms do.
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
    "content-security-policy": POLICY,
}


Refused = Callable[[Request, Exception], Awaitable[Response]]  # answers what is not let through


class Guard:
    """Stands before the server: names, sizes and origins of what comes in, headers of the rest."""

    def __init__(self, app: ASGIApp, names: Collection[str], refused: Refused) -> None:
        self.app, self.refused = app, refused
        self.names = {name.lower().rstrip(".") for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                have = {name.lower() for name, _ in message["headers"]}
                message["headers"] += [
                    (name.encode(), value.encode())
                    for name, value in HEADERS.items()
                    if name.encode() not in have
                ]
            await send(message)

        request, most = Request(scope), most_of(scope["path"])
        try:
            self._require_named(request)
            if scope["method"] == "POST":
                receive = _counted(receive, most)
                _require_ours(request, most)
        except HTTPException as error:
            await (await self.refused(request, error))(scope, receive, headed)
            return
        await self.app(scope, receive, headed)

    def _require_named(self, request: Request) -> None:
        """Raise 421 where the server is asked by a name that is not its own.

        A site elsewhere may have its name lead to this computer, and its pages then count as ours.
        It can do so with names only: where everybody in the network may come, any address will do.
        """
        hosts = request.headers.getlist("host")
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None  # name:port, [address]:port
        name = (match[1] or match[2]).lower().rstrip(".") if match else ""
        if name == "localhost" or name in self.names:
            return
        with contextlib.suppress(ValueError):
            if ipaddress.ip_address(name).is_loopback or not EVERYWHERE.isdisjoint(self.names):
                return
        raise HTTPException(421)


def most_of(path: str) -> int:
    """How many bytes a page takes."""
    return HANDED_IN if path == "/grade" else UPLOAD


def _require_ours(request: Request, most: int) -> None:
    """Raise 403 for what another site sends, 413 for what is too large by its own word."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    place = None
    with contextlib.suppress(ValueError):  # no address at all
        place = urlsplit(origin).netloc if origin is not None else request.headers.get("host")
    if site not in (None, "same-origin") or (not site and place != request.headers.get("host")):
        raise HTTPException(403)
    length = request.headers.get("content-length", "")
    if not length.isdecimal() or int(length) > most:
        raise HTTPException(413)


def _counted(receive: Receive, most: int) -> Receive:
    """The same messages; 413 for more than so many bytes, 408 for what does not come in time."""
    taken, more, end = 0, True, asyncio.get_running_loop().time() + SENDING

    async def counting() -> Message:
        nonlocal taken, more
        try:
            async with asyncio.timeout_at(end if more else None):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408) from None
        taken, more = taken + len(message.get("body", b"")), message.get("more_body", False)
        if taken > most:
            raise HTTPException(413)
        return message

    return counting
