"""Every message about what a preset file says: key, found, expected, did you mean."""

import re

import pytest

from generator.presets.load import parse
from generator.presets.schema import PresetError
from tests.presets.files import GOOD, changed, end, problems, top

MODEL = "d_model = 2\n"
WORDS = "[vocabulary.words]\n"
KEY = '"block1.head1.weight.key" = "identity"'
HEAD = "block1.head1.weight"
FORMS = "expected a table of numbers,"
A = "a = [0.5, 0.1]"
NO_POSITIONS = 'kind = "none"'
EXACT = top('rounding = "exact"')


def table(lines: str) -> tuple[str, str]:
    """A change that adds a table before the words."""
    return (WORDS, f"{lines}\n{WORDS}")


def size(line: str) -> tuple[str, str]:
    """A change that adds a line to the table of the model."""
    return (MODEL, f"{MODEL}{line}\n")


def test_the_good_file_is_good():
    assert parse(GOOD, "mini.toml").name == "mini"


# Keys, types, ranges and choices: (changes, how the one problem begins, what it ends with).
SCHEMA = [
    (("format = 1", "format = 2"), "format: found 2, expected one of 1", ""),
    (("format = 1\n", ""), "format: found nothing, expected a value", "compulsory"),
    (("d_model = 2\n", ""), "model.d_model: found nothing", "compulsory"),
    (('name = "mini"', 'name = "My Model"'), "name: found 'My Model'", "such as 'my-preset'"),
    (('name = "mini"', "name = 3"), "name: found 3, expected text in quotes", ""),
    (('"en"\n', '"english"\n'), "language: found 'english', expected one of de, en", ""),
    (top("roundng = 2"), "roundng: found an unknown key", "did you mean 'rounding'?"),
    (top('rounding = "Papper"'), "rounding: found 'Papper', expected one of paper, exact",
     "did you mean 'paper'?"),
    (top("meaningful = 1"), "meaningful: found 1, expected true or false", ""),
    (top("worked = 3"), "worked: found 3, expected a word or a list of words", ""),
    (top("title = 3"), "title: found 3, expected a table of keys and values", ""),
    (('sentence.en = "a b"', "sentence = {}"), "sentence: found {}", "at least one entry"),
    (table("[modle]\nx = 1"), "modle: found an unknown key", "did you mean 'model'?"),
    (size("dheads = 2"), "model.dheads: found an unknown key", "did you mean 'heads'?"),
    ((MODEL, "d_model = 0\n"), "model.d_model: found 0, expected greater than or equal to 1", ""),
    ((MODEL, "d_model = 2.0\n"), "model.d_model: found 2.0, expected a whole number", ""),
    (size("heads = true"), "model.heads: found true, expected a whole number", ""),
    (size("blocks = 129"), "model.blocks: found 129, expected less than or equal to 128", ""),
    (size('parts = ["attention", "atention"]'), "model.parts[2]: found 'atention'",
     "did you mean 'attention'?"),
    ((NO_POSITIONS, 'kind = "sinus"'),
     "positions.kind: found 'sinus', expected one of sinusoidal, learned, none", ""),
    ((NO_POSITIONS, 'kind = "none"\ninput_decimals = 9'), "positions.input_decimals: found 9",
     "less than or equal to 8"),
    (table('[tokenizer]\nkind = "wrod"'), "tokenizer.kind: found 'wrod'", "mean 'word'?"),
    (table('[mask]\nkind = "casual"'), "mask.kind: found 'casual'", "mean 'causal'?"),
    (table("[norm]\nepsilon = nan"), "norm.epsilon: found nan", "a finite number"),
    (table("[norm]\nepsilon = -1"), "norm.epsilon: found -1", "than or equal to 0"),
    (table('[norm]\nform = "rsm"'),
     "norm.form: found 'rsm', expected one of layer, rms; did you mean 'rms'?", ""),
    (table("[softmax]\nbase = 4"), "softmax.base: found 4, expected one of e, 2, 3", ""),
    (table('[softmax]\nshifted = "allways"'), "softmax.shifted", "mean 'always'?"),
    (table('[activation]\nkind = "Gelu"'), "activation.kind: found 'Gelu'", "mean 'gelu'?"),
    (table('[output]\nkind = "tide"'), "output.kind: found 'tide'", "mean 'tied'?"),
    (table('[start]\nkind = "matrx"'), "start.kind: found 'matrx'", "mean 'matrix'?"),
    (table("[sampling]\ntemperatures = []"), "sampling.temperatures: found []",
     "at least one entry"),
    (table("[sampling]\ntemperatures = [1, 0]"), "sampling.temperatures[2]: found 0",
     "greater than 0"),
    (table("[sampling]\np = 1.5"), "sampling.p: found 1.5", "less than or equal to 1"),
    (table("[sampling]\nrandom = 1"), "sampling.random: found 1", "less than 1"),
    (table("[sampling]\nk = 0"), "sampling.k: found 0", "than or equal to 1"),
    (table('[sampling]\nstrategy = "topk"'), "sampling.strategy", "mean 'top-k'?"),
    (table("[decimals]\nexp = 9"), "decimals.exp: found 9", "less than or equal to 8"),
    (table('[decimals]\nexp = "2"'), "decimals.exp: found '2'", "a whole number"),
    ((A, 'a = ["0.5", 0.1]'), "vocabulary.words.a[1]: found '0.5'", "a number"),
    ((A, "a = [true, 0.1]"), "vocabulary.words.a[1]: found true", "a number"),
    ((A, "a = [inf, 0.1]"), "vocabulary.words.a[1]: found inf", "a finite number"),
    ((A, "a = [0.5, nan]"), "vocabulary.words.a[2]: found nan", "a finite number"),
    ((A, "a = 0.5"), "vocabulary.words.a: found 0.5", "a list in square brackets"),
    ((KEY, f'"{HEAD}.key" = 5'), f"weights.{HEAD}.key: found 5, {FORMS}", ""),
    ((KEY, f'"{HEAD}.key" = true'), f"weights.{HEAD}.key: found true, {FORMS}", ""),
    (end('[vary."x"]\nfrom = 0\nto = 1\nstep = 0'), "vary.x.step: found 0", "greater than 0"),
    (end('[vary."x"]\nfrom = 0\nto = 1\nstep = 1\nzeroes = 1'), "vary.x.zeroes: found an",
     "did you mean 'zeros'?"),
    (end("[compare]\nstep = 1\nrow = 1\nvalues = [1]\ntitle = {}"), "compare.step", "in quotes"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "begins", "ends"), SCHEMA)
def test_keys_types_and_choices(change, begins, ends):
    found = problems(change)
    assert len(found) == 1, found
    assert found[0].startswith(begins), found
    assert found[0].endswith(ends), found


def weight(form: str) -> tuple[str, str]:
    return (KEY, f'"{HEAD}.key" = {form}')


# What must fit together: (changes, a part of one problem); other problems may follow from it.
TOGETHER = [
    ([(A, "a = [0.5]")], "words.a: found 1 numbers, expected d_model = 2 numbers"),
    ([(A, '"" = [0.5, 0.1]')], "words.: found '', expected a word in NFC"),
    ([(A, '"a b" = [0.5, 0.1]')], "words.a b: found 'a b', expected a word in NFC"),
    ([(A, '"e\u0301" = [0.5, 0.1]')], "expected a word in NFC"),
    ([(A, "a = [0.5, 0.12345]")],
     "words.a: found 0.12345, expected at most 4 decimals for paper arithmetic, or rounding"),
    ([weight("[[1, 0.00001], [0, 1]]")], f"weights.{HEAD}.key: found 1e-05, expected at most 4"),
    ([weight('"0.12345 identity"')], f"weights.{HEAD}.key: found 0.12345, expected at most 4"),
    ([weight('"draw 0 1 0.00001"')], f"weights.{HEAD}.key: found "),
    ([weight("[[1, nan], [0, 1]]")], "found NaN or infinity, expected finite numbers"),
    ([weight("[[1, inf], [0, 1]]")], "found NaN or infinity, expected finite numbers"),
    ([weight(f"[[1, {'9' * 400}], [0, 1]]")], "found rows that are no table of numbers"),
    ([weight(f'"{"9" * 400} identity"')], "found NaN or infinity, expected finite numbers"),
    ([weight("[[1, 2, 3], [4, 5, 6]]")], f"{HEAD}.key: found 2×3 numbers, expected 2×2"),
    ([weight("[1, 2]")], f"{HEAD}.key: found 1×2 numbers, expected 2×2"),
    ([weight("[]")], f"{HEAD}.key: found 1×0 numbers, expected 2×2"),
    ([weight("[[[1, 2], [3, 4]]]")], f"{HEAD}.key: found 1×2×2 numbers, expected 2×2"),
    ([weight("[[1, 2], [3]]")], "found rows that are no table of numbers"),
    ([weight('[["1", 2], [3, 4]]')], "found cells that are no numbers"),
    ([weight("[[true, 2], [3, 4]]")], "found cells that are no numbers"),
    ([weight("[[2020-01-01, 2], [3, 4]]")], "found cells that are no numbers"),
    ([weight('"identiy"')], f'{HEAD}.key: found "identiy", {FORMS}'),
    ([weight('"select d1"')], "found a selection of d1, expected 2 of d1 to d2"),
    ([weight('"select d1 d3"')], "found a selection of d1, d3, expected 2 of d1 to d2"),
    ([weight('"select d0 d1"')], "found a selection of d0, d1, expected 2 of d1 to d2"),
    ([weight('"draw 1 0 0.1"')], "found an empty range, expected FROM ≤ TO and STEP above 0"),
    ([weight('"draw 0 1 0"')], "found an empty range, expected FROM ≤ TO and STEP above 0"),
    ([weight(f'"draw 0 {"9" * 400} 1"')], "found an empty range"),
    ([weight("{ file = 'x' }")], "found a table with file, expected file and key"),
    ([weight("{}")], "found a table with nothing in it, expected file and key"),
    ([("d_ff = 2", "d_ff = 3")], "found \"identity\", expected another form, as 2×3 is not square"),
    ([(f"{KEY}\n", "")], f"weights.{HEAD}.key: found nothing, expected a 2×2 matrix"),
    ([(KEY, f'{KEY}\n"{HEAD}.kex" = "zero"')],
     f"{HEAD}.kex: found a weight that this model does not have, expected one of its weights; "
     f"did you mean '{HEAD}.key'?"),
    ([end('"block1.bias.output" = [0, 0]')],
     "weights.block1.weight.output: found nothing, expected a 2×2 matrix"),
    ([end('"block1.gain1" = [1, 1]')], "block1.gain1: found a weight that this model"),
    ([("d_ff = 2\n", "")], "model.d_ff: found nothing, expected a number, as feedf"),
    ([size("heads = 3")], "model.heads: found 3, expected a divisor of d_model = 2"),
    ([size("parts = []")], "model.parts: found [], expected attention, feedforward or"),
    ([size('parts = ["residual"]')], "model.parts: found ['residual'], expected att"),
    ([table('[start]\nkind = "matrix"')], "start.value: found nothing, expected numbers"),
    ([table('[start]\nkind = "matrix"\nvalue = [[1, 2]]')],
     "start.value: found 1×2 numbers, expected 2×2"),
    ([table('[start]\nkind = "matrix"\nvalue = [[1, 2], [3, nan]]')],
     "start.value: found NaN or infinity"),
    ([table('[start]\nkind = "matrix"\nvalue = [[1, 2], [3, 0.12345]]')],
     "start.value: found 0.12345, expected at most 4"),
    ([table("[start]\nvalue = [[1, 2]]")],
     "start.value: found numbers, expected nothing, as start.kind is 'sentence'"),
    ([size('parts = ["attention"]'),
      table('[start]\nkind = "vector"\nvalue = [1, 2]')],
     "model.parts: found ['attention'], expected output among them, of the kind tied or own"),
    ([("a = [0.5, 0.1]\nb = [0.2, 0.9]\n", ""), table('[output]\nkind = "own"')],
     "vocabulary.words: found nothing, expected words, as the output chooses one of them"),
    ([table('[output]\nkind = "own"')], "weights.output.matrix: found nothing"),
    ([table('[sampling]\nstrategy = "top-k"')],
     "sampling.k: found nothing, expected a number, as strategy is 'top-k'"),
    ([table('[sampling]\nstrategy = "top-p"')], "sampling.p: found nothing"),
    ([table('[sampling]\nstrategy = "sample"')], "sampling.random: found nothing"),
    ([table('[sampling]\nstop = "Katz"')],
     "sampling.stop: found 'Katz', expected one of vocabulary.words: "),
    ([table("[sampling]\ntemperatures = [0.12345]")],
     "sampling.temperatures: found 0.12345, expected at most 4"),
    ([table("[decimals]\nexpp = 2")],
     "decimals.expp: found a name that no rounded step ends with, expected the last name"),
    ([table("[decimals]\nexpp = 2")], "did you mean 'exp'?"),
    ([table('[decimals]\n"ouput.exp" = 2')], "decimals.ouput.exp: found a name"),
    ([("a b", "  ")], "sentence.en: found '  ', expected a sentence: the sentence is empty"),
    ([('sentence.en = "a b"', f'sentence.en = "{"a " * 513}"')], "has 513 tokens"),
    ([('sentence.en = "a b"', 'sentence.de = "a b"')],
     "sentence: found only de, expected one in 'en', the preset's language"),
    ([top('sentence.fr = "a b"')], "sentence.fr: found 'fr', expected one of de, en"),
    ([top('title.fr = "x"')], "title.fr: found 'fr', expected one of de, en"),
    ([top('sentence.de = "A B"')], "translation.de.a: found nothing, expected the word in 'de'"),
    ([top('sentence.de = "A B"\ntranslation.de = { a = "A", b = "A" }')],
     "translation.de: found 'A' for two words, expected a different word for each"),
    ([top('sentence.de = "A B"\ntranslation.de = { a = "A", b = "B", A = "C" }')],
     "translation.de.A: found a word that the vocabulary does not have, expected one of its words; "
     "did you mean 'a'?"),
    ([top('sentence.de = "A B"\ntranslation.de = { a = "A", b = "B C" }')],
     "translation.de.b: found 'B C', expected a word in NFC without white space"),
    ([top('worked = "A"\nexercise = "b"')],
     "worked: found 'A', expected a token of the sentence: a, b; did you mean 'a'?"),
    ([top('worked = "a"')], "exercise: found nothing, expected a token, as worked and exercise"),
    ([("a b", "a c"), table('[vocabulary]\nunknown = "error"')],
     "sentence.en: found the word 'c', expected only words of the vocabulary"),
    ([("a b", "a c"), end('"output.bias" = [1, 2]')], "sentence.en: found the word 'c'"),
    ([(NO_POSITIONS, 'kind = "learned"')], "weights.position: found nothing, expected a n×2"),
    ([(NO_POSITIONS, 'kind = "learned"'), end('"position" = [[1, 2]]')],
     "weights.position: found 1 positions, expected at least 2"),
    ([table('[tokenizer]\nkind = "character"'), (A, "ab = [0.5, 0.1]")],
     "vocabulary.words.ab: found 'ab', expected one character"),
    ([end('[compare]\nstep = "input"\nrow = 1\nvalues = [1, 2]\ntitle = {}')],
     "compare.title.en: found nothing, expected a title in this language"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "part"), TOGETHER)
def test_what_must_fit_together(changes, part):
    assert any(part in problem for problem in problems(*changes)), problems(*changes)


def test_each_problem_has_a_key_what_was_found_and_what_was_expected():
    for changes in [[row[0]] for row in SCHEMA] + [row[0] for row in TOGETHER]:
        for problem in problems(*changes):
            assert re.fullmatch(r"\S.*: found .+, expected .+", problem), problem


def test_all_problems_of_keys_are_told_at_once():
    found = problems(
        ("format = 1", "format = 7"), top('rounding = "x"'), (MODEL, "d_modell = 2\n"),
        (NO_POSITIONS, 'kind = "x"'), ("b = [0.2, 0.9]", "b = [nan, inf]"),
    )  # fmt: skip
    keys = [problem.split(":")[0] for problem in found]
    assert set(keys) == {"format", "rounding", "model.d_model", "model.d_modell",
                         "positions.kind", "vocabulary.words.b[1]",
                         "vocabulary.words.b[2]"}  # fmt: skip
    assert len(keys) == len(set(keys))


def test_all_problems_of_content_are_told_at_once():
    found = problems(
        top('worked = "x"\nexercise = "b"'), (A, "a = [0.5]"),
        weight('"identiy"'), end('"block1.wieght.output" = "identity"'),
        table('[decimals]\nfoo = 1\n[sampling]\nstrategy = "top-k"'),
    )  # fmt: skip
    keys = [problem.split(":")[0] for problem in found]
    assert keys == ["vocabulary.words.a", "worked", "sampling.k", "sampling.random", "decimals.foo",
                    f"weights.{HEAD}.key", "weights.block1.wieght.output"]  # fmt: skip


def test_of_thousands_of_problems_the_first_twenty_and_the_number_are_told():
    words = "\n".join(f"w{k} = [0.5]" for k in range(3000))
    with pytest.raises(PresetError) as caught:
        parse(changed((A, f"{A}\n{words}")), "mini.toml")
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
    text = changed(EXACT, (A, "a = [0.123456789, 0.1]"))
    assert parse(text, "mini.toml").words["a"][0] == 0.123456789


@pytest.mark.parametrize(
    "changes",
    [
        [(MODEL, 'd_model = 2\nparts = ["attention"]\nd_head = 1\n'),
         (KEY, f'"{HEAD}.key" = [[1], [2]]')],
    ],
)  # fmt: skip
def test_a_single_attention_may_end_narrower_than_the_model(changes):
    text = changed(*changes)
    for name in ("query", "value"):
        text = text.replace(f'{name}" = "identity"', f'{name}" = "select d1"')
    text = text[: text.index('"block1.weight.hidden"')]
    assert parse(text, "mini.toml").d_head == 1
    with pytest.raises(PresetError, match=r"weights.block1.weight.output: found nothing"):
        parse(text.replace("d_head = 1", "d_head = 1\nblocks = 2"), "mini.toml")
