"""What a schema cannot see: shapes, words and sentences that must fit together."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from generator.engine.embeddings import Embeddings
from generator.engine.tokenizers import Tokens, cleaned, tokenize
from generator.engine.vocabulary import listed, noun
from generator.errors import UserError, did_you_mean
from generator.locales.folders import languages
from generator.presets.numbers import decimals_in, long_numbers, ranges_in, weights_in
from generator.presets.own_words import own_words_in
from generator.presets.problems import Problem, shown
from generator.presets.schema import File
from generator.presets.statements import statements_in
from generator.presets.subwords import is_token, kind_of, merges_in, merges_of


def problems_in(file: File, folder: Path | None) -> list[Problem]:
    """Every cross problem of a file whose keys and types are right."""
    tokens = {language: tokens_of(file, language) for language in file.sentence}
    own = tokens.get(file.language, ())
    return [
        *_languages(file),
        *merges_in(file.tokenizer),
        *_words(file),
        *own_words_in(file, _closed(file)),
        *_sentences(file, tokens),
        *_translations(file),
        *_focus(file, tokens),
        *_model(file),
        *_start(file),
        *_sampling(file),
        *statements_in(file, own),
        *decimals_in(file),
        *ranges_in(file),
        *weights_in(file, own, folder),
    ]


def tokens_of(file: File, language: str) -> tuple[str, ...]:
    """The tokens of the file's sentence in a language; none where it cannot be computed."""
    words = set(file.vocabulary.words)
    if language != file.language:
        words = {file.translation.get(language, {}).get(word, word) for word in words}
    try:
        return _split(file, file.sentence[language], words).tokens
    except UserError:
        return ()


def focus_words(value: str | list[str]) -> tuple[str, ...]:
    """`worked` or `exercise` as a tuple, whether one word was written or a list."""
    return (value,) if isinstance(value, str) else tuple(value)


def _split(file: File, text: str, words: Collection[str]) -> Tokens:
    return tokenize(text, kind_of(file.tokenizer), words, merges_of(file.tokenizer))


def _languages(file: File) -> Iterator[Problem]:
    tables = {
        "sentence": list(file.sentence),
        "title": list(file.title),
        "translation": list(file.translation),
    }
    known = languages()
    for key, table in tables.items():
        for language in table:
            if language not in known:
                yield Problem(f"{key}.{language}", shown(language), f"one of {', '.join(known)}")
    if file.language not in file.sentence:
        yield Problem(
            "sentence",
            f"only {', '.join(file.sentence)}",
            f"one in {file.language!r}, the preset's language",
        )
    if file.compare is not None:
        for language in file.sentence.keys() - file.compare.title.keys():
            yield Problem(f"compare.title.{language}", "nothing", "a title in this language")


def _words(file: File) -> Iterator[Problem]:
    d = file.model.d_model
    words: Mapping[str, Any] = file.vocabulary.words
    if isinstance(words, Embeddings):  # checked when it was read
        if file.rounding == "paper":
            yield from long_numbers("vocabulary.table", words.table)
        return
    for word, embedding in words.items():
        key = f"vocabulary.words.{word}"
        if not _is_token(file, word):
            yield Problem(key, shown(word), _token_rule(file))
        if len(embedding) != d:
            yield Problem(key, f"{len(embedding)} numbers", f"d_model = {d} numbers")
        if file.rounding == "paper":
            yield from long_numbers(key, embedding)


def _is_token(file: File, word: str) -> bool:
    if not word or cleaned(word) != (word, ()):
        return False
    if file.tokenizer.kind == "bpe":
        return is_token(file.tokenizer, word)
    return _split(file, word, {word}).tokens == (word,)


def _token_rule(file: File) -> str:
    if file.tokenizer.kind == "character":
        return "one character, as tokenizer.kind is 'character'"
    if file.tokenizer.kind == "bpe":
        return "a letter or what one of tokenizer.merges makes"
    return "a word in NFC without white space or control characters"


def _sentences(file: File, tokens: dict[str, tuple[str, ...]]) -> Iterator[Problem]:
    for language, sentence in file.sentence.items():
        if not tokens[language]:
            try:
                _split(file, sentence, ())
            except UserError as error:
                yield Problem(f"sentence.{language}", shown(sentence), f"a sentence: {error}")
    own = tokens.get(file.language, ())
    if reason := _closed(file):
        for word in dict.fromkeys(own):
            if word not in file.vocabulary.words:
                named = noun(file.tokenizer.kind, word)
                known = "words" if named == "word" else f"of {listed(tuple(file.vocabulary.words))}"
                hint = did_you_mean(word, file.vocabulary.words)
                expected = f"only {known} of the vocabulary, as {reason}{hint}"
                yield Problem(f"sentence.{file.language}", f"the {named} {word!r}", expected)
    if file.start.kind == "matrix":
        for language, translated in tokens.items():
            if translated and len(translated) != len(own):
                yield Problem(
                    f"sentence.{language}",
                    f"{len(translated)} tokens",
                    f"{len(own)}, one for each row of start.value, as in {file.language!r}",
                )


def _closed(file: File) -> str:
    if file.start.kind != "sentence":
        return ""
    if file.vocabulary.unknown == "error":
        return "vocabulary.unknown is 'error'"
    if "output" in file.model.parts and file.output.kind == "own":
        return "output.kind is 'own'"
    if "output" in file.model.parts and "output.bias" in file.weights:
        return "output.bias has a number for each of these only"
    return ""


def _translations(file: File) -> Iterator[Problem]:
    for language in file.sentence:
        if language != file.language and language in languages():
            yield from _translation(file, language, file.translation.get(language, {}))


def _translation(file: File, language: str, table: dict[str, str]) -> Iterator[Problem]:
    key = f"translation.{language}"
    for word in file.vocabulary.words:
        if word not in table:
            expected = f"the word in {language!r}, as there is a sentence in it"
            yield Problem(f"{key}.{word}", "nothing", expected)
    for word, other in table.items():
        if word not in file.vocabulary.words and file.start.kind == "sentence":
            hint = did_you_mean(word, file.vocabulary.words)
            expected = f"one of its words{hint}"
            yield Problem(f"{key}.{word}", "a word that the vocabulary does not have", expected)
        if not _is_token(file, other):
            yield Problem(f"{key}.{word}", shown(other), _token_rule(file))
    others = list(table.values())
    for word in sorted({w for w in others if others.count(w) > 1}):
        yield Problem(key, f"{word!r} for two words", "a different word for each")


def _focus(file: File, tokens: dict[str, tuple[str, ...]]) -> Iterator[Problem]:
    own = tokens.get(file.language, ())
    both = {"worked": focus_words(file.worked), "exercise": focus_words(file.exercise)}
    for key, words in both.items():
        for word in words:
            if own and word not in own:
                expected = f"a token of the sentence: {', '.join(own)}{did_you_mean(word, own)}"
                yield Problem(key, shown(word), expected)
        if not words and any(both.values()):
            yield Problem(key, "nothing", "a token, as worked and exercise go together")
    for language, translated in tokens.items():
        table = file.translation.get(language, {})
        named = [w for words in both.values() for w in words if w in own and w not in table]
        if named and language != file.language and translated and len(translated) != len(own):
            expected = f"it, as worked or exercise names it and {language!r} has other tokens"
            yield Problem(f"translation.{language}.{named[0]}", "nothing", expected)


def _model(file: File) -> Iterator[Problem]:
    model, kind = file.model, file.start.kind
    parts = set(model.parts)
    if model.d_head is None and model.d_model % model.heads:
        expected = f"a divisor of d_model = {model.d_model}, or a d_head"
        yield Problem("model.heads", f"{model.heads}", expected)
    if "feedforward" in parts and model.d_ff is None:
        yield Problem("model.d_ff", "nothing", "a number, as feedforward is a part")
    if kind != "vector" and not parts & {"attention", "feedforward", "output"}:
        expected = "attention, feedforward or output among them"
        yield Problem("model.parts", shown(model.parts), expected)
    if kind == "vector" and ("output" not in parts or file.output.kind == "none"):
        expected = "output among them, of the kind tied or own, as start.kind is 'vector'"
        yield Problem("model.parts", shown(model.parts), expected)
    drawn = kind == "sentence" and file.output.kind == "tied"
    chooses = "output" in parts and file.output.kind != "none"
    if chooses and not drawn and not file.vocabulary.words:
        yield Problem("vocabulary.words", "nothing", "words, as the output chooses one of them")


def _start(file: File) -> Iterator[Problem]:
    kind, value = file.start.kind, file.start.value
    if kind == "sentence" and value is not None:
        yield Problem("start.value", "numbers", "nothing, as start.kind is 'sentence'")
    if kind != "sentence" and value is None:
        yield Problem("start.value", "nothing", f"numbers, as start.kind is {kind!r}")


def _sampling(file: File) -> Iterator[Problem]:
    sampling = file.sampling
    needed = {"top-k": ("k", "random"), "top-p": ("p", "random"), "sample": ("random",)}
    for key in needed.get(sampling.strategy, ()):
        if getattr(sampling, key) is None:
            expected = f"a number, as strategy is {sampling.strategy!r}"
            yield Problem(f"sampling.{key}", "nothing", expected)
    yield from _stop(file)
    if file.rounding == "paper":
        yield from long_numbers("sampling.temperatures", sampling.temperatures)
        for key in ("p", "random"):
            given = getattr(sampling, key)
            yield from long_numbers(f"sampling.{key}", [] if given is None else [given])


def _stop(file: File) -> Iterator[Problem]:
    stop = file.sampling.stop
    if stop is None:
        return
    if "output" not in file.model.parts or file.output.kind == "none":
        yield Problem("sampling.stop", shown(stop), "nothing, as there is no output that chooses")
    elif stop not in file.vocabulary.words:
        hint = did_you_mean(stop, file.vocabulary.words)
        known = listed(tuple(file.vocabulary.words))
        yield Problem("sampling.stop", shown(stop), f"one of vocabulary.words: {known}{hint}")
