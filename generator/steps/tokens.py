"""The kinds of steps from the tokens to their embeddings.

Also here:

* The kinds of steps of byte-pair encoding; only workbooks have them, so they need no symbols.
* The kinds of steps that count a model's parameters.
* The kinds of switches that a class plays with.
"""

from generator.steps.kind import LINE, TABLE, Asked, Letter, StepKind, TabStyle, given, letter

WORDS, ALIKE, WHICH = TabStyle(group="words"), TabStyle(group="alike"), TabStyle(group="which")

KINDS = (
    given(
        "tokens",
        letter("tok", r"\mathrm{tok}"),
        "input",
        "tokens",
        rows="tokens",
        shown=TabStyle("labels"),
    ),
    given(
        "vocabulary.words",
        letter("voc", r"\mathrm{voc}"),
        "input",
        "tokens",
        rows="words",
        shown=TabStyle("labels", "words"),
    ),
    given(
        "vocabulary.embedding", letter("W_E", "W_{E}"), "input", "tokens", rows="words", shown=WORDS
    ),
    StepKind(
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
    StepKind(
        *("ids", letter("ID", r"\mathrm{ID}"), "input", "tokens"),
        asked=Asked(1),
        in_decimals=False,
        live=False,
        shown=WHICH,
    ),
    StepKind(
        "embedding",
        letter("E"),
        "input",
        "tokens",
        asked=Asked(1),
        in_decimals=False,
        live=False,
        shown=ALIKE,
    ),
    StepKind(
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


def _bpe(
    name: str, *, asked: Asked | None = None, live: bool = False, shown: TabStyle = TABLE
) -> StepKind:
    return StepKind(
        f"bpe.{name}",
        None,
        None,
        "bpe",
        asked=asked,
        in_decimals=False,
        live=live,
        rows="one",
        numbered="merge",
        shown=shown,
    )


PAIRS = (
    given("bpe.words", None, None, "bpe"),
    given("bpe.counts", None, None, "bpe"),
    _bpe("corpus"),
    _bpe("sizes"),
    _bpe("length", live=True),
    _bpe("merge.places"),
    _bpe("merge.pairs", asked=Asked(1, row="pairs")),
    _bpe("merge.most"),
    _bpe("merge.best"),
    _bpe("merge.winner", shown=TabStyle(result=True)),
    _bpe("merge.corpus"),
    _bpe("merge.sizes"),
    _bpe("merge.length", asked=Asked(1, row="merges"), live=True),
    given("bpe.encoding.word", None, None, "bpe"),
    _bpe("encoding.spelled"),
    _bpe("encoding.letters"),
    _bpe("encoding.rule"),
    _bpe("encoding.tokens"),
    _bpe("encoding.ratio", live=True),
)


def _count(name: str, symbol: Letter) -> StepKind:
    return StepKind(
        f"count.{name}",
        symbol,
        "count",
        "count",
        asked=None,
        in_decimals=False,
        live=True,
        rows="one",
        shown=LINE,
    )


COUNTS = (
    given("count.size", letter("N"), "count", "count"),
    _count("query_key_value", letter("N_QKV", r"N_{QKV}")),
    _count("attention_output", letter("N_O", r"N_{O}")),
    _count("feedforward", letter("N_F", r"N_{F}")),
    _count("norm", letter("N_N", r"N_{N}")),
    _count("bias", letter("N_b", r"N_{b}")),
    _count("embedding", letter("N_E", r"N_{E}")),
    _count("position", letter("N_PE", r"N_{PE}")),
    _count("output", letter("N_U", r"N_{U}")),
    _count("block", letter("N_Block", r"N_{\mathrm{Block}}")),
    _count("blocks", letter("N_L", r"N_{L}")),
    _count("total", letter("N_Σ", r"N_{\Sigma}")),
)


SWITCHES = (
    given("switch.mask", letter("on_M", r"\mathrm{on}_{M}"), "input", "start"),
    given("switch.scale", letter("on_d", r"\mathrm{on}_{d}"), "input", "start"),
    given("switch.position", letter("on_PE", r"\mathrm{on}_{\mathrm{PE}}"), "input", "start"),
    given("switch.heads", letter("on_head", r"\mathrm{on}_{\mathrm{head}}"), "input", "start"),
    given("switch.learning", letter("on_W", r"\mathrm{on}_{W}"), "update", "start"),
)
