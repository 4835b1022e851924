"""Without the libraries that PDFs need, as in a browser, all else is made."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOR_PDF = ("pikepdf", "weasyprint", "pydyf")
WORK = """
import sys
from pathlib import Path
from generator.web import desk
from generator.web.form import Choices
import generator

choices = Choices(lesson="attention", words="en")
assert desk.overview(choices).sheets
Path("look.html").write_text(desk.look(choices), encoding="utf-8")
trace = generator.compute(language="en")
generator.write(trace, "set", ["xlsx", "html"], sheets=["4a"], jobs=1)
generator.batch(2, "class", only=("xlsx", "html"), seed="s", jobs=1, language="en")
assert not {"pikepdf", "weasyprint", "pydyf"} & set(sys.modules)
"""


@pytest.mark.ci
def test_looks_workbooks_and_a_class_s_html_need_no_library_for_pdfs(tmp_path: Path):
    others = tmp_path / "others"
    others.mkdir()
    for file in Path(sysconfig.get_path("purelib")).iterdir():
        if not file.name.startswith(FOR_PDF) and file.suffix not in (".pth", ".egg-link"):
            (others / file.name).symlink_to(file)
    here = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(others)))}
    made = subprocess.run([sys.executable, "-S", "-c", WORK], cwd=tmp_path, env=here,
                          capture_output=True, text=True)  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert "data-cell" in (tmp_path / "look.html").read_text(encoding="utf-8")
    for folder in ("hand-out", "teacher"):
        kinds = {path.suffix for path in (tmp_path / "set" / folder).iterdir()}
        assert kinds == {".xlsx", ".html"}
    manifest = (tmp_path / "class/teacher/manifest.json").read_text(encoding="utf-8")
    assert '"openpyxl"' in manifest
    assert not [name for name in FOR_PDF if name in manifest]
