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
