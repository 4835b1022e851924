"""The kinds of steps that say how good a guess was; their decimals are fixed."""

from generator.steps.kind import Kind, Letter, Shown, given, letter

LINE = Shown("line", order=5)  # asked after the choice


def _found(name: str, symbol: Letter, shown: Shown = LINE, *, live: bool = False) -> Kind:
    return Kind(
        f"loss.{name}",
        symbol,
        "choice",
        "output",
        asked=None,
        in_decimals=False,
        live=live,
        rows="one",
        shown=shown,
    )


KINDS = (
    given("loss.target", letter("tok*", r"\mathrm{tok}^{*}"), "choice", "output", shown=LINE),
    _found("onehot", letter("OH*", r"\mathrm{OH}^{*}"), Shown(order=5)),
    _found("id", letter("ID*", r"\mathrm{ID}^{*}")),
    _found("probability", letter("P*", "P^{*}")),
    _found("cross_entropy", letter("CE", r"\mathrm{CE}"), live=True),
    _found("perplexity", letter("PP", r"\mathrm{PP}"), live=True),
)
