"""Refuses what a page of ours would not send, and tells the browser what our pages may load.

Also here:

* How the server is, for whoever looks after it: counts, and one line per request without names.
"""

import asyncio
import contextlib
import ipaddress
import logging
import re
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from generator.resources import table
from generator.web import workers
from generator.web.jobs import STATES, Jobs

UPLOAD = 1_000_000  # bytes of a class list; one of 5,000 lines has about 200,000
HANDED_IN = 40_000_000  # bytes of all that a class hands in
SENDING = 300.0  # seconds in which what is sent has to be here: 40 MB at 1 Mbit/s
EVERYWHERE = {"0.0.0.0", "::"}  # the server listens at all addresses of this computer
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\[\]:/@\\]+))(?::[0-9]*)?")
HEADERS: Mapping[str, str] = table("web/headers.toml")


Refused = Callable[[Request, Exception], Awaitable[Response]]  # answers what is not let through


class Guard:
    """Stands before the server: names, sizes and origins of what comes in, headers of the rest.

    Each request is logged: method, page, status, milliseconds.
    """

    def __init__(self, app: ASGIApp, names: Collection[str], refused: Refused) -> None:
        self.app, self.refused = app, refused
        self.names = {name.lower().rstrip(".") for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it, and note what came of it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        began, status = time.monotonic(), 0

        async def headed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status, headers = message["status"], MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._let_through(Request(scope), receive, headed)
        finally:
            took = round(1000 * (time.monotonic() - began))
            LOG.info("%s %s %s %s ms", scope["method"], _page(scope), status, took)

    async def _let_through(self, request: Request, receive: Receive, send: Send) -> None:
        most = most_of(request["path"])
        try:
            self._require_named(request)
            if request.method == "POST":
                receive = _counted(receive, most)
                _require_ours(request, most)
        except HTTPException as error:
            await (await self.refused(request, error))(request.scope, receive, send)
            return
        await self.app(request.scope, receive, send)

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
    return HANDED_IN if path in ("/again", "/grade") else UPLOAD


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


LOG = logging.getLogger("paperformer.requests")
_SIZE = Path("/proc/self/status")


async def health(request: Request) -> Response:
    """200 while orders can be taken, 503 once the folder for their files is gone."""
    jobs: Jobs = request.app.state.jobs
    here = jobs.root.is_dir()
    return PlainTextResponse("ok\n" if here else "no folder for files\n", 200 if here else 503)


async def metrics(request: Request) -> Response:
    """Counts in Prometheus' text format, for this computer alone."""
    here, ways = False, {"x-forwarded-for", "forwarded"}.intersection(request.headers)
    with contextlib.suppress(ValueError):
        host = request.client.host if request.client else ""
        here = ipaddress.ip_address(host).is_loopback
    if ways or not here:  # a web server between hands on for others
        raise HTTPException(404)
    lines = "".join(f"{line}\n" for line in _counts(request.app.state.jobs))
    return PlainTextResponse(lines, media_type="text/plain; version=0.0.4")


def _counts(jobs: Jobs) -> Iterator[str]:
    yield "# TYPE paperformer_orders gauge"
    states = [job.state for job in jobs.by_name.values()]
    yield from (f'paperformer_orders{{state="{one}"}} {states.count(one)}' for one in STATES)
    yield "# TYPE paperformer_orders_total counter"
    for end in ("done", "failed"):
        yield f'paperformer_orders_total{{end="{end}"}} {jobs.ended[end]}'
    yield "# TYPE paperformer_tasks gauge"
    yield f"paperformer_tasks {len(workers.RUNNING)}"
    if _SIZE.exists():  # Linux
        size = next(one for one in _SIZE.read_text("utf-8").splitlines() if "VmRSS" in one)
        yield "# TYPE paperformer_memory_bytes gauge"
        yield f"paperformer_memory_bytes {int(size.split()[1]) * 1024}"


def log_requests() -> None:
    """Have one line per request written to standard error, with the time of day."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)


def _page(scope: Scope) -> str:
    """The path without the name of an order, which opens it; "-" for a page that is not ours."""
    if "endpoint" not in scope:
        return "-"
    path: str = scope["path"]
    for value in scope.get("path_params", {}).values():
        path = path.replace(str(value), "*")
    return path
