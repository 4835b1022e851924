"""The kinds of steps from the tokens to their embeddings."""

from generator.steps.kind import Asked, Kind, Shown, given, letter

WORDS, ALIKE, WHICH = Shown(group="words"), Shown(group="alike"), Shown(group="which")

KINDS = (
    given(
        "tokens",
        letter("tok", r"\mathrm{tok}"),
        "input",
        "tokens",
        rows="tokens",
        shown=Shown("labels"),
    ),
    given(
        "vocabulary.words",
        letter("voc", r"\mathrm{voc}"),
        "input",
        "tokens",
        rows="words",
        shown=Shown("labels", "words"),
    ),
    given(
        "vocabulary.embedding", letter("W_E", "W_{E}"), "input", "tokens", rows="words", shown=WORDS
    ),
    Kind(
        "onehot",
        letter("OH", r"\mathrm{OH}"),
        "input",
        "tokens",
        asked=None,
        in_decimals=False,
        live=False,
        by_word=True,
        shown=WHICH,
    ),
    Kind(
        *("ids", letter("ID", r"\mathrm{ID}"), "input", "tokens"),
        asked=Asked(1),
        in_decimals=False,
        live=False,
        shown=WHICH,
    ),
    Kind(
        "embedding",
        letter("E"),
        "input",
        "tokens",
        asked=Asked(1),
        in_decimals=False,
        live=False,
        shown=ALIKE,
    ),
    Kind(
        "similarity",
        letter("Sim", r"\mathrm{Sim}"),
        "input",
        "tokens",
        asked=Asked(2, worked=3),
        in_decimals=True,
        live=True,
        square=True,
        shown=ALIKE,
    ),
)
