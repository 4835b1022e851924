"""Byte-pair encoding beside Hugging Face's `tokenizers`: the same merges, 1,000 random strings.

Ties and overlaps are broken otherwise there, so trainings are compared where neither occurs
(`tests/engine/test_bpe.py`); here both programs get the same merges.
"""

from random import Random

import pytest

from generator.engine import bpe_text
from generator.engine.bpe_text import SPACE, Bpe, from_list, learn

pytestmark = pytest.mark.reference

CORPUS = (
    "Die Katze sitzt auf der Matte und die Katzen sitzen auf den Matten weil die größte Katze "
    "müßig über die schöne Straße läuft und der süße Käfer öfter über Füße läuft als über Gras "
    "the cat sits on the mat and the cats are sitting on the mats while the smaller cat is running"
)
STRINGS = 1000
LETTERS = "aeinrstdhulgKDätöüß zzz  "
STRANGE = "aeä öß  日本🐈é€Ωя\u0301'!?.\n\t0123"


def strings(alphabet: str, seed: int) -> list[str]:
    random, words = Random(seed), CORPUS.split()
    made = []
    for k in range(STRINGS):
        if k % 3 == 0:
            made.append(" ".join(random.choices(words, k=random.randint(1, 6))))
        else:
            made.append("".join(random.choices(alphabet, k=random.randint(1, 40))))
    return made


def theirs(model: Bpe):
    """Hugging Face's tokenizer with our vocabulary, ids and merges, and their own rest."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    def signs(label: str) -> str:
        return bpe_text.read(label) if model.level == "byte" else label

    vocabulary = {signs(token): number for number, token in enumerate(model.vocabulary)}
    merges = [(signs(first), signs(second)) for first, second in model.merges]
    found = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    before = pre_tokenizers.Split(" ", "merged_with_next")
    if model.level == "byte":
        bytes_ = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        found.pre_tokenizer = pre_tokenizers.Sequence([before, bytes_])
        found.decoder = decoders.ByteLevel()
    else:
        found.pre_tokenizer = pre_tokenizers.Metaspace(SPACE, prepend_scheme="never")
        found.decoder = decoders.Metaspace(SPACE, prepend_scheme="never")
    return found


@pytest.mark.parametrize(
    ("level", "merges", "alphabet"),
    [("character", 60, LETTERS), ("character", 9, LETTERS), ("byte", 70, STRANGE)],
)
def test_the_same_tokens_ids_and_texts_for_1000_strings(level, merges, alphabet):
    model = learn(CORPUS + " zz Gras", merges, level)
    other, compared = theirs(model), 0
    for text in strings(alphabet, merges):
        ids = model.encode(text)
        assert tuple(other.encode(text).ids) == ids, text
        assert other.decode(list(ids)) == text == model.decode(ids)
        compared += len(ids)
    assert compared > 10 * STRINGS


def test_the_byte_signs_are_theirs():
    from tokenizers import pre_tokenizers

    assert sorted(bpe_text.SIGNS.values()) == sorted(pre_tokenizers.ByteLevel.alphabet())
    pre = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    for text in ("äöüß", "🐈 日本", "\x00\x7f\u00ad\u00a0"):
        assert "".join(piece for piece, _ in pre.pre_tokenize_str(text)) == bpe_text.signs(text)


def test_a_list_of_merges_is_read_as_they_read_it():
    random = Random(5)
    for _ in range(100):
        learned = learn(CORPUS, random.randint(1, 40), "byte")
        lines = [" ".join(pair) for pair in learned.merges]
        kept = from_list(lines, "byte")
        assert kept.merges == learned.merges
        text = "".join(random.choices(STRANGE, k=30))
        assert tuple(theirs(kept).encode(text).ids) == kept.encode(text)


def test_they_train_to_the_same_merges_at_byte_level_where_nothing_is_tied():
    import json

    from tokenizers import trainers

    compared = 0
    for seed in range(400):
        random = Random(seed)
        words = {
            "".join(random.choices("aäöß", k=random.randint(2, 6))): random.randint(1, 60)
            for _ in range(random.randint(2, 5))
        }
        if not _clear(words, 3):
            continue
        model = learn(words, 3, "byte")
        other = theirs(model)
        trainer = trainers.BpeTrainer(
            vocab_size=259,
            show_progress=False,
            initial_alphabet=sorted(bpe_text.SIGNS.values()),
        )
        other.train_from_iterator((w for w, n in words.items() for _ in range(n)), trainer)
        found = [tuple(pair) for pair in json.loads(other.to_str())["model"]["merges"]]
        shown = [tuple(map(bpe_text.shown, pair)) for pair in found]
        assert shown == list(model.merges), words
        compared += 1
    assert compared > 40


def _clear(words: dict[str, int], rounds: int) -> bool:
    """Whether no round has a tie and no piece stands three times in a row: see `test_bpe.py`."""
    from generator.engine import bpe

    corpus = {bpe_text.signs(word): count for word, count in words.items()}
    merges = bpe.learn(corpus, rounds)
    stages = [tuple(map(bpe.letters, corpus)), *(merge.corpus for merge in merges)]
    triple = any(
        pieces[k] == pieces[k + 1] == pieces[k + 2]
        for stage in stages
        for pieces in stage
        for k in range(len(pieces) - 2)
    )
    return len(merges) == rounds and not triple and not any(merge.tied for merge in merges)
