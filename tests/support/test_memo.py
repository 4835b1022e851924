"""The same is made once; what differs anywhere is made again."""

from dataclasses import replace

import numpy as np
import pytest

from generator.render.worksheet.sheet_check import tampered
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from tests.support.memo import once, said
from tests.support.sheets import traces


def test_the_same_parts_are_made_once() -> None:
    calls: list[int] = []

    def make() -> bytes:
        calls.append(1)
        return b"made"

    trace, _ = traces("katze", "de")
    again, _ = traces("katze", "de")
    assert trace is again
    assert once(make, "this test", trace) == once(make, "this test", again) == b"made"
    assert len(calls) == 1


def test_an_error_is_not_kept() -> None:
    def fail() -> bytes:
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            once(fail, "this test fails")


def test_whatever_differs_is_said() -> None:
    trace, exact = traces("katze", "de")
    options = SheetOptions()
    plan = planned("4a", trace, options)
    other = replace(trace, exercise=1)
    every = [
        (trace, exact, options, "blank"),
        (trace, exact, options, "solution"),
        (trace, exact, replace(options, qr=True), "blank"),
        (exact, exact, options, "blank"),
        (other, exact, options, "blank"),
        (tampered(trace.with_steps(plan.extra), plan, 0.1), exact, options, "blank"),
        (traces("katze", "en")[0], exact, options, "blank"),
    ]
    assert len({repr(said(parts)) for parts in every}) == len(every)


def test_the_order_of_a_set_is_not_said() -> None:
    assert said({"b", "a"}) == said({"a", "b"})
    assert said(np.float64(0.5)) != said(np.float64(0.25))
