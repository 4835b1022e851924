"""A new activation and a new mask, as the how-to page writes them: a few files, nothing false.

The page's own blocks are put into a copy of the program, which then makes everything.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "how-to" / "add-an-operation.md").read_text("utf-8")
MOST_FILES = 5  # of which one is the tests' second reading in PyTorch
LANGUAGES = ("de", "en")


def additions(kind: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each file below `<!-- new KIND: FILE -->`, with the language and the text of its blocks."""
    parts = re.split(rf"<!-- new {kind}: (\S+) -->\n", PAGE)[1:]
    blocks = r"\s*((?:```\w+\n.*?```\n)+)"
    return [
        (file, re.findall(r"```(\w+)\n(.*?)```", re.match(blocks, rest, re.DOTALL)[1], re.DOTALL))
        for file, rest in zip(parts[::2], parts[1::2], strict=True)
    ]


def changed(before: str, language: str, block: str) -> str:
    """A file after one block of the page: a difference, or lines for its end."""
    if language == "toml":
        return before + block
    lines = block.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] in " -")
    new = "".join(line[1:] for line in lines if line[0] in " +")
    assert before.count(old) == 1, old
    return before.replace(old, new)


@pytest.fixture(scope="module", params=["activation", "mask"])
def copy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with what the page adds, and a preset that chooses it."""
    folder = tmp_path_factory.mktemp(request.param)
    for name in ("generator", "templates", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    files = additions(request.param)
    assert 4 <= len(files) <= MOST_FILES
    for file, texts in files:
        path = folder / file
        for language, block in texts:
            path.write_text(changed(path.read_text("utf-8"), language, block), "utf-8")
    katze = (ROOT / "generator" / "presets" / "katze.toml").read_text("utf-8")
    chosen = {
        "activation": katze.replace("[weights]", '[activation]\nkind = "relu2"\n\n[weights]', 1),
        "mask": katze.replace('kind = "causal"', 'kind = "window"'),
    }[request.param]
    named = chosen.replace('name = "katze"', f'name = "new-{request.param}"')
    named = re.sub(r"\[\[behaviour\]\].*?\n\n", "", named, flags=re.DOTALL)
    (folder / "new.toml").write_text(named, "utf-8")
    return folder


def run(folder: Path, *words: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=environment, timeout=600,
                          capture_output=True, text=True, encoding="utf-8")  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


FALSE = {  # what would be untrue of the new one, in either language
    "new-activation": r"GELU: |negative numbers become 0\b(?!; the others|, the others)",
    "new-mask": r"earlier tokens\b.{0,30}visible|sees only itself and earlier|sees more tokens"
    r"|sieht nur sich selbst und frühere|sieht mehr Tokens|Kein Blick in die Zukunft",
}


@pytest.mark.ci
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_is_made_and_nothing_false_is_said(copy: Path, language: str):
    chosen = ["--preset", "new.toml", "--language", language]
    run(copy, "-m", "generator", "presets", "check", "new.toml")
    run(copy, "-m", "generator", "make", *chosen, "--only", "html,xlsx", "--out", language)
    text = run(copy, "-m", "generator", "walk", "--all", *chosen)
    pages = list((copy / language).rglob("*.html"))
    assert len(pages) > 20
    text += "".join(page.read_text("utf-8") for page in pages)
    assert not re.findall(FALSE[f"new-{copy.name.rstrip('0123456789')}"], text)


@pytest.mark.ci
def test_its_workbook_is_what_another_engine_computes(copy: Path):
    assert run(copy, "-c", CELLS).strip().endswith("equal")


CELLS = """
from generator import compute
from tests.support.recalculate import ironcalc_values, strip_caches
from tests.support.workbook import book, compare
made = book(compute(preset="new.toml", controls=True), "de")
assert compare(made, ironcalc_values(strip_caches(made.xlsx))) > 500
print("equal")
"""


@pytest.mark.ci
def test_the_proofs_of_every_operation_hold_it_too(copy: Path):
    run(copy, "-m", "tests.reference.freeze")
    proofs = ["tests/steps", "tests/engine/test_cells.py", "tests/reference/test_torch.py"]
    run(copy, "-m", "pytest", "-q", "-n", "0", "-c", str(ROOT / "pyproject.toml"), "--rootdir",
        str(copy), "-m", "(reference or not (ci or sweep)) and not whole", *proofs)  # fmt: skip
