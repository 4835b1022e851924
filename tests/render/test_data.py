"""The Trace as JSON, CSV, LaTeX and text: complete, exact, safe, the same on every run."""

import csv
import io
import json
import re

import numpy as np
import pytest

import generator
from generator.render.data import HEADER, protected, render

PRESETS = ["katze", "brille", "ausgabe", "paris", "random"]
AWKWARD = 'Die "=1+1" +2 -3 @x \'a # $x_y {a} [b] \\foo 50% & 😀 שלום #N/A <b> {{ 7*7 }}'


@pytest.fixture(scope="module", params=[*PRESETS, "awkward"])
def trace(request):
    if request.param == "awkward":
        return generator.compute(AWKWARD, preset="katze")
    return generator.compute(preset=request.param)


def test_json_says_everything_exactly(trace):
    text = render(trace, "json")
    record = json.loads(text)
    assert json.dumps(trace.sentence, ensure_ascii=False) in text
    assert list(record) == [
        *("format", "version", "preset", "preset_sha256", "sentence"),
        *("rounding", "tokens", "aliases", "steps"),
    ]
    assert record["format"] == "paperformer-trace/1"
    assert record["sentence"] == trace.sentence
    assert record["tokens"] == list(trace.tokens)
    assert [step["name"] for step in record["steps"]] == list(trace.steps)
    for step in record["steps"]:
        assert list(step) == [
            *("name", "op", "inputs", "kind", "shape"),
            *("rows", "columns", "decimals", "values"),
        ]
        known = trace[step["name"]]
        wanted = known.values.tolist()
        if not known.text:
            wanted = [[None if np.isinf(v) else v for v in row] for row in wanted]
        assert step["values"] == wanted
        assert step["shape"] == list(known.shape) == [len(step["rows"]), len(step["columns"])]


def test_csv_has_every_cell(trace):
    header, *lines = csv.reader(io.StringIO(render(trace, "csv")))
    assert tuple(header) == HEADER
    assert len(lines) == sum(step.values.size for step in trace)
    for name, row, column, *labels, value in lines:
        step = trace[name]
        texts = [*labels, value] if step.text else labels
        assert not any(text.startswith(("=", "+", "-", "@", "\t", "\r")) for text in texts)
        known = step.values[int(row) - 1, int(column) - 1]
        if step.text:
            assert value in (known, f"'{known}")
        else:
            assert (value == "") if np.isinf(known) else (float(value) == known)


@pytest.mark.parametrize("text", ["=1+1", "+2", "-3", "@x", "'a", "\t=1"])
def test_one_apostrophe_less_gives_the_text_back(text):
    assert protected(text) == f"'{text}"
    assert protected("a=b") == "a=b"


def test_latex_is_a_whole_document_with_every_step(trace):
    document = render(trace, "latex")
    assert document.count(r"\begin{document}") == document.count(r"\end{document}") == 1
    for name in trace.steps:
        assert rf"\texttt{{{name.replace('_', chr(92) + '_')}}}" in document
    bare = re.sub(r"\\[\\{}$&#%_]", "", document)
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    environments = re.findall(r"\\(begin|end)\{(\w+)\}", document)
    open_ones: list[str] = []
    for edge, name in environments:
        if edge == "begin":
            open_ones.append(name)
        else:
            assert open_ones.pop() == name
    assert not open_ones


def test_latex_rows_have_as_many_cells_as_their_table(trace):
    tables = re.findall(
        r"\\begin\{longtable\}\[l\]\{l\|(\w+)\}\n(.*?)\n\\end\{longtable\}",
        render(trace, "latex"),
        flags=re.DOTALL,
    )
    assert len(tables) >= len(trace)
    for layout, body in tables:
        for line in re.sub(r"\\&", "", body).split("\n"):
            assert line.count("&") == len(layout), line


def test_latex_user_text_is_text():
    document = render(generator.compute(AWKWARD, preset="katze"), "latex")
    assert r"\textbackslash{}" in document
    assert r"\foo" not in document
    for text in (r"\#", r"\$", r"x\_y", r"\{", r"\%", r"\&", "{[}"):
        assert text in document


def test_text_has_every_step_and_number(trace):
    text = render(trace, "text")
    for step in trace:
        assert f"\n{step.name}: " in text
    mark = {"de": r"\d\.\d", "en": r"\d,\d"}[trace.language]
    numbers = [line for line in text.splitlines() if " = " not in line and "T=" not in line]
    assert len(numbers) > 50
    assert not [line for line in numbers[1:] if re.search(mark, line)]
