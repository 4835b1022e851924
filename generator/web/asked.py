"""What every answer needs to know of a request: its fields, its texts, its language."""

from urllib.parse import urlencode

from starlette.datastructures import FormData
from starlette.requests import Request

from generator.locales.folders import USUAL, languages

FORMS = ("/again", "/grade", "/models")  # pages that ask for files


def fields_of(request: Request) -> dict[str, list[str]]:
    """The answers in the address, by name."""
    return {name: request.query_params.getlist(name) for name in request.query_params}


def texts_of(form: FormData) -> dict[str, list[str]]:
    """The fields of a form that are texts, by name."""
    return {
        name: [value for value in form.getlist(name) if isinstance(value, str)] for name in form
    }


def came_from(request: Request) -> str:
    """The page whose form was sent, with the answers as far as its address has them."""
    language = urlencode({"lang": language_of(request)})
    if request.url.path in FORMS:
        return f"{request.url.path}?{language}"
    asked = request.url.query if request.url.path == "/make" else ""
    return f"/?{asked or language}"


def language_of(request: Request) -> str:
    """That of the switch, else the first that the browser wishes and that there is."""
    wished = request.headers.get("accept-language", "")
    asked = [one.partition(";")[0].strip()[:2].lower() for one in wished.split(",")]
    for code in (request.query_params.get("lang", ""), *asked):
        if code in languages():
            return code
    return USUAL
