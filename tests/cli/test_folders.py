"""Where `make` writes: another size has a folder of its own, from Python the same one."""

from pathlib import Path

import generator
from generator.cli import main
from generator.make import Request
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.support.sheets import traces


def test_the_folder_names_the_size(options: dict[str, object], ending: str) -> None:
    trace, _ = traces("katze", "de")
    usual = Request().folder(trace)
    assert usual.endswith("-de")
    assert Request(worksheet=SheetOptions(**options)).folder(trace) == usual + ending


def test_two_levels_do_not_overwrite_each_other(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["make", "--preset", "brille", "--sheets", "4a", "--only", "html", "--variant", "blank"]
    for level in ("1", "2"):
        assert main([*words, "--level", level]) == 0
    blanks = sorted(tmp_path.glob("outputs/*/hand-out/4a-*-blank.html"))
    assert len(blanks) == 2
    assert blanks[0].read_bytes() != blanks[1].read_bytes()
    again = generator.write(
        generator.compute(preset="brille"), None, ["html"], sheets=["4a"], variant="blank", level=1
    )
    assert Path(again[0]).resolve() in {path.resolve() for path in blanks}


def test_no_file_says_its_name_twice() -> None:
    assert not [name for name in SHEETS if SERIES[name].kind.slug == name]
