"""The walk's lines are set as print sets them; nothing else in them changes."""

from generator.web.page import typeset


def test_low_and_raised(line: str, expected: str) -> None:
    assert str(typeset(line)) == expected
