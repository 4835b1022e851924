"""The server of the page: takes requests, refuses what is not for it, answers.

It needs no cookie, keeps no name, loads nothing from elsewhere, and lets no other site use it.
"""

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from generator.classroom.journal import MANIFEST
from generator.errors import UserError
from generator.locales.folders import USUAL, languages
from generator.processes import processors
from generator.resources import template
from generator.sheets.fonts import STACK, font_bytes
from generator.web import desk, workers
from generator.web.form import Choices, Problem, Refused, read
from generator.web.guard import HANDED_IN, UPLOAD, Guard
from generator.web.jobs import KEPT, MOST, Full, Job, Jobs
from generator.web.page import error_page, files_page, job_page, questions, refused_page, walk_page

Seen = TypeVar("Seen")
LOOK = 20.0  # seconds that a preview may take
LISTS = (".csv", ".txt", ".xlsx")
MOST_FIELDS = 60
MOST_WORK = 400  # files that a class hands in
FILES = {
    "studio.css": "text/css",
    "studio.js": "text/javascript",
    "walk.css": "text/css",
    "walk.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
SHEET_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src data:"


def app(places: int | None = None) -> Starlette:
    """The server; `places` orders are made at a time, by default one for every two processors."""
    return Starlette(
        routes=[
            Route("/", _home),
            Route("/sheet", _sheet),
            Route("/walk", _walk),
            Route("/again", _again),
            Route("/again", _make_again, methods=["POST"]),
            Route("/grade", _grade),
            Route("/grade", _make_marks, methods=["POST"]),
            Route("/make", _make, methods=["POST"]),
            Route("/job/{name}", _job),
            Route(f"/job/{{name}}/{desk.RESULT}", _set),
            Route("/fonts/{file}", _font),
            *(Route(f"/{file}", partial(_file, file, kind)) for file, kind in FILES.items()),
        ],
        middleware=[Middleware(Guard, refused=_refused)],
        lifespan=_life(places or max(1, processors() // 2)),
        exception_handlers={HTTPException: _refused, Full: _full},
    )


def _life(places: int) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        with tempfile.TemporaryDirectory(prefix="paperformer-") as folder:
            app.state.jobs = Jobs(Path(folder), places)
            app.state.looks = asyncio.Semaphore(processors())
            yield
            workers.stop()

    return life


async def _home(request: Request) -> Response:
    """The questions, with what the answers in the address come to."""
    language = _language(request)
    problems: dict[str, Problem] = {}
    found, choices = None, Choices(words=language)
    try:
        choices = read(_fields(request), language)
        found = await _looked(request, desk.overview, choices)
    except Refused as refused:
        problems = refused.problems
    except UserError as error:
        problems = {"sentence": Problem(message=str(error))}
    except workers.Broken:
        problems = {"sentence": Problem("web.error.own-fault")}
    status = 422 if problems and request.query_params.get("lesson") else 200
    given = {name: values for name, values in _fields(request).items() if name != "lang"}
    return HTMLResponse(questions(language, choices, found, problems, given), status)


async def _sheet(request: Request) -> Response:
    """The sheet that is looked at."""
    language = _language(request)
    try:
        html = await _looked(request, desk.look, read(_fields(request), language))
    except Refused as refused:
        return HTMLResponse(refused_page(language, refused), 422)
    except (UserError, workers.Broken) as error:
        return HTMLResponse(error_page(language, str(error), back=False), 422)
    return HTMLResponse(html, headers={"content-security-policy": SHEET_POLICY})


async def _walk(request: Request) -> Response:
    """Every step of the computation, to be shown one after the other."""
    language = _language(request)
    try:
        choices = read(_fields(request), language)
        pages = await _looked(request, desk.walked, choices)
    except Refused as refused:
        return HTMLResponse(refused_page(language, refused), 422)
    except (UserError, workers.Broken) as error:
        return HTMLResponse(error_page(language, str(error)), 422)
    return HTMLResponse(walk_page(choices, pages, _fields(request), language))


async def _looked(request: Request, task: Callable[[Choices], Seen], choices: Choices) -> Seen:
    async with request.app.state.looks:
        found: Seen = await asyncio.to_thread(workers.run, task, choices, seconds=LOOK)
        return found


async def _make(request: Request) -> Response:
    """Take an order, and send the browser to the page that shows how far it is."""
    language = _language(request)
    async with request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=UPLOAD) as form:
        fields = _texts(form)
        try:
            choices = read(fields, language)
            upload = _list(form, choices)
        except Refused as refused:
            page = questions(language, Choices(words=language), None, refused.problems, fields)
            return HTMLResponse(page, 422)
        jobs: Jobs = request.app.state.jobs
        query = urlencode({**fields, "lang": language}, doseq=True)
        kind = "me" if choices.who == "me" else "class"
        name, job = jobs.new(kind=kind, language=language, query=query)
        if choices.who == "me":
            jobs.begin(name, desk.single, choices, job.folder, tells=False)
        else:
            pupils = await _pupils(choices, upload, job)
            jobs.begin(name, desk.school_class, choices, pupils, job.folder, tells=True)
    return _to_job(name, language)


def _list(form: FormData, choices: Choices) -> UploadFile | None:
    """The class list that was sent; `Refused` where one is needed and there is none."""
    if choices.who != "list":
        return None
    upload = form.get("list")
    if not isinstance(upload, UploadFile) or not upload.size:
        raise Refused({"list": Problem("web.error.no-list", {"most": UPLOAD // 1000})})
    if Path(upload.filename or "").suffix.lower() not in LISTS:
        found = (upload.filename or "")[-40:]
        raise Refused({"list": Problem("web.error.list-kind", {"found": found})})
    return upload


async def _pupils(choices: Choices, upload: UploadFile | None, job: Job) -> int | Path:
    if upload is None:
        return choices.pupils
    path = job.folder / f"list{Path(upload.filename or '').suffix.lower()}"
    await _kept(upload, path)
    return path


async def _again(request: Request) -> Response:
    """Asks which pupil's sheet of which class is wanted once more."""
    return HTMLResponse(files_page("again", _language(request)))


async def _make_again(request: Request) -> Response:
    """Take the order of a pupil's files."""
    language = _language(request)
    async with request.form(max_files=1, max_fields=2, max_part_size=UPLOAD) as form:
        manifest, pupil = form.get("manifest"), str(form.get("pupil") or "").strip()
        if not isinstance(manifest, UploadFile) or not manifest.size or not pupil:
            return HTMLResponse(files_page("again", language, "web.again.missing"), 422)
        jobs: Jobs = request.app.state.jobs
        name, job = jobs.new("again", language, urlencode({"lang": language}))
        path = job.folder / MANIFEST
        await _kept(manifest, path)
    jobs.begin(name, desk.reissued, path, pupil, job.folder, tells=False)
    return _to_job(name, language)


async def _grade(request: Request) -> Response:
    """Asks what a class has handed in."""
    return HTMLResponse(files_page("grade", _language(request)))


async def _make_marks(request: Request) -> Response:
    """Take the order of a class's marks."""
    language = _language(request)
    form_limits = {"max_files": MOST_WORK, "max_fields": 2, "max_part_size": HANDED_IN}
    async with request.form(**form_limits) as form:
        manifest = form.get("manifest")
        work = [one for one in form.getlist("work") if isinstance(one, UploadFile) and one.size]
        if not isinstance(manifest, UploadFile) or not manifest.size or not work:
            return HTMLResponse(files_page("grade", language, "web.grade.missing"), 422)
        jobs: Jobs = request.app.state.jobs
        name, job = jobs.new("grade", language, urlencode({"lang": language}))
        await _kept(manifest, job.folder / MANIFEST)
        for number, one in enumerate(work, 1):
            await _kept(one, job.folder / "in" / f"{number:03}-{plain_name(one.filename or '')}")
        answers = form.get("show_answers") == "on"
    jobs.begin(name, desk.marked, job.folder, language, answers, tells=True)
    return _to_job(name, language)


def _to_job(name: str, language: str) -> Response:
    return RedirectResponse(f"/job/{name}?lang={language}", 303)


async def _kept(upload: UploadFile, path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(await upload.read())


def plain_name(name: str) -> str:
    """The end of a file's name, without what could lead elsewhere or end a line."""
    return re.sub(r"[^\w.,()+ -]", "_", re.split(r"[/\\]", name)[-1])[-60:]


async def _job(request: Request) -> Response:
    """How far an order is, and what to do with what came of it."""
    name, jobs = request.path_params["name"], request.app.state.jobs
    return HTMLResponse(job_page(name, _known(request), jobs.before(name)))


async def _set(request: Request) -> Response:
    """The files of an order."""
    job = _known(request)
    if job.state != "done":
        raise HTTPException(404)
    return FileResponse(job.folder / desk.RESULT, filename="paperformer.zip")


def _known(request: Request) -> Job:
    job: Job | None = request.app.state.jobs.found.get(request.path_params["name"])
    if job is None:
        raise HTTPException(404)
    return job


async def _font(request: Request) -> Response:
    """A font; a sheet that is shown is of no origin, so everybody may load it."""
    file = request.path_params["file"]
    if file not in {face.file for face in STACK}:
        raise HTTPException(404)
    kept = {"cache-control": "public, max-age=604800", "access-control-allow-origin": "*"}
    return Response(font_bytes(file), media_type="font/ttf", headers=kept)


async def _file(file: str, kind: str, request: Request) -> Response:
    """A file of the page."""
    return Response(template(f"web/{file}").read_bytes(), media_type=kind)


async def _refused(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 400
    phrase = {413: "too-big", 403: "elsewhere"}.get(status, "missing")
    names = {"most": UPLOAD // 1000, "minutes": KEPT // 60}
    language = _language(request)
    return HTMLResponse(error_page(language, phrase=f"web.error.{phrase}", names=names), status)


async def _full(request: Request, error: Exception) -> Response:
    page = error_page(_language(request), phrase="web.error.full", names={"most": MOST})
    return HTMLResponse(page, 503)


def _fields(request: Request) -> dict[str, list[str]]:
    return {name: request.query_params.getlist(name) for name in request.query_params}


def _texts(form: FormData) -> dict[str, list[str]]:
    """The fields of a form that are texts, by name."""
    return {
        name: [value for value in form.getlist(name) if isinstance(value, str)] for name in form
    }


def _language(request: Request) -> str:
    """That of the switch, else the first that the browser wishes and that there is."""
    wished = request.headers.get("accept-language", "")
    asked = [one.partition(";")[0].strip()[:2].lower() for one in wished.split(",")]
    for code in (request.query_params.get("lang", ""), *asked):
        if code in languages():
            return code
    return USUAL
