"""What a class gets: every choice that decides the bytes of a pupil's files but the pupil.

Also here:

* A lesson as a manifest holds it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, SerializerFunctionWrapHandler, WrapSerializer

from generator.checks.judging import USUAL
from generator.classroom.numbers.variation import Variation, parse
from generator.classroom.pupils.pupil_codes import code_of
from generator.engine.preset import Preset
from generator.errors import refused, require, require_known
from generator.presets.defaults import CLASS
from generator.presets.load import load_preset
from generator.render.worksheet.pdf import named
from generator.sheets.mosaic import require_some
from generator.sheets.options import OUTPUTS, SheetOptions, among
from generator.sheets.own_texts import AnyTexts, any_texts
from generator.sheets.series import SERIES, SHEETS, TOGETHER, in_workbook, require_sheet, resolved

MOST_VERSIONS = 100
INFOS = ("once", "each", "none")
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0)]
# Options of `asked` that are fields as they are said.
PLAIN = ("sentence", "language", "rounding", "versions", "print_names", "info", "row")


def _judging_last(options: SheetOptions, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
    """The choices for worksheets in the order that manifests have always had."""
    data = plain(options)
    data.pop("among")  # the lesson's sheets say it
    judging = {name: data.pop(name) for name in vars(USUAL)}
    return {**data, **judging}


class Settings(BaseModel, extra="forbid"):
    """A lesson in a manifest: as `Lesson` has it, its preset by name and content."""

    preset: str
    preset_sha256: Digest
    sheets: tuple[str, ...]
    vary: str
    sentence: str | None
    language: str | None
    rounding: str | None
    edits: dict[str, Any]
    outputs: tuple[str, ...]
    worksheet: Annotated[SheetOptions, WrapSerializer(_judging_last)]
    versions: Count
    print_names: bool
    info: str
    sentences: tuple[str, ...]
    row: Count


@dataclass(frozen=True)
class Lesson:
    """The choices of one batch.

    `preset`, `sentence`, `language` and the level in `worksheet` are those of pupils for whom the
    class list says nothing else. `seed` decides all individual numbers. With `versions` above 0
    that many sets are made and pupils are given one of them. `edits` change given numbers for all.
    `sentences` are what the groups of sheet 7d learn; none: beginnings of the sentence.
    `info` says how often the copier's file has the info leaves: "once", with "each" set, or "none".
    `row` are the seats side by side of an exam in versions: who has which one depends on it.
    """

    preset: Preset
    seed: str
    sheets: tuple[str, ...]
    variation: Variation
    sentence: str | None = None
    language: str | None = None
    rounding: str | None = None
    edits: Mapping[str, object] = field(default_factory=dict)
    outputs: tuple[str, ...] = ("xlsx", "pdf")
    worksheet: SheetOptions = field(default_factory=SheetOptions)
    versions: int = 0
    print_names: bool = False
    info: str = "once"
    sentences: tuple[str, ...] = ()
    row: int = 0

    def __post_init__(self) -> None:
        require_known("info", self.info, INFOS)
        for output in self.outputs:
            require_known("output", output, OUTPUTS)
        for sheet in self.sheets:
            require_sheet(sheet)
        self._require_together()
        self._require_own()
        require_some(self.worksheet.mosaic, self.sheets)
        for what, text in {"--seed": self.seed, "sentence": self.sentence or ""}.items():
            try:  # half characters, as a terminal with another encoding gives them
                text.encode()
            except UnicodeEncodeError as error:
                raise refused("lesson.text", what=what, text=text) from error
        few = 0 <= self.versions <= MOST_VERSIONS
        require(few, "lesson.versions", versions=self.versions, most=MOST_VERSIONS)

    def _require_together(self) -> None:
        """Raise a `UserError` for sentences of groups that nobody would read."""
        by_sentence = self.variation.kind == "sentences"
        made = TOGETHER in self.sheets
        require(made or not by_sentence, "lesson.together", sheet=TOGETHER)
        read = by_sentence or not self.sentences
        require(read, "lesson.sentences", variation=self.variation)

    def _require_own(self) -> None:
        """Raise a `UserError` where there would be nothing for each pupil."""
        names = ",".join(self.sheets)
        require(self.filled, "lesson.own", names=names, preset=self.preset)
        some = self.outputs != ("xlsx",) or any(in_workbook(self.filled))
        require(some, "lesson.tabs", names=names, known=", ".join(in_workbook(SHEETS)))

    @property
    def filled(self) -> tuple[str, ...]:
        """The sheets that everybody fills in on their own; the class has the others in common."""
        return tuple(sheet for sheet in self.sheets if SERIES[sheet].kind.filled)

    @property
    def batch(self) -> str:
        """The batch's own code, which stands in every file that is to come back.

        Drawn as a pupil's is: the seed cannot be read out of it. Lessons of one seed differ in it.
        """
        return code_of(self.seed, f"batch {self.preset.sha256} {','.join(self.sheets)}")

    def options(self, language: str, level: int) -> SheetOptions:
        """The choices for worksheets in a language and at a level."""
        return replace(self.worksheet, language=language, level=level, among=among(self.sheets))

    @property
    def teachers(self) -> SheetOptions:
        """The choices for papers that are the teacher's, in the language of the lesson."""
        return replace(self.worksheet, language=self.language or self.preset.language)

    def settings(self) -> Settings:
        """All choices as a manifest holds them, and as two runs must share them."""
        own = {k: v for k, v in vars(self).items() if k not in ("preset", "seed", "variation")}
        preset, vary = self.preset, str(self.variation)
        return Settings(preset=preset.source, preset_sha256=preset.sha256, vary=vary, **own)

    @classmethod
    def asked(
        cls,
        *,
        seed: str,
        outputs: tuple[str, ...],
        preset: str | Path | Preset = CLASS,
        sheets: Iterable[str] = ("4a",),
        vary: str | None = None,
        sentences: Iterable[str] = (),
        edits: Mapping[str, object] | None = None,
        texts: AnyTexts | None = None,
        **options: Any,
    ) -> "Lesson":
        """The lesson that a user's words describe; options beyond its own are the worksheets'.

        Without `vary` it is "sentences" where these are given, else "focus".
        A class's sheets are copied on both sides, so their margins are for that if not said else;
        what makes PDFs here is named, so that a manifest says it.
        """
        of_groups = tuple(sentences)
        plain = {name: options.pop(name) for name in PLAIN if name in options}
        worksheet = SheetOptions(**{"duplex": True, **options}, texts=any_texts(texts))
        return cls(
            preset=preset if isinstance(preset, Preset) else load_preset(preset),
            seed=seed,
            sheets=resolved(sheets),
            variation=parse(vary or ("sentences" if of_groups else "focus")),
            sentences=of_groups,
            edits=dict(edits or {}),
            outputs=outputs,
            worksheet=named(worksheet) if "pdf" in outputs else worksheet,
            **plain,
        )

    @classmethod
    def of_settings(cls, settings: Settings, preset: Preset, seed: str) -> "Lesson":
        """The lesson that these settings, of this preset and with this seed, describe."""
        own = {name: value for name, value in settings if name not in ("preset_sha256", "vary")}
        return cls(**{**own, "preset": preset}, seed=seed, variation=parse(settings.vary))
