"""A computed row beside the same row as somebody else printed it."""

from decimal import Decimal

from generator.engine.compare import Compare
from generator.engine.trace import Step
from generator.errors import UserError
from generator.notation.numbers import number
from generator.render.walk.page import Table
from generator.render.walk.printed_numbers import Printed

DEVIATION = 6  # decimals


def comparison(printed: Printed, step: Step, compare: Compare) -> Table:
    """Computed, given, deviation: a row each; the deviation is that of the unrounded numbers."""
    _require_fit(step, compare)
    t, language = printed.catalogue.t, printed.language
    decimals = max(_decimals(value) for value in compare.values)
    computed = [float(value) for value in step.values[compare.row]]
    pairs = zip(computed, compare.values, strict=True)
    return Table(
        rows=tuple(t(f"walk.compare.{key}") for key in ("computed", "given", "deviation")),
        columns=printed.labels(step.columns, step),
        cells=(
            tuple(number(value, decimals, language) for value in computed),
            tuple(number(value, decimals, language) for value in compare.values),
            tuple(number(mine - other, DEVIATION, language) for mine, other in pairs),
        ),
    )


def _require_fit(step: Step, compare: Compare) -> None:
    rows, columns = step.shape
    if compare.row >= rows or len(compare.values) != columns:
        raise UserError(
            f"[compare] in the preset: found row {compare.row + 1} with {len(compare.values)} "
            f"values, expected a row from 1 to {rows} and {columns} values, as {step.name} has"
        )


def _decimals(value: float) -> int:
    exponent = Decimal(repr(value)).as_tuple().exponent
    return max(0, -int(exponent))
