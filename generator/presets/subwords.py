"""The merges of a preset with a byte-pair encoding: listed in it, or learned from its corpus."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from generator.engine import choices
from generator.engine.bpe import Pair
from generator.engine.bpe_text import Bpe, faults, from_list, is_letter, learn
from generator.errors import UserError
from generator.presets.schema import MergesKeys, PresetProblem, Tokenizer, shown

FORMS = (
    'a list of pairs such as ["e n", "s en"], { train = "a text", count = 20 } '
    'or { file = "merges.txt" }'
)
BYTES: Final = "bpe-bytes"
GPT2: Final = "bpe-gpt2"


def kind_of(tokenizer: Tokenizer) -> choices.Tokenizer:
    """The engine's name of the kind of tokens."""
    if tokenizer.kind != "bpe" or tokenizer.level != "byte":
        return tokenizer.kind
    return GPT2 if tokenizer.split == "gpt2" else BYTES


def merges_of(tokenizer: Tokenizer) -> tuple[Pair, ...]:
    """The merges in order; none for other kinds, and none while `merges_in` finds a problem."""
    if tokenizer.kind != "bpe" or any(merges_in(tokenizer)):
        return ()
    return _bpe(tokenizer.model_dump_json()).merges


def corpus_of(tokenizer: Tokenizer) -> Mapping[str, int] | None:
    """The words × counts that the merges are learned from, where the preset has such a table."""
    match tokenizer.merges:
        case MergesKeys(train=dict(words)):
            return words
        case _:
            return None


def merges_in(tokenizer: Tokenizer) -> Iterator[PresetProblem]:
    """What is wrong with the merges, all of it."""
    key, merges = "tokenizer.merges", tokenizer.merges
    if tokenizer.kind != "bpe":
        expected = f"none, as tokenizer.kind is {tokenizer.kind!r}"
        if merges is not None:
            yield PresetProblem(key, "merges", expected)
        if tokenizer.level is not None:
            yield PresetProblem("tokenizer.level", shown(tokenizer.level), expected)
        if tokenizer.split is not None:
            yield PresetProblem("tokenizer.split", shown(tokenizer.split), expected)
        return
    if tokenizer.split == "gpt2" and (tokenizer.level != "byte" or isinstance(merges, MergesKeys)):
        expected = "'spaces', as only listed merges of bytes are GPT-2's"
        yield PresetProblem("tokenizer.split", "'gpt2'", expected)
    match merges:
        case None:
            yield PresetProblem(key, "nothing", f"{FORMS}, as tokenizer.kind is 'bpe'")
        case MergesKeys():
            yield from _training(key, merges, tokenizer)
        case texts:
            for number, found, expected in faults(texts, tokenizer.level or "character"):
                yield PresetProblem(f"{key}[{number + 1}]", found, expected)


def is_token(tokenizer: Tokenizer, word: str) -> bool:
    """Whether a word of the vocabulary can come out: a letter, or what a merge makes."""
    known = _bpe(tokenizer.model_dump_json()) if not any(merges_in(tokenizer)) else None
    if known is None:
        return True  # the merges themselves are refused
    return word in known.vocabulary or is_letter(word, known.level)


def _training(key: str, training: MergesKeys, tokenizer: Tokenizer) -> Iterator[PresetProblem]:
    if isinstance(training.train, dict):
        for word in training.train:
            if not word or len(word.split()) != 1 or word != word.strip():
                expected = "a word without white space"
                yield PresetProblem(f"{key}.train.{word}", shown(word), expected)
    try:
        _bpe(tokenizer.model_dump_json())
    except UserError as error:
        yield PresetProblem(f"{key}.count", f"{training.count}", f"fewer: {error}")


@lru_cache(maxsize=64)
def _bpe(dumped: str) -> Bpe:
    """The encoding of a tokenizer table, which is learned once."""
    tokenizer = Tokenizer.model_validate_json(dumped)
    level, merges = tokenizer.level or "character", tokenizer.merges
    if isinstance(merges, MergesKeys):
        return learn(merges.train, merges.count, level)
    return from_list(merges or (), level)
