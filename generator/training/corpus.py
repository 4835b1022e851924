"""A corpus: the lines and counted texts that a spec gives, and what follows each prompt."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from generator.engine.choices import Tokenizer
from generator.engine.vocabulary import tokenize
from generator.presets.schema import PresetProblem, shown

BAR = "|"
LINE = 'a line such as "Die Katze | sitzt auf der Matte": what is given, a bar, what follows'

Prompt = tuple[str, ...]


class Corpus(NamedTuple):
    """How often each token follows each prompt, and what is wrong with the lines and texts."""

    counts: dict[Prompt, dict[str, int]]
    problems: list[PresetProblem]

    @property
    def words(self) -> tuple[str, ...]:
        """All tokens in order of appearance."""
        tokens = (t for prompt, after in self.counts.items() for t in (*prompt, *after))
        return tuple(dict.fromkeys(tokens))

    @property
    def leaders(self) -> dict[Prompt, str]:
        """The most frequent next token of each prompt."""
        return {prompt: max(after, key=after.__getitem__) for prompt, after in self.counts.items()}


def corpus_of(lines: list[str], texts: Mapping[str, int], kind: Tokenizer) -> Corpus:
    """What follows each prompt of the lines, each of which counts once, or of the counted texts.

    Problems: a line without a bar, lines that continue a prompt in two ways, texts that leave it
    open which next token is the most frequent.
    """
    if bool(lines) == bool(texts):
        found = "lines and texts" if lines else "neither lines nor texts"
        return Corpus(
            {}, [PresetProblem("corpus", found, "one of them: lines, or texts with counts")]
        )
    corpus = Corpus({}, [])
    table = dict.fromkeys(lines, 1) | dict(texts)
    for number, (line, count) in enumerate(table.items(), 1):
        key = f"corpus.lines.{number}" if lines else f"corpus.texts.{number}"
        _read(corpus, key, line, count, kind, open_ended=bool(texts))
    if texts:
        corpus.problems.extend(_ties(corpus.counts))
    return corpus


def _read(
    corpus: Corpus, key: str, line: str, count: int, kind: Tokenizer, *, open_ended: bool
) -> None:
    given, bar, after = line.partition(BAR)
    if not (bar and given.strip() and after.strip()):
        corpus.problems.append(PresetProblem(key, shown(line), LINE))
        return
    start, rest = (tokenize(part, kind, ()).tokens for part in (given, after))
    for k, token in enumerate(rest):
        prompt = (*start, *rest[:k])
        known = corpus.counts.setdefault(prompt, {})
        if known and token not in known and not open_ended:
            found = f"{token!r} after {' '.join(prompt)!r}"
            expected = f"{next(iter(known))!r} as in a line above: a prompt has one next token"
            corpus.problems.append(PresetProblem(key, found, expected))
            continue
        known[token] = known.get(token, 0) + count


def _ties(counts: Mapping[Prompt, Mapping[str, int]]) -> Iterator[PresetProblem]:
    for prompt, after in counts.items():
        most = max(after.values())
        first = [repr(token) for token, count in after.items() if count == most]
        if len(first) > 1:
            found = f"{' and '.join(first)} equally often after {' '.join(prompt)!r}"
            yield PresetProblem("corpus.texts", found, "one next token that is the most frequent")
