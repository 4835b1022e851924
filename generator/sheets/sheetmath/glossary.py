"""Which words of the trade a model needs, in the order in which a class meets them."""

from collections.abc import Callable

from generator.engine.trace import Trace

Needed = Callable[[Trace], bool]


def _always(trace: Trace) -> bool:
    return True


def _sentence(trace: Trace) -> bool:
    return trace.preset.start == "sentence"


def _positions(trace: Trace) -> bool:
    return _sentence(trace) and trace.preset.positions != "none"


def _waves(trace: Trace) -> bool:
    return _sentence(trace) and trace.preset.positions == "sinusoidal"


def _attention(trace: Trace) -> bool:
    return "attention" in trace.preset.parts


def _mask(trace: Trace) -> bool:
    return _attention(trace) and trace.preset.mask != "none"


def _concat(trace: Trace) -> bool:
    return _attention(trace) and trace.preset.heads > 1


def _residual(trace: Trace) -> bool:
    return "residual" in trace.preset.parts


def _norm(trace: Trace) -> bool:
    parts = trace.preset.parts & {"attention", "feedforward"}
    return bool(parts) and trace.preset.norm != "none"


def _feedforward(trace: Trace) -> bool:
    return "feedforward" in trace.preset.parts


def _relu(trace: Trace) -> bool:
    return _feedforward(trace) and trace.preset.activation == "relu"


def _output(trace: Trace) -> bool:
    return "output.logits" in trace


WORDS: dict[str, Needed] = {
    "token": _always,
    "vocabulary": lambda trace: "vocabulary.words" in trace,
    "embedding": lambda trace: "vocabulary.words" in trace,
    "position": _positions,
    "radians": _waves,
    "vector": _always,
    "dot": _always,
    "falk": _attention,
    "matrix": lambda trace: _attention(trace) or _feedforward(trace),
    "query": _attention,
    "key": _attention,
    "value": _attention,
    "score": _attention,
    "scale": _attention,
    "mask": _mask,
    "exponential": _always,
    "softmax": _always,
    "share": _attention,
    "weighted": _attention,
    "head": _attention,
    "concat": _concat,
    "residual": _residual,
    "norm": _norm,
    "mean": _norm,
    "deviation": _norm,
    "feedforward": _feedforward,
    "hidden": _feedforward,
    "relu": _relu,
    "logit": _output,
    "temperature": _output,
    "probability": _output,
    "greedy": _output,
    "sampling": _output,
    "interval": _output,
    "next": _output,
    "parameter": _always,
    "check": _always,
    "carried": _always,
}


def terms(trace: Trace) -> list[str]:
    """The keys of the words (`sheetmath.term.<key>`, `sheetmath.meaning.<key>`) needed here."""
    return [key for key, needed in WORDS.items() if needed(trace)]
