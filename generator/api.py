"""The Python interface: compute a sentence, load a preset, write the files."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from generator.engine.model import compute as compute_preset
from generator.engine.paper import require_short_numbers
from generator.engine.preset import Preset
from generator.engine.tokenizers import cleaned
from generator.engine.trace import Trace
from generator.errors import UserError
from generator.presets.language import in_language, translated
from generator.presets.load import load_preset


def compute(
    sentence: str | None = None,
    *,
    preset: str | Path | Preset = "katze",
    rounding: str | None = None,
    language: str | None = None,
    edits: Mapping[str, object] | None = None,
    controls: bool = False,
    rounds: int = 1,
) -> Trace:
    """Every intermediate value of a small Transformer for a sentence, as a Trace.

    `preset` is a shipped name, a TOML file or a loaded Preset; without a sentence its own is
    taken. `rounding` is "paper" or "exact", by default the preset's; `language` ("de", "en")
    takes the preset's words in that language, and translates those of them that the sentence
    holds. `controls` adds the switches of a workbook as steps; `rounds` above 1 appends the chosen
    token and computes again, under names that begin with `round2.`. Raises `UserError` for
    anything a user can mend.
    """
    loaded = preset if isinstance(preset, Preset) else load_preset(preset)
    chosen = in_language(loaded, language or loaded.language)
    original = sentence
    if sentence is not None and chosen is not loaded:
        sentence = translated(loaded, chosen.language, sentence)
    if rounding == "paper" and chosen.rounding != "paper":
        require_short_numbers(chosen)
    trace = compute_preset(
        chosen, sentence, rounding=rounding, edits=edits, controls=controls, rounds=rounds
    )
    if original is not None:
        trace.notices = cleaned(original)[1]
    return trace


def write(
    trace: Trace,
    folder: str | Path,
    only: Iterable[str] | None = None,
    *,
    sheets: Iterable[str] | None = None,
    variant: str = "both",
    rounds: int = 1,
    texts: str | Path | Mapping[str, str] | None = None,
    **options: Any,
) -> list[Path]:
    """Write a Trace's workbooks and worksheets below a folder; gives the paths back.

    `only` names outputs ("xlsx", "pdf", "html"), by default the workbooks and PDFs; `sheets` names
    worksheets, by default all that the preset can fill, and leaves only their tabs in the
    workbooks; `variant` is "blank", "solution" or "both"; `rounds` is how often the workbooks
    choose a next token. Further options are those of a worksheet: `level`, `budget`, `part`,
    `story`, `header`, `author`, `licence`, `carry`, `large_print`, `duplex`, `points` (see
    `SheetOptions`); `level` is the exercise's too. `texts` are own story and tasks: a file, or
    phrases by key (see `own_texts`).
    Raises `UserError` where one could not be made; the others are then written all the same.
    """
    from generator.make import Request, make  # renderers are heavy: loaded when they are needed
    from generator.render.worksheet.options import SheetOptions
    from generator.render.worksheet.own_texts import own_texts, read_texts

    if texts is not None:
        found = own_texts(texts) if isinstance(texts, Mapping) else read_texts(texts)
        options["texts"] = found
    request = Request(
        only=None if only is None else tuple(only),
        sheets=None if sheets is None else tuple(sheets),
        variant=variant,
        rounds=rounds,
        worksheet=SheetOptions(**options),
    )
    made = make(trace, request, Path(folder))
    if made.problems:
        raise UserError("\n".join(made.problems))
    return made.paths


__all__ = ["compute", "load_preset", "write"]
