"""The guides to presets and operations are true: their examples work, their lists are complete."""

import re
import textwrap
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook
from pydantic import BaseModel

from generator import compute
from generator.engine import ops
from generator.engine.evaluate import evaluate
from generator.engine.expr import Expr, Operand
from generator.engine.ops.base import Array, Op
from generator.make import Request, make
from generator.presets.load import parse
from generator.presets.schema import File
from generator.sheets.sheetbpe import plan as sheetbpe

GUIDES = Path(__file__).resolve().parents[2] / "docs" / "how-to"


def guide(name: str) -> str:
    return (GUIDES / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_preset_to_paste_is_valid(language):
    text, _ = re.findall(r"```toml\n(.*?)```", guide("add-a-preset"), re.DOTALL)
    trace = compute(preset=parse(text, "mine.toml"), language=language)
    assert "block1.head1.output" in trace


@pytest.mark.ci
def test_the_preset_with_pieces_of_words_makes_all_but_sheets_1_and_8(tmp_path):
    _, text = re.findall(r"```toml\n(.*?)```", guide("add-a-preset"), re.DOTALL)
    trace = compute(preset=parse(text, "silben.toml"))
    assert trace.tokens == ("v", "e", "r", "kauf", "en")
    fed = sheetbpe.corpus_of(trace)
    assert (fed.words, fed.new) == (trace.preset.corpus, "verkaufen")
    made = make(trace, Request(only=("xlsx", "html")), tmp_path)
    assert made.problems == []
    note, later = made.notes
    assert later.startswith("sheet 7b prints the new rows that sheet 7a asks for")
    assert note.startswith("left out: 1, 8 (")
    live = make(trace, Request(only=("xlsx", "html"), sheets=("bpe",)), tmp_path / "live")
    (path,) = [one for one in live.paths if one.name == "workbook-solution.xlsx"]
    workbook = load_workbook(path)
    assert workbook.sheetnames == ["Start", "Tokens", "BPE"]
    shown = {cell.number_format for row in workbook["Start"].iter_rows() for cell in row
             if cell.value == 0}  # fmt: skip
    assert shown == {";;;"}, "a number that only formulas read"
    corpus = {workbook["BPE"].cell(row, 1).value for row in range(1, 20)}
    assert corpus >= {"kauf", "kaufen", "laufen", "laute"}


def test_every_key_is_in_the_table():
    rows = [line for line in guide("add-a-preset").splitlines() if line.startswith("| `")]
    keys = 0
    for name, field in File.model_fields.items():
        table = field.annotation
        if isinstance(table, type) and issubclass(table, BaseModel):
            for key in table.model_fields:
                listed = f"[{name}.{key}]" if key == "words" else f"[{name}]"
                assert any(listed in row and f"{key}" in row for row in rows), f"[{name}] {key}"
                keys += 1
        else:
            assert any(f"{name}" in row for row in rows), name
            keys += 1
    assert keys > 35


def test_the_operation_to_paste_says_the_same_twice():
    for file in Path(ops.__path__[0]).glob("*.py"):  # else the guide needs another example
        assert "class Times:" not in file.read_text("utf-8")
    (code,) = re.findall(r"```python\n(\s*class.*?)```", guide("add-an-operation"), re.DOTALL)
    names = {"Array": Array, "Expr": Expr, "Op": Op, "Operand": Operand}
    exec(textwrap.dedent(code), names)
    arrays = {"x": np.array([[2.0, 3.0]]), "y": np.array([[5.0, 7.0]])}
    op, inputs = names["Times"](), [Operand("x", 1, 2), Operand("y", 1, 2)]
    assert op.value(*arrays.values()).tolist() == [[10.0, 21.0]]
    assert [evaluate(op.cell(0, j, *inputs), arrays.__getitem__) for j in (0, 1)] == [10.0, 21.0]
