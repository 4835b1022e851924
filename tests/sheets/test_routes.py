"""Routes: each lasts as long as it says, its preset can take it, and every language tells it."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

import generator
from generator.cli import main
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.make import Request, make
from generator.render.worksheet.booklet import booklet, plan_of_route
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.options import SheetOptions
from generator.sheets.routes import (
    MOST_ASKED,
    ROUTES,
    TOLD,
    as_told,
    by_minutes,
    open_to,
    route_of,
    told_only,
)
from generator.sheets.series import SERIES
from tests.cli.command import files_below
from tests.support.sheets import html, pdf, text, traces
from tests.support.structure import stays_within
from tests.support.words import words

MOST_COMPUTED = 20 / 45  # of a lesson: twenty minutes of one of 45
TIMES = {"25": [25], "45": [45], "60": [60], "90": [90], "3x45": [45] * 3, "3x60": [60] * 3,
         "6x45": [45] * 6}  # fmt: skip


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
def test_no_lesson_computes_or_asks_longer_than_it_lasts(route, language):
    assert [route.minutes] * len(route.lessons) == TIMES[route.name]
    for plans in route.plans(traces(route.preset, language)[0]):
        assert 0 < sum(one.minutes for one in plans) <= route.minutes * MOST_COMPUTED
        assert sum(one.in_all for one in plans) <= route.minutes * MOST_ASKED
        assert {one.mark for one in plans if not SERIES[one.sheet].kind.alike} == {route.mark}


@pytest.mark.parametrize("language", ["de", "en"])
def test_each_sheet_of_a_route_has_an_insight_and_a_place_to_stop(language):
    phrases = load(language).phrases
    told = as_told([(one, ()) for one in ROUTES.values()], SERIES)["sheets"]
    assert told[-5:] == ["7a", "7b", "7c", "8", "code"]
    assert len(told) == 14
    parts = {f"route.{part}.{sheet}" for part in ("insight", "stop") for sheet in told}
    named = {f"route.{part}.{name}" for part in ("name", "text") for name in ROUTES}
    several = {key for key in phrases if key.startswith("route.") and key.count(".") == 2}
    assert several == parts | named | {f"route.told.{sheet}" for sheet in TOLD}


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
def test_a_plan_fills_each_lesson_and_tells_what_is_left_out(route):
    trace = traces(route.preset, "de")[0]
    for lesson in route.plans(trace):
        stages = by_minutes(route, lesson)
        assert (stages[0].start, stages[-1].end) == (0, route.minutes)
        assert all(a.end == b.start for a, b in pairwise(stages))
        opened = [one for one in stages if one.kind in ("open", "read")]
        assert [one.kind for one in opened] == ["read" for p in lesson if p.reading]
        assert all(one.end - one.start >= 5 for one in opened)
        assert [one.kind for one in stages[-2:]] == ["compare", "secure"]
        assert stages[-2].end - stages[-2].start >= 5
        worked = [k for k, one in enumerate(stages) if one.kind in ("work", "cut")]
        compared = sum(one.end - one.start for one in stages if one.kind == "compare")
        after = [stages[k + 1].kind == "compare" for k in worked]
        assert after == [*[compared >= 5 * len(worked)] * (len(worked) - 1), True]
        shown = [one.sheet for one in stages if one.kind == "show"]
        assert shown == [one.sheet for one in stages if one.sheet == "slides"]
        assert shown == [one.sheet for one in stages][: len(shown)], "slides come first"
    told = {
        "90": {"1": "4a", "2": "4a", "3": "4a", "4b": "6", "5": "6"},
        "3x45": {"3": "4a", "4b": "6", "5": "6"},
        "6x45": {},
        "25": {"1": "4a", "2": "4a"},
    }
    if route.name in told:
        assert told_only(route, trace) == told[route.name]


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
def test_a_pupils_sheet_names_no_sheet_that_its_set_leaves_out(route, language):
    named = re.compile(
        r"(?i)\b(?:blatt|blätter|sheets?) (BPE|“?Math\w+|\d[a-d]?)\b(?: (?:und|and) (\d[a-d]?))?"
    )
    both = traces(route.preset, language)
    for carry, blank in (("given", True), ("own", True), ("given", False)):
        options = SheetOptions(
            language=language, level=route.level, carry=carry, route=route.name, among=route.sheets
        )
        for sheet in route.sheets:
            shown = words(html(*both, options, blank=blank, sheet=sheet))
            told = re.sub(r"In (der ganzen Reihe|the whole series)[^.]*\.", "", shown)
            found = {one for match in named.findall(told) for one in match if one}
            assert found <= {*route.sheets}, (sheet, found)


OF_ALL = {
    "5": ("Blatt 4a und 4b", "auf Blatt 4b", "Auf Blatt 6"),
    "6": (
        "Das war der ganze Weg",
        "Du hast alle Räume gesehen",
        "4b · ",
        "Beispiel auf Blatt 5",
    ),
    "7a": ("Blatt 7b",),
}


@pytest.mark.parametrize("sheet", OF_ALL)
def test_a_sheet_of_the_whole_series_names_the_others(sheet):
    whole, part = (
        words(
            html(*traces("katze-trained", "de"), SheetOptions(among=among), blank=True, sheet=sheet)
        )
        for among in ((), ("4a", sheet))
    )
    for said in OF_ALL[sheet]:
        assert said in whole
        assert said not in part


def test_what_a_computation_cannot_take_is_said_once(name, preset, parts):
    with pytest.raises(UserError) as caught:
        route_of(name).plans(traces(preset, "de")[0])
    assert [part for part in parts if part not in str(caught.value)] == []


def test_too_long_a_lesson_is_refused_with_its_minutes():
    sentence = "Die Katze sitzt auf der Matte und die Maus schläft auf der"
    trace = generator.compute(sentence, preset="katze-trained")
    lesson = [SERIES[sheet].plan(trace, 2).in_all for sheet in ("3", "4a")]
    assert sum(lesson) > int(60 * MOST_ASKED)
    with pytest.raises(UserError, match=f"lesson 2 .* '3x60' takes {sum(lesson)} of its 60"):
        route_of("3x60").plans(trace)


def test_what_a_route_decides_is_not_said_twice(given, said):
    with pytest.raises(UserError, match=f"here slide, slides at level 2.: leave out {said}, or"):
        Request.asked(route="45", **given)


@pytest.mark.parametrize("name", ["25", "3x45"])
def test_a_set_has_the_sheets_of_its_route_at_its_level_and_the_plan(name, tmp_path: Path):
    route = ROUTES[name]
    out = ["--only", "html", "--language", "en", "--jobs", "1", "--out", str(tmp_path)]
    assert main(["make", "--route", name, *out]) == 0
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith(f"{route.preset}-")
    assert folder.name.endswith(f"-route-{name}")
    found = files_below(folder)
    solved = [f"teacher/{SERIES[one].file('solution', 'html')}" for one in route.sheets]
    assert [one for one in found if one.startswith("teacher/")] == sorted(
        [*solved, "teacher/plan.html"]
    )
    trace = generator.compute(preset=route.preset, language="en")
    for lesson in route.plans(trace):
        for plan in lesson:
            page = found[f"hand-out/{SERIES[plan.sheet].file('blank', 'html')}"].decode()
            assert f"{route.mark} ≈ {plan.in_all} min" in page
    told, t = found["teacher/plan.html"].decode(), load("en").t
    assert t(f"route.name.{name}") in told
    assert all(t(f"route.stop.{one}") in told for one in route.sheets)


def test_a_class_takes_a_route_with_its_preset_and_plan(tmp_path: Path, capsys):
    out = ["--only", "html", "--seed", "9a", "--jobs", "1", "--out", str(tmp_path / "class")]
    assert main(["batch", "1", "--route", "90", "--language", "en", *out]) == 0
    found = files_below(tmp_path / "class")
    solved = {f"teacher/{SERIES[one].file('solution', 'html')}" for one in ROUTES["90"].sheets}
    assert solved <= found.keys()
    plan, t = found["teacher/plan.html"].decode(), load("en").t
    assert t("route.name.90") in plan
    assert all(t(f"route.stop.{one}") in plan for one in ("4a", "6"))
    (manifest,) = (json.loads(found[name]) for name in found if name.endswith("manifest.json"))
    assert manifest["settings"]["preset"].removesuffix(".toml") == ROUTES["90"].preset
    capsys.readouterr()
    for said in (["25", "--preset", "katze"], ["25", "--sheets", "4a"], ["25", "--level", "1"]):
        assert main(["batch", "1", "--route", *said, "--out", str(tmp_path / "no")]) == 1
        assert "the route '25'" in capsys.readouterr().err
    assert not (tmp_path / "no").exists()
    with pytest.raises(UserError, match="slides has no points"):
        generator.exam(1, tmp_path / "no", route="45", versions="A")


def test_the_python_interface_takes_a_route():
    trace = generator.compute(preset="paris", language="de")
    made = make(trace, Request.asked(["pdf"], route="45", variant="solution", jobs=1))
    assert sorted(path.name for path in made.files) == [
        "plan.pdf", "slide-hand-out-solution.pdf", "slides-projector.pdf"
    ]  # fmt: skip
    plan = text(made.files[Path("teacher/plan.pdf")])
    assert load("de").t("route.name.45") in plan
    (lesson,) = ROUTES["45"].plans(trace)
    each = [one.in_all for one in lesson]  # as each prints it
    assert f"Folie + Folien ({each[0]} + {each[1]} + {45 - sum(each)} min)" in plan


def test_solutions_begin_with_the_routes_that_they_hold_and_blanks_do_not():
    both = traces("katze", "en")
    sheets, options = ("2", "4a", "6"), SheetOptions(language="en")
    assert [route.name for route, _ in open_to(both[0], sheets)] == ["60", "90"]
    name = load("en").t("route.name.90")

    def first(variant: str, **more) -> str:
        def ready(sheet: str) -> bytes:
            return pdf(*both, options, variant, sheet)

        return text(
            booklet(
                sheets, *both, SheetOptions(language="en", **more), variant=variant, ready=ready
            )
        )

    solved = first("solution")
    assert name in solved
    assert load("en").t("route.name.3x45") not in solved
    assert name not in first("blank")
    assert name not in first("solution", teacher=False)


@pytest.mark.parametrize("name", ["25", pytest.param("3x60", marks=pytest.mark.ci)])
def test_a_plan_says_how_many_pages_are_to_be_copied(name):
    """Of each sheet those of the leaves that are printed, and what a class of 28 needs."""
    route = ROUTES[name]
    both, options = traces(route.preset, "en"), {"language": "en", "level": route.level}
    own = PrintedSheet(
        route.sheets[0], *both, SheetOptions(**options, route=name, among=route.sheets)
    )
    told, total = " ".join(text(plan_of_route(own, "pdf")).split()), [0, 0]
    for sheet in route.sheets:
        parts = [
            stays_within(pdf(*both, SheetOptions(**options, part=part), "blank", sheet))
            for part in ("work", "info")
        ]
        assert f"{parts[0]} + {parts[1]}" in told
        total = [a + b for a, b in zip(total, parts, strict=True)]
    work, info = total
    assert f"{work} pages for everyone and {info} for each pair" in told
    assert f"{28 * work + 14 * info} pages for 28 students" in told
    assert "for each pair:" not in plan_of_route(own, "html").decode()


def test_the_handbook_says_what_the_routes_are():
    told = []
    for route in ROUTES.values():
        plans = route.plans(traces(route.preset, "de")[0])
        days = (
            f"{' + '.join(one.sheet for one in day)} ({sum(one.in_all for one in day)})"
            for day in plans
        )
        told.append(f"| `{route.name}` | {' · '.join(days)} | {route.mark} |")
    docs = Path(generator.__file__).parents[1] / "docs"
    with_presets = [
        f"{row} `{ROUTES[name].preset}` |" for name, row in zip(ROUTES, told, strict=True)
    ]
    for page, rows in {"how-to/routes.md": with_presets, "LIESMICH.md": told}.items():
        lines = (docs / page).read_text("utf-8").splitlines()
        assert [line for line in lines if re.match(r"\| `\d", line)] == rows, page
