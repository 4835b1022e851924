"""Each link of the documentation to a file of ours leads to one."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
CODE = re.compile(r"`((?:[\w-]+/)*\w+\.(?:py|j2|css))`")
OF_AUTHORS = {"sheets/sheet7/macros.j2"}  # in a folder that the reader writes
FILES = [
    f"/{path.relative_to(ROOT).as_posix()}"
    for folder in ("generator", "templates", "tests", "docs")
    for path in (ROOT / folder).rglob("*.*")
]
TEXTS = {
    path: path.read_text("utf-8")
    for folder in ("generator", "templates", "tests", "docs")
    for path in (ROOT / folder).rglob("*.*")
    if path.suffix in {".py", ".toml", ".j2", ".json"} and "frozen" not in path.parts
}
NAME = re.compile(r"`((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?:\([^`]*\))?`")
OF_CODE = re.compile(r"[A-Z][a-z]+[A-Z]\w*|[a-z]+(?:_[a-z0-9]+)+")  # ClassName, function_name
ENDINGS = {"py", "j2", "toml", "md", "txt", "pdf", "html", "safetensors"}
ELSEWHERE = {"NonStruct"}  # PDF's word
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


EACH = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


@EACH
def test_every_link_leads_somewhere_and_none_of_the_handbook_to_markdown_outside(page: Path):
    """As a site the handbook has only its own pages."""
    targets = [(page.parent / link).resolve() for link in LINK.findall(page.read_text("utf-8"))]
    assert [one for one in targets if not one.exists()] == []
    outside = [one for one in targets if not one.is_relative_to(ROOT / "docs")]
    leaving = [one for one in outside if one.suffix == ".md" or one.is_dir()]
    assert "docs" not in page.parts or leaving == []


@EACH
def test_every_file_of_code_that_a_page_names_is_there(page: Path):
    """By its name, or by the end of its path."""
    named = set(CODE.findall(page.read_text("utf-8"))) - OF_AUTHORS
    assert {name for name in named if not any(one.endswith(f"/{name}") for one in FILES)} == set()


def holders() -> dict[str, list[str]]:
    """By the name of a module, a package or a class, the code in which its names stand."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, text in TEXTS.items():
        if path.suffix == ".py":
            for name in (path.stem, path.parent.name, *re.findall(r"^class (\w+)", text, re.M)):
                found[name].append(text)
    return found


HOLDERS = holders()
WORDS = {word for text in TEXTS.values() for word in re.findall(r"\w+", text)}
WORDS |= {path.stem for path in TEXTS}


def tables(name: str) -> list[str]:
    """Tables of texts, settings and templates with a key of that name, or with its table."""
    table = f"[{name.rpartition('.')[0]}]"
    texts = [text for path, text in TEXTS.items() if path.suffix != ".py"]
    return [text for text in texts if name in text or f"\n{table}" in text]


def is_known(name: str) -> bool:
    """Whether `Scope.apply` or `function_name` is in the code, or the text is a key of a table."""
    holder, _, last = name.rpartition(".")
    if last in ENDINGS:  # a file: see above
        return True
    within = HOLDERS.get(holder.rpartition(".")[2], [])
    if within:
        return any(re.search(rf"\b{last}\b", text) for text in (*within, *tables(name)))
    return not OF_CODE.fullmatch(last) or last in WORDS


@EACH
def test_every_name_of_code_that_a_page_says_is_there(page: Path):
    named = set(NAME.findall(page.read_text("utf-8"))) - ELSEWHERE
    told = page.name in ("README.md", "CHANGELOG.md")  # for users; what there was, too
    assert told or {name for name in named if not is_known(name)} == set()


def test_each_class_of_the_glossary_is_where_it_is_said_to_be():
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text("utf-8")
    rows = re.findall(r"^\| [^|]+ \| `(generator/[\w/]+\.py)` `(\w+)` \|", page, re.MULTILINE)
    assert len(rows) > 15
    for file, name in rows:
        assert re.search(rf"^(class )?{name}\b", (ROOT / file).read_text("utf-8"), re.MULTILINE), (
            name
        )


def test_a_name_that_is_nowhere_is_seen():
    assert is_known("Scope.apply")
    assert is_known("never" + "_seen") is False
    assert is_known("scope.half") is False


def test_links_and_files_of_code_are_found_at_all():
    texts = [page.read_text("utf-8") for page in PAGES]
    assert sum(len(CODE.findall(text)) for text in texts) > 100
    assert sum(len(LINK.findall(text)) for text in texts) > 50
