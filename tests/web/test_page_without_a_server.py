"""The page as static files: what its folder must hold, what it is made of, its desk's bytes."""

import hashlib
import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from generator.cli import main
from generator.errors import UserError
from generator.web.alone import build
from tests.cli.command import files_below
from tests.support.page import unzipped

ROOT = Path(__file__).resolve().parents[2]
FOR_PDF = ("pikepdf", "weasyprint", "pydyf")
NAMES = ("numpy", "lxml", "regex", "pydantic", "pydantic_core")
VERSIONS = dict(zip(NAMES, ("2.4.6", "6.1.3", "2026.3.32", "2.12.5", "2.41.5"), strict=True))


def pyodide(folder: Path, **versions: str) -> Path:
    """A folder with every file's name and checksum, as the full distribution has them."""
    packages = {}
    for name in NAMES:
        file = f"{name}-1.whl"
        (folder / file).write_bytes(name.encode())
        packages[name.replace("_", "-")] = {
            "version": versions.get(name, VERSIONS[name]),
            "file_name": file,
            "sha256": hashlib.sha256(name.encode()).hexdigest(),
            "depends": ["pydantic_core"] if name == "pydantic" else [],
        }
    info = {"python": versions.get("python", "3.14.2")}
    (folder / build.LOCK).write_text(json.dumps({"info": info, "packages": packages}))
    for name in (*build.CORE[:-1], build.GLUE[0]):
        (folder / name).write_bytes(b"-")
    return folder


def test_a_whole_folder_is_taken_each_library_after_what_it_needs(tmp_path: Path):
    found = build.usable(pyodide(tmp_path))
    assert tuple(found.wheels) == (
        "numpy-1.whl", "lxml-1.whl", "regex-1.whl", "pydantic_core-1.whl", "pydantic-1.whl",
    )  # fmt: skip
    assert {path.name for path in found.files} == {
        *build.CORE, build.GLUE[0], *found.wheels,
    }  # fmt: skip


OTHERS = json.dumps({"info": {"python": "3.13"}, "packages": {"x": {}}})


def without(name: str):
    return lambda folder: (folder / name).unlink()


def changed(name: str, content: str):
    return lambda folder: (folder / name).write_text(content)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (without("numpy-1.whl"), "numpy-1.whl is missing (expected numpy >=2.0,<3)"),
        (without("pydantic_core-1.whl"), "pydantic_core-1.whl is missing"),
        (without("pyodide.asm.wasm"), "pyodide.asm.wasm is missing"),
        (without(build.GLUE[0]), "pyodide.asm.mjs or pyodide.asm.js is missing"),
        (without(build.LOCK), f"{build.LOCK} is missing"),
        (changed("lxml-1.whl", "half"), "lxml-1.whl is not the file that"),
        (changed(build.LOCK, "{}"), "is not the list of libraries"),
        (changed(build.LOCK, "<html>"), "is not the list of libraries"),
        (changed(build.LOCK, OTHERS), f"numpy is missing: {build.LOCK} does not name it >=2.0"),
        (lambda folder: pyodide(folder, numpy="1.26.4"), "numpy: found version 1.26.4, expected"),
        (lambda folder: pyodide(folder, python="3.10.2"), "found Python 3.10.2, expected >=3.11"),
    ],
)
def test_what_a_folder_lacks_is_one_message_that_says_where_to_get_it(
    tmp_path: Path, capsys, spoil, said: str
):
    spoil(pyodide(tmp_path))
    assert main(["page", str(tmp_path / "out"), "--pyodide", str(tmp_path)]) == 1
    message = capsys.readouterr().err
    assert said in message
    assert message.count("https://github.com/pyodide/pyodide/releases") == 1
    assert "Traceback" not in message
    assert not (tmp_path / "out").exists()


def test_no_folder_and_a_folder_of_something_else(tmp_path: Path):
    with pytest.raises(UserError, match="there is no such folder"):
        build.page(tmp_path / "out", pyodide=tmp_path / "nowhere")
    (tmp_path / "thesis.odt").write_text("mine")
    with pytest.raises(UserError, match="found other files there"):
        build.written(tmp_path, build.read(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.odt"]


def test_the_versions_that_are_taken_are_those_of_the_command():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = dict(re.match(r"([\w-]+)(.*)", one).groups() for one in project["dependencies"])
    assert {name: named[name] for name in build.COMPILED} == build.COMPILED
    assert project["requires-python"] == build.PYTHON


def test_bounds_are_kept():
    assert build.within("2.10", ">=2.9,<3")
    assert not build.within("2.8.9", ">=2.9,<3")
    assert not build.within("3.0", ">=2.9,<3")
    assert build.within("2", ">=2.0")  # the same version
    assert not build.within("2.0rc1", ">=2.0")  # before it
    assert not build.within("unknown", ">=2.0")


def test_a_text_of_the_page_names_no_other_place_in_the_net():
    folder = ROOT / "templates/web/alone"
    texts = [path.read_text("utf-8") for path in folder.iterdir()]
    assert len(texts) == len(build.OWN) + 1
    assert not [text for text in texts if "http:" in text or "https:" in text or "//cdn" in text]


# What the archive alone does, with nothing of this computer but what is compiled.
WORK = """
import asyncio, json, sys
from pathlib import Path
from urllib.parse import urlencode
from generator.web.alone.inside import Desk

HEADERS = {"accept-language": "en"}
ONE = {"lesson": "attention", "words": "en", "story": "on"}

async def order(desk, fields):
    head = '--X\\r\\nContent-Disposition: form-data; name="{}"\\r\\n\\r\\n{}\\r\\n'
    rows = "".join(head.format(*field) for field in fields.items()) + "--X--\\r\\n"
    headers = HEADERS | {"content-type": "multipart/form-data; boundary=X"}
    status, said, _ = await desk.answer("POST", "/make?lang=en", headers, rows.encode())
    assert status == 303, status
    while True:
        _, _, page = await desk.answer("GET", said["location"], HEADERS)
        if b"http-equiv" not in page:
            break
        await asyncio.sleep(0.1)
    _, _, packed = await desk.answer("GET", said["location"].split("?")[0] + "/set.zip", HEADERS)
    return page.decode(), packed

async def work():
    told = []
    desk = Desk(lambda done, of: told.append((done, of)))
    await desk.open()
    for place in ("/", "/models", "/again", "/grade", "/room", "/walk?lesson=attention"):
        status, _, content = await desk.answer("GET", place, HEADERS)
        assert status == 200 and b'lang="en"' in content, place
    _, _, sheet = await desk.answer("GET", "/sheet?lesson=attention", HEADERS)
    Path("look.html").write_bytes(sheet)
    page, packed = await order(desk, ONE | {"workbook": "on"})
    assert "Open the worksheets and print" in page, page
    Path("single.zip").write_bytes(packed)
    wishes = ONE | {"who": "number", "pupils": 2}
    page, packed = await order(desk, wishes)
    Path("class.zip").write_bytes(packed)
    assert told and told[-1] == (2, 2), page
    page, _ = await order(desk, wishes | {"exam": "on"})
    assert "which a browser cannot make" in page, page

asyncio.run(work())
assert not {"pikepdf", "weasyprint", "pydyf"} & set(sys.modules)
assert "/alone/" in sys.modules["generator"].__file__, sys.modules["generator"].__file__
assert "/alone/" in sys.modules["openpyxl"].__file__
"""


@pytest.mark.ci
def test_the_archive_alone_is_the_whole_desk_and_its_bytes_are_the_command_s(tmp_path: Path):
    content = build.bundle()
    assert content == build.bundle()
    with zipfile.ZipFile(BytesIO(content)) as packed:
        packed.extractall(tmp_path / "alone")
    compiled = tmp_path / "compiled"
    compiled.mkdir()
    wanted = (*NAMES, "typing_extensions", "typing_inspection", "annotated_types")
    for file in Path(sysconfig.get_path("purelib")).iterdir():
        if file.name.startswith(wanted):
            (compiled / file.name).symlink_to(file)
    here = {**os.environ, "PYTHONPATH": f"{tmp_path}/alone{os.pathsep}{compiled}"}
    made = subprocess.run([sys.executable, "-S", "-c", WORK], cwd=tmp_path, env=here,
                          capture_output=True, text=True)  # fmt: skip
    assert made.returncode == 0, made.stderr
    sheet = (tmp_path / "look.html").read_text("utf-8")
    assert "data-cell" in sheet
    assert "data:font" not in sheet
    assert main(["make", "--only", "xlsx,html", "--sheets", "4a", "--preset", "katze-trained",
                 "--language", "en", "--out", str(tmp_path / "cli")]) == 0  # fmt: skip
    (folder,) = (tmp_path / "cli").iterdir()
    ours = files_below(folder)
    assert len(ours) == 5
    assert unzipped(tmp_path / "single.zip") == ours
    names = unzipped(tmp_path / "class.zip")
    assert {"hand-out/class-blank.html", "teacher/solutions.html"} <= names.keys()
    assert not [name for name in FOR_PDF if name in names["teacher/manifest.json"].decode()]
