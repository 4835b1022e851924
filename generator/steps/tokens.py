"""The kinds of steps from the tokens to their embeddings.

Also here:

* The kinds of steps from places in the sentence to the model's input.
* The kinds of steps of byte-pair encoding; only workbooks have them, so they need no symbols.
* The kinds of steps that count a model's parameters.
* The kinds of switches that a class plays with.
"""

from functools import partial

from generator.steps.kind import LINE, Asked, StepKind, TabStyle, computed, given, letter

WORDS, ALIKE, WHICH = TabStyle(group="words"), TabStyle(group="alike"), TabStyle(group="which")
LABELS = TabStyle("labels")

_given = partial(given, chapter="input", tab="tokens")
_copied = partial(StepKind, chapter="input", tab="tokens")

KINDS = (
    _given("tokens", letter("tok", r"\mathrm{tok}"), rows="tokens", shown=LABELS),
    _given(
        *("vocabulary.words", letter("voc", r"\mathrm{voc}")),
        rows="words",
        shown=TabStyle("labels", "words"),
    ),
    _given("vocabulary.embedding", letter("W_E", "W_{E}"), rows="words", shown=WORDS),
    _copied("onehot", letter("OH", r"\mathrm{OH}"), by_word=True, shown=WHICH),
    _copied("ids", letter("ID", r"\mathrm{ID}"), asked=Asked(1), shown=WHICH),
    _copied("embedding", letter("E"), asked=Asked(1), shown=ALIKE),
    computed(
        *("similarity", letter("Sim", r"\mathrm{Sim}"), "input", "tokens"),
        asked=Asked(2, worked=3),
        square=True,
        shown=ALIKE,
    ),
)

PE, POS = letter("PE", r"\mathrm{PE}"), letter("pos", r"\mathrm{pos}")
PLACES, CURVES = TabStyle(group="places"), TabStyle(group="places", chart="curves")

_place = partial(given, chapter="input", tab="input")
_input = partial(computed, chapter="input", tab="input")

POSITIONS = (
    _place("position.index", POS, rows="tokens", shown=PLACES),
    _place("position.index.new", POS, shown=LINE),
    _place("position.new", PE),
    _input("position.divisor", letter("D"), rows="one"),
    _input("position.angle", letter("φ", r"\varphi"), asked=Asked(3), shown=PLACES),
    _input("position", PE, asked=Asked(2), source="either", shown=CURVES, says=True),
    _input("input", letter("X"), asked=Asked(1, worked=3), source="matrix", says=True),
)

_word = partial(given, letter=None, chapter=None, tab="bpe")
_bpe = partial(StepKind, letter=None, chapter=None, tab="bpe", rows="one", numbered="merge")

PAIRS = (
    _word("bpe.words"),
    _word("bpe.counts"),
    _bpe("bpe.corpus"),
    _bpe("bpe.sizes"),
    _bpe("bpe.length", live=True),
    _bpe("bpe.merge.places"),
    _bpe("bpe.merge.pairs", asked=Asked(1, row="pairs")),
    _bpe("bpe.merge.most"),
    _bpe("bpe.merge.best"),
    _bpe("bpe.merge.winner", shown=TabStyle(result=True)),
    _bpe("bpe.merge.corpus"),
    _bpe("bpe.merge.sizes"),
    _bpe("bpe.merge.length", asked=Asked(1, row="merges"), live=True),
    _word("bpe.encoding.word"),
    _bpe("bpe.encoding.spelled"),
    _bpe("bpe.encoding.letters"),
    _bpe("bpe.encoding.rule"),
    _bpe("bpe.encoding.tokens"),
    _bpe("bpe.encoding.ratio", live=True),
)

_count = partial(StepKind, chapter="count", tab="count", live=True, rows="one", shown=LINE)

COUNTS = (
    given("count.size", letter("N"), "count", "count"),
    _count("count.query_key_value", letter("N_QKV", r"N_{QKV}")),
    _count("count.attention_output", letter("N_O", r"N_{O}")),
    _count("count.feedforward", letter("N_F", r"N_{F}")),
    _count("count.norm", letter("N_N", r"N_{N}")),
    _count("count.bias", letter("N_b", r"N_{b}")),
    _count("count.embedding", letter("N_E", r"N_{E}")),
    _count("count.position", letter("N_PE", r"N_{PE}")),
    _count("count.output", letter("N_U", r"N_{U}")),
    _count("count.block", letter("N_Block", r"N_{\mathrm{Block}}")),
    _count("count.blocks", letter("N_L", r"N_{L}")),
    _count("count.total", letter("N_Σ", r"N_{\Sigma}")),
)

_switch = partial(given, chapter="input", tab="start")

SWITCHES = (
    _switch("switch.mask", letter("on_M", r"\mathrm{on}_{M}")),
    _switch("switch.scale", letter("on_d", r"\mathrm{on}_{d}")),
    _switch("switch.position", letter("on_PE", r"\mathrm{on}_{\mathrm{PE}}")),
    _switch("switch.heads", letter("on_head", r"\mathrm{on}_{\mathrm{head}}")),
    _switch("switch.learning", letter("on_W", r"\mathrm{on}_{W}"), chapter="update"),
)
