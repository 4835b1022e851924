"""Every message about what a preset file says: key, found, expected, did you mean."""

import re

import pytest

from generator.presets.load import parse
from generator.presets.schema import PresetError
from tests.presets.files import (
    MODEL,
    changed,
    changes,
    end,
    problems,
    refusals,
    size,
    table,
    top,
    weight,
)

REFUSED = refusals()


@pytest.mark.parametrize("row", REFUSED["alone"], ids=str)
def test_keys_types_and_choices(row):
    (found,) = problems(*changes(row))
    begins, *ends = row["says"]
    assert found.startswith(begins)
    assert found.endswith(*ends or [""])


@pytest.mark.parametrize("row", REFUSED["among"], ids=str)
def test_what_must_fit_together(row):
    found = problems(*changes(row))
    assert any(row["says"] in problem for problem in found), found


def test_each_problem_has_a_key_what_was_found_and_what_was_expected():
    for row in REFUSED["alone"] + REFUSED["among"]:
        for problem in problems(*changes(row)):
            assert re.fullmatch(r"\S.*: found .+, expected .+", problem), problem


def test_all_problems_of_keys_are_told_at_once():
    found = problems(
        ("format = 1", "format = 7"), top('rounding = "x"'), (MODEL, "d_modell = 2\n"),
        ('kind = "none"', 'kind = "x"'), ("b = [0.2, 0.9]", "b = [nan, inf]"),
    )  # fmt: skip
    keys = [problem.split(":")[0] for problem in found]
    assert set(keys) == {"format", "rounding", "model.d_model", "model.d_modell",
                         "positions.kind", "vocabulary.words.b[1]",
                         "vocabulary.words.b[2]"}  # fmt: skip
    assert len(keys) == len(set(keys))


def test_all_problems_of_content_are_told_at_once():
    found = problems(
        top('worked = "x"\nexercise = "b"'), ("a = [0.5, 0.1]", "a = [0.5]"),
        weight('"identiy"'), end('"block1.wieght.output" = "identity"'),
        table('[decimals]\nfoo = 1\n[sampling]\nstrategy = "top-k"'),
    )  # fmt: skip
    keys = [problem.split(":")[0] for problem in found]
    assert keys == ["vocabulary.words.a", "worked", "sampling.k", "sampling.random", "decimals.foo",
                    "weights.block1.head1.weight.key", "weights.block1.wieght.output"]  # fmt: skip


def test_of_thousands_of_problems_the_first_twenty_and_the_number_are_told():
    words = "\n".join(f"w{k} = [0.5]" for k in range(3000))
    with pytest.raises(PresetError) as caught:
        parse(changed(("a = [0.5, 0.1]", f"a = [0.5, 0.1]\n{words}")), "mini.toml")
    first, *lines, last = str(caught.value).splitlines()
    assert first == "mini.toml: 3,000 problems"
    assert len(lines) == 20
    assert lines[0].startswith("  vocabulary.words.w0: found 1 numbers")
    assert last == "  and 2,980 more"
    assert len(caught.value.problems) == 3000


def test_one_problem_is_no_plural_and_problems_are_data():
    with pytest.raises(PresetError) as caught:
        parse(changed(("format = 1", "format = 2")), "my file.toml")
    assert str(caught.value) == "my file.toml: 1 problem\n  format: found 2, expected one of 1"
    assert caught.value.file == "my file.toml"
    assert [p.key for p in caught.value.problems] == ["format"]
    assert caught.value.exit_code == 1


def test_exact_arithmetic_takes_any_number_of_decimals():
    text = changed(top('rounding = "exact"'), ("a = [0.5,", "a = [0.123456789,"))
    assert parse(text, "mini.toml").words["a"][0] == 0.123456789


def test_a_single_attention_may_end_narrower_than_the_model():
    text = changed(size('parts = ["attention"]\nd_head = 1'), weight("[[1], [2]]"))
    for name in ("query", "value"):
        text = text.replace(f'{name}" = "identity"', f'{name}" = "select d1"')
    text = text[: text.index('"block1.weight.hidden"')]
    assert parse(text, "mini.toml").d_head == 1
    with pytest.raises(PresetError, match=r"weights.block1.weight.output: found nothing"):
        parse(text.replace("d_head = 1", "d_head = 1\nblocks = 2"), "mini.toml")
