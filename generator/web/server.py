"""The server of the page: takes requests, refuses what is not for it, answers.

It needs no cookie, keeps no name, loads nothing from elsewhere, and lets no other site use it.
"""

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

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
from generator.web import leftovers, looks, orders, returns, status, workers
from generator.web.form import FieldProblem, came_from, language_of
from generator.web.guard import Guard, most_of
from generator.web.jobs import KEPT, Full, Jobs
from generator.web.packing import RESULT
from generator.web.page import error_page
from generator.web.turns import Turns

FILES = {
    "studio.css": "text/css",
    "studio.js": "text/javascript",
    "job.js": "text/javascript",
    "walk.css": "text/css",
    "walk.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
LONGEST_NAME = 80  # characters of the name by which somebody asked, where it is said again
LEAST_WAIT = 10  # seconds until who was refused for want of a place may try again


def app(
    places: int | None = None,
    *,
    names: Collection[str] = (),
    run: workers.Run = workers.ran,
    paper: str = "pdf",
) -> Starlette:
    """The server; `places` orders are made at a time, by default one for every two processors.

    `names` are those by which it may be asked, beside this computer's own for itself. `run` does
    the work, `paper` is the kind of file that is printed: both are others in a browser.
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
        middleware=[Middleware(status.Access), Middleware(Guard, names=names, refused=_refused)],
        lifespan=_life(places or max(1, processors() // 2), run, paper),
        exception_handlers={HTTPException: _refused, Full: _full},
    )


def _life(
    places: int, run: workers.Run, paper: str
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        leftovers.clear()
        with leftovers.used_folder() as folder:
            app.state.jobs = Jobs(folder, places, run=run)
            app.state.run, app.state.paper = run, paper
            app.state.looks = Turns(processors())
            # Kept, or they could be thrown away.
            app.state.beside = [asyncio.create_task(one) for one in (_warm(run), _cleared())]
            yield
            workers.stop()
            app.state.beside[-1].cancel()

    return life


async def _warm(run: workers.Run) -> None:
    """Let the first teacher wait less; whatever is wrong, the first look says it."""
    with contextlib.suppress(UserError, workers.Defect):
        await run(workers.started, seconds=looks.LOOK)


async def _cleared() -> None:
    """Delete what another server left that was killed meanwhile, as long as this one runs."""
    while True:
        await asyncio.sleep(KEPT)
        leftovers.clear()


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
    phrase = {413: "too-big", 403: "elsewhere", 404: "missing", 421: "host"}.get(status, "request")
    names = {
        "most": most_of(request.url.path) // 1_000_000,
        "minutes": KEPT // 60,
        "found": request.headers.get("host", "")[:LONGEST_NAME],
    }
    return _refusal(request, status, f"web.error.{phrase}", names)


async def _full(request: Request, error: Exception) -> Response:
    assert isinstance(error, Full)
    answer = _refusal(request, error.status, f"web.error.{error.phrase}", {"most": error.most})
    answer.headers["retry-after"] = str(max(LEAST_WAIT, math.ceil(error.seconds)))
    return answer


def _refusal(request: Request, status: int, phrase: str, names: Mapping[str, object]) -> Response:
    """What cannot be taken, with the way back to what was filled in."""
    language, back = language_of(request), came_from(request)
    return HTMLResponse(error_page(language, FieldProblem(phrase, names), back=back), status)
