"""Writes the pages: the questions with a look at the sheets, an order, a refusal.

Also here:

* The shipped presets as a teacher chooses among them: what each is and what it shows.
* Sets what the terminal writes as W_Q and e^Ŝ as print does: with a low Q and a raised Ŝ.
"""

import math
import re
import time
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple
from urllib.parse import parse_qs, urlencode

from markupsafe import Markup, escape

from generator.engine.vocabulary import refusal
from generator.locales.catalogue import Catalogue, load
from generator.locales.folders import languages
from generator.locales.locale import locale_of
from generator.presets.defaults import LEARNED
from generator.presets.load import load_preset, shipped
from generator.render.walk.page import Page
from generator.render.worksheet.worksheet import environment
from generator.sheets.series import SERIES, SHEETS
from generator.web import form
from generator.web.form import Choices, FieldProblem
from generator.web.guard import UPLOAD
from generator.web.jobs import KEPT, WebJob
from generator.web.packing import RESULT
from generator.web.status import Overview

EXAMPLES = (LEARNED, "random")  # presets whose sentence shows what can be typed
Given = Mapping[str, list[str]]


def questions(
    language: str,
    choices: Choices,
    overview: Overview | None,
    problems: Mapping[str, FieldProblem],
    given: Given,
) -> str:
    """The questions; `overview` is what the answers come to, `given` what was typed as it was.

    Where there are problems, `overview` and all links are of the answers without these.
    """
    catalogue, known = load(language), models(language)
    good = {name: one for name, one in given.items() if name not in problems}
    return _printed(
        "page",
        catalogue,
        form=form,
        answers=_answers(choices, given),
        upload=UPLOAD,
        overview=overview,
        problems={name: said(one, catalogue) for name, one in problems.items()},
        titles={name: catalogue.t(SERIES[name].title) for name in SHEETS},
        presets={one.name: one.title for one in known},
        names={code: locale_of(code).name for code in languages()},
        examples=[one.sentence for one in known if one.name in EXAMPLES],
        others=_others(language, given),
        query=_query(good, language),
        without=_query({name: one for name, one in good.items() if name != "own"}, language),
    )


def walk_page(choices: Choices, pages: list[Page], given: Given, language: str) -> str:
    """Every step of the computation, in the language of the sheets."""
    return _printed(
        "walk",
        load(choices.words),
        pages=pages,
        typeset=typeset,
        sentence=choices.sentence,
        query=_query(given, language),
    )


def job_page(name: str, job: WebJob, before: int, wait: float, language: str) -> str:
    """How far an order is; finished: the file, and what to print, copy and keep.

    One that waits has so many orders `before` it, which take about `wait` seconds.
    """
    catalogue = load(language)
    seconds = wait if job.state == "waiting" else job.left(time.monotonic())
    return _printed(
        "job",
        catalogue,
        name=name,
        result=RESULT,
        html=any(path.endswith(".html") for path in job.papers.values()),
        job=job,
        before=before,
        minutes=KEPT // 60,
        refused=[said(one, catalogue) for one in job.refused],
        back=questions_of(job, language),
        others=_elsewhere(f"job/{name}", language),
        running=job.state in ("waiting", "working"),
        left=math.ceil(seconds / 60),
    )


def questions_of(job: WebJob, language: str) -> str:
    """The address of the questions that an order answers, with the answers."""
    start = job.kind if job.kind in ("again", "grade") else ""
    return f"/{start}?{_query(parse_qs(job.query), language)}"


def files_page(page: str, language: str, problem: str = "") -> str:
    """Asks for a class's manifest and more: "again" for a pupil's code, "grade" for files."""
    catalogue = load(language)
    others = _elsewhere(page, language)
    return _printed(page, catalogue, problem=problem and catalogue.t(problem), others=others)


def models_page(language: str, problem: str = "") -> str:
    """What the shipped models show; takes one of the teacher's own, with what is wrong with it."""
    known, others = models(language), _elsewhere("models", language)
    return _printed("models", load(language), models=known, problem=problem, others=others)


def error_page(language: str, *problems: FieldProblem, back: str = "") -> str:
    """A refusal with what is wrong; `back` is the address to go back to."""
    catalogue = load(language)
    text = " ".join(said(one, catalogue) for one in problems)
    return _printed("refusal", catalogue, text=text, back=back)


def said(problem: FieldProblem, catalogue: Catalogue) -> str:
    """A problem in the words of the page; messages of the program are English."""
    if problem.message:
        return catalogue.t("web.note", message=problem.message)
    return catalogue.t(problem.phrase, **problem.names)


def _printed(page: str, catalogue: Catalogue, **what: object) -> str:
    template = environment().get_template(f"web/{page}.html.j2")
    usual = {"t": catalogue.t, "language": catalogue.language, "others": {}}
    return template.render(**{**usual, **what})


def _answers(choices: Choices, given: Given) -> dict[str, object]:
    """What each field shows: the answers that were taken, in place of them what was typed."""
    shown: dict[str, object] = dict(vars(choices))
    if "lesson" in given:
        shown |= dict.fromkeys(form.BOXES, "")
        shown |= {name: values[-1] for name, values in given.items() if values}
        shown["sheets"] = tuple(given.get("sheets", ()))
    return shown


def _others(language: str, given: Given) -> dict[str, str]:
    """The address of this page in each other language; the sheets change with it."""
    kept = {name: values for name, values in given.items() if name != "words"}
    return {code: f"/?{_query(kept, code)}" for code in languages() if code != language}


def _elsewhere(page: str, language: str) -> dict[str, str]:
    """The address of a page in each other language, without answers."""
    return {code: f"/{page}?lang={code}" for code in languages() if code != language}


def _query(given: Given, language: str) -> str:
    """The answers as the end of an address, without what is only looked at."""
    kept = {name: values for name, values in given.items() if name not in ("shown", "variant")}
    return urlencode({**kept, "lang": language}, doseq=True)


class ListedModel(NamedTuple):
    """A preset in the words of a language.

    `shows` is what there is to see, "" where it says nothing; `meaningful` whether its numbers mean
    something, `open` whether it takes sentences of one's own.
    """

    name: str
    title: str
    sentence: str
    shows: str
    meaningful: bool
    open: bool


@cache
def models(language: str) -> tuple[ListedModel, ...]:
    """All of them, read once: they come with the program."""
    return tuple(_model(name, language) for name in shipped())


def _model(name: str, language: str) -> ListedModel:
    preset = load_preset(name)
    return ListedModel(
        name=name,
        title=preset.heading(language),
        sentence=preset.sentences.get(language, ""),
        shows=preset.shows.get(language, ""),
        meaningful=preset.meaningful,
        open=not refusal(preset),
    )


# One letter, perhaps with a hat, then a name of ASCII letters: d_model, W_Q₁₁, Ŝ_M.
_LOW = re.compile(r"(?<![^\W\d_])([^\W\d_]\u0302?)_([A-Za-z]+)")
# In brackets, a number (its decimal sign may be a comma), or up to the end of the symbol.
_RAISED = re.compile(r"\^(\([^()]*\)|\d+(?:[.,]\d+)?|[^\s,;()]+)")


def typeset(text: str) -> Markup:
    """A line of the walk as HTML; nothing of its text changes but the signs _ and ^."""
    raised = _RAISED.sub(r"<sup>\1</sup>", str(escape(text)))
    return Markup(_LOW.sub(r"\1<sub>\2</sub>", raised))
