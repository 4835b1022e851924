"""Writes the pages: the questions with a look at the sheets, an order, a refusal.

Also here:

* The shipped presets as a teacher chooses among them: what each is and what it shows.
* Sets what the terminal writes as W_Q and e^Ŝ as print does: with a low Q and a raised Ŝ.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, urlencode

from markupsafe import Markup, escape

from generator.classroom.pupils.roster import ListSummary
from generator.engine.preset import Preset
from generator.engine.vocabulary import refusal
from generator.locales.catalogue import Catalogue, load
from generator.locales.folders import languages, written
from generator.locales.locale import locale_of
from generator.presets.defaults import LEARNED
from generator.presets.load import load_preset, shipped
from generator.presets.new import new_preset_text
from generator.render.walk.page import Page
from generator.render.walk.pages import walked_as
from generator.render.worksheet.worksheet import environment
from generator.sheets.plan import MOST_SHOWN
from generator.sheets.series import SERIES, SHEETS
from generator.slug import LONGEST, hyphened
from generator.web import form
from generator.web.desk import Overview
from generator.web.form import Choices, FieldProblem
from generator.web.guard import UPLOAD
from generator.web.jobs import KEPT, PACE, WebJob
from generator.web.packing import RESULT
from generator.web.said import said, told

PICTURES = 6  # sheets of a finished order that are shown
SAMPLE = "my-model"  # how the template of a model of one's own is called
FORMS = ("again", "grade", "room")  # orders with a form of their own
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
        if "lesson" in given:  # where a box that was not sent had no tick
            shown |= dict.fromkeys(form.BOXES, "")
        # … and in place of it what was typed.
        shown |= {name: values[-1] for name, values in given.items() if values}
        shown["sheets"] = tuple(given.get("sheets", ()))
        examples = (one for one in models() if one.name in EXAMPLES)
        titles = {name: self.catalogue.t(SERIES[name].title) for name in SHEETS}
        what = {"form": form, "answers": shown, "upload": UPLOAD, "overview": overview}
        return self._printed(
            "page", MOST_SHOWN=MOST_SHOWN, titles=titles, query=query(good, self.language),
            presets={one.name: one.heading(self.language) for one in models()}, problems=problems,
            examples=[one.sentences.get(self.language, "") for one in examples],
            # The sheets change with the language of the page.
            others={code: f"/?{query(given, code, 'words')}" for code in self._elsewhere("")},
            without=query(good, self.language, "own"), **what,
        )  # fmt: skip

    def people(self, seen: ListSummary | None, *problems: FieldProblem) -> str:
        """Who was read from a class list and what to look at twice, or why nobody was."""
        return self._printed("people", seen=seen, problems=problems)

    def walk(self, choices: Choices, pages: list[Page], sheets: Sequence[str], given: Given) -> str:
        """The steps, in the language of the sheets; each of these sheets leads to its own, once."""
        titles, shown = {name: SERIES[name].title for name in sheets}, walked_as(choices.shown)
        what = {"pages": pages, "typeset": typeset, "sentence": choices.sentence, "titles": titles}
        address = query(given, self.language)
        return WebPages(choices.words)._printed("walk", shown=shown, query=address, **what)

    def leaves(self, choices: Choices, pages: Sequence[Sequence[int]]) -> str:
        """How much paper an order takes; `pages` are those of each leaf of each sheet."""
        return self._printed("leaves", answers=choices, sheets=pages)

    def job(
        self, job: WebJob, before: int, seconds: float, measured: bool = True, *, stops: bool = True
    ) -> str:
        """How far an order is; finished: the file, and what to print, copy and keep.

        One that waits has so many orders `before` it and is begun in about so many seconds, one
        that is made takes about so many, `measured` here or guessed; it can be ended where work
        `stops`.
        """
        given = parse_qs(job.query)
        return self._printed(
            "job", name=job.name, result=RESULT, job=job, before=before, minutes=KEPT // 60,
            stops=stops, measured=measured, back=self.questions_of(job), given=given,
            pictures=self._pictures(job), query=partial(query, language=self.language),
            others=self._elsewhere(f"job/{job.name}"), seconds=seconds,
            running=job.state in ("waiting", "working"), form=form,
        )  # fmt: skip

    def _pictures(self, job: WebJob) -> dict[str, tuple[str, str]]:
        """The titles of the first sheets of an order, by their names; the paper with each."""
        sheets = [SERIES[one.name] for one in (job.asked.sheets if job.asked else ())[:PICTURES]]
        found = {f"{Path(path).stem}.": what for what, path in job.papers.items()}
        paper = {one.name: found.get(one.file("blank", ""), "print") for one in sheets}
        return {one.name: (self.catalogue.t(one.title), paper[one.name]) for one in sheets}

    def file_of(self, job: WebJob) -> str:
        """What an order's zip is called: what it holds, and for which class or of which sentence.

        A class is known by the header of its sheets, or by the zip that was sent.
        """
        about = parse_qs(job.query).get("header") or [job.asked.sentence if job.asked else ""]
        words = hyphened(f"{self.catalogue.t(f'web.file.{job.kind}')} {about[-1]}")
        return f"{words[:LONGEST].rstrip('-')}.zip"

    def questions_of(self, job: WebJob) -> str:
        """The address of the questions that an order answers, with the answers."""
        start = {"typed": "grade"}.get(job.kind, job.kind if job.kind in FORMS else "")
        return f"/{start}?{query(parse_qs(job.query), self.language)}"

    def files(self, page: str, problem: str = "") -> str:
        """Asks for a class's manifest and more: "again" for a pupil's code, "grade" for files."""
        return self._printed(page, problem=problem, others=self._elsewhere(page))

    def room(
        self,
        given: Given,
        problems: Mapping[str, FieldProblem] = MappingProxyType({}),
        rooms: Sequence[Mapping[str, object]] = (),
    ) -> str:
        """Asks for what a room needs to know, with what was typed, what is wrong, how it stands."""
        usual = {**form.RoomWish(words=self.language)._asdict(), "form": form.RoomWish().minutes}
        answers = usual | {name: values[-1] for name, values in given.items() if values}
        what = {"answers": answers, "problems": problems, "rooms": rooms, "pace": PACE["room"]}
        return self._printed("room", form=form, others=self._elsewhere("room"), **what)

    def models(
        self, given: Given, drawn: Mapping[str, Any], keeping: Sequence[str] = (), problem: str = ""
    ) -> str:
        """What the shipped models show; takes one of the teacher's own, with what is wrong.

        Whoever takes one keeps the answers `given`, the sentence where that model can read it, and
        the lesson where it is among those `keeping` it, else begins with the one it is shown with.
        """

        def taken(model: Preset) -> str:
            other = ("preset", "own", "sentence" if refusal(model) else "")
            kept = model.name in keeping or model.name not in drawn
            asked = {**(given or {"story": ["on"]}), **({} if kept else drawn[model.name]["card"])}
            return f"/?{query(asked, self.language, *other)}&preset={model.name}"

        what = {"models": models(), "drawn": drawn, "problem": problem, "taken": taken}
        what |= {"sample": new_preset_text(SAMPLE), "sample_name": SAMPLE}
        return self._printed("models", refusal=refusal, others=self._elsewhere("models"), **what)

    def refusal(self, *problems: FieldProblem, back: str = "") -> str:
        """A refusal with what is wrong; `back` is the address to go back to."""
        return self._printed("refusal", problems=problems, back=back, others=self._elsewhere(""))

    def _elsewhere(self, page: str) -> dict[str, str]:
        """The address of a page in each other language, without answers."""
        return {code: f"/{page}?lang={code}" for code in written() if code != self.language}

    def _printed(self, page: str, **what: object) -> str:
        template = environment().get_template(f"web/{page}.html.j2")
        names = {code: locale_of(code).name for code in languages()}
        usual = {"t": self.catalogue.t, "language": self.language, "others": {}, "names": names}
        words = {one.__name__: partial(one, catalogue=self.catalogue) for one in (said, told)}
        return template.render(**{**usual, **words, **what})


def query(given: Given, language: str, *without: str) -> str:
    """The answers as the end of an address, without these and without what is only looked at."""
    other = ("shown", "variant", *without)
    kept = {name: values for name, values in given.items() if name not in other}
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
