"""Templates can be read: no line is longer than a screen."""

from pathlib import Path

import pytest

from generator.resources import templates

LONGEST = 160
FILES = sorted(templates().rglob("*.j2"))


def test_every_template_is_looked_at():
    assert len(FILES) >= 30


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(templates()).as_posix())
def test_no_line_of_a_template_is_too_long(file: Path):
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [k for k, line in enumerate(lines, start=1) if len(line) > LONGEST] == []
