"""What a preset promises of its model, in a form that can be checked on any sentence."""

from dataclasses import dataclass

from generator.engine.choices import Rule


@dataclass(frozen=True)
class Promise:
    """One promise: by `rule`, who looks at whom in a head, or which word is predicted.

    previous: each token looks at the one before it. same: at its earlier copies. after-same: at
    what followed its earlier copies. kinds: tokens of the kinds `who` look at those of the kinds
    `at`; a kind is a named dimension. words: the tokens `who` look at the tokens `at`. In all of
    them these get the share `least` or more. predicts: after `sentence`, "" for the preset's own,
    comes `at`. continues: what followed the last token before comes again, if that was always
    the same other token. repeats: a token of the sentence comes again. writes: from `sentence` on,
    and from each beginning of the texts `at`, greedy decoding writes one of these, and sampling
    does with a probability of `least` or more.

    `tokens` limits the promise to sentences of at most so many tokens, 0 to none. Words are in
    the preset's own language.
    """

    rule: Rule
    head: str
    who: tuple[str, ...]
    at: tuple[str, ...]
    sentence: str
    least: float
    tokens: int
