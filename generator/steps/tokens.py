"""The kinds of steps from the tokens to their embeddings."""

from generator.steps.kind import Asked, Kind, given, letter

KINDS = (
    given("tokens", letter("t"), "input", "tokens", rows="tokens"),
    given("vocabulary.words", letter("w"), "input", "tokens", rows="words"),
    given("vocabulary.embedding", letter("W_E", "W_{E}"), "input", "tokens", rows="words"),
    Kind("onehot", letter("O"), "input", "tokens", asked=None, in_decimals=False, live=False),
    Kind(
        *("ids", letter("ID", r"\mathrm{ID}"), "input", "tokens"),
        asked=Asked(1),
        in_decimals=False,
        live=False,
    ),
    Kind(
        "embedding", letter("E"), "input", "tokens", asked=Asked(1), in_decimals=False, live=False
    ),
    Kind(
        "similarity",
        letter("E·Eᵀ", r"EE^{\mathsf{T}}"),
        "input",
        "tokens",
        asked=Asked(2, worked=3),
        in_decimals=True,
        live=True,
        square=True,
    ),
)
