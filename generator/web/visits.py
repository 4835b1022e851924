"""What the server answers: pages at once, and orders, which are begun, shown and fetched.

Also here:

* A class that was made before: a lost sheet once more, and the marks of what was handed in.
"""

import contextlib
import ipaddress
import zipfile
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from urllib.parse import urlencode

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)

from generator import output
from generator.classroom.desk.manifest import MANIFEST
from generator.classroom.desk.reissue import NAMES
from generator.errors import UserError
from generator.grading.marking.by_hand import DECISIONS, WORDS_LIST
from generator.grading.marking.scheme import SCHEME
from generator.grading.reading.collect import LEFT_OVER, RESULTS
from generator.locales.folders import USUAL, written
from generator.web import desk, workers
from generator.web.desk import Overview, WebWork
from generator.web.form import OWN, Choices, FieldProblem, RefusedAnswers, RoomWish, read
from generator.web.guard import HANDED_IN, UPLOAD
from generator.web.jobs import Gone, Jobs, WebJob
from generator.web.packing import RESULT, of_class, opened, plain_name
from generator.web.page import WebPages
from generator.web.said import said

Seen = TypeVar("Seen")
Fields = Mapping[str, list[str]]
Problems = Mapping[str, FieldProblem]
FAULTS = (RefusedAnswers, UserError, workers.Defect)
LOOK = 20.0  # seconds that a preview may take
SHEET_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src data:"
# What is drawn depends on.
DRAWN = ("lesson", "sentence", "preset", "own", "words", "who", "sheets", "shown", "variant")
FORMS = ("/again", "/grade", "/models", "/room")  # pages that ask for files
HOME = 64  # bits of an IPv6 address that say whose network it is; the rest anybody can change
TABLES = (".xlsx", ".ods")
PIECE = 2**20  # bytes that are sent at a time
MOST_FIELDS = 60
MOST_WORK = 400  # files that a class hands in
OPENED = {  # by the end of a file's name: what it is, and whether it is shown or saved
    ".pdf": ("application/pdf", "inline"),
    ".html": ("text/html", "inline"),
    ".xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "attachment"),
    ".zip": ("application/zip", "attachment"),
    ".csv": ("text/csv", "attachment"),
}
IN = "in"  # where what was handed in lies in an order's folder
TEACHERS = Path(MANIFEST).parent  # where a batch has what is for teachers
# Files of the teacher's own, by their fields: where the batch or the last results have them.
OF_BATCH = {"manifest": Path(MANIFEST), "names": TEACHERS / NAMES}
OF_MARKS = {
    **OF_BATCH,
    "scheme": TEACHERS / SCHEME,
    "decisions": Path(IN, RESULTS, DECISIONS),
    "words": Path(IN, RESULTS, WORDS_LIST),
}


@dataclass(frozen=True)
class Visit:
    """A request, what every answer needs to know of it, and the answers."""

    request: Request

    @cached_property
    def language(self) -> str:
        """That of the switch, else the first that the browser wishes and that there is."""
        wished = self.request.headers.get("accept-language", "")
        asked = [one.partition(";")[0].strip()[:2].lower() for one in wished.split(",")]
        ways = (self.request.query_params.get("lang", ""), *asked)
        return next((code for code in ways if code in written()), USUAL)

    @cached_property
    def pages(self) -> WebPages:
        """The pages in this language."""
        return WebPages(self.language)

    @property
    def jobs(self) -> Jobs:
        """The orders of the server."""
        jobs: Jobs = self.request.app.state.jobs
        return jobs

    @property
    def client(self) -> str:
        """Who asks, as far as a server can know: an address, or the network of an IPv6 address."""
        host = self.request.client.host if self.request.client else ""
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return host
        if isinstance(address, ipaddress.IPv4Address):
            return host
        whole = address.ipv4_mapped or ipaddress.IPv6Network((int(address), HOME), strict=False)
        return str(whole)

    @property
    def origin(self) -> str:
        """The page whose form was sent, with the answers as far as its address has them."""
        url, language = self.request.url, urlencode({"lang": self.language})
        if url.path in FORMS:
            return f"{url.path}?{language}"
        return f"/?{(url.query if url.path == '/make' else '') or language}"

    @property
    def fields(self) -> Fields:
        """The answers in the address, by name."""
        sent = self.request.query_params
        return {name: sent.getlist(name) for name in sent}

    async def home(self) -> Response:
        """The questions, with what the answers in the address come to.

        Right after the start that takes some seconds: the page comes without, and asks for it then.
        """
        state, shown = self.request.app.state, "shown" in self.fields
        try:
            if state.run is workers.ran and not (state.warm.done() or shown):
                choices = self._work(self.fields).choices
                return HTMLResponse(self.pages.questions(choices, None, _typed(self.fields)))
            choices, overview = await self._seen(self.fields)
        except FAULTS as error:
            return await self._asked_again(self.fields, problems_of(error))
        return HTMLResponse(self.pages.questions(choices, overview, _typed(self.fields)))

    async def sheet(self) -> Response:
        """The sheet that is looked at."""
        try:
            html = await self.looked(WebWork.look, self._work(self.fields))
        except FAULTS as error:
            return HTMLResponse(self.pages.refusal(*problems_of(error).values()), 422)
        return HTMLResponse(html, headers={"content-security-policy": SHEET_POLICY})

    async def drawing(self) -> Response:
        """The sentence to be drawn while it is typed; 422 with what is wrong in place of it."""
        fields = {name: self.fields[name] for name in DRAWN if name in self.fields}
        if fields.get("lesson") == [OWN] and "sheets" not in fields:
            fields["lesson"] = ["all"]
        try:
            drawn = partial(WebWork.drawn, language=self.language)
            return JSONResponse(await self.looked(drawn, self._work(fields)))
        except FAULTS as error:
            t, wrong = self.pages.catalogue, problems_of(error)
            return JSONResponse({"problems": {k: said(one, t) for k, one in wrong.items()}}, 422)

    async def leaves(self) -> Response:
        """How much paper the answers come to, in words; none for what is not known before."""
        with contextlib.suppress(*FAULTS):
            work = self._work(self.fields)
            return HTMLResponse(
                self.pages.leaves(work.choices, await self.looked(WebWork.leaves, work))
            )
        return HTMLResponse("")

    async def walk(self) -> Response:
        """Every step of the computation, to be shown one after the other."""
        try:
            work = self._work(self.fields)
            steps = await self.looked(WebWork.walked, work)
        except FAULTS as error:
            back = f"/?{self.request.url.query}"
            return HTMLResponse(self.pages.refusal(*problems_of(error).values(), back=back), 422)
        return HTMLResponse(self.pages.walk(work.choices, *steps, self.fields))

    async def models(self, problem: str = "") -> Response:
        """What each shipped model shows, and a place for one's own, with what is wrong with it."""
        drawn: dict[str, dict[str, object]] = {}
        given, keeping = _typed(self.fields), tuple[str, ...]()
        with contextlib.suppress(*FAULTS):
            drawn = await self.looked(desk.pictured, self.language)
            if lesson := given.get("lesson"):
                keeping = await self.looked(desk.keeping, lesson[0], self.language)
        page = self.pages.models(given, drawn, keeping, problem)
        return HTMLResponse(page, 422 if problem else 200)

    async def take_model(self) -> Response:
        """Check a teacher's own preset; it then stands in the address of the questions."""
        async with self.request.form(max_files=1, max_fields=1, max_part_size=UPLOAD) as form:
            uploads = _sent(form, "preset")
            name, content = (_name(uploads[-1]), await uploads[-1].read()) if uploads else ("", b"")
        try:
            code = await self.looked(desk.checked, content, plain_name(name)[-40:])
        except (UserError, workers.Defect) as error:
            return await self.models(str(error))
        # What an own model can fill is seen best among all sheets.
        answers = {"lesson": "all", "story": "on", "own": code, "lang": self.language}
        return RedirectResponse(f"/?{urlencode(answers)}", 303)

    async def asked(self) -> Response:
        """The address of orders without one, as when it is opened once more: to the questions."""
        return RedirectResponse(self.origin, 303)

    async def make(self) -> Response:
        """Take an order, and send the browser to the page that shows how far it is."""
        limits = {"max_files": 1, "max_fields": MOST_FIELDS, "max_part_size": UPLOAD}
        async with self.request.form(**limits) as form:
            fields = _answers(form)
            if "lesson" not in fields:  # each form of ours sends one
                raise HTTPException(400)
            try:
                work, overview = self._work(fields), None
                upload = _list(form) if work.choices.who == "list" else None
                # A workbook takes longer sentences than a sheet.
                with contextlib.suppress(*(FAULTS if work.choices.workbook else ())):
                    overview = await self.looked(WebWork.overview, work)
            except FAULTS as error:
                return await self._asked_again(fields, problems_of(error))
            choices = work.choices
            kind = "exam" if choices.as_exam else "me" if choices.who == "me" else "class"
            size = choices.pupils if choices.who == "number" else 1
            job = self._open(kind, size, fields)
            job.asked = overview
            if choices.who == "me":
                job.size = max(1, len(overview.sheets) if overview else 1)
                return self._begun(job, WebWork.single, work, job.folder)
            try:
                pupils: int | Path = choices.pupils
                if upload:
                    pupils, job.size = await self._listed(upload, job)
            except RefusedAnswers as refused:
                self.jobs.drop(job.name)
                return await self._asked_again(fields, refused.problems)
            return self._begun(job, WebWork.school_class, work, pupils, job.folder)

    async def people(self) -> Response:
        """Who stands on a class list, to be shown before anything is made for them."""
        async with self.request.form(max_files=1, max_fields=0, max_part_size=UPLOAD) as form:
            try:
                with TemporaryDirectory(dir=self.jobs.root) as folder:
                    job = WebJob("list", folder=Path(folder))
                    listed, _ = await self._listed(_list(form), job)
                    return HTMLResponse(self.pages.people(await self.looked(desk.people, listed)))
            except FAULTS as error:  # or who sent it has sent another one
                return HTMLResponse(self.pages.people(None, *problems_of(error).values()), 422)

    async def files(self) -> Response:
        """Asks for a class's files: whose sheet is wanted once more, or what was handed in."""
        return HTMLResponse(self.pages.files(self.request.url.path.strip("/")))

    async def make_again(self) -> Response:
        """Take the order of a pupil's files."""
        limits = {"max_files": len(OF_BATCH), "max_fields": 1, "max_part_size": HANDED_IN}
        async with self.request.form(**limits) as form:
            pupil = str(form.get("pupil") or "").strip()
            if not _sent(form, "manifest") or not pupil:
                return HTMLResponse(self.pages.files("again", "web.again.missing"), 422)
            job = self._open("again", 1, _about(form))
            job.wanted = self.pages.catalogue.t("web.again.for", whose=pupil)
            await _keep({job.folder / place: _sent(form, name) for name, place in OF_BATCH.items()})
            _unpack(form, OF_BATCH, job.folder)
        return self._begun(job, desk.reissued, job.folder, pupil, self.language, tells=False)

    async def room(self) -> Response:
        """Asks for how many pupils a room is to be, and how long; shows how it would stand."""
        rooms, problems = [], dict[str, FieldProblem]()
        try:
            rooms = await self.looked(RoomWish.seated, RoomWish.read(self.fields, self.language))
        except RefusedAnswers as refused:
            problems = dict(refused.problems)
        except (UserError, workers.Defect) as error:
            problems = {"pupils": problems_of(error)["sentence"]}
        return HTMLResponse(self.pages.room(self.fields, problems, rooms))

    async def make_room(self) -> Response:
        """Take the order of a room's papers."""
        async with self.request.form(max_files=0, max_fields=MOST_FIELDS) as form:
            sent = _answers(form)
        try:
            wish = RoomWish.read(sent, self.language)
        except RefusedAnswers as refused:
            return HTMLResponse(self.pages.room(sent, refused.problems), 422)
        rooms: list[dict[str, Any]] = [{}]
        with contextlib.suppress(UserError):  # which the order says
            rooms = await self.looked(RoomWish.seated, wish)
            if len(rooms) > 1 and sent.get("rooms") != [str(len(rooms))]:  # nobody asked for them
                return HTMLResponse(self.pages.room(sent, rooms=rooms), 422)
        job = self._open("room", len(rooms), sent)
        return self._begun(job, desk.furnished, wish, self.request.app.state.paper, job.folder)

    async def make_marks(self) -> Response:
        """Take the order of a class's marks."""
        most = MOST_WORK + len(OF_MARKS)
        limits = {"max_files": most, "max_fields": 2, "max_part_size": HANDED_IN}
        async with self.request.form(**limits) as form:
            work = [one for one in _sent(form, "work") if not LEFT_OVER.fullmatch(_name(one))]
            typed = form.get("list") == "on"
            if not _sent(form, "manifest") or not (work or typed):
                return HTMLResponse(self.pages.files("grade", "web.grade.missing"), 422)
            job = self._open("typed" if typed else "grade", max(1, len(work)), _about(form))
            files = {job.folder / place: _sent(form, name) for name, place in OF_MARKS.items()}
            taken = {RESULTS}
            for number, one in enumerate(work, 1):
                named = plain_name(_name(one)).strip(" .") or str(number)
                while named.lower() in taken:
                    named = f"{number}-{named}"
                taken.add(named.lower())
                files[job.folder / IN / named] = [one]
            await _keep(files)
            _unpack(form, OF_MARKS, job.folder)
            answers = form.get("show_answers") == "on"
        if typed:
            return self._begun(job, desk.typed_list, job.folder, self.language, tells=False)
        return self._begun(job, desk.marked, job.folder, self.language, answers)

    async def job(self) -> Response:
        """How far an order is, and what to do with what came of it."""
        job, jobs = self._known, self.jobs
        seconds = jobs.wait(job.name) if job.state == "waiting" else jobs.seconds(job)
        line = len(jobs.before(job.name)), seconds, jobs.measured(job.name)
        return HTMLResponse(self.pages.job(job, *line, stops=jobs.run is workers.ran))

    async def result(self) -> Response:
        """The files of an order; 404 where there are none."""
        if self._known.state != "done":
            raise HTTPException(404)
        path = self._known.folder / RESULT
        headers = {
            "content-disposition": f'attachment; filename="{self.pages.file_of(self._known)}"',
            "content-length": str(path.stat().st_size),
        }
        return StreamingResponse(_pieces(path), media_type="application/zip", headers=headers)

    async def paper(self) -> Response:
        """One file of an order: a PDF is opened in the browser, a workbook by what it is for."""
        job, asked = self._known, self.request.path_params
        path = job.papers.get(asked["what"], "")
        ending = Path(path).suffix
        if job.state != "done" or ending != f".{asked['kind']}":
            raise HTTPException(404)
        content = opened(job.folder / RESULT, path)
        kind, way = OPENED[ending]
        headers = {
            "content-disposition": f'{way}; filename="{Path(path).name}"',
            # A PDF loads nothing; what shows it is the browser's page, which our policy would stop.
            "content-security-policy": "frame-ancestors 'self'",
        }
        return Response(content, media_type=kind, headers=headers)

    async def delete(self) -> Response:
        """Forget an order before its time: one not done, or one on a computer that others use."""
        job = self._known
        self.jobs.drop(job.name)
        return RedirectResponse(f"{self.pages.questions_of(job)}#cancelled", 303)

    async def looked(self, task: Callable[..., Seen], *asked: object) -> Seen:
        """What a task gives back that does not take long, in its turn."""
        state = self.request.app.state
        async with state.looks.taken(self.client):
            # Who types on has asked for another look; in a browser the page forgets such ones.
            if state.run is workers.ran and await self.request.is_disconnected():
                raise UserError("nobody waits for this any more")
            answer: Seen = await state.run(task, *asked, seconds=LOOK)
            return answer

    def _work(self, fields: Fields) -> WebWork:
        return WebWork(read(fields, self.language), self.request.app.state.paper)

    async def _seen(self, fields: Fields) -> tuple[Choices, Overview]:
        work = self._work(fields)
        return work.choices, await self.looked(WebWork.overview, work)

    async def _asked_again(self, fields: Fields, problems: Problems) -> Response:
        """The questions with what is wrong, and a look at what the other answers come to."""
        beside = {"preset": "own", "minutes": "exam"}  # without it the answers can be looked at
        bad = {*problems, *(beside.get(name, name) for name in problems)}
        good = {name: values for name, values in fields.items() if name not in bad}
        choices, overview = Choices(words=self.language), None
        with contextlib.suppress(*FAULTS):
            choices = read(good, self.language)
            choices, overview = await self._seen(good)
        page = self.pages.questions(choices, overview, _typed(fields), problems)
        return HTMLResponse(page, 422 if "lesson" in fields else 200)

    def _open(self, kind: str, size: int = 1, fields: Fields | None = None) -> WebJob:
        """A place for an order of this client."""
        query = urlencode({**(fields or {}), "lang": self.language}, doseq=True)
        return self.jobs.open(WebJob(kind, query, self.client, size))

    def _begun(self, job: WebJob, *work: Any, tells: bool = True) -> Response:
        """Begin an order, and send the browser to its page."""
        self.jobs.begin(job, *work, tells=tells)
        return RedirectResponse(f"/job/{job.name}?lang={self.language}", 303)

    async def _listed(self, upload: UploadFile, job: WebJob) -> tuple[Path, int]:
        """The class list in the order's folder, of how many; `RefusedAnswers` for what is none.

        It has the time of a look: one that takes longer to read would hold a place of orders.
        """
        path = job.folder / f"list{Path(_name(upload)).suffix.lower()}"
        await _keep({path: [upload]})
        try:
            count = await self.looked(desk.require_some, path)
        except (UserError, workers.Defect) as error:
            (problem,) = problems_of(error).values()
            told = problem._replace(message=job.plain([problem.message])[0])
            raise RefusedAnswers({"list": told}) from error
        return path, count

    @property
    def _known(self) -> WebJob:
        """The order that is asked for; 404 where there is none any more."""
        job = self.jobs.by_name.get(self.request.path_params["name"])
        if job is None:
            raise Gone(404)
        return job


def problems_of(error: Exception) -> Problems:
    """What is wrong, by the field at which it is said."""
    if isinstance(error, RefusedAnswers):
        return error.problems
    if isinstance(error, UserError):
        return {"sentence": FieldProblem(message=error.message)}
    return {"sentence": FieldProblem("web.error.own-fault")}


def _typed(fields: Fields) -> Fields:
    return {name: values for name, values in fields.items() if name != "lang"}


def _answers(form: FormData) -> dict[str, list[str]]:
    """What was sent by name, without files."""
    return {name: [one for one in form.getlist(name) if isinstance(one, str)] for name in form}


def _list(form: FormData) -> UploadFile:
    """The class list that was sent; `RefusedAnswers` where there is none."""
    upload = next(iter(_sent(form, "list")), None)
    if upload is None:
        raise RefusedAnswers({"list": FieldProblem("web.error.no-list", {"most": UPLOAD // 1000})})
    if Path(_name(upload)).suffix.lower() not in (".csv", ".txt", *TABLES):
        file_name = plain_name(_name(upload))[-40:]
        raise RefusedAnswers({"list": FieldProblem("web.error.list-kind", {"found": file_name})})
    if Path(_name(upload)).suffix.lower() in TABLES and not zipfile.is_zipfile(upload.file):
        raise RefusedAnswers({"list": FieldProblem("web.error.list-damaged")})
    upload.file.seek(0)
    return upload


def _sent(form: FormData, field: str) -> list[UploadFile]:
    """The files of a field; a browser sends an empty one where none was chosen."""
    return [one for one in form.getlist(field) if isinstance(one, UploadFile) and one.size]


def _about(form: FormData) -> Fields:
    """The class whose zip was sent, by the name of that."""
    path = Path(plain_name(_name(_sent(form, "manifest")[-1])))
    return {"header": [path.stem]} if path.suffix.lower() == ".zip" else {}


async def _keep(files: Mapping[Path, list[UploadFile]]) -> None:
    """Write the last of the files that were sent for each place, where there is one."""
    for place, uploads in files.items():
        if uploads:
            output.write({place: await uploads[-1].read()})


def _unpack(form: FormData, places: Mapping[str, Path], folder: Path) -> None:
    """Write what was not sent by itself out of a class's zip that was sent as its manifest."""
    names = {one.name for one in places.values()}
    inside = of_class(_sent(form, "manifest")[-1].file, names, UPLOAD)
    for field, place in places.items():
        if place.name in inside and (field == "manifest" or not _sent(form, field)):
            output.write({folder / place: inside[place.name]})


def _name(upload: UploadFile) -> str:
    return upload.filename or ""


async def _pieces(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece
