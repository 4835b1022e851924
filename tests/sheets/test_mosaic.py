"""A mosaic of right results is a picture; a slip is seen in its row; a blank tells no number."""

import re
from functools import cache, partial

import pytest

import generator
from generator.errors import UserError
from generator.locales.catalogue import load
from generator.render.worksheet.binding import page_count
from generator.render.worksheet.worksheet import PrintedSheet
from generator.sheets.mosaic import CLEAR, PICTURES, Mosaic, MosaicPicture, MosaicTile
from generator.sheets.options import SheetOptions
from tests.render.test_accessibility import LEGIBLE
from tests.support.copier import pieces
from tests.support.covering import covering
from tests.support.sheets import traces

SHEETS, LEVELS, LANGUAGES = ("4a", "5"), (1, 2, 3), ("de", "en")
SEEN, IN_ALL = 0.8, 0.9  # of the slips, on a sheet and on all
CANDIDATES = 8  # numbers that a stretch with a right result has, at least
FILE = "4a-self-attention-mosaic"
CASES = [("katze", "4a"), ("katze-trained", "5"), ("brille", "4a"), ("katze", "5"),
         ("random", "5"), ("katze-trained", "4a")]  # fmt: skip


@cache
def printed(preset: str, sheet: str, level: int = 2, language: str = "de", code: str = ""):
    options = SheetOptions(level=level, language=language, code=code)
    return PrintedSheet(sheet, *traces(preset, language), options)


@cache
def mosaic(preset: str, sheet: str, level: int = 2, code: str = "") -> Mosaic:
    own = printed(preset, sheet, level)
    return Mosaic(own.trace.with_steps(own.plan.extra), own._in_order, code)


def named(picture: MosaicPicture) -> list[MosaicTile]:
    return [tile for row in picture.rows for tile in row if tile.cell]


@pytest.mark.parametrize(("preset", "sheet", "level"), covering(CASES, LEVELS))
def test_right_results_and_those_near_them_have_the_tiles_pattern(preset, sheet, level):
    own = mosaic(preset, sheet, level)
    decided = set()
    for picture in own.pictures:
        rules = {rule.letter: rule for rule in picture.rules}
        whole = ["".join(tile.pattern for tile in row) for row in picture.rows]
        assert whole == [half + half[::-1] for half in PICTURES[picture.key]]
        for tile in named(picture):
            step = own.trace[tile.cell[0]]
            rule, value = rules[tile.name[0]], float(step.values[tile.cell[1:]])
            assert rule.step == step.name
            assert tile.name[1:] in ("", str(tile.cell[2] + 1))
            unit = 10.0**-step.decimals if step.decimals else 1e-4
            near = (value - unit, value, value + unit)
            assert {rule.pattern(x) for x in near} == {tile.pattern}
            ends = [x.until for x in rule.stretches if x.until is not None]
            assert min(abs(x - value) for x in ends) > (CLEAR - 0.01) * unit
            low = max((x for x in ends if x < value), default=-1e9)
            high = min((x for x in ends if x > value), default=1e9)
            assert high - low > (CANDIDATES - 0.01) * unit
        decided |= {tile.cell for tile in named(picture)}
    assert decided <= {*own.cells}
    assert len(decided) >= 0.9 * len(own.cells)


def test_most_usual_slips_give_another_pattern():
    shown, in_all = 0, 0
    for case in CASES:
        own = mosaic(*case)
        seen = [x for picture in own.pictures for x in own.seen(picture).values()]
        assert sum(seen) >= SEEN * len(seen), case
        shown, in_all = shown + sum(seen), in_all + len(seen)
    assert in_all > 900
    assert shown >= IN_ALL * in_all


@pytest.mark.parametrize(("preset", "sheet", "language"), covering(CASES[:4], LANGUAGES))
def test_a_blank_has_the_solutions_page_without_patterns_in_named_tiles(preset, sheet, language):
    own = printed(preset, sheet, language=language)
    blank, solved = (own.mosaic_page(one) for one in (True, False))
    (picture,) = Mosaic(own.view(blank=True).trace, own._in_order, _seed(own)).pictures
    tiles, t = named(picture), load(language).t
    called = f": {t(f'sheet.mosaic.picture.{picture.key}')}</h1>"  # the sentence may have a cat
    assert called in solved
    assert called not in blank
    for mark, kinds in (("<circle", "o"), ("<path d=", "/xx")):
        less = sum(kinds.count(tile.pattern) for tile in tiles)
        assert solved.count(mark) - blank.count(mark) == less
    for name in {tile.name for tile in tiles}:
        assert re.search(f">{name}</text>", blank)


def _seed(own: PrintedSheet) -> str:
    return f"{(own.trace.preset.sha256, own.trace.sentence)}{own.options.code}{own.sheet}"


def test_neighbours_rarely_have_the_same_picture_and_never_the_same_tiles():
    keys = [mosaic("katze", "5", code=f"P{k}").pictures[0] for k in range(8)]
    assert len({one.key for one in keys}) >= 3
    assert len({tuple(tile.name for row in one.rows for tile in row) for one in keys}) == 8


@pytest.mark.ci
@pytest.mark.parametrize(("preset", "sheet"), CASES[1:5])
def test_a_mosaic_is_one_page_and_can_be_copied(preset, sheet):
    for language in LANGUAGES:
        pdf = printed(preset, sheet, language=language).mosaic()
        assert page_count(pdf) == 1
    texts = [one for page in pieces(pdf) for one in page if any(map(str.isalnum, one.text))]
    assert len(texts) > 60
    assert min(one.kept for one in texts) > LEGIBLE


def test_it_is_written_where_a_sheet_has_one(tmp_path):
    trace = traces("katze", "de")[0]
    paths = generator.write(trace, tmp_path, sheets=["4a"], only=["html"], mosaic=True)
    names = [f"{path.parent.name}/{path.name}" for path in paths if "mosaic" in path.name]
    assert sorted(names) == [f"hand-out/{FILE}.html", f"teacher/{FILE}-solution.html"]
    with pytest.raises(UserError, match="no room for large print"):
        SheetOptions(mosaic=True, large_print=True)
    for made in (partial(generator.write, trace), partial(generator.batch, 2)):
        with pytest.raises(UserError, match="--mosaic belongs to sheets 4a, 5"):
            made(tmp_path / "other", sheets=["6"], only=["html"], mosaic=True)


@pytest.mark.ci
def test_a_class_has_its_own_and_all_in_one_file_for_the_copier(tmp_path):
    options = {"vary": "numbers", "only": ["pdf"], "level": 1, "seed": "s", "jobs": 1}
    generator.batch(2, tmp_path, mosaic=True, info="none", **options)
    found = sorted(path for path in tmp_path.rglob("*mosaic*"))
    own = [path.read_bytes() for path in found if path.name == f"{FILE}.pdf"]
    assert len(own) == len(set(own)) == 2
    names = [f"{path.parent.name}/{path.name}" for path in found if "class" in path.name]
    assert sorted(names) == ["hand-out/class-4a-mosaic.pdf", "teacher/class-4a-mosaic-solution.pdf"]
