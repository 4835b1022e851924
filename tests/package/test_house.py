"""The house stays small: a budget of code, and one name for one thing."""

import ast
import io
import tokenize
import tomllib
from collections import defaultdict
from pathlib import Path

import generator

PACKAGE = Path(generator.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
BUDGET = 40_083
NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}


def code_lines(source: str) -> int:
    """Lines that hold a token which is no comment and no docstring, as tinygrad counts them."""
    texts = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = {
        line
        for token in tokens
        if token.type not in NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    return len(lines - texts)


def test_the_code_keeps_to_its_budget():
    assert sum(code_lines(file.read_text("utf-8")) for file in FILES) <= BUDGET


def test_a_line_of_code_is_told_from_others():
    source = '"""What it is."""\n\n# a reason\nx = (\n    1\n)\n\n\ndef f():\n    """Nothing."""\n'
    assert code_lines(source + "    return x  # at last\n") == 5


def test_a_class_shares_its_name_with_no_other():
    """A reader who looks for a name finds one thing; two meanings are two names."""
    places = defaultdict(set)
    for file in FILES:
        for node in ast.parse(file.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].add(file.relative_to(PACKAGE).as_posix())
    assert len(places) > 400
    shared = {name: files for name, files in places.items() if len(files) > 1}
    # A sheet of the series, and a sheet of a workbook, which is what spreadsheets call it.
    assert shared == {"Sheet": {"sheets/sheet.py", "render/workbook/layout/layout.py"}}


def test_each_table_of_cases_has_its_test():
    """A table that is called otherwise would be rows that nobody runs."""
    files = list(Path(__file__).parents[1].rglob("cases.toml"))
    assert len(files) >= 4
    for file in files:
        for name, tables in tomllib.loads(file.read_text("utf-8")).items():
            tree = ast.parse((file.parent / f"{name}.py").read_text("utf-8"))
            assert tables.keys() <= {x.name for x in tree.body if isinstance(x, ast.FunctionDef)}
            assert all(table["rows"] for table in tables.values()), f"{file}: {name}"
