"""The kinds of steps that count a model's parameters."""

from generator.steps.kind import LINE, Kind, Letter, given, letter


def _count(name: str, symbol: Letter) -> Kind:
    return Kind(
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


KINDS = (
    given("count.size", letter("n"), "count", "count"),
    _count("query_key_value", letter("n_QKV", r"n_{QKV}")),
    _count("attention_output", letter("n_O", r"n_{O}")),
    _count("feedforward", letter("n_F", r"n_{F}")),
    _count("norm", letter("n_N", r"n_{N}")),
    _count("bias", letter("n_b", r"n_{b}")),
    _count("embedding", letter("n_E", r"n_{E}")),
    _count("position", letter("n_PE", r"n_{PE}")),
    _count("output", letter("n_U", r"n_{U}")),
    _count("block", letter("n_Block", r"n_{\mathrm{Block}}")),
    _count("blocks", letter("n_L", r"n_{L}")),
    _count("total", letter("n_Σ", r"n_{\Sigma}")),
)
