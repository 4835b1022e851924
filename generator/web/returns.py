"""A class that was made before: a lost sheet once more, and the marks of what was handed in."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from generator.classroom.desk.manifest import MANIFEST
from generator.classroom.desk.reissue import NAMES
from generator.grading.marking.by_hand import DECISIONS, WORDS_LIST
from generator.grading.marking.scheme import SCHEME
from generator.grading.reading.collect import LEFT_OVER, RESULTS
from generator.web import desk
from generator.web.form import client_of, language_of
from generator.web.guard import HANDED_IN, UPLOAD
from generator.web.jobs import Jobs, WebJob
from generator.web.orders import kept, plain_name, to_job
from generator.web.page import files_page

MOST_WORK = 400  # files that a class hands in
IN = "in"  # where they lie in an order's folder
TEACHERS = Path(MANIFEST).parent  # where a batch has what is for teachers
# Files of the teacher's own, by their fields: where the batch or the last results have them.
OF_BATCH = {"manifest": Path(MANIFEST), "names": TEACHERS / NAMES}
OF_MARKS = {
    **OF_BATCH,
    "scheme": TEACHERS / SCHEME,
    "decisions": Path(IN, RESULTS, DECISIONS),
    "words": Path(IN, RESULTS, WORDS_LIST),
}


async def again(request: Request) -> Response:
    """Asks which pupil's sheet of which class is wanted once more."""
    return HTMLResponse(files_page("again", language_of(request)))


async def make_again(request: Request) -> Response:
    """Take the order of a pupil's files."""
    language = language_of(request)
    limits = {"max_files": len(OF_BATCH), "max_fields": 1, "max_part_size": UPLOAD}
    async with request.form(**limits) as form:
        pupil = str(form.get("pupil") or "").strip()
        if not _sent(form, "manifest") or not pupil:
            return HTMLResponse(files_page("again", language, "web.again.missing"), 422)
        name, job = _new(request, "again", language)
        for field, place in OF_BATCH.items():
            await _keep(_sent(form, field), job.folder / place)
    _jobs(request).begin(name, desk.reissued, job.folder / MANIFEST, pupil, job.folder, tells=False)
    return to_job(name, language)


async def grade(request: Request) -> Response:
    """Asks what a class has handed in."""
    return HTMLResponse(files_page("grade", language_of(request)))


async def make_marks(request: Request) -> Response:
    """Take the order of a class's marks."""
    language = language_of(request)
    most = MOST_WORK + len(OF_MARKS)
    async with request.form(max_files=most, max_fields=1, max_part_size=HANDED_IN) as form:
        work = [one for one in _sent(form, "work") if not LEFT_OVER.fullmatch(one.filename or "")]
        if not _sent(form, "manifest") or not work:
            return HTMLResponse(files_page("grade", language, "web.grade.missing"), 422)
        name, job = _new(request, "grade", language, len(work))
        for field, place in OF_MARKS.items():
            await _keep(_sent(form, field), job.folder / place)
        for number, one in enumerate(work, 1):
            named = f"{number:03}-{plain_name(one.filename or '')}"
            await _keep([one], job.folder / IN / named)
        answers = form.get("show_answers") == "on"
    _jobs(request).begin(name, desk.marked, job.folder, language, answers, tells=True)
    return to_job(name, language)


def _sent(form: FormData, field: str) -> list[UploadFile]:
    """The files of a field; a browser sends an empty one where none was chosen."""
    return [one for one in form.getlist(field) if isinstance(one, UploadFile) and one.size]


async def _keep(uploads: Sequence[UploadFile], place: Path) -> None:
    """Write the last of the files, where there is one, to its place."""
    if uploads:
        await kept(uploads[-1], place)


def _jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


def _new(request: Request, kind: str, language: str, size: int = 1) -> tuple[str, WebJob]:
    query = urlencode({"lang": language})
    return _jobs(request).new(kind, language, query, client_of(request), size)
