"""A generated text for the terminal, as a table or as JSON."""

import json

from generator.engine.predict import drawing_row
from generator.errors import UserError, did_you_mean
from generator.generation.generate import Generated

FORMATS = ("text", "json")
PERCENT = 100


def render(generated: Generated, form: str) -> str:
    """The text, each token with its probability, and the multiplications.

    Raises `UserError` for a form that there is none of.
    """
    if form not in FORMATS:
        hint = did_you_mean(form, FORMATS)
        raise UserError(f"there is no format {form!r}{hint}; choose from: {', '.join(FORMATS)}")
    return _json(generated) if form == "json" else _text(generated)


def _text(generated: Generated) -> str:
    width = max(map(len, generated.tokens))
    rows = []
    for number, choice in enumerate(generated.choices, start=1):
        row = f"{number:>4}  {choice.token:<{width}}  {choice.probability * PERCENT:5.1f}%"
        drawn = "" if choice.random is None else f"  drawn with {_random(generated, choice.random)}"
        rows.append(row + drawn)
    end = [f"ended by the stop token {generated.trace.preset.stop!r}"] if generated.ended else []
    return "\n".join([generated.text, "", *rows, "", *end, _cost(generated), ""])


def _random(generated: Generated, number: float) -> str:
    return f"{number:.2f}" if generated.trace.rounding == "paper" else f"{number:.9f}"


def _cost(generated: Generated) -> str:
    whole = f"{generated.without_cache:,}"
    if generated.multiplications == generated.without_cache:
        how = "" if generated.cached else ", everything computed anew for each token (no KV cache)"
        return f"{whole} multiplications{how}"
    saved = 1 - generated.multiplications / generated.without_cache
    return (
        f"with KV cache {generated.multiplications:,} multiplications, without {whole}: "
        f"{saved * PERCENT:.0f}% saved"
    )


def _json(generated: Generated) -> str:
    preset = generated.trace.preset
    record = {
        "format": "paperformer-generation/1",
        "preset": preset.name,
        "preset_sha256": preset.sha256,
        "language": generated.trace.language,
        "rounding": generated.trace.rounding,
        "strategy": preset.strategy,
        "temperature": preset.temperatures[drawing_row(preset)],
        "k": preset.k,
        "p": preset.p,
        "seed": generated.seed,
        "sentence": generated.trace.sentence,
        "tokens": list(generated.sentence),
        "text": generated.text,
        "stop": preset.stop,
        "ended": generated.ended,
        "generated": [vars(choice) for choice in generated.choices],
        "kv_cache": generated.cached,
        "multiplications": {
            "done": generated.multiplications,
            "without_cache": generated.without_cache,
        },
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"
