"""The server of the page: takes requests, refuses what is not for it, answers.

It needs no cookie, keeps no name, loads nothing from elsewhere, and lets no other site use it.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from generator.errors import UserError
from generator.processes import processors
from generator.resources import template
from generator.sheets.fonts import FONT_FILES, font_bytes
from generator.web import guard, workers
from generator.web.form import FieldProblem
from generator.web.guard import Guard, most_of
from generator.web.jobs import KEPT, Jobs, Turns
from generator.web.packing import RESULT
from generator.web.visits import LOOK, Visit

Answer = Callable[[Visit], Awaitable[Response]]
FILES = ("studio.css", "studio.js", "drawing.js", "job.js", "walk.css", "walk.js", "icon.svg")
KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
ANSWERS: Mapping[str, tuple[Answer | None, Answer | None]] = {  # what is shown, what is sent
    "/": (Visit.home, None),
    "/sheet": (Visit.sheet, None),
    "/drawing": (Visit.drawing, None),
    "/leaves": (Visit.leaves, None),
    "/walk": (Visit.walk, None),
    "/models": (Visit.models, Visit.take_model),
    "/again": (Visit.files, Visit.make_again),
    "/grade": (Visit.files, Visit.make_marks),
    "/room": (Visit.room, Visit.make_room),
    "/list": (None, Visit.people),
    "/make": (Visit.asked, Visit.make),
    "/job/{name}": (Visit.job, None),
    f"/job/{{name}}/{RESULT}": (Visit.result, None),
    "/job/{name}/{what}.{kind}": (Visit.paper, None),
    "/job/{name}/delete": (None, Visit.delete),
}
LONGEST_NAME = 80  # characters of the name by which somebody asked, where it is said again


def app(
    places: int | None = None,
    *,
    names: Collection[str] = (),
    run: workers.Run = workers.ran,
    paper: str = "pdf",
) -> Starlette:
    """The server; `places` orders are made at a time, by default one for every two processors.

    Two at least: beside a room, which takes minutes, a sheet is made in seconds.

    `names` are those by which it may be asked, beside this computer's own for itself. `run` does
    the work, `paper` is the kind of file that is printed: both are others in a browser.
    """

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        workers.clear()
        with workers.used_folder() as folder:
            app.state.jobs = Jobs(folder, places or max(2, processors() // 2), run=run)
            app.state.run, app.state.paper = run, paper
            app.state.looks = Turns(processors())
            # Kept, or they could be thrown away.
            app.state.warm, clearing = map(asyncio.create_task, (_warm(run), _cleared()))
            yield
            workers.stop()
            clearing.cancel()

    return Starlette(
        routes=[
            *(
                Route(path, _answered(way), methods=[method])
                for path, ways in ANSWERS.items()
                for method, way in zip(("GET", "POST"), ways, strict=True)
                if way
            ),
            Route("/health", guard.health),
            Route("/metrics", guard.metrics),
            Route("/fonts/{file}", _font),
            *(Route(f"/{file}", _file) for file in FILES),
        ],
        middleware=[
            Middleware(GZipMiddleware, compresslevel=6),
            Middleware(Guard, names=names, refused=_refused),
        ],
        lifespan=life,
        exception_handlers={HTTPException: _refused},
    )


def _answered(way: Answer) -> Callable[..., Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return await way(Visit(request))

    return answer


async def _warm(run: workers.Run) -> None:
    """Let the first teacher wait less; whatever is wrong, the first look says it."""
    with contextlib.suppress(UserError, workers.Defect):
        await run(workers.started, seconds=LOOK)


async def _cleared() -> None:
    """Delete what another server left that was killed meanwhile, as long as this one runs."""
    while True:
        await asyncio.sleep(KEPT)
        workers.clear()


async def _font(request: Request) -> Response:
    """A font; a sheet that is shown is of no origin, so everybody may load it."""
    file = request.path_params["file"]
    if file not in FONT_FILES:
        raise HTTPException(404)
    kept = {"cache-control": "public, max-age=604800", "access-control-allow-origin": "*"}
    return Response(font_bytes(file), media_type=f"font/{file.rpartition('.')[2]}", headers=kept)


async def _file(request: Request) -> Response:
    """A file of the page."""
    content = template(f"web{request.url.path}").read_bytes()
    return Response(content, media_type=KINDS[request.url.path.rpartition(".")[2]])


async def _refused(request: Request, error: Exception) -> Response:
    """What cannot be taken, with the way back to what was filled in."""
    visit, status = Visit(request), error.status_code if isinstance(error, HTTPException) else 400
    usual = {413: "too-big", 403: "elsewhere", 404: "missing", 421: "host"}.get(status, "request")
    phrase = getattr(error, "phrase", usual)  # `Full` and `Gone` say it themselves
    names = {
        "most": getattr(error, "most", most_of(request.url.path) // 1_000_000),
        "minutes": KEPT // 60,
        "found": request.headers.get("host", "")[:LONGEST_NAME],
    }
    page = visit.pages.refusal(FieldProblem(f"web.error.{phrase}", names), back=visit.origin)
    headers = error.headers if isinstance(error, HTTPException) else None
    return HTMLResponse(page, status, headers)
