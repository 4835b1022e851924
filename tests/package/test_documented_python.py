"""Each page's Python runs from top to bottom, or is a part of something and named here."""

from pathlib import Path

import pytest

from generator.cli import main
from tests.package.test_documented_commands import PAGES, PYTHON

ELSEWHERE = {
    "README.md": "test_readme.py, with what it prints",
    "one-training-step.md": "test_training_guide.py, with what it prints",
    "how-stamping-works.md": "test_class_guides.py, with what comes of it",
}
PARTS = {
    "add-an-operation.md": "of files of the program",
    "real-weights.md": "of the reader's own program",
    "tests.md": "of a test",
}
QUICK = ("how-a-formula-is-made.md",)
WITH_PYTHON = {
    page.name: "\n".join(code for _, code in blocks)
    for page in PAGES
    if (blocks := PYTHON.findall(page.read_text("utf-8")))
}
OWN = sorted(WITH_PYTHON.keys() - ELSEWHERE.keys() - PARTS.keys())


def test_every_exception_is_a_page_with_python():
    assert WITH_PYTHON.keys() >= {*ELSEWHERE, *PARTS}
    assert len(OWN) >= 6


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.ci]) for n in OWN]
)
def test_the_python_of_a_page_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
):
    monkeypatch.chdir(tmp_path)
    if "workbook-exercise.xlsx" in WITH_PYTHON[name]:
        assert main(["make", "--only", "xlsx", "--variant", "blank", "--preset", "katze"]) == 0
        (book,) = tmp_path.rglob("workbook-exercise.xlsx")
        book.rename(tmp_path / book.name)
    capsys.readouterr()
    exec(compile(WITH_PYTHON[name], name, "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out
