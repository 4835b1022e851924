"""The table of costly tests names tests that exist, and leaves some of them to every run."""

from pathlib import Path

from tests.support.always import always

ROOT = Path(__file__).resolve().parents[2]


def test_every_name_is_that_of_a_test():
    names = dict(always())
    assert len(names) >= 40
    for name in names:
        path, _, test = name.partition("::")
        assert f"def {test}(" in (ROOT / path).read_text("utf-8"), name
