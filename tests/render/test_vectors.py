"""Sheet 2's drawings: every word lies inside its drawing, in large print too."""

import re

import numpy as np
import pytest

from generator.sheets.geometry import arrow_head
from generator.sheets.sheet2 import vectors
from tests.support.sheets import html_of

WORDS = ("Donaudampfschifffahrtskapitän", "b", "isst", "unvergleichlich")
POINTS = np.array([[-0.9, 0.9], [0.0, 0.9], [0.9, 0.2], [0.95, -0.8]])


@pytest.mark.parametrize("size", [vectors.TYPE_MM, vectors.LARGE_MM])
def test_no_word_leaves_the_plane_or_lies_on_another(size):
    axis = vectors.scale(-1.0, 1.0, 1.0, 6).by(0.5).times(28.0)
    boxes = [a.label.box for a in vectors.Plane(axis, axis, size).arrows(WORDS, POINTS, "; ")]
    assert all(left >= vectors.LEFT and right <= vectors.RIGHT for left, _, right, _ in boxes)
    assert not any(_touch(a, b) for k, a in enumerate(boxes) for b in boxes[:k])


@pytest.mark.parametrize("size", [vectors.TYPE_MM, vectors.LARGE_MM])
def test_no_word_lies_on_the_name_of_an_axis(size):
    axis = vectors.scale(0.0, 1.0, 1.0, 6).by(0.2).times(56.0)
    tops = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    words = ("jagen", "Hunde; Katzen", "Die")
    for arrow in vectors.Plane(axis, axis, size).arrows(words, tops, "; "):
        left, top, right, bottom = arrow.label.box
        for x, y in ((1.4, -2.4), (60.0, 56.0 + 0.35 * size)):  # where the template writes d
            end = x + 0.5 * size  # of this letter
            assert right <= x or left >= end or bottom <= y - 0.5 * size or top >= y


def test_no_word_lies_on_another_tip_or_word_where_three_share_an_axis():
    axis = vectors.scale(0.0, 2.0, 1.0, 6).by(0.5).times(28.0)
    tips = np.array([[0.0, 2.0], [0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    words = ("bauen; malen", "große", "Nester", "Vögel; Kinder")  # as in the preset mental
    found = vectors.Plane(axis, axis).arrows(words, tips, "; ")
    for arrow in found:
        others = [one for one in found if one is not arrow]
        assert not any(_touch(arrow.label.box, one.label.box) for one in others)
        assert not any(_touch(arrow.label.box, (a.x, a.y, a.x, a.y)) for a in others)


def test_a_word_near_the_origin_does_not_lie_on_a_long_arrow():
    across = vectors.scale(-2.0, 4.0, 1.0, 6).by(2.0).times(7.0)
    up = vectors.scale(-6.0, 4.0, 1.0, 6).by(2.0).times(7.0)
    tips = np.array([[0.5, -0.2], [3.5, 0.1], [2.0, -1.8], [2.5, -4.1], [-1.5, -3.2], [-1.0, 2.4]])
    words = ("Katze", "der", "Die", "Matte", "sitzt", "auf")  # as in the preset katze-trained
    found, (x, y) = vectors.Plane(across, up).arrows(words, tips, "; "), (14.0, 28.0)
    for arrow in found:
        for other in (one for one in found if one is not arrow):
            for k in np.linspace(0.0, 1.0, 60).tolist():
                spot = (x + k * (other.x - x), y + k * (other.y - y))
                assert not _touch(arrow.label.box, spot * 2), (arrow.label.text, other.label.text)


@pytest.mark.parametrize("size", [vectors.TYPE_MM, vectors.LARGE_MM])
def test_five_equal_similarities_stand_above_each_other(size):
    labels = vectors.rows_of_marks([("Matte", 40.0)] * 5, 150.0, size)
    assert len({label.y for label in labels}) == 5
    boxes = [label.box for label in labels]
    assert not any(_touch(a, b) for k, a in enumerate(boxes) for b in boxes[:k])


def _touch(a: vectors.Box, b: vectors.Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def test_an_arrow_has_a_head_that_ends_at_its_tip():
    assert arrow_head((0.0, 0.0), (10.0, 0.0)) == "M10.00 0.00L7.20 1.00L7.20 -1.00Z"
    assert arrow_head((1.0, 1.0), (1.0, 1.0)) == ""
    page = html_of("2", part="info")
    figure = page.partition('<div class="plane">')[2].partition("</svg>")[0]
    assert len(re.findall(r'<path d="M[\d. ]+L[\d. -]+L[\d. -]+Z"/>', figure)) == 5
    assert "<circle" not in figure, "no word is 0 in both of its dimensions"
    dials = html_of("3", part="info")
    assert len(re.findall(r'<path fill="#14202b" d="M[^"]+Z"/>', dials)) == 2


@pytest.mark.parametrize(("level", "grids"), [(1, 0), (2, 1), (3, 1)])
def test_sheet_2_has_a_grid_to_work_in(level, grids):
    page = html_of("2", level=level)  # at the first level the products stand in the table
    assert page.count('class="scratch"') == grids
