"""Refuses what a page of ours would not send, and tells the browser what our pages may load."""

import asyncio
from collections.abc import Awaitable, Callable
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
HEADERS = {
    "x-content-type-options": "nosniff",
    # Not "no-referrer": without TLS browsers then send "Origin: null", as other sites' forms do.
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
    "content-security-policy": POLICY,
}


Refused = Callable[[Request, Exception], Awaitable[Response]]  # answers what is not let through


class Guard:
    """Stands before the server: sizes and origins of what comes in, headers of what goes out."""

    def __init__(self, app: ASGIApp, refused: Refused) -> None:
        self.app, self.refused = app, refused

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

        if scope["method"] == "POST":
            most = most_of(scope["path"])
            receive = _counted(receive, most)
            try:
                _require_ours(Request(scope), most)
            except HTTPException as error:
                await (await self.refused(Request(scope), error))(scope, receive, headed)
                return
        await self.app(scope, receive, headed)


def most_of(path: str) -> int:
    """How many bytes a page takes."""
    return HANDED_IN if path == "/grade" else UPLOAD


def _require_ours(request: Request, most: int) -> None:
    """Raise 403 for what another site sends, 413 for what is too large by its own word."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    foreign = origin is not None and urlsplit(origin).netloc != request.headers.get("host")
    if site not in (None, "same-origin") or (site is None and foreign):
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
