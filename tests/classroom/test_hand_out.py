"""A zip of hand-out/ tells nothing: no name, no id, no seed, nobody's answers; names on request."""

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest

import generator
from generator.classroom.desk.manifest import Manifest
from generator.classroom.files.pupil_files import PupilSet
from generator.classroom.files.work_sheets import info_plan
from generator.classroom.pupils.pupil_codes import code_of
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.render.worksheet.sheet_check import tampered
from generator.render.worksheet.worksheet import planned
from generator.sheets.plan import Plan
from generator.sheets.series import SERIES
from tests.support.leaks import readable
from tests.support.sheets import text
from tests.support.structure import stays_within
from tests.support.three import LIST, NAMES, SEED, SHEETS, three
from tests.support.views import render


@pytest.fixture(scope="module", params=["numbers", pytest.param("focus", marks=pytest.mark.ci)])
def place(request) -> Path:
    """A class of three with PDFs and workbooks."""
    return three(request.param)


def zipped(place: Path) -> dict[str, bytes]:
    """What somebody finds who is given a zip of the folder for the pupils."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted((place / "hand-out").rglob("*")):
            archive.write(path, path.relative_to(place / "hand-out").as_posix())
    with zipfile.ZipFile(packed) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name[-1] != "/"}


def seats(place: Path):
    """The lesson, and each seat with its record, from the manifest."""
    found = Manifest.opened((place / "teacher/manifest.json").read_bytes(), "manifest")
    lesson = found.lesson()
    return lesson, [(found.seat(lesson, record), record) for record in found.pupils]


def blank(sheet: str) -> str:
    """The name of a pupil's file."""
    return SERIES[sheet].file("blank", "pdf")


def with_other_answers(trace: Trace, plan: Plan) -> tuple[Trace, Plan]:
    """The same with other numbers in all asked cells, also in steps that only the sheet has."""
    other = tampered(trace.with_steps(plan.extra), plan, 3.0)
    return other, replace(plan, extra=tuple(other[step.name] for step in plan.extra))


def test_the_search_finds_what_is_there(place: Path):
    files = zipped(place)
    code = code_of(SEED, "K-90417")
    assert len([path for path in files if path.startswith(code)]) == 3
    for path, words in {
        "class-4a-blank.pdf": ("Self-Attention", code, "Arbeitsteil", "/Outlines"),
        f"{code}/4a-self-attention-blank.pdf": (
            "Self-Attention",
            code,
            "paperformer",
            "/StructTreeRoot",
        ),
        f"{code}/workbook-exercise.xlsx": ("dcterms:created", "Katze", "Paperformer"),
    }.items():
        found = readable(path, files[path]).casefold()
        assert [word for word in words if word.casefold() not in found] == [], path


def test_nothing_tells_name_id_seed_or_solution(place: Path):
    secrets = [SEED, *NAMES, *NAMES.values(), "Fensterplatz", "90417", "90418", "90419"]
    secrets += [part for name in NAMES.values() for part in name.split() if len(part) > 2]
    for path, content in zipped(place).items():
        found = readable(path, content)
        assert [secret for secret in secrets if secret in found] == [], path
        assert "solution" not in path
        assert "Lösung" not in (text(content) if path.endswith(".pdf") else "")


def test_nobodys_answers_decide_what_is_printed(place: Path):
    """With other answers of the whole class the same text comes out, so it tells none of them."""
    files = zipped(place)
    lesson, class_seats = seats(place)
    focus = lesson.variation.kind == "focus"
    pages = [PupilSet(*one).pages for one in class_seats]
    pairs = [own["4a"].both for own in pages]
    for (seat, _), own in zip(class_seats, pages, strict=True):
        for sheet in SHEETS:
            both, options = own[sheet].both, own[sheet].options
            plan = planned(sheet, both.trace, options)
            everybody = [planned(sheet, one.trace, options).asked for one in pairs if focus]
            asked = plan.asked.union(*everybody)
            assert len(asked) > len(plan.asked) or not (focus and sheet == "4a")
            other, changed = with_other_answers(both.trace, replace(plan, asked=asked))
            expected = render(
                sheet, other, both.exact, options, plan=replace(changed, asked=plan.asked)
            )
            content = files[f"{seat.code}/{blank(sheet)}"]
            assert text(content) == text(expected)
            # And the other numbers would have been seen, had they been printed.
            given = tampered(both.trace.with_steps(plan.extra), plan, 0.0)
            assert any(
                other[name].values[i, j] != given[name].values[i, j] for name, i, j in plan.asked
            )


def test_the_class_pdfs_are_the_pupils_leaves_and_nothing_else(place: Path):
    files = zipped(place)
    _, class_seats = seats(place)
    for sheet in SHEETS:
        book = text(files[f"class-{sheet}-blank.pdf"]).split()
        leaves = [text(files[f"{s.code}/{blank(sheet)}"]) for s, _ in class_seats]
        assert sorted(book) == sorted(" ".join(leaves).split())


def test_one_class_pdf_has_the_info_leaves_and_each_pupils_leaves_together(place: Path):
    files = zipped(place)
    _, class_seats = seats(place)
    packed = io.BytesIO(files["class-blank.pdf"])
    with pikepdf.open(packed) as book, book.open_outline() as outline:
        titles = [item.title for item in outline.root]
        begins = [book.pages.index(pikepdf.Page(item.destination[0])) for item in outline.root]
    own = [f"{seat.code} · {sheet}" for seat, _ in class_seats for sheet in SHEETS]
    assert titles == [*(f"{sheet} · Infoteil" for sheet in SHEETS), *own]
    assert all(place % 2 == 0 for place in begins)  # counted from 0: odd pages
    names = [SERIES[sheet].file("info", "pdf") for sheet in SHEETS]
    all_of_it = [text(files[name]) for name in names]
    all_of_it += [text(files[f"class-{sheet}-blank.pdf"]) for sheet in SHEETS]
    assert sorted(text(files["class-blank.pdf"]).split()) == sorted(" ".join(all_of_it).split())


def test_hints_stand_on_everybodys_leaf(place: Path):
    fold = load("de").t("sheet.hints").split(":")[0]
    leaves = [path for path in zipped(place) if path.endswith("/4a-self-attention-blank.pdf")]
    assert len(leaves) == len(NAMES)
    assert all(fold in text(zipped(place)[path]) for path in leaves)
    assert text(zipped(place)["class-blank.pdf"]).count(fold) == len(SHEETS) * len(NAMES)


def test_the_copiers_file_has_margins_for_both_sides(place: Path):
    copied = (place / "hand-out/class-4a-blank.pdf").read_bytes()
    assert stays_within(copied, duplex=True) >= 3
    with pytest.raises(AssertionError):  # the wide margin of the second page is on the right
        stays_within(copied)


def test_the_info_leaf_tells_nobodys_answers(place: Path):
    files = zipped(place)
    lesson, class_seats = seats(place)
    if lesson.variation.kind == "numbers":
        assert len({files[f"{s.code}/4a-self-attention-blank.pdf"] for s, _ in class_seats}) == 3
    shared = [name for name in files if "/" not in name]
    assert sorted(shared) == [
        "4a-self-attention-info.pdf",
        "6-output-info.pdf",
        "class-4a-blank.pdf",
        "class-6-blank.pdf",
        "class-blank.pdf",
    ]
    task = class_seats[0][0].task
    for sheet in SHEETS:
        plan = info_plan(task, sheet)
        options = replace(lesson.options("de", 1), part="info")
        other, changed = with_other_answers(task.base, plan)
        expected = render(sheet, other, task.trace({}, rounding="exact"), options, plan=changed)
        assert text(files[SERIES[sheet].file("info", "pdf")]) == text(expected)


@pytest.mark.ci
def test_names_are_printed_on_request_only_and_again_by_reissue(tmp_path: Path):
    (tmp_path / "8b.csv").write_text(LIST + "K-90420;Ana 🌱 Löwe;-\n", encoding="utf-8")
    place = tmp_path / "8b"
    made = generator.batch(
        tmp_path / "8b.csv", place, sheets=("1",), seed=SEED, only=("pdf",), print_names=True
    )
    assert (made.made, made.problems) == (4, [])  # who has another script has a set, too
    said = "line 5: the name has letters that our fonts cannot draw"
    assert len([note for note in made.notes if note.startswith(said)]) == 1
    assert "Löwe" not in str(made.notes)
    drawn = place / f"hand-out/{code_of(SEED, 'K-90420')}/1-tokenizer-blank.pdf"
    assert "Löwe" not in text(drawn.read_bytes())
    assert generator.reissue(place / "teacher/manifest.json", "K-90420", tmp_path / "once more")
    for key, name in NAMES.items():
        path = f"hand-out/{code_of(SEED, key)}/1-tokenizer-blank.pdf"
        printed = text((place / path).read_bytes())
        assert f"Name: {name} " in " ".join(printed.split()[:30])
        assert not [other for other in NAMES.values() if other != name and other in printed]
        with pikepdf.open(place / path) as pdf:
            assert name not in str(pdf.docinfo)
            pages = len(pdf.pages)
        (again,) = generator.reissue(place / "teacher/manifest.json", key, tmp_path / "again")
        assert again.read_bytes() == (place / path).read_bytes()
    solved = text((place / "teacher/solutions.pdf").read_bytes())
    # In the index, and on each page of the leaf.
    assert all(solved.count(name) == 1 + pages for name in NAMES.values())
    checked = text((place / "teacher/check.pdf").read_bytes()).split()
    assert "Name" in checked
    assert "ID" not in checked
    assert not any(
        name in (place / "teacher/manifest.json").read_text("utf-8") for name in NAMES.values()
    )
    (place / "teacher/names.csv").write_text("code;id;name\n", encoding="utf-8")
    with pytest.raises(UserError, match="has no name for code"):
        generator.reissue(place / "teacher/manifest.json", "K-90417", tmp_path / "again")
