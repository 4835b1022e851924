"""What `make` is asked for: outputs, sheets, variants, and the folder that they go to."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from generator.engine.learning import USUAL_RATE, Training
from generator.engine.trace import Trace
from generator.errors import require_known
from generator.processes import require_jobs
from generator.sheets.options import OUTPUTS, SheetOptions
from generator.sheets.own_texts import AnyTexts, any_texts
from generator.sheets.routes import by_route
from generator.slug import code, folder_name, slug

VARIANTS = ("blank", "solution", "both")
OWN = ("variant", "rounds", "jobs")
NOTEBOOK = "ipynb"  # an output of `make` alone
ALL = ("all",)  # sheets: those that the preset can fill
FOLDERS = {"blank": "hand-out", "solution": "teacher"}


@dataclass(frozen=True)
class Request:
    """What to make of one computation; a name that does not exist is a `UserError`.

    `only` None stands for the workbooks and PDFs, with HTML in their place where Pango is missing;
    `sheets` None for all that the preset can fill; with names the workbooks have just those tabs.
    `rounds` is how often the workbooks choose a next token; `jobs` are processes, by default one a
    processor. The computation decides the language.
    """

    only: tuple[str, ...] | None = None
    sheets: tuple[str, ...] | None = None
    variant: str = "both"
    worksheet: SheetOptions = field(default_factory=SheetOptions)
    rounds: int = 1
    jobs: int | None = None

    def __post_init__(self) -> None:
        for name in self.only or ():
            require_known("output", name, (*OUTPUTS, NOTEBOOK))
        require_known("variant", self.variant, VARIANTS)
        require_jobs(self.jobs)

    @classmethod
    def asked(
        cls, only: Iterable[str] | None = None, *, texts: AnyTexts | None = None, **options: Any
    ) -> "Request":
        """What a user's words describe; options beyond its own are the worksheets'.

        A `route` decides the sheets and the level, see `by_route`.
        """
        options = by_route(options)
        sheets = options.pop("sheets", ALL)
        own: dict[str, Any] = {name: options.pop(name) for name in OWN if name in options}
        return cls(
            only=None if only is None else tuple(only),
            sheets=None if sheets is None or tuple(sheets) == ALL else tuple(sheets),
            worksheet=SheetOptions(**options, texts=any_texts(texts)),
            **own,
        )

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants to write, "blank" before "solution"."""
        return tuple(FOLDERS) if self.variant == "both" else (self.variant,)

    def folder(self, trace: Trace) -> str:
        """The name of the result folder: of the computation, and of other sizes than the usual.

        So a short form or large print never mixes with the files of another.
        """
        chosen = self.worksheet
        marks = [f"level-{chosen.level}"] if chosen.level != SheetOptions.level else []
        marks += [f"route-{chosen.route}"] if chosen.route else []
        marks += [] if chosen.budget is None else [f"{chosen.budget}-minutes"]
        marks += ["large"] if chosen.large_print else []
        marks += _marks(trace.training) if trace.training else []
        marks += [slug("class", "|".join(trace.sentences))] if trace.sentences else []
        name = folder_name(trace)
        return "-".join([name, *marks])

    def options(self, trace: Trace) -> SheetOptions:
        """The choices for worksheets of a computation; a QR code says which one it is."""
        chosen = self.worksheet
        if chosen.qr and not chosen.code:
            chosen = replace(chosen, code=code(trace))
        return replace(chosen, language=trace.language)


def _marks(training: Training) -> list[str]:
    """What tells the files of one training from those of another: "train-2", "rate-0.5"."""
    marks = [f"train-{training.steps}"]
    marks += [f"rate-{training.rate:g}"] if training.rate != USUAL_RATE else []
    marks += [training.targets] if training.targets != "last" else []
    return marks + ([slug(" ".join(training.only), "|".join(training.only))] * bool(training.only))
