"""A generated text for the terminal, as a table or as JSON."""

import json

from generator.engine.predict import drawing_row
from generator.errors import UserError, did_you_mean
from generator.generation.generate import Generated

FORMATS = ("text", "json")
PERCENT = 100


def render(made: Generated, form: str) -> str:
    """The text, each token with its probability, and the multiplications.

    Raises `UserError` for a form that there is none of.
    """
    if form not in FORMATS:
        hint = did_you_mean(form, FORMATS)
        raise UserError(f"there is no format {form!r}{hint}; choose from: {', '.join(FORMATS)}")
    return _json(made) if form == "json" else _text(made)


def _text(made: Generated) -> str:
    width = max(map(len, made.tokens))
    rows = []
    for number, choice in enumerate(made.choices, start=1):
        row = f"{number:>4}  {choice.token:<{width}}  {choice.probability * PERCENT:5.1f}%"
        drawn = "" if choice.random is None else f"  drawn with {_random(made, choice.random)}"
        rows.append(row + drawn)
    end = [f"ended by the stop token {made.trace.preset.stop!r}"] if made.ended else []
    return "\n".join([made.text, "", *rows, "", *end, _cost(made), ""])


def _random(made: Generated, number: float) -> str:
    return f"{number:.2f}" if made.trace.rounding == "paper" else f"{number:.9f}"


def _cost(made: Generated) -> str:
    whole = f"{made.without_cache:,}"
    if made.multiplications == made.without_cache:
        how = "" if made.cached else ", everything computed anew for each token (no KV cache)"
        return f"{whole} multiplications{how}"
    saved = 1 - made.multiplications / made.without_cache
    return (
        f"with KV cache {made.multiplications:,} multiplications, without {whole}: "
        f"{saved * PERCENT:.0f}% saved"
    )


def _json(made: Generated) -> str:
    preset = made.trace.preset
    record = {
        "format": "paperformer-generation/1",
        "preset": preset.name,
        "preset_sha256": preset.sha256,
        "language": made.trace.language,
        "rounding": made.trace.rounding,
        "strategy": preset.strategy,
        "temperature": preset.temperatures[drawing_row(preset)],
        "k": preset.k,
        "p": preset.p,
        "seed": made.seed,
        "sentence": made.trace.sentence,
        "tokens": list(made.sentence),
        "text": made.text,
        "stop": preset.stop,
        "ended": made.ended,
        "generated": [vars(choice) for choice in made.choices],
        "kv_cache": made.cached,
        "multiplications": {"done": made.multiplications, "without_cache": made.without_cache},
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"
