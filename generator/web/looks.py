"""Answers at once: the questions, a look at a sheet, the walk, the models."""

import contextlib
from collections.abc import Callable, Mapping
from typing import TypeVar
from urllib.parse import urlencode

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from generator.errors import UserError
from generator.web import desk, workers
from generator.web.form import (
    Choices,
    FieldProblem,
    RefusedAnswers,
    client_of,
    fields_of,
    language_of,
    read,
)
from generator.web.guard import UPLOAD
from generator.web.page import error_page, models_page, questions, walk_page

Asked = TypeVar("Asked")
Seen = TypeVar("Seen")
LOOK = 20.0  # seconds that a preview may take
SHEET_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src data:"
ALL_SHEETS = {"lesson": "all", "story": "on"}  # what an own model can fill is seen best there


async def home(request: Request) -> Response:
    """The questions, with what the answers in the address come to."""
    language, fields = language_of(request), fields_of(request)
    try:
        choices = read(fields, language)
        overview = await looked(request, desk.overview, choices)
    except (RefusedAnswers, UserError, workers.Defect) as error:
        return await asked_again(request, fields, problems_of(error))
    given = {name: values for name, values in fields.items() if name != "lang"}
    return HTMLResponse(questions(language, choices, overview, {}, given))


def problems_of(error: Exception) -> Mapping[str, FieldProblem]:
    """What is wrong, by the field at which it is said."""
    if isinstance(error, RefusedAnswers):
        return error.problems
    if isinstance(error, UserError):
        return {"sentence": FieldProblem(message=str(error))}
    return {"sentence": FieldProblem("web.error.own-fault")}


async def asked_again(
    request: Request, fields: Mapping[str, list[str]], problems: Mapping[str, FieldProblem]
) -> Response:
    """The questions with what is wrong, and a look at what the other answers come to."""
    language = language_of(request)
    bad = {*problems, "own"} if "preset" in problems else {*problems}
    good = {name: values for name, values in fields.items() if name not in bad}
    choices, overview = Choices(words=language), None
    with contextlib.suppress(RefusedAnswers, UserError, workers.Defect):
        choices = read(good, language)
        overview = await looked(request, desk.overview, choices)
    given = {name: values for name, values in fields.items() if name != "lang"}
    page = questions(language, choices, overview, problems, given)
    return HTMLResponse(page, 422 if "lesson" in fields else 200)


async def sheet(request: Request) -> Response:
    """The sheet that is looked at."""
    language = language_of(request)
    try:
        html = await looked(request, desk.look, read(fields_of(request), language))
    except (RefusedAnswers, UserError, workers.Defect) as error:
        return HTMLResponse(error_page(language, *problems_of(error).values()), 422)
    return HTMLResponse(html, headers={"content-security-policy": SHEET_POLICY})


async def walk(request: Request) -> Response:
    """Every step of the computation, to be shown one after the other."""
    language, fields = language_of(request), fields_of(request)
    try:
        choices = read(fields, language)
        pages = await looked(request, desk.walked, choices)
    except (RefusedAnswers, UserError, workers.Defect) as error:
        back = f"/?{request.url.query}"
        return HTMLResponse(error_page(language, *problems_of(error).values(), back=back), 422)
    return HTMLResponse(walk_page(choices, pages, fields, language))


async def models(request: Request) -> Response:
    """What each shipped model shows, and a place for one's own."""
    return HTMLResponse(models_page(language_of(request)))


async def take_model(request: Request) -> Response:
    """Check a teacher's own preset; it then stands in the address of the questions."""
    language = language_of(request)
    async with request.form(max_files=1, max_fields=1, max_part_size=UPLOAD) as form:
        upload = form.get("preset")
        content = await upload.read() if isinstance(upload, UploadFile) else b""
    try:
        code = await looked(request, desk.checked, content)
    except (UserError, workers.Defect) as error:
        return HTMLResponse(models_page(language, str(error)), 422)
    return RedirectResponse(f"/?{urlencode({**ALL_SHEETS, 'own': code, 'lang': language})}", 303)


async def looked(request: Request, task: Callable[[Asked], Seen], asked: Asked) -> Seen:
    """What a task gives back that does not take long, in its turn."""
    async with request.app.state.looks.taken(client_of(request)):
        # Who types on has asked for another look; in a browser the page itself forgets such ones.
        if request.app.state.run is workers.ran and await request.is_disconnected():
            raise UserError("nobody waits for this any more")
        answer: Seen = await request.app.state.run(task, asked, seconds=LOOK)
        return answer
