"""Orders: what takes its time is begun here, shown while it is made, and fetched."""

import re
import zipfile
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from generator import output
from generator.errors import UserError
from generator.web import desk, workers
from generator.web.form import (
    Choices,
    FieldProblem,
    RefusedAnswers,
    came_from,
    client_of,
    language_of,
    read,
    texts_of,
)
from generator.web.guard import UPLOAD
from generator.web.jobs import Jobs, WebJob
from generator.web.looks import asked_again, looked, problems_of
from generator.web.packing import RESULT
from generator.web.page import job_page, questions_of

LISTS = (".csv", ".txt", ".xlsx")
PIECE = 2**20  # bytes that are sent at a time
MOST_FIELDS = 60
LISTED = 28  # pupils of a list that nobody has counted yet
OPENED = {  # by the end of a file's name: what it is, and whether it is shown or saved
    ".pdf": ("application/pdf", "inline"),
    ".html": ("text/html", "inline"),
    ".xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "attachment"),
}


async def asked(request: Request) -> Response:
    """The address of orders without one, as when it is opened once more: to the questions."""
    return RedirectResponse(came_from(request), 303)


async def make(request: Request) -> Response:
    """Take an order, and send the browser to the page that shows how far it is."""
    language = language_of(request)
    async with request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=UPLOAD) as form:
        fields = texts_of(form)
        if "lesson" not in fields:  # each form of ours sends one
            raise HTTPException(400)
        try:
            choices = read(fields, language)
            upload = _list(form, choices)
            if not choices.workbook:  # which takes longer sentences than a sheet
                await looked(request, desk.overview, choices)
        except (RefusedAnswers, UserError, workers.Defect) as error:
            return await asked_again(request, fields, problems_of(error))
        jobs: Jobs = request.app.state.jobs
        paper = request.app.state.paper
        query = urlencode({**fields, "lang": language}, doseq=True)
        kind = "exam" if choices.as_exam else "me" if choices.who == "me" else "class"
        size = choices.pupils if choices.who == "number" else LISTED if upload else 1
        name, job = jobs.new(kind, language, query, client_of(request), size)
        if choices.who == "me":
            jobs.begin(name, partial(desk.single, paper=paper), choices, job.folder, tells=True)
        else:
            try:
                pupils = await _listed(request, upload, job) if upload else choices.pupils
            except RefusedAnswers as refused:
                jobs.drop(name)
                return await asked_again(request, fields, refused.problems)
            task = partial(desk.school_class, paper=paper)
            jobs.begin(name, task, choices, pupils, job.folder, tells=True)
    return to_job(name, language)


def _list(form: FormData, choices: Choices) -> UploadFile | None:
    """The class list that was sent; `RefusedAnswers` where one is needed and there is none."""
    if choices.who != "list":
        return None
    upload = form.get("list")
    if not isinstance(upload, UploadFile) or not upload.size:
        raise RefusedAnswers({"list": FieldProblem("web.error.no-list", {"most": UPLOAD // 1000})})
    if Path(upload.filename or "").suffix.lower() not in LISTS:
        file_name = plain_name(upload.filename or "")[-40:]
        raise RefusedAnswers({"list": FieldProblem("web.error.list-kind", {"found": file_name})})
    return upload


async def _listed(request: Request, upload: UploadFile, job: WebJob) -> Path:
    """The class list in the order's folder; `RefusedAnswers` for what is none.

    It has the time of a look: one that takes longer to read would hold a place of orders.
    """
    path = job.folder / f"list{Path(upload.filename or '').suffix.lower()}"
    await kept(upload, path)
    try:
        await looked(request, desk.require_some, path)
    except (UserError, workers.Defect) as error:
        (problem,) = problems_of(error).values()
        told = problem._replace(message=job.plain([problem.message])[0])
        raise RefusedAnswers({"list": told}) from error
    return path


def plain_name(name: str) -> str:
    """The end of a file's name, without what could lead elsewhere, end a line or turn the text."""
    return re.sub(r"[^\w.,()+ -]", "_", re.split(r"[/\\]", name)[-1])[-60:]


def to_job(name: str, language: str) -> Response:
    """Send the browser to the order's page."""
    return RedirectResponse(f"/job/{name}?lang={language}", 303)


async def kept(upload: UploadFile, path: Path) -> None:
    """Write what was sent to a place in an order's folder."""
    output.write({path: await upload.read()})


async def job(request: Request) -> Response:
    """How far an order is, and what to do with what came of it."""
    name, jobs = request.path_params["name"], request.app.state.jobs
    before = len(jobs.before(name))
    page = job_page(name, _known(request), before, jobs.wait(name), language_of(request))
    return HTMLResponse(page)


async def result(request: Request) -> Response:
    """The files of an order; 404 where there are none."""
    job = _known(request)
    if job.state != "done":
        raise HTTPException(404)
    path = job.folder / RESULT
    headers = {
        "content-disposition": 'attachment; filename="paperformer.zip"',
        "content-length": str(path.stat().st_size),
    }
    return StreamingResponse(_pieces(path), media_type="application/zip", headers=headers)


async def _pieces(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


async def paper(request: Request) -> Response:
    """One file of an order: a PDF is opened in the browser, a workbook by what it is for."""
    job = _known(request)
    path = job.papers.get(request.path_params["what"], "")
    kind = Path(path).suffix
    if job.state != "done" or kind != f".{request.path_params['kind']}":
        raise HTTPException(404)
    with zipfile.ZipFile(job.folder / RESULT) as made:
        content = made.read(path)
    way = OPENED[kind][1]
    shown = {"content-disposition": f'{way}; filename="{Path(path).name}"'}
    # A PDF loads nothing; what shows it is the browser's own page, which our policy would stop.
    policy = {"content-security-policy": "frame-ancestors 'none'"}
    return Response(content, media_type=OPENED[kind][0], headers=shown | policy)


async def delete(request: Request) -> Response:
    """Forget an order before its time: one that waits, or one on a computer that others use."""
    name, language = request.path_params["name"], language_of(request)
    job, jobs = _known(request), request.app.state.jobs
    if job.state == "working":  # it was begun before the button was seen to be gone
        return to_job(name, language)
    jobs.drop(name)
    return RedirectResponse(questions_of(job, language), 303)


def _known(request: Request) -> WebJob:
    job: WebJob | None = request.app.state.jobs.by_name.get(request.path_params["name"])
    if job is None:
        raise HTTPException(404)
    return job
