"""Tells whoever looks after the server how it is: alive or not, counts, one line per request.

No sentence, no name, no address and no name of an order stands in any of it.
"""

import contextlib
import ipaddress
import logging
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from generator.web import workers
from generator.web.jobs import STATES, Jobs

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


class Access:
    """Stands before the server and logs each request: method, page, status, milliseconds."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through and note what came of it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.monotonic(), 0

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, noted)
        finally:
            took = round(1000 * (time.monotonic() - began))
            LOG.info("%s %s %s %s ms", scope["method"], _page(scope), status, took)


def _page(scope: Scope) -> str:
    """The path without the name of an order, which opens it; "-" for a page that is not ours."""
    if "endpoint" not in scope:
        return "-"
    path: str = scope["path"]
    for value in scope.get("path_params", {}).values():
        path = path.replace(str(value), "*")
    return path
