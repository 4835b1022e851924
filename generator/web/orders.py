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

from generator.classroom.journal import MANIFEST
from generator.grading.scheme import SCHEME
from generator.web import desk
from generator.web.asked import language_of, texts_of
from generator.web.form import Choices, Problem, Refused, read
from generator.web.guard import HANDED_IN, UPLOAD
from generator.web.jobs import Job, Jobs
from generator.web.packing import RESULT
from generator.web.page import files_page, job_page, questions

LISTS = (".csv", ".txt", ".xlsx")
KINDS = {".pdf": "application/pdf", ".html": "text/html"}
PIECE = 2**20  # bytes that are sent at a time
MOST_FIELDS = 60
MOST_WORK = 400  # files that a class hands in


async def make(request: Request) -> Response:
    """Take an order, and send the browser to the page that shows how far it is."""
    language = language_of(request)
    async with request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=UPLOAD) as form:
        fields = texts_of(form)
        try:
            choices = read(fields, language)
            upload = _list(form, choices)
        except Refused as refused:
            page = questions(language, Choices(words=language), None, refused.problems, fields)
            return HTMLResponse(page, 422)
        jobs: Jobs = request.app.state.jobs
        paper = request.app.state.paper
        query = urlencode({**fields, "lang": language}, doseq=True)
        kind = "exam" if choices.as_exam else "me" if choices.who == "me" else "class"
        name, job = jobs.new(kind=kind, language=language, query=query)
        if choices.who == "me":
            jobs.begin(name, partial(desk.single, paper=paper), choices, job.folder, tells=False)
        else:
            pupils = await _pupils(choices, upload, job)
            task = partial(desk.school_class, paper=paper)
            jobs.begin(name, task, choices, pupils, job.folder, tells=True)
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


async def again(request: Request) -> Response:
    """Asks which pupil's sheet of which class is wanted once more."""
    return HTMLResponse(files_page("again", language_of(request)))


async def make_again(request: Request) -> Response:
    """Take the order of a pupil's files."""
    language = language_of(request)
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


async def grade(request: Request) -> Response:
    """Asks what a class has handed in."""
    return HTMLResponse(files_page("grade", language_of(request)))


async def make_marks(request: Request) -> Response:
    """Take the order of a class's marks."""
    language = language_of(request)
    form_limits = {"max_files": MOST_WORK, "max_fields": 2, "max_part_size": HANDED_IN}
    async with request.form(**form_limits) as form:
        manifest = form.get("manifest")
        work = [one for one in form.getlist("work") if isinstance(one, UploadFile) and one.size]
        if not isinstance(manifest, UploadFile) or not manifest.size or not work:
            return HTMLResponse(files_page("grade", language, "web.grade.missing"), 422)
        jobs: Jobs = request.app.state.jobs
        name, job = jobs.new("grade", language, urlencode({"lang": language}))
        await _kept(manifest, job.folder / MANIFEST)
        if isinstance(scheme := form.get("scheme"), UploadFile) and scheme.size:
            await _kept(scheme, (job.folder / MANIFEST).with_name(SCHEME))
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


async def job(request: Request) -> Response:
    """How far an order is, and what to do with what came of it."""
    name, jobs = request.path_params["name"], request.app.state.jobs
    return HTMLResponse(job_page(name, _known(request), jobs.before(name)))


async def result(request: Request) -> Response:
    """The files of an order."""
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
    """One file of an order, to be opened in the browser."""
    job = _known(request)
    path = job.papers.get(request.path_params["what"], "")
    kind = Path(path).suffix
    if job.state != "done" or kind != f".{request.path_params['kind']}":
        raise HTTPException(404)
    with zipfile.ZipFile(job.folder / RESULT) as made:
        content = made.read(path)
    shown = {"content-disposition": f'inline; filename="{Path(path).name}"'}
    # A PDF loads nothing; what shows it is the browser's own page, which our policy would stop.
    policy = {"content-security-policy": "frame-ancestors 'none'"}
    return Response(content, media_type=KINDS[kind], headers=shown | policy)


def _known(request: Request) -> Job:
    job: Job | None = request.app.state.jobs.found.get(request.path_params["name"])
    if job is None:
        raise HTTPException(404)
    return job
