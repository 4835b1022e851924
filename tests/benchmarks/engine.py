"""Where the engine's time goes: its operations alone, step by step, then with all around them."""

from time import process_time

from generator.engine.model import compute
from generator.engine.rounding import guarded
from generator.engine.step import GIVEN, Step
from generator.engine.trace import Trace
from tests.benchmarks import models
from tests.benchmarks.bare_numpy import Bare
from tests.benchmarks.measure import Job

TIMES = 100


def operations(trace: Trace, *, rounded: bool, named: bool) -> None:
    """Each step's operation again, one after the other; rounded and kept under a name if asked."""
    kept: dict[str, Step] = {}
    for step in trace:
        if step.op is GIVEN:
            continue
        values = step.op.value(*[trace.steps[name].values for name in step.inputs])
        if rounded and step.rounded and step.decimals is not None:
            values = guarded(values, step.decimals)
        if named:
            kept[step.name] = Step(step.name, step.op, step.inputs, values, *step[4:])


def parts() -> dict[str, tuple[float, float]]:
    """The least time of each part in ms, in exact and in paper arithmetic."""
    exact, paper = _parts("exact"), _parts("paper")
    return {what: (exact[what], paper[what]) for what in exact}


def _parts(rounding: str) -> dict[str, float]:
    preset = models.large()
    sentence = models.sentence(preset)
    tokens = tuple(sentence.split())
    bare, trace = Bare(preset, tokens), compute(preset, sentence, rounding=rounding)
    jobs: dict[str, Job] = {
        "bare NumPy": lambda: bare.probabilities(tokens),
        "operations": lambda: operations(trace, rounded=False, named=False),
        "… rounded": lambda: operations(trace, rounded=True, named=False),
        "… and kept as steps": lambda: operations(trace, rounded=True, named=True),
        "all of it": lambda: compute(preset, sentence, rounding=rounding),
        "all of it, the first time": lambda: (
            preset.computed.clear(),
            compute(preset, sentence, rounding=rounding),
        ),
    }
    return {what: 1000 * min(_time(job) for _ in range(TIMES)) for what, job in jobs.items()}


def _time(job: Job) -> float:
    start = process_time()
    job()
    return process_time() - start
