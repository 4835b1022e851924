"""Answers at once: the questions, a look at a sheet, the walk, the models."""

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlencode

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from generator.errors import UserError
from generator.web import desk, workers
from generator.web.asked import fields_of, language_of
from generator.web.form import Choices, Problem, Refused, read
from generator.web.guard import UPLOAD
from generator.web.page import error_page, models_page, questions, refused_page, walk_page

Asked = TypeVar("Asked")
Seen = TypeVar("Seen")
LOOK = 20.0  # seconds that a preview may take
SHEET_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src data:"
ALL_SHEETS = {"lesson": "all", "story": "on"}  # what an own model can fill is seen best there


async def home(request: Request) -> Response:
    """The questions, with what the answers in the address come to."""
    language = language_of(request)
    problems: dict[str, Problem] = {}
    overview, choices = None, Choices(words=language)
    try:
        choices = read(fields_of(request), language)
        overview = await _looked(request, desk.overview, choices)
    except Refused as refused:
        problems = refused.problems
    except UserError as error:
        problems = {"sentence": Problem(message=str(error))}
    except workers.Broken:
        problems = {"sentence": Problem("web.error.own-fault")}
    status = 422 if problems and request.query_params.get("lesson") else 200
    given = {name: values for name, values in fields_of(request).items() if name != "lang"}
    return HTMLResponse(questions(language, choices, overview, problems, given), status)


async def sheet(request: Request) -> Response:
    """The sheet that is looked at."""
    language = language_of(request)
    try:
        html = await _looked(request, desk.look, read(fields_of(request), language))
    except Refused as refused:
        return HTMLResponse(refused_page(language, refused), 422)
    except (UserError, workers.Broken) as error:
        return HTMLResponse(error_page(language, str(error), back=False), 422)
    return HTMLResponse(html, headers={"content-security-policy": SHEET_POLICY})


async def walk(request: Request) -> Response:
    """Every step of the computation, to be shown one after the other."""
    language = language_of(request)
    try:
        choices = read(fields_of(request), language)
        pages = await _looked(request, desk.walked, choices)
    except Refused as refused:
        return HTMLResponse(refused_page(language, refused), 422)
    except (UserError, workers.Broken) as error:
        return HTMLResponse(error_page(language, str(error)), 422)
    return HTMLResponse(walk_page(choices, pages, fields_of(request), language))


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
        code = await _looked(request, desk.checked, content)
    except (UserError, workers.Broken) as error:
        return HTMLResponse(models_page(language, str(error)), 422)
    return RedirectResponse(f"/?{urlencode({**ALL_SHEETS, 'own': code, 'lang': language})}", 303)


async def _looked(request: Request, task: Callable[[Asked], Seen], asked: Asked) -> Seen:
    async with request.app.state.looks:
        answer: Seen = await request.app.state.run(task, asked, seconds=LOOK)
        return answer
