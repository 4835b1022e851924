"""The kinds of steps of byte-pair encoding; only workbooks have them, so they need no symbols."""

from generator.steps.kind import TABLE, Asked, Kind, Shown, given


def _bpe(
    name: str, *, asked: Asked | None = None, live: bool = False, shown: Shown = TABLE
) -> Kind:
    return Kind(
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


KINDS = (
    given("bpe.words", None, None, "bpe"),
    given("bpe.counts", None, None, "bpe"),
    _bpe("corpus"),
    _bpe("sizes"),
    _bpe("length", live=True),
    _bpe("merge.places"),
    _bpe("merge.pairs", asked=Asked(1, row="pairs")),
    _bpe("merge.most"),
    _bpe("merge.best"),
    _bpe("merge.winner", shown=Shown(result=True)),
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
