"""Steps by name or pattern, as `--step` says them."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from generator.engine.trace import Step, Trace
from generator.errors import UserError, did_you_mean

MOST_NAMED = 40  # names in a message; a real model has thousands of steps


def steps_named(trace: Trace, patterns: Iterable[str]) -> tuple[Step, ...]:
    """The steps that any of the patterns fits, such as "block1.head1.*", in order.

    Raises `UserError` for a pattern that fits none.
    """
    wanted = tuple(patterns)
    for pattern in wanted:
        if not any(fnmatchcase(name, pattern) for name in trace.steps):
            raise no_step(trace, pattern)
    return tuple(step for step in trace if any(fnmatchcase(step.name, one) for one in wanted))


def no_step(trace: Trace, pattern: str) -> UserError:
    """What to say of a pattern that no step fits."""
    hint = did_you_mean(pattern, trace.steps)
    names = list(trace.steps)
    more = ", …" if len(names) > MOST_NAMED else ""
    return UserError(
        f"no step of preset {trace.preset.name!r} is called {pattern!r}{hint}; "
        f'try "block1.head1.*", or one of: {", ".join(names[:MOST_NAMED])}{more}'
    )
