"""Bars of shares: as long as their number, from the 0 of the scale on, and none for 0."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from generator.render.worksheet.stamp.laid_out import Bar
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.geometry import BESIDE_MM
from generator.sheets.series import SERIES
from tests.support.sheets import paper

MM = 96 / 25.4  # CSS pixels


def boxes(box: Any, name: str) -> Iterator[Any]:
    """The boxes of a class in the order of the page."""
    box = getattr(box, "_box", box)
    element = getattr(box, "element", None)
    if element is not None and name in (element.get("class") or "").split():
        yield box
        return
    for child in getattr(box, "children", ()):
        yield from boxes(child, name)


def laid_out(preset: str, part: str = "work") -> dict[str, list[Any]]:
    own, found = PrintedSheet(*paper("4a", preset, part=part, teacher=False).given), {}

    def watch(document: Any, pdf: Any) -> None:
        for name in ("fill", "track", "tick"):
            pages = [one._page_box for one in document.pages]
            found[name] = [box for one in pages for box in boxes(one, name)]

    html, css = own.page(blank=False), SERIES["4a"].css
    own.document(html, css, "test", tagged=False, watch=watch).to_pdf()
    return found


def test_bars_are_as_long_as_their_share_from_the_0_of_the_scale_on():
    found, shares = laid_out("katze-trained"), _shares("katze-trained")
    zero = found["tick"][0].border_box_x() + found["tick"][0].border_width() / 2
    hundred = found["tick"][10].border_box_x() + found["tick"][10].border_width() / 2
    assert hundred - zero == pytest.approx(100 * MM, abs=0.05 * MM)
    assert len(shares) == len(found["fill"]) > 0
    for share, bar in zip(shares, found["fill"], strict=True):
        end = bar.border_box_x() + bar.border_width()
        assert end == pytest.approx(zero + 100 * share * MM, abs=0.06 * MM)
        assert bar.border_box_x() == pytest.approx(zero + BESIDE_MM * MM, abs=0.05 * MM)
    given = laid_out("katze-trained", part="info")["fill"]
    for share, bar in zip(_shares("katze-trained", worked=True), given, strict=True):
        assert bar.border_width() == pytest.approx(100 * share * MM, abs=0.06 * MM)
        assert bar.border_box_x() == pytest.approx(zero, abs=0.05 * MM)


def _shares(preset: str, worked: bool = False) -> list[float]:
    """The own token's shares without the mask, as sheet 4a has them."""
    own = paper("4a", preset)
    shares = own.view.trace.values(own.plan.head.step("weights"))
    return shares[own.plan.worked if worked else own.plan.own].tolist()


def test_a_share_of_0_has_no_bar():
    shares = _shares("previous-word")
    assert 0.0 in shares, "or this test shows nothing"
    for share, bar in zip(shares, laid_out("previous-word")["fill"], strict=True):
        assert (bar.border_width() == 0) == (share == 0)


def test_a_share_that_is_printed_as_0_has_no_bar_either():
    own, name = paper("4a", "katze-trained"), "block1.head1.weights"

    def bar(share: float, **how: bool) -> str:
        step = own.trace[name]
        tiny = step._replace(values=step.values * 0 + share, decimals=3)
        return replace(own.view, trace=own.trace.with_steps([tiny])).bar(name, 0, 0, **how)

    assert bar(0.0004) == bar(0.0004, beside=True) == "0.00mm"
    assert bar(0.0123) == "1.23mm"


def test_nothing_is_stamped_for_0():
    bar = Bar(0, 10.0, 10.0, 14.0, 40.0, 0.8, (0.5, 0.5, 0.5), (0.0, 0.0, 0.0))
    assert bar.drawn(0.0) == b""
    assert b" re f" in bar.drawn(3.0)
