"""Writes the pages: the questions with a look at the sheets, an order, a refusal.

Also here:

* The shipped presets as a teacher chooses among them: what each is and what it shows.
* Sets what the terminal writes as W_Q and e^Ŝ as print does: with a low Q and a raised Ŝ.
"""

import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from urllib.parse import parse_qs, urlencode

from markupsafe import Markup, escape

from generator.engine.preset import Preset
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
from generator.web.desk import Overview
from generator.web.form import Choices, FieldProblem
from generator.web.guard import UPLOAD
from generator.web.jobs import KEPT, WebJob
from generator.web.packing import RESULT

EXAMPLES = (LEARNED, "random")  # presets whose sentence shows what can be typed
Given = Mapping[str, list[str]]


@dataclass(frozen=True)
class WebPages:
    """The pages in the language of who asks."""

    language: str

    @cached_property
    def catalogue(self) -> Catalogue:
        """The words."""
        return load(self.language)

    def questions(
        self,
        choices: Choices,
        overview: Overview | None,
        given: Given,
        problems: Mapping[str, FieldProblem] = MappingProxyType({}),
    ) -> str:
        """The questions; `overview` is what the answers come to, `given` what was typed as it was.

        Where there are problems, `overview` and all links are of the answers without these.
        """
        good = {name: one for name, one in given.items() if name not in problems}
        shown: dict[str, object] = dict(vars(choices))  # what each field shows: what was taken …
        if "lesson" in given:  # … and in place of it what was typed
            shown |= dict.fromkeys(form.BOXES, "")
            shown |= {name: values[-1] for name, values in given.items() if values}
            shown["sheets"] = tuple(given.get("sheets", ()))
        examples = (one for one in models() if one.name in EXAMPLES)
        # The sheets change with the language of the page.
        kept = {name: values for name, values in given.items() if name != "words"}
        return self._printed(
            "page",
            form=form,
            answers=shown,
            upload=UPLOAD,
            overview=overview,
            problems={name: said(one, self.catalogue) for name, one in problems.items()},
            titles={name: self.catalogue.t(SERIES[name].title) for name in SHEETS},
            presets={one.name: one.heading(self.language) for one in models()},
            names={code: locale_of(code).name for code in languages()},
            examples=[one.sentences.get(self.language, "") for one in examples],
            others={code: f"/?{query(kept, code)}" for code in self._elsewhere("")},
            query=query(good, self.language),
            without=query({k: one for k, one in good.items() if k != "own"}, self.language),
        )

    def walk(self, choices: Choices, pages: list[Page], given: Given) -> str:
        """Every step of the computation, in the language of the sheets."""
        return WebPages(choices.words)._printed(
            "walk",
            pages=pages,
            typeset=typeset,
            sentence=choices.sentence,
            query=query(given, self.language),
        )

    def job(self, job: WebJob, before: int, wait: float) -> str:
        """How far an order is; finished: the file, and what to print, copy and keep.

        One that waits has so many orders `before` it, which take about `wait` seconds.
        """
        seconds = wait if job.state == "waiting" else job.left(time.monotonic())
        return self._printed(
            "job",
            name=job.name,
            result=RESULT,
            html=any(path.endswith(".html") for path in job.papers.values()),
            job=job,
            before=before,
            minutes=KEPT // 60,
            refused=[said(one, self.catalogue) for one in job.refused],
            back=self.questions_of(job),
            others=self._elsewhere(f"job/{job.name}"),
            running=job.state in ("waiting", "working"),
            left=math.ceil(seconds / 60),
        )

    def questions_of(self, job: WebJob) -> str:
        """The address of the questions that an order answers, with the answers."""
        start = job.kind if job.kind in ("again", "grade") else ""
        return f"/{start}?{query(parse_qs(job.query), self.language)}"

    def files(self, page: str, problem: str = "") -> str:
        """Asks for a class's manifest and more: "again" for a pupil's code, "grade" for files."""
        told = problem and self.catalogue.t(problem)
        return self._printed(page, problem=told, others=self._elsewhere(page))

    def models(self, problem: str = "") -> str:
        """What the shipped models show; takes one of the teacher's own, with what is wrong."""
        others = self._elsewhere("models")
        what = {"models": models(), "refusal": refusal, "problem": problem, "others": others}
        return self._printed("models", **what)

    def refusal(self, *problems: FieldProblem, back: str = "") -> str:
        """A refusal with what is wrong; `back` is the address to go back to."""
        text = " ".join(said(one, self.catalogue) for one in problems)
        return self._printed("refusal", text=text, back=back)

    def _elsewhere(self, page: str) -> dict[str, str]:
        """The address of a page in each other language, without answers."""
        others = (code for code in languages() if code != self.language)
        return {code: f"/{page}?lang={code}" for code in others}

    def _printed(self, page: str, **what: object) -> str:
        template = environment().get_template(f"web/{page}.html.j2")
        usual = {"t": self.catalogue.t, "language": self.language, "others": {}}
        return template.render(**{**usual, **what})


def said(problem: FieldProblem, catalogue: Catalogue) -> str:
    """A problem in the words of the page; messages of the program are English."""
    if problem.message:
        return catalogue.t("web.note", message=problem.message)
    return catalogue.t(problem.phrase, **problem.names)


def query(given: Given, language: str) -> str:
    """The answers as the end of an address, without what is only looked at."""
    kept = {name: values for name, values in given.items() if name not in ("shown", "variant")}
    return urlencode({**kept, "lang": language}, doseq=True)


@cache
def models() -> tuple[Preset, ...]:
    """All shipped models, read once: they come with the program."""
    return tuple(map(load_preset, shipped()))


# One letter, perhaps with a hat, then a name of ASCII letters: d_model, W_Q₁₁, Ŝ_M.
_LOW = re.compile(r"(?<![^\W\d_])([^\W\d_]\u0302?)_([A-Za-z]+)")
# In brackets, a number (its decimal sign may be a comma), or up to the end of the symbol.
_RAISED = re.compile(r"\^(\([^()]*\)|\d+(?:[.,]\d+)?|[^\s,;()]+)")


def typeset(text: str) -> Markup:
    """A line of the walk as HTML; nothing of its text changes but the signs _ and ^."""
    raised = _RAISED.sub(r"<sup>\1</sup>", str(escape(text)))
    return Markup(_LOW.sub(r"\1<sub>\2</sub>", raised))
