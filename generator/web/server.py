"""The server of the page: takes requests, refuses what is not for it, answers.

It needs no cookie, keeps no name, loads nothing from elsewhere, and lets no other site use it.
"""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from generator.errors import UserError
from generator.processes import processors
from generator.resources import template
from generator.sheets.fonts import FACES, font_bytes
from generator.web import looks, orders, returns, status, workers
from generator.web.asked import came_from, language_of
from generator.web.form import Problem
from generator.web.guard import Guard, most_of
from generator.web.jobs import KEPT, MOST, Full, Jobs
from generator.web.packing import RESULT
from generator.web.page import error_page

FILES = {
    "studio.css": "text/css",
    "studio.js": "text/javascript",
    "job.js": "text/javascript",
    "walk.css": "text/css",
    "walk.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}


def app(
    places: int | None = None, *, run: workers.Run = workers.ran, paper: str = "pdf"
) -> Starlette:
    """The server; `places` orders are made at a time, by default one for every two processors.

    `run` does the work, `paper` is the kind of file that is printed: both are others in a browser.
    """
    return Starlette(
        routes=[
            Route("/", looks.home),
            Route("/sheet", looks.sheet),
            Route("/walk", looks.walk),
            Route("/models", looks.models),
            Route("/models", looks.take_model, methods=["POST"]),
            Route("/again", returns.again),
            Route("/again", returns.make_again, methods=["POST"]),
            Route("/grade", returns.grade),
            Route("/grade", returns.make_marks, methods=["POST"]),
            Route("/make", orders.asked),
            Route("/make", orders.make, methods=["POST"]),
            Route("/job/{name}", orders.job),
            Route(f"/job/{{name}}/{RESULT}", orders.result),
            Route("/job/{name}/{what}.{kind}", orders.paper),
            Route("/job/{name}/delete", orders.delete, methods=["POST"]),
            Route("/health", status.health),
            Route("/metrics", status.metrics),
            Route("/fonts/{file}", _font),
            *(Route(f"/{file}", partial(_file, file, kind)) for file, kind in FILES.items()),
        ],
        middleware=[Middleware(status.Access), Middleware(Guard, refused=_refused)],
        lifespan=_life(places or max(1, processors() // 2), run, paper),
        exception_handlers={HTTPException: _refused, Full: _full},
    )


def _life(
    places: int, run: workers.Run, paper: str
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        with tempfile.TemporaryDirectory(prefix="paperformer-") as folder:
            app.state.jobs = Jobs(Path(folder), places, run=run)
            app.state.run, app.state.paper = run, paper
            app.state.looks = asyncio.Semaphore(processors())
            app.state.warm = asyncio.create_task(_warm(run))  # kept, or it could be thrown away
            yield
            workers.stop()

    return life


async def _warm(run: workers.Run) -> None:
    """Let the first teacher wait less; whatever is wrong, the first look says it."""
    with contextlib.suppress(UserError, workers.Broken):
        await run(workers.started, seconds=looks.LOOK)


async def _font(request: Request) -> Response:
    """A font; a sheet that is shown is of no origin, so everybody may load it."""
    file = request.path_params["file"]
    if file not in {face.file for face in FACES}:
        raise HTTPException(404)
    kept = {"cache-control": "public, max-age=604800", "access-control-allow-origin": "*"}
    return Response(font_bytes(file), media_type="font/ttf", headers=kept)


async def _file(file: str, kind: str, request: Request) -> Response:
    """A file of the page."""
    return Response(template(f"web/{file}").read_bytes(), media_type=kind)


async def _refused(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 400
    phrase = {413: "too-big", 403: "elsewhere", 404: "missing"}.get(status, "request")
    names = {"most": most_of(request.url.path) // 1_000_000, "minutes": KEPT // 60}
    return _refusal(request, status, f"web.error.{phrase}", names)


async def _full(request: Request, error: Exception) -> Response:
    return _refusal(request, 503, "web.error.full", {"most": MOST})


def _refusal(request: Request, status: int, phrase: str, names: Mapping[str, object]) -> Response:
    """What cannot be taken, with the way back to what was filled in."""
    language, back = language_of(request), came_from(request)
    return HTMLResponse(error_page(language, Problem(phrase, names), back=back), status)
