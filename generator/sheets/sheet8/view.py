"""What the template of sheet 8 may ask: the curve, the three points, their texts.

Also here:

* What sheet 8 says of its own result, each sentence with what must be true of it.
"""

from collections.abc import Iterator

from markupsafe import Markup

from generator.engine.trace import Trace
from generator.insight import learned
from generator.insight.behaviour import drawn_words
from generator.insight.claims import Claim
from generator.insight.learned import CHANCE, EVEN_LOSS, EXPONENT, LOSS, POINTS
from generator.insight.slips import Slip
from generator.sheets.context import Context
from generator.sheets.loss_chart import SMALL, LossChart
from generator.sheets.sheet8.plan import Plan8

LARGE = 4.3  # mm: 18 pt when a page in large print is enlarged
ONE = 1.0  # a loss to look for on the curve
ORDER = (1, 2, 0)  # in which the texts stand, so that pupils have something to sort


def texts_differ(trace: Trace, plan: Plan8) -> bool:
    """Whether no two of the three points write the same, so that each can be told."""
    return len({text.greedy for text in plan.texts}) == len(plan.texts)


def reads_better(trace: Trace, plan: Plan8) -> bool:
    """Whether the right token has more P at the end than in the middle, and the texts differ.

    By the given losses: P is asked.
    """
    chances = trace[CHANCE].op.value(trace[EXPONENT].values)
    _, middle, end = trace.rounded_as(CHANCE, chances)[:, 0]
    return texts_differ(trace, plan) and bool(end > middle)


def some_set(trace: Trace, plan: object) -> bool:
    """Whether sheet math counts more than was learned, and nothing that was drawn."""
    count = learned.parameters(trace)
    return count is not None and count.fixed > 0 and not drawn_words(trace)


def nearly_down(trace: Trace, plan: Plan8) -> bool:
    """Whether `NEARLY` all of the way down was done in the first quarter of the steps."""
    history, losses = plan.history, dict(plan.history.losses)
    start, middle, end = (losses[step] for step in learned.points(history))
    done = start > end and start - middle >= learned.NEARLY * (start - end)
    return done and 4 * learned.points(history)[1] <= history.steps


def worse_than_even(trace: Trace, plan: Plan8) -> bool:
    """Whether the loss of a die, as printed, lies between those of start and end."""
    start, _, end = trace[LOSS].values[:, 0]
    return bool(start > trace[EVEN_LOSS].values[0, 0] > end)


def never_worse(trace: Trace, plan: Plan8) -> bool:
    """Whether even the first loss is not above that of a die, and the last one is smaller still."""
    start, _, end = trace[LOSS].values[:, 0]
    return bool(trace[EVEN_LOSS].values[0, 0] >= start > end)


CLAIMS = {
    "sheet8.answer.compare": Claim(reads_better, "sheet8.answer.compare.general"),
    "sheet8.task.match": Claim(texts_differ, "sheet8.task.texts"),
    "sheet8.task.compare": Claim(reads_better, "sheet8.task.compare.general"),
    "sheet8.task.read": Claim(lambda _, plan: learned.first_below(plan.history, ONE) is not None),
    "sheet8.answer.even": Claim(worse_than_even, "sheet8.answer.even.better"),
    "sheet8.answer.even.better": Claim(never_worse),
    "sheet8.finding": Claim(reads_better, "sheet8.finding.general"),
    "sheet8.story.close": Claim(reads_better, "sheet8.story.close.general"),
    "sheet8.curve.counted": Claim(some_set),
    "sheet8.curve.middle": Claim(nearly_down, "sheet8.curve.middle.general"),
    "sheet8.curve.kept": Claim(lambda trace, plan: plan.history.kept < plan.history.steps),
    "sheet8.curve.rounded": Claim(lambda trace, plan: plan.history.free < plan.history.steps),
}


class View8(Context):
    """The view of sheet 8 that its template has."""

    claims = CLAIMS

    plan: Plan8

    @property
    def _chart(self) -> LossChart:
        return LossChart(self.plan.history.losses, LARGE if self.options.large_print else SMALL)

    def chart(self) -> Markup:
        """The curve, with the three points marked."""
        t, history = self.catalogue.t, self.plan.history
        marks = {self.point(k): step for k, step in enumerate(learned.points(history))}
        axes = t("sheet8.axis.step"), t("sheet8.axis.loss")
        return Markup(self._chart.svg(*axes, self.options.language, marks))

    def point(self, k: int) -> str:
        """What the curve calls a point."""
        return self.catalogue.t(f"sheet8.point.{POINTS[k]}")

    def steps(self) -> tuple[int, ...]:
        """The steps of the three points."""
        return learned.points(self.plan.history)

    def texts(self) -> Iterator[tuple[int, learned.ModelText]]:
        """The number of a point and its texts, mixed."""
        return ((k, self.plan.texts[k]) for k in ORDER)

    def facts(self) -> dict[str, str]:
        """The names in sentences about the training."""
        history = self.plan.history
        count = learned.parameters(self.trace) or learned.ParameterCount(0, 0)
        return {
            "preset": self.called,
            "numbers": str(count.learned),
            "fixed": str(count.fixed),
            "counted": str(sum(count)),
            "steps": str(history.steps),
            **dict(zip(POINTS, map(str, self.steps()), strict=True)),
            "rounded": str(history.free + 1),
            "words": str(len(self.trace.preset.words)),
        }

    def below(self) -> int | None:
        """The step that pupils read off: the first whose loss is below 1."""
        return learned.first_below(self.plan.history, ONE)

    def read(self) -> dict[str, int]:
        """The first and the last step that are right for it. Only for solutions."""
        return dict(zip(("low", "high"), self._chart.near(self.below() or 1), strict=True))

    def slips(self) -> list[Slip]:
        return learned.slips(self.trace)

    def named(self, slip: Slip) -> dict[str, str]:
        return {"point": self.point(slip.i)} if slip.step == CHANCE else {}

    def telling(self) -> dict[str, str]:
        chances = {name: self.shown(CHANCE, k, 0) for k, name in enumerate(POINTS)}
        texts = {f"{POINTS[k]}_text": text.greedy for k, text in enumerate(self.plan.texts)}
        return {**self.facts(), **chances, **texts}

    def hints(self) -> tuple[str, ...]:
        return ("chance", "texts")
