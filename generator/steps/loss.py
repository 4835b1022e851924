"""The kinds of steps that say how good a guess was; their decimals are fixed."""

from generator.steps.kind import Kind, Letter, Shown, given, letter

LINE = Shown("line", order=5)  # asked after the choice


def _of_loss(name: str, symbol: Letter, shown: Shown = LINE, *, live: bool = False) -> Kind:
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


def _each(name: str, plain: str, latex: str, *, live: bool = True) -> Kind:
    """A step of the loss over every position; training alone has it."""
    return _of_loss(f"all.{name}", letter(plain, latex), LATE, live=live)


LATE = Shown(order=7)

KINDS = (
    given("loss.target", letter("tok*", r"\mathrm{tok}^{*}"), "choice", "output", shown=LINE),
    _of_loss("onehot", letter("OH*", r"\mathrm{OH}^{*}"), Shown(order=5)),
    _of_loss("id", letter("ID*", r"\mathrm{ID}^{*}")),
    _of_loss("probability", letter("P*", "P^{*}")),
    _of_loss("cross_entropy", letter("CE", r"\mathrm{CE}"), live=True),
    _of_loss("perplexity", letter("PP", r"\mathrm{PP}"), live=True),
    _each("states", "Y*", "Y^{*}", live=False),
    _each("logits", "Z*", "Z^{*}"),
    _each("tempered", "Z*_T", "Z^{*}_{T}"),
    _each("max", "max*", r"\max^{*}", live=False),
    _each("shifted", "Z*_0", "Z^{*}_{0}"),
    _each("exp", "Exp*", r"\mathrm{Exp}^{*}"),
    _each("sum", "Σ*", r"\Sigma^{*}"),
    _each("probabilities", "P*_all", r"P^{*}_{\mathrm{all}}"),
    _each("target", "tok*", r"\mathrm{tok}^{*}", live=False),
    _each("onehot", "OH*", r"\mathrm{OH}^{*}", live=False),
    _each("id", "ID*", r"\mathrm{ID}^{*}", live=False),
    _each("probability", "P*", "P^{*}", live=False),
    _each("cross_entropy", "CE*", r"\mathrm{CE}^{*}"),
)
